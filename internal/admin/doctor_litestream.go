package admin

import (
	"context"
	"fmt"
	"os"
	"time"

	"toolkit/store"
)

// litestreamLag is how far Litestream, which looks every second, may be behind a
// server under load.
const litestreamLag = 10 * time.Second

// checkLitestream tells how the continuous copy does, of which nobody hears otherwise,
// and where it and the care for the file are in each other's way.
func checkLitestream(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	last, err := store.LastLitestream(e.Database)
	if err != nil {
		return nil, err
	}
	if last.IsZero() {
		return okFinding("it copies nothing here"), nil
	}
	var findings []CheckFinding
	changed, logged := e.lastChange()
	if changed.Sub(last) > litestreamLag {
		findings = append(findings, CheckFinding{State: CheckProblem, Says: fmt.Sprintf("it took the last change on %s, but the database changed on %s", last.Format(time.DateTime), changed.Format(time.DateTime)),
			Do: "start it again and read its log; if it is to copy this database no more, remove " + store.LitestreamFolder(e.Database)})
	}
	if logged >= maxLogBytes {
		findings = append(findings, CheckFinding{State: CheckNote, Says: fmt.Sprintf("%.1f MB are in the write-ahead log, which Litestream alone folds into the file", float64(logged)/1e6),
			Do: "see that it runs, and that min-checkpoint-page-count in its configuration is not above 1000, which it is unless set"})
	}
	if !e.outdated && !e.broken {
		left, err := e.inspection.HasTraces(ctx)
		if err != nil {
			return findings, err
		}
		if left {
			findings = append(findings, CheckFinding{State: CheckNote, Says: "the log still holds what was forgotten, since Litestream reads it all the time", Do: "stop Litestream for a moment and run toolkit forget --finish; docs/litestream.md also tells how to end its copies"})
		}
	}
	if len(findings) == 0 {
		findings = okFinding("it took the last change on %s; its own log tells whether that has arrived", last.Format(time.DateTime))
	}
	return findings, nil
}

// lastChange is when the database was last written, and the size of its log.
func (e *databaseExam) lastChange() (changed time.Time, logged int64) {
	if info, err := os.Stat(e.Database); err == nil {
		changed = info.ModTime()
	}
	log, err := os.Stat(e.Database + "-wal")
	if err != nil { // there need not be one
		return changed, 0
	}
	if log.ModTime().After(changed) {
		changed = log.ModTime()
	}
	return changed, log.Size()
}
