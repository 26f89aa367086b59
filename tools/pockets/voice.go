package pockets

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"toolkit/internal/language"
)

// The voice: lowercase but for names and times, at most eighteen words a line,
// observational, never loud.
const maxWords = 18

// formatNumber returns a number with two decimals.
func formatNumber(x float64) string { return strconv.FormatFloat(round2(x), 'f', 2, 64) }

// joinParts joins the parts of a line; empty ones are dropped.
func joinParts(parts ...string) string { return joinNonEmpty(" · ", parts) }

// joinLines joins lines; empty ones are dropped.
func joinLines(all ...string) string { return joinNonEmpty("\n", all) }

func joinNonEmpty(separator string, all []string) string {
	nonEmpty := slices.DeleteFunc(slices.Clone(all), func(text string) bool { return text == "" })
	return strings.Join(nonEmpty, separator)
}

// sanitizeToken returns a text of a caller as one word of a line: what could shout or break
// the line becomes a hyphen. Ids, slugs and names of actions stay as they are.
func sanitizeToken(text string) string {
	const most = 80
	var b strings.Builder
	for _, r := range strings.TrimSpace(text) {
		if b.Len() >= most {
			break
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' || r == '.' || r == ':' {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteByte('-')
		}
	}
	return b.String()
}

// sanitizeWords returns a text of a caller as a few words of a line.
func sanitizeWords(text string, most int) string {
	words := strings.Fields(text)
	for i := range words {
		words[i] = sanitizeToken(words[i])
	}
	return strings.Join(words[:min(len(words), most)], " ")
}

// sanitizeName returns a name as it is written, a few words of it and nothing loud.
func sanitizeName(name string) string {
	words := strings.Fields(strings.ReplaceAll(name, "!", ""))
	return strings.Join(words[:min(len(words), 6)], " ")
}

// clockTime is a time of day in Singapore.
func clockTime(ms int64) string {
	return timeFromMillis(ms).In(singaporeZone).Format("15:04")
}

// numerals are small numbers in words.
var numerals = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

func spellNumber(n int) string {
	if n < len(numerals) {
		return numerals[n]
	}
	return strconv.Itoa(n)
}

// counted is a number of things.
var counted = language.FormatCount
