package hooks

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/sessions"
)

const (
	// transcriptDelay is how long a client may take to write what it has just told a hook.
	transcriptDelay = time.Second
	// backgroundTimeout bounds the work behind a hook.
	backgroundTimeout = 10 * time.Minute
	// lockPause is how often a process behind a hook looks whether the one before it has ended.
	lockPause = 200 * time.Millisecond
	// sweepOverlap is looked through again with every sweep: what a file was given while
	// the last one ran.
	sweepOverlap = time.Minute
)

// StartSelfDetached starts this program once more, as a process that outlives the hook and
// the client, and shows nothing.
func StartSelfDetached(args []string) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = filepath.Dir(self) // so that nobody is kept from removing the session's folder
	cmd.SysProcAttr = detachedAttributes()
	if err := cmd.Start(); err != nil {
		return err
	}
	return cmd.Process.Release()
}

var errDetach = errors.New("the process that captures could not be started")

// startBackgroundCapture leaves a transcript, or what a sweep finds if it is empty, to a process
// behind the hook.
func (r *run) startBackgroundCapture(transcript string) error {
	args := []string{"hook", BackgroundEvent, "--client", string(r.client), "--db", r.Database}
	if transcript != "" {
		args = append(args, "--transcript", transcript)
	}
	if err := r.Detach(args); err != nil {
		return errDetach
	}
	return nil
}

// acquireBackgroundLock waits until no other process works behind a hook of this database: many that end at
// once would each embed the same texts. Where no lock can be made it does not wait.
func (r *run) acquireBackgroundLock(ctx context.Context) (leave func(), err error) {
	if r.Transcript != "" {
		select {
		case <-time.After(transcriptDelay):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	lock := flock.New(localBasePath(r.Database)+store.HooksLock, flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, lockPause); ctx.Err() != nil {
		return nil, err
	}
	return func() { lock.Close() }, nil //nolint:errcheck // the end of the process frees it too
}

// captureTranscripts is the work of that process.
func (r *run) captureTranscripts(ctx context.Context) error {
	if r.Transcript == "" {
		return r.captureChangedTranscripts(ctx)
	}
	if !r.isInClientFolders(r.Transcript) {
		return errOutsideClientFolders
	}
	path := r.findTranscriptEvenIfMoved(r.Transcript)
	switch {
	case path == "": // short sessions have no file
		return nil
	case !r.isInClientFolders(path): // there may have been nothing before
		return errOutsideClientFolders
	}
	return r.captureFile(ctx, path)
}

// embedPending gives what was taken in its vectors, which no prompt waits for.
func (r *run) embedPending(ctx context.Context) error {
	_, err := r.search.EmbedAll(ctx, nil)
	return err
}

// findTranscriptEvenIfMoved returns where the transcript of a path is; empty: nowhere. Claude Code names
// a file in the folder of a worktree that the session moved to, and goes on writing in
// that of the folder in which the session began.
func (r *run) findTranscriptEvenIfMoved(path string) string {
	if _, err := os.Stat(path); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return path
	}
	name := filepath.Base(path)
	if !strings.HasSuffix(name, ".jsonl") {
		return ""
	}
	for _, place := range transcripts.SessionFolders(r.Home, r.Getenv) {
		folders, _ := os.ReadDir(place) // without one there is nothing in it
		for _, folder := range folders {
			found := filepath.Join(place, folder.Name(), name)
			if info, err := os.Lstat(found); err == nil && info.Mode().IsRegular() {
				return found
			}
		}
	}
	return ""
}

var errOutsideClientFolders = errors.New("the transcript is no file in the folders where clients keep theirs")

// isInClientFolders reports whether a path leads to a file in a folder where the clients keep
// their sessions: what an event names is no reason to read anything else.
func (r *run) isInClientFolders(path string) bool {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) { // short sessions have no file
		return true
	}
	info, fault := os.Stat(real)
	if err != nil || fault != nil || !info.Mode().IsRegular() {
		return false
	}
	return slices.ContainsFunc(transcripts.SessionFolders(r.Home, r.Getenv), func(place string) bool {
		within, err := filepath.Rel(place, real)
		return err == nil && filepath.IsLocal(within)
	})
}

// captureChangedTranscripts takes in what changed of a client's sessions since the last sweep. The
// first one only says from when on: older sessions are taken in when the user
// asks for it.
func (r *run) captureChangedTranscripts(ctx context.Context) error {
	began := r.Now()
	since, err := store.WriteValue(ctx, r.store, func(tx *store.Tx) (time.Time, error) { return sessions.In(tx).EnsureLastSweepTime(string(r.client)) })
	if err != nil {
		return err
	}
	var unread error
	for _, place := range transcripts.SessionFolders(r.Home, r.Getenv) {
		err := filepath.WalkDir(place, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return ctx.Err()
			}
			if info, err := entry.Info(); err != nil || info.ModTime().Before(since.Add(-sweepOverlap)) {
				return ctx.Err()
			}
			if err := r.captureFile(ctx, path); errors.Is(err, errUnread) {
				unread = err
				return nil
			} else if err != nil {
				return err
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	err = r.store.Write(ctx, func(tx *store.Tx) error { return sessions.In(tx).NoteSweep(string(r.client), began) })
	return errors.Join(err, unread)
}

var errUnread = errors.New("a transcript could not be read")

// captureFile takes in what is new in a file, if it is a transcript of the client.
func (r *run) captureFile(ctx context.Context, path string) error {
	err := transcripts.FindTranscripts(ctx, path, func(f transcripts.File) error {
		if f.Client != r.client {
			return nil
		}
		result, err := r.capture.CaptureFile(ctx, f)
		if err == nil && result.Error != "" {
			err = errUnread
		}
		return err
	})
	if errors.Is(err, transcripts.ErrUnknown) || errors.Is(err, fs.ErrNotExist) { // short sessions have no file
		return nil
	}
	return err
}
