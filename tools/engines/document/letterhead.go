package document

import (
	"math"
	"slices"
	"strings"

	"toolkit/tools/engines/document/layout"
	"toolkit/tools/engines/document/pattern"
)

// A letterhead names the sender without a label. It is believed only with evidence: a
// legal form, the sender's own domain, great letters. A page's first words alone are no
// evidence.
const believed = 3.0

// letterhead sets the name of the sender, where nothing else says it, found at the top of the
// first page.
func (result *extraction) letterhead(key string) {
	read := result.form
	if len(read.pages) == 0 || result.has(key) {
		return
	}
	page := read.pages[0]
	if sender, ok := read.senderLine(); ok {
		result.set(key, sender.text, Source{Page: sender.page, Line: sender.line})
		return
	}
	domains := read.domains()
	body := bodySize(page)
	best, bestScore := candidate{}, 0.0
	customer, _ := result.values["customer_name"].(string)
	for lineIndex, line := range page.Lines {
		if line.Aside || lineIndex > 14 || line.Base-page.Top > math.Max(0.4*(page.Bottom-page.Top), 25*body) && lineIndex > 3 {
			break
		}
		if read.blocked[[2]int{0, lineIndex}] {
			break
		}
		for cellIndex, cell := range line.Cells[:min(len(line.Cells), 6)] {
			next := read.candidateOf(place{0, lineIndex, cellIndex}, read.tokens[place{0, lineIndex, cellIndex}])
			next.text = firstPart(cell.Text)
			name := read.nameText(next)
			if name == "" || read.isLabel(next.at) || isTitle(name) || strings.EqualFold(name, customer) || read.belongsToLabel(next.at) {
				continue
			}
			if score := read.senderScore(name, cell, lineIndex, body, domains); score > bestScore {
				next.text = name
				best, bestScore = next, score
			}
		}
	}
	if bestScore >= believed {
		result.set(key, best.text, Source{Page: best.page, Line: best.line})
	}
}

// senderLine finds the line that says in one who sends a letter and from where, above an address
// window or at the foot. Two lines that name different senders tell nobody.
func (read *form) senderLine() (sender candidate, ok bool) {
	for lineIndex, line := range read.pages[0].Lines {
		text := strings.Join(strings.Fields(line.Text()), " ")
		name := firstPart(text)
		if name == text || !wholeAddress().MatchString(text) && !slices.ContainsFunc(parts(text), addressEnd().MatchString) || wordDigits(name) > 0 {
			continue
		}
		at := place{0, lineIndex, 0}
		next := read.candidateOf(at, wordTokens(strings.Fields(name)))
		next.text = name
		if next.text = read.nameText(next); next.text == "" || read.isLabel(at) || isTitle(next.text) || read.belongsToLabel(at) {
			continue
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

// firstPart is the name of a sender's line "Acme GmbH · Street 1 · 12345 Town".
func firstPart(text string) string { return parts(text)[0] }

func parts(text string) []string {
	for _, separator := range []string{" · ", " • ", " ● ", " | ", " – ", " - ", " * "} {
		if strings.Contains(text, separator) {
			return strings.Split(text, separator)
		}
	}
	return []string{text}
}

func (read *form) senderScore(name string, cell layout.Cell, lineIndex int, body float64, domains []string) float64 {
	score := 0.0
	if hasCompanySuffix(name) {
		score += 3
	}
	if institutionName().MatchString(name) {
		score += 1.5
	}
	if cell.Size > 1.25*body {
		score += 1.5
	}
	switch {
	case lineIndex == 0:
		score += 1.5
	case lineIndex < 3:
		score += 0.75
	}
	compact := strings.ToLower(strings.Join(strings.FieldsFunc(strings.ReplaceAll(name, "&", "and"), func(character rune) bool { return !isWordRune(character) }), ""))
	for _, domain := range domains {
		if len(domain) >= 4 && (strings.Contains(compact, domain) || strings.Contains(domain, compact) && len(compact) >= 4) {
			score += 2.5
			break
		}
	}
	return score
}

// institutionName recognises names of banks, brokers and offices, which have no legal form.
var institutionName = pattern.New(`(?i)\b(?:bank|banco|banque|credit union|savings|brokerage|securities|investments|wealth management|asset management|insurance)$|sparkasse|volksbank|raiffeisenbank|bank\b.*\beg$`)

func isWordRune(character rune) bool {
	return character == '_' || character >= '0' && character <= '9' || character >= 'a' && character <= 'z' || character >= 'A' && character <= 'Z' || character > 127
}

var domainName = pattern.New(`(?i)(?:@|www\.|https?://)([\w-]+(?:\.[\w-]+)*)\.[a-z]{2,}`)

// domains are the names of mail and web addresses on the first page, without the public
// mail providers.
func (read *form) domains() []string {
	var names []string
	for _, line := range read.pages[0].Lines {
		for _, match := range domainName().FindAllStringSubmatch(line.Text(), -1) {
			parts := strings.Split(strings.ToLower(match[1]), ".")
			name := strings.ReplaceAll(parts[len(parts)-1], "-", "")
			if len(parts) > 1 && len(name) <= 3 { // "co.uk", "com.au"
				name = strings.ReplaceAll(parts[len(parts)-2], "-", "")
			}
			switch name {
			case "gmail", "outlook", "hotmail", "yahoo", "gmx", "web", "icloud", "example", "co", "www":
			default:
				names = append(names, name)
			}
		}
	}
	return names
}

func bodySize(page layout.Page) float64 {
	counts := map[int]int{}
	for _, line := range page.Lines {
		for _, cell := range line.Cells {
			counts[int(math.Round(cell.Size*2))] += len(cell.Text)
		}
	}
	best, most := 20, 0
	for size, count := range counts {
		if count > most || (count == most && size < best) {
			best, most = size, count
		}
	}
	return float64(best) / 2
}

// belongsToLabel tells whether a cell stands under or beside a label that names somebody
// else: the recipient's block, a delivery address.
func (read *form) belongsToLabel(at place) bool {
	for _, label := range read.labels {
		if label.at.page != at.page || !(label.is(labelCustomer) || label.is(labelOther) || label.is(labelHolder)) || !label.whole || isTitle(read.cell(label.at).Text) {
			continue
		}
		if label.at.line == at.line && label.at.cell == at.cell-1 {
			return true
		}
		if beside := (place{label.at.page, label.at.line, label.at.cell + 1}); label.is(labelOther) && len(read.tokens[beside]) > 0 && !read.isLabel(beside) {
			continue // it has its value
		}
		if under, ok := read.underneath(label, at.line); ok && under == at && at.line > label.at.line && at.line-label.at.line <= 5 {
			base := read.pages[at.page].Lines
			if base[at.line].Base-base[label.at.line].Base < 7*base[at.line].Size {
				return true
			}
		}
	}
	return false
}
