package rpc

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func TestNotificationsOfACallStandInOrderBeforeItsAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		s.tool("progress", func(ctx context.Context, text string) (*mcp.CallToolResult, error) {
			for i := range 300 {
				if err := Notify(ctx, "notifications/progress", map[string]any{"progressToken": text, "progress": i}); err != nil {
					return nil, err
				}
			}
			return mcp.NewToolResultText("done"), nil
		})
		c := connect(t, s, testOptions{})
		c.send(initialize, toolCall(1, "progress", "a"), toolCall(2, "progress", "b"))
		lines := c.end()[1:]
		wantEqual(t, "lines", len(lines), 602)
		next := map[any]float64{}
		for _, line := range lines {
			if a := decode(t, line); a.Method != "" {
				token := a.Params["progressToken"]
				wantEqual(t, fmt.Sprint("progress of ", token), a.Params["progress"].(float64), next[token])
				next[token]++
			} else {
				wantEqual(t, "answer", a.text(), "done")
				wantEqual(t, "progress before the answer", next[map[string]any{"1": "a", "2": "b"}[string(a.ID)]], 300)
			}
		}
	})
}

func TestNotifyIsRefusedOutsideOfACall(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		late := make(chan context.Context, 2)
		s.tool("leak", func(ctx context.Context, _ string) (*mcp.CallToolResult, error) {
			late <- ctx
			return mcp.NewToolResultText("done"), nil
		})
		s.tool("leak_block", func(ctx context.Context, _ string) (*mcp.CallToolResult, error) {
			<-ctx.Done()
			late <- ctx
			<-s.release
			return nil, nil
		})
		c := connect(t, s, testOptions{})
		c.send(toolCall(1, "leak", ""))
		c.next()
		if err := Notify(<-late, "notifications/progress", nil); !errors.Is(err, ErrCallOver) {
			t.Errorf("after the answer: %v", err)
		}
		c.send(toolCall(2, "leak_block", ""))
		synctest.Wait()
		c.send(cancelled(2))
		ctx := <-late
		wantEqual(t, "cause", errors.Is(context.Cause(ctx), ErrCancelled), true)
		if err := Notify(ctx, "notifications/progress", nil); !errors.Is(err, ErrCallOver) {
			t.Errorf("after the cancellation: %v", err)
		}
		if err := Notify(t.Context(), "notifications/progress", nil); !errors.Is(err, ErrNoCall) {
			t.Errorf("without a call: %v", err)
		}
		close(s.release)
		wantLines(t, c.end())
		if err := Notify(ctx, "notifications/progress", map[string]any{}); !errors.Is(err, ErrCallOver) {
			t.Errorf("after Serve: %v", err)
		}
	})
}

func TestNotifyReportsParametersWithoutAJSONForm(t *testing.T) {
	s := newTestServer()
	s.tool("bad", func(ctx context.Context, _ string) (*mcp.CallToolResult, error) {
		if err := Notify(ctx, "notifications/progress", math.NaN()); err == nil {
			t.Error("no error")
		}
		return mcp.NewToolResultText("done"), nil
	})
	wantLines(t, serve(t, s, testOptions{}, toolCall(1, "bad", "")), "1:done")
}

func TestLogMessagesOfACallHonourTheLevelAndStandBeforeTheAnswer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		s.tool("log", func(ctx context.Context, _ string) (*mcp.CallToolResult, error) {
			for _, level := range []mcp.LoggingLevel{mcp.LoggingLevelDebug, mcp.LoggingLevelWarning} {
				n := mcp.NewLoggingMessageNotification(level, "test", string(level))
				if err := server.ServerFromContext(ctx).SendLogMessageToClient(ctx, n); err != nil {
					return nil, err
				}
			}
			return mcp.NewToolResultText("done"), nil
		})
		c := connect(t, s, testOptions{})
		c.send(initialize, toolCall(1, "log", "")) // the level is "error" at first
		wantLines(t, []string{c.next(), c.next()}, "0:result", "1:done")
		c.send(request(2, "logging/setLevel", map[string]any{"level": "warning"}), toolCall(3, "log", ""))
		lines := c.end()
		wantLines(t, lines, "2:result", "notifications/message", "3:done")
		wantEqual(t, "level", decode(t, lines[1]).Params["level"], any("warning"))
	})
}

func TestResourceUpdatesReachTheSubscriber(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := connect(t, newTestServer(), testOptions{})
		subscribe := func(method string) string {
			return request(method, method, map[string]any{"uri": "test://one"})
		}
		update := func() {
			for _, uri := range []string{"test://one", "test://two"} {
				if err := c.transport.NotifyResourceUpdated(uri); err != nil {
					t.Error(err)
				}
			}
		}
		c.send(initialize)
		c.next()
		update()
		c.wantSilence()
		c.send(subscribe("resources/subscribe"))
		c.next()
		update()
		updated := decode(t, c.next())
		wantEqual(t, "method", updated.Method, "notifications/resources/updated")
		wantEqual(t, "params", updated.Params, map[string]any{"uri": "test://one"})
		c.send(subscribe("resources/unsubscribe"))
		c.next()
		update()
		wantLines(t, c.end())
		wantEqual(t, "error without a client", c.transport.NotifyResourceUpdated("test://one"), nil)
	})
}

func listen(id any, filter map[string]any) string {
	return modern(id, "subscriptions/listen", map[string]any{"notifications": filter})
}

// tags returns the method and the subscription ids of lines.
func tags(t *testing.T, lines ...string) []string {
	t.Helper()
	got := []string{}
	for _, line := range lines {
		meta, _ := decode(t, line).Params["_meta"].(map[string]any)
		got = append(got, fmt.Sprint(decode(t, line).Method, " ", meta[mcp.MetaKeySubscriptionID]))
	}
	return got
}

func TestEachSubscriptionStreamCarriesWhatItAskedForUnderItsID(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		c := connect(t, s, testOptions{})
		c.send(
			listen("r", map[string]any{"resourceSubscriptions": []string{"test://one"}}),
			listen("t", map[string]any{"toolsListChanged": true, "resourceSubscriptions": []string{"test://one", "test://two"}}),
		)
		wantEqual(t, "acknowledgements", tags(t, c.next(), c.next()),
			[]string{"notifications/subscriptions/acknowledged r", "notifications/subscriptions/acknowledged t"})

		c.transport.NotifyResourceUpdated("test://one")
		updates := tags(t, c.next(), c.next())
		slices.Sort(updates) // each stream has an order of its own
		wantEqual(t, "updates of one", updates,
			[]string{"notifications/resources/updated r", "notifications/resources/updated t"})
		c.transport.NotifyResourceUpdated("test://two")
		wantEqual(t, "updates of two", tags(t, c.next()), []string{"notifications/resources/updated t"})

		c.send(cancelled("t"))
		synctest.Wait()
		c.transport.NotifyResourceUpdated("test://one")
		wantEqual(t, "updates after the cancellation", tags(t, c.next()), []string{"notifications/resources/updated r"})
		lines := c.end()
		wantLines(t, lines, `"r":result`)
		meta := decode(t, lines[0]).Result["_meta"].(map[string]any)
		wantEqual(t, "subscription id of the result", meta[mcp.MetaKeySubscriptionID], any("r"))
	})
}

func TestASubscriptionIDBeyondDoublePrecisionIsKept(t *testing.T) {
	const id = "9007199254740993"
	line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},`+
		`"_meta":{%q:%q,%q:{}}}}`, id, mcp.MetaKeyProtocolVersion, mcp.LATEST_PROTOCOL_VERSION, mcp.MetaKeyClientCapabilities)
	lines := serve(t, newTestServer(), testOptions{}, line)
	wantEqual(t, "lines", len(lines), 2)
	for _, line := range lines {
		if want := fmt.Sprintf(`%q:%s`, mcp.MetaKeySubscriptionID, id); !strings.Contains(line, want) {
			t.Errorf("%s lacks %s", line, want)
		}
	}
}

func TestAWriteBehindASubscriptionIsReportedToIt(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s := newTestServer()
		var c *client
		s.tool("write_one", func(context.Context, string) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText("done"), c.transport.NotifyResourceUpdated("test://one")
		})
		c = connect(t, s, testOptions{})
		c.send(listen(1, map[string]any{"resourceSubscriptions": []string{"test://one"}}), toolCall(2, "write_one", ""))
		wantLines(t, c.end(), "notifications/subscriptions/acknowledged", "notifications/resources/updated", "2:done", "1:result")
	})
}

func TestTheNumberOfOpenSubscriptionsIsBounded(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := connect(t, newTestServer(), testOptions{})
		for i := range maxStreams {
			c.send(listen(i, map[string]any{"toolsListChanged": true}))
			c.next()
		}
		c.send(listen("more", map[string]any{"toolsListChanged": true}))
		wantEqual(t, "answer", summary(t, c.next()), `"more":error -32000`)
		c.send(cancelled(0))
		synctest.Wait()
		c.send(listen("again", map[string]any{"toolsListChanged": true}))
		wantEqual(t, "acknowledgement", summary(t, c.next()), "notifications/subscriptions/acknowledged")
		wantEqual(t, "results", len(c.end()), maxStreams)
	})
}
