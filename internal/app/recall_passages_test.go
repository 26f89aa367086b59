package app

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/embed"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/records"
)

// contract is a text of many clauses whose fields nobody reads, with three that are asked for.
func contract() string {
	var b strings.Builder
	b.WriteString("SERVICE AGREEMENT\n\nbetween Nordlys Kaffe AS, Bergen, and Harbour Studio GmbH, Hamburg\nEffective date: 2026-03-01\n\n")
	for clause := range 120 {
		fmt.Fprintf(&b, "%d. The supplier shall deliver the goods at the agreed place. Payment is due within thirty days. Neither party is liable for events beyond its control.\n\n", clause+1)
		switch clause {
		case 59:
			b.WriteString("60a. The tenant's cat may sleep on the roof terrace during summer.\n\n")
		case 99:
			b.WriteString("100a. This agreement is construed under the governing law of the Kingdom of Norway.\n\n")
		}
	}
	return b.String()
}

func TestTheWholeTextOfAContractIsFoundWithItsPlace(t *testing.T) {
	folder := t.TempDir()
	a := openWith(t, Settings{DB: filepath.Join(t.TempDir(), "t.db"), FileRoots: []string{folder}, TimeoutFactor: 20, Getenv: func(string) string { return "" }})
	file := filepath.Join(folder, "contract.txt")
	testenv.Write(t, file, contract())
	callTool(t, a, "upload_file", map[string]any{"file_path": file})
	if _, err := a.Passages.EmbedAll(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]struct {
		text string
		fits bool
		line int
	}{
		"governing law": {"the governing law of the Kingdom of Norway", true, 208},
		"may an animal rest on top of the building?": {"cat may sleep on the roof terrace", false, 126},
	} {
		out, text := recallOf(t, a, map[string]any{"query": question})
		if len(out.Found) == 0 || !strings.Contains(out.Found[0].Text, want.text) || out.NothingFits == want.fits {
			t.Errorf("%q is answered with %s", question, text)
			continue
		}
		if at := out.Found[0].Where; at == nil || at.Document != "contract.txt" || at.Line != want.line {
			t.Errorf("%q stands at %+v, want line %d", question, at, want.line)
		}
	}
	callTool(t, a, "delete_record", map[string]any{"id": callTool(t, a, "upload_file", map[string]any{"file_path": file})["record"].(map[string]any)["id"]})
	changes := storetest.ReadValue(t, a.Store, func(tx *store.Tx) ([]store.Vector, error) {
		return records.PassageRows{Rows: records.In(tx)}.ListVectorChanges(embed.BuiltInModel, 0, 1000)
	})
	for _, c := range changes {
		if c.Vector != nil {
			t.Fatalf("the vector of a passage outlives its record")
		}
	}
	if len(changes) == 0 {
		t.Error("no passage had a vector")
	}
}
