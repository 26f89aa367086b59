// Package recall is the family of two tools: recall asks everything that is remembered
// at once, which is what was said and learned, the graph, charts, records and documents;
// remember stores a text so that it is found.
//
// It knows no family. What may answer a question it asks those that the families
// lend it (tools.SearchProvider), all in one transaction. rank.go puts their candidates
// into one order, by the share of the question's information that each answers,
// and folds what says the same; answer.go fits the best into the tokens that the
// caller can spare.
package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	storekinds "toolkit/store/kinds"
	"toolkit/tools"
)

// Name is the name of the family and of the tool that asks.
const Name = "recall"

const mayRecall tools.Permission = "everything:read"

const (
	defaultTokens = 800
	defaultLimit  = 20
)

// Deps are what the family works with.
type Deps struct {
	Store           *store.DB
	SearchProviders []tools.SearchProvider
	// DueListers list what is due, for questions that ask for it.
	DueListers []tools.DueLister
	// Understand finds what is near in meaning to a question; nil: words alone are
	// searched.
	Understand func(ctx context.Context, question string) (tools.Meaning, error)
	// WrapUnlistedToolCall is the call by which a client of this server makes a call of a tool; nil: of the
	// tool itself.
	WrapUnlistedToolCall func(tool string, arguments map[string]any) (string, map[string]any)
	// Remember stores a text that is to be remembered.
	Remember func(context.Context, tools.Note) (tools.Remembered, error)
	// Reachable lists the tools that a caller may use; nil: every tool.
	Reachable func(context.Context) []*tools.Definition
	// Folder is where a server was started, whose project is at hand where a call names none; empty:
	// nowhere.
	Folder string
}

// New returns the family. It does not touch the store before the first call.
func New(d Deps) tools.Family {
	f := family{d}
	return tools.Family{
		Name:    Name,
		System:  "memory",
		Subject: "remembering, and one search over everything remembered",
		Dialect: tools.FormatStandardError,
		Advice: []tools.Advice{
			{Tool: RememberName, Text: "Call remember when the user asks to, or decides, prefers or states what should last; not for secrets or passing talk."},
			{Tool: Name, Text: "Call recall before you answer what earlier sessions, notes or documents may know; not for general knowledge."},
		},
		Tools:   []*tools.Definition{tools.Define(f.recallTool()), tools.Define(f.rememberTool())},
		Prompts: []tools.ServedPrompt{f.newRecallPrompt()},
	}
}

type family struct{ Deps }

// Input is a question to everything.
type Input struct {
	Query     string   `json:"query" jsonschema:"required,minLength=1,maxLength=2000" jsonschema_description:"A question"`
	MaxTokens int      `json:"max_tokens,omitempty" jsonschema:"minimum=50,maximum=20000" jsonschema_description:"800 if absent"`
	Limit     int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=100" jsonschema_extras:"seldom=true" jsonschema_description:"20 if absent"`
	Kinds     []string `json:"kinds,omitempty" jsonschema_extras:"seldom=true" jsonschema_description:"Such as insight, dialogue, document"`
	Session   string   `json:"session_id,omitempty" jsonschema:"maxLength=1048576" jsonschema_extras:"seldom=true" jsonschema_description:"Only it"`
	Project   string   `json:"project,omitempty" jsonschema_description:"Only its sessions"`
}

// Output is what fits the question: as much as max_tokens allows.
type Output struct {
	Found       []Hit          `json:"found" jsonschema_description:"Best first"`
	Lines       []string       `json:"lines,omitempty" jsonschema_description:"The next best: kind:id, day, relevance, text"`
	More        map[string]int `json:"more,omitempty" jsonschema_description:"Further matches by kind"`
	NothingFits bool           `json:"nothing_fits,omitempty"`
	Message     string         `json:"message,omitempty"`
}

// Hit is something that answers a question, or a part of it. Beside a short text some
// of what is known of it is left out.
type Hit struct {
	Kind      string       `json:"kind"`
	ID        string       `json:"id"`
	Text      string       `json:"text"`
	At        string       `json:"at"`
	Where     *tools.Place `json:"where,omitempty"`
	Matched   []string     `json:"matched,omitempty" jsonschema_description:"Words of the question; ~ nearly"`
	Relevance float64      `json:"relevance" jsonschema_description:"Share of the question's information that it answers, 0 to 1"`
	Note      string       `json:"note,omitempty"`
	Also      []string     `json:"also,omitempty" jsonschema_description:"What says the same"`
	Next      Next         `json:"next,omitzero"`
}

// Next is the call that continues from a hit.
type Next struct {
	Tool      string         `json:"tool"`
	Arguments map[string]any `json:"arguments"`
}

func (f family) recallTool() tools.Tool[Input, Output] {
	return tools.Tool[Input, Output]{
		Name: Name, Title: "Recall",
		Description: "Search all that is remembered: dialogue, insights, graph, charts, records, documents. Returns the best with source, or that nothing fits. Example: what am I allergic to?",
		Permissions: []tools.Permission{mayRecall}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: "1.2.1",
		Tags: []string{"recall", "search", "memory"}, Core: true,
		Examples: []tools.Example[Input, Output]{{
			Description: "What nobody spoke of", Params: Input{Query: "the harbour of Zanzibar"},
			Result: Output{Found: []Hit{}, NothingFits: true, Message: nothingFits},
		}},
		Handle: f.recall,
	}
}

func (f family) recall(ctx context.Context, in Input) (tools.Result[Output], error) {
	kinds, err := f.selectKinds(in.Kinds)
	if err != nil {
		return tools.Result[Output]{}, err
	}
	if err := tools.RequireText("query", in.Query); err != nil {
		return tools.Result[Output]{}, err
	}
	q := tools.NewQuestion(in.Query, in.Session, kinds, f.Store.Now())
	q.AskedByPerson = hasWholeHits(ctx)
	if f.Understand != nil {
		if q.Meaning, err = f.Understand(ctx, in.Query); err != nil {
			return tools.Result[Output]{}, err
		}
	}
	limit := cmp.Or(in.Limit, defaultLimit)
	ctx = f.withProjectOfFolder(ctx)
	asksDue := false
	list, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) ([]ranked, error) {
		if err := resolveProjects(ctx, tx, q, in.Project); err != nil {
			return nil, err
		}
		offered, err := f.collectCandidates(ctx, tx, q)
		if err != nil {
			return nil, err
		}
		list := rankCandidates(q, offered)
		if q.Meaning.AsksSession && in.Session == "" && slices.Contains(kinds, storekinds.Dialogue) {
			last, err := findRequestedSessions(ctx, tx, q)
			if err != nil {
				return nil, err
			}
			if days := findAskedDays(q); days.named { // what was said on other days is no answer
				list = slices.DeleteFunc(list, func(r ranked) bool { return !days.concern(r.Text, r.At) })
			}
			for i, s := range last {
				list = slices.Insert(list, i, s.toCandidate("the session that is asked for"))
			}
		}
		if q.Meaning.AsksOverview && in.Session == "" && slices.Contains(kinds, storekinds.Insight) {
			if list, err = addOverview(ctx, tx, q, list); err != nil {
				return nil, err
			}
		}
		if list, asksDue, err = f.addDueItems(ctx, tx, q, list); err != nil {
			return nil, err
		}
		if err := orderChangesFirst(ctx, tx, list, q.Now); err != nil {
			return nil, err
		}
		return list, setProjectNames(tx, list[:min(limit, len(list))])
	})
	if err != nil {
		return tools.Result[Output]{}, err
	}
	if err := redactSecrets(ctx, q, list[:min(limit, len(list))]); err != nil {
		return tools.Result[Output]{}, err
	}
	out := fitAnswer(ctx, q, f.wrapOrClearCalls(ctx, list), cmp.Or(in.MaxTokens, defaultTokens), limit)
	if asksDue && out.Message != "" {
		out.Message = nothingDue
	}
	return tools.Result[Output]{Data: out, Hints: buildHints(q, list)}, nil
}

// wrapUnlistedToolCall is Reach where it is given.
func (f family) wrapUnlistedToolCall(tool string, arguments map[string]any) (string, map[string]any) {
	if f.WrapUnlistedToolCall == nil || tool == "" {
		return tool, arguments
	}
	return f.WrapUnlistedToolCall(tool, arguments)
}

// wrapOrClearCalls returns the hits with the calls that continue from them as this caller makes them, and
// without those that it cannot make.
func (f family) wrapOrClearCalls(ctx context.Context, list []ranked) []ranked {
	reachable := map[string]bool{}
	if f.Reachable != nil {
		for _, d := range f.Reachable(ctx) {
			reachable[d.Name] = true
		}
	}
	for i, r := range list {
		list[i].Tool, list[i].Arguments = f.wrapUnlistedToolCall(r.Tool, r.Arguments)
		if f.Reachable != nil && !reachable[r.Tool] {
			list[i].Tool, list[i].Arguments = "", nil
		}
	}
	return list
}

// selectKinds returns those asked for, or all, in the order in which they are lent.
func (f family) selectKinds(asked []string) (kinds []string, err error) {
	items := make([][]string, len(f.SearchProviders))
	for i, recaller := range f.SearchProviders {
		items[i] = recaller.Kinds()
	}
	kinds = slices.Concat(items...)
	for i, kind := range asked {
		if !slices.Contains(kinds, kind) {
			return nil, tools.Invalid(tools.CodeInvalid, fmt.Sprintf("kinds[%d]", i), "a kind", "kinds[%d] is none of %s", i, strings.Join(kinds, ", "))
		}
	}
	if len(asked) > 0 {
		kinds = slices.DeleteFunc(kinds, func(kind string) bool { return !slices.Contains(asked, kind) })
	}
	return kinds, nil
}

// collectCandidates lets the families count first, for how rare a word is among all of them
// decides what is worth looking for. Every family counts, whatever is asked for, so
// that what is relevant does not depend on it.
func (f family) collectCandidates(ctx context.Context, tx *store.Tx, q *tools.Question) ([]tools.Candidate, error) {
	if !slices.ContainsFunc(q.Terms, func(t search.Term) bool { return !language.IsStopWord(t.Word) }) {
		return nil, nil // nothing is asked
	}
	var all search.Statistics
	for _, r := range f.SearchProviders {
		s, err := r.Count(tx, q)
		if err != nil {
			return nil, err
		}
		all.Add(s)
	}
	q.Scorer = search.NewScorer(q.Query, all)
	var list []tools.Candidate
	for _, r := range f.SearchProviders {
		if !slices.ContainsFunc(r.Kinds(), func(kind string) bool { return slices.Contains(q.Kinds, kind) }) {
			continue
		}
		offered, err := r.Search(ctx, tx, q)
		if err != nil {
			return nil, err
		}
		list = append(list, offered...)
	}
	return list, nil
}

func buildHints(q *tools.Question, list []ranked) *tools.Hints {
	h := bestHitHints(list)
	if q.Meaning.Note != "" {
		h.Warn("performance", tools.PriorityMedium, q.Meaning.Note, "")
	}
	return h
}

func bestHitHints(list []ranked) *tools.Hints {
	if len(list) == 0 {
		return tools.NewHints(tools.MatchEvidence(0, 0, 0)).Because("nothing answers enough of the question")
	}
	best := list[0]
	h := tools.NewHints(tools.MatchEvidence(len(list), len(best.matched), best.relevance)).
		Because(fmt.Sprintf("the best answers about %.0f %% of the question", 100*best.relevance))
	if best.Tool != "" {
		h.SuggestCall(best.Tool, tools.PriorityMedium, best.Arguments, "read on from the best")
	}
	return h
}
