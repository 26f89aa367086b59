package recall

import (
	"context"
	"maps"
	"slices"
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
	minShareOfReplaced = 0.6
	// minWholeAnswer is the relevance by its own text from which a statement answers the question, and
	// minOwnShareOfReplaced the share of that which what is told before it must have: beside an answer
	// much else is said.
	minWholeAnswer, minOwnShareOfReplaced = 0.9, 0.4
)

// orderChangesFirst puts what the user stated before what it makes untrue, and marks that as
// earlier.
func orderChangesFirst(ctx context.Context, tx *store.Tx, list []ranked, now time.Time) error {
	list = list[:min(len(list), maxOrdered)]
	stated := slices.DeleteFunc(slices.Clone(list), func(r ranked) bool { return !r.isStatement() && !r.isAnsweredQuestion() })
	if len(stated) == 0 {
		return nil
	}
	vectors, err := loadOrEmbedVectors(ctx, tx, stated)
	if err != nil {
		return err
	}
	byProject := map[int64][]search.Statement{}
	for _, r := range stated {
		s := search.Statement{Ref: r.Ref(), Text: r.textToCompare(), Speaker: r.Speaker, At: r.At, Vector: vectors[r.Ref()]}
		byProject[r.Project] = append(byProject[r.Project], s)
	}
	for _, project := range slices.Sorted(maps.Keys(byProject)) {
		stated := byProject[project]
		if project != 0 { // an answer in a project may repeat what holds in all
			stated = slices.Concat(stated, byProject[0])
		}
		outdated, err := newOutdatedFinder(ctx, tx, stated, now, nil, func(later, earlier string) bool {
			return list[indexOfHit(list, later)].answersAboutAsMuchAs(list[indexOfHit(list, earlier)])
		})
		if err != nil {
			return err
		}
		laters := map[string]search.Later{} // found before the list changes
		for _, s := range byProject[project] {
			if later, untrue := outdated.findReplacement(s.Ref); untrue {
				laters[s.Ref] = later
			}
		}
		for _, s := range byProject[project] {
			if later, untrue := laters[s.Ref]; untrue {
				markOutdatedAndPromoteLater(list, s.Ref, later)
			}
		}
	}
	return nil
}

// markOutdatedAndPromoteLater marks in a list what a later statement makes untrue; where that answers as much, it
// goes before it.
func markOutdatedAndPromoteLater(list []ranked, ref string, by search.Later) {
	earlier, later := indexOfHit(list, ref), indexOfHit(list, by.Ref)
	list[earlier].newer = describeLater(by)
	if later < earlier || !list[later].answersAboutAsMuchAs(list[earlier]) {
		return
	}
	moved := list[later]
	moved.shown = max(moved.shown, list[earlier].shown) // what replaces answers as much
	copy(list[earlier+1:later+1], list[earlier:later])
	list[earlier] = moved
}

// indexOfHit is the place of a hit, or of the one that says the same; -1: it is not in the list.
func indexOfHit(list []ranked, ref string) int {
	if at := slices.IndexFunc(list, func(r ranked) bool { return r.Ref() == ref }); at >= 0 {
		return at
	}
	return slices.IndexFunc(list, func(r ranked) bool { return slices.Contains(r.Covers, ref) })
}

// answersAboutAsMuchAs reports whether a statement answers about as much of the question as an earlier one.
func (r ranked) answersAboutAsMuchAs(earlier ranked) bool {
	return r.relevance >= minShareOfReplaced*earlier.relevance && r.mayPrecede(earlier)
}

// mayPrecede reports whether a statement may be told before an earlier one that answers the question by
// its own text: it must answer some of it so, too.
func (r ranked) mayPrecede(earlier ranked) bool {
	return earlier.own < minWholeAnswer || r.own >= minOwnShareOfReplaced*earlier.own
}

// isStatement reports whether a turn or an insight states something, that nothing is known to have
// replaced.
func (r ranked) isStatement() bool {
	return r.ReplacedBy == "" && r.intent == intentStatement && (r.Kind == kinds.Insight || r.Kind == kinds.Dialogue && (r.Speaker == user || r.Speaker == assistant))
}

// isAnsweredQuestion reports whether a hit is a question of the user with what the assistant answered, which
// repeats what was stated.
func (r ranked) isAnsweredQuestion() bool {
	_, isPair := cutAnswer(r.Text)
	return isPair && len(r.Turns) > 1
}

// textToCompare is the text of a statement, or a question with its answer.
func (r ranked) textToCompare() string {
	if r.isAnsweredQuestion() {
		return r.Text
	}
	return r.statedText()
}

// statedText is the text of a hit without who said it.
func (r ranked) statedText() string { return strings.TrimPrefix(r.Text, r.Speaker+": ") }

// loadOrEmbedVectors returns the vectors of candidates, by their refs: stored ones, or new ones for the
// first that have none.
func loadOrEmbedVectors(ctx context.Context, tx *store.Tx, list []ranked) (map[string][]float32, error) {
	vectors, err := readStoredVectors(tx, list)
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
	err = search.EmbedStatements(ctx, missing)
	for _, s := range missing {
		vectors[s.Ref] = s.Vector
	}
	return vectors, err
}

// readStoredVectors are the vectors of the turns and insights among candidates, by their refs.
func readStoredVectors(tx *store.Tx, list []ranked) (map[string][]float32, error) {
	rows := map[memory.Source][]int64{}
	refs := map[memory.Source]map[int64]string{memory.SourceDialogue: {}, memory.SourceInsight: {}}
	for _, r := range list {
		kind, id := parseRef(r.Ref())
		source := memory.SourceDialogue
		if kind == kinds.Insight {
			source = memory.SourceInsight
		}
		if kind != "" {
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
