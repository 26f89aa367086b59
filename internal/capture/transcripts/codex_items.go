package transcripts

import (
	"bytes"
	"context"
	"io"
	"strings"
	"time"
)

// codexForms says in which of its two forms a message of a rollout counts. Events tell
// what was said, and items of the model repeat it, together with instructions and
// summaries. Some rollouts, or the first part of one, have no events: there the items
// count, up to the first event of the same speaker.
type codexForms struct {
	event     map[string]int64 // where the first event of a speaker begins
	repeats   map[string]bool  // whether that event says what the last item before it said
	summaries []string         // of compactions
}

// sameItem is how far apart the two forms of one message are written.
const sameItem = 10 * time.Second

// scanCodexMessageForms looks through a rollout until an event of both speakers is found.
func scanCodexMessageForms(ctx context.Context, r io.Reader) (*codexForms, error) {
	forms := &codexForms{event: map[string]int64{}, repeats: map[string]bool{}}
	last := map[string]Turn{}
	look := &transcriptReader{}
	_, err := eachLine(ctx, r, 0, &Report{}, func(line []byte, start, _ int64) error {
		if !bytes.Contains(line, []byte("essage")) { // of an item, an event, or a compaction
			return nil
		}
		var l codexLine
		var p codexPayload
		if !decodeTolerantly(line, &l) || !decodeTolerantly(l.Payload, &p) {
			return nil
		}
		t := Turn{At: parseTime(l.Timestamp)}
		switch l.Type {
		case "compacted":
			forms.summaries = append(forms.summaries, oneLine(p.Message))
		case "response_item":
			if p.readMessage(&t) {
				last[t.Speaker] = t
			}
		case "event_msg":
			if !look.readCodexEvent(&p, &t) {
				return nil
			}
			if _, known := forms.event[t.Speaker]; known {
				return nil
			}
			before := last[t.Speaker]
			forms.event[t.Speaker] = start
			forms.repeats[t.Speaker] = t.At.Sub(before.At).Abs() <= sameItem && isSameMessage(before.Text, t.Text)
			if len(forms.event) == 2 {
				return io.EOF
			}
		}
		return nil
	})
	if err == io.EOF { //nolint:errorlint // it is ours
		err = nil
	}
	return forms, err
}

// isSameMessage reports whether two forms say the same: an item may hold more than its event.
func isSameMessage(item, event string) bool {
	item, event = oneLine(item), oneLine(event)
	return item != "" && event != "" && (strings.Contains(item, event) || strings.Contains(event, item))
}

// isMessageCounted reports whether a message counts that stands at a place of the file.
func (f *codexForms) isMessageCounted(kind string, t Turn, start int64) bool {
	first, events := f.event[t.Speaker]
	if kind == "event_msg" {
		return !events || start != first || !f.repeats[t.Speaker]
	}
	if events && start > first {
		return false
	}
	text := oneLine(t.Text)
	for _, summary := range f.summaries {
		if t.Speaker == Assistant && strings.HasSuffix(summary, text) && len(text) >= minSummary {
			return false
		}
	}
	return true
}

// minSummary is the least length of a summary of a session.
const minSummary = 40

// readMessage puts what an item of the model says into t, and reports whether that is something
// that the user or the assistant said.
func (p *codexPayload) readMessage(t *Turn) bool {
	if p.Type != "message" || p.Role != User && p.Role != Assistant {
		return false
	}
	t.Speaker = p.Role
	rd := &transcriptReader{} // an item that says nothing is counted once
	var parts []string
	for _, part := range textParts(p.Content) { // a client puts its own parts before the user's
		if said := rd.cleanText(part); said != "" {
			parts = append(parts, said)
		}
	}
	return rd.setCleanText(t, strings.Join(parts, "\n"))
}
