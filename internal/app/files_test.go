package app

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/tools"
)

func TestAURLAnswersUntilTheAppCloses(t *testing.T) {
	folder, data := t.TempDir(), t.TempDir()
	testenv.Write(t, filepath.Join(folder, "n.txt"), "a note")
	a := openWith(t, Settings{DB: filepath.Join(data, "t.db"), FileRoots: []string{folder}})
	if _, err := os.Stat(filepath.Join(data, store.FilesKey)); err == nil {
		t.Error("there is a key before there is a URL")
	}
	stored := callTool(t, a, "upload_file", map[string]any{"file_path": filepath.Join(folder, "n.txt")})
	url := callTool(t, a, "get_file_url", map[string]any{"file_path": stored["file_url"]})["signed_url"].(string)
	answer, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || string(body) != "a note" || answer.Header.Get("Content-Type") != "text/plain; charset=utf-8" {
		t.Errorf("%q %v %v", body, answer.Header, err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := http.Get(url); err == nil {
		t.Error("the URL answers after the app was closed")
	}
}

func TestFilesComeFromTheUsualFoldersUnlessOthersAreNamed(t *testing.T) {
	home, working := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Chdir(working)
	config := filepath.Join(home, ".config")
	if err := os.Mkdir(config, 0o700); err != nil {
		t.Fatal(err)
	}
	testenv.Write(t, filepath.Join(config, "user-dirs.dirs"), "XDG_DESKTOP_DIR=\"$HOME/Bureau\"\n")
	unset := func(string) string { return "" }
	want := []string{working, filepath.Join(home, "Documents"), filepath.Join(home, "Downloads"), filepath.Join(home, "Bureau")}
	if r := buildFileRoots(nil, unset, localfile.Private{}); !slices.Equal(r.Folders, want) || r.Working != working || r.Home != home {
		t.Errorf("%+v", r)
	}
	if r := buildFileRoots([]string{"/named"}, unset, localfile.Private{}); !slices.Equal(r.Folders, []string{"/named"}) {
		t.Errorf("%+v", r)
	}
	t.Chdir(home)
	if r := buildFileRoots(nil, unset, localfile.Private{}); !slices.Equal(r.Folders, want[1:]) {
		t.Errorf("%+v", r)
	}
}

func TestTheReaderOfPDFsIsPreparedOnlyWhereThatIsOfUse(t *testing.T) {
	prepared := t.TempDir()
	testenv.Write(t, filepath.Join(prepared, "compiled-"+Version+"-"+runtime.GOARCH), "")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		settings Settings
		ctx      context.Context
	}{
		"without a folder":               {Settings{}, t.Context()},
		"prepared before":                {Settings{EngineCache: prepared}, t.Context()},
		"when files are not taken":       {Settings{EngineCache: filepath.Join(t.TempDir(), "cache"), Access: tools.Access{ReadOnly: true}}, t.Context()},
		"in a session that ends at once": {Settings{EngineCache: filepath.Join(t.TempDir(), "cache")}, ended},
	} {
		c.settings.DB = filepath.Join(t.TempDir(), "t.db")
		a := openWith(t, c.settings)
		if err := a.LoadVectorsAndPDFEngine(c.ctx); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if c.settings.EngineCache != prepared && c.settings.EngineCache != "" {
			if _, err := os.Stat(c.settings.EngineCache); err == nil {
				t.Errorf("%s: the reader was prepared", name)
			}
		}
		a.Close()
	}
}
