package soaktest

import (
	"context"
	"fmt"
)

func memoryStep(ctx context.Context, w *Worker) error {
	token, season := w.token(), []string{"spring", "summer", "autumn", "winter"}[w.Rand.IntN(4)]
	switch w.Rand.IntN(5) {
	case 0:
		var made struct{ ID int64 }
		err := w.call(ctx, &made, "store_raw_dialogue", object{"session_id": fmt.Sprintf("run %d client %d part %d", w.run, w.id, w.tokens/500), "speaker": "user",
			"content": "Let us plan the harbour walk " + token + " for " + season + "."})
		if err == nil {
			w.Journal.Stored(token, "l0_raw")
			w.turn = made.ID
		}
		return err
	case 1:
		sources := []int64{}
		if w.turn > 0 {
			sources = append(sources, w.turn)
		}
		return w.write(ctx, token, []string{"l2_insights"}, "compress_to_l2_insight", object{"content": "The harbour walk " + token + " happens in " + season, "source_ids": sources})
	case 2:
		return w.write(ctx, token, []string{"episode_memory"}, "store_episode", object{"query": "When is the harbour walk " + token + "?", "reward": 0.5, "reflection": "Problem: the season was missing. Lesson: ask for it first."})
	case 3: // evicted items are archived, never lost
		return w.write(ctx, token, []string{"working_memory", "stale_memory"}, "update_working_memory", object{"content": "Planning walk " + token, "importance": float64(w.Rand.IntN(10)) / 10})
	}
	return w.call(ctx, nil, "hybrid_search", object{"query_text": "harbour walk in " + season})
}
