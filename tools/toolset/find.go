package toolset

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"toolkit/tools"
)

const (
	defaultFound = 5
	// minScore is what the best tool must reach to fit, and more than what no tool does. Few requests that a tool
	// answers stay below, so the nearest are told all the same, maxPoor of them.
	minScore, maxPoor = 0.35, 3
)

const (
	noneFits    = "No tool fits. Ask in other words, such as: list charts, correct a field, delete an entity."
	commandFits = "No tool fits, but the user can do it with the command: %s. These tools come nearest."
	poorlyFits  = "No tool fits well; these come nearest. If none of them does it, say that there is no tool for it."
)

type findInput struct {
	Query string `json:"query" jsonschema:"required,minLength=1,maxLength=500" jsonschema_description:"What is wanted, in words"`
	Limit int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=20" jsonschema_extras:"seldom=true" jsonschema_description:"5 if absent"`
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

func (f family) defineFindTools() tools.Tool[findInput, findOutput] {
	return tools.Tool[findInput, findOutput]{
		Name: tools.FindTool, Title: "Find tools",
		Description: "Find the tool for what no listed tool does: insights, graph, charts, records, documents, banks, places, metrics. " +
			"Returns names, uses and input schemas, best first. Example: correct a wrong invoice field.",
		Permissions: []tools.Permission{}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: "1.1.1",
		Tags: []string{"tools"}, Door: true,
		Examples: []tools.Example[findInput, findOutput]{{
			Description: "A tool that tells whether the server answers",
			Params:      findInput{Query: "ping the server", Limit: 1},
			Result: findOutput{Tools: []foundTool{{
				Name: "ping", Call: tools.CallReadTool, Use: "Answer pong, with the server's time.", InputSchema: json.RawMessage(`{"properties":{},"type":"object"}`),
			}}},
		}},
		Handle: f.findTools,
	}
}

func (f family) findTools(ctx context.Context, in findInput) (tools.Result[findOutput], error) {
	if err := tools.RequireText("query", in.Query); err != nil {
		return tools.Result[findOutput]{}, err
	}
	list := f.Reachable(ctx)
	purposes := make([]purpose, len(list))
	for i, d := range list {
		purposes[i] = makePurpose(d)
	}
	scores, err := f.scorePurposes(ctx, in.Query, append(purposes, listNonToolPurposes()...))
	if err != nil {
		return tools.Result[findOutput]{}, err
	}
	if named := slices.IndexFunc(list, func(d *tools.Definition) bool { return isNamed(d.Name, in.Query) }); named >= 0 {
		scores[named] = namedScore
	}
	other := findBestNonToolPurpose(scores[len(list):])
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
	case other.score > scores[order[0]] && other.name != nothing:
		out.Message, limit = fmt.Sprintf(commandFits, other.name), min(limit, maxPoor)
	case max(minScore, other.score) > scores[order[0]]:
		out.Message, limit = poorlyFits, min(limit, maxPoor)
	}
	for _, i := range order[:min(len(order), limit)] {
		found, err := describeTool(list[i])
		if err != nil {
			return tools.Result[findOutput]{}, err
		}
		out.Tools = append(out.Tools, found)
	}
	h := tools.NewHints(tools.NewSearchEvidence(len(out.Tools))).Because("compared with what each tool is for")
	if out.Message == "" {
		best := out.Tools[0]
		h.SuggestCall(best.Call, tools.PriorityMedium, map[string]any{"name": best.Name}, "call the best, with its arguments")
	}
	return tools.Result[findOutput]{Data: out, Hints: h}, nil
}

// namedScore is that of a tool which is asked for by its name: more than any other has.
const namedScore = 10

// nameSeparators may stand in the place of each other in the name of a tool.
var nameSeparators = strings.NewReplacer("-", "_", " ", "_")

// isNamed reports whether a request is the name of a tool, or has a name of several words in it.
func isNamed(name, request string) bool {
	if strings.EqualFold(nameSeparators.Replace(strings.TrimSpace(request)), nameSeparators.Replace(name)) {
		return true
	}
	words := strings.FieldsFunc(request, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	return strings.ContainsAny(name, "_-") && slices.ContainsFunc(words, func(word string) bool { return word == name || word == tools.Kebab(name) })
}

// describeTool returns a tool as a model needs it to call it.
func describeTool(d *tools.Definition) (foundTool, error) {
	schema, err := d.InputSchema()
	f := foundTool{Name: d.Name, Call: tools.CallReadTool, Use: firstSentence(d.Description), InputSchema: schema}
	if d.Writes() {
		f.Call = tools.CallTool
	}
	return f, err
}

func firstSentence(text string) string {
	if end := strings.Index(text, ". "); end >= 0 {
		return text[:end+1]
	}
	return text
}
