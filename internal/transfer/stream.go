package transfer

import (
	"context"
	"fmt"
	"io"

	"toolkit/store"
)

// Header is what a stream begins with.
type Header struct {
	Schema int64               `json:"schema"` // of the database
	Tables []store.TableHeader `json:"tables"` // in the order of their rows
	Rows   int                 `json:"-"`      // about how many come; 0: not known
}

// columns are those of each table, by its name.
func (h *Header) columns() map[string][]string {
	columns := map[string][]string{}
	for _, t := range h.Tables {
		columns[t.Name] = t.Columns
	}
	return columns
}

// Gap is a table of a damaged database that could not be read as a whole. Its other rows
// are in the stream, see [store.Inspection.EachRow].
type Gap struct {
	Table string `json:"table"`
	Cause string `json:"cause"`
}

func (g Gap) String() string {
	return fmt.Sprintf("table %s could not be read as a whole: %s", g.Table, g.Cause)
}

// Source is what a copy is made of. Send calls the methods of the destination but End in
// their order.
type Source interface {
	Send(ctx context.Context, to Destination) error
}

// Destination is where a copy comes to be.
type Destination interface {
	Begin(ctx context.Context, h *Header) error
	// AddRow takes the values of a row: nil, int64, float64, string or []byte, valid during
	// the call. The rows of a table come one after the other.
	AddRow(ctx context.Context, table string, values []any) error
	// AddGap comes behind the rows of its table.
	AddGap(ctx context.Context, gap Gap) error
	// AddFile takes the bytes of a file by the SHA-256 that they should have.
	AddFile(ctx context.Context, sha256 string, in io.Reader) error
	AddKey(ctx context.Context, name string, key []byte) error
	// End compares what arrived with what was sent, and keeps it.
	End(ctx context.Context, sent Counts) error
}

// Counts are what a stream held.
type Counts struct {
	Schema int64 `json:"schema"`
	Tables int   `json:"tables"`
	Rows   int   `json:"rows"`
	Files  int   `json:"files"` // with their bytes
	Lost   int   `json:"lost"`  // places where rows could not be read
	Gaps   []Gap `json:"-"`     // these places
}

// copyAndCount copies a source. The counts are what was sent before an error.
func copyAndCount(ctx context.Context, from Source, to Destination, progress func(rows, all int)) (Counts, error) {
	c := &counter{Destination: to, progress: progress}
	err := from.Send(ctx, c)
	if err == nil {
		err = to.End(ctx, c.sent)
	}
	return c.sent, err
}

// counter counts what comes to a destination.
type counter struct {
	Destination
	sent     Counts
	all      int
	progress func(rows, all int) // may be nil
}

func (c *counter) Begin(ctx context.Context, h *Header) error {
	c.sent.Schema, c.sent.Tables, c.all = h.Schema, len(h.Tables), h.Rows
	return c.Destination.Begin(ctx, h)
}

func (c *counter) AddRow(ctx context.Context, table string, values []any) error {
	if c.sent.Rows++; c.progress != nil && c.sent.Rows%100 == 0 {
		c.progress(c.sent.Rows, c.all)
	}
	return c.Destination.AddRow(ctx, table, values)
}

func (c *counter) AddGap(ctx context.Context, gap Gap) error {
	c.sent.Lost++
	c.sent.Gaps = append(c.sent.Gaps, gap)
	return c.Destination.AddGap(ctx, gap)
}

func (c *counter) AddFile(ctx context.Context, sha256 string, in io.Reader) error {
	c.sent.Files++
	return c.Destination.AddFile(ctx, sha256, in)
}
