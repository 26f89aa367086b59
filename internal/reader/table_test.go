package reader

import (
	"strings"
	"testing"
)

func TestACodeAmongNumbersHasNoNumber(t *testing.T) {
	rows := extract(t, []byte("Item,Stock\n"+strings.Repeat("Tea,12\n", 10)+"Cups,007\n"), CSV).FirstDataset(0)
	if kind := rows.Columns[1].Kind; kind != KindNumber || rows.Rows[0].Typed["Stock"] != 12.0 {
		t.Fatalf("the column is one of %s, with %v", kind, rows.Rows[0].Typed)
	}
	if last := rows.Rows[10]; last.Values["Stock"] != "007" || last.Typed["Stock"] != nil {
		t.Errorf("the code is %q, typed as %v", last.Values["Stock"], last.Typed["Stock"])
	}
}
