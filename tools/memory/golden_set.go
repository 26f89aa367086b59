package memory

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

// Golden fills and empties the golden test set in bulk, for the command line.
type Golden struct{ f *family }

// NewGolden returns the golden test set of a store.
func NewGolden(d Deps) *Golden { return &Golden{newFamily(d)} }

// goldenLine is a line of a golden test set in JSONL. A line is either an
// insight to store, with a key of its own, or a query. A query names what it
// should find by ids of stored insights (expected_docs) or by keys of insights
// of the same file (expected).
type goldenLine struct {
	Insight      string   `json:"insight,omitempty"`
	Content      string   `json:"content,omitempty"`
	Query        string   `json:"query,omitempty"`
	Expected     []string `json:"expected,omitempty"`
	ExpectedDocs []int64  `json:"expected_docs"`
	SessionID    string   `json:"session_id,omitempty"`
}

// ImportReport counts what an import did.
type ImportReport struct {
	Insights int // stored
	Added    int // queries added
	Labelled int // of all queries in the file, those with expected documents
	Queries  int // queries in the file
}

// maxGoldenLine bounds a line of a file.
const maxGoldenLine = 1 << 20

// Import reads a golden test set in one transaction: all of it is kept, or, when
// a line is wrong, nothing. Queries that are known stay or get their labels;
// insights that are stored with the same text are not stored again.
func (g *Golden) Import(ctx context.Context, r io.Reader) (ImportReport, error) {
	lines, err := readGoldenLines(r)
	if err != nil {
		return ImportReport{}, err
	}
	var report ImportReport
	err = g.f.Store.Write(ctx, func(tx *store.Tx) error {
		i := &goldenImport{f: g.f, tx: tx, keys: map[string]int64{}}
		err := i.importLines(lines)
		report = i.report
		return err
	})
	return report, err
}

// goldenImport is an import under way.
type goldenImport struct {
	f      *family
	tx     *store.Tx
	stored map[string]int64 // insights by text
	keys   map[string]int64 // insights by key in the file
	report ImportReport
}

func (i *goldenImport) importLines(lines []numberedLine) (err error) {
	var contents []string
	for _, l := range lines {
		if l.Insight != "" {
			contents = append(contents, l.Content)
		}
	}
	if i.stored, err = memory.In(i.tx).InsightsOfContents(contents); err != nil {
		return err
	}
	for _, l := range lines {
		add := i.importQuery
		if l.Insight != "" {
			add = i.importInsight
		}
		if err := add(l.goldenLine); err != nil {
			return fmt.Errorf("line %d: %w", l.number, err)
		}
	}
	return nil
}

func (i *goldenImport) importInsight(l goldenLine) error {
	id, known := i.stored[l.Content]
	if !known {
		s, err := i.f.insertMeasuredInsight(i.tx, l.Content, nil, insightMetadata{}, memory.In(i.tx).InsertInsight)
		if err != nil {
			return err
		}
		i.report.Insights++
		id = s.insight.ID
		i.stored[l.Content] = id
	}
	i.keys[l.Insight] = id
	return nil
}

func (i *goldenImport) importQuery(l goldenLine) error {
	docs := l.ExpectedDocs
	for _, key := range l.Expected {
		id, ok := i.keys[key]
		if !ok {
			return fmt.Errorf("expected names %q, but no insight of that key stands above", key)
		}
		docs = append(docs, id)
	}
	added, err := insertOrLabelGoldenQuery(memory.In(i.tx), goldenQueryInput{Query: l.Query, ExpectedDocs: docs, SessionID: l.SessionID})
	if err != nil {
		return err
	}
	i.report.Queries++
	if added.Created {
		i.report.Added++
	}
	if added.Labelled {
		i.report.Labelled++
	}
	return nil
}

type numberedLine struct {
	number int
	goldenLine
}

// readGoldenLines reads and checks a file before anything is written.
func readGoldenLines(r io.Reader) ([]numberedLine, error) {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxGoldenLine)
	var lines []numberedLine
	number := 0
	for scanner.Scan() {
		number++
		raw := bytes.TrimSpace(bytes.TrimPrefix(scanner.Bytes(), []byte("\ufeff")))
		if len(raw) == 0 {
			continue
		}
		l := numberedLine{number: number}
		d := json.NewDecoder(bytes.NewReader(raw))
		d.DisallowUnknownFields()
		if err := d.Decode(&l.goldenLine); err != nil {
			return nil, fmt.Errorf("line %d is not a line of a golden test set: %w", number, err)
		}
		if err := l.validateLine(); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		lines = append(lines, l)
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("line %d is longer than %d bytes", number+1, maxGoldenLine)
	}
	return lines, scanner.Err()
}

func (l goldenLine) validateLine() error {
	switch {
	case l.Insight != "" && l.Query != "":
		return errors.New("a line is either an insight or a query, not both")
	case l.Insight != "" && strings.TrimSpace(l.Content) == "":
		return errors.New("an insight needs content")
	case l.Insight == "" && strings.TrimSpace(l.Query) == "":
		return errors.New("a line needs a query, or an insight (its key) with content")
	}
	return nil
}

// Export writes every golden query as a line of JSON. Queries without
// expected_docs can be labelled with an editor and imported again.
func (g *Golden) Export(ctx context.Context, w io.Writer) (int, error) {
	count := 0
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	err := g.f.Store.Read(ctx, func(tx *store.Tx) error {
		count = 0
		return memory.In(tx).EachGoldenQuery(func(q memory.GoldenQuery) error {
			count++
			return encoder.Encode(goldenLine{Query: q.Query, ExpectedDocs: tools.OrEmpty(q.ExpectedDocs), SessionID: q.SessionID})
		})
	})
	return count, err
}
