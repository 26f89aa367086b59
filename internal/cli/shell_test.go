package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

// shell is a home of its own in which commands are typed as a person would.
type shell struct{ home, bin string }

func newShell(t *testing.T) shell {
	t.Helper()
	s := shell{home: t.TempDir()}
	s.bin = filepath.Join(s.home, "bin")
	if err := os.Mkdir(s.bin, 0o755); err != nil {
		t.Fatal(err)
	}
	placeProgram(t, filepath.Join(s.bin, "toolkit"))
	return s
}

// placeProgram puts the program under a name of its own. It is no symbolic link: install names
// the program by its real path. Package testscript has copied it to where temporary folders
// are, so that nearly always it need not be copied again.
func placeProgram(t *testing.T, name string) {
	t.Helper()
	copied, err := exec.LookPath("toolkit")
	if err != nil {
		t.Fatal(err)
	}
	if os.Link(copied, name) == nil {
		return
	}
	if err := os.WriteFile(name, testenv.Read(t, copied), 0o755); err != nil {
		t.Fatal(err)
	}
}

// run types a script, which ends at its first failure, and returns all it prints.
func (s shell) run(t *testing.T, script string) (string, error) {
	cmd := exec.CommandContext(t.Context(), "sh", "-euc", script)
	cmd.Dir = s.home
	cmd.Env = append(asProgramEnv(), "HOME="+s.home, "PATH="+s.bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// endLeft ends a program that a page which failed has left running, as its file of a process id says.
func (s shell) endLeft(t *testing.T, program string) {
	pid, err := os.ReadFile(filepath.Join(s.home, program+".pid"))
	if err != nil || !t.Failed() {
		return
	}
	id, err := strconv.Atoi(strings.TrimSpace(string(pid)))
	if err != nil {
		return
	}
	if runs, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(id), "exe")); err != nil || filepath.Base(runs) != program {
		return // it has ended, and the id may be another's
	}
	if process, err := os.FindProcess(id); err == nil {
		process.Kill() //nolint:errcheck // it may have ended
	}
}

func writeExecutable(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o700); err != nil {
		t.Fatal(err)
	}
}
