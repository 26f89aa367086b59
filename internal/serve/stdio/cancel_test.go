package stdio

import (
	"testing"
	"testing/synctest"
)

func TestACancelledCallIsStoppedAndNotAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, Options{})
		c.send(toolCall("a", "write_block", "x"), toolCall("b", "write", "y"))
		s.wantStarted(t, "x")
		c.send(cancelled("a"))
		wantLines(t, c.end(), `"b":written`)
		wantEqual(t, "writes", s.recorded(), []string{"y"})
	})
}

func TestACancelledCallThatWaitsNeverStarts(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, Options{})
		c.send(toolCall(1, "block", "a"), toolCall(2, "write_block", "b"), toolCall(3, "block", "c"))
		s.wantStarted(t, "a")
		s.wantNoneStarted(t)
		c.send(cancelled(2))
		s.wantStarted(t, "c") // the write held it back
		close(s.release)
		c.in.Close()
		lines, _ := c.wait()
		wantEqual(t, "answers", len(lines), 2)
		wantEqual(t, "calls that ran", len(s.recorded()), 2)
		s.wantNoneStarted(t)
	})
}

func TestTheIDOfACancelledCallIsFreeAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, Options{})
		c.send(toolCall(1, "write_block", "a"), toolCall(2, "write", "b"), cancelled(2), cancelled(1))
		synctest.Wait()
		c.send(toolCall(1, "echo", "again"), toolCall(2, "echo", "again"))
		lines := c.end()
		wantEqual(t, "answers", len(lines), 2)
		for _, line := range lines {
			wantEqual(t, "text", decode(t, line).text(), "again")
		}
	})
}

func TestCancellationsThatNameNoRunningCallAreIgnored(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, Options{})
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

func TestACancellationMayCoverOneOfTwoIDsBeyondDoublePrecision(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, Options{})
		c.send(toolCall(int64(9007199254740992), "block", "even"), toolCall(int64(9007199254740993), "block", "odd"))
		<-s.started
		<-s.started
		c.send(cancelled(int64(9007199254740993)))
		synctest.Wait()
		close(s.release)
		wantLines(t, c.end(), "9007199254740992:released")
		wantEqual(t, "calls that finished", s.recorded(), []string{"even"})
	})
}

func TestACancelledSubscriptionIsNotAnswered(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, Options{})
		c.send(modern(1, "subscriptions/listen", map[string]any{"notifications": map[string]any{"toolsListChanged": true}}))
		wantEqual(t, "acknowledgement", summary(t, c.next()), "notifications/subscriptions/acknowledged")
		c.send(cancelled(1))
		synctest.Wait()
		s.DeleteTools("echo")
		c.wantSilence()
		wantLines(t, c.end())
	})
}
