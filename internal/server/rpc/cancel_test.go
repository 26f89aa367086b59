package rpc

import (
	"testing"
	"testing/synctest"
)

func TestACancelledCallIsStoppedAndNotAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{})
		c.send(toolCall("a", "write_block", "x"), toolCall("b", "write", "y"))
		s.wantStarted(t, "x")
		c.send(cancelled("a"))
		wantLines(t, c.end(), `"b":written`)
		wantEqual(t, "writes", s.recorded(), []string{"y"})
	})
}

func TestCancellationsThatNameNoRunningCallAreIgnored(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{})
		c.send(toolCall(1, "block", "a"))
		s.wantStarted(t, "a")
		c.send(
			cancelled("1"), // a string is another id than a number
			cancelled(2),
			cancelled(nil),
			cancelled([]int{1}),
			`{"jsonrpc":"2.0","method":"notifications/cancelled"}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":"1"}`,
			initialize, cancelled(0), // the handshake cannot be cancelled
		)
		wantEqual(t, "answer", summary(t, c.next()), "0:result")
		close(s.release)
		wantLines(t, c.end(), "1:released")
	})
}

func TestACancelledSubscriptionIsNotAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{})
		c.send(modern(1, "subscriptions/listen", map[string]any{"notifications": map[string]any{"toolsListChanged": true}}))
		wantEqual(t, "acknowledgement", summary(t, c.next()), "notifications/subscriptions/acknowledged")
		c.send(cancelled(1))
		synctest.Wait()
		s.DeleteTools("echo")
		c.wantSilence()
		wantLines(t, c.end())
	})
}
