package peer

import (
	"errors"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestAPeerWatchesNoMoreResourcesThanItMay(t *testing.T) {
	p := Peer{Subscriptions: Subscriptions{Max: 2}}
	for _, uri := range []string{"a", "b", "a"} {
		if err := p.SubscribeToResourceErr(uri); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.SubscribeToResourceErr("c"); !errors.Is(err, ErrTooManySubscriptions) {
		t.Errorf("a third resource: %v", err)
	}
	p.UnsubscribeFromResource("a")
	if err := p.SubscribeToResourceErr("c"); err != nil || p.IsSubscribedToResource("a") || !p.IsSubscribedToResource("c") {
		t.Errorf("after unsubscribing: %v, watching %v", err, p.SubscribedResources())
	}
}

func TestAMailboxDeliversEverythingBeforeItCloses(t *testing.T) {
	var got []string
	m := Mailbox{Deliver: func(n mcp.JSONRPCNotification) { got = append(got, n.Method) }}
	for _, method := range []string{"a", "b", "c"} {
		m.Open() <- mcp.JSONRPCNotification{Notification: mcp.Notification{Method: method}}
	}
	m.Close()
	if len(got) != 3 || got[0] != "a" || got[2] != "c" {
		t.Errorf("delivered %v", got)
	}
	if m.Open() != nil {
		t.Error("a closed mailbox takes notifications")
	}
}
