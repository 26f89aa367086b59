//go:build unix

package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"
)

func TestTheFirstSignalCancelsTheContextAndTheSecondEndsTheProcess(t *testing.T) {
	const variable = "STDIO_TEST_SIGNAL"
	if number, err := strconv.Atoi(os.Getenv(variable)); err == nil {
		ctx, stop := handleSignals(t.Context())
		defer stop()
		raise(t, syscall.Signal(number))
		<-ctx.Done()
		for { // the handler of the first one is taken away beside the test
			raise(t, syscall.Signal(number))
			time.Sleep(10 * time.Millisecond) // one signal at a time, as people send them
		}
	}
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
		child.Env = append(os.Environ(), fmt.Sprintf("%s=%d", variable, signal))
		child.Run() //nolint:errcheck // it is killed
		status, ok := child.ProcessState.Sys().(syscall.WaitStatus)
		if !ok || !status.Signaled() || status.Signal() != signal {
			t.Errorf("%v: the process ended with %v", signal, child.ProcessState)
		}
	}
}

func TestStopEndsTheContextWithoutASignal(t *testing.T) {
	ctx, stop := handleSignals(t.Context())
	stop()
	<-ctx.Done()
}

func TestAWriteToAClosedOutputFailsInsteadOfEndingTheProcess(t *testing.T) {
	// Only a broken standard output or error kills a process, so this takes a process of its own.
	const variable, survived = "STDIO_TEST_BROKEN_PIPE", 7
	if os.Getenv(variable) != "" {
		_, stop := handleSignals(t.Context())
		defer stop()
		if _, err := os.Stdout.WriteString("x"); errors.Is(err, syscall.EPIPE) {
			os.Exit(survived)
		}
		os.Exit(1)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	child := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$")
	child.Env = append(os.Environ(), variable+"=1")
	child.Stdout = w
	child.Run()
	if code := child.ProcessState.ExitCode(); code != survived {
		t.Errorf("exit code %d, want %d", code, survived)
	}
}

func raise(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), signal); err != nil {
		t.Fatal(err)
	}
}
