package calendar

import (
	"strings"
	"testing"
	"time"
)

// Reading takes time in proportion to the text, also where every word may begin a
// date: the cost of a byte is shown beside that of plain talk.
func BenchmarkReading(b *testing.B) {
	said := time.Date(2023, 5, 8, 0, 0, 0, 0, time.UTC)
	for name, line := range map[string]string{
		"talk":    "We went hiking with the children and my knees still hurt a little. ",
		"hostile": "in the first week of the week of 5 of the , in early 5 the last on the 5th of ",
	} {
		for _, times := range []int{10, 1000} {
			text := strings.Repeat(line, times)
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					Find(text, said)
				}
			})
		}
	}
}
