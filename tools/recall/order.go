package recall

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
)

const (
	// maxOrdered is how many of the best are compared with each other.
	maxOrdered = 20
	// minOrderedScore is how surely a statement must make an earlier one untrue to be told before it.
	minOrderedScore = 0.5
	// minShareOfReplaced is the share of what an earlier statement answers that a later one must answer
	// to be told before it. Whoever asks for one of several events must not be told another first.
	minShareOfReplaced = 0.6
	// minWholeAnswer is the relevance by its own text from which a statement answers the question, and
	// minOwnShareOfReplaced the share of that which what is told before it must have: beside an answer
	// much else is said.
	minWholeAnswer, minOwnShareOfReplaced = 0.9, 0.4
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
	byProject := map[int64][]ranked{}
	for _, r := range stated {
		byProject[r.Project] = append(byProject[r.Project], r)
	}
	for _, project := range slices.Sorted(maps.Keys(byProject)) {
		markEarlierOnes(list, byProject[project], vectors)
	}
	return nil
}

// markEarlierOnes marks in a list what of a project a later statement makes untrue.
func markEarlierOnes(list, stated []ranked, vectors map[string][]float32) {
	statements := make([]search.Statement, len(stated))
	for i, r := range stated {
		statements[i] = search.Statement{At: r.At, Vector: vectors[r.Ref()]}
	}
	madeUntrue := search.FindChanges(statements, minToldChange)
	for earlier := range stated {
		if later, found := madeUntrue[earlier]; found && stated[later].mayReplace(stated[earlier]) {
			sure := search.ChangeScore(&statements[earlier], &statements[later]) >= minOrderedScore
			markEarlier(list, stated[earlier], stated[later], sure)
		}
	}
}

// markEarlier marks in a list what a later statement makes untrue; where that is sure, the later
// one goes before it.
func markEarlier(list []ranked, old, new ranked, sure bool) {
	at := func(r ranked) int {
		return slices.IndexFunc(list, func(other ranked) bool { return other.Ref() == r.Ref() })
	}
	earlier, later := at(old), at(new)
	list[earlier].newer = laterNote(new)
	if !sure || later < earlier {
		return
	}
	moved := list[later]
	moved.shown = max(moved.shown, list[earlier].shown) // what replaces answers as much
	copy(list[earlier+1:later+1], list[earlier:later])
	list[earlier] = moved
}

// mayReplace reports whether a statement answers about as much of the question as an earlier one.
func (r ranked) mayReplace(earlier ranked) bool {
	return r.relevance >= minShareOfReplaced*earlier.relevance && r.mayPrecede(earlier)
}

// mayPrecede reports whether a statement may be told before an earlier one that answers the question by
// its own text: it must answer some of it so, too.
func (r ranked) mayPrecede(earlier ranked) bool {
	return earlier.own < minWholeAnswer || r.own >= minOwnShareOfReplaced*earlier.own
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
