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

	"toolkit/embed"
	"toolkit/internal/capture/redact"
	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/sessions"
)

const (
	// maxMessageGap is how far apart the clocks of a hook and of a file may be about
	// one message: a client waits for other hooks, queues what is typed meanwhile, and
	// may run in a machine of its own.
	maxMessageGap = 24 * time.Hour
	// maxRepeatGap is how far apart a hook that is set up twice fires for one message.
	maxRepeatGap = 10 * time.Second
)

// HookTurn is one turn that a hook heard.
type HookTurn struct {
	Client  transcripts.Client
	Session string // the client's own id of it
	Folder  string
	Speaker string // User or Assistant of package transcripts
	Text    string
	At      time.Time
	Aside   *SpoolState // of a turn that RedactForSpool made; else nil
	// StoreAfter is closed when the turn may be stored, for which all is prepared meanwhile; nil: at once.
	StoreAfter <-chan struct{} `json:"-"`
}

// maxEmbeddedByHooks bounds the turns, in bytes, that get their vector with them. What is
// longer gets it in the background.
const maxEmbeddedByHooks = 300

// StoreHookTurn takes in a turn that a hook heard, as File would, unless it is known: the
// same hook fired twice, or the file was read before. A file that is read later
// does not bring it again, but gives it its message and what was done before it.
func (c *Capture) StoreHookTurn(ctx context.Context, h HookTurn) error {
	r := c.newRun("", h.Client)
	r.lastTime, r.changed, r.spoolState = c.Store.Now(), c.Store.Now(), h.Aside
	var t turn
	var taken bool
	err := abandonWorkOnCancel(ctx, func() (err error) {
		if said, spoken := r.convertHookTurn(h); spoken {
			t, taken, err = r.prepareTurn(ctx, said)
		}
		return err
	})
	if err != nil || !taken {
		return err
	}
	if h.StoreAfter != nil { // the write itself looks at ctx
		select {
		case <-h.StoreAfter:
		case <-ctx.Done():
		}
	}
	if len(t.Text) <= maxEmbeddedByHooks { // the hook has just understood it
		if vector, err := embed.BuiltIn().Query(ctx, t.Text); err == nil && vector != nil {
			c.Search.PrepareKnownVector(t.Text, vector)
		}
	}
	return c.Store.Write(ctx, func(tx *store.Tx) error {
		if err := r.storeHookTurn(tx, t); err != nil {
			return err
		}
		return r.savePlacesAndSecrets(tx)
	})
}

// abandonWorkOnCancel does work that takes long with some texts and looks at no context. When ctx
// ends it is left behind, and nothing of it may be used.
func abandonWorkOnCancel(ctx context.Context, work func() error) error {
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

// convertHookTurn makes a turn of what was heard; false when nobody said anything, or when no
// hook wrote what waits beside the database.
func (r *run) convertHookTurn(h HookTurn) (t transcripts.Turn, hasText bool) {
	t = transcripts.Turn{Client: h.Client, Session: h.Session, Speaker: h.Speaker, Text: h.Text, Folder: h.Folder, At: h.At}
	if h.Aside == nil {
		t.Text = transcripts.CleanPrompt(h.Text)
	}
	known := h.Session != "" && slices.Contains(transcripts.Clients, h.Client) && (h.Speaker == transcripts.User || h.Speaker == transcripts.Assistant)
	return t, known && (t.Text != "" || h.Aside != nil)
}

// SpoolState is what has to be known of a turn that waits to be stored, and in which there
// are no secrets any more: whether something private was open before it is not known
// before it is stored.
type SpoolState struct {
	Hidden string // its text, if something was
	Secret []byte // by what the secrets of it are known again
	Leaves bool   // something private is open after it, if nothing was
	Keeps  bool   // likewise, if something was
	Told   []byte // by what its secrets are known again, if nothing was
}

// RedactForSpool makes a turn that a hook heard ready to wait; it is not taken when the
// user turned capture off for it. It needs no store.
func (c *Capture) RedactForSpool(ctx context.Context, h HookTurn) (prepared HookTurn, taken bool, err error) {
	err = abandonWorkOnCancel(ctx, func() error {
		prepared, taken = c.redactForSpool(h)
		return nil
	})
	if err != nil {
		return h, false, err
	}
	return prepared, taken, nil
}

func (c *Capture) redactForSpool(h HookTurn) (prepared HookTurn, taken bool) {
	r := c.newRun("", h.Client)
	t, spoken := r.convertHookTurn(h)
	if !spoken || c.Off != nil && c.Off(h.Client, c.findProjectOfFolder(h.Folder)) {
		return h, false
	}
	open, closed := t, t
	if !strings.Contains(strings.ToLower(t.Text), "private") { // nothing closes it
		open.Text = "…"
	}
	before, after := sessions.Place{Private: true}, sessions.Place{}
	markOpenPrivateText(&open, &before)
	markOpenPrivateText(&closed, &after)
	h.Aside = &SpoolState{Leaves: after.Private, Keeps: before.Private}
	r.secrets = &redact.Secrets{}
	h.Aside.Hidden, _ = r.redactAndShorten(open.Text)
	h.Aside.Secret = r.secrets.Encode()
	r.secrets = &redact.Secrets{}
	h.Text, _ = r.redactAndShorten(closed.Text)
	h.Aside.Told = r.secrets.Encode()
	return h, true
}

// restoreTurnFromSpool does for a turn that waited what prepareTurn does for others.
// Whoever wrote the file, what is in it is cleaned once more.
func (r *run) restoreTurnFromSpool(a *SpoolState, t *transcripts.Turn, p *sessions.Place) (locallyRedacted string) {
	open, left, secrets := p.Private, a.Leaves, a.Told
	if open {
		t.Text, left, secrets = a.Hidden, a.Keeps, a.Secret
	}
	r.secrets.Merge(secrets)
	if t.Speaker == transcripts.User {
		p.Private = left
	}
	t.Text, locallyRedacted = r.redactFullyAndLocally(strings.ToValidUTF8(t.Text[:min(len(t.Text), maxReadLength)], ""))
	return locallyRedacted
}

// storeHookTurn stores a turn of a hook, unless it is known.
func (r *run) storeHookTurn(tx *store.Tx, t turn) error {
	if over, err := isSessionForgotten(tx, t); err != nil || over {
		return err
	}
	rows, session := sessions.In(tx), DialogueSessionID(t.Client, t.Session)
	again, err := rows.FindHookTurns(t.fingerprint(), t.At, maxRepeatGap)
	if err != nil {
		return err
	}
	for _, h := range again { // unless somebody spoke in between: "yes", "and that?", "yes"
		first, second := h.At, t.At
		if second.Before(first) {
			first, second = second, first
		}
		if answered, err := rows.HasOtherSpeakers(session, t.Speaker, first, second); err != nil || !answered {
			return err
		}
	}
	note := sessions.HookTurn{Session: session, Hash: t.fingerprint(), At: t.At}
	read, err := rows.FindFileTurns(session, t.Speaker, t.At, maxMessageGap)
	if err != nil {
		return err
	}
	if note.Dialogue = cmp.Or(findDialogueRow(read, normalizeText(t.Text)), findDialogueRow(read, normalizeText(t.locallyRedacted))); note.Dialogue != 0 {
		note.InFile = true
	} else {
		if note.Dialogue, err = r.writeDialogueRow(tx, t, 0); err != nil {
			return err
		}
		if err := r.reconcileInsights(tx, t, note.Dialogue); err != nil {
			return err
		}
	}
	return rows.InsertHookTurn(note)
}

// findDialogueRow finds the row that says a text, or the first of those that follow each
// other and say it together; 0 when there is none.
func findDialogueRow(turns []sessions.FileTurn, text string) int64 {
	for _, u := range turns {
		if normalizeText(u.Content) == text {
			return u.ID
		}
	}
	slices.SortFunc(turns, func(a, b sessions.FileTurn) int { return cmp.Compare(a.ID, b.ID) })
	for first := range turns {
		rest, begun := text, true
		for _, u := range turns[first:] {
			if rest, begun = transcripts.CutLeadingParts(rest, normalizeText(u.Content), "\n"); !begun {
				break
			}
			if rest == "" {
				return turns[first].ID
			}
		}
	}
	return 0
}

// normalizeText returns a text in the form in which two are compared: without what clients do
// to line ends, white space and composed letters.
func normalizeText(text string) string {
	var lines []string
	for line := range strings.Lines(strings.ReplaceAll(norm.NFC.String(text), "\r", "\n")) {
		if words := strings.Fields(line); len(words) > 0 {
			lines = append(lines, strings.Join(words, " "))
		}
	}
	return strings.Join(lines, "\n")
}

// fingerprint stands for what a turn says wherever it is heard in its session.
func (t *turn) fingerprint() []byte {
	sum := sha256.Sum256([]byte(DialogueSessionID(t.Client, t.Session) + "\x00" + t.Speaker + "\x00" + normalizeText(t.locallyRedacted)))
	return sum[:16]
}

// matchAndCompleteHookTurn finds the turn that a hook heard for a message of a file, and gives it
// what the file says of it besides.
func (r *run) matchAndCompleteHookTurn(tx *store.Tx, t turn) (claimed bool, err error) {
	heard, err := sessions.In(tx).FindHookTurns(t.fingerprint(), t.At, maxMessageGap)
	if err != nil {
		return false, err
	}
	for _, h := range heard {
		if !h.InFile {
			return true, r.completeHookTurn(tx, t, h)
		}
	}
	if t.Speaker != transcripts.Assistant {
		return false, nil
	}
	parts, err := sessions.In(tx).FindPartialHookTurns(DialogueSessionID(t.Client, t.Session), t.Speaker, t.At, maxMessageGap)
	for _, h := range parts { // a hook hears as one what an assistant says in several messages
		whole := normalizeText(h.Content)
		rest, ok := transcripts.CutLeadingParts(whole[min(h.ClaimedBytes, len(whole)):], normalizeText(t.Text), "\n")
		if !ok { // it was heard before it was known what is secret
			rest, ok = transcripts.CutLeadingParts(whole[min(h.ClaimedBytes, len(whole)):], normalizeText(t.locallyRedacted), "\n")
		}
		if !ok {
			continue
		}
		if h.ClaimedBytes > 0 { // what was done before the others stays
			var before facts
			if err := json.Unmarshal(h.Metadata, &before); err != nil {
				return false, err
			}
			t.ID, t.Parent = before.Message, before.Parent
			t.Files, t.Commands = append(before.Files, t.Files...), append(before.Commands, t.Commands...)
		}
		if h.ClaimedBytes = len(whole) - len(rest); rest == "" {
			h.ClaimedBytes = 0
		}
		return true, r.completeHookTurn(tx, t, h.HookTurn)
	}
	return false, err
}

// completeHookTurn gives a turn that was heard what its message says of it besides.
func (r *run) completeHookTurn(tx *store.Tx, t turn, h sessions.HookTurn) error {
	if r.DryRun {
		return nil
	}
	metadata, err := t.encodeMetadata()
	if err != nil {
		return err
	}
	if err := sessions.In(tx).ClaimHookTurn(h, t.At, metadata); err != nil {
		return err
	}
	if err := r.linkMessageToRow(tx, t, h.Dialogue); err != nil {
		return err
	}
	if err := r.saveSessionAndProject(tx, t, h.Dialogue); err != nil || h.Dialogue == 0 {
		return err
	}
	if h.ClaimedBytes == 0 { // else the rest is found by what it says
		if err := r.redactStoredRow(tx, t, h.Dialogue); err != nil {
			return err
		}
	}
	return r.reconcileInsights(tx, t, h.Dialogue)
}
