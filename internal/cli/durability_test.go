package cli

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

func TestSIGTERMInTheMiddleOfWritesAnswersWhatWasReadAndExitsCleanly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there is no SIGTERM on Windows")
	}
	db := database(t)
	c := serve(t, db)
	for i := range 100 {
		if err := c.send("create_entities", oneEntity(fmt.Sprintf("n%d", i))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.read(); err != nil {
		t.Fatal(err)
	}
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	answered := 1
	for {
		_, err := c.read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		answered++
	}
	var exit *exec.ExitError
	if err := c.cmd.Wait(); errors.As(err, &exit) {
		t.Errorf("exit code %d", exit.ExitCode())
	}
	if stored := names(t, db); len(stored) != answered {
		t.Errorf("%d answered, %d stored", answered, len(stored))
	}
}
