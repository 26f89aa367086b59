package recall

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/sessions"
	"toolkit/tools"
)

const (
	// maxOverview is how many statements are told of a whole.
	maxOverview = 10
	// maxProjectsRead is among how many projects, the last ones, the one is sought that a question
	// names.
	maxProjectsRead = 200
)

// findOverview returns what holds of the project that a question asks for as a whole: of the one
// that it names, else of the one at hand, else of none. What has a word of the question stands
// first, then what is surest.
func findOverview(ctx context.Context, tx *store.Tx, q *tools.Question) ([]search.Statement, error) {
	project := cmp.Or(q.Project, q.CurrentProject)
	if q.Project == 0 {
		named, err := findNamedProject(tx, q.Text)
		if err != nil {
			return nil, err
		}
		project = cmp.Or(named, project)
	}
	all, err := search.ListStatements(ctx, tx, project, q.ExcludedSession)
	if err != nil {
		return nil, err
	}
	list := search.OmitSessionStatements(all)
	outdated, err := newOutdatedFinder(ctx, tx, list, q.Now, map[int64][]search.Statement{project: all}, allowAnyReplacement)
	if err != nil {
		return nil, err
	}
	holding := slices.DeleteFunc(list, func(s search.Statement) bool {
		_, untrue := outdated.findReplacement(s.Ref)
		return untrue
	})
	slices.SortStableFunc(holding, func(a, b search.Statement) int { return b.At.Compare(a.At) })
	asked := search.Statement{Text: q.Text}
	slices.SortStableFunc(holding, func(a, b search.Statement) int {
		return cmp.Or(search.CompareTrueFirst(a.SharesWord(&asked), b.SharesWord(&asked)), search.CompareTrueFirst(a.Noticed == "", b.Noticed == ""), cmp.Compare(b.Score, a.Score))
	})
	return holding[:min(len(holding), maxOverview)], nil
}

// findNamedProject returns the project whose name a question has, 0 where it has none; of several the
// last one in which something was said.
func findNamedProject(tx *store.Tx, question string) (int64, error) {
	list, err := sessions.In(tx).ListProjects(maxProjectsRead)
	words := " " + strings.Join(language.Words(strings.ToLower(question)), " ") + " "
	for _, p := range list {
		if name := strings.Join(language.Words(strings.ToLower(p.Name)), " "); name != "" && strings.Contains(words, " "+name+" ") {
			return p.ID, err
		}
	}
	return 0, err
}

// addOverview puts what a question asks for as a whole before what its words found, and behind it
// the last session. What answers the question in its own words stays first, for it may ask for one
// thing after all.
func addOverview(ctx context.Context, tx *store.Tx, q *tools.Question, list []ranked) ([]ranked, error) {
	statements, err := findOverview(ctx, tx, q)
	if err != nil || len(statements) == 0 {
		return list, err
	}
	var whole []ranked
	for _, s := range statements {
		c := tools.Candidate{Kind: kinds.Insight, ID: strconv.FormatInt(s.ID, 10), Text: s.Text, At: s.At}
		whole = append(whole, ranked{Candidate: c, relevance: 1, shown: 1, placed: 1})
	}
	last, err := findRequestedSessions(ctx, tx, q)
	if err != nil {
		return list, err
	}
	for _, s := range last {
		whole = append(whole, s.toCandidate("the last session"))
	}
	if len(list) > 0 && list[0].ReplacedBy == "" && isRelevant(q, parsePastQuestion(q), list[0]) {
		whole = slices.Insert(whole, 0, list[0])
	}
	var told []ranked
	seen := map[string]bool{}
	for _, r := range append(whole, list...) {
		if !seen[r.Ref()] {
			seen[r.Ref()], told = true, append(told, r)
		}
	}
	return told, nil
}
