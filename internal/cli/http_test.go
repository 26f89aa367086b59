package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"testing"
)

// webServer is a process that serves HTTP.
type webServer struct {
	t     *testing.T
	cmd   *exec.Cmd
	in    io.WriteCloser
	url   string
	token string
	log   <-chan string // what it wrote on standard error, when it has ended
}

// serveHTTP starts `toolkit serve --http 127.0.0.1:0` and waits for its address.
func serveHTTP(t *testing.T, token string, args ...string) *webServer {
	t.Helper()
	cmd := program(t, append([]string{"serve", "--http", "127.0.0.1:0", "--db", database(t)}, args...)...)
	if token != "" {
		cmd.Env = append(cmd.Env, "TOOLKIT_TOKEN="+token)
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	first, lines := firstLine(t, cmd)
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "toolkit serves ")
	if !ok {
		rest, _ := io.ReadAll(lines)
		t.Fatalf("it says %q%s", first, rest)
	}
	log := make(chan string, 1)
	go func() {
		rest, _ := io.ReadAll(lines)
		log <- first + string(rest)
	}()
	return &webServer{t, cmd, in, url, token, log}
}

func (s *webServer) call(id int, tool string, arguments any) (status int, a answer) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url, strings.NewReader(callLine(id, tool, arguments)))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if s.token != "" {
		r.Header.Set("Authorization", "Bearer "+s.token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	if err := json.NewDecoder(response.Body).Decode(&a); err != nil {
		s.t.Fatal(err)
	}
	return response.StatusCode, a
}

// end waits for the process and returns its exit code and its log.
func (s *webServer) end() (int, string) {
	s.t.Helper()
	log := <-s.log
	s.cmd.Wait() //nolint:errcheck // the code says it
	return s.cmd.ProcessState.ExitCode(), log
}

func TestThePublishedRateLimitIsTheDefault(t *testing.T) {
	t.Parallel()
	s := serveHTTP(t, "")
	for i := range 30 {
		if status, _ := s.call(i, "read_graph", map[string]any{}); status != http.StatusOK {
			t.Fatalf("request %d: %d", i+1, status)
		}
	}
	if status, a := s.call(31, "read_graph", map[string]any{}); status != http.StatusTooManyRequests || a.Error == nil {
		t.Errorf("request 31: %d %+v", status, a)
	}
}

func TestBothWaysServeOneDatabaseUntilTheInputEnds(t *testing.T) {
	s := serveHTTP(t, "", "--stdio")
	if status, a := s.call(1, "create_entities", oneEntity("shared")); status != http.StatusOK || a.Result.IsError {
		t.Fatalf("%d %+v", status, a)
	}
	s.in.Close()
	if code, log := s.end(); code != exitOK {
		t.Errorf("it ended with %d: %s", code, log)
	}
}

func TestHTTPSettingsThatAreUnsafeOrMeaninglessAreRefused(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		args []string
		says string
	}{
		{"no way to serve", nil, "say how to serve"},
		{"all addresses without a token", []string{"--http", "0.0.0.0:0"}, "needs a token"},
		{"all addresses, said shortly", []string{"--http", ":0"}, "needs a token"},
		{"all addresses of IPv6", []string{"--http", "[::]:0"}, "needs a token"},
		{"all addresses, unencrypted", []string{"--http", "0.0.0.0:0", "--token", "a-token-of-some-length"}, "--tls-cert"},
		{"a proxy in front of everybody", []string{"--http", "127.0.0.1:0", "--behind-proxy"}, "needs a token"},
		{"a certificate without its key", []string{"--http", "127.0.0.1:0", "--tls-cert", "cert.pem"}, "go together"},
		{"a provider without an audience", []string{"--http", "127.0.0.1:0", "--oidc-issuer", "https://login.example.org"}, "go together"},
		{"a provider in the open", []string{"--http", "127.0.0.1:0", "--oidc-issuer", "http://login.example.org", "--oidc-audience", "a"}, "https://"},
		{"spaces of no provider", []string{"--http", "127.0.0.1:0", "--oidc-space", "1234=anna"}, "--oidc-issuer"},
		{"a space with no name", []string{"--http", "127.0.0.1:0", "--oidc-issuer", "https://login.example.org", "--oidc-audience", "a", "--oidc-space", "1234=../anna"}, "VALUE=SPACE"},
		{"a token that can be guessed", []string{"--http", "127.0.0.1:0", "--token", "short"}, "too short"},
		{"a token that no header carries", []string{"--http", "127.0.0.1:0", "--token", "spaces in the token"}, "spaces"},
		{"no port", []string{"--http", "127.0.0.1"}, "HOST:PORT"},
		{"a port that is none", []string{"--http", "127.0.0.1:x"}, "cannot be resolved"},
		{"a negative limit", []string{"--http", "127.0.0.1:0", "--http-rate-limit", "-1"}, "from 0"},
		{"a drain that is no time", []string{"--http", "127.0.0.1:0", "--http-drain", "later"}, "not a time from 0s"},
		{"a boundless limit", []string{"--http", "127.0.0.1:0", "--http-rate-limit", "1000000"}, "10000"},
	} {
		stdout, stderr, code := run(t, "", append([]string{"serve", "--db", database(t)}, test.args...)...)
		if code != exitUsage || stdout != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("%s: %d %q %q", test.name, code, stdout, stderr)
		}
		if strings.Contains(stderr, "spaces in the token") {
			t.Errorf("%s: the token is repeated: %s", test.name, stderr)
		}
	}
}

func TestHelpDoesNotPrintTheToken(t *testing.T) {
	cmd := program(t, "serve", "--help")
	cmd.Env = append(cmd.Env, "TOOLKIT_TOKEN=a-token-of-some-length")
	text, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(text), "a-token-of") || !strings.Contains(string(text), "--http ") {
		t.Errorf("%v: %s", err, text)
	}
}
