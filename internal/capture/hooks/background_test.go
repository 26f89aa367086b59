package hooks

import (
	"context"
	"testing"
	"time"
)

func TestOneProcessWorksBehindHooksAtATime(t *testing.T) {
	b := newBench(t)
	first, second := &run{Options: b.Options}, &run{Options: b.Options}
	leave, err := first.acquireBackgroundLock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := second.acquireBackgroundLock(ended); err == nil {
		t.Error("a second one works beside the first")
	}
	went := make(chan error, 1)
	go func() {
		leave, err := second.acquireBackgroundLock(t.Context())
		if err == nil {
			leave()
		}
		went <- err
	}()
	select {
	case <-went:
		t.Error("a second one works beside the first")
	case <-time.After(2 * lockPause):
	}
	leave()
	if err := <-went; err != nil {
		t.Error(err)
	}
}
