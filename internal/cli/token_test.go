package cli

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tokenFor makes a token and returns its text.
func tokenFor(t *testing.T, db string, args ...string) string {
	t.Helper()
	stdout, stderr, code := run(t, "", append([]string{"token", "add", "--db", db}, args...)...)
	if code != exitOK || !strings.HasPrefix(stdout, "tkt_") || strings.Contains(stderr, strings.TrimSpace(stdout)) {
		t.Fatalf("%d %q %q", code, stdout, stderr)
	}
	return strings.TrimSpace(stdout)
}

func (s *webServer) as(token string) *webServer {
	other := *s
	other.token = token
	return &other
}

func TestATokenOpensItsSpaceWithItsRightsUntilItIsRemoved(t *testing.T) {
	t.Parallel()
	db := database(t)
	anna, bert := tokenFor(t, db, "anna-phone", "--space", "anna", "--expires", "90d"), tokenFor(t, db, "bert", "--space", "bert", "--rights", "read")
	owner := tokenFor(t, db, "owner")
	s := serveHTTP(t, "", "--db", db, "--http-rate-limit", "0")
	for i, who := range []string{anna, owner} {
		if status, a := s.as(who).call(i, "create_entities", oneEntity("Nutria")); status != http.StatusOK || a.Result.IsError {
			t.Fatalf("%d %+v", status, a)
		}
	}
	for what, test := range map[string]struct {
		token, tool string
		arguments   any
		status      int
		says        string
	}{
		"anna reads her own":        {anna, "search_nodes", map[string]any{"query": "nutria"}, http.StatusOK, "Nutria"},
		"bert reads his, of nobody": {bert, "read_graph", map[string]any{}, http.StatusOK, `"entities":[]`},
		"bert writes":               {bert, "create_entities", oneEntity("Otter"), http.StatusForbidden, ""},
		"nobody reads":              {"", "read_graph", map[string]any{}, http.StatusUnauthorized, ""},
		"an old token reads":        {anna[:len(anna)-1], "read_graph", map[string]any{}, http.StatusUnauthorized, ""},
	} {
		if status, a := s.as(test.token).call(7, test.tool, test.arguments); status != test.status || !strings.Contains(string(a.Result.StructuredContent), test.says) {
			t.Errorf("%s: %d %+v", what, status, a)
		}
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(db), "spaces", "anna", "toolkit.db")); err != nil {
		t.Errorf("the space of anna: %v", err)
	}
	if stdout, _, code := run(t, "", "token", "remove", "anna-phone", "--db", db); code != exitOK || !strings.Contains(stdout, "anna-phone") {
		t.Errorf("%d %s", code, stdout)
	}
	if status, _ := s.as(anna).call(8, "read_graph", map[string]any{}); status != http.StatusUnauthorized {
		t.Errorf("the removed token: %d", status)
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Skip("this system has no signals: ", err)
	}
	code, log := s.end()
	for _, text := range []string{anna, bert, owner} {
		if strings.Contains(log, text) {
			t.Errorf("the log tells a token: %s", log)
		}
	}
	if code != exitOK || !strings.Contains(log, `"space":"anna"`) {
		t.Errorf("%d %s", code, log)
	}
}

func TestTokensAreListedWithoutTheirTexts(t *testing.T) {
	db := database(t)
	text := tokenFor(t, db, "anna-phone", "--space", "anna", "--rights", "read,write")
	stdout, _, code := run(t, "", "token", "list", "--db", db)
	if fields := strings.Fields(strings.SplitAfter(stdout, "\n")[1]); code != exitOK || len(fields) != 5 || fields[0] != "anna-phone" || fields[1] != "anna" || fields[2] != "read,write" || fields[4] != "never" {
		t.Errorf("%d %q", code, stdout)
	}
	if strings.Contains(stdout, text) {
		t.Errorf("the list tells the token: %s", stdout)
	}
}

func TestTokensThatMeanNothingAreRefused(t *testing.T) {
	db := database(t)
	tokenFor(t, db, "taken")
	for _, test := range []struct {
		line string
		code int
		says string
	}{
		{"add", exitUsage, "the name of a token"},
		{"add taken", exitFailure, "already"},
		{"add a --space ../b", exitUsage, "no name of a space"},
		{"add a --rights admin", exitUsage, "no right"},
		{"add a --rights=", exitUsage, "without rights"},
		{"add a --expires soon", exitUsage, "no duration"},
		{"add a --expires 0d", exitUsage, "no duration"},
		{"add a --expires -1h", exitUsage, "no duration"},
		{"remove nobody", exitFailure, "token list"},
	} {
		stdout, stderr, code := run(t, "", append(append([]string{"token"}, strings.Fields(test.line)...), "--db", db)...)
		if code != test.code || stdout != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: %d %q %q", test.line, code, stdout, stderr)
		}
	}
}
