package stdio

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"toolkit/internal/serve/schedule"
	"toolkit/tools"
)

// asideServer has a writing tool that first does work aside for as long as it is told.
func asideServer(t *testing.T) *testServer {
	s := newTestServer()
	running := 0 // unguarded on purpose: the race detector watches
	s.tool("write_aside", func(ctx context.Context, text string) (*mcp.CallToolResult, error) {
		duration, err := time.ParseDuration(text)
		if err != nil {
			return nil, err
		}
		tools.Aside(ctx, func() { <-time.After(duration) }) // on the bubble's own clock
		if running++; running != 1 {
			t.Error("two writes ran side by side")
		}
		s.record(text)
		running--
		return mcp.NewToolResultText("written"), nil
	})
	return s
}

func TestCallsGoFirstWhileAWriteReadsAFileForLong(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := asideServer(t)
		c := connect(t, s, Options{})
		c.send(
			toolCall(1, "write_aside", "1m"),
			toolCall(2, "write", "second"),
			request(3, "resources/read", map[string]any{"uri": "test://one"}),
		)
		started := time.Now()
		wantEqual(t, "first answer", summary(t, c.next()), "2:written")
		c.next()
		wantEqual(t, "time that the others waited", time.Since(started), schedule.Patience)
		wantEqual(t, "last answer", summary(t, c.next()), "1:written")
		wantEqual(t, "writes", s.recorded(), []string{"second", "1m"})
		c.end()
	})
}

func TestAWriteThatReadsAFileQuicklyKeepsItsPlace(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := asideServer(t)
		c := connect(t, s, Options{})
		c.send(toolCall(1, "write_aside", "500ms"), toolCall(2, "write", "second"))
		wantLines(t, c.end(), "1:written", "2:written")
		wantEqual(t, "writes", s.recorded(), []string{"500ms", "second"})
	})
}

func TestWritesThatComeBackFromAsideRunAloneAndBeforeThoseThatWait(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := asideServer(t)
		c := connect(t, s, Options{})
		for i := range 20 {
			c.send(toolCall(i, "write_aside", fmt.Sprintf("%ds", 60+i%3)))
		}
		c.send(toolCall(20, "write_block", "between"))
		s.wantStarted(t, "between")
		<-time.After(2 * time.Minute) // all come back while the last one writes
		c.send(toolCall(21, "write", "behind"))
		synctest.Wait()
		close(s.release)
		wantEqual(t, "answers", len(c.end()), 22)
		recorded := s.recorded()
		wantEqual(t, "first and last write", []string{recorded[0], recorded[21]}, []string{"between", "behind"})
	})
}
