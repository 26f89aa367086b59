package app

import (
	"context"
	"time"

	"toolkit/store"
)

// watchInterval is how soon a subscriber hears of another process's write. This
// process's own writes are noticed at once.
const watchInterval = 500 * time.Millisecond

// Watch calls updated with the address of every resource whose content may have
// changed, by whichever process, until ctx ends.
func (a *App) Watch(ctx context.Context, updated func(uri string)) {
	wake := make(chan struct{}, 1)
	a.Store.OnCommit(func([]store.Topic) {
		select {
		case wake <- struct{}{}:
		default: // a wake-up is already waiting
		}
	})
	seen := map[string]int64{}
	a.compare(ctx, seen, nil)
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-ticker.C:
		}
		a.compare(ctx, seen, updated)
	}
}

// compare reads the change sequence of every resource and reports those that
// moved on.
func (a *App) compare(ctx context.Context, seen map[string]int64, updated func(uri string)) {
	for _, r := range a.Server.Watchable() {
		sequence, err := a.Store.Sequence(ctx, storeTopics(r.Topics)...)
		if err != nil {
			continue // the next round tries again
		}
		if last, known := seen[r.URI]; known && last != sequence && updated != nil {
			updated(r.URI)
		}
		seen[r.URI] = sequence
	}
}
