package dump

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/transfer/backup"
	"toolkit/store"
)

// maxLineBytes bounds a line: no row of ours comes near it.
const maxLineBytes = 512 << 20

// IsDump reports whether a file starts like one of ours.
func IsDump(start []byte) bool {
	return bytes.HasPrefix(start, []byte(`{"format":"`+formatName+`"`))
}

// ReadOptions say where a file is read to. The zero value of every field but
// Database and Derive is the default.
type ReadOptions struct {
	Database string // must not exist, or be empty
	DryRun   bool   // read and check everything, change nothing
	Partial  bool   // accept a file that says what it lacks; rows that refer to lost ones go
	Now      time.Time
	Derive   func(ctx context.Context, database string) error // brings the schema up to date and derives the indexes
	Progress func(rows int)                                   // may be nil
}

// Result is what a file brought in.
type Result struct {
	Schema  int64          `json:"schema"`
	Tables  int            `json:"tables"`
	Rows    int            `json:"rows"`
	Files   int            `json:"files"` // embedded
	Lost    int            `json:"lost"`  // places where the file says that it lacks rows
	Dropped map[string]int `json:"dropped"`
	Aside   []string       `json:"aside"` // where the empty database went
}

// Read brings a file of Write into a new database, which appears only when all
// of the file has been read and checked.
func Read(ctx context.Context, in io.Reader, o ReadOptions) (*Result, error) {
	if err := requireEmpty(ctx, o.Database); err != nil {
		return nil, err
	}
	folder := filepath.Dir(o.Database)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	stage, err := os.MkdirTemp(folder, ".toolkit-restore-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(stage) //nolint:errcheck // doctor finds what is left
	r := &reader{ctx: ctx, in: bufio.NewReaderSize(in, 1<<20), options: o, stage: stage, path: filepath.Join(stage, "toolkit.db"), sum: sha256.New(), result: &Result{Dropped: map[string]int{}, Aside: []string{}}}
	defer r.abandon()
	if err := r.run(); err != nil {
		return nil, err
	}
	if err := o.Derive(ctx, r.path); err != nil {
		return nil, err
	}
	if o.DryRun {
		return r.result, nil
	}
	if err := store.CheckpointFile(ctx, r.path); err != nil {
		return nil, err
	}
	if err := requireEmpty(ctx, o.Database); err != nil { // it may have been written to meanwhile
		return nil, err
	}
	r.result.Aside, err = backup.Replace(ctx, backup.Replacement{Database: o.Database, Stage: stage, Force: true, Now: o.Now})
	return r.result, err
}

// requireEmpty refuses a database that holds more than a new one does.
func requireEmpty(ctx context.Context, database string) error {
	if _, err := os.Stat(database); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	i, err := store.Inspect(ctx, database)
	if err != nil {
		return err
	}
	defer i.Close() //nolint:errcheck // it was only read
	rows, err := i.CountUserRows(ctx)
	if err == nil && rows > 0 {
		err = fmt.Errorf("%s holds %s already; this file comes into a new database: choose one with --db", database, language.Pluralize(rows, "row", "rows"))
	}
	return err
}

type reader struct {
	ctx     context.Context
	in      *bufio.Reader
	options ReadOptions
	stage   string
	path    string
	load    *store.Loader
	sum     hash.Hash
	line    int
	file    *incoming
	result  *Result
}

func (r *reader) abandon() {
	if r.load != nil {
		r.load.Rollback()
	}
	if r.file != nil {
		r.file.out.Close() //nolint:errcheck // it is given up
	}
}

// anyLine has the keys of all kinds of lines but the first.
type anyLine struct {
	Table  string                     `json:"table"`
	Row    map[string]json.RawMessage `json:"row"`
	Unread *Unread                    `json:"unreadable"`
	fileLine
	end
}

func (r *reader) run() error {
	first, err := r.next()
	if err != nil {
		return err
	}
	if err := r.begin(first); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	for {
		before := hex.EncodeToString(r.sum.Sum(nil))
		raw, err := r.next()
		if err == io.EOF {
			return fmt.Errorf("the file ends after line %d without its last line; it is not whole", r.line)
		}
		if err != nil {
			return err
		}
		var l anyLine
		if err := json.Unmarshal(raw, &l); err != nil {
			return fmt.Errorf("line %d is not a line of an export: %w", r.line, err)
		}
		if l.End {
			return r.finish(l.end, before)
		}
		if err := r.take(l); err != nil {
			return fmt.Errorf("line %d: %w", r.line, err)
		}
	}
}

func (r *reader) next() ([]byte, error) {
	if err := r.ctx.Err(); err != nil {
		return nil, err
	}
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLineBytes {
			return nil, fmt.Errorf("line %d is longer than %d MB", r.line+1, maxLineBytes>>20)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if err == io.EOF && len(line) > 0 {
			err = nil // the last line may lack its end; a cut one is no JSON
		}
		if err != nil {
			return nil, err
		}
		r.line++
		r.sum.Write(line) //nolint:errcheck // a hash never fails
		return line, nil
	}
}

func (r *reader) begin(raw []byte) error {
	var h header
	if err := json.Unmarshal(raw, &h); err != nil || h.Format != formatName {
		return errors.New("this is no file of 'toolkit export --all'")
	}
	if h.Version != formatVersion {
		return fmt.Errorf("format version %d is unknown; this program knows %d: update toolkit", h.Version, formatVersion)
	}
	var err error
	if r.load, err = store.NewLoader(r.ctx, r.path, h.Schema); err != nil {
		return err
	}
	r.result.Schema, r.result.Tables = h.Schema, len(h.Tables)
	var named []string
	for _, t := range h.Tables {
		if !slices.Equal(t.Columns, r.load.Columns(t.Name)) {
			return fmt.Errorf("table %q does not have these columns in schema %d", t.Name, h.Schema)
		}
		named = append(named, t.Name)
		if t.LastID != nil {
			if err := r.load.SetSequence(r.ctx, t.Name, *t.LastID); err != nil {
				return err
			}
		}
	}
	slices.Sort(named)
	if !slices.Equal(named, r.load.Tables()) {
		return fmt.Errorf("it does not have the tables of schema %d", h.Schema)
	}
	return nil
}

func (r *reader) take(l anyLine) error {
	switch {
	case l.Table != "":
		return r.row(l.Table, l.Row)
	case l.Unread != nil:
		r.result.Lost++
		if !r.options.Partial {
			return fmt.Errorf("the file lacks rows, because the database that it came from was damaged (%s); --partial brings in what there is", l.Unread)
		}
		r.load.KeepSeeds(l.Unread.Table)
		return nil
	case l.File != "":
		return r.piece(l.fileLine)
	}
	return errors.New("it is not a line of an export")
}

func (r *reader) row(table string, row map[string]json.RawMessage) error {
	columns := r.load.Columns(table)
	if columns == nil {
		return fmt.Errorf("there is no table %q", table)
	}
	if len(row) != len(columns) {
		return fmt.Errorf("a row of %s has %d columns, not %d", table, len(columns), len(row))
	}
	values := make([]any, len(columns))
	for i, c := range columns {
		var err error
		if values[i], err = parseValue(row[c]); err != nil {
			return fmt.Errorf("%s.%s: %w", table, c, err)
		}
	}
	if err := r.load.Insert(r.ctx, table, values); err != nil {
		return err
	}
	if r.result.Rows++; r.options.Progress != nil && r.result.Rows%100 == 0 {
		r.options.Progress(r.result.Rows)
	}
	return nil
}

// incoming is an embedded file on its way.
type incoming struct {
	hash   string
	out    *os.File
	sum    hash.Hash
	offset int64
}

func (r *reader) piece(l fileLine) error {
	data, err := base64.StdEncoding.DecodeString(l.Data)
	if err != nil {
		return fmt.Errorf("a file: %w", err)
	}
	if r.file == nil {
		if r.file, err = r.newFile(l.File); err != nil {
			return err
		}
	}
	f := r.file
	if f.hash != l.File || f.offset != l.Offset {
		return errors.New("pieces of files are out of order")
	}
	f.sum.Write(data) //nolint:errcheck // a hash never fails
	f.offset += int64(len(data))
	if _, err := f.out.Write(data); err != nil {
		return err
	}
	if !l.Last {
		return nil
	}
	r.file = nil
	if err := errors.Join(f.out.Sync(), f.out.Close()); err != nil {
		return err
	}
	if hex.EncodeToString(f.sum.Sum(nil)) != f.hash {
		return fmt.Errorf("the file %s is not what its hash says", f.hash)
	}
	r.result.Files++
	return nil
}

func (r *reader) newFile(hash string) (*incoming, error) {
	if raw, err := hex.DecodeString(hash); err != nil || len(raw) != sha256.Size || hex.EncodeToString(raw) != hash {
		return nil, fmt.Errorf("%.80q is not the SHA-256 of a file", hash)
	}
	path := filepath.Join(r.stage, filepath.FromSlash(store.FilePlace(hash)))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	out, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	return &incoming{hash: hash, out: out, sum: sha256.New()}, err
}

func (r *reader) finish(e end, sum string) error {
	switch {
	case r.file != nil:
		return errors.New("the last file is not whole")
	case e.SHA256 != sum:
		return errors.New("the lines are not those that were written (SHA-256 differs): the file is damaged or was altered")
	case e.Rows != r.result.Rows || e.Lost != r.result.Lost:
		return fmt.Errorf("the file has %d rows, its last line says %d", r.result.Rows, e.Rows)
	}
	if _, err := r.in.Peek(1); err != io.EOF {
		return errors.New("there is something behind the last line")
	}
	if r.options.Partial {
		dropped, err := r.load.DropDangling(r.ctx)
		if err != nil {
			return err
		}
		r.result.Dropped = dropped
	}
	return r.load.Finish(r.ctx)
}
