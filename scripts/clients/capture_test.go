package clients

import (
	"bufio"
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
)

// said is a turn of stored dialogue.
type said struct {
	Session string `json:"session_id"`
	Speaker string `json:"speaker"`
	Content string `json:"content"`
	At      int64  `json:"occurred_at"`
}

// dialogue is what is stored of all sessions, in the order in which it was said.
func (h *home) dialogue() []said {
	all := rows[said](h, "l0_raw")
	slices.SortStableFunc(all, func(a, b said) int { return cmp.Compare(a.At, b.At) })
	return all
}

// rows are all of a table.
func rows[T any](h *home, table string) (all []T) {
	h.t.Helper()
	lines := bufio.NewScanner(strings.NewReader(h.toolkit("export", "-")))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Table string
			Row   json.RawMessage
		}
		must(h.t, json.Unmarshal(lines.Bytes(), &line))
		if line.Table == table {
			var row T
			must(h.t, json.Unmarshal(line.Row, &row))
			all = append(all, row)
		}
	}
	must(h.t, lines.Err())
	return all
}

// check compares what is stored of a session with what was said in it, as
// speaker and text in turn.
func (h *home) check(stored []said, want ...string) {
	h.t.Helper()
	var got []string
	for _, s := range stored {
		got = append(got, s.Speaker, s.Content)
	}
	if !slices.Equal(got, want) {
		h.t.Errorf("stored:\n  %s\nsaid:\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// checkTranscript reads the transcript of a session with one prompt and one answer
// into a database that no hook has written to.
func (h *home) checkTranscript() {
	h.t.Helper()
	var read struct {
		Turns   int            `json:"turns"`
		Bad     int            `json:"bad"`
		Skipped map[string]int `json:"skipped"`
	}
	must(h.t, json.Unmarshal([]byte(h.toolkit("capture", "--all", "--json", "--db", filepath.Join(h.folder, "other.db"))), &read))
	if read.Turns != 2 || read.Bad > 0 {
		h.t.Errorf("the transcript alone gave %+v", read)
	}
	for kind := range read.Skipped {
		if strings.Contains(kind, "unknown") {
			h.t.Errorf("the transcript holds %s", kind)
		}
	}
}
