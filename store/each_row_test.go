package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEachRowSkipsDamagedPage(t *testing.T) {
	const rows = 2000
	path := filepath.Join(t.TempDir(), "toolkit.db")
	must(t, open(t, path).Close())
	var insert strings.Builder
	for n := 1; n <= rows; n++ {
		fmt.Fprintf(&insert, "INSERT INTO l0_raw VALUES(%d, 's', 'user', 'turn-%04d %s', NULL, 0, 0);", n, n, strings.Repeat("x", 100))
	}
	raw(t, path, insert.String())
	must(t, CheckpointFile(t.Context(), path))
	file, err := os.ReadFile(path)
	must(t, err)
	for _, bad := range []int{500, 1500} {
		at := bytes.Index(file, fmt.Appendf(nil, "turn-%04d", bad)) / 4096 * 4096
		copy(file[at:at+4096], bytes.Repeat([]byte{0xff}, 4096))
	}
	must(t, os.WriteFile(path, file, 0o600))
	i, err := OpenInspection(t.Context(), path)
	must(t, err)
	defer i.Close()
	seen := map[int64]bool{}
	err = i.EachRow(t.Context(), Table{Name: "l0_raw", Columns: []string{"id", "content"}, Key: []string{"id"}, RowID: true}, func(values []any) error {
		id := values[0].(int64)
		if seen[id] || !strings.HasPrefix(values[1].(string), fmt.Sprintf("turn-%04d", id)) {
			t.Errorf("row %d comes twice or is another: %v", id, values[1])
		}
		seen[id] = true
		return nil
	})
	if !IsUnreadable(err) || seen[500] || seen[1500] || !seen[1] || !seen[1000] || !seen[rows] || len(seen) < rows-150 {
		t.Errorf("%d of %d rows, %v", len(seen), rows, err)
	}
}
