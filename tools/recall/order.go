package recall

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
)

const (
	// maxOrdered is how many of the best are compared with each other.
	maxOrdered = 20
	// minShareOfReplaced is the share of what an earlier statement answers that a later one must answer
	// to be told before it. Whoever asks for one of several events must not be told another first.
	minShareOfReplaced = 0.5
)

// orderChangesFirst puts what the user stated before what it makes untrue, and marks that as
// earlier.
func orderChangesFirst(ctx context.Context, tx *store.Tx, list []ranked) error {
	list = list[:min(len(list), maxOrdered)]
	stated := slices.DeleteFunc(slices.Clone(list), func(r ranked) bool { return !r.isUserStatement() })
	if len(stated) < 2 {
		return nil
	}
	vectors, err := loadVectors(ctx, tx, stated)
	if err != nil {
		return err
	}
	for i := 0; i < len(list); {
		newest, score := newestReplacing(list, i, vectors)
		if newest >= 0 {
			list[i].newer = fmt.Sprintf("earlier; %s of %s may replace it", list[newest].Ref(), list[newest].At.Local().Format(time.DateOnly))
		}
		if newest <= i || score < search.MinChangeScore {
			i++
			continue
		}
		later := list[newest]
		later.shown = max(later.shown, list[i].shown) // what replaces answers as much
		copy(list[i+1:newest+1], list[i:newest])
		list[i] = later
	}
	return nil
}

// newestReplacing is the place of the newest candidate that makes the one at a place untrue, and how
// surely it does; -1: none does.
func newestReplacing(list []ranked, i int, vectors map[string][]float32) (newest int, score float64) {
	newest = -1
	for j := range list {
		if !list[j].mayReplace(list[i]) || newest >= 0 && !list[j].At.After(list[newest].At) {
			continue
		}
		if s := changeScore(list[i], list[j], vectors); s >= minToldChange {
			newest, score = j, s
		}
	}
	return newest, score
}

// changeScore is how surely a candidate makes an earlier one untrue.
func changeScore(earlier, later ranked, vectors map[string][]float32) float64 {
	return search.ChangeScore(
		&search.Statement{At: earlier.At, Vector: vectors[earlier.Ref()]},
		&search.Statement{At: later.At, Vector: vectors[later.Ref()]})
}

// mayReplace reports whether the user stated something after something else, in one project
// or in none, that answers about as much of the question.
func (r ranked) mayReplace(other ranked) bool {
	return r.isUserStatement() && other.isUserStatement() && r.Project == other.Project && r.At.After(other.At) && r.relevance >= minShareOfReplaced*other.relevance
}

// isUserStatement reports whether the user states something, that nothing is known to have
// replaced. Insights are of the user.
func (r ranked) isUserStatement() bool {
	return r.ReplacedBy == "" && r.intent == intentStatement && (r.Kind == kinds.Insight || r.Speaker == user)
}

// statedText is the text of a hit without who said it.
func (r ranked) statedText() string { return strings.TrimPrefix(r.Text, user+": ") }

// loadVectors are the vectors of candidates, by their refs: stored ones, or new ones for the
// first that have none.
func loadVectors(ctx context.Context, tx *store.Tx, list []ranked) (map[string][]float32, error) {
	vectors, err := storedVectors(tx, list)
	if err != nil {
		return nil, err
	}
	var missing []*search.Statement
	room := maxEmbeddedTotal
	for _, r := range list {
		if vectors[r.Ref()] != nil {
			continue
		}
		text := truncate(r.statedText(), maxEmbeddedLength)
		if room -= len(text); room < 0 {
			break
		}
		missing = append(missing, &search.Statement{Ref: r.Ref(), Text: text})
	}
	err = search.Embed(ctx, missing)
	for _, s := range missing {
		vectors[s.Ref] = s.Vector
	}
	return vectors, err
}

// storedVectors are the vectors of the turns and insights among candidates, by their refs.
func storedVectors(tx *store.Tx, list []ranked) (map[string][]float32, error) {
	rows := map[memory.Source][]int64{}
	refs := map[memory.Source]map[int64]string{memory.SourceDialogue: {}, memory.SourceInsight: {}}
	for _, r := range list {
		source := memory.SourceDialogue
		if r.Kind == kinds.Insight {
			source = memory.SourceInsight
		}
		if id, err := strconv.ParseInt(r.ID, 10, 64); err == nil && (r.Kind == kinds.Insight || r.Kind == kinds.Dialogue) {
			rows[source], refs[source][id] = append(rows[source], id), r.Ref()
		}
	}
	vectors := map[string][]float32{}
	for source, ids := range rows {
		stored, err := memory.In(tx).VectorsOf(source, embed.BuiltInModel, ids)
		if err != nil {
			return nil, err
		}
		for id, packed := range stored {
			if vector, err := embed.Unpack(packed); err == nil && vector != nil { // one that cannot be read is none
				vectors[refs[source][id]] = vector
			}
		}
	}
	return vectors, nil
}
