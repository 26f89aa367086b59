package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

// Tags mark what a part of a text is: clients and this program put them around what
// nobody said, and a user puts one around what is private. A tag is found however it is
// written: in upper case, with spaces or attributes, and escaped as in HTML or JSON, also
// twice.
const (
	// maxTagLength is how long a tag may be with all its attributes.
	maxTagLength = 300
	// maxEscapes is how many backslashes of a row belong to a bracket.
	maxEscapes = 16
)

// Tag is one mark in a text.
type Tag struct {
	Start, End int
	Name       string
	Closes     bool
	bracket    string
}

// TagFinder finds the tags of some names.
type TagFinder struct{ names []string }

// NewTagFinder makes a TagFinder of names in lower case; a * at the end of one stands for more
// letters.
func NewTagFinder(names ...string) TagFinder { return TagFinder{names} }

// FindLeadingTag returns the tag that a text begins with.
func (f TagFinder) FindLeadingTag(text string) (tag Tag, ok bool) {
	text = text[:min(len(text), maxTagLength)]
	tag.bracket = opening().FindString(text)
	if tag.bracket == "" {
		return tag, false
	}
	rest := trimLeadingInvisible(text[len(tag.bracket):])
	rest, tag.Closes = strings.CutPrefix(rest, "/")
	rest = trimLeadingInvisible(rest)
	for _, name := range f.names {
		spelled, behind := readTagName(rest, name)
		if spelled == "" {
			continue
		}
		if end, ends := readTagEnd(behind); ends {
			tag.Name, tag.End, tag.bracket = spelled, len(text)-len(end), strings.ToLower(tag.bracket)
			return tag, true
		}
	}
	return tag, false
}

// A bracket is written as it is, and by the names and numbers of HTML and JSON.
var (
	opening = lazyregexp.New(`^(?i:<|＜|&(?:amp;)*(?:lt|#x0*3c|#0*60);|\\+(?:u00|x)3c)`)
	closing = lazyregexp.New(`^(?i:>|＞|&(?:amp;)*(?:gt|#x0*3e|#0*62);|\\+(?:u00|x)3e)`)
)

// readTagName reads a name, between whose letters may stand what nobody sees.
func readTagName(text, name string) (spelled, rest string) {
	letters, open := strings.CutSuffix(name, "*")
	for i, want := range letters {
		if i > 0 {
			text = strings.TrimLeftFunc(text, isInvisible)
		}
		c, size := utf8.DecodeRuneInString(text)
		if size == 0 || lowerRune(c) != want {
			return "", text
		}
		text = text[size:]
	}
	if !open {
		return letters, text
	}
	rest = strings.TrimLeftFunc(text, func(c rune) bool { return unicode.IsLetter(c) || c == '_' || c == '-' || isInvisible(c) })
	more := strings.Map(func(c rune) rune {
		if isInvisible(c) {
			return -1
		}
		return lowerRune(c)
	}, text[:len(text)-len(rest)])
	return letters + more, rest
}

// lowerRune also knows the signs that are letters in another form, such as ſ.
func lowerRune(c rune) rune { return unicode.ToLower(unicode.ToUpper(c)) }

// readTagEnd reads the end of a tag behind its name, and its attributes if there are any.
func readTagEnd(text string) (rest string, ok bool) {
	bare := trimLeadingInvisible(text)
	if end := closing().FindString(bare); end != "" {
		return bare[len(end):], true
	}
	if c, _ := utf8.DecodeRuneInString(text); c != '/' && !unicode.IsSpace(c) {
		return text, false
	}
	for ; text != "" && text[0] != '<'; text = text[1:] {
		if end := closing().FindString(text); end != "" {
			return text[len(end):], true
		}
	}
	return text, false
}

func trimLeadingInvisible(text string) string {
	return strings.TrimLeftFunc(text, func(c rune) bool { return unicode.IsSpace(c) || isInvisible(c) })
}

// isInvisible reports whether a character may stand anywhere in a name and is not seen.
func isInvisible(c rune) bool {
	return c == 0xad || 0x200b <= c && c <= 0x200f || c == 0x2060 || c == 0xfeff
}

// FindTags returns the tags of a text in their order, without those that are only
// talked about: alone between backticks.
func (f TagFinder) FindTags(text string) (found []Tag) {
	for at := 0; at < len(text); at++ {
		switch text[at] {
		case '\\':
			row := len(text[at:]) - len(strings.TrimLeft(text[at:], `\`))
			at += max(0, row-maxEscapes)
		case '<', '&', "＜"[0]:
		default:
			continue
		}
		tag, ok := f.FindLeadingTag(text[at:])
		if !ok {
			continue
		}
		tag.Start, tag.End = at, at+tag.End
		if at = tag.End - 1; !isTagMention(text, tag) {
			found = append(found, tag)
		}
	}
	return found
}

func isTagMention(text string, t Tag) bool {
	return strings.HasSuffix(text[:t.Start], "`") && strings.HasPrefix(text[t.End:], "`")
}

// TagBlock is a part of a text with the tags around it. Where one of them is
// missing, it is the zero Tag.
type TagBlock struct{ Open, Close Tag }

// PairTags puts tags together, the inner ones first. What opens and what closes has
// one name and is written in one way.
func PairTags(found []Tag) (blocks []TagBlock) {
	type kind struct{ name, bracket string }
	open, closed := map[kind][]int{}, make([]bool, len(found))
	for n, t := range found {
		k := kind{t.Name, t.bracket}
		switch waiting := open[k]; {
		case !t.Closes:
			open[k] = append(waiting, n)
		case len(waiting) == 0:
			blocks = append(blocks, TagBlock{Close: t})
		default:
			last := waiting[len(waiting)-1]
			blocks, closed[last] = append(blocks, TagBlock{found[last], t}), true
			open[k] = waiting[:len(waiting)-1]
		}
	}
	for n, t := range found {
		if !t.Closes && !closed[n] {
			blocks = append(blocks, TagBlock{Open: t})
		}
	}
	return blocks
}
