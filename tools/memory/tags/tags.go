// Package tags finds in a text the marks by which a part of it is known: tags that
// clients and this program put around what nobody said, and the one that a user
// puts around what is private. A tag is found however it is written: in upper
// case, with spaces or attributes, and escaped as in HTML or JSON, also twice.
package tags

import (
	"regexp"
	"strings"
)

const (
	opening = `(?:<|＜|&(?:amp;)*(?:lt|#0*60|#x0*3c);|\\+(?:u00|x)3c)`
	closing = `(?:>|＞|&(?:amp;)*(?:gt|#0*62|#x0*3e);|\\+(?:u00|x)3e)`
	// gap may stand anywhere in a name and is not seen.
	gap   = `[\x{ad}\x{200b}-\x{200f}\x{2060}\x{feff}]*`
	space = `(?:\s|[\x{ad}\x{200b}-\x{200f}\x{2060}\x{feff}])*`
	// longest is how long a tag may be with all its attributes.
	longest = 300
)

var unseen = regexp.MustCompile(gap)

// Tag is one mark in a text.
type Tag struct {
	Start, End int
	Name       string
	Closes     bool
	bracket    string
}

// Finder finds the tags of some names.
type Finder struct{ pattern *regexp.Regexp }

// Of makes a Finder; in a name * stands for more letters.
func Of(names ...string) Finder {
	all := make([]string, len(names))
	for i, name := range names {
		letters := make([]string, 0, len(name))
		for _, c := range name {
			letter := regexp.QuoteMeta(string(c))
			if c == '*' {
				letter = `[\pL_-]*`
			}
			letters = append(letters, letter)
		}
		all[i] = strings.Join(letters, gap)
	}
	return Finder{regexp.MustCompile(`(?i)^(` + opening + `)` + space + `(/?)` + space + `(` + strings.Join(all, "|") + `)(?:[\s/][^<>]*?)?` + space + closing)}
}

// First is the tag that a text begins with.
func (f Finder) First(text string) (tag Tag, ok bool) {
	m := f.pattern.FindStringSubmatchIndex(text[:min(len(text), longest)])
	if m == nil {
		return tag, false
	}
	return Tag{End: m[1], Name: strings.ToLower(unseen.ReplaceAllString(text[m[6]:m[7]], "")), Closes: m[4] < m[5], bracket: strings.ToLower(text[m[2]:m[3]])}, true
}

// In returns the tags of a text in their order, without those that are only
// talked about: alone between backticks.
func (f Finder) In(text string) (found []Tag) {
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '<', '&', '\\', "＜"[0]:
		default:
			continue
		}
		tag, ok := f.First(text[at:])
		if !ok {
			continue
		}
		tag.Start, tag.End = at, at+tag.End
		if at = tag.End - 1; !mentioned(text, tag) {
			found = append(found, tag)
		}
	}
	return found
}

func mentioned(text string, t Tag) bool {
	return strings.HasSuffix(text[:t.Start], "`") && strings.HasPrefix(text[t.End:], "`")
}

// Block is a part of a text with the tags around it. Where one of them is
// missing, it is the zero Tag.
type Block struct{ Open, Close Tag }

// Blocks puts tags together, the inner ones first. What opens and what closes has
// one name and is written in one way.
func Blocks(found []Tag) (blocks []Block) {
	type kind struct{ name, bracket string }
	open, closed := map[kind][]int{}, make([]bool, len(found))
	for n, t := range found {
		k := kind{t.Name, t.bracket}
		switch waiting := open[k]; {
		case !t.Closes:
			open[k] = append(waiting, n)
		case len(waiting) == 0:
			blocks = append(blocks, Block{Close: t})
		default:
			last := waiting[len(waiting)-1]
			blocks, closed[last] = append(blocks, Block{found[last], t}), true
			open[k] = waiting[:len(waiting)-1]
		}
	}
	for n, t := range found {
		if !t.Closes && !closed[n] {
			blocks = append(blocks, Block{Open: t})
		}
	}
	return blocks
}
