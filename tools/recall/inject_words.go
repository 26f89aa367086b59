package recall

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"toolkit/internal/capture/notice"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// What the words of a prompt find anywhere.

// findByWords returns the best candidates that the words of the prompt found, by their refs,
// but for what asks or orders and what a later statement replaced.
func (t *noteWriter) findByWords(ctx context.Context, tx *store.Tx, offered []tools.Candidate) (map[string]*found, error) {
	back, list := parsePastQuestion(t.q), scoreCandidates(t.q, offered, false)
	isOrder := turnIntent(tools.DialogueTurn{Text: t.q.Text}) == intentOrder
	list = slices.DeleteFunc(list, func(r ranked) bool {
		inWork := r.Project != 0 && r.isContextOnly() // what stands beside an answer is mostly work in hand
		byLabel := isOrder && r.matchesOnlyLabels()
		return !r.canShowUnasked() || r.isNameOnly() || r.intent >= intentOrder || inWork || byLabel || r.relevance < minPoorRelevance || isOtherProject(t.q, r) && !(isRelevant(t.q, back, r) && r.fitsOtherProjects())
	})
	if !t.prompt.IsPersonal && !t.mayConcernPerson(list, back) {
		return map[string]*found{}, nil
	}
	list = sortAndMergeDuplicates(t.q, list)
	best := map[string]*found{}
	for _, r := range list {
		if len(best) == maxByWords {
			break
		}
		if !r.isOnlyPasted() { // asked of the first ones alone, for it reads the text
			best[r.Ref()] = &found{ranked: r, place: len(best), reply: findReply(r, offered)}
		}
	}
	if err := t.loadCandidateVectors(ctx, tx, best); err != nil {
		return nil, err
	}
	maps.DeleteFunc(best, func(_ string, r *found) bool {
		return r.isTurnOfUser() && len(r.vector) > 0 && notice.ScoreStatement(r.statedText(), r.vector) < minFoundTurnScore
	})
	return best, nil
}

// isTurnOfUser reports whether a candidate is one turn of the user alone.
func (r ranked) isTurnOfUser() bool { return len(r.Turns) == 1 && r.Speaker == user }

// mayConcernPerson reports whether a prompt that may not concern the person's own world is answered by
// what its words found so well that it does.
func (t *noteWriter) mayConcernPerson(list []ranked, back pastQuestion) bool {
	score, asked := t.prompt.PersonalScore, turnIntent(tools.DialogueTurn{Text: t.q.Text})
	if score < minPersonalScore || asked == intentOrder || asked == intentFiller {
		return false
	}
	return slices.ContainsFunc(list, func(r ranked) bool {
		stated := r.Kind == kinds.Insight && r.Project == t.q.CurrentProject
		if asked == intentQuestion && stated && score >= minAskedScore && r.relevance >= minAnswered {
			return true
		}
		return r.relevance+score >= minCombinedScore && isRelevant(t.q, back, r) && !r.isOnlyPasted()
	})
}

// found is a candidate with its place among those that words found, its vector, and
// what was answered to it.
type found struct {
	ranked
	place  int
	vector []float32
	reply  string
}

// wordScore is what the words of a candidate add: the better its place the more, and
// less where they answer little of the prompt.
func (r *found) wordScore() float64 {
	const halved = 8 // places after which a place is worth half
	return wordsWeight * halved / float64(halved+r.place) * min(1, r.relevance/minRelevance)
}

// loadCandidateVectors gives candidates their vectors. Statements that are compared anyway have theirs.
func (t *noteWriter) loadCandidateVectors(ctx context.Context, tx *store.Tx, list map[string]*found) error {
	known := map[string]bool{}
	for i := range t.statements {
		known[t.statements[i].Ref] = true
	}
	var candidates []*found
	for ref, r := range list {
		if !known[ref] {
			candidates = append(candidates, r)
		}
	}
	slices.SortFunc(candidates, func(a, b *found) int { return cmp.Compare(a.place, b.place) })
	hits := make([]ranked, len(candidates))
	for i, r := range candidates {
		hits[i] = r.ranked
	}
	vectors, err := loadOrEmbedVectors(ctx, tx, hits)
	for _, r := range candidates {
		r.vector = vectors[r.Ref()]
	}
	return err
}
