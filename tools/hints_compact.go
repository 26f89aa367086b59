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

// compact leaves out of the hints of a result what helps least: resources that
// the result itself names, but for how well the best of a search fits, and over
// the budget suggestions that are merely
// possible, ordinary ones but the first, further resources, and last what the
// first is for, which its name and arguments mostly say.
func (h *Hints) compact(result json.RawMessage) {
	best := 0
	if h.evidence[0].Sampled {
		best = min(1, len(h.RelatedResources))
	}
	news := slices.DeleteFunc(slices.Clone(h.RelatedResources[best:]), func(r Resource) bool { return names(result, r.ID) })
	h.RelatedResources = append(slices.Clone(h.RelatedResources[:best]), news...)
	h.SuggestedNextActions = slices.Clone(h.SuggestedNextActions)
	h.drop(func(i int, a Action) bool { return a.Priority == Low })
	h.drop(func(i int, a Action) bool { return a.Priority == Middle && i > 0 })
	for h.excess() > 0 && len(h.RelatedResources) > best {
		h.RelatedResources = h.RelatedResources[:len(h.RelatedResources)-1]
	}
	if first := h.SuggestedNextActions; h.excess() > 0 && len(first) > 0 && first[0].Priority == Middle {
		first[0].Description = ""
	}
}

// drop removes suggestions from the last on while they exceed the budget.
func (h *Hints) drop(helpsLittle func(int, Action) bool) {
	for i := len(h.SuggestedNextActions) - 1; i >= 0 && h.excess() > 0; i-- {
		if helpsLittle(i, h.SuggestedNextActions[i]) {
			h.SuggestedNextActions = slices.Delete(h.SuggestedNextActions, i, i+1)
		}
	}
}

// excess is how many bytes of advice are beyond the budget.
func (h *Hints) excess() int {
	return len(mustEncode(h.SuggestedNextActions)) + len(mustEncode(h.RelatedResources)) + len(h.Reasoning) - adviceBytes
}

// names reports whether a result holds an id as a whole value.
func names(result json.RawMessage, id string) bool {
	if _, err := strconv.ParseInt(id, 10, 64); err == nil && (bytes.Contains(result, []byte(`:`+id+`,`)) || bytes.Contains(result, []byte(`:`+id+`}`))) {
		return true
	}
	return bytes.Contains(result, mustEncode(id))
}
