package admin

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// configEnvironment is the environment of a configuration file with this text.
func configEnvironment(t *testing.T, text string, mode fs.FileMode, more map[string]string) func(string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	return func(name string) string {
		if name == "TOOLKIT_CONFIG" {
			return path
		}
		return more[name]
	}
}

func TestTheEnvironmentBeatsTheFileAndTheFileTheDefault(t *testing.T) {
	c, err := LoadConfig(configEnvironment(t, "log_level = 'warn'\n[serve]\nhints = 'meta'\nread_only = true\nfamilies = ['charts', 'memory']\npatience = 3\n", 0o644, map[string]string{"TOOLKIT_HINTS": "content"}))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][2]string{
		"log_level": {"warn", "file"}, "serve.hints": {"content", "environment"}, "serve.read_only": {"1", "file"},
		"serve.families": {"charts,memory", "file"}, "serve.patience": {"3", "file"}, "serve.orientation": {"standard", "default"},
	}
	for _, s := range Settings() {
		expected, ok := want[s.Key]
		if !ok {
			continue
		}
		value, origin := c.Value(s)
		if value != expected[0] || string(origin) != expected[1] {
			t.Errorf("%s is %q from the %s, want %q from the %s", s.Key, value, origin, expected[0], expected[1])
		}
		if origin != SettingFromDefault && c.Getenv(s.Env) != value {
			t.Errorf("%s reads %q, want %q", s.Env, c.Getenv(s.Env), value)
		}
	}
}

func TestAWrongFileIsRefusedWithThePlaceToMend(t *testing.T) {
	for text, want := range map[string]string{
		"[serve\n":                         "line 1",
		"familes = ['charts']":             `"familes" is no setting`,
		"families = ['charts']":            `did you mean "serve.families"?`,
		"[serve]\nfamiles = ['charts']":    `did you mean "serve.families"?`,
		"[charts]\nfamilies = ['charts']":  `did you mean "serve.families"?`,
		"[serve]\nread-only = true":        `"serve.read-only" is no setting; did you mean`,
		"[serve]\nread_only = 'yes'":       "serve.read_only: it has to be true or false",
		"[serve]\nfamilies = [1]":          "serve.families: it has to be a list of texts",
		"[serve]\nfamilies = ['a,b']":      `without ","`,
		"[serve]\npatience = 'x'":          "serve.patience: it has to be a number",
		"serve = 1":                        `"serve" is no setting`,
		"[[serve]]\nfamilies = []":         `"serve" is no setting`,
		"db = 1979-05-27":                  "db: it has to be a path in quotation marks",
		"log_level = 'a'\nlog_level = 'b'": "log_level",
	} {
		_, err := LoadConfig(configEnvironment(t, text, 0o600, nil))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", text, err, want)
		}
	}
}

func TestAFileWithKeysMustBeReadableByItsOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("file modes say nothing there")
	}
	text := "[keys]\nopenai = 'sk-secret'\n"
	_, err := LoadConfig(configEnvironment(t, text, 0o644, nil))
	if err == nil || !strings.Contains(err.Error(), "chmod 600") || strings.Contains(err.Error(), "sk-secret") {
		t.Errorf("got %v", err)
	}
	if c, err := LoadConfig(configEnvironment(t, text, 0o600, nil)); err != nil || c.Getenv("OPENAI_API_KEY") != "sk-secret" {
		t.Errorf("a file of the owner alone: %v", err)
	}
}

func TestPathsMeanTheSameWhereverACommandIsStarted(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	getenv := configEnvironment(t, "db = '~/memory/x.db'\n[serve]\nfile_roots = ['papers', '~']\n[embedding]\npath = 'model'\n", 0o600, nil)
	c, err := LoadConfig(getenv)
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Dir(getenv("TOOLKIT_CONFIG"))
	for name, want := range map[string]string{
		"TOOLKIT_DB":         filepath.Join(home, "memory", "x.db"),
		"TOOLKIT_FILE_ROOTS": filepath.Join(folder, "papers") + string(os.PathListSeparator) + home,
		"TOOLKIT_EMBED_PATH": filepath.Join(folder, "model"),
	} {
		if got := c.Getenv(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestAMissingFileIsFineUnlessItIsNamed(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.toml")
	if _, err := LoadConfig(func(name string) string { return map[string]string{"TOOLKIT_CONFIG": missing}[name] }); err == nil {
		t.Error("a named file that is missing was passed over")
	}
	home := t.TempDir()
	c, err := LoadConfig(func(name string) string { return map[string]string{"XDG_CONFIG_HOME": home}[name] })
	if err != nil || c.Exists || c.Path != filepath.Join(home, "toolkit", "config.toml") {
		t.Errorf("%+v, %v", c, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("[serve]\nfamilies = ['a']\n"))
	f.Add([]byte("db = '''x'''\n[judges.first]\nkey = \"k\""))
	f.Fuzz(func(t *testing.T, text []byte) {
		values, err := parseConfig(text)
		if err != nil {
			return
		}
		known := map[string]bool{}
		for _, s := range settings {
			known[s.Env] = true
		}
		for name := range values {
			if !known[name] {
				t.Errorf("%q came out of %q", name, text)
			}
		}
	})
}

// surroundings are variables that are no settings of the toolkit.
var surroundings = map[string]bool{
	"TOOLKIT_CONFIG": true, "XDG_CONFIG_HOME": true, "XDG_DATA_HOME": true, "XDG_CACHE_HOME": true, "APPDATA": true, "LocalAppData": true, "CLAUDE_CONFIG_DIR": true, "NO_COLOR": true,
	"TOOLKIT_TEST_FULL": true, "TOOLKIT_TEST_POSTGRES": true, "TOOLKIT_TEST_ROUNDS": true, // of tests
}

var variable = regexp.MustCompile(`^(TOOLKIT|OPENAI|ANTHROPIC|PLAID|POSTHOG|PROMETHEUS)_[A-Z0-9_]+$`)

// Every variable that the program reads has to be in the table, or the file
// could not say it and config show would hide it.
func TestEveryVariableOfTheProgramIsASetting(t *testing.T) {
	known, seen := map[string]bool{}, map[string]bool{}
	for _, s := range settings {
		if known[s.Env] {
			t.Errorf("%s is listed twice", s.Env)
		}
		known[s.Env] = true
	}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && (name == "node_modules" || name == "scripts" || name == "config" || strings.HasPrefix(name, ".") && len(name) > 2) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(literal.Value)
			if err == nil && variable.MatchString(text) && !surroundings[text] && !prefixes[text] && !errorCodes[text] {
				seen[text] = true
				if !known[text] {
					t.Errorf("%s reads %s, which is no setting", path, text)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 15 {
		t.Errorf("only %d variables were found in the source; the search is broken", len(seen))
	}
}

// prefixes are beginnings of variables' names, completed in the code.
var prefixes = map[string]bool{"TOOLKIT_JUDGE1": true, "TOOLKIT_JUDGE2": true}

// errorCodes look like variables.
var errorCodes = map[string]bool{"PLAID_ITEM_NOT_FOUND": true, "PLAID_NOT_CONFIGURED": true, "PLAID_API_ERROR": true, "PLAID_INVALID_TOKEN": true, "PROMETHEUS_QUERY_FAILED": true}
