// Package capture takes the sessions that assistants write down into memory: what
// was said in them becomes dialogue like any other, found by the same searches.
// Package transcripts reads the files, package redact takes secrets out before
// anything is stored, package project tells what a session belongs to.
//
// A file is read on from where the last reading ended, and a message is taken in
// once, whatever repeats it. Rows and the place reached are committed together, so
// that a reading that was ended at any moment goes on as if it had not been.
package capture

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"toolkit/internal/capture/notice"
	"toolkit/internal/capture/redact"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools/memory"
)

const (
	// batchTurns is how many turns are committed together.
	batchTurns = 500
	// maxBatchBytes is how much text is, if that is sooner.
	maxBatchBytes = 4 << 20
	// maxTextLength is how much is kept of one turn. Longer ones are pasted logs.
	maxTextLength = 64 << 10
	// maxReadLength is how much of it is read: what is kept of it, and as much again for
	// the secrets that are taken out, which is slow with some texts.
	maxReadLength = 2 * maxTextLength
	// maxCachedFolders is of how many folders the project is kept in mind.
	maxCachedFolders = 4096
	// cutMargin is how much goes at the end of what was read of a longer turn, where half
	// a secret may stand that is none any more.
	cutMargin = 1 << 10
)

// Capture takes sessions in.
type Capture struct {
	Store  *store.DB
	Search *memory.Search
	Home   string // the user's, which is no project
	DryRun bool   // say what would be done, and write nothing
	// Off, if there is one, tells which client and project (nil: none) the user
	// has turned off; of these nothing is taken in.
	Off func(client transcripts.Client, p *transcripts.Project) bool
	// Progress, if there is one, hears after each batch how many bytes of the file
	// at hand are done.
	Progress func(done int64)

	projects map[string]*transcripts.Project // by folder; nil: none
	seen     map[[16]byte]bool               // messages of a dry run
}

// Result is what became of one file.
type Result struct {
	Path     string                `json:"path"`
	Client   string                `json:"client"`
	Bytes    int64                 `json:"bytes"`    // read now
	Turns    int                   `json:"turns"`    // new ones
	Known    int                   `json:"known"`    // taken in before
	Sessions map[string]int        `json:"sessions"` // turns of each
	Projects map[string]int        `json:"projects"` // likewise; "" is none
	Redacted map[string]int        `json:"redacted,omitempty"`
	Skipped  map[string]int        `json:"skipped,omitempty"`
	Bad      int                   `json:"bad"`
	Problems []transcripts.Problem `json:"problems,omitempty"`
	Error    string                `json:"error,omitempty"` // why the file could not be read
}

// DialogueSessionID is how dialogue names a session of a client.
func DialogueSessionID(client transcripts.Client, id string) string { return string(client) + "/" + id }

// CaptureFile takes in what is new in a file. What is wrong with the file itself stands
// in the result; an error is one of the store, or that ctx ended.
func (c *Capture) CaptureFile(ctx context.Context, f transcripts.File) (*Result, error) {
	r := c.newRun(f.Path, f.Client)
	file, id, fault := f.Open()
	if fault != nil {
		r.Error = errorTextWithoutPath(fault)
		return r.Result, nil
	}
	defer file.Close() //nolint:errcheck // it was only read
	known, err := store.ReadValue(ctx, c.Store, func(tx *store.Tx) (sessions.Source, error) { return sessions.In(tx).SourceByIdentity(id.Name) })
	if err != nil {
		return r.Result, err
	}
	from, grew := int64(0), isReadPartUnchanged(file, id, known)
	if grew && known.Offset == id.Size && known.LastError == "" {
		return r.Result, nil
	}
	if grew && !f.ReadsFromStart() {
		from = known.Offset
	}
	r.ctx, r.secrets = ctx, &redact.Secrets{}
	r.source = sessions.Source{Identity: id.Name, Path: r.redactText(f.Path), Client: string(f.Client), HeadLength: transcripts.HeadLength(id.Size), Offset: from}
	r.file, r.reader, r.fromStart = file, id.Name, from == 0
	r.lastTime = replaceImplausibleTime(id.Changed, c.Store.Now(), c.Store.Now())
	r.changed = r.lastTime
	report, err := f.ReadTurns(ctx, file, from, id.Size, func(t transcripts.Turn) error { return r.queueTurnAndCommitBatch(ctx, t) })
	if ctx.Err() != nil {
		return r.Result, ctx.Err()
	}
	if r.failed != nil {
		return r.Result, r.failed
	}
	addCounts(r.Skipped, report.Skipped)
	r.Bad, r.Problems, r.Bytes = report.Bad, report.Problems, report.Offset-from
	r.source.Offset, r.source.Bad = report.Offset, report.Bad
	if err != nil {
		r.Error = errorTextWithoutPath(err)
	}
	r.source.LastError = r.Error
	if err := r.commitWaitingTurns(ctx); err != nil || r.DryRun {
		return r.Result, err
	}
	return r.Result, r.Store.Write(ctx, func(tx *store.Tx) error { return memoryrows.In(tx).MergeWordIndexes() })
}

// run is the capture of one file.
type run struct {
	*Capture
	*Result
	ctx              context.Context // after its end texts are not cleaned but empty, and nothing is stored any more
	source           sessions.Source
	file             *os.File                   // nil: a hook told
	reader           string                     // the file, or empty for hooks
	fromStart        bool                       // the file is read from its beginning
	places           map[string]*sessions.Place // by session
	secretsBySession map[string]*redact.Secrets // secrets of a session, likewise
	secrets          *redact.Secrets            // of the session of the turn at hand
	names            map[string]string          // of folders and branches, by what they were before they were clean
	waiting          []turn
	bytes            int         // of what waits
	spoolState       *SpoolState // of a turn that was heard and waited
	lastTime         time.Time   // of a turn, for those that have none
	changed          time.Time   // when the file was, for turns of times that cannot be
	failed           error       // of the store
}

// newRun begins one; without a path, of what a hook heard.
func (c *Capture) newRun(path string, client transcripts.Client) *run {
	return &run{
		ctx: context.Background(), Capture: c, places: map[string]*sessions.Place{}, secretsBySession: map[string]*redact.Secrets{}, names: map[string]string{},
		Result: &Result{Path: path, Client: string(client), Sessions: map[string]int{}, Projects: map[string]int{}, Redacted: map[string]int{}, Skipped: map[string]int{}},
	}
}

// turn is one on its way into the store, without secrets.
type turn struct {
	transcripts.Turn
	key             [16]byte
	project         *transcripts.Project
	locallyRedacted string // what it says, with what its session told as secret elsewhere
	chain           []byte // stands for all of the session up to it; nil: of no use
	noticed         []notice.Statement
}

// isReadPartUnchanged reports whether what was read of a file before is still its beginning.
func isReadPartUnchanged(file *os.File, id transcripts.Identity, stored sessions.Source) bool {
	if stored.Identity == "" || stored.Offset > id.Size || stored.HeadLength > id.Size {
		return false
	}
	mark, err := transcripts.FingerprintReadPart(file, stored.HeadLength, stored.Offset)
	return err == nil && mark == stored.Head
}

func errorTextWithoutPath(err error) string {
	if path, ok := errors.AsType[*os.PathError](err); ok { // whose path is known
		return path.Err.Error()
	}
	return err.Error()
}

// queueTurnAndCommitBatch makes a turn ready and commits when enough wait.
func (r *run) queueTurnAndCommitBatch(ctx context.Context, t transcripts.Turn) error {
	if t.Summary { // its place is kept, not what it says
		r.Skipped["summaries of compactions"]++
		t.Text = ""
	}
	r.source.Client = string(t.Client)
	r.Client = string(t.Client)
	ready, taken, err := r.prepareTurn(ctx, t)
	if err != nil {
		r.failed = err
		return err
	}
	if taken {
		r.waiting = append(r.waiting, ready)
		r.bytes += len(ready.Text)
	}
	if len(r.waiting) < batchTurns && r.bytes < maxBatchBytes {
		return nil
	}
	r.source.Offset = t.End
	r.failed = r.commitWaitingTurns(ctx)
	return r.failed
}

// prepareTurn gives a turn its time and project and takes out what must not be stored.
// It is not taken when the user turned capture off for it.
func (r *run) prepareTurn(ctx context.Context, t transcripts.Turn) (ready turn, taken bool, err error) {
	p := r.findProjectOfFolder(t.Folder)
	if r.Off != nil && r.Off(t.Client, p) {
		r.Skipped["turns of what is turned off"]++
		return ready, false, nil
	}
	if t.At.IsZero() {
		t.At = r.lastTime
	}
	t.At = replaceImplausibleTime(t.At, r.Store.Now(), r.changed)
	r.lastTime = t.At
	place, err := r.loadReadingPlace(ctx, DialogueSessionID(t.Client, t.Session))
	if err != nil {
		return ready, false, err
	}
	if r.secrets, err = r.loadSecrets(ctx, t); err != nil {
		return ready, false, err
	}
	locallyRedacted := ""
	if r.spoolState != nil {
		locallyRedacted = r.restoreTurnFromSpool(r.spoolState, &t, place)
	} else {
		markOpenPrivateText(&t, place)
		t.Text, locallyRedacted = r.redactAndShorten(t.Text)
	}
	r.removeFactsOfOffProjects(&t)
	t.Clean(r.redactText)
	t.Text = r.secrets.RemoveFrom(r.ctx, t.Text) // what was done may tell a secret, too
	t.Title, t.Branch = r.secrets.RemoveFrom(r.ctx, r.redactName(t.Title)), r.redactName(t.Branch)
	if err := r.ctx.Err(); err != nil {
		return ready, false, err
	}
	if (t.Speaker == transcripts.User || t.SideChain) && language.ParseForgetRequest(t.Text) != "" {
		r.Skipped["requests to forget"]++ // they would be told of what they ask to forget
		return ready, false, nil
	}
	ready = turn{Turn: t, locallyRedacted: locallyRedacted, key: messageKey(t), project: r.redactProject(p)}
	if t.Client == transcripts.Codex && r.file != nil && !t.Summary { // whose sessions may be forked
		sum := sha256.Sum256([]byte(string(place.Chain) + t.Speaker + "\x00" + locallyRedacted))
		place.Chain = sum[:16]
		ready.chain = place.Chain
	}
	if r.DryRun {
		return ready, true, nil
	}
	return ready, true, r.setNoticedStatements(ctx, &ready)
}

// redactAndShorten is what is kept of a text, without secrets: its beginning. Where something is
// closed as private behind what is read, all before it is.
func (r *run) redactAndShorten(text string) (shortened, locallyRedacted string) {
	read := text
	if unread := len(text) - maxReadLength; unread > 0 {
		read = strings.ToValidUTF8(text[:maxReadLength], "")
		if private := redact.PairTags(privateTags.FindTags(text)); slices.ContainsFunc(private, func(b redact.TagBlock) bool { return b.Open.End == 0 && b.Close.End > maxReadLength }) {
			read = "<private>" + read
		}
	}
	clean, locallyRedacted := r.redactFullyAndLocally(read)
	return shortenText(clean, len(text)), shortenText(locallyRedacted, len(text))
}

// shortenText is the beginning of what became of a text of so many bytes.
func shortenText(clean string, size int) string {
	most := maxTextLength
	if size > maxReadLength {
		most = max(0, min(most, len(clean)-cutMargin))
	}
	if len(clean) <= most {
		return clean
	}
	kept := strings.ToValidUTF8(clean[:most], "")
	return fmt.Sprintf("%s… [%d more bytes]", kept, len(clean)-len(kept)+max(0, size-maxReadLength))
}

var privateTags = redact.NewTagFinder("private")

// earliestTime is before any session.
var earliestTime = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// replaceImplausibleTime is a time, or another one when it cannot be. The clock of a client may be ahead
// of ours: what it wrote keeps its time then, else an answer could stand before its prompt.
func replaceImplausibleTime(at, now, fallback time.Time) time.Time {
	if at.Before(earliestTime) || at.After(now.Add(maxMessageGap)) {
		return fallback
	}
	return at
}

// redactText takes secrets out and counts them.
func (r *run) redactText(text string) string {
	clean, _ := r.redactFullyAndLocally(text)
	return clean
}

// redactFullyAndLocally is likewise, beside the text in which what was told elsewhere still stands.
func (r *run) redactFullyAndLocally(text string) (clean, locallyRedacted string) {
	clean, locallyRedacted, kinds := r.secrets.RedactText(r.ctx, text)
	addCounts(r.Redacted, kinds)
	return clean, locallyRedacted
}

// redactName takes the secrets out of the name of a folder, a project, a branch or a session, which
// is the same in most turns of a file. What its session tells as secret elsewhere stays in it: names
// identify, and two folders without one word would be one project.
func (r *run) redactName(name string) string {
	clean, known := r.names[name]
	if !known {
		_, clean = r.redactFullyAndLocally(name)
		r.names[name] = clean
	}
	return clean
}

// addCounts adds numbers to those of the same names.
func addCounts(into, more map[string]int) {
	for name, n := range more {
		into[name] += n
	}
}

// messageKey stands for a message wherever it is met again.
func messageKey(t transcripts.Turn) (k [16]byte) {
	sum := sha256.Sum256([]byte(string(t.Client) + "\x00" + t.ID))
	copy(k[:], sum[:])
	return k
}

func (c *Capture) findProjectOfFolder(folder string) *transcripts.Project {
	if c.projects == nil {
		c.projects = map[string]*transcripts.Project{}
	}
	p, known := c.projects[folder]
	if !known {
		if len(c.projects) == maxCachedFolders {
			clear(c.projects)
		}
		if found, ok := transcripts.FindProject(folder, c.Home); ok {
			p = &found
		}
		c.projects[folder] = p
	}
	return p
}

// redactProject is a project as it may be stored: names of folders may hold secrets too.
func (r *run) redactProject(p *transcripts.Project) *transcripts.Project {
	if p == nil {
		return nil
	}
	others := make([]string, len(p.Others))
	for i, other := range p.Others {
		others[i] = r.redactName(other)
	}
	return &transcripts.Project{Key: r.redactName(p.Key), Name: r.redactName(p.Name), Root: r.redactName(p.Root), Remote: r.redactName(p.Remote), Others: others}
}

// commitWaitingTurns stores what waits together with the place in the file.
func (r *run) commitWaitingTurns(ctx context.Context) error {
	transaction, into := r.Store.Write, r.Result
	if r.DryRun {
		transaction = r.Store.Read
	}
	mark, err := transcripts.FingerprintReadPart(r.file, r.source.HeadLength, r.source.Offset)
	if err != nil { // it is read from its beginning the next time
		mark = ""
	}
	r.source.Head = mark
	var added tally
	err = transaction(ctx, func(tx *store.Tx) error {
		added = tally{sessions: map[string]int{}, projects: map[string]int{}}
		for _, t := range r.waiting {
			if err := r.storeNewTurn(tx, t, &added); err != nil {
				return err
			}
		}
		if r.DryRun {
			return nil
		}
		if err := r.savePlacesAndSecrets(tx); err != nil {
			return err
		}
		r.source.Turns = added.turns
		return sessions.In(tx).SaveSource(r.source)
	})
	if err != nil {
		return err
	}
	r.markSecretsSaved()
	into.Turns += added.turns
	into.Known += added.known
	addCounts(into.Sessions, added.sessions)
	addCounts(into.Projects, added.projects)
	r.waiting, r.bytes, r.source.Bad = r.waiting[:0], 0, 0
	if r.Progress != nil {
		r.Progress(r.source.Offset)
	}
	return nil
}

// tally is what one transaction added.
type tally struct {
	turns, known       int
	sessions, projects map[string]int
}

// storeNewTurn writes a turn, unless it is known.
func (r *run) storeNewTurn(tx *store.Tx, t turn, added *tally) error {
	if t.Summary {
		if r.DryRun {
			return nil
		}
		return sessions.In(tx).MarkCompacted(DialogueSessionID(t.Client, t.Session), t.At)
	}
	known, err := isTurnForgotten(tx, t)
	if err == nil && !known {
		known, err = r.reconcileStoredTurn(tx, t)
	}
	if err != nil || known || r.DryRun && r.seen[t.key] {
		added.known++
		return err
	}
	added.turns++
	added.sessions[DialogueSessionID(t.Client, t.Session)]++
	added.projects[t.projectName()]++
	if r.DryRun {
		if r.Capture.seen == nil {
			r.Capture.seen = map[[16]byte]bool{}
		}
		r.Capture.seen[t.key] = true
		return nil
	}
	return r.storeTurnAndInsights(tx, t, 0)
}

// storeTurnAndInsights stores a turn in the place of what a row says, or as a new row for 0.
func (r *run) storeTurnAndInsights(tx *store.Tx, t turn, row int64) error {
	row, err := r.writeDialogueRow(tx, t, row)
	if err != nil {
		return err
	}
	if err := r.linkMessageToRow(tx, t, row); err != nil {
		return err
	}
	return r.reconcileInsights(tx, t, row)
}

// writeDialogueRow writes a turn as a row, a new one for 0, and what is known of its session.
func (r *run) writeDialogueRow(tx *store.Tx, t turn, row int64) (int64, error) {
	metadata, err := t.encodeMetadata()
	if err != nil {
		return 0, err
	}
	d := memoryrows.Dialogue{ID: row, SessionID: DialogueSessionID(t.Client, t.Session), Speaker: t.Speaker, Content: t.Text, At: t.At, Metadata: metadata}
	if row != 0 {
		err = memoryrows.In(tx).ReplaceDialogue(d)
	} else {
		d.ID, err = memoryrows.In(tx).InsertDialogue(d)
	}
	if err != nil {
		return 0, err
	}
	if _, err := r.Search.IndexRow(tx, d.Row()); err != nil {
		return 0, err
	}
	return d.ID, r.saveSessionAndProject(tx, t, d.ID)
}

// saveSessionAndProject notes what a turn says of its session, and where its row was said, if there
// is one and it is known where.
func (r *run) saveSessionAndProject(tx *store.Tx, t turn, row int64) (err error) {
	s := sessions.Session{ID: DialogueSessionID(t.Client, t.Session), Client: string(t.Client), Branch: t.Branch, Title: t.Title, SideChain: t.SideChain, Started: t.At, Ended: t.At}
	if p := t.project; p != nil {
		if s.Project, err = sessions.In(tx).EnsureProject(sessions.Project{Key: p.Key, Name: p.Name, Root: p.Root, Remote: p.Remote}, p.Others...); err != nil {
			return err
		}
	}
	if err := sessions.In(tx).SaveSession(s); err != nil || row == 0 || t.Folder == "" {
		return err
	}
	return sessions.In(tx).SaveTurnProject(row, s.ID, s.Project)
}
