package document

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/tools/engines/document/value"
)

// maxProse bounds the text that is read as sentences.
const maxProse = 200_000

// paragraphs are the lines of a text, spaces folded, in the groups that blank lines part.
func paragraphs(text string) (groups [][]string) {
	open := false
	for line := range strings.Lines(text[:min(len(text), maxProse)]) {
		line = strings.Join(strings.Fields(line), " ")
		switch {
		case line == "":
			open = false
		case !open:
			groups, open = append(groups, []string{line}), true
		default:
			groups[len(groups)-1] = append(groups[len(groups)-1], line)
		}
	}
	return groups
}

// flowing is text as sentences: line breaks are spaces, a paragraph is a line.
func flowing(text string) string {
	var lines []string
	for _, group := range paragraphs(text) {
		lines = append(lines, strings.Join(group, " "))
	}
	return strings.Join(lines, "\n")
}

// sentences is text as flowing makes it, but a line that does not plainly continue the one
// before stays one of its own. Every line ends in a break.
func sentences(text string) string {
	var all strings.Builder
	groups := paragraphs(text)
	width := widthOf(groups)
	for _, group := range groups {
		for index, line := range group {
			if index > 0 && continues(line, group[index-1], width) {
				all.WriteByte(' ')
			} else if all.Len() > 0 {
				all.WriteByte('\n')
			}
			all.WriteString(line)
		}
	}
	all.WriteByte('\n')
	return all.String()
}

// continues tells whether a line goes on with the words of the one before: it starts in
// small letters or with a legal form, or it ends a name that had no room there.
func continues(line, before string, width width) bool {
	words := strings.Fields(line)
	if startsLabel(words) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(line)
	if unicode.IsLower(first) || strings.ContainsRune("(,;", first) || language.LegalFormOf(words[0]) != nil {
		return true
	}
	end := len(line)
	for _, mark := range [][]int{partyEnd().FindStringIndex(line + "\n"), andWord().FindStringIndex(line)} {
		if mark != nil {
			end = min(end, mark[0])
		}
	}
	if end == len(line) && !strings.ContainsAny(line[end-1:], ".,") {
		return false
	}
	name := strings.Fields(line[:end])
	return len(name) <= 3 && !isProse(name) && wordDigits(line[:end]) == 0 && width.noRoom(before, words[0])
}

// width is how long the lines of a text are that is broken into lines: that of the longest
// of all lines with a neighbour, and of the next one.
type width struct{ longest, next int }

func widthOf(groups [][]string) (w width) {
	for _, group := range groups {
		if len(group) < 2 {
			continue
		}
		for _, line := range group {
			switch length := utf8.RuneCountInString(line); {
			case length > w.longest:
				w.longest, w.next = length, w.longest
			case length > w.next:
				w.next = length
			}
		}
	}
	return w
}

// noRoom tells whether a word would make a line longer than all others.
func (w width) noRoom(line, word string) bool {
	length, others := utf8.RuneCountInString(line), w.longest
	if length == w.longest {
		others = w.next
	}
	return length+1+utf8.RuneCountInString(word) > others
}

// startsLabel tells whether words start with a label: one that is known, or any that a
// colon ends.
func startsLabel(words []string) bool {
	words = words[:min(len(words), longestName)]
	if slices.ContainsFunc(words[:min(len(words), 5)], func(word string) bool { return strings.HasSuffix(word, ":") }) {
		return true
	}
	_, length := matchLabel(wordTokens(words), 0)
	return length > 0
}

// holdsValue tells whether words hold a label with its value, an amount of money or a date.
func holdsValue(words []string) bool {
	text := strings.Join(words, " ")
	if strings.Contains(text, ": ") || len(value.FindDates(text, value.UnknownOrder)) > 0 {
		return true
	}
	for index := range words {
		for _, part := range []string{words[index], strings.Join(words[index:min(index+2, len(words))], " ")} {
			if amount, ok := value.ParseAmount(part, value.Unknown); ok && amount.Currency != "" {
				return true
			}
		}
	}
	return false
}
