package language

import (
	"math"
	"sort"
	"strings"

	"toolkit/fixtures"
)

// EverydayFrequency is the share of texts from which a word stands in every conversation.
const EverydayFrequency = 0.09

// TermFrequency is the share of texts of everyday talk and of work, of a hundred words
// each, in which an index term stands: 0 for names, numbers and rare words. A word
// that the language does not have is as common as in any other.
func TermFrequency(term string, l Language) float64 {
	digits := findFrequencyDigits(term)
	if column := int(l) - int(English); column >= 0 && column < len(digits) && digits[column] != '-' {
		digits = digits[column : column+1]
	}
	most := 0.0
	for _, digit := range digits {
		if digit != '-' {
			most = max(most, math.Exp2(float64(digit-'0'))/1000)
		}
	}
	return most
}

// IsEveryday reports whether an index term says little, whatever it stands in.
func IsEveryday(term string) bool { return TermFrequency(term, Unknown) >= EverydayFrequency }

// findFrequencyDigits finds the line of a term where it stands, by halves, for the list is
// sorted: reading it as a whole would cost every prompt a millisecond.
func findFrequencyDigits(term string) string {
	_, list, _ := strings.Cut(fixtures.Frequency, "\n\n")
	wanted := term + " "
	at := sort.Search(len(list), func(at int) bool { return lineAround(list, at) >= wanted })
	digits, found := strings.CutPrefix(lineAround(list, at), wanted)
	if !found {
		return ""
	}
	return digits
}

func lineAround(list string, at int) string {
	line, _, _ := strings.Cut(list[strings.LastIndexByte(list[:at], '\n')+1:], "\n")
	return line
}
