package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
)

// databaseSource sends what a database of either engine holds, as of one moment.
type databaseSource struct {
	from       *store.Inspection
	whole      bool // what cannot be read is an error, not a gap
	leaveFiles bool
	key        bool // that of banks, too

	schema  int64
	files   int      // known to the database
	missing []string // hashes of files whose bytes are lost or damaged
}

// Send reads table by table.
func (s *databaseSource) Send(ctx context.Context, to Destination) error {
	tables, err := s.listTables(ctx)
	if err != nil {
		return err
	}
	lastIDs, damage := s.from.Sequences(ctx)
	if damage != nil && !store.IsUnreadable(damage) {
		return damage
	}
	if err := to.Begin(ctx, s.makeHeader(ctx, tables, lastIDs)); err != nil {
		return err
	}
	if damage != nil {
		if err := s.noteDamage(ctx, to, "sqlite_sequence", damage); err != nil {
			return err
		}
	}
	for _, t := range tables {
		if err := s.sendTable(ctx, to, t); err != nil {
			return err
		}
	}
	if err := s.sendFiles(ctx, to); err != nil || !s.key {
		return err
	}
	key, err := s.from.FindKey(ctx, store.BankKey)
	if err != nil || key == nil {
		return err
	}
	return to.AddKey(ctx, store.BankKey, key)
}

func (s *databaseSource) makeHeader(ctx context.Context, tables []store.Table, lastIDs map[string]int64) *Header {
	h := &Header{Schema: s.schema}
	for _, t := range tables {
		described := store.TableHeader{Name: t.Name, Columns: t.Columns}
		if id, counts := lastIDs[t.Name]; counts {
			described.LastID = &id
		}
		h.Tables = append(h.Tables, described)
		if n, err := s.from.Count(ctx, t.Name); err == nil { // of a damaged table it is not known
			h.Rows += n
		}
	}
	return h
}

func (s *databaseSource) sendTable(ctx context.Context, to Destination, t store.Table) error {
	var refused error // by the destination, which may be damaged itself
	err := s.from.EachRow(ctx, t, func(values []any) error {
		refused = to.AddRow(ctx, t.Name, values)
		return refused
	})
	if refused == nil && store.IsUnreadable(err) {
		return s.noteDamage(ctx, to, t.Name, err)
	}
	return err
}

// listTables returns the tables whose rows are sent.
func (s *databaseSource) listTables(ctx context.Context) (tables []store.Table, err error) {
	s.schema, _, err = s.from.Schema(ctx)
	if errors.Is(err, store.ErrDamaged) {
		return nil, fmt.Errorf("the damage is in the part of the file that says where its tables are, so nothing can be read: restore a backup: %w", err)
	}
	if err == nil {
		err = store.CheckSchema(s.schema)
	}
	if err != nil {
		return nil, err
	}
	tables, err = s.from.Tables(ctx)
	return slices.DeleteFunc(tables, func(t store.Table) bool { return t.Virtual }), err
}

func (s *databaseSource) noteDamage(ctx context.Context, to Destination, table string, cause error) error {
	if s.whole {
		return fmt.Errorf("table %s: %w; save what can be read with 'toolkit export --all'", table, cause)
	}
	return to.AddGap(ctx, Gap{table, cause.Error()})
}

func (s *databaseSource) sendFiles(ctx context.Context, to Destination) error {
	files, err := s.from.ListStoredFiles(ctx)
	if errors.Is(err, store.ErrDamaged) {
		return nil // the table is a gap already
	}
	s.files = len(files)
	if err != nil || s.leaveFiles {
		return err
	}
	s.missing, err = eachFile(ctx, s.from, files, func(f store.StoredFile, in io.Reader) error { return to.AddFile(ctx, f.SHA256, in) })
	return err
}

// eachFile calls f with the bytes of every file, and returns the hashes of those whose
// bytes are lost, cannot be read or are others.
func eachFile(ctx context.Context, from *store.Inspection, files []store.StoredFile, f func(store.StoredFile, io.Reader) error) (missing []string, err error) {
	missing = []string{}
	for _, file := range files {
		in, err := from.OpenFile(ctx, file.SHA256)
		var unreadable *fs.PathError
		switch {
		case errors.Is(err, store.ErrBlobMissing), errors.As(err, &unreadable):
			missing = append(missing, file.SHA256)
			continue
		case err != nil:
			return missing, err
		}
		if err := errors.Join(f(file, in), in.Close()); err != nil {
			return missing, err
		}
	}
	return missing, nil
}

// Target is the database that a copy becomes. The zero value of every field but Database,
// Occupied and Derive is the default.
type Target struct {
	Database    string // path of a file or address of PostgreSQL; must not exist, or be empty
	Occupied    string // what to say when it is not empty
	DryRun      bool   // read and check everything, change nothing
	AcceptsGaps bool   // rows that refer to lost ones go
	Now         time.Time
	Derive      func(*store.Tx) error // makes what is derived of the rows, such as full-text indexes
	Progress    func(rows, all int)   // may be nil
}

// Filled is what came into a database.
type Filled struct {
	Counts
	Dropped map[string]int `json:"dropped"` // rows that referred to lost ones, by table
	Aside   []string       `json:"aside"`   // where the empty database went
	Missing []string       `json:"-"`       // hashes of files whose bytes the source lacks
}

// fillNewDatabase brings a source into a new database, which appears only when all of it has been
// compared.
func fillNewDatabase(ctx context.Context, from Source, t Target) (*Filled, error) {
	if store.IsPostgres(t.Database) {
		return t.fillDatabase(ctx, from, t.Database)
	}
	if err := t.checkDatabaseIsEmpty(ctx); err != nil {
		return nil, err
	}
	stage, err := makeStage(t.Database)
	if err != nil {
		return nil, err
	}
	defer stage.remove()
	filled, err := t.fillDatabase(ctx, from, stage.database())
	if err != nil || t.DryRun {
		return filled, err
	}
	if err := t.checkDatabaseIsEmpty(ctx); err != nil { // it may have been written to meanwhile
		return nil, err
	}
	filled.Aside, err = stage.replaceDatabase(ctx, true, t.Now)
	return filled, err
}

func (t Target) fillDatabase(ctx context.Context, from Source, path string) (*Filled, error) {
	to := &databaseDestination{target: t, path: path, dropped: map[string]int{}}
	counts, err := copyAndCount(ctx, from, to, t.Progress)
	if to.Destination != nil {
		if closed := to.Close(); err == nil {
			err = closed
		}
	}
	return &Filled{Counts: counts, Dropped: to.dropped, Aside: []string{}}, err
}

// checkDatabaseIsEmpty refuses a file that holds more than a new database does.
func (t Target) checkDatabaseIsEmpty(ctx context.Context) error {
	if _, err := os.Stat(t.Database); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	i, err := store.OpenInspection(ctx, t.Database)
	if err != nil {
		return err
	}
	defer i.Close() //nolint:errcheck // it was only read
	return t.checkHasNoUserRows(ctx, i)
}

func (t Target) checkHasNoUserRows(ctx context.Context, i *store.Inspection) error {
	rows, err := i.CountUserRows(ctx)
	if err == nil && rows > 0 {
		err = fmt.Errorf("%s holds %s already, without those that every database has; %s", store.DisplayName(t.Database), language.FormatCount(rows, "row", "rows"), t.Occupied)
	}
	return err
}

// databaseDestination fills a database of either engine.
type databaseDestination struct {
	*store.Destination // once it begins
	target             Target
	path               string
	dropped            map[string]int
}

func (d *databaseDestination) Begin(ctx context.Context, h *Header) (err error) {
	if d.Destination, err = store.NewDestination(ctx, d.path, h.Schema); err != nil {
		return err
	}
	if err := d.target.checkHasNoUserRows(ctx, d.Inspection); err != nil {
		return err
	}
	return d.CheckTableHeaders(h.Tables)
}

func (d *databaseDestination) AddGap(_ context.Context, gap Gap) error {
	if !d.target.AcceptsGaps {
		return fmt.Errorf("the file lacks rows, because the database that it came from was damaged (%s); --partial brings in what there is", gap)
	}
	d.KeepSeeds(gap.Table)
	return nil
}

func (d *databaseDestination) End(ctx context.Context, _ Counts) (err error) {
	if err := d.VerifyFilledAndClearOthers(ctx); err != nil {
		return err
	}
	if d.target.AcceptsGaps {
		if d.dropped, err = d.RepairDanglingReferences(ctx); err != nil {
			return err
		}
	}
	return d.CommitAndDerive(ctx, d.target.Derive)
}

// CopyToNewDatabase copies a database, which is a file or at an address, to a new one on either engine,
// and leaves it as it is. Only what has the newest schema is moved.
func CopyToNewDatabase(ctx context.Context, path string, t Target) (*Filled, error) {
	from, err := store.OpenInspection(ctx, path)
	if err != nil {
		return nil, err
	}
	defer from.Close() //nolint:errcheck // it was only read
	version, newest, err := from.Schema(ctx)
	if err != nil {
		return nil, err
	}
	if err := store.CheckSchema(version); err != nil {
		return nil, fmt.Errorf("%s: %w", store.DisplayName(path), err)
	}
	if version != newest {
		return nil, fmt.Errorf("%s has schema %d, this program %d: bring it there with 'toolkit doctor --fix --db %[1]s', then move it", store.DisplayName(path), version, newest)
	}
	source := &databaseSource{from: from, whole: true, key: true}
	filled, err := fillNewDatabase(ctx, source, t)
	if err == nil {
		filled.Missing = source.missing
	}
	return filled, err
}
