package soaktest

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"toolkit/store"
)

// tokenForm is what tokens look like: one word for every tokenizer.
var tokenForm = regexp.MustCompile(`tk[0-9]+w[0-9]+n[0-9]+z`)

// Journal notes what was acknowledged. It is safe for concurrent use.
type Journal struct {
	mu      sync.Mutex
	stored  map[string][]string // token → tables one of which must hold it
	removed map[string][]string // token → tables none of which may hold it
}

// NewJournal is empty.
func NewJournal() *Journal {
	return &Journal{stored: map[string][]string{}, removed: map[string][]string{}}
}

// Stored notes that a token was acknowledged; one of the tables must hold it.
func (j *Journal) Stored(token string, tables ...string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.stored[token] = tables
}

// Removed notes the removal of a token: acknowledged, or with an error in doubt, and
// then either is right.
func (j *Journal) Removed(err error, token string, tables ...string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.stored, token)
	if err == nil {
		j.removed[token] = tables
	}
}

// Acknowledged is how many writes and removals were noted.
func (j *Journal) Acknowledged() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.stored) + len(j.removed)
}

// Compare seeks every token in a database and describes what is lost, or there
// again. rows is how many rows all tables have.
func (j *Journal) Compare(ctx context.Context, path string) (lost []string, rows int, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	held, rows, err := tokensOf(ctx, path)
	if err != nil {
		return nil, rows, err
	}
	within := func(token string, tables []string) bool {
		return slices.ContainsFunc(tables, func(t string) bool { return held[t][token] })
	}
	for token, tables := range j.stored {
		if !within(token, tables) {
			lost = append(lost, fmt.Sprintf("%s was acknowledged and is not in %s", token, strings.Join(tables, " or ")))
		}
	}
	for token, tables := range j.removed {
		if within(token, tables) {
			lost = append(lost, fmt.Sprintf("%s was removed and is in %s again", token, strings.Join(tables, " or ")))
		}
	}
	return lost, rows, nil
}

// tokensOf finds the tokens in every table.
func tokensOf(ctx context.Context, path string) (held map[string]map[string]bool, rows int, err error) {
	i, err := store.Inspect(ctx, path)
	if err != nil {
		return nil, 0, err
	}
	defer i.Close() //nolint:errcheck // it was only read
	tables, err := i.Tables(ctx)
	held = map[string]map[string]bool{}
	for _, t := range tables {
		if t.Virtual || err != nil {
			continue
		}
		found := map[string]bool{}
		held[t.Name] = found
		err = i.EachRow(ctx, t, func(values []any) error {
			rows++
			for _, token := range tokenForm.FindAllString(fmt.Sprint(values...), -1) {
				found[token] = true
			}
			return nil
		})
	}
	return held, rows, err
}
