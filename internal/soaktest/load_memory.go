package soaktest

import (
	"context"
	"fmt"
)

func memoryStep(ctx context.Context, w *Worker) error {
	token := w.token()
	switch {
	case w.Steady && w.chance(70):
		return w.call(ctx, nil, "hybrid_search", object{"query_text": "harbour walk in " + season(w)})
	case !w.Steady && w.chance(25):
		var made struct{ ID int64 }
		err := w.call(ctx, &made, "store_raw_dialogue", object{"session_id": fmt.Sprintf("run %d client %d part %d", w.run, w.id, w.tokens/500), "speaker": "user",
			"content": "Let us plan the harbour walk " + token + " for " + season(w) + "."})
		if err == nil {
			w.Journal.Stored(token, "l0_raw")
			w.turns = append(w.turns, made.ID)
			oldest(&w.turns, 50)
		}
		return err
	case !w.Steady && w.chance(25):
		sources := []int64{}
		if id, ok := pick(w, w.turns); ok {
			sources = append(sources, id)
		}
		return w.write(ctx, token, []string{"l2_insights"}, "compress_to_l2_insight", object{"content": "The harbour walk " + token + " happens in " + season(w), "source_ids": sources})
	case !w.Steady && w.chance(15):
		return w.write(ctx, token, []string{"episode_memory"}, "store_episode", object{"query": "When is the harbour walk " + token + "?", "reward": 0.5, "reflection": "Problem: the season was missing. Lesson: ask for it first."})
	case w.Steady || w.chance(25):
		return w.write(ctx, token, []string{"working_memory", "stale_memory"}, "update_working_memory", object{"content": "Planning walk " + token, "importance": float64(w.Rand.IntN(10)) / 10}) // evicted items are archived, never lost
	}
	return w.call(ctx, nil, "hybrid_search", object{"query_text": "harbour walk in " + season(w)})
}

func season(w *Worker) string {
	return []string{"spring", "summer", "autumn", "winter"}[w.Rand.IntN(4)]
}
