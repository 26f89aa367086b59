package app

import (
	"context"
	"time"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
	"toolkit/internal/language"
	"toolkit/tools"
)

const (
	// nearestThings is how many nodes, records and passages are found by their meaning.
	nearestThings = 20
	// questionTimeout is how long a question waits for a remote model; without it words
	// alone are searched.
	questionTimeout = 10 * time.Second
)

// searchByMeaning finds what is near in meaning to a question.
func (a *App) searchByMeaning(ctx context.Context, question string) (m tools.Meaning, err error) {
	vector, err := a.embedQuestion(ctx, question)
	if err != nil || vector == nil {
		return m, err
	}
	m.Vector = vector
	prompt, err := notice.AnalyzePrompt(ctx, question, a.Store.Now().Local())
	if err != nil {
		return m, err
	}
	m.IsPersonal, m.AsksSession, m.AsksOverview = prompt.IsPersonal, prompt.AsksSession, prompt.AsksOverview
	complete := true
	known, err := a.Search.CatchUp(ctx)
	if err != nil {
		return m, err
	}
	complete = complete && known
	if m.Nodes, known, err = a.Nodes.FindNearest(ctx, vector, nearestThings); err != nil {
		return m, err
	}
	complete = complete && known
	if m.Passages, known, err = a.Passages.FindNearest(ctx, vector, nearestThings); err != nil {
		return m, err
	}
	complete = complete && known
	if m.Records, known, err = a.Records.FindNearest(ctx, vector, nearestThings); err != nil {
		return m, err
	}
	if !complete || !known {
		m.Note, err = a.describeRowsFoundByWordsOnly(ctx)
	}
	return m, err
}

// describeRowsFoundByWordsOnly says how much is found by words alone.
func (a *App) describeRowsFoundByWordsOnly(ctx context.Context) (string, error) {
	count, err := a.CountPendingVectors(ctx)
	if count > 0 && err == nil {
		return language.FormatCount(count, "row is", "rows are") + " found by words alone; their meaning is being read", nil
	}
	return "what was stored earlier is found by words alone until its vectors are read", err
}

// CountPendingVectors returns how many rows have no vector of their present text.
func (a *App) CountPendingVectors(ctx context.Context) (all int, err error) {
	for _, keeper := range a.TableIndexes() {
		count, err := keeper.CountPending(ctx)
		if err != nil {
			return 0, err
		}
		all += count
	}
	return all, nil
}

// findNearestNodes returns the likeness in meaning of the nodes nearest to a text, by their rows;
// complete is false where some have no vector yet, or the text has none.
func (a *App) findNearestNodes(ctx context.Context, text string) (near map[int64]float64, complete bool, err error) {
	vector, err := a.embedQuestion(ctx, text)
	if err != nil || vector == nil {
		return nil, embed.IsOff(a.embedder), err
	}
	return a.Nodes.FindNearest(ctx, vector, nearestThings)
}

// embedQuestion is the vector of a question, nil where none can be had: a model that fails
// costs what it would find, not the search.
func (a *App) embedQuestion(ctx context.Context, question string) ([]float32, error) {
	if embed.IsOff(a.embedder) {
		return nil, nil
	}
	patient, cancel := context.WithTimeout(ctx, questionTimeout)
	defer cancel()
	vector, err := a.embedder.Query(patient, question)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, nil //nolint:nilerr // words are searched
	}
	return vector, nil
}
