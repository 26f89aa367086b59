package app

import (
	"context"
	"time"

	"toolkit/store"
)

// watchInterval is how soon a subscriber hears of another process's write. This
// process's own writes are noticed at once.
const watchInterval = 500 * time.Millisecond

// WatchResources calls updated with the address of every resource whose content may have
// changed, by whichever process, until ctx ends.
func (a *App) WatchResources(ctx context.Context, updated func(uri string)) {
	wake := make(chan struct{}, 1)
	a.Store.OnCommit(func([]store.Topic) {
		select {
		case wake <- struct{}{}:
		default: // a wake-up is already waiting
		}
	})
	seen := map[string]int64{}
	a.reportChangedResources(ctx, seen, nil)
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-wake:
		case <-ticker.C:
		}
		a.reportChangedResources(ctx, seen, updated)
	}
}

// reportChangedResources reads the change sequences and reports the resources whose topics moved on.
func (a *App) reportChangedResources(ctx context.Context, lastSequences map[string]int64, updated func(uri string)) {
	sequences, err := a.Store.Sequences(ctx)
	if err != nil {
		return // the next round tries again
	}
	for _, r := range a.Server.ListChangingResources() {
		var sequence int64
		for _, t := range convertTopics(r.Topics) {
			sequence += sequences[t]
		}
		if last, known := lastSequences[r.URI]; known && last != sequence && updated != nil {
			updated(r.URI)
		}
		lastSequences[r.URI] = sequence
	}
}
