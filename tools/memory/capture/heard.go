package capture

import (
	"context"
	"crypto/sha256"
	"time"

	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/tools/memory/transcripts"
)

const (
	// sameMessage is how far apart the clocks of a hook and of a file may be about
	// one message: a client waits for other hooks, and queues what is typed meanwhile.
	sameMessage = 10 * time.Minute
	// sameHook is how far apart a hook that is set up twice fires for one message.
	sameHook = 10 * time.Second
)

// Heard is one turn that a hook heard.
type Heard struct {
	Client  transcripts.Client
	Session string // the client's own id of it
	Folder  string
	Speaker string // User or Assistant of package transcripts
	Text    string
	At      time.Time
}

// Heard takes in a turn that a hook heard, as File would, unless it is known: the
// same hook fired twice, or the file was read before. A file that is read later
// does not bring it again, but gives it its message and what was done before it.
func (c *Capture) Heard(ctx context.Context, h Heard) error {
	text := transcripts.Prompt(h.Text)
	if text == "" {
		return nil
	}
	r := &run{Capture: c, Result: newResult("", h.Client), lastTime: c.Store.Now()}
	t, taken := r.ready(transcripts.Turn{Client: h.Client, Session: h.Session, Speaker: h.Speaker, Text: text, Folder: h.Folder, At: h.At})
	if !taken {
		return nil
	}
	return c.Store.Write(ctx, func(tx *store.Tx) error { return r.hear(tx, t) })
}

// hear stores a turn of a hook, unless it is known.
func (r *run) hear(tx *store.Tx, t turn) error {
	rows, session := captures.In(tx), Session(t.Client, t.Session)
	again, err := rows.HeardNear(t.said(), t.At, sameHook)
	if err != nil {
		return err
	}
	for _, h := range again { // unless somebody spoke in between: "yes", "and that?", "yes"
		first, second := h.At, t.At
		if second.Before(first) {
			first, second = second, first
		}
		if answered, err := rows.OthersSpoke(session, t.Speaker, first, second); err != nil || !answered {
			return err
		}
	}
	note := captures.HeardTurn{Said: t.said(), At: t.At}
	if note.Dialogue, err = rows.ReadNear(session, t.Speaker, t.Text, t.At, sameMessage); err != nil {
		return err
	}
	if note.InFile = note.Dialogue != 0; !note.InFile {
		if note.Dialogue, err = r.insert(tx, t); err != nil {
			return err
		}
		if err := r.extract(tx, t, note.Dialogue); err != nil {
			return err
		}
	}
	return rows.NoteHeard(note)
}

// said stands for what a turn says wherever it is heard in its session.
func (t *turn) said() []byte {
	sum := sha256.Sum256([]byte(Session(t.Client, t.Session) + "\x00" + t.Speaker + "\x00" + t.Text))
	return sum[:16]
}

// claim finds the turn that a hook heard for a message of a file, and gives it
// what the file says of it besides.
func (r *run) claim(tx *store.Tx, t turn) (claimed bool, err error) {
	heard, err := captures.In(tx).HeardNear(t.said(), t.At, sameMessage)
	if err != nil {
		return false, err
	}
	for _, h := range heard {
		if h.InFile {
			continue
		}
		if r.DryRun {
			return true, nil
		}
		metadata, err := t.metadata()
		if err != nil {
			return false, err
		}
		if err := captures.In(tx).ClaimHeard(h, t.At, metadata); err != nil {
			return false, err
		}
		if err := captures.In(tx).NoteMessage(t.key[:], h.Dialogue); err != nil {
			return false, err
		}
		if err := r.noteSession(tx, t); err != nil || h.Dialogue == 0 {
			return true, err
		}
		return true, r.extract(tx, t, h.Dialogue)
	}
	return false, nil
}
