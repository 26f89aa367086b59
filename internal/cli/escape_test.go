package cli

import (
	"encoding/json"
	"os"
	"strings"
	"testing"
	"toolkit/internal/toolstest"
)

func TestEscapeTextShowsControlCharacters(t *testing.T) {
	tests := map[string]struct{ text, want string }{
		"text of any language":      {"Ünï 日本 שלום 👩 e\u0301\n\ttab", "Ünï 日本 שלום 👩 e\u0301\n\ttab"},
		"joiners that it needs":     {"\u0645\u06cc\u200c\u062e 👩\u200d🍳 ❤\ufe0f", "\u0645\u06cc\u200c\u062e 👩\u200d🍳 ❤\ufe0f"},
		"joiners that hide":         {"a\u200db\u200c👩\ufe0f\ufe0f\ufe01", `a\u200db\u200c👩` + "\ufe0f" + `\ufe0f\ufe01`},
		"an escape sequence":        {"a\x1b[31mred\x1b]0;title\x07", `a\u001b[31mred\u001b]0;title\u0007`},
		"the eight bit form of it":  {"a\u009b31m", `a\u009b31m`},
		"bytes that are no text":    {"a\x9b31m\xff", `a\x9b31m\xff`},
		"text turned round":         {"safe\u202etxt.exe\u2066\u061c", `safe\u202etxt.exe\u2066\u061c`},
		"nothing to be seen":        {"pay\u200bpal\u2060\ufeff\u00ad\u3164", `pay\u200bpal\u2060\ufeff\u00ad\u3164`},
		"tags beyond sixteen bits":  {"a\U000e0041", `a\udb40\udc41`},
		"variants that hide a text": {"a\U000e0150", `a\udb40\udd50`},
		"overwriting a line":        {"good\rbad\bdel\x7f", `good\u000dbad\u0008del\u007f`},
		"line ends of Windows":      {"a\r\nb", "a\r\nb"},
		"other separators of lines": {"a\u2028b\u2029c\u0085d", `a\u2028b\u2029c\u0085d`},
	}
	for name, tc := range tests {
		if got := escapeText([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
		var back string
		if err := json.Unmarshal([]byte(`"`+strings.NewReplacer("\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(escapeText([]byte(tc.text)))+`"`), &back); name != "bytes that are no text" && (err != nil || back != tc.text) {
			t.Errorf("%s: JSON gives %q back, %v", name, back, err)
		}
	}
}

func TestACharacterMayComeInPieces(t *testing.T) {
	file, err := os.CreateTemp(t.TempDir(), "*")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	v := &escapingTerminal{file: file}
	for _, b := range []byte("a日\u202e👩\u009b") {
		if n, err := v.Write([]byte{b}); n != 1 || err != nil {
			t.Fatal(n, err)
		}
	}
	v.Write([]byte{0xe6}) //nolint:errcheck // checked below
	v.flush()
	if raw, err := os.ReadFile(file.Name()); err != nil || string(raw) != `a日\u202e👩\u009b\xe6` {
		t.Errorf("%q %v", raw, err)
	}
}

func TestTerminalsGetEscapesAndPipesEveryByte(t *testing.T) {
	t.Parallel()
	db := emptyDatabase(t)
	name := "A\u202eb\u009b31mc\u200b"
	raw := []byte(toolstest.EncodeJSON(oneEntity(name)))
	if _, stderr, code := run(t, "", "call", "create_entities", string(raw), "--db", db); code != exitOK {
		t.Fatal(stderr)
	}
	for _, line := range [][]string{{"call", "read_graph"}, {"export"}, {"forget", "A\u202eb\u009b31m"}, {"call", "nosuch\u009b31m"}} {
		line = append(line, "--db", db)
		if text := onTerminal(t, nil, line...); strings.ContainsAny(text, "\u202e\u009b\u200b") || !strings.Contains(text, `\u009b31m`) {
			t.Errorf("%v shows %q", line, text)
		}
	}
	if piped, _, _ := run(t, "", "export", "--format", "memory", "--db", db); !strings.Contains(piped, name) {
		t.Errorf("a pipe gets %q", piped)
	}
}
