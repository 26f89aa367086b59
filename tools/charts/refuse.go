package charts

import (
	"fmt"
	"strings"

	"toolkit/internal/orientation"
	"toolkit/store/graph"
	"toolkit/tools"
)

// candidate is a chart, step or beat that a caller may have meant.
type candidate struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Chart is the id of the chart that owns it, where there is one.
	Chart string `json:"chart,omitempty"`
}

func chartCandidate(c *graph.Chart) candidate { return candidate{c.ID, c.Outcome, c.ParentChart} }
func stepCandidate(s *graph.Step) candidate   { return candidate{s.ID, s.Title, s.ChartID} }
func beatCandidate(b *graph.Beat) candidate   { return candidate{b.Name, b.Title, b.ChartID} }

func (c candidate) String() string {
	return fmt.Sprintf("%q (%s)", tools.ShortenForMessage(c.Title), c.ID)
}

func joinCandidates(candidates []candidate) string {
	parts := make([]string, len(candidates))
	for i, c := range candidates {
		parts[i] = c.String()
	}
	return strings.Join(parts, ", ")
}

// check judges the argument of a field.
type check = func(field, text string) error

// checkEach checks the texts of a list, up to the first that is refused.
func checkEach(judge check, field string, texts []string) error {
	for i, t := range texts {
		if err := judge(itemPath(field, i), t); err != nil {
			return err
		}
	}
	return nil
}

// checkOptional checks an argument that may be absent.
func checkOptional(judge check, field, text string) error {
	if text == "" {
		return nil
	}
	return judge(field, text)
}

// trimFact returns a fact as charts keep it: without surrounding white space, so that
// facts that read alike are alike.
func trimFact(fact string) string { return strings.TrimSpace(fact) }

// itemPath is the JSON path of an item.
func itemPath(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }

// makeWordingCheck returns the check by a rule of wording: its finding is the documented error.
// tool is the one to call with a better text.
func makeWordingCheck(tool string, rule func(string) *orientation.Finding) check {
	return func(field, text string) error {
		f := rule(text)
		if f == nil {
			return nil
		}
		h := tools.NewRefusalHints().Because(f.Message)
		if len(f.Suggestions) > 0 && !strings.Contains(field, "[") {
			h.SuggestCall(tool, tools.PriorityHigh, map[string]any{field: f.Suggestions[0]}, "call again with words such as these, or the user's own")
		} else {
			h.SuggestCall(tool, tools.PriorityHigh, nil, "call again with "+field+" said as the message asks")
		}
		h.SuggestCall("init_llm_guidance", tools.PriorityLow, map[string]any{"format": "quick"}, "how outcomes, realities and steps are worded")
		return tools.WordingError(field, f).WithHints(h)
	}
}

// checkDistinctTitles enforces within one call: step titles are unique within a chart.
func checkDistinctTitles(field string, titles []string) error {
	seen := make(map[string]int, len(titles))
	for i, t := range titles {
		folded := graph.Fold(t)
		if first, taken := seen[folded]; taken {
			return tools.Refused(tools.CodeDuplicate, itemPath(field, i), "unique step titles",
				"%s repeats %s, %q; nothing was written: give each action step of a chart its own title", itemPath(field, i), itemPath(field, first), tools.ShortenForMessage(t)).
				WithDetail("duplicateOf", itemPath(field, first))
		}
		seen[folded] = i
	}
	return nil
}

// checkTitleIsFree refuses a title that a step of the chart has, other than the one at
// the row except.
func checkTitleIsFree(tx graph.Rows, chart int64, field, title string, except int64) error {
	existing, err := tx.StepByTitle(chart, title, except)
	if err != nil || existing == nil {
		return err
	}
	h := tools.NewRefusalHints().Because("step titles are unique within a chart").
		SuggestCall("update_action_progress", tools.PriorityMedium, stepArgs(existing.ID), "record progress on the step that is there").
		AddRelatedResource("action_step", existing.ID, existing.Title, 1)
	if !existing.Completed {
		h.SuggestCall("telescope_action_step", tools.PriorityLow, stepArgs(existing.ID), "break the step that is there into smaller ones")
	}
	return tools.Refused(tools.CodeDuplicate, field, "unique step titles",
		"%s has an action step %q already (%s); nothing was written: choose another title, or work with that step", existing.ChartID, tools.ShortenForMessage(title), existing.ID).
		WithDetail("existing", stepCandidate(existing)).WithHints(h)
}
