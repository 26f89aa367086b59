//go:build unix

package stdio

import (
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
)

func TestTheFirstSignalCancelsTheContextAndTheSecondEndsTheProcess(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		exited := make(chan int, 1)
		ctx, stop := signals(t.Context(), func(code int) { exited <- code })
		raise(t, signal)
		<-ctx.Done()
		select {
		case code := <-exited:
			t.Fatalf("the first signal ended the process with code %d", code)
		default:
		}
		raise(t, signal)
		wantEqual(t, "exit code", <-exited, 1)
		stop()
		stop() // harmless
	}
}

func TestStopEndsTheContextWithoutASignal(t *testing.T) {
	ctx, stop := Signals(t.Context())
	stop()
	<-ctx.Done()
}

func TestAWriteToAClosedOutputFailsInsteadOfEndingTheProcess(t *testing.T) {
	// Only a broken standard output or error kills a process, so this takes a process of its own.
	const variable, survived = "STDIO_TEST_BROKEN_PIPE", 7
	if os.Getenv(variable) != "" {
		_, stop := Signals(t.Context())
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
	wantEqual(t, "exit code", child.ProcessState.ExitCode(), survived)
}

func raise(t *testing.T, signal syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(os.Getpid(), signal); err != nil {
		t.Fatal(err)
	}
}
