package store

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"toolkit/store/internal/query"
)

// Loader fills a new database file with rows as they were in another one. Nothing
// is derived and nothing checked until Finish.
type Loader struct {
	path         string
	db           *sql.DB
	tx           *sql.Tx
	schema       int64
	tables       map[string]Table
	triggers     []trigger // to be made again
	statements   map[string]*sql.Stmt
	seedsHandled map[string]bool // tables without, or meant to keep, what the schema puts there
}

// NewLoader creates a database of a schema version, at most the newest, at a path
// where there is none.
func NewLoader(ctx context.Context, path string, schema int64) (*Loader, error) {
	if err := CheckSchema(schema); err != nil {
		return nil, err
	}
	abs, err := preparePath(path, nil)
	if err != nil {
		return nil, err
	}
	l := &Loader{path: abs, schema: schema, tables: map[string]Table{}, statements: map[string]*sql.Stmt{}, seedsHandled: map[string]bool{}}
	if err := l.begin(ctx); err != nil {
		l.Rollback()
		return nil, describeOpen(abs, err)
	}
	return l, nil
}

// openEmpty opens a file that is to be filled and brings it to a schema version.
func openEmpty(ctx context.Context, path string, schema int64) (*sql.DB, error) {
	db, err := sql.Open("sqlite", plainDSN(path, false))
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, migrateTo(ctx, db, schema)
}

func (l *Loader) begin(ctx context.Context) (err error) {
	if l.db, err = openEmpty(ctx, l.path, l.schema); err != nil {
		return err
	}
	if l.tx, err = l.db.BeginTx(ctx, nil); err != nil {
		return err
	}
	tables, err := readCatalog(ctx, l.tx)
	if err != nil {
		return err
	}
	if l.triggers, err = dropTriggers(ctx, l.tx); err != nil {
		return err
	}
	for _, t := range tables {
		l.tables[t.Name] = t
	}
	_, err = l.tx.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name NOT IN (SELECT value FROM json_each(?))`, query.List(bookkeeping))
	return err
}

// trigger is a trigger of a file, as it was declared.
type trigger struct{ name, declared string }

func triggersOf(ctx context.Context, db querier) ([]trigger, error) {
	return query.All(rawReader{ctx, db}, func(scan query.Scan) (t trigger, err error) {
		err = scan(&t.name, &t.declared)
		return t, err
	}, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid`)
}

// dropTriggers keeps them from acting on rows that had them act before.
func dropTriggers(ctx context.Context, db execer) ([]trigger, error) {
	triggers, err := triggersOf(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, t := range triggers {
		if _, err := db.ExecContext(ctx, `DROP TRIGGER `+quoteName(t.name)); err != nil {
			return nil, err
		}
	}
	return triggers, nil
}

// insertion is the statement that adds a row to a table.
func (t Table) insertion() string {
	return `INSERT INTO ` + quoteName(t.Name) + `(` + quoteNames(t.Columns) + `) VALUES(?` + strings.Repeat(", ?", len(t.Columns)-1) + `)`
}

// Columns are the columns of an ordinary table, or nil when the schema has no
// such table.
func (l *Loader) Columns(table string) []string {
	if t, known := l.tables[table]; known && !t.Virtual {
		return t.Columns
	}
	return nil
}

// Tables are the names of the tables that rows can be inserted into.
func (l *Loader) Tables() []string {
	var names []string
	for name, t := range l.tables {
		if !t.Virtual {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Insert adds a row with a value for each of the table's columns.
func (l *Loader) Insert(ctx context.Context, table string, values []any) error {
	columns := l.Columns(table)
	if columns == nil || len(values) != len(columns) {
		return fmt.Errorf("%s has no row of %d values", table, len(values))
	}
	st := l.statements[table]
	if st == nil {
		if err := l.clear(ctx, table); err != nil {
			return err
		}
		var err error
		if st, err = l.tx.PrepareContext(ctx, l.tables[table].insertion()); err != nil {
			return err
		}
		l.statements[table] = st
	}
	if _, err := st.ExecContext(ctx, values...); err != nil {
		return fmt.Errorf("a row of %s: %w", table, classify(err))
	}
	return nil
}

// clear removes what the schema puts into a table, once.
func (l *Loader) clear(ctx context.Context, table string) error {
	if l.seedsHandled[table] {
		return nil
	}
	l.seedsHandled[table] = true
	_, err := l.tx.ExecContext(ctx, `DELETE FROM `+quoteName(table))
	return classify(err)
}

// KeepSeeds leaves in a table what the schema puts there, unless rows come: its
// own were lost.
func (l *Loader) KeepSeeds(table string) {
	if l.statements[table] == nil {
		l.seedsHandled[table] = true
	}
}

// SetSequence keeps the ids of a table from being given again.
func (l *Loader) SetSequence(ctx context.Context, table string, last int64) error {
	if l.Columns(table) == nil {
		return fmt.Errorf("there is no table %s", table)
	}
	return setSequence(ctx, l.tx, table, last)
}

func setSequence(ctx context.Context, db execer, table string, last int64) error {
	_, err := db.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name = ?`, table)
	if err == nil {
		_, err = db.ExecContext(ctx, `INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)`, table, last)
	}
	return classify(err)
}

// requireReferences makes sure that no row of a file refers to a missing one.
func requireReferences(ctx context.Context, db querier) error {
	faults, err := foreignKeyFaults(ctx, db, 1)
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("the rows contradict each other: %s", faults[0])
	}
	return err
}

// Finish checks that no row refers to a missing one and keeps everything. The
// database is complete but for its full-text indexes.
func (l *Loader) Finish(ctx context.Context) error {
	for _, table := range l.Tables() {
		if err := l.clear(ctx, table); err != nil {
			return err
		}
	}
	for _, t := range l.triggers {
		if _, err := l.tx.ExecContext(ctx, t.declared); err != nil {
			return err
		}
	}
	if err := requireReferences(ctx, l.tx); err != nil {
		return err
	}
	for _, st := range l.statements {
		st.Close() //nolint:errcheck // the transaction ends it too
	}
	if err := l.tx.Commit(); err != nil {
		return classify(err)
	}
	l.tx = nil
	return l.db.Close()
}

// Rollback gives up what was loaded. After Finish it does nothing.
func (l *Loader) Rollback() {
	if l.tx != nil {
		l.tx.Rollback() //nolint:errcheck // the file is given up
	}
	if l.db != nil {
		l.db.Close() //nolint:errcheck // the file is given up
	}
}

// Sequences are the greatest ids that tables have ever given.
func (i *Inspection) Sequences(ctx context.Context) (map[string]int64, error) {
	if i.server != nil {
		last, err := lastNumbers(ctx, i.conn)
		return last, classify(err)
	}
	last, err := query.Map[string, int64](rawReader{ctx, i.conn}, `SELECT name, seq FROM sqlite_sequence`)
	for _, name := range bookkeeping {
		delete(last, name)
	}
	return last, classify(err)
}

// DropDangling removes rows that refer to rows which are missing, and those that
// then do, or cuts the reference where the schema says so. It returns how many
// rows went, by table.
func (l *Loader) DropDangling(ctx context.Context) (map[string]int, error) {
	dropped := map[string]int{}
	for again := true; again; {
		again = false
		for _, name := range l.Tables() {
			references, err := l.references(ctx, name)
			if err != nil {
				return nil, err
			}
			for _, r := range references {
				done, err := l.tx.ExecContext(ctx, r.repair(name))
				if err != nil {
					return nil, err
				}
				if n, err := done.RowsAffected(); err != nil {
					return nil, err
				} else if n > 0 {
					again = true
					dropped[name] += int(n)
				}
			}
		}
	}
	return dropped, nil
}

// reference is a foreign key of one column, which all of ours are.
type reference struct {
	column, parent, key string
	cut                 bool
}

func (l *Loader) references(ctx context.Context, table string) ([]reference, error) {
	return query.All(rawReader{ctx, l.tx}, func(scan query.Scan) (r reference, err error) {
		var key sql.NullString
		var action string
		var seq int
		if err := scan(&seq, &r.column, &r.parent, &key, &action); err != nil {
			return r, err
		}
		if seq > 0 {
			return r, fmt.Errorf("%s has a reference of several columns", table)
		}
		if r.key, r.cut = key.String, action == "SET NULL"; !key.Valid {
			if p := l.tables[r.parent]; len(p.Key) == 1 {
				r.key = p.Key[0]
			}
		}
		return r, nil
	}, `SELECT seq, "from", "table", "to", on_delete FROM pragma_foreign_key_list(?)`, table)
}

func (r reference) repair(table string) string {
	t, c := quoteName(table), quoteName(r.column)
	dangling := ` WHERE ` + c + ` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ` + quoteName(r.parent) + ` AS p WHERE p.` + quoteName(r.key) + ` = ` + t + `.` + c + `)`
	if r.cut {
		return `UPDATE ` + t + ` SET ` + c + ` = NULL` + dangling
	}
	return `DELETE FROM ` + t + dangling
}
