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

// number is a number with two decimals.
func number(x float64) string { return strconv.FormatFloat(round2(x), 'f', 2, 64) }

// line joins the parts of a line; empty ones are dropped.
func line(parts ...string) string { return joined(" · ", parts) }

// lines joins lines; empty ones are dropped.
func lines(all ...string) string { return joined("\n", all) }

func joined(separator string, all []string) string {
	said := slices.DeleteFunc(slices.Clone(all), func(text string) bool { return text == "" })
	return strings.Join(said, separator)
}

// spoken is a text of a caller as one word of a line: what could shout or break
// the line becomes a hyphen. Ids, slugs and names of actions stay as they are.
func spoken(text string) string {
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

// spokenWords is a text of a caller as a few words of a line.
func spokenWords(text string, most int) string {
	words := strings.Fields(text)
	for i := range words {
		words[i] = spoken(words[i])
	}
	return strings.Join(words[:min(len(words), most)], " ")
}

// spokenName is a name as it is written, a few words of it and nothing loud.
func spokenName(name string) string {
	words := strings.Fields(strings.ReplaceAll(name, "!", ""))
	return strings.Join(words[:min(len(words), 6)], " ")
}

// clockTime is a time of day in Singapore.
func clockTime(ms int64) string {
	return instantOf(ms).In(singaporeZone).Format("15:04")
}

// numerals are small numbers in words.
var numerals = []string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

func inWords(n int) string {
	if n < len(numerals) {
		return numerals[n]
	}
	return strconv.Itoa(n)
}

// counted is a number of things.
var counted = language.Pluralize
