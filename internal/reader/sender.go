package reader

import (
	"slices"
	"strings"

	"toolkit/internal/reader/pattern"
)

// sender sets who sends the paper where no label says it: the one whose line says the whole
// address, else the name in the head that most speaks for.
func (result *extraction) sender(key string) {
	read := result.form
	if len(read.pages) == 0 || result.has(key) {
		return
	}
	if sender, ok := read.senderLine(); ok {
		result.set(key, sender.text, Source{Page: sender.page, Line: sender.line})
		return
	}
	customer, _ := result.values["customer_name"].(string)
	body, bestScore := bodySize(read.pages[0]), 0.0
	var best headName
	for _, name := range read.headNames() {
		if score := name.score(body); score > bestScore && !strings.EqualFold(name.text, customer) {
			best, bestScore = name, score
		}
	}
	if bestScore < believed {
		return
	}
	if whole, ok := read.wholeName(best.text); ok {
		best = whole
	} else if rest, ok := read.restOfName(best); ok {
		best.text += " " + rest
	}
	result.set(key, best.text, Source{Page: best.page, Line: best.line})
}

// wholeName is the name in the head that says one with its legal form.
func (read *form) wholeName(short string) (whole headName, ok bool) {
	for _, name := range read.headNames() {
		key := phraseKey(short) + " "
		if whole = name; name.legal && !hasCompanySuffix(short) && strings.HasPrefix(phraseKey(name.text), key) && len(strings.Fields(name.text)) <= len(strings.Fields(short))+2 {
			return whole, true
		}
	}
	return whole, false
}

// restOfName is the second line of a name that is printed larger than the rest of the page.
func (read *form) restOfName(name headName) (rest string, ok bool) {
	lines := read.pages[name.at.page].Lines
	if name.legal || name.cell.Size < 1.15*bodySize(read.pages[0]) || name.at.line+1 >= len(lines) {
		return "", false
	}
	under, ok := read.cellBelow(name.at, name.at.line+1)
	if !ok || abs(read.cell(under).Size-name.cell.Size) > 0.05*name.cell.Size || lines[under.line].Base-lines[name.at.line].Base > 1.5*name.cell.Size || read.isLabel(under) {
		return "", false
	}
	rest = read.nameText(read.candidateOf(under, read.tokens[under]))
	return rest, rest != "" && !saysTitle(rest) && wordDigits(rest) == 0 && !addressEnd().MatchString(rest) && !streetEnd().MatchString(rest)
}

// senderLine finds the line that says in one who sends a letter and from where, above an address
// window or at the foot. Two lines that name different senders tell nobody.
func (read *form) senderLine() (sender candidate, ok bool) {
	for lineIndex, line := range read.pages[0].Lines {
		text := strings.Join(strings.Fields(line.Text()), " ")
		name := firstPart(text)
		if inside, _, ok := strings.Cut(text, ", "); ok && hasCompanySuffix(inside) && !isProse(strings.Fields(inside)) {
			name = inside
		}
		name = capitalBehind().ReplaceAllString(name, "")
		if name == text || !wholeAddress().MatchString(text) && !slices.ContainsFunc(parts(text), addressEnd().MatchString) || wordDigits(name) > 0 {
			continue
		}
		at := place{0, lineIndex, 0}
		next := read.candidateOf(at, wordTokens(strings.Fields(name)))
		next.text = name
		if next.text = read.nameText(next); next.text == "" || read.isLabel(at) || isTitle(next.text) || read.belongsToLabel(at) {
			continue
		}
		if above, is := read.legalAbove(at); is && !hasCompanySuffix(next.text) {
			next = above
		}
		if ok && !strings.EqualFold(sender.text, next.text) {
			return candidate{}, false
		}
		if !ok {
			sender, ok = next, true
		}
	}
	return sender, ok
}

// capitalBehind is what French firms print behind their names at the foot.
var capitalBehind = pattern.New(`(?i),?\s+au capital .*`)

// legalAbove is the name with a legal form on the line above one that says the trade and the
// address of a firm.
func (read *form) legalAbove(at place) (above candidate, ok bool) {
	if at.line == 0 || len(read.pages[at.page].Lines[at.line-1].Cells) != 1 {
		return candidate{}, false
	}
	over := place{at.page, at.line - 1, 0}
	above = read.candidateOf(over, read.tokens[over])
	above.text = read.nameText(above)
	return above, hasCompanySuffix(above.text) && !read.belongsToLabel(over)
}
