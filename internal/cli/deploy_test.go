package cli

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	"go.yaml.in/yaml/v3"

	"toolkit/internal/testenv"
)

// deployFolder holds what runs toolkit as a service.
func deployFolder(t *testing.T) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("services are described for Linux")
	}
	folder, err := filepath.Abs(filepath.Join("..", "..", "deploy"))
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// serves starts toolkit as a service would, asks it as a health check does, and ends it.
func serves(t *testing.T, args, env []string) {
	t.Helper()
	i := slices.Index(args, "--http")
	if i < 0 || args[0] != "serve" {
		t.Fatalf("it runs toolkit %v", args)
	}
	args = slices.Clone(args)
	args[i+1] = "127.0.0.1:0" // the usual port may be taken here
	if i := slices.Index(args, "--http-drain"); i >= 0 {
		args[i+1] = "10ms"
	}
	cmd := program(t, args...)
	cmd.Env = append(cmd.Env, env...)
	first, lines := firstLine(t, cmd)
	url, ok := strings.CutPrefix(strings.TrimSpace(first), "toolkit serves ")
	if !ok {
		rest, _ := io.ReadAll(lines)
		t.Fatalf("it says %s%s", first, rest)
	}
	log := make(chan string, 1)
	go func() {
		rest, _ := io.ReadAll(lines)
		log <- string(rest)
	}()
	if out, errs, code := run(t, "", "ready", url); code != exitOK {
		t.Errorf("it is not ready: %s%s", out, errs)
	}
	s := webServer{t: t, cmd: cmd, url: url}
	if status, _ := s.call(1, "read_graph", map[string]any{}); status != 401 {
		t.Errorf("who has no token is answered with %d", status)
	}
	cmd.Process.Signal(syscall.SIGTERM) //nolint:errcheck // the code says it
	said := <-log
	cmd.Wait() //nolint:errcheck // the code says it
	if code := cmd.ProcessState.ExitCode(); code != exitOK || strings.Contains(said, "a-token-of-some-length") {
		t.Errorf("it ended with %d: %s", code, said)
	}
}

// secretFile is a file with a secret as containers and systemd hand it over.
func secretFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(path, []byte(text+"\n"), 0o400); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheComposeFileServesWithItsSecretsFromFiles(t *testing.T) {
	text := testenv.Read(t, filepath.Join(deployFolder(t), "compose.yaml"))
	type service struct {
		Command     []string
		Environment map[string]string
		Secrets     []string
		ReadOnly    bool `yaml:"read_only"`
		Healthcheck struct{ Test []string }
		Build       struct{ Context, Dockerfile string }
	}
	var file struct {
		Services map[string]service
		Secrets  map[string]struct{ File string }
	}
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	values := map[string]string{ // what the secrets hold; the database is a file here
		"toolkit_db": database(t), "toolkit_token": "a-token-of-some-length", "postgres_password": "x",
	}
	env := map[string][]string{}
	for name, s := range file.Services {
		if len(s.Healthcheck.Test) == 0 {
			t.Errorf("nobody sees whether %s is well", name)
		}
		for variable, value := range s.Environment {
			secret, isFile := strings.CutPrefix(value, "/run/secrets/")
			if isFile != strings.HasSuffix(variable, "_FILE") {
				t.Errorf("%s of %s is %q", variable, name, value)
			}
			if isFile {
				if !slices.Contains(s.Secrets, secret) || file.Secrets[secret].File == "" || values[secret] == "" {
					t.Errorf("%s of %s names the secret %s, which it is not given", variable, name, secret)
				}
				value = secretFile(t, values[secret])
			}
			env[name] = append(env[name], variable+"="+value)
		}
	}
	toolkit := file.Services["toolkit"]
	if !toolkit.ReadOnly {
		t.Error("the image can be written to")
	}
	if check := toolkit.Healthcheck.Test; !slices.Equal(check, []string{"CMD", "/toolkit", "ready"}) {
		t.Errorf("its health is asked by %v", check)
	}
	image, err := os.ReadFile(filepath.Join(deployFolder(t), toolkit.Build.Context, toolkit.Build.Dockerfile))
	if err != nil || !strings.Contains(string(image), `ENTRYPOINT ["/toolkit"]`) || !strings.Contains(string(image), "USER 65532") || !strings.Contains(string(image), "FROM scratch") {
		t.Errorf("the image is not what the file needs: %v", err)
	}
	for name, want := range map[string]string{".dockerignore": "\ndeploy\n", ".gitignore": "\n/deploy/secrets/\n"} {
		if ignored, err := os.ReadFile(filepath.Join(deployFolder(t), "..", name)); err != nil || !strings.Contains(string(ignored), want) {
			t.Errorf("%s lets the secrets pass: %v", name, err)
		}
	}
	serves(t, toolkit.Command, env["toolkit"])
}

// unit reads the settings of a systemd unit, with the folders that systemd would give.
func unit(t *testing.T, name string, places map[string]string) map[string][]string {
	t.Helper()
	file, err := os.Open(filepath.Join(deployFolder(t), name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	settings := map[string][]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		key, value, ok := strings.Cut(lines.Text(), "=")
		if !ok || strings.HasPrefix(key, "#") {
			continue
		}
		for place, folder := range places {
			value = strings.ReplaceAll(value, place, folder)
		}
		settings[key] = append(settings[key], value)
	}
	return settings
}

func TestTheSystemdServiceServesWithItsTokenFromAFile(t *testing.T) {
	credentials := filepath.Dir(secretFile(t, "a-token-of-some-length"))
	u := unit(t, "toolkit.service", map[string]string{"%S": t.TempDir(), "%C": t.TempDir(), "%d/token": filepath.Join(credentials, "secret")})
	serves(t, strings.Fields(u["ExecStart"][0])[1:], strings.Fields(strings.Join(u["Environment"], " ")))
	if !slices.Contains(u["LoadCredential"], "token:/etc/toolkit/token") || u["User"][0] == "root" {
		t.Errorf("it runs as %v with %v", u["User"], u["LoadCredential"])
	}
}

func TestTheNightlyBackupIsAVerifiedArchive(t *testing.T) {
	state, archives := t.TempDir(), filepath.Join(t.TempDir(), "archives")
	u := unit(t, "toolkit-backup.service", map[string]string{"%S": state, "/var/backups/toolkit-archives": archives})
	db := filepath.Join(state, "toolkit", "toolkit.db")
	if _, errs, code := run(t, "", "call", "create_entities", `{"entities":[{"name":"Anna","entityType":"person","observations":[]}]}`, "--db", emptyAt(t, db)); code != exitOK {
		t.Fatal(errs)
	}
	cmd := program(t, strings.Fields(u["ExecStart"][0])[1:]...)
	cmd.Env = append(cmd.Env, strings.Fields(strings.Join(u["Environment"], " "))...)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "every hash is right") {
		t.Fatalf("%v %s", err, out)
	}
	made, err := filepath.Glob(filepath.Join(archives, "*.zip"))
	if err != nil || len(made) != 1 || !slices.Equal(u["ReadWritePaths"], []string{archives}) {
		t.Errorf("%v, %v", made, err)
	}
}

// systemd 252 and later judge a unit without running it; 1.5 of 10 is what the rules that cannot be kept cost: a
// service has to be reached, and the reader of PDFs compiles.
func TestSystemdFindsTheUnitsRightAndTight(t *testing.T) {
	folder := deployFolder(t)
	if _, err := exec.LookPath("systemd-analyze"); err != nil {
		t.Skip("there is no systemd-analyze to judge the units")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	there := t.TempDir()
	var units []string
	for _, name := range []string{"toolkit.service", "litestream.service", "toolkit-backup.service", "toolkit-backup.timer"} {
		text := testenv.Read(t, filepath.Join(folder, name))
		for _, binary := range []string{"/usr/local/bin/toolkit", "/usr/local/bin/litestream"} { // which are not installed here
			text = []byte(strings.ReplaceAll(string(text), "ExecStart="+binary, "ExecStart="+self))
		}
		path := filepath.Join(there, name)
		testenv.Write(t, path, text)
		units = append(units, path)
	}
	if out, err := exec.CommandContext(t.Context(), "systemd-analyze", append([]string{"verify", "--man=no"}, units...)...).CombinedOutput(); err != nil || strings.Contains(string(out), there) {
		t.Errorf("%v: %s", err, out)
	}
	for name, threshold := range map[string]string{"toolkit.service": "15", "litestream.service": "30"} {
		out, err := exec.CommandContext(t.Context(), "systemd-analyze", "security", "--offline=true", "--no-pager", "--threshold="+threshold, filepath.Join(there, name)).CombinedOutput()
		if err != nil && strings.Contains(string(out), "unrecognized option") {
			t.Skip("this systemd-analyze judges no unit that is not loaded")
		}
		if err != nil {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
}

func TestMakeServeLeavesStandardOutputToTheClient(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil || runtime.GOOS == "windows" {
		t.Skip("there is no make")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	server := filepath.Join(t.TempDir(), "server")
	testenv.Write(t, server, "#!/bin/sh\necho $*\n")
	if err := os.Chmod(server, 0o700); err != nil {
		t.Fatal(err)
	}
	path, err := filepath.Rel(root, server)
	if err != nil {
		t.Fatal(err)
	}
	for name, build := range map[string]string{"a build": "true", "a build that says something": "echo"} {
		t.Run(name, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), "make", "serve", "GO="+build, "BIN="+path)
			cmd.Dir = root
			var errs strings.Builder
			cmd.Stderr = &errs
			if out, err := cmd.Output(); err != nil || string(out) != "serve --stdio\n" || !strings.Contains(errs.String(), "build the program: passed") {
				t.Errorf("%v; on standard output stands %q, on standard error %q", err, out, errs.String())
			}
		})
	}
}
