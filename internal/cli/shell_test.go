package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
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
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A copy and no link: install names the program by its real path.
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	writeExecutable(t, filepath.Join(s.bin, "toolkit"), program)
	return s
}

// run types a script, which ends at its first failure, and returns all it prints.
func (s shell) run(t *testing.T, script string) (string, error) {
	cmd := exec.CommandContext(t.Context(), "sh", "-euc", script)
	cmd.Dir = s.home
	cmd.Env = []string{asToolkit + "=1", "TOOLKIT_PATIENCE=60", "HOME=" + s.home, "PATH=" + s.bin + string(os.PathListSeparator) + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func writeExecutable(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name, text, 0o700); err != nil {
		t.Fatal(err)
	}
}
