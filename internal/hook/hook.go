// Package hook answers the events of assistants that let a program hear and say
// something: Claude Code, Codex and Gemini CLI. What the user and the assistant
// say is taken in as captured dialogue; what earlier sessions know goes into the
// new one: a briefing when it begins, and what fits each prompt.
//
// A hook must never be in a session's way. It answers in the form of the client or
// says nothing, gives up when its time is over, leaves longer work to a process
// behind it, and every run leaves a record: in the database, else in a small log
// beside it. event.go reads what clients send, briefing.go writes what a session
// begins with, behind.go is the process behind, log.go and health.go tell whether
// all this works.
package hook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/tools/memory"
	"toolkit/tools/memory/capture"
	"toolkit/tools/memory/project"
	"toolkit/tools/memory/transcripts"
	"toolkit/tools/recall"
)

const (
	// promptTokens bounds what is shown beside a prompt.
	promptTokens = 400
	// quick bounds a run that the user waits for. It mostly takes a tenth of that; on a
	// machine with much else to do a late note is better than none.
	quick = 900 * time.Millisecond
	// forRecall is how much of that recalling may take; the rest is for capture.
	forRecall = 700 * time.Millisecond
	// unhurried bounds the others; Codex and Claude Code kill a hook of a session's
	// end after about a second.
	unhurried = 800 * time.Millisecond
	// recording is how long the record of a run may wait, and how long what was said
	// may take to be laid aside.
	recording = 80 * time.Millisecond

	// briefed is the fingerprint of a session's briefing.
	briefed = "briefing"
)

// clients have hooks.
var clients = []transcripts.Client{transcripts.ClaudeCode, transcripts.Codex, transcripts.Gemini}

// Options say what happened and what a hook works with.
type Options struct {
	Event      string // as the client or a person names it; empty: as the input does
	Client     string // empty: told by the input
	Transcript string // of Behind: the file to take in; empty: what a sweep finds
	In         io.Reader
	Out        io.Writer
	Database   string // absolute path
	Home       string // the user's
	Getenv     func(string) string
	Now        func() time.Time
	Patience   int // multiplies every limit of time, for slow machines; 0 is 1
	// Embedder makes the vectors of what is taken in; nil: nothing gets one here.
	Embedder embed.Embedder

	// Capture makes what takes sessions in.
	Capture func(db *store.DB, search memory.Searcher) *capture.Capture
	// Heard takes in a turn.
	Heard func(ctx context.Context, c *capture.Capture, h capture.Heard) error
	// Recall finds what fits a prompt.
	Recall func(ctx context.Context, db *store.DB, a recall.Ask) (recall.Injection, error)
	// Detach starts this program with some arguments behind the hook.
	Detach func(args []string) error
}

// run is one run of a hook.
type run struct {
	Options
	began   time.Time
	moment  moment
	client  transcripts.Client
	event   Event
	store   *store.DB
	search  *memory.Search
	capture *capture.Capture

	shown      int      // bytes
	marks      []string // fingerprints of what was shown
	afresh     bool     // the session may be shown everything again
	unrecalled error    // why nothing was recalled
	handed     bool     // what was said was handed over, whatever became of it
}

// Run answers an event. Whatever goes wrong is recorded and told to nobody.
func Run(ctx context.Context, o Options) {
	o.Patience = max(o.Patience, 1)
	r := &run{Options: o, began: o.Now(), moment: momentOf(o.Event)}
	failure := guarded(func() error { return r.answer(ctx) })
	if failure != nil {
		failure = cmp.Or(guarded(func() error { return r.keep(ctx, failure) }), failure)
	}
	r.note(ctx, failure)
	if r.store != nil {
		r.search.Close() //nolint:errcheck // it only waits
		r.store.Close()  //nolint:errcheck // every committed write is already on disk
	}
}

var errBroke = errors.New("it broke down")

// guarded keeps a fault of ours from the client, to which the exit code of a panic
// means that the prompt is to be blocked.
func guarded(work func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errBroke // what it says might quote the session
		}
	}()
	return work()
}

var (
	errEvent  = errors.New("no hook is known for this event")
	errClient = errors.New("no such client has hooks")
)

func (r *run) answer(ctx context.Context) error {
	if r.moment != sweeping {
		reading, cancel := context.WithTimeout(ctx, r.limit())
		defer cancel()
		var err error
		if r.event, err = readEvent(reading, r.In); err != nil {
			return err
		}
	}
	if r.Event == "" {
		r.moment = momentOf(r.event.Name)
	}
	r.client = transcripts.Client(cmp.Or(r.Client, string(r.event.client())))
	switch {
	case r.moment == unknown:
		return errEvent
	case !slices.Contains(clients, r.client):
		return errClient
	}
	ctx, cancel := context.WithTimeout(ctx, r.limit()-r.elapsed())
	defer cancel()
	left := r.leaveWork()
	if r.moment != sweeping && !exists(r.Database) {
		return errors.Join(left, r.spoolFirst(ctx), r.checkAnswer())
	}
	if err := r.open(ctx); err != nil {
		return errors.Join(left, err)
	}
	return errors.Join(left, r.act(ctx))
}

func (r *run) elapsed() time.Duration { return r.Now().Sub(r.began) }

func (r *run) patient(d time.Duration) time.Duration { return d * time.Duration(r.Patience) }

func (r *run) limit() time.Duration {
	switch r.moment {
	case unknown, started, prompted:
		return r.patient(quick)
	case sweeping:
		return behindFor
	}
	return r.patient(unhurried)
}

// beside is the path beside which hooks keep what the database cannot hold.
func beside(database string) string {
	path, err := store.Beside(database, "")
	if err != nil {
		return database // opening it says what is wrong
	}
	return path
}

func exists(path string) bool {
	if store.IsPostgres(path) {
		return true
	}
	_, err := os.Stat(path)
	return err == nil
}

// leaveWork leaves to a process behind what a session wrote down and what was
// missed. Gemini CLI compacts before every call of its model, which is no moment
// to do anything.
func (r *run) leaveWork() error {
	switch {
	case r.moment == started && r.event.Source != "compact":
		return r.leave("")
	case r.event.Transcript == "":
	case r.moment == answered, r.moment == ended, r.moment == compacting && r.client != transcripts.Gemini:
		return r.leave(r.event.Transcript)
	}
	return nil
}

// open opens the database. Vectors are made by the model in the program, or later by a
// server: a hook reaches for no network, whatever is configured.
func (r *run) open(ctx context.Context) (err error) {
	if r.store, err = store.Open(ctx, store.Options{Path: r.Database, Now: r.Now, ReadFirst: r.moment != sweeping}); err != nil {
		return err
	}
	embedder := r.Embedder
	if embedder == nil || !embed.Deferred(embedder) {
		embedder = embed.Off()
	}
	r.search = memory.NewSearch(r.store, embedder)
	r.capture = r.Capture(r.store, r.search)
	return nil
}

func (r *run) act(ctx context.Context) error {
	switch r.moment {
	case started:
		return r.start(ctx)
	case prompted:
		return r.prompt(ctx)
	case answered:
		return errors.Join(r.hear(ctx), r.checkAnswer())
	case compacted:
		r.afresh = true
	case sweeping:
		return errors.Join(r.takeUp(ctx), r.captureBehind(ctx), r.embedPending(ctx))
	}
	return nil
}

// session is the running one as dialogue names it.
func (r *run) session() string { return capture.Session(r.client, r.event.Session) }

func (r *run) project() *project.Project {
	if p, ok := project.Of(r.event.Folder, r.Home); ok {
		return &p
	}
	return nil
}

// start briefs a session. One that is resumed has been. Gemini CLI would put the
// briefing into the first prompt itself, where it takes the prompt's place in the
// history, so that it comes with that prompt.
func (r *run) start(ctx context.Context) error {
	r.afresh = r.event.Source == "clear" || r.event.Source == "compact"
	switch {
	case r.event.Source == "resume":
		r.marks = []string{briefed}
		return nil
	case r.client == transcripts.Gemini:
		return nil
	}
	text, err := store.ReadValue(ctx, r.store, func(tx *store.Tx) (string, error) { return r.brief(ctx, tx) })
	if err != nil {
		return err
	}
	return r.show(text)
}

func (r *run) brief(ctx context.Context, tx *store.Tx) (string, error) {
	text, told, err := briefing(ctx, tx, r.Database, r.project(), r.session(), r.began)
	r.marks = append(told, briefed)
	return text, err
}

// prompt shows what fits a prompt, and takes it in.
func (r *run) prompt(ctx context.Context) error {
	if !r.event.command() {
		texts, err := r.recall(ctx)
		if err != nil {
			r.unrecalled, r.marks = err, nil
		} else if err := r.show(texts...); err != nil {
			return err
		}
	}
	return r.hear(ctx)
}

func (r *run) recall(ctx context.Context) (texts []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.patient(forRecall)-r.elapsed())
	defer cancel()
	var shown map[string]bool
	err = r.store.Read(ctx, func(tx *store.Tx) (err error) {
		shown, err = captures.In(tx).Shown(r.session())
		if err != nil || r.client != transcripts.Gemini || shown[briefed] {
			return err
		}
		text, err := r.brief(ctx, tx)
		texts = append(texts, text)
		return err
	})
	if err != nil {
		return texts, err
	}
	told := r.marks // by a briefing that goes along
	ask := recall.Ask{Prompt: r.event.Prompt, Session: r.session(), Tokens: promptTokens - wrapping, Shown: func(f string) bool { return shown[f] || slices.Contains(told, f) }}
	if p := r.project(); p != nil {
		ask.Project = p.Keys()
	}
	found, err := r.Recall(ctx, r.store, ask)
	r.marks = append(r.marks, found.Fingerprints...)
	return append(texts, found.Text), err
}

// show answers the client, if there is anything to say.
func (r *run) show(texts ...string) error {
	text := strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "\n")
	if text == "" {
		return nil
	}
	text = wrap(text)
	raw, err := json.Marshal(output{specific{spelled(r.moment, r.client), text}})
	if err != nil {
		return err
	}
	r.shown = len(text)
	_, err = r.Out.Write(append(raw, '\n'))
	return err
}

// said is what was said; false when that is nothing to be taken in.
func (r *run) said() (h capture.Heard, said bool) {
	h = capture.Heard{Client: r.client, Session: r.event.Session, Folder: r.event.Folder, At: r.began}
	switch {
	case r.moment == prompted:
		h.Speaker, h.Text = transcripts.User, r.event.Prompt
	case r.moment == answered:
		h.Speaker, h.Text = transcripts.Assistant, cmp.Or(r.event.Answer, r.event.Response)
	}
	return h, h.Session != "" && strings.TrimSpace(h.Text) != ""
}

// hear takes in what waits and what was said, in this order: what was said before
// may have left something private open.
func (r *run) hear(ctx context.Context) error {
	h, said := r.said()
	if !said {
		return nil
	}
	if err := r.takeUp(ctx); err != nil && passes(err) {
		return err
	}
	r.handed = true
	err := r.Heard(ctx, r.capture, h)
	r.handed = err == nil
	return err
}

// spoolFirst keeps what was said before there is a database. The process behind makes
// the database and stores it; a prompt leaves work to none by itself.
func (r *run) spoolFirst(ctx context.Context) error {
	h, said := r.said()
	if !said {
		return nil
	}
	r.handed = true
	if err := r.layAside(ctx, h); err != nil {
		return err
	}
	if len(aside(r.Database)) == 0 || r.moment == answered && r.event.Transcript != "" {
		return nil
	}
	return r.leave("")
}

var errNoAnswer = errors.New("neither the event nor a transcript holds the answer")

// checkAnswer reports an answer that nobody can store: the event does not say it, and
// the transcript that it names does not exist.
func (r *run) checkAnswer() error {
	if r.moment != answered || r.event.Transcript == "" {
		return nil
	}
	if _, said := r.said(); said || r.findTranscript(r.event.Transcript) != "" {
		return nil
	}
	return errNoAnswer
}

// keep lays aside what was said and could not be stored because of a failure that
// passes. What broke down while it was stored would break down again.
func (r *run) keep(ctx context.Context, failure error) error {
	var open *store.OpenError
	h, said := r.said()
	if !said || r.handed || !slices.Contains(clients, r.client) || errors.As(failure, &open) && !passes(failure) {
		return nil
	}
	return r.layAside(ctx, h)
}

func passes(failure error) bool {
	return errors.Is(failure, store.ErrBusy) || errors.Is(failure, store.ErrUnreachable) || errors.Is(failure, context.DeadlineExceeded) || errors.Is(failure, context.Canceled)
}
