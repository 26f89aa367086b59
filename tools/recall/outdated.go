package recall

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
)

// maxInsightsOfTurns bounds the insights that are read for the turns which brought them.
const maxInsightsOfTurns = 200

// outdatedFinder finds by which later statement some statements of one project were made untrue.
// Between insights search.Outdated decides it, and a turn goes with the insights that were noticed in
// it. A turn of the user in which none was noticed may replace, and be replaced, where mayReplace says
// so; words of the assistant replace nothing. What says again what is outdated is so, too. Only what
// is asked for is worked out.
type outdatedFinder struct {
	list     []search.Statement
	noticed  map[string][]int64 // the current insights that a statement is, or that were noticed in it
	insights *search.Outdated
	stated   []search.Statement // but for words of the assistant
	places   map[string]int     // in stated
	changes  *search.Changes    // between these
	// replacements holds what made a statement untrue, by its ref, once it was asked for; empty: nothing did.
	replacements map[string]search.Later
	mayReplace   func(later, earlier string) bool
}

// newOutdatedFinder reads what is needed to decide it. The insights of some projects may have been
// read already.
func newOutdatedFinder(ctx context.Context, tx *store.Tx, list []search.Statement, now time.Time, read map[int64][]search.Statement, mayReplace func(later, earlier string) bool) (*outdatedFinder, error) {
	noticed, err := insightIDsByRef(tx, list)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, s := range list {
		ids = append(ids, noticed[s.Ref]...)
	}
	slices.Sort(ids)
	insights, err := search.ReadOutdated(ctx, tx, slices.Compact(ids), now, read)
	if err != nil {
		return nil, err
	}
	stated := slices.DeleteFunc(slices.Clone(list), func(s search.Statement) bool { return len(noticed[s.Ref]) == 0 && !statesFact(&s) })
	places := map[string]int{}
	for i, s := range stated {
		places[s.Ref] = i
	}
	return &outdatedFinder{list, noticed, insights, stated, places, search.NewChanges(stated, minAnswerChange), map[string]search.Later{}, mayReplace}, nil
}

// findReplacement returns what made a statement untrue.
func (f *outdatedFinder) findReplacement(ref string) (search.Later, bool) {
	later, known := f.replacements[ref]
	if !known {
		var untrue bool
		if later, untrue = f.findChange(ref); !untrue && len(f.noticed[ref]) == 0 {
			later, _ = f.findChangeOfRepeated(ref)
		}
		f.replacements[ref] = later
	}
	return later, later.Ref != ""
}

// findChange returns findReplacement without regard to what a statement says again.
func (f *outdatedFinder) findChange(ref string) (search.Later, bool) {
	if later, all := f.findLatestChange(f.noticed[ref]); all {
		return later, true
	}
	place, stated := f.places[ref]
	if !stated {
		return search.Later{}, false
	}
	if later, found := f.changes.LaterOf(place); found && f.isTurnChange(place, later) {
		by := f.stated[later]
		return search.Later{ID: by.ID, Ref: by.Ref, At: by.At}, true
	}
	return search.Later{}, false
}

// findLatestChange returns the last statement that made some insights untrue, if all of them are.
func (f *outdatedFinder) findLatestChange(insights []int64) (latest search.Later, all bool) {
	for _, id := range insights {
		later, outdated := f.insights.LaterOf(id)
		if !outdated {
			return search.Later{}, false
		}
		if later.At.After(latest.At) {
			latest = later
		}
	}
	return latest, len(insights) > 0
}

// isTurnChange reports whether a change is between statements of which one is a turn in which nothing
// was noticed, and allowed: between others search.Outdated decides.
func (f *outdatedFinder) isTurnChange(earlier, later int) bool {
	old, new := f.stated[earlier].Ref, f.stated[later].Ref
	return (len(f.noticed[old]) == 0 || len(f.noticed[new]) == 0) && f.mayReplace(new, old)
}

// findChangeOfRepeated returns what made untrue what a turn in which nothing was noticed says again,
// before that was changed.
func (f *outdatedFinder) findChangeOfRepeated(ref string) (search.Later, bool) {
	at := slices.IndexFunc(f.list, func(s search.Statement) bool { return s.Ref == ref })
	if at < 0 {
		return search.Later{}, false
	}
	turn := &f.list[at]
	for i := range f.list {
		if i == at || !repeats(turn, &f.list[i]) {
			continue
		}
		if later, untrue := f.findChange(f.list[i].Ref); untrue && turn.At.Before(later.At) {
			return later, true
		}
	}
	return search.Later{}, false
}

// minPairSimilarity is the likeness of a question and its answer to a statement from which they repeat it.
const minPairSimilarity = 0.55

// repeats reports whether what was said in a turn says again what a statement says. Of a question with its answer
// the answer is compared, and the meaning of the question.
func repeats(turn, statement *search.Statement) bool {
	if pair, isPair := answerOf(turn); isPair {
		return search.TopicSimilarityAtLeast(&pair, statement, minPairSimilarity) > 0 && pair.SharesWord(statement)
	}
	return search.IsRepetition(turn, statement)
}

// answerOf returns of a question with its answer what is compared with statements: the words of the answer, and the
// meaning of the question.
func answerOf(turn *search.Statement) (search.Statement, bool) {
	answer, isPair := cutAnswer(turn.Text)
	return search.Statement{Ref: turn.Ref, Text: answer, At: turn.At, Vector: turn.Vector}, isPair
}

// cutAnswer returns what the assistant answered in the text of a question with its answer.
func cutAnswer(text string) (answer string, isPair bool) {
	if !strings.HasPrefix(text, user+": ") {
		return "", false
	}
	_, answer, isPair = strings.Cut(text, " "+assistant+": ")
	if !isPair {
		_, answer, isPair = strings.Cut(text, "\n"+assistant+": ")
	}
	return answer, isPair
}

// listOutdatedRefs returns the refs of what a statement made untrue.
func (f *outdatedFinder) listOutdatedRefs(ref string) (refs []string) {
	for _, id := range f.noticed[ref] {
		if earlier := f.insights.EarlierOf(id); earlier != nil {
			refs = append(refs, earlier.Ref)
		}
	}
	if place, stated := f.places[ref]; stated {
		if earlier, found := f.changes.EarlierOf(place); found && f.isTurnChange(earlier, place) {
			refs = append(refs, f.stated[earlier].Ref)
		}
	}
	return slices.DeleteFunc(refs, func(earlier string) bool {
		later, _ := f.findReplacement(earlier)
		return later.Ref != ref
	})
}

// insightIDsByRef are the ids of the current insights that statements are, or that were noticed in them,
// by their refs.
func insightIDsByRef(tx *store.Tx, list []search.Statement) (map[string][]int64, error) {
	noticed := map[string][]int64{}
	var turns []int64
	for _, s := range list {
		kind, id := parseRef(s.Ref)
		switch kind {
		case kinds.Insight:
			noticed[s.Ref] = []int64{id}
		case kinds.Dialogue:
			turns = append(turns, id)
		}
	}
	insights, err := memory.In(tx).InsightsOfTurns(turns, maxInsightsOfTurns)
	for _, i := range insights {
		for _, turn := range i.SourceIDs {
			if ref := turnRef(turn); i.IsCurrent() && slices.Contains(turns, turn) {
				noticed[ref] = append(noticed[ref], i.ID)
			}
		}
	}
	return noticed, err
}

// minAnswerChange is how surely one of two hits that answer a question about as well must make the other
// untrue: that both answer it makes this likelier than of any two statements.
const minAnswerChange = 0.5

// parseRef takes apart by what a turn or an insight is known.
func parseRef(ref string) (kind string, id int64) {
	kind, number, _ := strings.Cut(ref, ":")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || kind != kinds.Insight && kind != kinds.Dialogue {
		return "", 0
	}
	return kind, id
}

// turnRef is by what a turn of dialogue is known.
func turnRef(id int64) string { return kinds.Dialogue + ":" + strconv.FormatInt(id, 10) }

// prepareOutdatedFinder reads what is needed to find what is no longer true of the statements that are compared
// and of the turns that words found.
func (t *noteWriter) prepareOutdatedFinder(ctx context.Context, tx *store.Tx) (err error) {
	all, known := slices.Clone(t.statements), map[string]bool{}
	for _, s := range all {
		known[s.Ref] = true
	}
	for _, n := range t.notes {
		if _, isPair := cutAnswer(n.Text); !known[n.Ref] && n.InCurrentProject && (n.Speaker != "" || isPair) {
			all = append(all, n.Statement)
		}
	}
	t.outdated, err = newOutdatedFinder(ctx, tx, all, t.q.Now, map[int64][]search.Statement{t.q.CurrentProject: t.insights}, allowAnyReplacement)
	return err
}

// allowAnyReplacement lets any later statement replace an earlier one.
func allowAnyReplacement(string, string) bool { return true }
