package rpc

import (
	"errors"
	"fmt"
	"slices"
	"testing"
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
	if err := p.SubscribeToResourceErr("c"); !errors.Is(err, ErrTooManySubscriptions) {
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
	if got := s.AddressesOf("memory://l0-raw"); !slices.Equal(got, want) {
		t.Errorf("watched as %q, want %q", got, want)
	}
	if got := s.AddressesOf("memory://l2-insights"); len(got) != 0 {
		t.Errorf("a resource nobody watches is watched as %q", got)
	}
}
