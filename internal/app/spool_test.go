package app

import (
	"os"
	"path/filepath"
	"testing"

	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

func TestServerStoresWhatHooksSpooled(t *testing.T) {
	const turn = `{"Client":"codex","Session":"s","Folder":"/srv/bakery","Speaker":"user","Text":"Which flour?","At":"2026-03-01T10:00:00Z","Aside":{}}`
	for name, tc := range map[string]struct {
		settings Settings
		want     int
	}{
		"it may write": {Settings{}, 1},
		"read-only":    {Settings{Access: tools.Access{ReadOnly: true}}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			s := tc.settings
			s.DB = filepath.Join(t.TempDir(), "toolkit.db")
			folder := s.DB + store.SpoolFolder
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			testenv.Write(t, filepath.Join(folder, "1.json"), turn)
			a := openWith(t, s)
			if err := a.DrainSpool(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			list, err := store.ReadValue(t.Context(), a.Store, func(tx *store.Tx) ([]memory.Dialogue, error) {
				return memory.In(tx).Dialogues(memory.DialogueFilter{Limit: 10})
			})
			left, fault := os.ReadDir(folder)
			if err != nil || fault != nil || len(list) != tc.want || len(left) != 1-tc.want {
				t.Errorf("%+v, %v; %d wait, %v", list, err, len(left), fault)
			}
		})
	}
}
