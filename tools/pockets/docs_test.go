package pockets

import (
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

// The examples of the documentation are files as import reads them.
func TestTheDocumentedFilesCanBeImported(t *testing.T) {
	page := testenv.Read(t, filepath.Join("..", "..", "docs", "pockets.md"))
	blocks := regexp.MustCompile("(?s)```(jsonl|json)\n(.*?)```").FindAllStringSubmatch(strings.ReplaceAll(string(page), "\r\n", "\n"), -1)
	if len(blocks) != 2 {
		t.Fatalf("%d examples were found", len(blocks))
	}
	for _, b := range blocks {
		f := readText(t, b[1], b[2])
		if f.Bad > 0 || f.Rows == 0 {
			t.Errorf("the %s example: %+v", b[1], f.Problems)
			continue
		}
		if _, err := ImportData(t.Context(), openStore(t), f.Parts, false, nil); err != nil {
			t.Errorf("the %s example: %v", b[1], err)
		}
	}
	for kind, row := range map[string]any{
		KindAtmosphere: readingRow{}, KindOutlet: outletRow{}, KindLedger: ledgerRow{}, KindAttention: attentionRow{}, KindQuality: qualityRow{}, KindPrediction: predictionRow{},
	} {
		for _, field := range reflect.VisibleFields(reflect.TypeOf(row)) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name != "-" && !strings.Contains(string(page), name) {
				t.Errorf("the page does not speak of %s of %s", name, kind)
			}
		}
	}
}
