//go:build unix

package layout

import (
	"bufio"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestNothingThatTheProgramStartedOutlivesIt(t *testing.T) {
	for name, one := range map[string]struct {
		script    string
		abandoned bool
	}{
		"given up on":  {"sleep 600", true},
		"ended itself": {"sleep 600 >/dev/null 2>&1 </dev/null & exit 1", false},
	} {
		t.Run(name, func(t *testing.T) {
			held := filepath.Join(t.TempDir(), "held")
			if err := syscall.Mkfifo(held, 0o600); err != nil {
				t.Fatal(err)
			}
			program := standIn(t, "exec 3>'"+held+"'\necho started >&3\n"+one.script)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			ended := make(chan error, 1)
			go func() {
				_, _, _, err := program.Read(ctx, 1, []byte("picture"), 10, 10)
				ended <- err
			}()
			file, err := os.Open(held) // once the program has it open
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = file.Close() }()
			lines := bufio.NewReader(file)
			if line, err := lines.ReadString('\n'); err != nil || strings.TrimSpace(line) != "started" {
				t.Fatalf("%q, %v", line, err)
			}
			if one.abandoned {
				cancel()
			}
			if err := <-ended; one.abandoned != errors.Is(err, context.Canceled) || err == nil {
				t.Errorf("the reading ended with %v", err)
			}
			// The end of the file comes once nobody holds its other end any more.
			if err := file.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			if _, err := lines.ReadByte(); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
				t.Errorf("a process of the program lives on: %v", err)
			}
		})
	}
}
