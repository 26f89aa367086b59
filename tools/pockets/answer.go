package pockets

import (
	"toolkit/fixtures"
	"toolkit/tools"
)

// answer puts a result together.
func answer[T any](tool string, now int64, data T, voice string, o origin, h *tools.Hints) tools.Result[T] {
	if o.synthetic() {
		h.Warn("validation", tools.PriorityMedium, "the rows behind this are made up for demonstration", "import real readings into a database of its own")
	}
	if o.mustCite() {
		h.Constraints = append(h.Constraints, "cite the source named in _meta when you use this")
	}
	return tools.Result[T]{Data: data, Hints: h, Voice: voice, Meta: o.attribution(tool, now)}
}

// thinHints say what would give evidence about the moment of a pocket.
func thinHints(p place, because string) *tools.Hints {
	return missingHints(p, "atmosphere", "atmosphere readings of the last hour", because)
}

// missingHints asks for records of a kind.
func missingHints(p place, kind, needed, because string) *tools.Hints {
	h := tools.NewHints(tools.SearchEvidence(0)).Because(because)
	if !p.Registered {
		h.Warn("validation", tools.PriorityMedium, "pocket_id is not registered", "use a pocket_id that lookup_pocket_by_name or list_pockets returns")
		return h.Next(lookupName, tools.PriorityHigh, map[string]any{"query": shortQuery(p.ID)}, "find the pocket by its name")
	}
	h.Needs(needed)
	return h.Next(recordName, tools.PriorityMedium, map[string]any{"kind": kind}, "record what is observed at "+p.ID+", or ask the user to import it").
		Next(listName, tools.PriorityLow, nil, "see which pockets are observed")
}

// shortQuery is a text that lookup_pocket_by_name takes.
func shortQuery(text string) string {
	runes := []rune(text)
	return string(runes[:min(len(runes), maxQuery)])
}

// allPockets are the ids of all registered pockets.
func allPockets() []string { return fixtures.PocketIDs() }
