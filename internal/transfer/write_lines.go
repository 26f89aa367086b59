package transfer

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"time"

	"toolkit/store"
)

// A file of 'toolkit export' is a stream as JSON lines; docs/care.md describes it.
const (
	exportFormat  = "toolkit-export"
	exportVersion = 1

	// maxPieceBytes is how much of a file one line carries.
	maxPieceBytes = 768 << 10
)

// headerLine is the first line of a file.
type headerLine struct {
	Format     string `json:"format"`  // always first: it tells the file from other JSON lines
	Version    int    `json:"version"` // of the format
	Toolkit    string `json:"toolkit"` // version of the program that wrote it
	ExportedAt string `json:"exported_at"`
	Header
}

// pieceLine is a part of the bytes of a file.
type pieceLine struct {
	File   string `json:"file"` // its SHA-256
	Offset int64  `json:"offset"`
	Data   string `json:"data"` // base64
	Last   bool   `json:"last,omitempty"`
}

// endLine is the last line: without it a file is not whole.
type endLine struct {
	End    bool   `json:"end"`
	Rows   int    `json:"rows"`
	Lost   int    `json:"lost"`   // places where rows could not be read
	SHA256 string `json:"sha256"` // of all lines before, with their line ends
}

// ExportOptions say how a file is written. The zero value is usable but for Toolkit and
// Now.
type ExportOptions struct {
	Toolkit    string // version of this program
	Now        time.Time
	LeaveFiles bool                // leave out the bytes of the files that records hold
	Progress   func(rows, all int) // may be nil
}

// Exported is what a file holds.
type Exported struct {
	Counts
	LeftOut int      // files, as LeaveFiles says
	Missing []string // hashes of files whose bytes are lost or damaged
}

// Export writes everything as of one moment. Of a damaged database it says in the file and
// in the gaps of its result which tables it could not read as a whole.
func Export(ctx context.Context, from *store.Inspection, out io.Writer, o ExportOptions) (*Exported, error) {
	source := &databaseSource{from: from, leaveFiles: o.LeaveFiles}
	w := &lineWriter{toolkit: o.Toolkit, now: o.Now, plain: out, sum: sha256.New()}
	w.out = bufio.NewWriterSize(io.MultiWriter(out, w.sum), 1<<20)
	counts, err := copyAndCount(ctx, source, w, o.Progress)
	return &Exported{Counts: counts, LeftOut: source.files - counts.Files - len(source.missing), Missing: source.missing}, err
}

// lineWriter writes a stream as lines.
type lineWriter struct {
	toolkit string
	now     time.Time
	out     *bufio.Writer // hashed
	plain   io.Writer
	sum     hash.Hash
	columns map[string][]string // by table
	line    []byte
}

func (w *lineWriter) Begin(_ context.Context, h *Header) error {
	w.columns = h.columns()
	return w.writeLine(headerLine{exportFormat, exportVersion, w.toolkit, w.now.UTC().Format(time.RFC3339), *h})
}

func (w *lineWriter) writeLine(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.out.Write(append(raw, '\n'))
	return err
}

func (w *lineWriter) AddRow(_ context.Context, table string, values []any) (err error) {
	columns := w.columns[table]
	w.line = fmt.Appendf(w.line[:0], `{"table":%q,"row":{`, table)
	for i, v := range values {
		if i > 0 {
			w.line = append(w.line, ',')
		}
		w.line = append(fmt.Appendf(w.line, "%q", columns[i]), ':')
		if w.line, err = appendValue(w.line, v); err != nil {
			return fmt.Errorf("%s.%s: %w", table, columns[i], err)
		}
	}
	w.line = append(w.line, "}}\n"...)
	_, err = w.out.Write(w.line)
	return err
}

func (w *lineWriter) AddGap(_ context.Context, gap Gap) error {
	return w.writeLine(map[string]Gap{"unreadable": gap})
}

// AddFile writes a file in pieces.
func (w *lineWriter) AddFile(ctx context.Context, sha256 string, in io.Reader) error {
	buffer := make([]byte, maxPieceBytes)
	for offset := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.ReadFull(in, buffer)
		if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
			return err
		}
		last := err != nil
		if err := w.writeLine(pieceLine{sha256, offset, base64.StdEncoding.EncodeToString(buffer[:n]), last}); err != nil || last {
			return err
		}
		offset += int64(n)
	}
}

// AddKey leaves keys out: a file may be read by others.
func (w *lineWriter) AddKey(context.Context, string, []byte) error { return nil }

func (w *lineWriter) End(_ context.Context, sent Counts) error {
	if err := w.out.Flush(); err != nil {
		return err
	}
	last, err := json.Marshal(endLine{End: true, Rows: sent.Rows, Lost: sent.Lost, SHA256: hex.EncodeToString(w.sum.Sum(nil))})
	if err != nil {
		return err
	}
	_, err = w.plain.Write(append(last, '\n'))
	return err
}
