package integrations

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"

	"toolkit/fixtures"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/records"
	"toolkit/tools"
)

const (
	// defaultPage is how many records are committed together: few enough that
	// other processes wait for a moment only.
	defaultPage = 500
	// reserve is the part of a call's time that is left for the last page and
	// the answer.
	reserve = 3 // a third
	// maxWarnings bounds how many files are named in an answer.
	maxWarnings = 10
)

// errPause ends a call that has done its share.
var errPause = errors.New("more is to be read")

// archiveImport is one call of sync_provider_imports.
type archiveImport struct {
	f        *family
	provider fixtures.Provider
	format   ArchiveFormat
	limit    int
	pages    int // that may still be committed; negative: any number
	until    time.Time
	run      records.ImportRun
	failures []string // documents that could not be read to their end, with the reason
	refused  []string // files that were not looked into
	stands   []string // what the items say otherwise than the user, or not plainly

	seen int // items, readable or not
}

func (f *family) syncProvider(ctx context.Context, in syncInput) (tools.Result[syncOutput], error) {
	p, format, err := findProvider(in)
	if err != nil {
		return tools.Result[syncOutput]{}, err
	}
	folder, err := f.openArchives(p, format)
	if err != nil {
		return tools.Result[syncOutput]{}, err
	}
	defer folder.Close() //nolint:errcheck // it was only read
	s := &archiveImport{f: f, provider: p, format: format, limit: cmp.Or(in.Limit, defaultPage), pages: cmp.Or(in.MaxPages, -1), run: records.ImportRun{
		ID: uuid.NewString(), Provider: p.ID, Status: "running", StartedAt: f.Store.Now().UnixMilli(),
	}}
	if deadline, ok := ctx.Deadline(); ok {
		s.until = deadline.Add(-time.Until(deadline) / reserve)
	}
	return s.finishRun(ctx, s.importFolder(ctx, folder, in.SyncType == "initial"))
}

// openArchives lists what lies in a provider's folder.
func (f *family) openArchives(p fixtures.Provider, format ArchiveFormat) (*ArchiveFolder, error) {
	place := importPath(p.ID)
	dir := filepath.Join(f.Store.Folder(), store.ImportsFolder)
	var folder *ArchiveFolder
	err := CheckArchiveFolder(dir)
	if err == nil {
		folder, err = OpenArchiveFolder(filepath.Join(dir, p.ID), format, f.Private.Snapshot())
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, connectorNotFoundError("provider", "archive in place", "there is no archive of %s; ask the user to put %s into %s in the data folder, beside the database", p.Name, format.Expects, place).WithDetail("expected_path", place)
	case errors.Is(err, ErrArchiveLink):
		return nil, connectorNotFoundError("provider", "archive in place", "%s in the data folder is a link, and links are not followed; put the archive itself there", place).WithDetail("expected_path", place)
	case err != nil:
		return nil, tools.Failed(codeSyncFailed, true, err, "%s in the data folder cannot be read; check its permissions", place)
	case len(folder.Documents) == 0 && len(folder.Refused) == 0:
		folder.Close() //nolint:errcheck // nothing was read
		return nil, connectorNotFoundError("provider", "archive in place", "%s in the data folder holds nothing of an export of %s; it takes %s", place, p.Name, format.Expects).WithDetail("expected_path", place)
	}
	return folder, nil
}

// importFolder goes through the documents of a folder. It returns errPause when more is
// to be read, and the first failure of the machine.
func (s *archiveImport) importFolder(ctx context.Context, folder *ArchiveFolder, initial bool) error {
	err := s.f.Store.Write(ctx, func(tx *store.Tx) error {
		if initial {
			if err := records.In(tx).ForgetImportDocuments(s.provider.ID); err != nil {
				return err
			}
		}
		return records.In(tx).SaveImportRun(s.run)
	})
	if err != nil {
		return err
	}
	for _, r := range folder.Refused {
		s.run.Errors++
		if message := r.Shown + ": " + r.Err.Error(); errors.Is(r.Err, ErrArchiveDamaged) {
			s.failures = append(s.failures, message) // most often a download that was cut short
		} else {
			s.refused = append(s.refused, message)
		}
	}
	for _, d := range folder.Documents {
		if err := s.checkPause(ctx); err != nil {
			return err
		}
		if err := s.importUnfinishedDocument(ctx, d); err != nil {
			return err
		}
	}
	return nil
}

// importUnfinishedDocument reads a document that was not read to its end before.
func (s *archiveImport) importUnfinishedDocument(ctx context.Context, d ArchiveDocument) error {
	fingerprint, err := d.Fingerprint()
	if err != nil {
		s.addFailure(d, err)
		return nil
	}
	known, err := store.ReadValue(ctx, s.f.Store, func(tx *store.Tx) (map[string]records.ImportDocument, error) {
		return records.In(tx).FindImportedDocuments(s.provider.ID, []string{fingerprint})
	})
	state := known[fingerprint]
	if err != nil || state.Finished {
		return err
	}
	state.Fingerprint = fingerprint
	return s.importDocument(ctx, d, state)
}

// checkPause ends the call when its time or its pages are used up.
func (s *archiveImport) checkPause(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.pages == 0 || !s.until.IsZero() && time.Now().After(s.until) {
		return errPause
	}
	return nil
}

func (s *archiveImport) addFailure(d ArchiveDocument, err error) {
	s.run.Errors++
	s.failures = append(s.failures, d.Shown+": "+err.Error())
}

// importDocument reads one document from where it was left, page by page.
func (s *archiveImport) importDocument(ctx context.Context, d ArchiveDocument, at records.ImportDocument) error {
	var page []ArchiveItem
	brokenItems := 0
	commit := func(finished bool) error {
		at.Finished = finished
		err := s.storePage(ctx, page, at, brokenItems)
		page, brokenItems = page[:0], 0
		return err
	}
	// Finding the place where reading goes on may take all the time of a call.
	reading, stop := ctx, context.CancelFunc(func() {})
	if !s.until.IsZero() {
		reading, stop = context.WithDeadline(ctx, s.until)
	}
	defer stop()
	for entry, err := range s.format.Reader(d.Name)(reading, d, at.Position) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil && reading.Err() != nil {
			break
		}
		if err != nil {
			if failure := commit(false); failure != nil {
				return failure
			}
			s.addFailure(d, err)
			return nil
		}
		at.Position = entry.Next
		if s.seen++; entry.Broken != nil {
			brokenItems++
		} else {
			page = append(page, entry.Item)
		}
		if len(page)+brokenItems < s.limit {
			continue
		}
		if err := commit(false); err != nil {
			return err
		}
		s.reportProgress(ctx, d)
		if err := s.checkPause(ctx); err != nil {
			return err
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	paused := reading.Err() != nil
	if err := commit(!paused); err != nil {
		return err
	}
	s.reportProgress(ctx, d)
	if paused {
		return errPause
	}
	return nil
}

func (s *archiveImport) reportProgress(ctx context.Context, d ArchiveDocument) {
	tools.ReportProgress(ctx, float64(s.seen), 0, fmt.Sprintf("%s: %d added, %d updated, %d known", d.Shown, s.run.Added, s.run.Updated, s.run.Unchanged))
}

// storePage stores a page with the place where reading goes on, in one transaction.
func (s *archiveImport) storePage(ctx context.Context, page []ArchiveItem, at records.ImportDocument, brokenItems int) error {
	run := s.run
	var stands []string
	err := s.f.Store.Write(ctx, func(tx *store.Tx) error {
		run = s.run
		run.Errors += brokenItems
		n, err := s.f.storeItems(tx, s.provider.ID, page, false)
		if err != nil {
			return err
		}
		run.Added, run.Updated, run.Unchanged, stands = run.Added+n.added, run.Updated+n.changed, run.Unchanged+n.unchanged, n.stands
		if err := records.In(tx).SaveImportDocument(s.provider.ID, at); err != nil {
			return err
		}
		return records.In(tx).SaveImportRun(run)
	})
	if err != nil {
		return err
	}
	s.run, s.stands = run, append(s.stands, stands...)
	if s.pages > 0 && len(page)+brokenItems > 0 {
		s.pages--
	}
	return nil
}

// finishRun makes the answer of a call, or the error that keeps its statistics.
func (s *archiveImport) finishRun(ctx context.Context, err error) (tools.Result[syncOutput], error) {
	switch {
	case errors.Is(err, errPause):
		s.run.Status, err = "pending", nil
	case err != nil || len(s.failures) > 0:
		s.run.Status = "failed"
	default:
		s.run.Status = "completed"
	}
	if s.run.Status != "pending" {
		s.run.CompletedAt = s.f.Store.Now().UnixMilli()
	}
	// The outcome is noted even of a call that its caller gave up.
	noted := s.f.Store.Write(context.WithoutCancel(ctx), func(tx *store.Tx) error { return records.In(tx).SaveImportRun(s.run) })
	if err = errors.Join(err, noted); err != nil {
		return tools.Result[syncOutput]{}, s.interruptedError(ctx, err)
	}
	if s.run.Status == "failed" {
		return tools.Result[syncOutput]{}, s.unreadableFilesError()
	}
	return tools.Result[syncOutput]{Data: s.output(), Hints: s.hints()}, nil
}

func (s *archiveImport) output() syncOutput {
	out := syncOutput{
		SyncRunID: s.run.ID, Provider: s.provider.ID, Status: s.run.Status, Stats: s.stats(), StartedAt: tools.FormatTimestamp(s.run.StartedAt),
		HasMore: s.run.Status == "pending", ConnectorID: connectorID(s.provider.ID), Warnings: dedupeAndLimit(slices.Concat(s.failures, s.refused, s.stands)),
	}
	if s.run.CompletedAt > 0 {
		out.CompletedAt = tools.FormatTimestamp(s.run.CompletedAt)
	}
	return out
}

func (s *archiveImport) stats() syncStats {
	return syncStats{RecordsAdded: s.run.Added, RecordsUpdated: s.run.Updated, Errors: s.run.Errors, RecordsUnchanged: s.run.Unchanged}
}

// dedupeAndLimit names the first of many, each once.
func dedupeAndLimit(list []string) []string {
	distinct := tools.Distinct(list)
	if rest := len(distinct) - maxWarnings; rest > 0 {
		distinct = append(distinct[:maxWarnings], fmt.Sprintf("and %d more", rest))
	}
	return distinct
}

// interruptedError returns the error of a call that the machine, or the caller, ended.
// What was committed stays, and the next call goes on from there.
func (s *archiveImport) interruptedError(ctx context.Context, err error) error {
	if _, known := errors.AsType[*tools.Error](err); known {
		return err
	}
	reason := "the database did not answer as it should"
	if e := tools.ToStorageError(err); e != nil {
		reason = strings.ReplaceAll(e.Message, "nothing was changed: ", "")
	}
	if ctx.Err() != nil {
		reason = "the call was ended from outside"
	}
	return s.addRunDetails(tools.Failed(codeSyncFailed, true, err, "%s; %s stored, and the next call goes on from there", reason, language.FormatCount(s.run.Added+s.run.Updated, "record is", "records are")))
}

// unreadableFilesError returns the error of a sync in which a document could not be read.
func (s *archiveImport) unreadableFilesError() error {
	e := tools.Failed(codeSyncFailed, false, errors.New("documents could not be read"),
		"%d of the files in %s could not be read to their end; the rest is imported. Replace or remove: %s",
		len(s.failures), importPath(s.provider.ID), strings.Join(dedupeAndLimit(s.failures), "; "))
	return s.addRunDetails(e)
}

func (s *archiveImport) addRunDetails(e *tools.Error) *tools.Error {
	h := tools.NewRefusalHints().Because("what could be read is stored and stays").SuggestCall(syncName, tools.PriorityHigh, map[string]any{"provider": s.provider.ID}, "go on once the cause is mended")
	return e.WithDetail("sync_run_id", s.run.ID).WithDetail("stats", s.stats()).WithDetail("status", s.run.Status).WithHints(h)
}

func (s *archiveImport) hints() *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence())
	if s.run.Status == "pending" {
		h.Because("the time or the pages of this call are used up; what was read is stored")
		h.SuggestCall(syncName, tools.PriorityHigh, map[string]any{"provider": s.provider.ID, "sync_type": "incremental"}, "go on where this call ended")
		if s.seen == 0 {
			h.Warn("performance", tools.PriorityMedium, "the whole time went into finding the place where reading goes on", "unpack the archive in its folder, so that its files can be read from the middle")
		}
	} else {
		h.Because(fmt.Sprintf("every archive of %s is read; known items cost nothing when they come again", s.provider.Name))
	}
	if s.run.Errors > 0 {
		h.Warn("validation", tools.PriorityMedium, language.FormatCount(s.run.Errors, "item or file was", "items or files were")+" unreadable and passed over", "")
	}
	warnStandingCorrections(h, s.stands)
	if s.run.Added+s.run.Updated+s.run.Unchanged > 0 {
		h.SuggestCall(retrieveName, tools.PriorityMedium, map[string]any{"properties": map[string]any{"provider": s.provider.ID}}, "look at the records; search finds words in them")
	}
	return h
}

// warnStandingCorrections says what holds on to the user's word against what was synced.
func warnStandingCorrections(h *tools.Hints, stands []string) {
	for _, line := range dedupeAndLimit(stands) {
		h.Warn("conflict", tools.PriorityMedium, line, "if the source is right, use withdraw_correction or correct_field")
	}
}
