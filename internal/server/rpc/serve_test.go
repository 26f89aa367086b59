package rpc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestEverythingReadBeforeTheEndOfInputIsAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := connect(t, newTestServer(), testOptions{})
		for i := range 300 {
			tool := "echo"
			if i%3 == 0 {
				tool = "write"
			}
			c.send(toolCall(i, tool, fmt.Sprint(i)))
		}
		lines := c.end()
		ids := map[string]bool{}
		for _, line := range lines {
			ids[string(decode(t, line).ID)] = true
		}
		if len(lines) != 300 || len(ids) != 300 {
			t.Errorf("%d answers with %d different ids, want 300", len(lines), len(ids))
		}
	})
}

func TestTheEndOfInputWaitsForARunningCall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{})
		c.send(toolCall(1, "write_block", "a"), toolCall(2, "write", "b"))
		s.wantStarted(t, "a")
		c.in.Close()
		c.wantSilence()
		close(s.release)
		lines, err := c.wait()
		wantLines(t, lines, "1:released", "2:written")
		wantEqual(t, "error of Serve", err, nil)
		wantEqual(t, "writes", s.recorded(), []string{"a", "b"})
	})
}

func TestTheEndOfInputClosesSubscriptionsInsteadOfWaiting(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := connect(t, newTestServer(), testOptions{})
		start := time.Now()
		c.send(modern(1, "subscriptions/listen", map[string]any{"notifications": map[string]any{"toolsListChanged": true}}))
		wantLines(t, c.end(), "notifications/subscriptions/acknowledged", "1:result")
		wantEqual(t, "time waited", time.Since(start), 0)
	})
}

func TestAnInputThatFailsIsReportedAfterItsMessagesAreAnswered(t *testing.T) {
	s, failure := newTestServer(), errors.New("the disk is on fire")
	in := io.MultiReader(strings.NewReader(toolCall(1, "echo", "a")+"\n{\"half"), iotest.ErrReader(failure))
	var out strings.Builder
	err := (testOptions{}).transport(s).Serve(t.Context(), in, &out)
	if !errors.Is(err, failure) {
		t.Errorf("Serve returned %v", err)
	}
	wantLines(t, strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n"), "1:a")
}

func TestCancellingTheContextFinishesWhatWasRead(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{})
		c.send(toolCall(1, "write_block", "a"), toolCall(2, "write", "b"))
		s.wantStarted(t, "a")
		synctest.Wait()
		c.cancel()
		c.wantSilence()
		close(s.release)
		lines, err := c.wait()
		wantLines(t, lines, "1:released", "2:written")
		wantEqual(t, "error of Serve", err, nil)
	})
}

func TestCallsThatOutlastTheGracePeriodAreCutOff(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{Grace: time.Minute})
		start := time.Now()
		c.send(toolCall(1, "write_block", "a"), toolCall(2, "write", "b"))
		s.wantStarted(t, "a")
		c.in.Close()
		lines, err := c.wait()
		wantEqual(t, "unfinished", errors.Is(err, ErrUnfinished), true)
		if waited := time.Since(start); waited < 50*time.Second || waited > time.Minute {
			t.Errorf("Serve returned after %v", waited)
		}
		if len(lines) != 2 {
			t.Fatalf("%d answers, want 2: %v", len(lines), lines)
		}
		for _, line := range lines { // in either order: the write that never ran is refused at once
			switch a := decode(t, line); string(a.ID) {
			case "1":
				wantEqual(t, "answer of the call that was cut off", a.text(), ErrShutdown.Error())
			case "2":
				wantEqual(t, "answer of the call that never ran", a.Error.Message, "not executed: the server is shutting down")
			}
		}
		wantEqual(t, "writes", s.recorded(), []string{})
	})
}

func TestAPileOfCallsMayOutlastTheGracePeriodWhileAnswersKeepComing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{Grace: time.Minute})
		want := []string{}
		for i := range 5 {
			c.send(toolCall(i, "write_slow", "40s"))
			want = append(want, fmt.Sprintf("%d:slept", i))
		}
		start := time.Now()
		c.in.Close()
		lines, err := c.wait()
		wantEqual(t, "error of Serve", err, nil)
		wantLines(t, lines, want...)
		wantEqual(t, "time waited", time.Since(start), 200*time.Second)
	})
}

func TestACallThatIgnoresItsCancellationDoesNotOutlastTheGracePeriod(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{Grace: time.Minute})
		c.send(toolCall(1, "stubborn", "a"))
		s.wantStarted(t, "a")
		start := time.Now()
		c.cancel()
		lines, err := c.wait()
		wantEqual(t, "unfinished", errors.Is(err, ErrUnfinished), true)
		wantEqual(t, "time waited", time.Since(start), time.Minute)
		close(s.release) // too late: nothing may be written any more
		synctest.Wait()
		wantLines(t, lines)
	})
}

func TestAClientThatStopsReadingDoesNotHoldUpTheShutdown(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := connectSilent(t, newTestServer(), testOptions{Grace: time.Minute})
		for i := range 50 {
			c.send(toolCall(i, "echo", "a"))
		}
		c.send(`{"broken`, request("p", "ping", nil))
		synctest.Wait()
		start := time.Now()
		c.cancel()
		if err := <-c.err; !errors.Is(err, ErrUnfinished) {
			t.Errorf("Serve returned %v", err)
		}
		wantEqual(t, "time waited", time.Since(start), time.Minute)
	})
}

func TestAClosedOutputEndsServeAfterTheRunningCalls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connectSilent(t, s, testOptions{})
		c.send(toolCall(1, "write_block", "a"), toolCall(2, "write", "b"))
		s.wantStarted(t, "a")
		c.out.CloseWithError(syscall.EPIPE)
		c.send(request("p", "ping", nil)) // its answer finds out
		synctest.Wait()
		select {
		case err := <-c.err:
			t.Fatalf("Serve did not wait for the running call: %v", err)
		default:
		}
		close(s.release)
		err := <-c.err
		wantEqual(t, "closed output", errors.Is(err, ErrOutputClosed) && errors.Is(err, syscall.EPIPE), true)
		wantEqual(t, "writes", s.recorded(), []string{"a", "b"})
	})
}

// lineWriter records every Write.
type lineWriter struct{ writes []string }

func (w *lineWriter) Write(p []byte) (int, error) {
	w.writes = append(w.writes, string(p))
	return len(p), nil
}

func TestEveryMessageIsOneLineAndOneWrite(t *testing.T) {
	s := newTestServer()
	s.tool("layout", func(context.Context, string) (*mcp.CallToolResult, error) {
		return &mcp.CallToolResult{StructuredContent: json.RawMessage("{\n \"a\": \"<b> & \u2028\\n\"\n}")}, nil
	})
	var out lineWriter
	in := strings.Join([]string{initialize, toolCall(1, "layout", ""), toolCall(2, "echo", "two\nlines\r\n <&>"), "nonsense"}, "\n")
	if err := (testOptions{}).transport(s).Serve(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	wantEqual(t, "writes", len(out.writes), 4)
	for _, line := range out.writes {
		if strings.Count(line, "\n") != 1 || !strings.HasSuffix(line, "\n") {
			t.Errorf("%q is not one line", line)
		}
		decode(t, line)
	}
}
