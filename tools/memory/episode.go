package memory

import (
	"cmp"
	"context"
	"strings"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const episodeName = "store_episode"

type episodeInput struct {
	Query      string  `json:"query" jsonschema:"required,minLength=1,maxLength=10000" jsonschema_description:"The user's query that began the episode"`
	Reward     float64 `json:"reward" jsonschema:"required,minimum=-1,maximum=1" jsonschema_description:"How well it went: -1.0 poor, +1.0 excellent"`
	Reflection string  `json:"reflection" jsonschema:"required,minLength=1,maxLength=1048576" jsonschema_description:"The lesson, in the form 'Problem: ... Lesson: ...'"`
}

type episodeOutput struct {
	ID              int64           `json:"id"`
	EmbeddingStatus EmbeddingStatus `json:"embedding_status" jsonschema:"enum=success,enum=pending"`
	Query           string          `json:"query"`
	Reward          float64         `json:"reward"`
	CreatedAt       string          `json:"created_at"`
}

func (f *family) storeEpisodeTool() tools.Tool[episodeInput, episodeOutput] {
	return tools.Tool[episodeInput, episodeOutput]{
		Name:  episodeName,
		Title: "Store an episode",
		Description: "Store what was learned from an episode: the query, how well the answer went, and the lesson. Use it after feedback, good or bad; similar queries recall it. " +
			"Returns its id. Example: a search that was too narrow, reward -0.4.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Medium, Version: version,
		Tags: []string{"memory", "episodes", "learning"},
		Examples: []tools.Example[episodeInput, episodeOutput]{{
			Description: "An answer that went well",
			Params: episodeInput{Query: "How does working memory relate to consciousness?", Reward: 0.8,
				Reflection: "Problem: two fields use the word differently. Lesson: say which one first."},
			Result: episodeOutput{ID: 1, EmbeddingStatus: Embedded, Query: "How does working memory relate to consciousness?", Reward: 0.8, CreatedAt: "2025-01-15T10:40:00Z"},
			Varies: []string{"created_at", "embedding_status"},
		}},
		Handle: f.storeEpisode,
	}
}

func (f *family) storeEpisode(ctx context.Context, in episodeInput) (none tools.Result[episodeOutput], err error) {
	if err := cmp.Or(tools.RequireText("query", in.Query), tools.RequireText("reflection", in.Reflection)); err != nil {
		return none, err
	}
	f.Search.PrepareVector(ctx, in.Query)
	var status EmbeddingStatus
	e, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (*memory.Episode, error) {
		e, err := memory.In(tx).InsertEpisode(in.Query, in.Reward, in.Reflection)
		if err != nil {
			return nil, err
		}
		status, err = f.Search.IndexRow(tx, e.Row())
		return e, err
	})
	if err != nil {
		return none, err
	}
	h := tools.NewHints(tools.WriteEvidence()).
		SuggestCall(hybridName, tools.PriorityLow, map[string]any{"query_text": shortenToLine(in.Query), "source_types": []string{string(memory.SourceEpisode)}}, "what similar episodes taught").
		Because("the lesson is recalled when a similar query comes")
	if !hasReflectionForm(in.Reflection) {
		h.Warn("validation", tools.PriorityLow, "the reflection does not have the form 'Problem: ... Lesson: ...'", "say first what went wrong or well, then what to do next time")
	}
	if status == Pending && f.Search.IsModelFailing() {
		h.Warn("performance", tools.PriorityLow, "its embedding is pending: until then similar queries do not recall it", "")
	}
	return tools.Result[episodeOutput]{Hints: h, Data: episodeOutput{
		ID: e.ID, EmbeddingStatus: status, Query: e.Query, Reward: e.Reward, CreatedAt: formatTimestamp(e.Created),
	}}, nil
}

// hasReflectionForm reports whether a reflection names a problem and then a
// lesson, the documented form, which is advised and not enforced.
func hasReflectionForm(text string) bool {
	text = strings.ToLower(text)
	_, after, ok := strings.Cut(text, "problem:")
	return ok && strings.Contains(after, "lesson:")
}
