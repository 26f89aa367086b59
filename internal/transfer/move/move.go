// Package move copies everything that a database holds to another one, on either
// engine: rows, the bytes of files, and the key of banks. Every table is compared
// afterwards. A move that was cut short goes on where it was.
package move

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"toolkit/internal/language"
	"toolkit/internal/transfer/backup"
	"toolkit/store"
	"toolkit/store/keyfile"
)

// Options say what is moved where.
type Options struct {
	From, To string // files or addresses, see store.SpacePath
	Now      time.Time
	// Derive makes what is derived of the rows, such as full-text indexes.
	Derive   func(context.Context, *store.DB) error
	Progress func(rows int) // may be nil
}

// Result is what was moved.
type Result struct {
	Tables  int      `json:"tables"`
	Rows    int      `json:"rows"`    // copied now
	Kept    int      `json:"kept"`    // tables that stood there already as they should, of an earlier attempt
	Files   int      `json:"files"`   // with their bytes
	Missing []string `json:"missing"` // hashes of files whose bytes the source lacks
}

// Run moves everything as of one moment and leaves the source as it is.
func Run(ctx context.Context, o Options) (*Result, error) {
	from, err := store.Inspect(ctx, o.From)
	if err != nil {
		return nil, err
	}
	defer from.Close() //nolint:errcheck // it was only read
	m := &mover{Options: o, from: from, result: &Result{Missing: []string{}}}
	if err := m.check(ctx); err != nil {
		return nil, err
	}
	if store.IsPostgres(o.To) {
		return m.result, m.fill(ctx, o.To)
	}
	return m.result, m.toFile(ctx)
}

type mover struct {
	Options
	from   *store.Inspection
	to     *store.Destination
	stage  string // folder in which a file is filled
	result *Result
}

// check refuses a source whose schema is another: the newest is what is copied.
func (m *mover) check(ctx context.Context) error {
	version, newest, err := m.from.Schema(ctx)
	if err != nil {
		return err
	}
	if err := store.CheckSchema(version); err != nil {
		return fmt.Errorf("%s: %w", store.DisplayName(m.From), err)
	}
	if version != newest {
		return fmt.Errorf("%s has schema %d, this program %d: bring it there with 'toolkit doctor --fix --db %[1]s', then move it", store.DisplayName(m.From), version, newest)
	}
	return nil
}

// toFile fills a file beside the one it is to become, and puts it there when it is
// whole.
func (m *mover) toFile(ctx context.Context) error {
	if _, err := os.Stat(m.To); err == nil {
		i, err := store.Inspect(ctx, m.To)
		if err != nil {
			return err
		}
		rows, err := i.CountUserRows(ctx)
		if err := errors.Join(err, i.Close()); err != nil {
			return err
		}
		if rows > 0 {
			return occupied(m.To, rows)
		}
	}
	m.stage = filepath.Join(filepath.Dir(m.To), ".toolkit-move-"+filepath.Base(m.To))
	if err := os.MkdirAll(m.stage, 0o700); err != nil {
		return err
	}
	file := filepath.Join(m.stage, "toolkit.db")
	if err := m.fill(ctx, file); err != nil {
		return err
	}
	if err := store.CheckpointFile(ctx, file); err != nil {
		return err
	}
	if _, err := backup.Replace(ctx, backup.Replacement{Database: m.To, Stage: m.stage, Force: true, Now: m.Now}); err != nil {
		return err
	}
	return os.RemoveAll(m.stage)
}

func occupied(path string, rows int) error {
	return fmt.Errorf("%s holds %s already; everything is moved into a new database only", store.DisplayName(path), language.Pluralize(rows, "row", "rows"))
}

// fill fills a database and compares it with the source.
func (m *mover) fill(ctx context.Context, path string) (err error) {
	if m.to, err = store.NewDestination(ctx, path); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.to.Close()) }()
	unfinished, err := m.to.Unfinished(ctx)
	if err != nil {
		return err
	}
	if !unfinished {
		if rows, err := m.to.CountUserRows(ctx); err != nil {
			return err
		} else if rows > 0 {
			return occupied(path, rows)
		}
	}
	if err := m.to.Begin(ctx); err != nil {
		return err
	}
	if err := m.tables(ctx); err != nil {
		return err
	}
	if err := m.files(ctx); err != nil {
		return err
	}
	if err := m.key(ctx); err != nil {
		return err
	}
	last, err := m.from.Sequences(ctx)
	if err != nil {
		return err
	}
	if err := m.to.Finish(ctx, last); err != nil {
		return err
	}
	return m.to.Derive(ctx, m.Options.Derive)
}

// tables copies every table that is not there yet as it should be.
func (m *mover) tables(ctx context.Context) error {
	for _, t := range m.to.Tables() {
		m.result.Tables++
		wanted, err := m.from.Fingerprint(ctx, t)
		if err != nil {
			return err
		}
		found, err := m.to.Fingerprint(ctx, t)
		if err != nil {
			return err
		}
		if found == wanted {
			m.result.Kept++
			continue
		}
		if err := m.to.Fill(ctx, t, m.from, m.progress); err != nil {
			return err
		}
		if found, err = m.to.Fingerprint(ctx, t); err != nil {
			return err
		}
		if found != wanted {
			return fmt.Errorf("the rows of %s are not the same in %s; nothing was changed in %s", t.Name, store.DisplayName(m.To), store.DisplayName(m.From))
		}
	}
	return nil
}

func (m *mover) progress() {
	if m.result.Rows++; m.Progress != nil && m.result.Rows%100 == 0 {
		m.Progress(m.result.Rows)
	}
}

// files copies the bytes of every file, compared with their names.
func (m *mover) files(ctx context.Context) error {
	files, err := m.from.ListStoredFiles(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := m.file(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

func (m *mover) file(ctx context.Context, f store.StoredFile) error {
	in, size, err := m.from.OpenFile(ctx, f.SHA256)
	if err == nil {
		defer in.Close() //nolint:errcheck // it was only read
	}
	var bytes []byte
	if err == nil && size == f.Size {
		if bytes, err = io.ReadAll(in); err != nil {
			return err
		}
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if sum := sha256.Sum256(bytes); hex.EncodeToString(sum[:]) != f.SHA256 {
		m.result.Missing = append(m.result.Missing, f.SHA256)
		return nil
	}
	m.result.Files++
	if m.to.OnServer() {
		return m.to.StoreFile(ctx, f.SHA256, bytes)
	}
	path := filepath.Join(m.stage, filepath.FromSlash(store.FilePlace(f.SHA256)))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return os.WriteFile(path, bytes, 0o600)
}

// key copies the key that opens the access tokens of banks.
func (m *mover) key(ctx context.Context) (err error) {
	var key []byte
	if m.from.OnServer() {
		key, err = m.from.Key(ctx, store.BankKey)
	} else {
		key, err = os.ReadFile(filepath.Join(filepath.Dir(m.from.Path()), store.BankKey))
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
	}
	if err != nil || len(key) != keyfile.Size {
		return err
	}
	if m.to.OnServer() {
		return m.to.StoreKey(ctx, store.BankKey, key)
	}
	return os.WriteFile(filepath.Join(m.stage, store.BankKey), key, 0o600)
}
