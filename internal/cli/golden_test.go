package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// golden runs the command on a database.
func golden(t *testing.T, db, input string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	o := &settings{db: db, streams: Streams{In: strings.NewReader(input), Out: &out, Err: &errs, Getenv: func(name string) string {
		return map[string]string{"TOOLKIT_EMBEDDER": "off"}[name] // these tests do not search
	}}}
	cmd := newGolden(o)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetOut(&out)
	cmd.SetErr(&errs)
	cmd.SetArgs(args)
	err = cmd.ExecuteContext(context.Background())
	return out.String(), errs.String(), err
}

func TestTheShippedGoldenSetIsImportedAndExported(t *testing.T) {
	db := database(t)
	_, said, err := golden(t, db, "", "import", "--shipped")
	if err != nil || said != "40 queries read, 40 new, 40 labelled; 30 insights stored\n" {
		t.Fatalf("%q, %v", said, err)
	}
	text, _, err := golden(t, db, "", "export")
	if err != nil || strings.Count(text, "\n") != 40 || !strings.Contains(text, `{"query":"When will Heron 2.0 be released?","expected_docs":[1]}`) {
		t.Errorf("%v\n%s", err, text)
	}
	file := filepath.Join(t.TempDir(), "golden.jsonl")
	if _, said, err := golden(t, db, "", "export", file); err != nil || !strings.HasPrefix(said, "40 queries written") {
		t.Errorf("%q, %v", said, err)
	}
	if written, err := os.ReadFile(file); err != nil || string(written) != text {
		t.Errorf("the file differs from standard output: %v", err)
	}
	if _, _, err := golden(t, db, "", "export", file); err == nil || !strings.Contains(err.Error(), "exists; choose another name") {
		t.Errorf("a file was overwritten: %v", err)
	}
	if _, said, err := golden(t, db, "", "import", file); err != nil || said != "40 queries read, 0 new, 40 labelled; 0 insights stored\n" {
		t.Errorf("%q, %v", said, err)
	}
}

func TestGoldenRefusals(t *testing.T) {
	tests := map[string]struct {
		input string
		args  []string
		want  string
	}{
		"nothing to import":          {"", []string{"import"}, "give one FILE"},
		"a file and the shipped set": {"", []string{"import", "x", "--shipped"}, "give one FILE"},
		"a file that is absent":      {"", []string{"import", "/nowhere/golden.jsonl"}, "golden.jsonl"},
		"a line that is wrong":       {"{\"query\":\"a\"}\nb\n", []string{"import", "-"}, "nothing was imported: line 2"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if _, _, err := golden(t, emptyDatabase(t), tc.input, tc.args...); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error is %v", err)
			}
		})
	}
}
