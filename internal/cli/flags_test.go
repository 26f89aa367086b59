package cli

import (
	"strings"
	"testing"
)

func TestFlagErrorsSayWhatToWrite(t *testing.T) {
	for _, c := range []struct {
		line []string
		want string
	}{
		{[]string{"view", "--port", "80a"}, `--port takes a whole number, not "80a"; see 'toolkit view --help'`},
		{[]string{"recall", "--jsn", "tea"}, "unknown flag: --jsn, did you mean --json?; see 'toolkit recall --help'"},
		{[]string{"recall", "--nothing-like-it", "tea"}, "unknown flag: --nothing-like-it; see 'toolkit recall --help'"},
		{[]string{"recall", "--limit"}, "flag needs an argument: --limit; see 'toolkit recall --help'"},
	} {
		out, errs, code := run(t, "", c.line...)
		if code != exitUsage || out != "" || strings.TrimSpace(errs) != "toolkit: "+c.want {
			t.Errorf("%v: %d, %q, %q", c.line, code, out, errs)
		}
	}
}

// An empty variable in a script must not open everything.
func TestEmptyListOfToolsIsRefused(t *testing.T) {
	for _, flag := range []string{"--tools=", "--families="} {
		if _, errs, code := run(t, "", "serve", "--stdio", flag); code != exitUsage || !strings.Contains(errs, "is empty") {
			t.Errorf("%s: %d, %q", flag, code, errs)
		}
	}
}
