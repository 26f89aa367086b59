package pocketdata

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// maxColumns bounds the width of a table.
const maxColumns = 64

// readCSV reads a table. Lines "# key: value" before it are the provenance, and
// may give the kind of all rows; else a column kind does.
func (r *fileReader) readCSV(in *bufio.Reader) error {
	r.checker.fromText = true
	header, comments, err := readComments(in)
	if err != nil || len(header) == 0 {
		return err
	}
	kind, _ := header["kind"].(string)
	delete(header, "kind")
	if err := r.header(header); err != nil {
		return err
	}
	table := csv.NewReader(in)
	table.ReuseRecord, table.FieldsPerRecord = true, -1
	first, err := table.Read()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("the table: %w", err)
	}
	columns := slices.Clone(first)
	if err := checkColumns(columns, kind); err != nil {
		return err
	}
	return r.readTable(table, columns, kind, comments)
}

// readComments takes the lines that begin with # off a table.
func readComments(in *bufio.Reader) (map[string]any, int, error) {
	header, lines := map[string]any{}, 0
	for {
		start, err := in.Peek(1)
		if err != nil || start[0] != '#' {
			return header, lines, nil
		}
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			return nil, lines, fmt.Errorf("line %d is too long for a header", lines+1)
		}
		lines++
		key, value, found := strings.Cut(strings.TrimPrefix(string(line), "#"), ":")
		if key = strings.TrimSpace(key); key == "" && !found {
			continue
		}
		if !found {
			return nil, lines, fmt.Errorf("line %d of the header is not of the form # key: value", lines)
		}
		header[key] = strings.TrimSpace(value)
	}
}

func checkColumns(columns []string, kind string) error {
	seen := map[string]bool{}
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
		if seen[columns[i]] || columns[i] == "" {
			return fmt.Errorf("column %d has no name, or one that another has: %q", i+1, columns[i])
		}
		seen[columns[i]] = true
	}
	switch {
	case len(columns) > maxColumns:
		return fmt.Errorf("the table has %d columns; at most %d are read", len(columns), maxColumns)
	case seen["kind"] == (kind != ""):
		return fmt.Errorf("say once what the rows are: by a header line # kind: %s, or by a column kind", Atmosphere)
	}
	return nil
}

func (r *fileReader) readTable(table *csv.Reader, columns []string, kind string, before int) error {
	row := map[string]any{}
	for {
		record, err := table.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if broken, is := errors.AsType[*csv.ParseError](err); is {
			return fmt.Errorf("line %d: %w", before+broken.Line, broken.Err)
		}
		if err != nil {
			return err
		}
		line, _ := table.FieldPos(0)
		if len(record) != len(columns) {
			r.file.Rows++
			r.bad(before+line, fmt.Sprintf("the row has %d cells, the table %d columns", len(record), len(columns)))
			continue
		}
		clear(row)
		for i, cell := range record {
			if cell != "" {
				row[columns[i]] = cell
			}
		}
		own := kind
		if own == "" {
			own = kindOf(row)
		}
		if err := r.row(before+line, own, row); err != nil {
			return err
		}
	}
}
