package capture

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/tools/memory/redact"
	"toolkit/tools/memory/transcripts"
)

const (
	// sameMessage is how far apart the clocks of a hook and of a file may be about
	// one message: a client waits for other hooks, queues what is typed meanwhile, and
	// may run in a machine of its own.
	sameMessage = 24 * time.Hour
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
	Aside   *Aside // of a turn that LayAside made; else nil
}

// Heard takes in a turn that a hook heard, as File would, unless it is known: the
// same hook fired twice, or the file was read before. A file that is read later
// does not bring it again, but gives it its message and what was done before it.
func (c *Capture) Heard(ctx context.Context, h Heard) error {
	r := c.newRun("", h.Client)
	r.lastTime, r.changed, r.aside = c.Store.Now(), c.Store.Now(), h.Aside
	var t turn
	var taken bool
	err := inTime(ctx, func() (err error) {
		if said, spoken := r.said(h); spoken {
			t, taken, err = r.ready(ctx, said)
		}
		return err
	})
	if err != nil || !taken {
		return err
	}
	return c.Store.Write(ctx, func(tx *store.Tx) error {
		if err := r.hear(tx, t); err != nil {
			return err
		}
		return r.putPlaces(tx)
	})
}

// inTime does work that takes long with some texts and looks at no context. When ctx
// ends it is left behind, and nothing of it may be used.
func inTime(ctx context.Context, work func() error) error {
	type end struct {
		err   error
		fault any
	}
	ends := make(chan end, 1)
	go func() {
		var e end
		defer func() {
			e.fault = recover()
			ends <- e
		}()
		e.err = work()
	}()
	select {
	case e := <-ends:
		if e.fault != nil {
			panic(e.fault)
		}
		return e.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// said makes a turn of what was heard; false when nobody said anything, or when no
// hook wrote what waits beside the database.
func (r *run) said(h Heard) (t transcripts.Turn, spoken bool) {
	t = transcripts.Turn{Client: h.Client, Session: h.Session, Speaker: h.Speaker, Text: h.Text, Folder: h.Folder, At: h.At}
	if h.Aside == nil {
		t.Text = transcripts.Prompt(h.Text)
	}
	known := h.Session != "" && slices.Contains(transcripts.Clients, h.Client) && (h.Speaker == transcripts.User || h.Speaker == transcripts.Assistant)
	return t, known && (t.Text != "" || h.Aside != nil)
}

// Aside is what has to be known of a turn that waits to be stored, and in which there
// are no secrets any more: whether something private was open before it is not known
// before it is stored.
type Aside struct {
	Hidden string // its text, if something was
	Secret []byte // by what the secrets of it are known again
	Leaves bool   // something private is open after it, if nothing was
	Keeps  bool   // likewise, if something was
	Told   []byte // by what its secrets are known again, if nothing was
}

// LayAside makes a turn that a hook heard ready to wait; it is not taken when the
// user turned capture off for it. It needs no store.
func (c *Capture) LayAside(ctx context.Context, h Heard) (aside Heard, taken bool, err error) {
	err = inTime(ctx, func() error {
		aside, taken = c.aside(h)
		return nil
	})
	if err != nil {
		return h, false, err
	}
	return aside, taken, nil
}

func (c *Capture) aside(h Heard) (aside Heard, taken bool) {
	r := c.newRun("", h.Client)
	t, spoken := r.said(h)
	if !spoken || c.Off != nil && c.Off(h.Client, c.projectOf(h.Folder)) {
		return h, false
	}
	open, closed := t, t
	if !strings.Contains(strings.ToLower(t.Text), "private") { // nothing closes it
		open.Text = "…"
	}
	before, after := captures.Place{Private: true}, captures.Place{}
	hide(&open, &before)
	hide(&closed, &after)
	h.Aside = &Aside{Leaves: after.Private, Keeps: before.Private}
	r.secrets = &redact.Told{}
	h.Aside.Hidden, _ = r.kept(open.Text)
	h.Aside.Secret = r.secrets.Bytes()
	r.secrets = &redact.Told{}
	h.Text, _ = r.kept(closed.Text)
	h.Aside.Told = r.secrets.Bytes()
	return h, true
}

// apply does for a turn that waited what hide does for others.
// Whoever wrote the file, what is in it is cleaned once more.
func (r *run) apply(a *Aside, t *transcripts.Turn, p *captures.Place) (bare string) {
	open, left, told := p.Private, a.Leaves, a.Told
	if open {
		t.Text, left, told = a.Hidden, a.Keeps, a.Secret
	}
	r.secrets.Join(told)
	if t.Speaker == transcripts.User {
		p.Private = left
	}
	t.Text, bare = r.cleanOf(strings.ToValidUTF8(t.Text[:min(len(t.Text), mostRead)], ""))
	return bare
}

// hear stores a turn of a hook, unless it is known.
func (r *run) hear(tx *store.Tx, t turn) error {
	if over, err := ended(tx, t); err != nil || over {
		return err
	}
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
	note := captures.HeardTurn{Session: session, Said: t.said(), At: t.At}
	read, err := rows.UnheardNear(session, t.Speaker, t.At, sameMessage)
	if err != nil {
		return err
	}
	if note.Dialogue = cmp.Or(holding(read, plain(t.Text)), holding(read, plain(t.bare))); note.Dialogue != 0 {
		note.InFile = true
	} else {
		if note.Dialogue, err = r.write(tx, t, 0); err != nil {
			return err
		}
		if err := r.putInsights(tx, t, note.Dialogue); err != nil {
			return err
		}
	}
	return rows.NoteHeard(note)
}

// holding finds the row that says a text, or the first of those that follow each
// other and say it together; 0 when there is none.
func holding(read []captures.Unheard, text string) int64 {
	for _, u := range read {
		if plain(u.Content) == text {
			return u.ID
		}
	}
	slices.SortFunc(read, func(a, b captures.Unheard) int { return cmp.Compare(a.ID, b.ID) })
	for first := range read {
		rest, begun := text, true
		for _, u := range read[first:] {
			if rest, begun = partOf(rest, plain(u.Content)); !begun {
				break
			}
			if rest == "" {
				return read[first].ID
			}
		}
	}
	return 0
}

// partOf takes lines from the beginning of a text.
func partOf(text, lines string) (rest string, ok bool) {
	rest, ok = strings.CutPrefix(text, lines)
	if ok = ok && lines != "" && (rest == "" || rest[0] == '\n'); !ok {
		return text, false
	}
	return strings.TrimPrefix(rest, "\n"), true
}

// plain is a text in the form in which two are compared: without what clients do
// to line ends, white space and composed letters.
func plain(text string) string {
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(norm.NFC.String(text), "\r", "\n")) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}

// said stands for what a turn says wherever it is heard in its session.
func (t *turn) said() []byte {
	sum := sha256.Sum256([]byte(Session(t.Client, t.Session) + "\x00" + t.Speaker + "\x00" + plain(t.bare)))
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
		if !h.InFile {
			return true, r.give(tx, t, h)
		}
	}
	if t.Speaker != transcripts.Assistant {
		return false, nil
	}
	parts, err := captures.In(tx).HeardParts(Session(t.Client, t.Session), t.Speaker, t.At, sameMessage)
	for _, h := range parts { // a hook hears as one what an assistant says in several messages
		whole := plain(h.Content)
		rest, ok := partOf(whole[min(h.Claimed, len(whole)):], plain(t.Text))
		if !ok { // it was heard before it was known what is secret
			rest, ok = partOf(whole[min(h.Claimed, len(whole)):], plain(t.bare))
		}
		if !ok {
			continue
		}
		if h.Claimed > 0 { // what was done before the others stays
			var before facts
			if err := json.Unmarshal(h.Metadata, &before); err != nil {
				return false, err
			}
			t.ID, t.Parent = before.Message, before.Parent
			t.Files, t.Commands = append(before.Files, t.Files...), append(before.Commands, t.Commands...)
		}
		if h.Claimed = len(whole) - len(rest); rest == "" {
			h.Claimed = 0
		}
		return true, r.give(tx, t, h.HeardTurn)
	}
	return false, err
}

// give gives a turn that was heard what its message says of it besides.
func (r *run) give(tx *store.Tx, t turn, h captures.HeardTurn) error {
	if r.DryRun {
		return nil
	}
	metadata, err := t.metadata()
	if err != nil {
		return err
	}
	if err := captures.In(tx).ClaimHeard(h, t.At, metadata); err != nil {
		return err
	}
	if err := r.note(tx, t, h.Dialogue); err != nil {
		return err
	}
	if err := r.noteSession(tx, t, h.Dialogue); err != nil || h.Dialogue == 0 {
		return err
	}
	if h.Claimed == 0 { // else the rest is found by what it says
		if err := r.cleanRow(tx, t, h.Dialogue); err != nil {
			return err
		}
	}
	return r.putInsights(tx, t, h.Dialogue)
}
