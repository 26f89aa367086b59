package extract

import (
	"strings"
	"testing"
)

// hostile are turns that a careless reader takes quadratic time for, cut to length.
var hostile = map[string]string{
	"a long talk":                     "We met Anna today. I prefer tea over coffee, and my name is Clara. Always run the tests! Why? ",
	"one word without end":            "a",
	"one sentence without end":        "we decided and I prefer maybe, ",
	"openings of patterns":            "I really really prefer ",
	"quotes that never end":           "\"we \"prefer 'this ",
	"quotes of three kinds":           "„a «b \" 'c ",
	"backticks":                       "` a ",
	"greetings without a closing":     "Dear all,\nwe prefer tea\n",
	"fences that never end":           "```\n~~~\n",
	"commands":                        "$ ls\n",
	"points":                          "Dr. 1. a. ",
	"colons":                          "Remember: note: decision: ",
	"no after no":                     "no, no. not, wrong, ",
	"orders with nothing behind them": "when you do not ",
	"dates":                           "I will go in three days on 3 May by Friday, ",
	"invalid bytes":                   "\xff\xfe we decided \xe2\x80 ",
	"blank lines and small letters":   "we\n\nprefer\n    x\n",
	"dashes and apostrophes":          "-'’we-'s’",
}

func BenchmarkAMegabyte(b *testing.B) {
	for name, piece := range hostile {
		for _, size := range []int{1 << 18, 1 << 20} {
			text := strings.Repeat(piece, size/len(piece)+1)[:size]
			b.Run(name+"/"+map[int]string{1 << 18: "quarter", 1 << 20: "whole"}[size], func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					From(Turn{Speaker: User, Text: text, At: wednesday}, []Turn{{Speaker: Assistant, Text: text}})
				}
			})
		}
	}
}
