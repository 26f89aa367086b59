package admin

import (
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

func TestSecretsMayStandInFilesOfTheirOwn(t *testing.T) {
	folder := t.TempDir()
	file := func(name, text string) string {
		t.Helper()
		path := filepath.Join(folder, name)
		testenv.Write(t, path, text)
		return path
	}
	token, empty, long := file("token", "from-a-file-of-its-own\n"), file("empty", "\n"), file("long", strings.Repeat("x", maxSecretBytes+1))
	for _, test := range []struct {
		name  string
		file  string // config.toml
		env   map[string]string
		value string // of TOOLKIT_TOKEN
		says  string // the error
	}{
		{"alone", "", map[string]string{"TOOLKIT_TOKEN_FILE": token}, "from-a-file-of-its-own", ""},
		{"before config.toml", "[http]\ntoken = 'another'\n", map[string]string{"TOOLKIT_TOKEN_FILE": token}, "from-a-file-of-its-own", ""},
		{"beside the variable", "", map[string]string{"TOOLKIT_TOKEN_FILE": token, "TOOLKIT_TOKEN": "x"}, "", "keep one"},
		{"that is missing", "", map[string]string{"TOOLKIT_TOKEN_FILE": filepath.Join(folder, "none")}, "", "TOOLKIT_TOKEN_FILE: open "},
		{"that is empty", "", map[string]string{"TOOLKIT_TOKEN_FILE": empty}, "", "is empty"},
		{"that is no secret", "", map[string]string{"TOOLKIT_TOKEN_FILE": long}, "", "longer than a secret"},
		{"of what is no secret", "", map[string]string{"TOOLKIT_HINTS_FILE": filepath.Join(folder, "none")}, "", ""},
	} {
		c, err := LoadConfig(configEnvironment(t, test.file, 0o600, test.env))
		switch {
		case test.says != "":
			if err == nil || !strings.Contains(err.Error(), test.says) || strings.Contains(err.Error(), "from-a-file") {
				t.Errorf("%s: %v", test.name, err)
			}
		case err != nil || c.Getenv("TOOLKIT_TOKEN") != test.value:
			t.Errorf("%s: %q, %v", test.name, c.Getenv("TOOLKIT_TOKEN"), err)
		}
	}
	if c, err := LoadConfig(configEnvironment(t, "", 0o600, map[string]string{"TOOLKIT_DB_FILE": token})); err != nil || c.Getenv("TOOLKIT_DB") != "from-a-file-of-its-own" {
		t.Errorf("the database: %v", err)
	}
}
