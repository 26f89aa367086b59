package document

import (
	"slices"
	"strings"

	"toolkit/tools/engines/document/pattern"
)

// addressEnd is the last line of a postal address: postcode and town, in the notations of
// the countries whose labels are read.
var addressEnd = pattern.New(`^(?:[A-Z]{1,3}[- ])?(?:\d{4,6}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}) ?\pL[\pL .\-/()'’]+$|^\pL[\pL .'\-]+,? [A-Z]{2,3},? \d{4,5}(?:-\d{4})?(?:, [A-Z]{2})?$|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}$|\b[A-Z]\d[A-Z] ?\d[A-Z]\d$|\b[A-Z]\d[\dW] ?[A-Z\d]{4}$`)

// streetEnd is a street with its number, as many countries write it.
var streetEnd = pattern.New(`^\pL[\pL .'\-]+ \d{1,4} ?[a-zA-Z]?$`)

// wholeAddress is an address in one line, as senders print it above an address window.
var wholeAddress = pattern.New(`[,;·|•●] +(?:[A-Z]{1,3}[- ])?(?:\d{4,6}|\d{3} \d{2}|\d{2}-\d{3}|\d{4}-\d{3}) ?\pL`)

// addressee sets the recipient of a letter that has no label for it: the one postal
// address in the upper part of the first page that is neither the sender's, which is the
// field from, nor belongs to another label.
func (result *extraction) addressee(key, from string) {
	read := result.form
	sender, _ := result.values[from].(string)
	if len(read.pages) == 0 || sender == "" || result.has(key) {
		return
	}
	page := read.pages[0]
	var names []candidate
	for lineIndex, line := range page.Lines {
		if line.Aside || line.Base-page.Top > 0.45*(page.Bottom-page.Top) || read.blocked[[2]int{0, lineIndex}] {
			break
		}
		for cellIndex := range line.Cells {
			name, ok := read.addressName(place{0, lineIndex, cellIndex})
			if !ok || strings.EqualFold(name.text, sender) || read.belongsToLabel(name.at) || slices.ContainsFunc(names, func(known candidate) bool { return strings.EqualFold(known.text, name.text) }) {
				continue
			}
			if names = append(names, name); len(names) > 1 {
				return
			}
		}
	}
	if len(names) == 1 {
		result.set(key, names[0].text, Source{Page: names[0].page, Line: names[0].line})
	}
}

// addressName tells whether a block of an address starts at a cell: a name, and a last
// line with postcode and town. The cell above must not belong to the same block.
func (read *form) addressName(at place) (candidate, bool) {
	lines := read.block(at)
	if isSalutation(lines[0].text) && len(lines) > 1 && !read.continues(at) {
		lines = lines[1:]
		at = lines[0].at
	} else if read.continues(at) {
		return candidate{}, false
	}
	name := read.nameText(lines[0])
	if name == "" || firstPart(name) != name || len(lines) < 2 || read.isLabel(at) || addressEnd().MatchString(lines[0].text) || streetEnd().MatchString(lines[0].text) || isTitle(name) {
		return candidate{}, false
	}
	for _, line := range lines[1:] {
		if addressEnd().MatchString(strings.TrimSpace(line.text)) {
			first := lines[0]
			first.text = name
			return first, true
		}
	}
	return candidate{}, false
}

// salutations open an address without being its name.
var salutations = strings.Fields("firma fa herrn herr frau familie an to mr mrs ms m mme mlle monsieur madame messrs spett.le spettabile sig sig.ra egr.sig signor signora sr sra senor senora dhr mevr mevrouw heer exmo.(s exmos exmo srs sr.(s exma sra")

// isSalutation tells a line that only says how somebody is addressed.
func isSalutation(text string) bool {
	words := strings.Fields(text)
	for _, word := range words {
		if !slices.Contains(salutations, normalised(word)) {
			return false
		}
	}
	return len(words) > 0 && len(words) < 4
}

// continues tells whether a cell stands directly under another of the same column that is
// a name of its own: then the block starts above. A sender's line in small letters above
// an address window is no part of it.
func (read *form) continues(at place) bool {
	if at.line == 0 {
		return false
	}
	line, above := read.pages[at.page].Lines[at.line], read.pages[at.page].Lines[at.line-1]
	if line.Base-above.Base > 1.9*line.Size {
		return false
	}
	for index, cell := range above.Cells {
		if next := (place{at.page, at.line - 1, index}); abs(cell.Left-read.cell(at).Left) < 0.8*line.Size && firstPart(cell.Text) == cell.Text && !wholeAddress().MatchString(cell.Text) {
			above := read.candidateOf(next, read.tokens[next])
			return read.nameText(above) != "" || isSalutation(above.text) || streetStart().MatchString(above.text) && !addressEnd().MatchString(above.text)
		}
	}
	return false
}

func abs(number float64) float64 { return max(number, -number) }
