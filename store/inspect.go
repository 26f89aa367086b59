package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/stdlib"

	"toolkit/store/internal/postgres"
	"toolkit/store/internal/query"
	"toolkit/store/localfile"
)

// Inspection reads a database file as it is: without migrating it, changing it,
// or requiring that all of it is sound. It sees one moment of the file, from the
// first look until Close, however much others write meanwhile.
type Inspection struct {
	path   string
	server *server // of PostgreSQL; nil: a file of SQLite
	pool   *sql.DB
	conn   *sql.Conn
}

// ErrForeign means that a path is something else than a database of toolkit, and
// nothing of ours to change.
var ErrForeign = errors.New("not a database of toolkit")

// ListMissingSchemaObjects lists the tables, indexes, triggers and views of the newest schema that
// the file lacks, such as "index relations_to", in order.
func (i *Inspection) ListMissingSchemaObjects(ctx context.Context) ([]string, error) {
	if i.server != nil {
		return nil, nil // its first step makes all of them, or none
	}
	fresh, err := newSchema()
	if err != nil {
		return nil, err
	}
	present, err := listSchemaObjects(ctx, i.conn)
	if err != nil {
		return nil, err
	}
	var missing []string
	for _, name := range fresh.objects {
		if !slices.Contains(present, name) {
			missing = append(missing, name)
		}
	}
	return missing, nil
}

// listSchemaObjects leaves out what SQLite makes by itself.
func listSchemaObjects(ctx context.Context, db query.Connection) ([]string, error) {
	return query.Select(rawReader{ctx, db}, query.Column[string], `SELECT type || ' ' || name FROM sqlite_master WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' ORDER BY 1`)
}

// OpenInspection opens an existing database file for inspection. Failures are
// *OpenError.
func OpenInspection(ctx context.Context, path string) (*Inspection, error) {
	if address, space := resolveAddress(path); IsPostgres(address) {
		if err := checkSpaceName(space); err != nil {
			return nil, err
		}
		return openPostgresInspection(ctx, address, space)
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, &OpenError{Message: "the database path cannot be made absolute: " + err.Error(), Err: err}
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &OpenError{Message: fmt.Sprintf("there is no database at %s; give its path with --db FILE or TOOLKIT_DB, or make one: 'toolkit capture --all' takes in your earlier sessions, 'toolkit install' sets up an assistant", abs), Err: err}
	case err != nil:
		return nil, &OpenError{Message: fmt.Sprintf("%s cannot be read: %v", abs, localfile.Cause(err)), Err: err}
	case info.IsDir():
		return nil, &OpenError{Message: abs + " is a folder; give the path of a database file", Err: ErrForeign}
	}
	i := &Inspection{path: abs}
	if err := i.open(ctx); err != nil {
		i.Close() //nolint:errcheck // the first error is the one to report
		return nil, describeOpenError(abs, err)
	}
	return i, nil
}

func (i *Inspection) open(ctx context.Context) (err error) {
	if i.pool, err = sql.Open("sqlite", plainDSN(i.path, true)); err != nil {
		return err
	}
	if i.conn, err = i.pool.Conn(ctx); err != nil {
		return err
	}
	var id int64
	if err := i.conn.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID {
		return &OpenError{Message: i.path + " is not a database of toolkit; choose another file with --db or TOOLKIT_DB", Err: ErrForeign}
	}
	_, err = i.conn.ExecContext(ctx, "BEGIN")
	return err
}

// plainDSN opens an existing file with no more pragmas than waiting for others.
func plainDSN(path string, queryOnly bool) string {
	pragmas := []string{waitPragma, "temp_store(2)"}
	if queryOnly {
		pragmas = append(pragmas, "query_only(1)")
	}
	return fileURL(path, pragmas)
}

// Close ends the inspection.
func (i *Inspection) Close() error {
	var errs []error
	if i.conn != nil {
		errs = append(errs, i.conn.Close())
	}
	if i.pool != nil {
		errs = append(errs, i.pool.Close())
	}
	return errors.Join(errs...)
}

// Schema is the version of the file's schema, and the newest that this program
// knows.
func (i *Inspection) Schema(ctx context.Context) (version, newest int64, err error) {
	if i.server != nil {
		version, err = i.server.schemaVersion(ctx, i.conn)
	} else {
		version, err = schemaVersion(ctx, i.conn)
	}
	return version, NewestSchema(), classifyError(err)
}

// Tables lists the tables of the file, see Table.
func (i *Inspection) Tables(ctx context.Context) ([]Table, error) {
	if i.server != nil {
		fresh, err := newSchema()
		return slices.Clone(fresh.tables), err // callers may drop some
	}
	tables, err := readCatalog(ctx, i.conn)
	return tables, classifyError(err)
}

// Count is how many rows a table has.
func (i *Inspection) Count(ctx context.Context, table string) (n int, err error) {
	err = i.conn.QueryRowContext(ctx, `SELECT count(*) FROM `+quoteName(table)).Scan(&n)
	return n, classifyError(err)
}

// Sequences are the greatest ids that tables have ever given.
func (i *Inspection) Sequences(ctx context.Context) (map[string]int64, error) {
	if i.server != nil {
		last, err := readServerSequences(ctx, i.conn)
		return last, classifyError(err)
	}
	last, err := query.Map[string, int64](rawReader{ctx, i.conn}, `SELECT name, seq FROM sqlite_sequence`)
	for _, name := range bookkeeping {
		delete(last, name)
	}
	return last, classifyError(err)
}

// FindIntegrityFaults asks SQLite for contradictions in the file and returns up to limit
// descriptions; none means that it is sound. deep also compares every index
// with its table, and the full-text indexes with themselves.
func (i *Inspection) FindIntegrityFaults(ctx context.Context, deep bool, limit int) ([]string, error) {
	if i.server != nil {
		return nil, nil // PostgreSQL checks its pages when it reads them
	}
	check := "quick_check"
	if deep {
		check = "integrity_check"
	}
	faults, err := query.Select(rawReader{ctx, i.conn}, query.Column[string], fmt.Sprintf("PRAGMA %s(%d)", check, limit))
	return slices.DeleteFunc(faults, func(line string) bool { return line == "ok" }), classifyError(err)
}

// FindForeignKeyFaults returns up to limit rows that refer to rows which do not exist.
func (i *Inspection) FindForeignKeyFaults(ctx context.Context, limit int) ([]string, error) {
	if i.server != nil {
		return nil, nil // PostgreSQL lets none in
	}
	faults, err := findForeignKeyFaults(ctx, i.conn, limit)
	return faults, classifyError(err)
}

func findForeignKeyFaults(ctx context.Context, db query.Connection, limit int) ([]string, error) {
	return query.Select(rawReader{ctx, db}, query.Column[string], `SELECT format('row %d of %s refers to a row that %s does not have', coalesce(rowid, 0), "table", parent) FROM pragma_foreign_key_check LIMIT ?`, limit)
}

// PageUsage is how the file uses its pages.
type PageUsage struct {
	PageSize, Pages, Free int64
}

// PageUsage tells the file's size and how much of it is free.
func (i *Inspection) PageUsage(ctx context.Context) (u PageUsage, err error) {
	for pragma, target := range map[string]*int64{"page_size": &u.PageSize, "page_count": &u.Pages, "freelist_count": &u.Free} {
		if err := i.conn.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(target); err != nil {
			return u, classifyError(err)
		}
	}
	return u, nil
}

// CountRows returns how many rows each table has that is not derived, by its name.
func (i *Inspection) CountRows(ctx context.Context) (map[string]int, error) {
	tables, err := i.Tables(ctx)
	if err != nil {
		return nil, err
	}
	return countRowsByTable(ctx, i.conn, tables)
}

func countRowsByTable(ctx context.Context, on query.Connection, tables []Table) (map[string]int, error) {
	rows := map[string]int{}
	for _, t := range tables {
		if t.Virtual {
			continue
		}
		var n int
		if err := on.QueryRowContext(ctx, `SELECT count(*) FROM `+quoteName(t.Name)).Scan(&n); err != nil {
			return nil, classifyError(err)
		}
		rows[t.Name] = n
	}
	return rows, nil
}

// CountUserRows returns how many rows the file has beyond those of a new database.
func (i *Inspection) CountUserRows(ctx context.Context) (rows int, err error) {
	fresh, err := newSchema()
	if err != nil {
		return 0, err
	}
	counts, err := i.CountRows(ctx)
	for table, n := range counts {
		rows += max(n-fresh.rows[table], 0)
	}
	return rows, err
}

// freshSchema is what a new database has.
type freshSchema struct {
	tables  []Table
	objects []string
	rows    map[string]int // by table
}

// newSchema makes a new database in memory once, and looks at it.
var newSchema = sync.OnceValues(func() (s freshSchema, err error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return s, err
	}
	defer db.Close() //nolint:errcheck // it is in memory
	db.SetMaxOpenConns(1)
	if err := migrate(ctx, db); err != nil {
		return s, err
	}
	if s.tables, err = readCatalog(ctx, db); err != nil {
		return s, err
	}
	if s.objects, err = listSchemaObjects(ctx, db); err != nil {
		return s, err
	}
	s.rows, err = countRowsByTable(ctx, db, s.tables)
	return s, err
})

// CountWordIndexFaults counts, by full-text index, rows that are missing in it and entries
// without a row. It compares row ids, not words.
func (i *Inspection) CountWordIndexFaults(ctx context.Context) (map[string]int, error) {
	faults := map[string]int{}
	for _, w := range wordIndexes {
		known, err := i.fileHasTable(ctx, w.table)
		if err != nil || !known {
			return faults, err
		}
		var missing, alone int
		indexed := `SELECT id FROM ` + w.table + `_docsize`
		wanted := `SELECT id FROM ` + w.rows
		all := wanted
		if w.table == "snapshot_words" {
			all = `SELECT entity FROM snapshots` // one without a name may be in it
		}
		err = i.conn.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM (`+wanted+` EXCEPT `+indexed+`)), (SELECT count(*) FROM (`+indexed+` EXCEPT `+all+`))`).Scan(&missing, &alone)
		if err != nil {
			return faults, classifyError(err)
		}
		if missing+alone > 0 {
			faults[w.table] = missing + alone
		}
	}
	return faults, nil
}

// LitestreamFolder is where Litestream notes what it has copied of the database
// at path, unless its meta-path says otherwise.
func LitestreamFolder(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"-litestream")
}

// LastLitestreamTime is when Litestream last took something from the database at
// path; zero where it never did. Whether that has arrived where Litestream sends
// it, only Litestream knows.
func LastLitestreamTime(path string) (last time.Time, err error) {
	err = filepath.WalkDir(LitestreamFolder(path), func(name string, entry fs.DirEntry, err error) error {
		var info fs.FileInfo
		if err == nil && filepath.Ext(name) == ".ltx" {
			info, err = entry.Info()
		}
		if info != nil && info.ModTime().After(last) {
			last = info.ModTime()
		}
		if errors.Is(err, fs.ErrNotExist) { // of the folder, or of what Litestream has removed since
			return nil
		}
		return err
	})
	return last, err
}

// HasTraces reports whether something forgotten still leaves traces in the file
// or its log. The database has to be of the present schema.
func (i *Inspection) HasTraces(ctx context.Context) (left bool, err error) {
	err = i.conn.QueryRowContext(ctx, `SELECT count(*) > 0 FROM forgetting`).Scan(&left)
	return left, classifyError(err)
}

// openPostgresInspection opens a space of a server for inspection, as of one moment.
func openPostgresInspection(ctx context.Context, address, space string) (*Inspection, error) {
	s := newServer(address, space)
	config, err := s.connectionConfig(address)
	if err != nil {
		return nil, err
	}
	i := &Inspection{path: s.name, server: s, pool: stdlib.OpenDB(*config)}
	if err := i.openServer(ctx); err != nil {
		i.Close() //nolint:errcheck // the first error is the one to report
		return nil, s.describeOpenError(err)
	}
	return i, nil
}

func (i *Inspection) openServer(ctx context.Context) (err error) {
	if i.conn, err = i.pool.Conn(ctx); err != nil {
		return err
	}
	if version, err := i.server.schemaVersion(ctx, i.conn); err != nil || version == 0 {
		if err == nil {
			err = &OpenError{Message: fmt.Sprintf("%s holds nothing of toolkit yet; 'toolkit move' brings a database there, or 'toolkit serve' makes a new one", i.path), Err: os.ErrNotExist}
		}
		return err
	}
	_, err = i.conn.ExecContext(ctx, `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`)
	return err
}

// readServerSequences returns the greatest numbers that tables have ever given, of those that never
// give one again and gave any.
func readServerSequences(ctx context.Context, on query.Connection) (map[string]int64, error) {
	fresh, err := newSchema()
	if err != nil {
		return nil, err
	}
	last := map[string]int64{}
	for _, t := range fresh.tables {
		if !t.Counts {
			continue
		}
		var n int64
		var called bool
		if err := on.QueryRowContext(ctx, `SELECT last_value, is_called FROM `+quoteName(postgres.SequenceName(t.Name))).Scan(&n, &called); err != nil {
			return nil, err
		}
		if called {
			last[t.Name] = n
		}
	}
	return last, nil
}

// resolveAddress is where a path leads in a test that keeps its files in another database.
func resolveAddress(path string) (address, space string) {
	if localfile.Redirect != nil && !IsPostgres(path) {
		return localfile.Redirect(path)
	}
	return splitSpace(path, "")
}
