package pockets

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"toolkit/store/pockets"
)

// Formats of files.
const (
	FormatJSON  = "json"
	FormatJSONL = "jsonl"
)

// Limits of a file.
const (
	maxFileRows     = 10_000_000
	maxFileLine     = 1 << 20
	maxFileProblems = 1000 // problems kept; more are only counted
)

// FilePart is the rows that one provenance header stands for.
type FilePart struct {
	Dataset pockets.Dataset
	Batch   rowBatch
}

// FileProblem is a row that cannot be used. Row is the number of its line, in a JSON
// document that of the record; 0 is the file as a whole.
type FileProblem struct {
	Row     int
	Message string
}

// DataFile is what was read of a file.
type DataFile struct {
	Parts    []*FilePart
	Rows     int // rows seen, good and bad
	Problems []FileProblem
	Bad      int // rows that cannot be used, also beyond those in Problems
	Repeats  []RepeatedRow
	Repeated int // rows that repeat others, also beyond those in Repeats
}

// DetectFormat tells the format from a file's name, else from its beginning.
func DetectFormat(name string, start []byte) string {
	lower := strings.ToLower(name)
	for _, known := range []struct{ ending, format string }{{".json", FormatJSON}, {".jsonl", FormatJSONL}, {".ndjson", FormatJSONL}} {
		if strings.HasSuffix(lower, known.ending) {
			return known.format
		}
	}
	start = bytes.TrimSpace(start)
	line, _, _ := bytes.Cut(start, []byte("\n"))
	if bytes.HasPrefix(start, []byte("{")) && json.Valid(line) {
		return FormatJSONL
	}
	return FormatJSON
}

// ReadFile reads and checks a whole file. Rows that cannot be used are in the
// result; the error is a file that cannot be read at all.
func ReadFile(r io.Reader, format string, now int64, progress func(rows int)) (*DataFile, error) {
	reader := &fileReader{file: &DataFile{}, checker: rowChecker{Now: now}, repeats: repeats{}, progress: progress}
	buffered := bufio.NewReaderSize(r, 1<<16)
	if start, _ := buffered.Peek(3); bytes.Equal(start, []byte("\xEF\xBB\xBF")) {
		buffered.Discard(3) //nolint:errcheck // they are there
	}
	var err error
	switch format {
	case FormatJSON:
		err = reader.readJSON(buffered)
	case FormatJSONL:
		err = reader.readLines(buffered)
	default:
		return nil, fmt.Errorf("format %q is not one of %s, %s", format, FormatJSON, FormatJSONL)
	}
	if err == nil && reader.part == nil {
		err = errors.New("the file has no provenance header; say where the data comes from and under which licence, as docs/pockets.md shows")
	}
	return reader.file, err
}

// fileReader gathers the rows of a file.
type fileReader struct {
	file     *DataFile
	part     *FilePart
	checker  rowChecker
	repeats  repeats
	progress func(rows int)
}

// startPart begins the rows of a data set.
func (r *fileReader) startPart(m map[string]any) error {
	d, err := parseDatasetHeader(m)
	if err != nil {
		return err
	}
	r.part = &FilePart{Dataset: d}
	r.file.Parts = append(r.file.Parts, r.part)
	return nil
}

// addRow checks a row and keeps it, or the reason why not.
func (r *fileReader) addRow(number int, kind string, row map[string]any) error {
	if r.file.Rows++; r.file.Rows > maxFileRows {
		return fmt.Errorf("the file has more than %d rows; split it", maxFileRows)
	}
	if r.progress != nil && r.file.Rows%1024 == 0 {
		r.progress(r.file.Rows)
	}
	if _, err := r.checker.checkAndAddRow(&r.part.Batch, kind, row); err != nil {
		r.addProblem(number, err.Error())
	} else if again, ok := r.repeats.rememberAndFindRepeat(r.part, kind, number); ok {
		if r.file.Repeated++; len(r.file.Repeats) < maxFileProblems {
			r.file.Repeats = append(r.file.Repeats, again)
		}
	}
	return nil
}

func (r *fileReader) addProblem(number int, message string) {
	if r.file.Bad++; len(r.file.Problems) < maxFileProblems {
		r.file.Problems = append(r.file.Problems, FileProblem{number, message})
	}
}

// takeRowKind takes the kind out of a row.
func takeRowKind(row map[string]any) string {
	kind, _ := row["kind"].(string)
	delete(row, "kind")
	return kind
}

// readLines reads JSON lines: a line with a dataset begins its rows.
func (r *fileReader) readLines(in io.Reader) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), maxFileLine)
	row := map[string]any{}
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		clear(row)
		if err := json.Unmarshal(line, &row); err != nil || row == nil {
			row = map[string]any{}
			r.file.Rows++
			r.addProblem(number, "the line is not a JSON object")
			continue
		}
		if header, ok := row["dataset"].(map[string]any); ok && len(row) == 1 {
			if err := r.startPart(header); err != nil {
				return fmt.Errorf("line %d: %w", number, err)
			}
			continue
		}
		if r.part == nil {
			return fmt.Errorf(`line %d: the file does not begin with its provenance; its first line must be {"dataset":{"name":…,"source":…,"license":…,"attribution_required":…}}`, number)
		}
		if err := r.addRow(number, takeRowKind(row), row); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return fmt.Errorf("line %d is longer than %d bytes", number+1, maxFileLine)
	}
	return lines.Err()
}

// readJSON reads one document: {"dataset":{…},"records":[…]}, the dataset first.
func (r *fileReader) readJSON(in io.Reader) error {
	d := json.NewDecoder(in)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New(`the file is neither JSON lines nor a JSON object {"dataset":{…},"records":[…]}; a table has to be converted first`)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return invalidJSONError(d, err)
		}
		switch {
		case key == "dataset" && r.part == nil:
			var header map[string]any
			if err := d.Decode(&header); err != nil {
				return invalidJSONError(d, err)
			}
			if err := r.startPart(header); err != nil {
				return err
			}
		case key == "records" && r.part != nil:
			if err := r.readRecords(d); err != nil {
				return err
			}
		case key == "records":
			return errors.New("dataset, the provenance, must come before records")
		default:
			return fmt.Errorf("%q is not dataset or records, or comes twice", key)
		}
	}
	if _, err := d.Token(); err != nil {
		return invalidJSONError(d, err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the end of the JSON object")
	}
	return nil
}

func (r *fileReader) readRecords(d *json.Decoder) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return errors.New("records is not a list")
	}
	row := map[string]any{}
	for number := 1; d.More(); number++ {
		clear(row)
		err := d.Decode(&row)
		if _, wrongType := errors.AsType[*json.UnmarshalTypeError](err); wrongType || (err == nil && row == nil) {
			row = map[string]any{}
			r.file.Rows++
			r.addProblem(number, "the record is not an object")
			continue
		}
		if err != nil {
			return invalidJSONError(d, err)
		}
		if err := r.addRow(number, takeRowKind(row), row); err != nil {
			return err
		}
	}
	_, err := d.Token()
	return err
}

func invalidJSONError(d *json.Decoder, err error) error {
	return fmt.Errorf("the file is not valid JSON near byte %d: %w", d.InputOffset(), err)
}
