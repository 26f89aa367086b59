package charts

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
)

// Error codes of the charts documentation that the family itself reports.
// VALIDATION_ERROR and INVALID_FORMAT are the dialect's words for
// tools.CodeInvalid and tools.CodeFormat.
const (
	codeNotFound    = "NOT_FOUND"
	codeDuplicate   = "DUPLICATE_KEY"
	codeOrientation = "CREATIVE_ORIENTATION_ERROR"
)

// candidate is a chart, step or beat that a caller may have meant.
type candidate struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// Chart is the id of the chart that owns it, where there is one.
	Chart string `json:"chart,omitempty"`
}

func (c candidate) String() string { return fmt.Sprintf("%q (%s)", shorten(c.Title), c.ID) }

func listed(candidates []candidate) string {
	parts := make([]string, len(candidates))
	for i, c := range candidates {
		parts[i] = c.String()
	}
	return strings.Join(parts, ", ")
}

// notBlank refuses a text of white space only.
func notBlank(field, text string) error {
	if !tools.Blank(text) {
		return nil
	}
	return tools.Invalid(tools.CodeInvalid, field, "not blank", "%s must not be blank; write what it should say", field)
}

// noneBlank refuses a list that holds a blank text.
func noneBlank(field string, texts []string) error {
	for i, t := range texts {
		if err := notBlank(at(field, i), t); err != nil {
			return err
		}
	}
	return nil
}

// trimmed is a fact as charts keep it: without surrounding white space, so that
// facts that read alike are alike.
func trimmed(fact string) string { return strings.TrimSpace(fact) }

func eachTrimmed(facts []string) []string {
	out := make([]string, len(facts))
	for i, f := range facts {
		out[i] = trimmed(f)
	}
	return out
}

// notWhite refuses white space where nothing at all would be an absent value.
func notWhite(field, text string) error {
	if text == "" {
		return nil
	}
	return notBlank(field, text)
}

// at is the JSON path of an item.
func at(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }

// firstOf returns the first error of a list of checks.
func firstOf(checks ...error) error {
	for _, err := range checks {
		if err != nil {
			return err
		}
	}
	return nil
}

// oriented turns a finding about a field into the documented error; nil stays
// nil. again is the tool to call with a better text.
func oriented(again, field string, f *orientation.Finding) error {
	if f == nil {
		return nil
	}
	words, suggestions := f.Words, f.Suggestions
	if words == nil {
		words = []string{}
	}
	if suggestions == nil {
		suggestions = []string{}
	}
	h := immediate().Because(f.Message)
	if len(suggestions) > 0 && !strings.Contains(field, "[") {
		h.Next(again, tools.High, map[string]any{field: suggestions[0]}, "call again with words such as these, or the user's own")
	} else {
		h.Next(again, tools.High, nil, "call again with "+field+" said as the message asks")
	}
	h.Next("init_llm_guidance", tools.Low, map[string]any{"format": "quick"}, "how outcomes, realities and steps are worded")
	return tools.Refused(codeOrientation, field, f.Rule, "%s: %s", field, f.Message).
		With("words", words).With("suggestions", suggestions).WithHints(h)
}

// orientedSteps judges the titles of new steps.
func orientedSteps(again, field string, titles []string) error {
	for i, t := range titles {
		if err := oriented(again, at(field, i), orientation.Step(t)); err != nil {
			return err
		}
	}
	return nil
}

// distinct enforces within one call: step titles are unique within a chart.
func distinct(field string, titles []string) error {
	seen := make(map[string]int, len(titles))
	for i, t := range titles {
		folded := store.Fold(t)
		if first, taken := seen[folded]; taken {
			return tools.Refused(codeDuplicate, at(field, i), "unique step titles",
				"%s repeats %s, %q; nothing was written: give each action step of a chart its own title", at(field, i), at(field, first), shorten(t)).
				With("duplicateOf", at(field, first))
		}
		seen[folded] = i
	}
	return nil
}

// duplicateStep refuses a title that another step of the chart has.
func duplicateStep(field, title string, existing *store.Step) error {
	h := immediate().Because("step titles are unique within a chart").
		Next("update_action_progress", tools.Middle, map[string]any{"actionStepName": existing.ID}, "record progress on the step that is there").
		Relate("action_step", existing.ID, existing.Title, 1)
	if !existing.Completed {
		h.Next("telescope_action_step", tools.Low, map[string]any{"actionStepName": existing.ID}, "break the step that is there into smaller ones")
	}
	return tools.Refused(codeDuplicate, field, "unique step titles",
		"%s has an action step %q already (%s); nothing was written: choose another title, or work with that step", existing.ChartID, shorten(title), existing.ID).
		With("existing", candidate{ID: existing.ID, Title: existing.Title, Chart: existing.ChartID}).WithHints(h)
}

// immediate starts the hints of a refusal.
func immediate() *tools.Hints {
	return tools.NewHints(tools.Evidence{Quality: tools.QualityHigh, Validity: tools.Immediate})
}

// shown is how much of a caller's text a message repeats.
const shown = 80

func shorten(text string) string {
	if utf8.RuneCountInString(text) <= shown {
		return text
	}
	return string([]rune(text)[:shown]) + "…"
}
