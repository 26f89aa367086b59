package reader

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// longestSpelling bounds the words that are tried together as one value.
const longestSpelling = 24

// addSourceBoxes adds to the sources of a PDF's fields the boxes of their values: of the words that
// spell the value on its line, else of the whole line.
func (content *Content) addSourceBoxes(values map[string]any, sources map[string]Source) {
	for key, source := range sources {
		if content.pictures.pages[source.Page] {
			source.OCR = true
			sources[key] = source
		}
		page, line, ok := content.findSourceLine(source)
		if !ok {
			continue
		}
		content.stopIfAbandoned()
		words := line.Words()
		if run, ok := findWordsOfValue(words, values[key]); ok {
			words = run
		}
		if box, ok := page.PlaceOfWords(words); ok {
			source.Box = box
			sources[key] = source
		}
	}
}

// findSourceLine returns the line of a source on a page with places.
func (content *Content) findSourceLine(source Source) (layout.Page, layout.Line, bool) {
	for _, page := range content.Pages {
		at := slices.IndexFunc(page.Lines, func(line layout.Line) bool { return line.Number == source.Line })
		if page.Number == source.Page && page.Sheet != (layout.Sheet{}) && at >= 0 {
			return page, page.Lines[at], true
		}
	}
	return layout.Page{}, layout.Line{}, false
}

// findWordsOfValue returns the fewest words in a row that spell a value, of several such the last: a
// value stands behind what announces it.
func findWordsOfValue(words []layout.Word, item any) (run []layout.Word, ok bool) {
	spells := makeValueMatcher(item)
	for length := 1; length <= min(len(words), longestSpelling); length++ {
		for start := len(words) - length; start >= 0; start-- {
			if run := words[start : start+length]; spells(wordsText(run)) {
				return run, true
			}
		}
	}
	return nil, false
}

// aroundLines is how many lines are shown before and behind the one that says a value.
const aroundLines = 2

// LinesAround is the line of a text that says a value, with those around it; pages are parted by
// form feeds. It is empty when the line says something else: the text is in the order of
// reading, and of columns side by side that is not the order in which lines are counted.
func LinesAround(text string, page, line int, item any) string {
	pages := strings.Split(text, "\f")
	if page < 1 || page > len(pages) {
		return ""
	}
	lines := strings.Split(strings.TrimRight(pages[page-1], "\n"), "\n")
	if line < 1 || line > len(lines) {
		return ""
	}
	var words []layout.Word
	for _, word := range strings.Fields(TruncateText(lines[line-1], longestViewed)) {
		words = append(words, layout.Word{Text: word})
	}
	if _, ok := findWordsOfValue(words, item); !ok {
		return ""
	}
	shown := lines[max(0, line-1-aroundLines):min(len(lines), line+aroundLines)]
	for index := range shown {
		shown[index] = TruncateText(shown[index], longestAround)
	}
	return strings.Join(shown, "\n")
}

// longestAround bounds each line that Around shows, in bytes.
const longestAround = 300

func wordsText(words []layout.Word) string {
	texts := make([]string, len(words))
	for index, word := range words {
		texts[index] = word.Text
	}
	return strings.Join(texts, " ")
}

// makeValueMatcher tells whether a text as printed is the value, or of a text holds it.
func makeValueMatcher(item any) func(string) bool {
	switch item := item.(type) {
	case float64:
		short, cents := onlyDigits(strconv.FormatFloat(item, 'f', -1, 64)), onlyDigits(strconv.FormatFloat(item, 'f', 2, 64))
		return func(text string) bool {
			digits := onlyDigits(text)
			_, ok := value.ParseAmount(text, value.Unknown)
			return ok && (digits == short || digits == cents)
		}
	case string:
		first, _, _ := strings.Cut(item, ", ") // of an address the line it begins with
		wanted := filterLettersAndDigits(first)
		return func(text string) bool {
			letters := filterLettersAndDigits(text)
			if letters == wanted || len(wanted) >= 4 && strings.Contains(letters, wanted) {
				return letters != ""
			}
			if code, ok := value.CurrencyOf(text); ok && code != "" {
				return code == item
			}
			return isDateOf(text, item)
		}
	}
	return func(string) bool { return false }
}

// isDateOf tells whether a text is a date in either order of day and month.
func isDateOf(text, iso string) bool {
	return iso != "" && (value.ISO(text, value.DayFirst) == iso || value.ISO(text, value.MonthFirst) == iso)
}

func onlyDigits(text string) string { return filterRunes(text, unicode.IsDigit) }

func filterLettersAndDigits(text string) string {
	return filterRunes(strings.ToLower(text), func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

func filterRunes(text string, wanted func(rune) bool) string {
	return strings.Map(func(c rune) rune {
		if wanted(c) {
			return c
		}
		return -1
	}, text)
}
