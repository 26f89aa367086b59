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
	at := &noteWriter{q: tools.NewQuestion("when does the harbour office close?", "", nil, time.Now())}
	at.q.Scorer = search.NewScorer(at.q.Query, search.Statistics{})
	for _, room := range []int{90, 200, 230} {
		lines := at.fit(at.topicLines(t.Context(), note{Statement: search.Statement{ID: 1, Text: long, At: time.Now()}}, nil), room)
		if len(lines) != 1 || len(lines[0].text) > room || strings.Count(lines[0].text, time.Now().Local().Format(time.DateOnly)) != 1 {
			t.Errorf("in %d: %+v", room, lines)
		}
	}
	if lines := at.fit(at.topicLines(t.Context(), note{Statement: search.Statement{ID: 1, Text: long, At: time.Now()}}, nil), 40); lines != nil {
		t.Errorf("in 40: %+v", lines)
	}
}
