package dump

import (
	"bufio"
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
	"time"

	"toolkit/internal/transfer/backup"
	"toolkit/store"
)

// chunk is how many bytes of an embedded file one line carries.
const chunk = 768 << 10

// WriteOptions say how a file is written. The zero value is usable but for
// Toolkit and Now.
type WriteOptions struct {
	Toolkit  string // version of this program
	Now      time.Time
	Embed    bool                // bytes of the files that records hold, too
	Progress func(done, all int) // rows; may be nil
}

// Written is what a file holds.
type Written struct {
	Tables   int
	Rows     int
	Files    int      // known to the database
	Embedded int      // of these, those whose bytes are in the file
	Missing  []string // hashes of files whose bytes were to be embedded but are lost or damaged
	Unread   []Unread // tables that could not be read as a whole
}

// Unread is a table of a damaged database that could not be read as a whole. Its other rows
// are in the file, see [store.Inspection.EachRow].
type Unread struct {
	Table string `json:"table"`
	Cause string `json:"cause"`
}

func (u Unread) String() string {
	return fmt.Sprintf("table %s could not be read as a whole: %s", u.Table, u.Cause)
}

// Write writes every row of every table as of one moment, table by table. Of a
// damaged database it says in the file and in its result which tables it could
// not read as a whole.
func Write(ctx context.Context, i *store.Inspection, out io.Writer, o WriteOptions) (*Written, error) {
	w := &writer{ctx: ctx, from: i, options: o, sum: sha256.New(), written: &Written{Missing: []string{}, Unread: []Unread{}}}
	w.out = bufio.NewWriterSize(io.MultiWriter(out, w.sum), 1<<20)
	w.plain = out
	return w.written, w.run()
}

type writer struct {
	ctx     context.Context
	from    *store.Inspection
	options WriteOptions
	out     *bufio.Writer // hashed
	plain   io.Writer
	sum     hash.Hash
	written *Written
	all     int // rows expected
	line    []byte
}

func (w *writer) run() error {
	tables, err := w.header()
	if err != nil {
		return err
	}
	for _, t := range tables {
		if err := w.table(t); err != nil {
			return err
		}
	}
	if err := w.files(); err != nil {
		return err
	}
	if err := w.out.Flush(); err != nil {
		return err
	}
	last, err := json.Marshal(end{End: true, Rows: w.written.Rows, Lost: len(w.written.Unread), SHA256: hex.EncodeToString(w.sum.Sum(nil))})
	if err != nil {
		return err
	}
	_, err = w.plain.Write(append(last, '\n'))
	return err
}

func (w *writer) header() ([]store.Table, error) {
	version, _, err := w.from.Schema(w.ctx)
	if errors.Is(err, store.ErrDamaged) {
		return nil, fmt.Errorf("the damage is in the part of the file that says where its tables are, so nothing can be read: restore a backup: %w", err)
	}
	if err != nil {
		return nil, err
	}
	if err := store.CheckSchema(version); err != nil {
		return nil, err
	}
	all, err := w.from.Tables(w.ctx)
	if err != nil {
		return nil, err
	}
	last, sequences := w.from.Sequences(w.ctx)
	h := header{Format: formatName, Version: formatVersion, Toolkit: w.options.Toolkit, Schema: version, ExportedAt: w.options.Now.UTC().Format(time.RFC3339)}
	var tables []store.Table
	for _, t := range all {
		if t.Virtual {
			continue
		}
		described := tableHeader{Name: t.Name, Columns: t.Columns}
		if id, counts := last[t.Name]; counts {
			described.LastID = &id
		}
		h.Tables = append(h.Tables, described)
		tables = append(tables, t)
		if n, err := w.from.Count(w.ctx, t.Name); err == nil {
			w.all += n
		}
	}
	w.written.Tables = len(tables)
	if err := w.json(h); err != nil {
		return nil, err
	}
	if sequences != nil {
		return tables, w.noteUnread("sqlite_sequence", sequences)
	}
	return tables, nil
}

func (w *writer) json(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(raw, '\n'))
	return err
}

func (w *writer) table(t store.Table) error {
	prefix := fmt.Sprintf(`{"table":%q,"row":{`, t.Name)
	err := w.from.EachRow(w.ctx, t, func(values []any) (err error) {
		w.line = append(w.line[:0], prefix...)
		for i, v := range values {
			if i > 0 {
				w.line = append(w.line, ',')
			}
			w.line = append(fmt.Appendf(w.line, "%q", t.Columns[i]), ':')
			if w.line, err = appendValue(w.line, v); err != nil {
				return fmt.Errorf("%s.%s: %w", t.Name, t.Columns[i], err)
			}
		}
		w.line = append(w.line, "}}\n"...)
		if w.written.Rows++; w.options.Progress != nil && w.written.Rows%100 == 0 {
			w.options.Progress(w.written.Rows, w.all)
		}
		_, err = w.out.Write(w.line)
		return err
	})
	if store.IsUnreadable(err) {
		return w.noteUnread(t.Name, err)
	}
	return err
}

// noteUnread says in the file which table could not be read as a whole.
func (w *writer) noteUnread(table string, cause error) error {
	u := Unread{table, cause.Error()}
	w.written.Unread = append(w.written.Unread, u)
	return w.json(map[string]Unread{"unreadable": u})
}

// files names the files that records hold and, when asked to, embeds them.
func (w *writer) files() error {
	files, err := w.from.ListStoredFiles(w.ctx)
	if errors.Is(err, store.ErrDamaged) {
		return nil // the table is named already
	}
	if err != nil {
		return err
	}
	w.written.Files = len(files)
	if !w.options.Embed {
		return nil // the rows of blobs name them
	}
	for _, f := range files {
		if err := w.embed(f); err != nil {
			return err
		}
	}
	return nil
}

type fileLine struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Data   string `json:"data"` // base64
	Last   bool   `json:"last,omitempty"`
}

// embed writes a file in pieces. Its bytes are compared with its name first.
func (w *writer) embed(f store.StoredFile) error {
	in, err := openWhole(w.ctx, w.from, f.SHA256)
	if err != nil {
		w.written.Missing = append(w.written.Missing, f.SHA256)
		return nil
	}
	defer in.Close() //nolint:errcheck // it was only read
	buffer := make([]byte, chunk)
	for offset := int64(0); ; {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(in, buffer)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		last := err != nil
		if err := w.json(fileLine{f.SHA256, offset, base64.StdEncoding.EncodeToString(buffer[:n]), last}); err != nil {
			return err
		}
		if last {
			w.written.Embedded++
			return nil
		}
		offset += int64(n)
	}
}

func openWhole(ctx context.Context, from *store.Inspection, hash string) (*os.File, error) {
	in, _, err := from.OpenFile(ctx, hash)
	if err != nil {
		return nil, err
	}
	sum, _, err := backup.Sum(in)
	if err == nil && sum != hash {
		err = errors.New("the file is damaged")
	}
	if err == nil {
		_, err = in.Seek(0, io.SeekStart)
	}
	if err != nil {
		in.Close() //nolint:errcheck // it was only read
		return nil, err
	}
	return in, nil
}
