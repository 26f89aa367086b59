package tools

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
)

// adviceBytes is what suggestions, resources and reasoning may take of a result;
// the required fields alone take some 270 more. What a call warns of, assumes or
// needs is outside of it, and so is what is suggested with high priority.
const adviceBytes = 150

// trimToBudget leaves out of the hints of a result what helps least: resources that
// the result itself names, but for how well the best of a search fits; and over
// the budget suggestions that are merely possible, ordinary ones but the first,
// further resources, and last what the first is for, which its name and
// arguments mostly say.
func (h *Hints) trimToBudget(result json.RawMessage) {
	best := 0
	if h.evidence[0].Sampled {
		best = min(1, len(h.RelatedResources))
	}
	news := slices.DeleteFunc(slices.Clone(h.RelatedResources[best:]), func(r Resource) bool { return containsID(result, r.ID) })
	h.RelatedResources = append(slices.Clone(h.RelatedResources[:best]), news...)
	h.SuggestedNextActions = slices.Clone(h.SuggestedNextActions)
	excess := len(mustEncodeJSON(h.SuggestedNextActions)) + len(mustEncodeJSON(h.RelatedResources)) + len(h.Reasoning) - adviceBytes
	excess = h.dropSuggestions(excess, func(_ int, a Action) bool { return a.Priority == PriorityLow })
	excess = h.dropSuggestions(excess, func(i int, a Action) bool { return a.Priority == PriorityMedium && i > 0 })
	for excess > 0 && len(h.RelatedResources) > best {
		last := len(h.RelatedResources) - 1
		excess -= len(mustEncodeJSON(h.RelatedResources[last]))
		h.RelatedResources = h.RelatedResources[:last]
	}
	if first := h.SuggestedNextActions; excess > 0 && len(first) > 0 && first[0].Priority == PriorityMedium {
		first[0].Description = ""
	}
}

// dropSuggestions removes suggestions from the last on while they exceed the budget, and
// returns by how many bytes they still do.
func (h *Hints) dropSuggestions(excess int, helpsLittle func(int, Action) bool) int {
	for i := len(h.SuggestedNextActions) - 1; i >= 0 && excess > 0; i-- {
		if a := h.SuggestedNextActions[i]; helpsLittle(i, a) {
			excess -= len(mustEncodeJSON(a))
			h.SuggestedNextActions = slices.Delete(h.SuggestedNextActions, i, i+1)
		}
	}
	return excess
}

// containsID reports whether a result holds an id as a whole value.
func containsID(result json.RawMessage, id string) bool {
	if _, err := strconv.ParseInt(id, 10, 64); err == nil && (bytes.Contains(result, []byte(`:`+id+`,`)) || bytes.Contains(result, []byte(`:`+id+`}`))) {
		return true
	}
	return bytes.Contains(result, mustEncodeJSON(id))
}
