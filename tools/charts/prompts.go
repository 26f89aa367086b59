package charts

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/nodes"
	"toolkit/tools"
)

// reviewed bounds the charts that the weekly review puts into its prompt.
const reviewed = 25

// startPrompt helps a user to a first chart.
func (f *family) startPrompt() tools.ServedPrompt {
	return tools.ServedPrompt{
		Name:        "start-chart",
		Title:       "Start a chart",
		Description: "Find out what I want to create, what is so today, and chart the way",
		Arguments: []tools.PromptArgument{
			{Name: "outcome", Description: "What should exist, if it is clear already"},
			{Name: "reality", Description: "What is so today"},
			{Name: "dueDate", Description: "By when"},
		},
		Render: func(_ context.Context, arguments map[string]string) (string, error) {
			return startText(arguments), nil
		},
	}
}

func startText(arguments map[string]string) string {
	var b strings.Builder
	b.WriteString("Help me start a structural tension chart.\n\n")
	given := func(label, name, ask string) {
		if text := strings.TrimSpace(arguments[name]); text != "" {
			fmt.Fprintf(&b, "%s: %s\n", label, text)
		} else {
			fmt.Fprintf(&b, "%s: not said yet. %s\n", label, ask)
		}
	}
	given("Desired outcome", "outcome", "Ask me what I want to exist, not what should go away.")
	given("Current reality", "reality", "Ask me what is so today, in facts: what I have, know and lack.")
	given("Due date", "dueDate", "Ask me by when.")
	b.WriteString(`
Then:
1. Say the outcome as a result that somebody could see, beginning with a verb of creating. If what I said only fights a problem, ask what I want in its place.
2. Say the reality without hope and without judgement.
3. Propose three to five action steps, each a result and not an activity, each closer to the outcome than the one before.
4. Show me all of it and wait for my yes.
5. Call create_structural_tension_chart with desiredOutcome, currentReality, dueDate (ISO 8601 date and time) and actionSteps.
6. Name the first step, and ask whether it needs telescoping into smaller ones.
`)
	return b.String()
}

// reviewPrompt walks through the active charts, or one of them.
func (f *family) reviewPrompt() tools.ServedPrompt {
	return tools.ServedPrompt{
		Name:        "weekly-review",
		Title:       "Weekly review",
		Description: "Look at my charts together: what was expected, what is so, what to change",
		Arguments:   []tools.PromptArgument{{Name: "chartId", Description: "One chart only: id or exact desired outcome"}},
		Render:      f.renderReview,
	}
}

func (f *family) renderReview(ctx context.Context, arguments map[string]string) (string, error) {
	name := strings.TrimSpace(arguments["chartId"])
	found, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) (page, error) {
		if name == "" {
			return activePage(nodes.In(tx), reviewed, 0)
		}
		c, err := chartState(tx, "chartId", name)
		return page{charts: []*nodes.ChartState{c}}, err
	})
	if refusal, is := errors.AsType[*tools.Error](err); is {
		return "I asked for a review of a chart, but " + refusal.Message + ". Call list_active_charts, show me the charts and ask which one I mean.", nil
	}
	if err != nil {
		return "", err
	}
	if len(found.charts) == 0 {
		return "I asked for a weekly review, but there is no active chart. Ask me what I want to create, and help me start a structural tension chart.", nil
	}
	return reviewText(found.charts, found.more, f.Store.Now()), nil
}

func reviewText(charts []*nodes.ChartState, more bool, now time.Time) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Let us review my structural tension charts. It is %s.\n\n", timestamp(now))
	for _, c := range charts {
		writeChart(&b, c, now)
	}
	if more {
		fmt.Fprintf(&b, "More charts are active; list_active_charts with offset %d shows them.\n\n", len(charts))
	}
	b.WriteString(`Take one chart at a time, the overdue ones first, and go through the creator's moment of truth with me (creator_moment_of_truth with its chartId gives the questions of each step):
1. acknowledge: what was expected, and what is so? Facts alone. Record new ones with update_current_reality.
2. analyze: how did it come to be so? What did I assume, what did I do?
3. plan: what do I do differently? Record it with add_action_step, telescope_action_step or update_desired_outcome.
4. feedback: how will I notice early whether it works?
Mark steps whose result exists with mark_action_complete, and note the rest with update_action_progress. Ask before you record anything.
`)
	return b.String()
}

// writeChart puts one chart into words: outcome, reality, steps and what is
// late.
func writeChart(b *strings.Builder, c *nodes.ChartState, now time.Time) {
	fmt.Fprintf(b, "%s Chart %s: %s\n", strings.Repeat("#", min(2+c.Level, 6)), c.ID, c.Outcome)
	if c.DueDate != "" { // imported charts may have none
		fmt.Fprintf(b, "Due %s%s. ", c.DueDate, lateMark(c.DueDate, now))
	}
	fmt.Fprintf(b, "%d of %d action steps complete.\n", c.Completed(), len(c.Steps))
	fmt.Fprintf(b, "Current reality: %s\n", c.Reality())
	for _, s := range c.Steps {
		mark, late := " ", lateMark(s.DueDate, now)
		if s.Completed {
			mark, late = "x", ""
		}
		due := ""
		if s.DueDate != "" {
			due = " (due " + s.DueDate + late + ")"
		}
		fmt.Fprintf(b, "- [%s] %s%s\n", mark, s.Title, due)
	}
	b.WriteString("\n")
}

func lateMark(due string, now time.Time) string {
	if isPast(due, now) {
		return ", overdue"
	}
	return ""
}
