package memory

import (
	"context"
	"strings"

	"toolkit/store"
	"toolkit/store/memories"
	"toolkit/tools"
)

// maxProposed bounds what a completion reads; the protocol takes 100.
const maxProposed = 100

// completions propose values for the parameters of the resources.
func (f *family) completions() map[string]tools.Completion {
	return map[string]tools.Completion{
		"session_id": f.propose(memories.Rows.Sessions),
		"speaker":    f.propose(memories.Rows.Speakers),
		"reason":     among(evicted, archived),
		"order":      among("asc", "desc"),
	}
}

func (f *family) propose(find func(tx memories.Rows, prefix string, limit int) ([]string, error)) tools.Completion {
	return func(ctx context.Context, typed string) ([]string, error) {
		return store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]string, error) { return find(memories.In(tx), typed, maxProposed) })
	}
}

func among(words ...string) tools.Completion {
	return func(_ context.Context, typed string) ([]string, error) {
		fitting := []string{}
		for _, w := range words {
			if strings.HasPrefix(strings.ToLower(w), strings.ToLower(typed)) {
				fitting = append(fitting, w)
			}
		}
		return fitting, nil
	}
}
