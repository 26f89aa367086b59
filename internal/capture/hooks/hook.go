// Package hooks answers the events of assistants that let a program hear and say
// something: Claude Code, Codex and Gemini CLI. What the user and the assistant
// say is taken in as captured dialogue; what earlier sessions know goes into the
// new one: a briefing when it begins, and what fits each prompt.
//
// A hook must never be in a session's way. It answers in the form of the client or
// says nothing, gives up when its time is over, leaves longer work to a process
// behind it, and every run leaves a record: in the database, else in a small log
// beside it. event.go reads what clients send, briefing.go writes what a session
// begins with, background.go is the process behind, log.go and health.go tell whether
// all this works.
package hooks

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
	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

const (
	// promptTokens bounds what is shown beside a prompt.
	promptTokens = 400
	// promptTimeout bounds a run that the user waits for. It mostly takes a tenth of that; on a
	// machine with much else to do a late note is better than none.
	promptTimeout = 900 * time.Millisecond
	// recallTimeout is how much of that recalling may take; the rest is for capture.
	recallTimeout = 700 * time.Millisecond
	// eventTimeout bounds the others; Codex and Claude Code kill a hook of a session's
	// end after about a second.
	eventTimeout = 800 * time.Millisecond
	// recordTimeout is how long the record of a run may wait, and how long what was said
	// may take to be laid aside.
	recordTimeout = 80 * time.Millisecond

	// briefingFingerprint is the fingerprint of a session's briefing.
	briefingFingerprint = "briefing"
)

// clients have hooks.
var clients = []transcripts.Client{transcripts.ClaudeCode, transcripts.Codex, transcripts.Gemini}

// Options say what happened and what a hook works with.
type Options struct {
	Event         string // as the client or a person names it; empty: as the input does
	Client        string // empty: told by the input
	Transcript    string // of Behind: the file to take in; empty: what a sweep finds
	In            io.Reader
	Out           io.Writer
	Database      string // absolute path
	Home          string // the user's
	Getenv        func(string) string
	Now           func() time.Time
	TimeoutFactor int // multiplies every limit of time, for slow machines; 0 is 1
	// Embedder makes the vectors of what is taken in; nil: nothing gets one here.
	Embedder embed.Embedder

	// Capture makes what takes sessions in.
	Capture func(db *store.DB, search *memory.Search) *capture.Capture
	// Heard takes in a turn.
	StoreTurn func(ctx context.Context, c *capture.Capture, h capture.HookTurn) error
	// Recall finds what fits a prompt.
	Recall func(ctx context.Context, db *store.DB, a recall.PromptRequest) (recall.Injection, error)
	// Detach starts this program with some arguments behind the hook.
	Detach func(args []string) error
}

// run is one run of a hook.
type run struct {
	Options
	began   time.Time
	kind    eventKind
	client  transcripts.Client
	event   Event
	store   *store.DB
	search  *memory.Search
	capture *capture.Capture

	shownBytes   int      // bytes
	fingerprints []string // fingerprints of what was shown
	resetShown   bool     // the session may be shown everything again
	recallErr    error    // why nothing was recalled
	handedOver   bool     // what was said was handed over, whatever became of it
}

// HandleHookEvent answers an event. Whatever goes wrong is recorded and told to nobody.
func HandleHookEvent(ctx context.Context, o Options) {
	o.TimeoutFactor = max(o.TimeoutFactor, 1)
	r := &run{Options: o, began: o.Now(), kind: parseEventKind(o.Event)}
	failure := runCatchingPanics(func() error { return r.readAndHandleEvent(ctx) })
	if failure != nil {
		failure = cmp.Or(runCatchingPanics(func() error { return r.spoolFailedTurn(ctx, failure) }), failure)
	}
	r.recordRun(ctx, failure)
	if r.store != nil {
		r.search.Close() //nolint:errcheck // it only waits
		r.store.Close()  //nolint:errcheck // every committed write is already on disk
	}
}

var errPanicked = errors.New("it broke down")

// runCatchingPanics keeps a fault of ours from the client, to which the exit code of a panic
// means that the prompt is to be blocked.
func runCatchingPanics(work func() error) (err error) {
	defer func() {
		if recover() != nil {
			err = errPanicked // what it says might quote the session
		}
	}()
	return work()
}

var (
	errEvent  = errors.New("no hook is known for this event")
	errClient = errors.New("no such client has hooks")
)

func (r *run) readAndHandleEvent(ctx context.Context) error {
	if r.kind != backgroundRun {
		reading, cancel := context.WithTimeout(ctx, r.timeoutForKind())
		defer cancel()
		var err error
		if r.event, err = readEvent(reading, r.In); err != nil {
			return err
		}
	}
	if r.Event == "" {
		r.kind = parseEventKind(r.event.Name)
	}
	r.client = transcripts.Client(cmp.Or(r.Client, string(r.event.detectClient())))
	switch {
	case r.kind == unknownEvent:
		return errEvent
	case !slices.Contains(clients, r.client):
		return errClient
	}
	ctx, cancel := context.WithTimeout(ctx, r.timeoutForKind()-r.elapsed())
	defer cancel()
	left := r.startCaptureAfterEvent()
	if r.kind != backgroundRun && !databaseExists(r.Database) {
		return errors.Join(left, r.spoolTurnWithoutDatabase(ctx), r.checkAnswerCanBeStored())
	}
	if r.kind == backgroundRun {
		leave, err := r.acquireBackgroundLock(ctx)
		if err != nil {
			return err
		}
		defer leave()
	}
	if err := r.openDatabase(ctx); err != nil {
		return errors.Join(left, err)
	}
	return errors.Join(left, r.dispatchEvent(ctx))
}

func (r *run) elapsed() time.Duration { return r.Now().Sub(r.began) }

func (r *run) scaleTimeout(d time.Duration) time.Duration { return d * time.Duration(r.TimeoutFactor) }

func (r *run) timeoutForKind() time.Duration {
	switch r.kind {
	case unknownEvent, sessionStart, promptSubmit:
		return r.scaleTimeout(promptTimeout)
	case backgroundRun:
		return backgroundTimeout
	}
	return r.scaleTimeout(eventTimeout)
}

// localBasePath is the path beside which hooks keep what the database cannot hold.
func localBasePath(database string) string {
	path, err := store.LocalPath(database, "")
	if err != nil {
		return database // opening it says what is wrong
	}
	return path
}

func databaseExists(path string) bool {
	if store.IsPostgres(path) {
		return true
	}
	_, err := os.Stat(path)
	return err == nil
}

// startCaptureAfterEvent leaves to a process behind what a session wrote down and what was
// missed. Gemini CLI compacts before every call of its model, which is no moment
// to do anything.
func (r *run) startCaptureAfterEvent() error {
	switch {
	case r.kind == sessionStart && r.event.Source != "compact":
		return r.startBackgroundCapture("")
	case r.event.Transcript == "":
	case r.kind == answerEnd, r.kind == sessionEnd, r.kind == preCompact && r.client != transcripts.Gemini:
		return r.startBackgroundCapture(r.event.Transcript)
	}
	return nil
}

// openDatabase opens the database. Vectors are made by the model in the program, or later by a
// server: a hook reaches for no network, whatever is configured.
func (r *run) openDatabase(ctx context.Context) (err error) {
	if r.store, err = store.Open(ctx, store.Options{Path: r.Database, Now: r.Now, ReadFirst: r.kind != backgroundRun}); err != nil {
		return err
	}
	embedder := r.Embedder
	if embedder == nil || !embed.EmbedsInBackground(embedder) {
		embedder = embed.Off()
	}
	r.search = memory.NewSearch(r.store, embedder)
	r.capture = r.Capture(r.store, r.search)
	return nil
}

func (r *run) dispatchEvent(ctx context.Context) error {
	switch r.kind {
	case sessionStart:
		return r.handleSessionStart(ctx)
	case promptSubmit:
		return r.handlePrompt(ctx)
	case answerEnd:
		return errors.Join(r.captureTurn(ctx, nil), r.checkAnswerCanBeStored())
	case postCompact:
		r.resetShown = true
	case backgroundRun:
		return errors.Join(r.drainSpool(ctx), r.captureTranscripts(ctx), r.embedPending(ctx))
	}
	return nil
}

// session is the running one as dialogue names it.
func (r *run) session() string { return capture.DialogueSessionID(r.client, r.event.Session) }

func (r *run) findProject() *transcripts.Project {
	if p, ok := transcripts.FindProject(r.event.Folder, r.Home); ok {
		return &p
	}
	return nil
}

// handleSessionStart briefs a session. One that is resumed has been. Gemini CLI would put the
// briefing into the first prompt itself, where it takes the prompt's place in the
// history, so that it comes with that prompt.
func (r *run) handleSessionStart(ctx context.Context) error {
	r.resetShown = r.event.Source == "clear" || r.event.Source == "compact"
	switch {
	case r.event.Source == "resume":
		r.fingerprints = []string{briefingFingerprint}
		return nil
	case r.client == transcripts.Gemini:
		return nil
	}
	text, err := store.ReadValue(ctx, r.store, func(tx *store.Tx) (string, error) { return r.writeBriefing(ctx, tx) })
	if err != nil {
		return err
	}
	return r.sendContextToClient(text)
}

func (r *run) writeBriefing(ctx context.Context, tx *store.Tx) (string, error) {
	text, told, err := composeBriefing(ctx, tx, r.Database, r.findProject(), r.session(), r.event.Source == "compact", r.began)
	r.fingerprints = append(told, briefingFingerprint)
	return text, err
}

// handlePrompt shows what fits a prompt, and takes it in. While the one is looked for the other is prepared.
func (r *run) handlePrompt(ctx context.Context) error {
	if r.event.isCommand() || r.event.Agent != "" {
		return r.captureTurn(ctx, nil)
	}
	shown, captured := make(chan struct{}), make(chan error, 1)
	go func() {
		captured <- runCatchingPanics(func() error { return r.captureTurn(ctx, shown) })
	}()
	err := runCatchingPanics(func() error { return r.showNotesForPrompt(ctx) })
	close(shown)
	return errors.Join(err, <-captured)
}

// showNotesForPrompt shows what fits a prompt. That nothing could be recalled is only recorded.
func (r *run) showNotesForPrompt(ctx context.Context) error {
	texts, err := r.recallForPrompt(ctx)
	if err != nil {
		r.recallErr, r.fingerprints = err, nil
		return nil
	}
	return r.sendContextToClient(texts...)
}

func (r *run) recallForPrompt(ctx context.Context) (texts []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.scaleTimeout(recallTimeout)-r.elapsed())
	defer cancel()
	var shown map[string]bool
	err = r.store.Read(ctx, func(tx *store.Tx) (err error) {
		shown, err = sessions.In(tx).ShownFingerprints(r.session())
		if err != nil || r.client != transcripts.Gemini || shown[briefingFingerprint] {
			return err
		}
		text, err := r.writeBriefing(ctx, tx)
		texts = append(texts, text)
		return err
	})
	if err != nil {
		return texts, err
	}
	told := r.fingerprints // by a briefing that goes along
	ask := recall.PromptRequest{Prompt: r.event.Prompt, Session: r.session(), Tokens: promptTokens - wrapTokens, Shown: func(f string) bool { return shown[f] || slices.Contains(told, f) }}
	if p := r.findProject(); p != nil {
		ask.Project = p.Keys()
	}
	found, err := r.Recall(ctx, r.store, ask)
	r.fingerprints = append(r.fingerprints, found.Fingerprints...)
	return append(texts, found.Text), err
}

// sendContextToClient answers the client, if there is anything to say.
func (r *run) sendContextToClient(texts ...string) error {
	text := strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), "\n")
	if text == "" {
		return nil
	}
	text = wrapInTag(text)
	raw, err := json.Marshal(output{specific{eventNameFor(r.kind, r.client), text}})
	if err != nil {
		return err
	}
	r.shownBytes = len(text)
	_, err = r.Out.Write(append(raw, '\n'))
	return err
}

// currentTurn is what was said; false when that is nothing to be taken in. A subagent is
// asked by the assistant and answers it: that is taken in from its transcript.
func (r *run) currentTurn() (h capture.HookTurn, hasText bool) {
	h = capture.HookTurn{Client: r.client, Session: r.event.Session, Folder: r.event.Folder, At: r.began}
	switch {
	case r.kind == promptSubmit:
		h.Speaker, h.Text = transcripts.User, r.event.Prompt
	case r.kind == answerEnd:
		h.Speaker, h.Text = transcripts.Assistant, cmp.Or(r.event.Answer, r.event.Response)
	}
	return h, h.Session != "" && r.event.Agent == "" && strings.TrimSpace(h.Text) != ""
}

// captureTurn takes in what waits and what was said, in this order: what was said before
// may have left something private open. What was said is stored once after is closed, where that is not nil.
func (r *run) captureTurn(ctx context.Context, after <-chan struct{}) error {
	h, said := r.currentTurn()
	h.StoreAfter = after
	if !said {
		return nil
	}
	if err := r.drainSpool(ctx); err != nil && isTransient(err) {
		return err
	}
	r.handedOver = true
	err := r.StoreTurn(ctx, r.capture, h)
	r.handedOver = err == nil
	return err
}

// spoolTurnWithoutDatabase keeps what was said before there is a database. The process behind makes
// the database and stores it; a prompt leaves work to none by itself.
func (r *run) spoolTurnWithoutDatabase(ctx context.Context) error {
	h, said := r.currentTurn()
	if !said {
		return nil
	}
	r.handedOver = true
	if err := r.spoolTurn(ctx, h); err != nil {
		return err
	}
	if len(listSpooledTurns(r.Database)) == 0 || r.kind == answerEnd && r.event.Transcript != "" {
		return nil
	}
	return r.startBackgroundCapture("")
}

var errNoAnswer = errors.New("neither the event nor a transcript holds the answer")

// checkAnswerCanBeStored reports an answer that nobody can store: the event does not say it, and
// the transcript that it names does not exist.
func (r *run) checkAnswerCanBeStored() error {
	if r.kind != answerEnd || r.event.Transcript == "" || r.event.Agent != "" {
		return nil
	}
	if _, said := r.currentTurn(); said || r.findTranscriptEvenIfMoved(r.event.Transcript) != "" {
		return nil
	}
	return errNoAnswer
}

// spoolFailedTurn lays aside what was said and could not be stored because of a failure that
// passes. What broke down while it was stored would break down again.
func (r *run) spoolFailedTurn(ctx context.Context, failure error) error {
	var open *store.OpenError
	h, said := r.currentTurn()
	if !said || r.handedOver || !slices.Contains(clients, r.client) || errors.As(failure, &open) && !isTransient(failure) {
		return nil
	}
	return r.spoolTurn(ctx, h)
}

func isTransient(failure error) bool {
	return errors.Is(failure, store.ErrBusy) || errors.Is(failure, store.ErrUnreachable) || errors.Is(failure, context.DeadlineExceeded) || errors.Is(failure, context.Canceled)
}
