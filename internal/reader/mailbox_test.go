package reader

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAMailboxIsCutWhereMessagesBegin(t *testing.T) {
	const moment = "From a@x Mon Jan 01 10:00:00 2024\n"
	for name, test := range map[string]struct {
		box  string
		want []string
	}{
		"messages":                            {moment + "S: 1\n\na\n\n" + moment + "S: 2\n\nb\n", []string{"S: 1\n\na\n\n", "S: 2\n\nb\n"}},
		"a sentence after a blank line":       {moment + "S: 1\n\nFrom here we went\n", []string{"S: 1\n\nFrom here we went\n"}},
		"messages that say no moment":         {"From a\nS: 1\n\nFrom b\nS: 2\n", []string{"S: 1\n\n", "S: 2\n"}},
		"a moment in the middle of a text":    {moment + "S: 1\n\na\n" + moment, []string{"S: 1\n\na\n" + moment}},
		"quoted lines":                        {moment + "S: 1\n\n>From a\n>>From b\n> From c\n", []string{"S: 1\n\nFrom a\n>From b\n> From c\n"}},
		"blank lines before the first":        {"\r\n\n" + moment + "S: 1\n", []string{"S: 1\n"}},
		"a line longer than what is buffered": {moment + strings.Repeat("a", 600<<10) + "\n\n" + moment + "b", []string{strings.Repeat("a", 600<<10) + "\n\n", "b"}},
	} {
		box := NewMailbox(strings.NewReader(test.box), 0)
		var got []string
		message, err := box.Next()
		for ; err == nil; message, err = box.Next() {
			got = append(got, string(message))
		}
		if diff := cmp.Diff(test.want, got); diff != "" || !errors.Is(err, io.EOF) || box.Offset() != int64(len(test.box)) {
			t.Errorf("%s: ends at %d with %v, messages differ (-want +got):\n%s", name, box.Offset(), err, diff)
		}
	}
	if _, err := NewMailbox(strings.NewReader("Subject: x\n"), 0).Next(); !errors.Is(err, errNoMailbox) {
		t.Errorf("error %v for a file that is no mailbox", err)
	}
}
