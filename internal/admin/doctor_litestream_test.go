package admin_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/admin"
	"toolkit/store"
)

func TestDoctorSeesWhetherLitestreamKeepsUp(t *testing.T) {
	path := filled(t)
	took := func(before time.Duration) {
		t.Helper()
		file := filepath.Join(store.LitestreamFolder(path), "ltx", "0", "0000000000000001-0000000000000001.ltx")
		write(t, file, "")
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		at := info.ModTime().Add(-before)
		if err := os.Chtimes(file, at, at); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		name   string
		before time.Duration // of the last change
		alter  string
		states string
	}{
		{"it has the last change", 0, "", "ok"},
		{"it is a moment behind", 2 * time.Second, "", "ok"},
		{"it has ended", time.Hour, "", "problem"},
		{"it keeps what was forgotten in the log", 0, `INSERT INTO forgetting(stage) VALUES(2)`, "note"},
	} {
		if test.alter != "" {
			alter(t, path, test.alter)
		}
		took(test.before)
		r := examine(t, path, func(o *admin.ExamineOptions) {})
		if got := states(r, "litestream"); got != test.states {
			t.Errorf("%s: %q, want %q", test.name, got, test.states)
		}
	}
}
