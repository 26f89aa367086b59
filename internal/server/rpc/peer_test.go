package rpc

import (
	"errors"
	"slices"
	"testing"
)

func TestAPeerWatchesNoMoreResourcesThanItMay(t *testing.T) {
	p := Subscriptions{Max: 2}
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

func TestAResourceIsWatchedUnderEveryAddressThatMeansIt(t *testing.T) {
	var s Subscriptions
	for _, uri := range []string{"memory://l0-raw?speaker=Mira", "memory://l0-raw", "memory://l0-raw-older", "memory://l0-raw/part", "memory://l0-raw?limit=5"} {
		s.SubscribeToResource(uri)
	}
	want := []string{"memory://l0-raw", "memory://l0-raw?limit=5", "memory://l0-raw?speaker=Mira"}
	if got := s.AddressesOf("memory://l0-raw"); !slices.Equal(got, want) {
		t.Errorf("watched as %q, want %q", got, want)
	}
	if got := s.AddressesOf("memory://l2-insights"); len(got) != 0 {
		t.Errorf("a resource nobody watches is watched as %q", got)
	}
}
