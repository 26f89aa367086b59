package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/memories"
	"toolkit/store/nodes"
	"toolkit/tools"
)

const (
	lessonCandidates = 20 // similar episodes among which the best and worst are chosen
	lessonsEach      = 3  // of the best, and of the worst
	briefedInsights  = 10
	briefedCharts    = 10
)

// lessonsPrompt puts what went best and worst in similar episodes before a task.
func (f *family) lessonsPrompt() tools.ServedPrompt {
	return tools.ServedPrompt{
		Name:        "recall-lessons",
		Title:       "Recall lessons",
		Description: "Before a task: what went well and what went wrong with similar ones",
		Arguments:   []tools.PromptArgument{{Name: "task", Description: "What is to be done", Required: true}},
		Render:      f.renderLessons,
	}
}

func (f *family) renderLessons(ctx context.Context, arguments map[string]string) (string, error) {
	task := strings.TrimSpace(arguments["task"])
	hits, err := f.Search.Similar(ctx, memories.SourceEpisode, task, lessonCandidates, memories.Filter{})
	if err != nil {
		return "", err
	}
	best, worst := extremes(hits)
	var b strings.Builder
	fmt.Fprintf(&b, "I am about to do this: %s\n\n", task)
	if len(best)+len(worst) == 0 {
		fmt.Fprintf(&b, "No similar episode is remembered. Do the task; when it is clear how it went, keep the lesson with %s (query, reward from -1 to 1, reflection 'Problem: ... Lesson: ...').\n", episodeName)
		return b.String(), nil
	}
	writeEpisodes(&b, "What went well with similar tasks", best)
	writeEpisodes(&b, "What went wrong with similar tasks", worst)
	fmt.Fprintf(&b, `Say in a few sentences which of these lessons apply here and which do not, and how you will go about the task because of them. Then do it.
When it is clear how it went, keep the lesson with %s.
`, episodeName)
	return b.String(), nil
}

// extremes splits similar episodes by reward: up to three with the highest
// rewards above 0, up to three with the lowest of 0 or less. Equal rewards keep
// the order of similarity.
func extremes(hits []Hit) (best, worst []memories.Row) {
	for _, hit := range hits {
		if hit.Row.Reward > 0 {
			best = append(best, hit.Row)
		} else {
			worst = append(worst, hit.Row)
		}
	}
	slices.SortStableFunc(best, func(a, b memories.Row) int { return cmp.Compare(b.Reward, a.Reward) })
	slices.SortStableFunc(worst, func(a, b memories.Row) int { return cmp.Compare(a.Reward, b.Reward) })
	return best[:min(lessonsEach, len(best))], worst[:min(lessonsEach, len(worst))]
}

func writeEpisodes(b *strings.Builder, title string, rows []memories.Row) {
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "## %s\n", title)
	for _, r := range rows {
		fmt.Fprintf(b, "- %q (reward %+.1f): %s\n", shorten(r.Query), r.Reward, r.Reflection)
	}
	b.WriteString("\n")
}

// briefingPrompt opens a session with what is in hand.
func (f *family) briefingPrompt() tools.ServedPrompt {
	return tools.ServedPrompt{
		Name:        "session-briefing",
		Title:       "Session briefing",
		Description: "Start a session with what is in hand: working memory, latest insights, open charts",
		Render:      f.renderBriefing,
	}
}

// briefing is what is in hand.
type briefing struct {
	working  []memories.WorkingItem
	insights []memories.Insight
	charts   []*nodes.ChartState
	more     bool // charts beyond those
}

func (f *family) renderBriefing(ctx context.Context, _ map[string]string) (string, error) {
	b, err := store.ReadValue(ctx, f.Store, readBriefing)
	if err != nil {
		return "", err
	}
	return b.text(timestamp(f.Store.Now())), nil
}

func readBriefing(tx *store.Tx) (b briefing, err error) {
	if b.working, err = memories.In(tx).WorkingItems(); err != nil {
		return b, err
	}
	if b.insights, err = memories.In(tx).Insights(memories.InsightFilter{Limit: briefedInsights}); err != nil {
		return b, err
	}
	rows, more, err := nodes.In(tx).ActiveCharts(briefedCharts, 0)
	if err != nil {
		return b, err
	}
	b.more = more
	b.charts, err = nodes.In(tx).ChartStates(rows)
	return b, err
}

func (b briefing) text(now string) string {
	if len(b.working)+len(b.insights)+len(b.charts) == 0 {
		return "We start a session, and nothing is remembered yet. Ask me what I am working on and what I want to create; keep what matters with " + workingName + " and " + compressName + "."
	}
	var w strings.Builder
	fmt.Fprintf(&w, "We start a session. It is %s. This is what is in hand.\n\n", now)
	if len(b.working) > 0 {
		w.WriteString("## Working memory, most recently used first\n")
		for _, item := range b.working {
			fmt.Fprintf(&w, "- [%d] %s (importance %.1f)\n", item.ID, item.Content, item.Importance)
		}
		w.WriteString("\n")
	}
	if len(b.insights) > 0 {
		w.WriteString("## Latest insights\n")
		for _, i := range b.insights {
			fmt.Fprintf(&w, "- [%d, %s] %s\n", i.ID, i.Created.Format("2006-01-02"), i.Content)
		}
		w.WriteString("\n")
	}
	b.writeCharts(&w)
	fmt.Fprintf(&w, `Tell me in a few sentences where we stand and what seems to come next, and ask me what I want to do. Search with %s before you say that something is not known. Archive items of working memory that are done with %s.
`, hybridName, archiveName)
	return w.String()
}

func (b briefing) writeCharts(w *strings.Builder) {
	if len(b.charts) == 0 {
		return
	}
	w.WriteString("## Open charts\n")
	for _, c := range b.charts {
		fmt.Fprintf(w, "- %s (%s), due %s: %d of %d steps complete", c.Outcome, c.ID, c.DueDate, c.Completed(), len(c.Steps))
		for _, s := range c.Steps {
			if !s.Completed {
				fmt.Fprintf(w, "; next: %s", s.Title)
				break
			}
		}
		w.WriteString("\n")
	}
	if b.more {
		w.WriteString("- and more: list_active_charts\n")
	}
	w.WriteString("\n")
}
