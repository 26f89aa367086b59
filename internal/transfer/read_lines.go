package transfer

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

	"toolkit/store"
)

// maxLineBytes bounds a line: no row of ours comes near it.
const maxLineBytes = 512 << 20

// IsExport reports whether a file starts like one of 'toolkit export'.
func IsExport(start []byte) bool {
	return bytes.HasPrefix(start, []byte(`{"format":"`+exportFormat+`"`))
}

// Import brings a file of Export into a new database. To PostgreSQL it comes by way of a
// database file, which brings an earlier schema to the newest.
func Import(ctx context.Context, in io.Reader, t Target) (*Filled, error) {
	source := &lineReader{in: bufio.NewReaderSize(in, 1<<20), sum: sha256.New()}
	if !store.IsPostgres(t.Database) {
		return fillNewDatabase(ctx, source, t)
	}
	folder, err := os.MkdirTemp("", "toolkit-import-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder) //nolint:errcheck // a leftover temporary folder harms nobody
	address := t.Database
	t.Database = filepath.Join(folder, databaseName)
	filled, err := fillNewDatabase(ctx, source, t)
	if err != nil || t.DryRun {
		return filled, err
	}
	file := t.Database
	t.Database = address
	_, err = CopyToNewDatabase(ctx, file, t)
	return filled, err
}

// lineReader sends what the lines of a file say. Of an error it names the line.
type lineReader struct {
	in      *bufio.Reader
	sum     hash.Hash // of all lines before the last that was read
	last    []byte
	line    int // number of the last that was read
	columns map[string][]string
	rows    int
	gaps    int
}

// anyLine has the keys of all kinds of lines but the first.
type anyLine struct {
	Table  string                     `json:"table"`
	Row    map[string]json.RawMessage `json:"row"`
	Unread *Gap                       `json:"unreadable"`
	pieceLine
	endLine
}

// Send reads line by line, and requires the end.
func (r *lineReader) Send(ctx context.Context, to Destination) error {
	raw, err := r.readLine(ctx)
	if err != nil {
		return err
	}
	if err := r.sendHeader(ctx, raw, to); err != nil {
		return fmt.Errorf("line 1: %w", err)
	}
	for {
		l, err := r.readAndParseLine(ctx)
		if err != nil {
			return err
		}
		if l.End {
			return r.checkEnd(l.endLine)
		}
		if err := r.sendLine(ctx, l, to); err != nil {
			return fmt.Errorf("line %d: %w", r.line, err)
		}
	}
}

// readLine reads a line with its end, which the last may lack.
func (r *lineReader) readLine(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	r.sum.Write(r.last) //nolint:errcheck // a hash never fails
	var line []byte
	for {
		part, err := r.in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > maxLineBytes:
			return nil, fmt.Errorf("line %d is longer than %d MB", r.line+1, maxLineBytes>>20)
		case err == bufio.ErrBufferFull:
			continue
		case err != nil && (err != io.EOF || len(line) == 0):
			return nil, err
		}
		r.line++
		r.last = line
		return line, nil
	}
}

// readAndParseLine reads a line that is not the first.
func (r *lineReader) readAndParseLine(ctx context.Context) (l anyLine, err error) {
	raw, err := r.readLine(ctx)
	if err == io.EOF {
		return l, fmt.Errorf("the file ends after line %d without its last line; it is not whole", r.line)
	}
	if err != nil {
		return l, err
	}
	if err := json.Unmarshal(raw, &l); err != nil {
		return l, fmt.Errorf("line %d is not a line of an export: %w", r.line, err)
	}
	return l, nil
}

func (r *lineReader) sendHeader(ctx context.Context, raw []byte, to Destination) error {
	var line headerLine
	if err := json.Unmarshal(raw, &line); err != nil || line.Format != exportFormat {
		return errors.New("this is no file of 'toolkit export --all'")
	}
	if line.Version != exportVersion {
		return fmt.Errorf("format version %d is unknown; this program knows %d: update toolkit", line.Version, exportVersion)
	}
	r.columns = line.columns()
	return to.Begin(ctx, &line.Header)
}

func (r *lineReader) sendLine(ctx context.Context, l anyLine, to Destination) error {
	switch {
	case l.Table != "":
		values, err := r.parseRow(l.Table, l.Row)
		if err != nil {
			return err
		}
		r.rows++
		return to.AddRow(ctx, l.Table, values)
	case l.Unread != nil:
		r.gaps++
		return to.AddGap(ctx, *l.Unread)
	case l.File != "":
		return to.AddFile(ctx, l.File, &pieceReader{ctx: ctx, lines: r, file: l.File, next: l.pieceLine})
	}
	return errors.New("it is not a line of an export")
}

func (r *lineReader) parseRow(table string, row map[string]json.RawMessage) ([]any, error) {
	columns := r.columns[table]
	if columns == nil {
		return nil, fmt.Errorf("there is no table %q", table)
	}
	if len(row) != len(columns) {
		return nil, fmt.Errorf("a row of %s has %d columns, not %d", table, len(columns), len(row))
	}
	values := make([]any, len(columns))
	for i, c := range columns {
		var err error
		if values[i], err = parseValue(row[c]); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", table, c, err)
		}
	}
	return values, nil
}

// checkEnd compares what was read with what the last line says of it.
func (r *lineReader) checkEnd(e endLine) error {
	switch {
	case e.SHA256 != hex.EncodeToString(r.sum.Sum(nil)):
		return errors.New("the lines are not those that were written (SHA-256 differs): the file is damaged or was altered")
	case e.Rows != r.rows || e.Lost != r.gaps:
		return fmt.Errorf("the file has %d rows, its last line says %d", r.rows, e.Rows)
	}
	if _, err := r.in.Peek(1); err != io.EOF {
		return errors.New("there is something behind the last line")
	}
	return nil
}

// pieceReader reads the bytes of a file from the lines that carry them.
type pieceReader struct {
	ctx    context.Context
	lines  *lineReader
	file   string
	next   pieceLine // the next piece, unless all were read
	offset int64
	data   []byte // of a piece, not yet read
	ended  bool
}

func (p *pieceReader) Read(b []byte) (int, error) {
	for len(p.data) == 0 {
		if p.ended {
			return 0, io.EOF
		}
		if err := p.decodeNextPiece(); err != nil {
			return 0, err
		}
	}
	n := copy(b, p.data)
	p.data = p.data[n:]
	return n, nil
}

// decodeNextPiece takes the next piece, and reads the line of the one behind it.
func (p *pieceReader) decodeNextPiece() (err error) {
	piece := p.next
	if piece.File != p.file || piece.Offset != p.offset {
		return errors.New("pieces of files are out of order, or the last file is not whole")
	}
	if p.data, err = base64.StdEncoding.DecodeString(piece.Data); err != nil {
		return fmt.Errorf("a file: %w", err)
	}
	p.offset += int64(len(p.data))
	if p.ended = piece.Last; p.ended {
		return nil
	}
	l, err := p.lines.readAndParseLine(p.ctx)
	p.next = l.pieceLine
	return err
}
