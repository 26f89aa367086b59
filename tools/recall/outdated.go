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

// findOutdated returns by which later statement each of some statements of one project was made
// untrue, by their refs. Between insights search.FindOutdated decides it, and a turn goes with the
// insights that were noticed in it. A turn of the user in which none was noticed may replace, and be
// replaced, where mayReplace says so; words of the assistant replace nothing. What says again what is
// outdated is so, too.
func findOutdated(ctx context.Context, tx *store.Tx, list []search.Statement, now time.Time, mayReplace func(later, earlier string) bool) (map[string]search.Later, error) {
	noticed, err := insightsOf(tx, list)
	if err != nil {
		return nil, err
	}
	var ids []int64
	for _, s := range list {
		ids = append(ids, noticed[s.Ref]...)
	}
	slices.Sort(ids)
	decided, err := search.FindOutdated(ctx, tx, slices.Compact(ids), now)
	if err != nil {
		return nil, err
	}
	outdated := map[string]search.Later{}
	for _, s := range list {
		if later, all := latestOf(noticed[s.Ref], decided); all {
			outdated[s.Ref] = later
		}
	}
	addTurns(outdated, list, noticed, mayReplace)
	addRepetitions(outdated, list, noticed)
	return outdated, nil
}

// insightsOf are the ids of the current insights that statements are, or that were noticed in them,
// by their refs.
func insightsOf(tx *store.Tx, list []search.Statement) (map[string][]int64, error) {
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
			if ref := turnRef(turn); i.Current() && slices.Contains(turns, turn) {
				noticed[ref] = append(noticed[ref], i.ID)
			}
		}
	}
	return noticed, err
}

// latestOf is the last statement that made some insights untrue, if all of them are.
func latestOf(insights []int64, decided map[int64]search.Later) (latest search.Later, all bool) {
	for _, id := range insights {
		later, outdated := decided[id]
		if !outdated {
			return search.Later{}, false
		}
		if later.At.After(latest.At) {
			latest = later
		}
	}
	return latest, len(insights) > 0
}

// minAnswerChange is how surely one of two hits that answer a question about as well must make the other
// untrue: that both answer it makes this likelier than of any two statements.
const minAnswerChange = 0.5

// addTurns adds what turns of the user in which nothing was noticed made untrue, or is such a turn.
func addTurns(outdated map[string]search.Later, list []search.Statement, noticed map[string][]int64, mayReplace func(later, earlier string) bool) {
	stated := slices.DeleteFunc(slices.Clone(list), func(s search.Statement) bool { return s.Speaker == assistant })
	for earlier, later := range search.FindChanges(stated, minAnswerChange) {
		old, new := stated[earlier], stated[later]
		_, known := outdated[old.Ref]
		isDecided := len(noticed[old.Ref]) > 0 && len(noticed[new.Ref]) > 0
		if !known && !isDecided && mayReplace(new.Ref, old.Ref) {
			outdated[old.Ref] = search.Later{ID: new.ID, Ref: new.Ref, At: new.At}
		}
	}
}

// addRepetitions adds the turns in which nothing was noticed and that say again what is outdated,
// before that was changed.
func addRepetitions(outdated map[string]search.Later, list []search.Statement, noticed map[string][]int64) {
	for i := range list {
		turn := &list[i]
		if _, known := outdated[turn.Ref]; known || len(noticed[turn.Ref]) > 0 {
			continue
		}
		for j := range list {
			later, untrue := outdated[list[j].Ref]
			if untrue && turn.At.Before(later.At) && search.IsRepetition(turn, &list[j]) {
				outdated[turn.Ref] = later
				break
			}
		}
	}
}

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

// findOutdated finds what is no longer true of the statements that are compared and of the turns
// that words found.
func (t *noteWriter) findOutdated(ctx context.Context, tx *store.Tx) (err error) {
	if len(t.notes) == 0 && !t.prompt.AsksOverview {
		return nil
	}
	all, known := slices.Clone(t.statements), map[string]bool{}
	for _, s := range all {
		known[s.Ref] = true
	}
	for _, n := range t.notes {
		if !known[n.Ref] && n.InCurrentProject && n.Speaker != "" {
			all = append(all, n.Statement)
		}
	}
	t.outdated, err = findOutdated(ctx, tx, all, t.q.Now, always)
	return err
}

// always lets any later statement replace an earlier one.
func always(string, string) bool { return true }
