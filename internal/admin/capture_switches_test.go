package admin

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"toolkit/internal/capture/transcripts"
)

func TestWhatIsSwitchedOffIsOffAndNothingElse(t *testing.T) {
	diary := &transcripts.Project{Key: "git:github.com/ann/diary", Name: "diary", Root: "/home/ann/private/diary", Remote: "github.com/ann/diary"}
	other := &transcripts.Project{Key: "folder:/srv/diaryroom", Name: "diaryroom", Root: "/srv/diaryroom"}
	for name, tc := range map[string]struct {
		env    map[string]string
		client transcripts.Client
		in     *transcripts.Project
		off    bool
	}{
		"nothing":                         {nil, transcripts.Codex, diary, false},
		"everything":                      {map[string]string{"TOOLKIT_CAPTURE": "0"}, transcripts.Codex, nil, true},
		"a client":                        {map[string]string{"TOOLKIT_CAPTURE_OFF_CLIENTS": "claude, codex"}, transcripts.Codex, nil, true},
		"another client":                  {map[string]string{"TOOLKIT_CAPTURE_OFF_CLIENTS": "claude"}, transcripts.ClaudeCode, diary, false},
		"a project by its key":            {map[string]string{"TOOLKIT_CAPTURE_OFF_PROJECTS": "x,git:github.com/ann/diary"}, transcripts.Codex, diary, true},
		"by its name, in any case":        {map[string]string{"TOOLKIT_CAPTURE_OFF_PROJECTS": "Diary"}, transcripts.Codex, diary, true},
		"by its remote":                   {map[string]string{"TOOLKIT_CAPTURE_OFF_PROJECTS": "github.com/ann/diary"}, transcripts.Codex, diary, true},
		"by a folder above it":            {map[string]string{"TOOLKIT_CAPTURE_OFF_PROJECTS": "/home/ann/private/"}, transcripts.Codex, diary, true},
		"a folder of which it is part":    {map[string]string{"TOOLKIT_CAPTURE_OFF_PROJECTS": "/srv/diary"}, transcripts.Codex, other, false},
		"a project, of what has none":     {map[string]string{"TOOLKIT_CAPTURE_OFF_PROJECTS": "diary"}, transcripts.Codex, nil, false},
		"the hooks, which say no capture": {map[string]string{"TOOLKIT_HOOKS": "off"}, transcripts.Codex, diary, false},
	} {
		s, err := ReadCaptureSwitches(func(name string) string { return tc.env[name] })
		if err != nil || s.IsOff(tc.client, tc.in) != tc.off {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
		if off, _ := s.ListSwitchedOff(); len(tc.env) > 0 && len(off) == 0 {
			t.Errorf("%s is off, and nobody says so", name)
		}
	}
	for variable, value := range map[string]string{"TOOLKIT_CAPTURE": "perhaps", "TOOLKIT_HOOKS": "2", "TOOLKIT_CAPTURE_OFF_CLIENTS": "codx"} {
		if _, err := ReadCaptureSwitches(func(name string) string { return map[string]string{variable: value}[name] }); err == nil || !strings.Contains(err.Error(), variable) {
			t.Errorf("%s=%s is taken: %v", variable, value, err)
		}
	}
}

func TestWhatIsOffIsNamedAsPeopleKnowIt(t *testing.T) {
	for off, want := range map[string]string{
		"/home/ann/diary,history:caa112fd": "project /home/ann/diary",
		"history:caa112fd":                 "a project by its history",
		"git:github.com/ann/diary":         "project git:github.com/ann/diary",
	} {
		s, err := ReadCaptureSwitches(func(name string) string { return map[string]string{"TOOLKIT_CAPTURE_OFF_PROJECTS": off}[name] })
		names, commands := s.ListSwitchedOff()
		if got := strings.Join(names, ", "); err != nil || got != want {
			t.Errorf("%s is named %q, %v", off, got, err)
		}
		if n := strings.Count(off, ",") + 1; len(commands) != n {
			t.Errorf("%s is undone by %v", off, commands)
		}
	}
}

func TestASettingIsWrittenAndTheRestStays(t *testing.T) {
	for name, tc := range map[string]struct {
		before, key, value, after string // after empty: refused, and nothing is changed
	}{
		"into no file":                      {"", "hooks.enabled", "false", "[hooks]\nenabled = false\n"},
		"at the end":                        {"# mine\nlog_level = \"warn\"", "hooks.enabled", "false", "# mine\nlog_level = \"warn\"\n\n[hooks]\nenabled = false\n"},
		"into its section":                  {"[hooks]\n[serve]\nhints = \"meta\"\n", "hooks.enabled", "false", "[hooks]\nenabled = false\n[serve]\nhints = \"meta\"\n"},
		"into its line":                     {"[analytics]\nenabled = true\n[hooks]\n  enabled = true\n", "hooks.enabled", "false", "[analytics]\nenabled = true\n[hooks]\nenabled = false\n"},
		"into a section without an end":     {"[hooks]", "hooks.enabled", "false", "[hooks]\nenabled = false\n"},
		"not over a list of several lines":  {"[capture]\noff_clients = [\n  \"codex\",\n]\n", "capture.off_clients", "[]", ""},
		"not beside keys with dots":         {"capture.enabled = true\n", "capture.off_clients", "[]", ""},
		"not into a table in one line":      {"capture = { enabled = true }\n", "capture.enabled", "false", ""},
		"not into a file that is broken":    {"[capture\n", "capture.enabled", "false", ""},
		"not what no setting is":            {"", "capture.enabld", "false", ""},
		"not a value of another kind":       {"", "capture.enabled", "'no'", ""},
		"not what only looks like its line": {"[serve]\nhints = '''\n[hooks]\nenabled = true\n'''\n", "hooks.enabled", "false", ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "folder", "config.toml")
			if tc.before != "" {
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(tc.before), 0o640); err != nil {
					t.Fatal(err)
				}
			}
			c := &Config{Path: path, values: map[string]string{}, getenv: func(string) string { return "" }}
			err := c.WriteSetting(tc.key, tc.value)
			after, _ := os.ReadFile(path) //nolint:errcheck // a file that is not there is empty
			want := tc.after
			if want == "" {
				want = tc.before
			}
			if string(after) != want || (err != nil) != (tc.after == "") {
				t.Errorf("%v, and it holds\n%s", err, after)
			}
			if i := strings.LastIndex(tc.after, "enabled = false"); i >= 0 && c.Getenv("TOOLKIT_HOOKS") != "0" {
				t.Errorf("it is not in force: %q", c.Getenv("TOOLKIT_HOOKS"))
			}
			if info, err := os.Stat(path); err == nil && tc.before != "" && runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
				t.Errorf("its rights became %v", info.Mode())
			}
		})
	}
}
