package toolset

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/tools"
)

const (
	defaultFound = 5
	// minScore is what the best tool must reach to fit. Of 33 things that no tool does 31 stay below, and of what
	// the tools do few that are put in far other words: so the nearest are told all the same, maxPoor of them.
	minScore, maxPoor = 0.35, 3
)

const (
	noneFits   = "No tool fits. Ask in other words, such as: list charts, correct a field, delete an entity."
	poorlyFits = "No tool fits well; these come nearest. If none of them does it, say that there is no tool for it."
)

type findInput struct {
	Query string `json:"query" jsonschema:"required,minLength=1,maxLength=500" jsonschema_description:"What is wanted, in words"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=20" jsonschema_description:"5 if absent"`
}

type findOutput struct {
	Tools   []foundTool `json:"tools" jsonschema_description:"Best first"`
	Message string      `json:"message,omitempty"`
}

type foundTool struct {
	Name        string          `json:"name"`
	Call        string          `json:"call" jsonschema_description:"The tool that calls it"`
	Use         string          `json:"use"`
	InputSchema json.RawMessage `json:"input_schema"`
}

func (f family) findTool() tools.Tool[findInput, findOutput] {
	return tools.Tool[findInput, findOutput]{
		Name: tools.FindTool, Title: "Find tools",
		Description: "Find the tool for something that no listed tool does: charts, graph, insights, records, documents, banks, places, metrics. " +
			"Returns names, uses and input schemas, best first, or that nothing fits. Example: correct a wrong invoice field.",
		Permissions: []tools.Permission{}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: "1.1.0",
		Tags: []string{"tools"}, Door: true,
		Examples: []tools.Example[findInput, findOutput]{{
			Description: "A tool that tells whether the server answers",
			Params:      findInput{Query: "ping the server", Limit: 1},
			Result: findOutput{Tools: []foundTool{{
				Name: "ping", Call: readName, Use: "Answer pong, with the server's time.", InputSchema: json.RawMessage(`{"properties":{},"type":"object"}`),
			}}},
		}},
		Handle: f.find,
	}
}

func (f family) find(ctx context.Context, in findInput) (tools.Result[findOutput], error) {
	if err := tools.RequireText("query", in.Query); err != nil {
		return tools.Result[findOutput]{}, err
	}
	list := f.Reachable(ctx)
	scores, err := f.score(ctx, in.Query, list)
	if err != nil {
		return tools.Result[findOutput]{}, err
	}
	order := make([]int, 0, len(list))
	for i := range list {
		if scores[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	out := findOutput{Tools: []foundTool{}}
	limit := cmp.Or(in.Limit, defaultFound)
	switch {
	case len(order) == 0:
		out.Message = noneFits
	case scores[order[0]] < minScore:
		out.Message, limit = poorlyFits, min(limit, maxPoor)
	}
	for _, i := range order[:min(len(order), limit)] {
		found, err := describe(list[i])
		if err != nil {
			return tools.Result[findOutput]{}, err
		}
		out.Tools = append(out.Tools, found)
	}
	h := tools.NewHints(tools.SearchEvidence(len(out.Tools))).Because("compared with what each tool is for")
	if out.Message == "" {
		best := out.Tools[0]
		h.Next(best.Call, tools.PriorityMedium, map[string]any{"name": best.Name}, "call the best, with its arguments")
	}
	return tools.Result[findOutput]{Data: out, Hints: h}, nil
}

// describe is a tool as a model needs it to call it.
func describe(d *tools.Definition) (foundTool, error) {
	schema, err := d.InputSchema()
	f := foundTool{Name: d.Name, Call: readName, Use: firstSentence(d.Description), InputSchema: schema}
	if d.Writes() {
		f.Call = callName
	}
	return f, err
}

func firstSentence(text string) string {
	if end := strings.Index(text, ". "); end >= 0 {
		return text[:end+1]
	}
	return text
}

const (
	// wordsWeight is what the words that a query shares with a tool count beside what
	// both mean, and nameWeight what those of its name count.
	wordsWeight, nameWeight = 0.35, 0.25
	// replacedWeight is what is left of the score of a tool that another replaces.
	replacedWeight = 0.6
)

// score says how well each tool fits what is wanted; 0: not at all.
func (f family) score(ctx context.Context, query string, list []*tools.Definition) ([]float64, error) {
	scores := scoreWords(query, list)
	if !f.WordsAlone {
		wanted, err := embed.BuiltIn().Query(ctx, query)
		if err != nil {
			return nil, err
		}
		vectors, err := vectorsOf(ctx, list)
		if err != nil {
			return nil, err
		}
		for i, v := range vectors {
			scores[i] = wordsWeight*scores[i] + max(0, float64(embed.Dot(wanted, v)))
		}
	}
	for i, d := range list {
		if strings.HasPrefix(d.Description, "Deprecated") || d.Deprecated != nil {
			scores[i] *= replacedWeight
		}
	}
	return scores, nil
}

// scoreWords is the share of the query's information that the words of each tool
// carry, up to 1.
func scoreWords(query string, list []*tools.Definition) []float64 {
	q := search.Analyse(query)
	terms, names := make([][]string, len(list)), make([][]string, len(list))
	counts := search.Statistics{Rows: len(list), Body: map[string]int{}}
	for i, d := range list {
		names[i] = language.Terms(strings.NewReplacer("_", " ", "-", " ").Replace(d.Name))
		terms[i] = slices.Concat(names[i], language.Terms(d.Title+" "+d.Description+" "+strings.Join(d.Tags, " ")))
		counts.Words += len(terms[i])
		for _, t := range q.Terms {
			if slices.ContainsFunc(t.Forms, func(form string) bool { return slices.Contains(terms[i], form) }) {
				counts.Body[t.Forms[0]]++
			}
		}
	}
	scorer := search.NewScorer(q, counts)
	share := func(terms []string) float64 {
		var w search.Window
		w[search.Neighbours] = scorer.Evidence(terms, nil)
		return scorer.Relevance(w, "")
	}
	scores := make([]float64, len(list))
	for i := range list {
		scores[i] = (1-nameWeight)*share(terms[i]) + nameWeight*share(names[i])
	}
	return scores
}
