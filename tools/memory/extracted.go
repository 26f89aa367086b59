package memory

import (
	"cmp"
	"context"
	"encoding/json"
	"math"
	"time"

	"toolkit/store"
	"toolkit/store/memory"
)

// Extracted is a sentence of captured dialogue that was noticed to hold beyond its day.
type Extracted struct {
	Text  string // in the words of its source
	Kind  string
	Score float64 // how surely it holds, 0 to 1
	Asked bool    // the user asked for it to be remembered
	Due   string  // day of a promise, or of what was to be kept
	// Project is the key of the one that it names, empty where that is the one in which it was said.
	Project string
	Source  int64 // row of dialogue
	At      time.Time
}

// StoreExtracted stores a sentence as an insight, marked with its kind until somebody
// writes it anew.
func StoreExtracted(tx *store.Tx, search *Search, e Extracted) (*memory.Insight, error) {
	metadata, err := json.Marshal(insightMetadata{Extracted: e.Kind, Score: math.Round(e.Score*1000) / 1000, Asked: e.Asked, Due: e.Due, Project: e.Project})
	if err != nil {
		return nil, err
	}
	i, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: e.Text, SourceIDs: []int64{e.Source}, Fidelity: measureWordDensity(e.Text), Metadata: metadata, At: e.At})
	if err != nil {
		return nil, err
	}
	_, err = search.IndexRow(tx, i.Row())
	return i, err
}

// WithProject returns a context in which insights that are stored are those of the
// project of a key.
func WithProject(ctx context.Context, key string) context.Context {
	return context.WithValue(ctx, projectKey{}, key)
}

type projectKey struct{}

func projectKeyFrom(ctx context.Context) string {
	key, _ := ctx.Value(projectKey{}).(string)
	return key
}

// WithAllProjects returns a context in which a text that is remembered is to hold in all projects,
// also where one has it already.
func WithAllProjects(ctx context.Context) context.Context {
	return context.WithValue(ctx, allProjectsKey{}, true)
}

type allProjectsKey struct{}

func isForAllProjects(ctx context.Context) bool { return ctx.Value(allProjectsKey{}) != nil }

// inheritMetadata is what stays of an insight when a text takes its place now: its project
// and kind, and the day of what is only confirmed. A new text names a day of its own.
func inheritMetadata(old *memory.Insight, text string, now time.Time) insightMetadata {
	before := parseMetadata(old)
	inherited := insightMetadata{Project: before.Project, Kind: before.Kind, Asked: before.Asked, Due: before.Due}
	if text != old.Content {
		inherited.Due = FindDueDay(cmp.Or(before.Kind, before.Extracted), text, now)
	}
	return inherited
}

// parseMetadata returns what is stored beside an insight; none where an import left something
// else.
func parseMetadata(i *memory.Insight) (m insightMetadata) {
	if json.Unmarshal(i.Metadata, &m) != nil {
		return insightMetadata{}
	}
	return m
}

// ProjectKeyOf is the key of the project that an insight was remembered for, or empty.
func ProjectKeyOf(i *memory.Insight) string { return parseMetadata(i).Project }

// DueDayOf is the day of a promise, or of what was to be kept; empty: it names none.
func DueDayOf(i *memory.Insight) string { return parseMetadata(i).Due }

// ExtractedKindOf is the kind with which an insight was extracted; empty when
// somebody wrote it.
func ExtractedKindOf(i *memory.Insight) string { return parseMetadata(i).Extracted }
