package rpc

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
)

func TestAPeerWatchesNoMoreResourcesThanItMay(t *testing.T) {
	p := NewClient("test", nil)
	for i := range MaxSubscriptions {
		for _, uri := range []string{fmt.Sprint(i), "0"} {
			if err := p.SubscribeToResourceErr(uri); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := p.SubscribeToResourceErr("c"); err == nil || !strings.Contains(err.Error(), "at most 1000") {
		t.Errorf("one resource more: %v", err)
	}
	p.UnsubscribeFromResource("0")
	if err := p.SubscribeToResourceErr("c"); err != nil || p.IsSubscribedToResource("0") || !p.IsSubscribedToResource("c") {
		t.Errorf("after unsubscribing: %v, watching %v", err, p.SubscribedResources())
	}
}

func TestAResourceIsWatchedUnderEveryAddressThatMeansIt(t *testing.T) {
	s := NewClient("test", nil)
	for _, uri := range []string{"memory://l0-raw?speaker=Mira", "memory://l0-raw", "memory://l0-raw-older", "memory://l0-raw/part", "memory://l0-raw?limit=5"} {
		s.SubscribeToResource(uri)
	}
	want := []string{"memory://l0-raw", "memory://l0-raw?limit=5", "memory://l0-raw?speaker=Mira"}
	if got := s.WatchedAddresses("memory://l0-raw"); !slices.Equal(got, want) {
		t.Errorf("watched as %q, want %q", got, want)
	}
	if got := s.WatchedAddresses("memory://l2-insights"); len(got) != 0 {
		t.Errorf("a resource nobody watches is watched as %q", got)
	}
}

func TestAnIDIsFreeWhenItsAnswerIsWritten(t *testing.T) {
	client := NewClient("test", nil)
	m := Message{ID: []byte("7"), Method: "ping"}
	begin := func(write func([]byte, bool) error) *Call {
		return client.BeginCall(t.Context(), m, write, slog.New(slog.DiscardHandler))
	}
	free := false
	call := begin(func([]byte, bool) error {
		again := begin(nil)
		if free = again != nil; free {
			again.EndWithAnswer(nil) //nolint:errcheck // nothing is written
		}
		return nil
	})
	if begin(nil) != nil {
		t.Error("a second call has the id of one under way")
	}
	if err := call.EndWithAnswer([]byte("{}\n")); err != nil || !free {
		t.Errorf("free when the answer is written: %t, %v", free, err)
	}
	later := begin(nil)
	call.EndWithAnswer(nil) //nolint:errcheck // once more, as a transport does whose call ended early
	if begin(nil) != nil {
		t.Error("the end of a call makes the id of a later one free")
	}
	later.EndWithAnswer(nil) //nolint:errcheck // nothing is written
}

func TestASubscriptionCarriesNothingBeforeItsAcknowledgement(t *testing.T) {
	var lines []string
	client := NewClient("test", nil)
	m := Message{ID: []byte("7"), Method: string(mcp.MethodSubscriptionsListen)}
	var call *Call
	call = client.BeginCall(t.Context(), m, func(line []byte, _ bool) error {
		lines = append(lines, string(line))
		if !call.begun.Load() {
			t.Error("who reads the acknowledgement may change something before the subscription carries it")
		}
		return nil
	}, slog.New(slog.DiscardHandler))
	if err := call.NotifyUpdated("test://one"); err != nil || len(lines) != 0 {
		t.Errorf("before it: %q, %v", lines, err)
	}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	call.OpenSubscription(ctx, acknowledging{newTestServer(), call})
	if err := call.NotifyUpdated("test://one"); err != nil || len(lines) != 2 || !strings.Contains(lines[0], "acknowledged") || !strings.Contains(lines[1], "test://one") {
		t.Errorf("behind it: %q, %v", lines, err)
	}
}

// acknowledging is a server that acknowledges a subscription and holds it.
type acknowledging struct {
	*testServer
	call *Call
}

func (s acknowledging) HandleMessage(ctx context.Context, _ json.RawMessage) mcp.JSONRPCMessage {
	s.call.Client.NotificationChannel() <- mcp.JSONRPCNotification{Notification: mcp.Notification{Method: mcp.MethodNotificationSubscriptionsAcknowledged}}
	<-ctx.Done()
	return nil
}
