package redact

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A turn as people write it, with words that start many rules.
const usual = "Set the API token in the config file, then run the tests of the access layer again.\n"

func BenchmarkText(b *testing.B) {
	turn := strings.Repeat(usual, 8)
	b.SetBytes(int64(len(turn)))
	for b.Loop() {
		Text(turn)
	}
}

// dense are pieces that start a search wherever they stand.
var dense = []string{"password ", "password is ", "password: ", "password | ", "the password to ", "--password=", "api_key=", "token is ", "sk-ant-api03-", "4111 ", "login ", "pin is "}

// A hook has 0.22 s for a prompt, of which 128 KB are read. Each is told beside usual
// text of the same size in the same run, as a ratio.
func BenchmarkDenseText(b *testing.B) {
	const size = 128 << 10
	took := func(text string) time.Duration {
		start := time.Now()
		Text(text)
		return time.Since(start)
	}
	for _, piece := range dense {
		b.Run(fmt.Sprintf("%q", piece), func(b *testing.B) {
			text, plain := strings.Repeat(piece, size/len(piece)), strings.Repeat(usual, size/len(usual))
			var full, beside time.Duration
			for b.Loop() {
				full += took(text)
				beside += took(plain)
			}
			b.ReportMetric(float64(full)/float64(beside), "x-usual")
		})
	}
}

// As many secrets of a session as are kept, each of another length.
func BenchmarkRepeated(b *testing.B) {
	var known Told
	for n := range mostTold {
		known.Text("password: Tournesol#" + strings.Repeat("7", n+1))
	}
	text := strings.Repeat(usual, (128<<10)/len(usual))
	for b.Loop() {
		known.Text(text)
	}
}
