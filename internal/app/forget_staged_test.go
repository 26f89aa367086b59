package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
	"toolkit/store"
)

// TestForgettingRemovesWhatAKilledUploadLeft has a file on its way in of some age.
func TestForgettingRemovesWhatAKilledUploadLeft(t *testing.T) {
	for name, c := range map[string]struct {
		age    time.Duration
		stays  bool
		leaves string // what the answer says
	}{
		"two hours old":                {2 * time.Hour, false, ""},
		"written by a process perhaps": {time.Minute, true, "1 file in files/incoming, still written or left by a program that was killed, may hold it"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "t.db")
			a := appOn(t, path)
			secretTold(t, a)
			left := filepath.Join(store.StagingFolder(path), "1.part")
			testenv.Write(t, left, []byte(canary))
			at := time.Now().Add(-c.age)
			if err := os.Chtimes(left, at, at); err != nil {
				t.Fatal(err)
			}
			preview := callForget(t, a, map[string]any{"text": canary})
			done := callForget(t, a, map[string]any{"text": canary, "confirm": preview.Confirm})
			for _, f := range []forgetting{preview, done} {
				if told := strings.Contains(f.Message, "files/incoming"); told != c.stays || !strings.Contains(f.Message, c.leaves) {
					t.Errorf("it says %q", f.Message)
				}
			}
			if _, err := os.Stat(left); (err == nil) != c.stays {
				t.Errorf("of the file: %v", err)
			}
		})
	}
}
