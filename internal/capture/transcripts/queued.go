package transcripts

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// promptQueue is what was typed while Claude Code worked and stands in no message yet.
// It may get one, of its own or together with what was typed next, as a user's message
// or as an attachment; or it may never get any. So it is handed on at the latest at the
// end of the file, under an id that its message names too, and a file is read again from
// there as long as a message may come.
type promptQueue struct {
	waiting []*queuedPrompt
	places  map[string]Turn // the last folder and branch of each session
	calls   openCalls       // that the user may answer instead of typing a prompt
}

type queuedPrompt struct {
	Turn
	start   int64
	taken   bool // by the client: its message comes next, or never
	emitted bool
}

// claudeAttachment is what Claude Code adds to a session beside its messages.
type claudeAttachment struct {
	Type   string          `json:"type"`
	Prompt json.RawMessage `json:"prompt"` // of a queued command: a string or blocks
	Mode   string          `json:"commandMode"`
	Origin claudeOrigin    `json:"origin"`
}

// claudeOrigin says who wrote a message of type user.
type claudeOrigin struct {
	Kind string `json:"kind"`
}

// isNotFromUser reports whether it was not the user.
func (o claudeOrigin) isNotFromUser() bool {
	return slices.Contains([]string{"peer", "coordinator", "teammate", "task-notification", "auto-continuation"}, o.Kind)
}

// rememberSessionFolder keeps the folder of a session for its queue, whose lines name none.
func (q *promptQueue) rememberSessionFolder(l *claudeLine) {
	if l.Folder != "" && !l.SideChain {
		q.rememberSessionPlace(l.Session, Turn{Folder: l.Folder, Branch: l.Branch})
	}
}

func (q *promptQueue) rememberSessionPlace(session string, place Turn) {
	if q.places == nil {
		q.places = map[string]Turn{}
	}
	q.places[session] = place
}

// findFolderAndBranch returns where a session was last before an offset of its file, else where it
// began.
func findFolderAndBranch(ctx context.Context, file io.ReaderAt, from int64, session string) (place Turn) {
	for _, part := range [][2]int64{{0, min(from, maxCodexHeadBytes)}, {max(from-maxCodexHeadBytes, 0), from}} {
		look := func(line []byte, _, _ int64) error {
			var l claudeLine
			if bytes.Contains(line, []byte(`"cwd"`)) && decodeTolerantly(line, &l) && l.Session == session && l.Folder != "" && !l.SideChain {
				place = Turn{Folder: l.Folder, Branch: l.Branch}
			}
			return nil
		}
		if _, err := eachLine(ctx, io.NewSectionReader(file, part[0], part[1]-part[0]), part[0], &Report{}, look); err != nil {
			return place
		}
	}
	return place
}

// applyQueueOperation does what a line of the queue says.
func (rd *transcriptReader) applyQueueOperation(q *promptQueue, l *claudeLine, start int64) {
	switch l.Operation {
	case "enqueue":
		t := l.toTurn()
		t.Speaker = User
		if !rd.setCleanText(&t, joinTexts(l.Content)) || t.Summary {
			return
		}
		if t.Folder == "" {
			t.Folder, t.Branch = q.places[l.Session].Folder, q.places[l.Session].Branch
		}
		t.ID = t.contentID()
		q.waiting = append(q.waiting, &queuedPrompt{Turn: t, start: start})
	case "popAll": // the user took them back to change them
		q.waiting = slices.DeleteFunc(q.waiting, func(p *queuedPrompt) bool { return p.Session == l.Session && !p.taken && !p.emitted })
	case "dequeue", "remove":
		rd.countSkipped("lines of type " + l.Type)
		text := oneLine(stripInjected(joinTexts(l.Content)))
		for _, p := range q.waiting {
			if p.Session == l.Session && !p.taken && (text == "" || oneLine(p.Text) == text) {
				p.taken = true
				return
			}
		}
	default:
		rd.countSkipped("lines of type " + l.Type)
	}
}

// takeMatchingPrompts takes out of the queue what a message of the user says, one after the other,
// and names it in the message. It reports whether that was handed on before.
func (q *promptQueue) takeMatchingPrompts(t *Turn) (emitted bool) {
	text := oneLine(t.Text)
	for i := range q.waiting {
		rest, n, found := text, i, false
		for ; n < len(q.waiting) && rest != ""; n++ {
			p := q.waiting[n]
			if p.Session != t.Session {
				continue
			}
			if rest, found = CutLeadingParts(rest, oneLine(p.Text), " "); !found {
				break
			}
		}
		if rest != "" || !found {
			continue
		}
		var others []*queuedPrompt
		for _, p := range q.waiting[i:n] {
			if p.Session != t.Session {
				others = append(others, p)
				continue
			}
			t.Queued = append(t.Queued, p.ID)
			emitted = emitted || p.emitted
		}
		q.waiting = slices.Concat(q.waiting[:i], others, q.waiting[n:])
		return emitted
	}
	return false
}

// CutLeadingParts takes parts from the beginning of a text, words or lines, which end in a separator.
func CutLeadingParts(text, parts, separator string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, parts)
	if ok = ok && parts != "" && (rest == "" || strings.HasPrefix(rest, separator)); !ok {
		return text, false
	}
	return strings.TrimPrefix(rest, separator), true
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// emitWaitingPrompts hands on what waits of a session and was taken, or all that waits for "".
func (q *promptQueue) emitWaitingPrompts(rd *transcriptReader, session string, offset func() int64) error {
	for _, p := range q.waiting {
		if p.emitted || session != "" && (p.Session != session || !p.taken) {
			continue
		}
		p.emitted = session != "" // at the end of the file a message may still come
		p.End = offset()
		if err := rd.emitTurn(p.Turn); err != nil {
			return err
		}
	}
	return nil
}

// resumeOffset is where to read on for the sake of the queue, when everything up to end was
// seen and the rest of the file is read on from an offset.
func (q *promptQueue) resumeOffset(offset, end int64) int64 {
	for _, p := range q.waiting {
		if !p.emitted && end-p.start <= maxPendingBytes {
			offset = min(offset, p.start)
		}
	}
	return q.calls.resumeOffset(offset, end)
}
