package admin

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"toolkit/internal/capture"
	"toolkit/internal/capture/hooks"
	"toolkit/internal/language"
	"toolkit/internal/transfer"
	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/entities"
)

// maxLogBytes is a log that should have been folded into the file long ago.
const maxLogBytes = 64 << 20

// restoreAdvice says how to go on from a damaged file: from the newest backup, if one is known.
func (e *databaseExam) restoreAdvice() string {
	if newest, found := transfer.FindNewestBackup(e.Database); found {
		return fmt.Sprintf("bring back the newest backup, of %s: toolkit restore %s --force; what was written since can be saved as far as it can be read with 'toolkit export --all FILE'",
			newest.At.Local().Format("2006-01-02 15:04"), newest.Archive)
	}
	return "no backup made here is known; bring one back with 'toolkit restore FILE --force', or save what can be read with 'toolkit export --all FILE'"
}

// checkDatabase opens the file for the checks behind it.
func checkDatabase(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	if !store.IsPostgres(e.Database) && !fileExists(e.Database) {
		f := CheckFinding{State: CheckNote, Says: "there is none at " + e.Database + " yet", Do: "it is made when an assistant first starts toolkit"}
		if e.Given {
			f.State, f.Do = CheckProblem, "give the path of an existing database with --db or TOOLKIT_DB"
		}
		if staged, _ := filepath.Glob(filepath.Join(e.folder(), transfer.StagePattern)); len(staged) > 0 { // only a bad pattern fails
			f.State, f.Do = CheckNote, "an import or a restore ended before it was done; nothing of it counts, so run it again"
		}
		return []CheckFinding{f}, nil
	}
	if err := e.reopenInspection(ctx); err != nil {
		e.broken = true
		if errors.Is(err, store.ErrForeign) {
			return []CheckFinding{{State: CheckProblem, Says: err.Error(), Do: "choose another file with --db or TOOLKIT_DB; this one is left alone"}}, nil
		}
		f := CheckFinding{State: CheckProblem, Says: err.Error()} // which says what to do
		if errors.Is(err, store.ErrDamaged) {
			f.Do = e.restoreAdvice()
		}
		return []CheckFinding{f}, nil
	}
	if store.IsPostgres(e.Database) {
		return okFinding("%s", store.DisplayName(e.Database)), nil
	}
	info, err := os.Stat(e.Database)
	if err != nil {
		return nil, err
	}
	return okFinding("%s, %.1f MB", e.Database, float64(info.Size())/1e6), nil
}

func checkSchema(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	version, newest, err := e.inspection.Schema(ctx)
	if err != nil {
		e.broken = true
		return nil, err
	}
	if err := store.CheckSchema(version); err != nil {
		e.outdated = true
		return []CheckFinding{{State: CheckProblem, Says: err.Error()}}, nil
	}
	switch {
	case version < newest && !e.Fix:
		e.outdated = true
		return []CheckFinding{{State: CheckNote, Says: fmt.Sprintf("schema %d; this program brings it to %d at its next start, or with --fix", version, newest), Do: "make a backup first: toolkit backup FILE"}}, nil
	case version < newest:
		if err := e.openApp(ctx); err != nil {
			return nil, err
		}
		return []CheckFinding{{State: CheckFixed, Says: fmt.Sprintf("schema %d was brought to %d", version, newest)}}, e.reopenInspection(ctx)
	}
	missing, err := e.inspection.ListMissingSchemaObjects(ctx)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		return []CheckFinding{{State: CheckProblem, Says: fmt.Sprintf("schema %d is the newest, but %s of it", version, language.FormatCount(len(missing), "part is missing", "parts are missing")),
			Do: e.restoreAdvice(), Details: missing}}, nil
	}
	return okFinding("schema %d is the newest", version), nil
}

// checkIntegrity asks SQLite, which finds damaged pages but not changed texts.
func checkIntegrity(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	faults, err := e.inspection.FindIntegrityFaults(ctx, e.Deep, 100)
	if err != nil {
		e.broken = true
		return []CheckFinding{{State: CheckProblem, Says: "the file is damaged: " + err.Error(), Do: e.restoreAdvice()}}, nil
	}
	if len(faults) > 0 && !slices.ContainsFunc(faults, concernsRows) {
		return e.reportOrRepairIndexes(ctx, faults)
	}
	if len(faults) > 0 {
		e.broken = true
		return []CheckFinding{{State: CheckProblem, Says: "the file is damaged", Do: e.restoreAdvice(), Details: faults}}, nil
	}
	if e.Deep {
		return okFinding("every page and every index entry is right"), nil
	}
	return okFinding("the structure of the file is right; --deep also compares every index entry"), nil
}

// concernsRows reports whether a fault that SQLite found concerns more than a
// full-text index, all of which can be derived from rows.
func concernsRows(fault string) bool {
	return !strings.HasPrefix(fault, "fts5: ") && !strings.Contains(fault, "for FTS5 table")
}

func (e *databaseExam) reportOrRepairIndexes(ctx context.Context, faults []string) ([]CheckFinding, error) {
	f := CheckFinding{State: CheckProblem, Says: "a full-text index is damaged, the rows are not", Do: "toolkit doctor --fix derives the indexes again", Details: faults}
	e.unindexed = true
	if e.outdated {
		return []CheckFinding{f}, nil
	}
	return e.reportOrRepair(f, func() (bool, error) {
		if err := e.reindex(ctx); err != nil {
			return false, err
		}
		again, err := e.inspection.FindIntegrityFaults(ctx, e.Deep, 100)
		e.unindexed = err != nil || len(again) > 0
		return !e.unindexed, err
	})
}

func checkReferences(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	faults, err := e.inspection.FindForeignKeyFaults(ctx, 100)
	if err != nil || len(faults) == 0 {
		return okFinding("no row refers to a missing one"), err
	}
	return []CheckFinding{{State: CheckProblem, Says: language.FormatCount(len(faults), "row refers", "rows refer") + " to rows that are missing", Do: e.restoreAdvice(), Details: faults}}, nil
}

func checkWriteAheadLog(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	size := func() int64 {
		info, err := os.Stat(e.Database + "-wal")
		if err != nil {
			return 0
		}
		return info.Size()
	}
	before := size()
	if before < maxLogBytes {
		return okFinding("%.1f MB", float64(before)/1e6), nil
	}
	f := CheckFinding{State: CheckNote, Says: fmt.Sprintf("%.1f MB wait to be folded into the file", float64(before)/1e6), Do: "end programs that have used the database for long, then run toolkit doctor --fix"}
	if !e.Fix || e.broken || e.outdated {
		return []CheckFinding{f}, nil
	}
	if err := e.openApp(ctx); err != nil {
		return []CheckFinding{f}, err
	}
	if err := e.inspection.Close(); err != nil { // a reader keeps the log
		return []CheckFinding{f}, err
	}
	e.inspection = nil
	if _, err := e.app.Store.Checkpoint(ctx); err != nil {
		return []CheckFinding{f}, err
	}
	if after := size(); after < before {
		f = CheckFinding{State: CheckFixed, Says: fmt.Sprintf("%.1f MB were folded into the file, %.1f MB remain", float64(before)/1e6, float64(after)/1e6)}
	}
	return []CheckFinding{f}, e.reopenInspection(ctx)
}

func checkFreePages(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	u, err := e.inspection.PageUsage(ctx)
	if err != nil {
		return nil, err
	}
	if free := u.Free * u.PageSize; u.Free*2 > u.Pages && free > maxLogBytes {
		return []CheckFinding{{State: CheckNote, Says: fmt.Sprintf("%.1f of %.1f MB are free for what comes", float64(free)/1e6, float64(u.Pages*u.PageSize)/1e6),
			Do: "to get a small file, make a backup and restore it"}}, nil
	}
	return okFinding("%d of %s free", u.Free, language.FormatCount(int(u.Pages), "page is", "pages are")), nil
}

// checkStoredFiles compares the bytes beside the database with what the database knows.
func checkStoredFiles(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	stored, err := e.inspection.ListStoredFiles(ctx)
	if err != nil {
		return nil, err
	}
	var findings []CheckFinding
	var missing, wrong []string
	known := map[string]bool{}
	progress := e.progress("files")
	for n, k := range stored {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		progress(n, len(stored))
		known[k.SHA256] = true
		if !k.WellFormed() {
			wrong = append(wrong, fmt.Sprintf("%.80q is not a hash", k.SHA256))
			continue
		}
		in, err := e.inspection.OpenFile(ctx, k.SHA256)
		switch {
		case errors.Is(err, store.ErrBlobAltered):
			wrong = append(wrong, k.SHA256)
		case errors.Is(err, store.ErrBlobMissing):
			missing = append(missing, k.SHA256)
		case err != nil:
			wrong = append(wrong, k.SHA256+": "+err.Error())
		default:
			in.Close() //nolint:errcheck // it was only read
		}
	}
	if len(missing) > 0 {
		findings = append(findings, CheckFinding{State: CheckProblem, Says: language.FormatCount(len(missing), "file is", "files are") + " missing", Do: "bring them back from a backup, or upload them again: the same bytes take their old place", Details: missing})
	}
	if len(wrong) > 0 {
		findings = append(findings, CheckFinding{State: CheckProblem, Says: language.FormatCount(len(wrong), "file is", "files are") + " damaged", Do: "bring them back from a backup, or upload them again", Details: wrong})
	}
	more, err := e.reportOrRemoveOrphanFiles(known)
	if err != nil {
		return findings, err
	}
	unheld, err := e.inspection.ListUnreferencedFiles(ctx, 100)
	if err != nil {
		return findings, err
	}
	if findings = append(findings, more...); len(unheld) > 0 {
		findings = append(findings, CheckFinding{State: CheckNote, Says: language.FormatCount(len(unheld), "file is", "files are") + " held by no record", Do: "nothing; they take room and harm nobody", Details: unheld})
	}
	if len(findings) == 0 {
		findings = okFinding("%s there and unchanged", language.FormatCount(len(stored), "file is", "files are"))
	}
	return findings, nil
}

// reportOrRemoveOrphanFiles returns files that the database does not know: a process was killed before
// it could say that it keeps them. Fresh ones may belong to one at work.
func (e *databaseExam) reportOrRemoveOrphanFiles(known map[string]bool) ([]CheckFinding, error) {
	var orphans []string
	root := filepath.Join(store.FilesFolder(e.Database), "sha256")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || entry.IsDir() || known[entry.Name()] {
			return err
		}
		if info, err := entry.Info(); err == nil && e.Now().Sub(info.ModTime()) > maxStageAge {
			orphans = append(orphans, path)
		}
		return nil
	})
	if err != nil || len(orphans) == 0 {
		return nil, err
	}
	f := CheckFinding{State: CheckNote, Says: language.FormatCount(len(orphans), "file belongs", "files belong") + " to nothing", Do: "toolkit doctor --fix removes them", Details: orphans}
	sharers, err := store.ListSharingDatabases(e.Database)
	if err != nil {
		return []CheckFinding{f}, err
	}
	if len(sharers) > 0 {
		f.Says = language.FormatCount(len(orphans), "file is", "files are") + " not this database's"
		f.Do = "nothing, while another keeps files in the same folder: " + strings.Join(sharers, ", ")
		return []CheckFinding{f}, nil
	}
	return e.reportOrRemoveFiles(f)
}

func checkKeyFiles(_ context.Context, e *databaseExam) ([]CheckFinding, error) {
	keys := transfer.KeyFiles(e.Database)
	var empty []string
	for _, k := range keys {
		if info, err := os.Stat(filepath.Join(e.folder(), k)); err == nil && info.Size() == 0 {
			empty = append(empty, k)
		}
	}
	if len(empty) > 0 {
		return []CheckFinding{{State: CheckProblem, Says: language.FormatCount(len(empty), "key file is", "key files are") + " empty", Do: "bring them back from where you keep them; see docs/care.md", Details: empty}}, nil
	}
	return okFinding("%s; backups leave them out unless --keys is given", language.FormatCount(len(keys), "key file", "key files")), nil
}

func checkFullTextIndexes(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	faults, err := e.inspection.CountWordIndexFaults(ctx)
	if err != nil || len(faults) == 0 {
		return okFinding("every row is in its index"), err
	}
	f := CheckFinding{State: CheckProblem, Says: "rows are missing in an index, or are there alone", Do: "toolkit doctor --fix derives the indexes again"}
	for _, table := range slices.Sorted(maps.Keys(faults)) {
		f.Details = append(f.Details, fmt.Sprintf("%s: %d", table, faults[table]))
	}
	return e.reportOrRepair(f, func() (bool, error) {
		if err := e.reindex(ctx); err != nil {
			return false, err
		}
		again, err := e.inspection.CountWordIndexFaults(ctx)
		return len(again) == 0, err
	})
}

func checkMemoryIndexes(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	report, err := e.app.Search.CheckIndex(ctx)
	if err != nil {
		return nil, err
	}
	var findings []CheckFinding
	if report.Faults > 0 {
		f := CheckFinding{State: CheckProblem, Says: language.FormatCount(report.Faults, "contradiction", "contradictions") + " between memory and its indexes", Do: "toolkit doctor --fix, or toolkit admin reembed --rebuild", Details: report.Examples}
		findings, err = e.reportOrRepair(f, func() (bool, error) {
			if _, err := e.app.Search.RebuildIndex(ctx, nil); err != nil {
				return false, err
			}
			again, err := e.app.Search.CheckIndex(ctx)
			return again.Faults == 0, err
		})
		if err != nil {
			return findings, err
		}
	}
	if report.Earlier > 0 {
		findings = append(findings, CheckFinding{State: CheckNote, Says: language.FormatCount(report.Earlier, "row was", "rows were") + " indexed by an earlier version, which did not read the days that a text speaks of", Do: "toolkit admin reembed --rebuild"})
	}
	if report.Pending > 0 && e.Getenv("TOOLKIT_EMBEDDER") == "openai" { // the built-in model follows by itself
		findings = append(findings, CheckFinding{State: CheckNote, Says: fmt.Sprintf("%d of %s no vector of the present model yet", report.Pending, language.FormatCount(report.Rows, "row has", "rows have")), Do: "a server makes them when it searches; toolkit admin reembed does it now"})
	}
	if len(findings) == 0 {
		findings = okFinding("%s, each as its text says", language.FormatCount(report.Rows, "row", "rows"))
	}
	return findings, nil
}

func checkSnapshots(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	found, err := entities.RebuildSnapshots(ctx, e.app.Store, true, e.progress("snapshots"))
	if err != nil || found.Differing == 0 {
		return okFinding("%s, each as its observations say", language.FormatCount(found.Entities, "snapshot", "snapshots")), err
	}
	f := CheckFinding{State: CheckProblem, Says: fmt.Sprintf("%d of %s differ from their observations", found.Differing, language.FormatCount(found.Entities, "snapshot", "snapshots")), Do: "toolkit doctor --fix, or toolkit admin snapshots rebuild"}
	return e.reportOrRepair(f, func() (bool, error) {
		_, err := entities.RebuildSnapshots(ctx, e.app.Store, false, e.progress("snapshots"))
		return true, err
	})
}

// morePatience is the advice where runs of hooks end before they are done.
const morePatience = "on a slow or busy machine set TOOLKIT_PATIENCE=3 in the environment of the assistant, which gives every run three times as long"

// checkHooks tells how the capture of sessions does, of which nobody hears otherwise.
func checkHooks(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	h, err := store.ReadValue(ctx, e.app.Store, func(tx *store.Tx) (hooks.Health, error) { return hooks.ReadHealth(tx, e.Database) })
	switch {
	case err != nil:
		return nil, err
	case h.Runs == 0:
		return okFinding("no assistant has run one yet"), nil
	}
	findings := okFinding("capture works; last on %s", h.Last.Format(time.DateTime))
	switch {
	case h.IsFailing():
		findings = []CheckFinding{{State: CheckProblem, Says: fmt.Sprintf("capture has failed %d times in a row, last on %s: %s", h.Failures, h.Last.Format(time.DateTime), h.Reason),
			Do: "mend what the other lines name; what was missed is taken in with the next session, or now with 'toolkit capture --all'"}}
	case h.Recent > 0:
		findings = append(findings, CheckFinding{State: CheckNote, Says: fmt.Sprintf("in the day before, %s failed, the last one because %s", language.FormatCount(h.Recent, "run", "runs"), h.Reason),
			Do: "nothing, if it stays rare: what was heard waits and is stored by a later run; " + morePatience})
	}
	if h.Unhelped > 0 {
		findings = append(findings, CheckFinding{State: CheckNote, Says: fmt.Sprintf("in the day before, %s without what is remembered, because recalling it failed or took too long", language.FormatCount(h.Unhelped, "prompt went", "prompts went")),
			Do: "nothing, if it stays rare; " + morePatience})
	}
	if h.Spooled > 0 {
		findings = append(findings, CheckFinding{State: CheckNote, Says: language.FormatCount(h.Spooled, "turn that was heard waits", "turns that were heard wait") + " to be stored", Do: "nothing: the next session takes them up"})
	}
	return findings, nil
}

// checkMovedFolder tells where the memory of the working folder is, if this was moved.
func checkMovedFolder(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	folder, _ := os.Getwd() // without one there is no project
	at, ok := tools.FindProjectOfFolder(folder)
	if !ok {
		return okFinding("the working folder is no project"), nil
	}
	moved, err := store.ReadValue(ctx, e.app.Store, func(tx *store.Tx) (sessions.Project, error) { return capture.FindMovedProject(tx, &at) })
	if err != nil || moved.ID == 0 {
		return okFinding("the working folder is not known to have been moved"), err
	}
	says, command := capture.MovedFolderHint(moved)
	return []CheckFinding{{State: CheckNote, Says: says, Do: "if it was moved or renamed to this folder: " + command}}, nil
}

// litestreamLag is how far Litestream, which looks every second, may be behind a
// server under load.
const litestreamLag = 10 * time.Second

// checkLitestream tells how the continuous copy does, of which nobody hears otherwise,
// and where it and the care for the file are in each other's way.
func checkLitestream(ctx context.Context, e *databaseExam) ([]CheckFinding, error) {
	last, err := store.LastLitestreamTime(e.Database)
	if err != nil {
		return nil, err
	}
	if last.IsZero() {
		return okFinding("it copies nothing here"), nil
	}
	var findings []CheckFinding
	changed, logged := e.readLastChangeAndLogSize()
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

// readLastChangeAndLogSize returns when the database was last written, and the size of its log.
func (e *databaseExam) readLastChangeAndLogSize() (changed time.Time, logged int64) {
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
