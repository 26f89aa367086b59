package hooks

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"toolkit/store"
	"toolkit/store/sessions"
)

// recallFailed begins the error of a run that took a prompt in and recalled nothing for it.
const recallFailed = "recall: "

// recordRun records the run together with what was shown, or, where the database
// cannot be written, the run alone in the log.
func (r *run) recordRun(ctx context.Context, failure error) {
	record := sessions.Run{
		At: r.began, Client: string(r.client), Event: "unknown", Took: r.elapsed(), Shown: r.shownBytes,
		Takes: r.kind == promptSubmit || r.kind == answerEnd || r.kind == backgroundRun, Error: describeError(failure),
	}
	if r.kind != unknownEvent {
		record.Event = cmp.Or(r.Event, r.event.Name)
	}
	if failure == nil && r.recallErr != nil { // capture went well, recall did not
		record.Takes, record.Error = false, recallFailed+describeError(r.recallErr)
	}
	if r.store == nil || errors.Is(failure, store.ErrBusy) || r.writeRunRecord(ctx, record) != nil {
		appendLog(r.Database, record)
	}
}

func (r *run) writeRunRecord(ctx context.Context, record sessions.Run) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), r.scaleTimeout(recordTimeout))
	defer cancel()
	return r.store.Write(ctx, func(tx *store.Tx) error {
		rows, session := sessions.In(tx), r.session()
		if r.resetShown {
			if err := rows.DeleteShownFingerprints(session); err != nil {
				return err
			}
		}
		if err := rows.SaveShownFingerprints(session, r.fingerprints); err != nil {
			return err
		}
		return rows.InsertHookRun(record)
	})
}

// RecordFailureToStart records a hook that could not even begin. Its database may not exist.
func RecordFailureToStart(o Options, why string) {
	appendLog(o.Database, sessions.Run{At: o.Now(), Client: o.Client, Event: "unknown", Takes: true, Error: why})
}

// reportableErrors are faults whose words say nothing of a session.
var reportableErrors = []error{errInput, errLarge, errInputTimeout, errEvent, errClient, errPanicked, errDetach, errUnread, errOutsideClientFolders, errSpoolFull, errNoAnswer}

// machineFaults of the machine, in words.
var machineFaults = []struct {
	is  error
	say string
}{
	{store.ErrBusy, "the database was busy"},
	{store.ErrFull, "the disk is full"},
	{store.ErrReadOnly, "the database is read-only"},
	{store.ErrDamaged, "the database is damaged"},
	{store.ErrUnreadable, "the database cannot be read or written"},
	{store.ErrUnreachable, "the database server could not be reached"},
	{store.ErrMoved, "the database was moved or replaced"},
	{context.DeadlineExceeded, "it took too long"},
	{context.Canceled, "it was ended"},
}

// describeError says what went wrong without a word of the session.
func describeError(err error) string {
	if err == nil {
		return ""
	}
	for _, f := range machineFaults {
		if errors.Is(err, f.is) {
			return f.say
		}
	}
	for _, known := range reportableErrors {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if _, unopened := errors.AsType[*store.OpenError](err); unopened {
		return "the database cannot be opened"
	}
	return fmt.Sprintf("it failed (%T)", err)
}
