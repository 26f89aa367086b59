package recall

import (
	"strings"
	"testing"
	"time"

	"toolkit/internal/search"
	"toolkit/tools"
)

func TestLongNoteIsShortenedAndShownOnce(t *testing.T) {
	long := strings.Repeat("The harbour office closes at four on weekdays. ", 12)
	at := &noteWriter{outdated: &outdatedFinder{replacements: map[string]search.Later{}}, q: tools.NewQuestion("when does the harbour office close?", "", nil, time.Now())}
	at.q.Scorer = search.NewScorer(at.q.Query, search.Statistics{})
	for _, room := range []int{90, 200, 230} {
		lines := at.fitLines(at.formatNoteLines(t.Context(), note{Statement: search.Statement{ID: 1, Text: long, At: time.Now()}}, nil), room)
		if len(lines) != 1 || len(lines[0].text) > room || strings.Count(lines[0].text, time.Now().Local().Format(time.DateOnly)) != 1 {
			t.Errorf("in %d: %+v", room, lines)
		}
	}
	if lines := at.fitLines(at.formatNoteLines(t.Context(), note{Statement: search.Statement{ID: 1, Text: long, At: time.Now()}}, nil), 40); lines != nil {
		t.Errorf("in 40: %+v", lines)
	}
}

func TestPastedTextIsToldFromWhatAPersonSays(t *testing.T) {
	log := strings.Repeat("2026-11-23 10:04:11 INFO server: GET /api/orders 200 in 14 ms\n", 12)
	for name, test := range map[string]struct {
		text string
		want bool
	}{
		"a log":                      {log, true},
		"a log behind a sentence":    {"why is it slow?\n\n" + log, true},
		"a stack trace":              {strings.Repeat("at com.shop.Cart.add(Cart.java:41)\n", 12), true},
		"long prose":                 {strings.Repeat("We moved the orders to the second warehouse, and Ines keeps the list. ", 8), false},
		"a short line of a log":      {"INFO server: started", false},
		"prose with a line of a log": {strings.Repeat("We moved the orders to the second warehouse, and Ines keeps the list. ", 8) + "\nINFO server: started", false},
	} {
		if got := isMostlyPasted(test.text); got != test.want {
			t.Errorf("%s: pasted is %v", name, got)
		}
	}
}

func TestSoManyLinesAreToldThatHoldAndWhatTheyReplaced(t *testing.T) {
	list := []line{{text: "a"}, {text: "b", earlier: true}, {text: "c"}, {text: "d", earlier: true}, {text: "e"}}
	for most, want := range []int{0, 2, 4, 5} {
		if got := limitCurrentLines(list, most); len(got) != want {
			t.Errorf("of %d: %d lines, want %d", most, len(got), want)
		}
	}
}
