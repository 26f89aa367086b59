package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"toolkit/store/internal/query"
	"toolkit/store/localfile"
)

// Destination is a new database that everything of another one is copied to: a file, or
// a space of PostgreSQL. All rows are one transaction, so that a copy that fails or is
// cut short leaves none. Until Finish no trigger acts, no reference is checked and
// nothing is derived.
type Destination struct {
	*Inspection // of what it holds so far
	schema      int64
	tables      []Table
	triggers    []trigger               // of a file, to be made again
	current     *filledTable            // its rows are coming
	filled      map[string]*filledTable // by name
	lastIDs     map[string]int64
	keepsSeeds  map[string]bool // tables whose own rows were lost
}

// TableHeader announces the rows of a table.
type TableHeader struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	LastID  *int64   `json:"last_id,omitempty"` // greatest id ever given, where ids are not used again
}

// filledTable is a table with what it was given.
type filledTable struct {
	Table
	received    *rowHash
	insertion   *sql.Stmt // into a file
	queued      [][]any   // rows for PostgreSQL, which takes many at once
	queuedBytes int
}

// NewDestination opens a database to be filled: a file, made with a schema version, at
// most the newest, or the space at an address of PostgreSQL, which has the newest.
func NewDestination(ctx context.Context, path string, schema int64) (*Destination, error) {
	if err := CheckSchema(schema); err != nil {
		return nil, err
	}
	d := &Destination{Inspection: &Inspection{path: path}, schema: schema, filled: map[string]*filledTable{}, lastIDs: map[string]int64{}, keepsSeeds: map[string]bool{}}
	var err error
	if IsPostgres(path) {
		err = d.connectToServer(ctx)
	} else if err = d.createFileAndBegin(ctx); err != nil {
		err = describeOpenError(path, err)
	}
	if err != nil {
		d.Close() //nolint:errcheck // the first error is the one to report
		return nil, err
	}
	return d, nil
}

func (d *Destination) createFileAndBegin(ctx context.Context) (err error) {
	if d.path, err = ensureDatabaseFile(d.path, nil); err != nil {
		return err
	}
	if d.pool, err = sql.Open("sqlite", plainDSN(d.path, false)); err != nil {
		return err
	}
	d.pool.SetMaxOpenConns(1)
	if err := migrateTo(ctx, d.pool, d.schema); err != nil {
		return err
	}
	if d.conn, err = d.pool.Conn(ctx); err != nil {
		return err
	}
	if _, err := d.conn.ExecContext(ctx, `BEGIN IMMEDIATE`); err != nil {
		return err
	}
	if d.tables, err = readCatalog(ctx, d.conn); err != nil {
		return err
	}
	if d.triggers, err = listTriggers(ctx, d.conn); err != nil {
		return err
	}
	for _, t := range d.triggers {
		if _, err := d.conn.ExecContext(ctx, `DROP TRIGGER `+quoteName(t.name)); err != nil {
			return err
		}
	}
	_, err = d.conn.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name NOT IN (SELECT value FROM json_each(?))`, query.List(bookkeeping))
	return err
}

// trigger is a trigger of a file, as it was declared.
type trigger struct{ name, declared string }

func listTriggers(ctx context.Context, db query.Connection) ([]trigger, error) {
	return query.Select(rawReader{ctx, db}, func(t *trigger) []any { return []any{&t.name, &t.declared} }, `SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid`)
}

// CheckTableHeaders makes sure that what comes has the tables of this schema.
func (d *Destination) CheckTableHeaders(tables []TableHeader) error {
	expected := map[string]bool{}
	for _, t := range tables {
		if stored, found := d.findTable(t.Name); !found || !slices.Equal(stored.Columns, t.Columns) {
			return fmt.Errorf("table %q does not have these columns in schema %d", t.Name, d.schema)
		}
		expected[t.Name] = true
		if t.LastID != nil {
			d.lastIDs[t.Name] = *t.LastID
		}
	}
	for _, t := range d.tables {
		if !t.Virtual && !expected[t.Name] {
			return fmt.Errorf("it does not have the tables of schema %d", d.schema)
		}
	}
	return nil
}

// findTable finds a table that has rows of its own.
func (d *Destination) findTable(name string) (Table, bool) {
	n := slices.IndexFunc(d.tables, func(t Table) bool { return t.Name == name && !t.Virtual })
	if n < 0 {
		return Table{}, false
	}
	return d.tables[n], true
}

// AddRow adds a row with a value for each of the table's columns. The rows of a table
// come one after the other, in the place of what the schema puts there.
func (d *Destination) AddRow(ctx context.Context, table string, values []any) error {
	if d.current == nil || d.current.Name != table {
		if err := d.startFillingTable(ctx, table); err != nil {
			return err
		}
	}
	t := d.current
	if len(values) != len(t.Columns) {
		return fmt.Errorf("%s has no row of %d values", table, len(values))
	}
	if err := t.received.addRow(values); err != nil {
		return err
	}
	if d.server != nil {
		return d.queueRow(ctx, t, values)
	}
	if _, err := t.insertion.ExecContext(ctx, values...); err != nil {
		return fmt.Errorf("a row of %s: %w", table, classifyError(err))
	}
	return nil
}

func (d *Destination) startFillingTable(ctx context.Context, name string) error {
	if err := d.endFillingTable(ctx); err != nil {
		return err
	}
	table, found := d.findTable(name)
	switch {
	case !found:
		return fmt.Errorf("there is no table %q", name)
	case d.filled[name] != nil:
		return fmt.Errorf("the rows of %s do not follow one another", name)
	}
	if err := d.executeStatements(ctx, `DELETE FROM `+quoteName(name)); err != nil {
		return err
	}
	d.current = &filledTable{Table: table, received: newRowHash()}
	d.filled[name] = d.current
	if d.server != nil {
		return nil
	}
	var err error
	d.current.insertion, err = d.conn.PrepareContext(ctx, `INSERT INTO `+quoteName(name)+`(`+quoteNames(table.Columns)+`) VALUES(?`+strings.Repeat(", ?", len(table.Columns)-1)+`)`)
	return err
}

func (d *Destination) endFillingTable(ctx context.Context) error {
	t := d.current
	d.current = nil
	switch {
	case t == nil:
		return nil
	case d.server != nil:
		return d.copyQueuedRows(ctx, t)
	}
	return t.insertion.Close()
}

func (d *Destination) executeStatements(ctx context.Context, statements ...string) error {
	for _, statement := range statements {
		if _, err := d.conn.ExecContext(ctx, statement); err != nil {
			return classifyError(err)
		}
	}
	return nil
}

// KeepSeeds leaves in a table what the schema puts there, unless rows come: its own were
// lost.
func (d *Destination) KeepSeeds(table string) { d.keepsSeeds[table] = true }

// AddFile keeps the bytes of a file, which must be those of its hash.
func (d *Destination) AddFile(ctx context.Context, hash string, in io.Reader) error {
	if !IsBlobHash(hash) {
		return fmt.Errorf("%.80q is not the SHA-256 of a file", hash)
	}
	sum := sha256.New()
	in = io.TeeReader(contextReader{ctx, in}, sum)
	var err error
	if d.server != nil {
		err = d.insertBlobBytes(ctx, hash, in)
	} else {
		err = localfile.WriteNew(filePath(d.path, hash), in)
	}
	if err == nil && hex.EncodeToString(sum.Sum(nil)) != hash {
		err = fmt.Errorf("the file %s is not what its hash says", hash)
	}
	return err
}

// VerifyFilledAndClearOthers ends what is copied, and compares every table with the rows that it was given.
func (d *Destination) VerifyFilledAndClearOthers(ctx context.Context) error {
	if err := d.endFillingTable(ctx); err != nil {
		return err
	}
	for _, t := range d.tables {
		filled := d.filled[t.Name]
		switch {
		case filled != nil:
			found, err := d.Fingerprint(ctx, t)
			if err != nil {
				return err
			}
			if found != filled.received.String() {
				return fmt.Errorf("the rows of %s are not the same in %s", t.Name, DisplayName(d.path))
			}
		case !t.Virtual && !d.keepsSeeds[t.Name]:
			if err := d.executeStatements(ctx, `DELETE FROM `+quoteName(t.Name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// CommitAndDerive brings triggers and references back, which the rows must pass, keeps ids that were
// given from being given again, derives what is not copied, and keeps everything. A file is
// brought to the newest schema, and is whole without a log.
func (d *Destination) CommitAndDerive(ctx context.Context, derive func(*Tx) error) error {
	if d.server != nil {
		return d.restoreConstraintsAndCommit(ctx, derive)
	}
	for _, t := range d.triggers {
		if err := d.executeStatements(ctx, t.declared); err != nil {
			return err
		}
	}
	for table, last := range d.lastIDs {
		if err := d.setSequence(ctx, table, last); err != nil {
			return err
		}
	}
	faults, err := findForeignKeyFaults(ctx, d.conn, 1)
	if err == nil && len(faults) > 0 {
		err = fmt.Errorf("the rows contradict each other: %s", faults[0])
	}
	if err != nil {
		return err
	}
	if err := d.executeStatements(ctx, `COMMIT`); err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	d.conn, d.pool = nil, nil
	db, err := Open(ctx, Options{Path: d.path})
	if err != nil {
		return err
	}
	if err := errors.Join(db.Write(ctx, derive), db.Close()); err != nil {
		return err
	}
	return CheckpointFile(ctx, d.path)
}

func (d *Destination) setSequence(ctx context.Context, table string, last int64) error {
	_, err := d.conn.ExecContext(ctx, `DELETE FROM sqlite_sequence WHERE name = ?`, table)
	if err == nil {
		_, err = d.conn.ExecContext(ctx, `INSERT INTO sqlite_sequence(name, seq) VALUES(?, ?)`, table, last)
	}
	return classifyError(err)
}

// RepairDanglingReferences removes rows of a file that refer to rows which are missing, and those that
// then do, or cuts the reference where the schema says so. It returns how many rows went,
// by table.
func (d *Destination) RepairDanglingReferences(ctx context.Context) (map[string]int, error) {
	references, err := d.listReferences(ctx)
	if err != nil {
		return nil, err
	}
	dropped := map[string]int{}
	for again := true; again; {
		again = false
		for _, r := range references {
			done, err := d.conn.ExecContext(ctx, r.repairStatement())
			if err != nil {
				return nil, err
			}
			if n, err := done.RowsAffected(); err != nil {
				return nil, err
			} else if n > 0 {
				again = true
				dropped[r.table] += int(n)
			}
		}
	}
	return dropped, nil
}

// reference is a foreign key of one column, which all of ours are.
type reference struct {
	table, column, parent, key string
	cut                        bool
}

func (d *Destination) listReferences(ctx context.Context) ([]reference, error) {
	return query.Select(rawReader{ctx, d.conn}, func(r *reference) []any { return []any{&r.table, &r.column, &r.parent, &r.key, &r.cut} }, `SELECT m.name, f."from", f."table", coalesce(f."to", (SELECT name FROM pragma_table_info(f."table") WHERE pk = 1)), f.on_delete = 'SET NULL'
		FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table' ORDER BY m.rowid, f.id`)
}

func (r reference) repairStatement() string {
	t, c := quoteName(r.table), quoteName(r.column)
	dangling := ` WHERE ` + c + ` IS NOT NULL AND NOT EXISTS (SELECT 1 FROM ` + quoteName(r.parent) + ` AS p WHERE p.` + quoteName(r.key) + ` = ` + t + `.` + c + `)`
	if r.cut {
		return `UPDATE ` + t + ` SET ` + c + ` = NULL` + dangling
	}
	return `DELETE FROM ` + t + dangling
}
