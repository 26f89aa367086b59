package recall

import (
	"cmp"
	"context"
	"slices"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// nothingDue says plainly that nothing is due of what is remembered.
const nothingDue = "Nothing that is remembered is due then. Say so."

// addDueItems puts what is due before what the words of a question for it found: those stand on none of it.
// It tells whether the question asks for what is due.
func (f family) addDueItems(ctx context.Context, tx *store.Tx, q *tools.Question, list []ranked) ([]ranked, bool, error) {
	asked, is := language.ParseDueQuestion(q.Text, q.Now.Local())
	if !is || q.IsLimitedToSessionOrProject() {
		return list, false, nil
	}
	var due []tools.DueItem
	for _, listDue := range f.DueListers {
		items, err := listDue(ctx, tx, q, asked)
		if err != nil {
			return list, true, err
		}
		due = append(due, items...)
	}
	slices.SortStableFunc(due, func(a, b tools.DueItem) int { return cmp.Or(a.Due.Compare(b.Due), cmp.Compare(a.Ref(), b.Ref())) })
	var told []ranked
	seen := map[string]bool{}
	for _, d := range due {
		if slices.Contains(q.Kinds, d.Kind) {
			told = append(told, ranked{Candidate: d.Candidate, relevance: 1, shown: 1, placed: 1})
			seen[d.Ref()] = true
		}
	}
	known := listedKinds
	if len(told) == 0 {
		known = known[:len(known)-1] // a text may say it in words
	}
	for _, r := range list {
		if !seen[r.Ref()] && !slices.Contains(known, r.Kind) && len(r.matched) > 0 { // what is only near in meaning is not due
			told = append(told, r)
		}
	}
	return told, true, nil
}

// addDueNotes notes the plans of the days on which a prompt asks for what is due, in their order. It tells whether
// there are any.
func (t *noteWriter) addDueNotes() bool {
	asked, is := language.ParseDueQuestion(t.q.Text, t.q.Now.Local())
	if !is || !asked.NamesDays() || asked.Invoices {
		return false
	}
	days := map[string]time.Time{}
	for _, s := range t.statements {
		due, err := time.Parse(time.DateOnly, s.Due)
		if err != nil || s.ID == 0 || hasRedaction(s.Text) {
			continue
		}
		if day, found := asked.FirstAskedDay(language.ListDueDays(s.Text, s.At.Local(), due)); found {
			days[s.Ref] = day
			t.notes = append(t.notes, note{Statement: s, score: 1, fingerprints: []string{Fingerprint(s.Ref)}, refs: []string{s.Ref}})
		}
	}
	slices.SortStableFunc(t.notes, func(a, b note) int { return days[a.Ref].Compare(days[b.Ref]) })
	t.maxNotes = maxOverview
	return len(t.notes) > 0
}

// listedKinds are the kinds of which all that is due is listed: others of them only have a due day, too.
var listedKinds = []string{kinds.TruthEntity, kinds.Record, string(graph.KindStep), string(graph.KindChart), kinds.Document}
