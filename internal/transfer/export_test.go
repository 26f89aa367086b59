package transfer_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/app"
	"toolkit/internal/soaktest"
	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/internal/transfer"
	"toolkit/store"
	"toolkit/tools"
)

// fillEverything makes a database with random content of every family: their loads, and
// every example of every tool.
func fillEverything(t *testing.T, seed uint64, steps int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "toolkit.db")
	a, err := app.Open(t.Context(), app.Settings{DB: path, TimeoutFactor: 60})
	if err != nil {
		t.Fatal(err)
	}
	w := soaktest.NewWorker(1, seed, soaktest.NewPipelineCaller(a.Server.Pipeline))
	if err := w.CallEveryLoad(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	registry, err := app.BuildRegistry()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range registry.All() {
		for _, e := range d.Examples() {
			for _, s := range e.Setup {
				params := []byte(toolstest.EncodeJSON(s.Params))
				a.Server.Pipeline.Call(t.Context(), tools.Request{Tool: s.Tool, Arguments: params}) //nolint:errcheck // examples expect a database of their own
			}
			a.Server.Pipeline.Call(t.Context(), tools.Request{Tool: d.Name, Arguments: e.Params}) //nolint:errcheck // examples expect a database of their own
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func write(t *testing.T, path string, o transfer.ExportOptions) ([]byte, *transfer.Exported) {
	t.Helper()
	i, err := store.OpenInspection(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	var out bytes.Buffer
	written, err := transfer.Export(t.Context(), i, &out, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), written
}

func read(t *testing.T, file []byte, o transfer.Target) (*transfer.Filled, error) {
	t.Helper()
	if o.Derive == nil {
		o.Derive = app.DeriveIndexes
	}
	o.Now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	return transfer.Import(t.Context(), bytes.NewReader(file), o)
}

func TestEveryTableAndIndexComesBackEqualToTheRow(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for seed := range toolstest.RoundCount(1) {
		source := fillEverything(t, seed, 60)
		before := storetest.FingerprintTables(t, source)
		file, written := write(t, source, transfer.ExportOptions{LeaveFiles: true})
		target := filepath.Join(t.TempDir(), "new", "toolkit.db")
		result, err := read(t, file, transfer.Target{Database: target})
		if err != nil {
			t.Fatal(err)
		}
		if result.Rows != written.Rows || result.Rows < 500 {
			t.Errorf("%d rows came back of %d", result.Rows, written.Rows)
		}
		storetest.RequireSameContents(t, storetest.FingerprintTables(t, target), before)
	}
}

// Whatever the schema holds travels, or is derived again: nothing can be
// forgotten when a family adds a table.
func TestEveryTableIsExportedOrDerived(t *testing.T) {
	source := fillEverything(t, 1, 1)
	file, _ := write(t, source, transfer.ExportOptions{LeaveFiles: true})
	var header struct {
		Tables []struct{ Name string }
	}
	first, _, _ := bytes.Cut(file, []byte("\n"))
	toolstest.Decode(t, first, &header)
	travels := map[string]bool{}
	for _, table := range header.Tables {
		travels[table.Name] = true
	}
	i, err := store.OpenInspection(t.Context(), source)
	if err != nil {
		t.Fatal(err)
	}
	defer i.Close()
	tables, err := i.Tables(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tables {
		if travels[table.Name] == table.Virtual {
			t.Errorf("%s: exported %v, derived %v", table.Name, travels[table.Name], table.Virtual)
		}
	}
}

func TestIndexesAreDerivedFromRowsAlone(t *testing.T) {
	path := fillEverything(t, 5, 30)
	before := storetest.FingerprintTables(t, path)
	db := storetest.Open(t, path)
	for range 2 { // twice: what is there is replaced, not added to
		if err := db.Write(t.Context(), app.DeriveIndexes); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	storetest.RequireSameContents(t, storetest.FingerprintTables(t, path), before)
}

func TestAFileThatIsNotWholeOrWasAlteredChangesNothing(t *testing.T) {
	file, _ := write(t, fillEverything(t, 2, 3), transfer.ExportOptions{LeaveFiles: true})
	lines := bytes.SplitAfter(file, []byte("\n"))
	lines = lines[:len(lines)-1]
	join := func(parts ...[][]byte) []byte { return bytes.Join(slices.Concat(parts...), nil) }
	n := len(lines)
	tests := map[string]struct {
		file []byte
		want string
	}{
		"nothing":                {nil, "EOF"},
		"no last line":           {join(lines[:n-1]), "not whole"},
		"cut in a line":          {join(lines[:n/2], [][]byte{lines[n/2][:len(lines[n/2])/2]}), "not a line"},
		"a line lost":            {join(lines[:n/2], lines[n/2+1:]), "differs"},
		"a line twice":           {join(lines[:n/2], lines[n/2-1:]), "row"},
		"a value changed":        {bytes.Replace(file, []byte(`Outline exists`), []byte(`Outline drawn!`), 1), "differs"},
		"something behind":       {append(bytes.Clone(file), "{}\n"...), "behind"},
		"a newer format":         {bytes.Replace(file, []byte(`"version":1`), []byte(`"version":2`), 1), "update toolkit"},
		"a newer schema":         {bytes.Replace(file, []byte(`"schema":`), []byte(`"schema":9`), 1), "update toolkit"},
		"an unknown table":       {bytes.Replace(file, []byte(`{"name":"entities"`), []byte(`{"name":"sqlite_master"`), 1), "sqlite_master"},
		"a table of the program": {join(lines[:n-1], [][]byte{[]byte(`{"table":"goose_db_version","row":{}}` + "\n")}), "goose_db_version"},
		"another column":         {join(lines[:1], [][]byte{[]byte(`{"table":"foreign_lines","row":{"id":1,"x\") --":2}}` + "\n")}, lines[1:]), "foreign_lines.raw"},
		"a column too many":      {join(lines[:1], [][]byte{[]byte(`{"table":"foreign_lines","row":{"id":1,"raw":"","x":2}}` + "\n")}, lines[1:]), "columns"},
		"a value of no kind":     {join(lines[:1], [][]byte{[]byte(`{"table":"foreign_lines","row":{"id":true,"raw":""}}` + "\n")}, lines[1:]), "not a value"},
		"a file elsewhere":       {join(lines[:n-1], [][]byte{[]byte(`{"file":"../../../etc/passwd","offset":0,"data":"","last":true}` + "\n")}), "SHA-256"},
		"a file that is another": {join(lines[:n-1], [][]byte{[]byte(`{"file":"` + strings.Repeat("0", 64) + `","offset":0,"data":"eA==","last":true}` + "\n")}), "not what its hash says"},
		"a foreign line":         {join(lines[:1], [][]byte{[]byte(`{"hello":1}` + "\n")}, lines[1:]), "not a line"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			target := filepath.Join(folder, "toolkit.db")
			_, err := read(t, tc.file, transfer.Target{Database: target})
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if left, err := os.ReadDir(folder); err != nil || len(left) != 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

func TestAFileComesOnlyIntoAnEmptyDatabase(t *testing.T) {
	source := fillEverything(t, 3, 2)
	file, _ := write(t, source, transfer.ExportOptions{LeaveFiles: true})
	before := storetest.FingerprintTables(t, source)
	if _, err := read(t, file, transfer.Target{Database: source}); err == nil || !strings.Contains(err.Error(), "rows already") {
		t.Errorf("into a full one: %v", err)
	}
	storetest.RequireSameContents(t, storetest.FingerprintTables(t, source), before)
	empty := filepath.Join(t.TempDir(), "toolkit.db")
	db := storetest.Open(t, empty)
	if _, err := read(t, file, transfer.Target{Database: empty}); !errors.Is(err, store.ErrInUse) {
		t.Errorf("into one that is open: %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := read(t, file, transfer.Target{Database: empty, DryRun: true}); err != nil {
		t.Error(err)
	}
	if sum := storetest.FingerprintTables(t, empty); sum["entities"] == before["entities"] {
		t.Error("a dry run wrote")
	}
	result, err := read(t, file, transfer.Target{Database: empty})
	if err != nil || len(result.Aside) != 1 {
		t.Errorf("into an empty one: %+v, %v", result, err)
	}
	if sum := storetest.FingerprintTables(t, empty); sum["entities"] != before["entities"] {
		t.Error("nothing came")
	}
}
