package cli

import (
	"net"
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

func TestBusyPortIsToldWithWhatToDo(t *testing.T) {
	taken, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close() //nolint:errcheck // nobody is connected
	address := taken.Addr().String()
	_, port, _ := strings.Cut(address, ":")
	db := emptyDatabase(t)
	for command, want := range map[string]string{
		"view --port " + port:     "choose another port with --port, or leave it out",
		"serve --http " + address: "choose another address with --http",
	} {
		out, errs, code := run(t, "", append(strings.Fields(command), "--db", db, "--log-level", "error")...)
		if code != exitFailure || out != "" || strings.Count(errs, "\n") > 3 || !strings.Contains(errs, address) || !strings.Contains(errs, want) {
			t.Errorf("%s: %d, %q, %q", command, code, out, errs)
		}
	}
}
