package rpc

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestWritesAreAppliedAloneAndInTheOrderOfArrival(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		running := 0 // unguarded on purpose: the race detector watches
		s.tool("write_alone", func(_ context.Context, text string) (*mcp.CallToolResult, error) {
			if running++; running != 1 {
				t.Error("two writes ran side by side")
			}
			s.record(text)
			running--
			return mcp.NewToolResultText(text), nil
		})
		c := connect(t, s, testOptions{})
		var want, summaries []string
		for i := range 500 {
			want = append(want, fmt.Sprint(i))
			summaries = append(summaries, fmt.Sprintf("%d:%d", i, i))
			c.send(toolCall(i, "write_alone", fmt.Sprint(i)))
		}
		wantLines(t, c.end(), summaries...)
		wantEqual(t, "writes", s.recorded(), want)
	})
}

func TestRequestsAboutTheSessionDoNotWaitForCalls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{})
		c.send(toolCall(1, "write_block", "a"), initialize, request(2, "ping", nil), request(3, "tools/list", nil),
			request(4, "resources/list", nil), request(5, "no/such/method", nil))
		for _, want := range []string{"0:result", "2:result", "3:result", "4:result", "5:error -32601"} {
			wantEqual(t, "answer", summary(t, c.next()), want)
		}
		close(s.release)
		wantLines(t, c.end(), "1:released")
	})
}

func TestAFullQueuePausesReadingAndLosesNothing(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{MaxWaiting: 2 * minWaiting})
		c.send(toolCall(1, "write_block", "a"))
		s.wantStarted(t, "a")
		sent := make(chan int, 10)
		go func() {
			for i := 2; i <= 9; i++ {
				c.send(toolCall(i, "write", fmt.Sprint(i)), request(fmt.Sprint(i), "ping", nil))
				sent <- i
			}
		}()
		synctest.Wait()
		// Two calls wait in the queue. The third waits for room, so the ping behind it is not answered yet.
		wantEqual(t, "answers", len(c.lines), 2)
		if len(sent) == 8 {
			t.Error("the whole input was read")
		}
		close(s.release)
		synctest.Wait()
		wantEqual(t, "answers", len(c.end()), 1+8+8)
		wantEqual(t, "writes", s.recorded(), []string{"a", "2", "3", "4", "5", "6", "7", "8", "9"})
	})
}

func TestACallThatIsLargerThanWhatMayWaitIsServedAlone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{MaxWaiting: minWaiting})
		large := strings.Repeat("x", 2*minWaiting)
		c.send(toolCall(1, "write_block", "a"), toolCall(2, "write", large), toolCall(3, "write", "b"))
		s.wantStarted(t, "a")
		close(s.release)
		wantLines(t, c.end(), "1:released", "2:written", "3:written")
		wantEqual(t, "writes", s.recorded(), []string{"a", large, "b"})
	})
}
