package retrieval

import (
	"strconv"
	"strings"
	"time"
)

type dateWords struct{ year, month, day string }

// isoDate reads 2023-05-03. Other orders are ambiguous between countries and
// stay numbers.
func isoDate(chunk string) (dateWords, bool) {
	if len(chunk) < 10 || chunk[4] != '-' || chunk[7] != '-' {
		return dateWords{}, false
	}
	if len(chunk) > 10 && (chunk[10] != 'T' && chunk[10] != 't') {
		return dateWords{}, false
	}
	t, err := time.Parse(time.DateOnly, chunk[:10])
	if err != nil {
		return dateWords{}, false
	}
	return dateWords{
		year:  strconv.Itoa(t.Year()),
		month: strings.ToLower(t.Month().String()),
		day:   strconv.Itoa(t.Day()),
	}, true
}

// DateWords gives the words under which a day is looked for: its year, the name
// of its month, its day of the month and its weekday. The zero time has none.
func DateWords(day time.Time) []string {
	if day.IsZero() {
		return nil
	}
	return []string{
		strconv.Itoa(day.Year()),
		strings.ToLower(day.Month().String()),
		strconv.Itoa(day.Day()),
		strings.ToLower(day.Weekday().String()),
	}
}
