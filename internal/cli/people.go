package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/today"
	"toolkit/tools/memory/redact"
	"toolkit/tools/recall"
)

// ask calls a tool that only reads and returns what it answers, and its text.
func (o *settings) ask(ctx context.Context, tool string, in, out any) (text string, err error) {
	a, _, err := o.openExisting(ctx, slog.LevelError)
	if err != nil {
		return "", err
	}
	defer a.Close() //nolint:errcheck // it was only read
	return tell(ctx, a, tool, in, out)
}

// tell calls a tool by the road of every call.
func tell(ctx context.Context, a *app.App, tool string, in, out any) (text string, err error) {
	raw, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	r, err := callTool(ctx, a, tool, raw)
	switch {
	case err != nil:
		return "", err
	case r.IsError:
		return "", errors.New(r.Err.Message)
	}
	return r.Text, json.Unmarshal([]byte(r.Text), out)
}

// titled heads a part of what is printed: bright on a terminal.
func (o *settings) titled(title string) string {
	if !o.streams.colourful(o.streams.Out) {
		return title
	}
	return codeFor(o.streams.Out, "\x1b[36m") + title + codeFor(o.streams.Out, "\x1b[0m")
}

func newToday(o *settings) *cobra.Command {
	var asJSON bool
	cmd := command("today", noArguments, func(cmd *cobra.Command, _ []string) error {
		return o.withStored(cmd.Context(), func(a *app.App) error {
			day, err := today.Of(cmd.Context(), a.Store, a.Store.Now().Local())
			switch {
			case err != nil:
				return err
			case asJSON:
				return o.printJSON(day)
			}
			return o.say("%s", day.Text(o.titled))
		})
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the day as JSON")
	return cmd
}

// shownChart is what the tools of charts tell that is shown here.
type shownChart struct {
	ChartID          string `json:"chartId"`
	DesiredOutcome   string `json:"desiredOutcome"`
	CurrentReality   string `json:"currentReality"`
	DueDate          string `json:"dueDate"`
	CompletedActions int    `json:"completedActions"`
	TotalActions     int    `json:"totalActions"`
	Level            int    `json:"level"`
	Status           string `json:"status"`
	Steps            []struct {
		Title, Status, DueDate string
		SubChart               *struct{ ChartID string }
	} `json:"steps"`
}

func newCharts(o *settings) *cobra.Command {
	var asJSON bool
	cmd := command("charts", argumentCount(0, 1, "at most one CHART"), func(cmd *cobra.Command, args []string) error {
		var list []shownChart
		var text string
		var err error
		if len(args) == 0 {
			text, err = o.ask(cmd.Context(), "list_active_charts", struct{}{}, &list)
		} else {
			list = make([]shownChart, 1)
			text, err = o.ask(cmd.Context(), "get_chart_progress", map[string]any{"chartId": args[0]}, &list[0])
		}
		switch {
		case err != nil:
			return err
		case asJSON:
			return o.printText([]byte(text))
		case len(list) == 0:
			return o.say("No chart is active: tell your assistant what you want to create, or make one with 'toolkit call create_structural_tension_chart'.\n")
		}
		return o.printCharts(list)
	})
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what the tool answers")
	return cmd
}

func (o *settings) printCharts(list []shownChart) error {
	var b strings.Builder
	for _, c := range list {
		indent := strings.Repeat("  ", c.Level)
		fmt.Fprintf(&b, "%s%s\n", indent, o.titled(today.Line(c.DesiredOutcome)))
		fmt.Fprintf(&b, "%s  chart %s, %d of %s done%s", indent, c.ChartID, c.CompletedActions, counted(c.TotalActions, "step"), dueOn(c.DueDate))
		if c.Status != "" && c.Status != "active" {
			fmt.Fprintf(&b, ", %s", c.Status)
		}
		now := today.Line(c.CurrentReality)
		if len(list) == 1 {
			now = strings.TrimSpace(c.CurrentReality)
		}
		if now != "" {
			fmt.Fprintf(&b, "\n%s  now: %s", indent, now)
		}
		b.WriteByte('\n')
		for _, s := range c.Steps {
			mark := map[bool]string{true: "x", false: " "}[s.Status == "completed"]
			fmt.Fprintf(&b, "%s  [%s] %s%s", indent, mark, today.Line(s.Title), dueOn(s.DueDate))
			if s.SubChart != nil {
				fmt.Fprintf(&b, ", chart %s", s.SubChart.ChartID)
			}
			b.WriteByte('\n')
		}
	}
	return o.say("%s", b.String())
}

func dueOn(date string) string {
	if date == "" {
		return ""
	}
	return ", due " + date[:min(len(date), len("2006-01-02"))]
}

// remembered is what remember tells, and prints with --json.
type remembered struct {
	ID       int64          `json:"id"`       // of the insight
	Content  string         `json:"content"`  // as it is stored
	Already  bool           `json:"already"`  // it was there; nothing was stored
	Replaces int64          `json:"replaces"` // the insight whose place it took; 0: none
	Redacted map[string]int `json:"redacted"` // what was left out of it
	Similar  []recall.Hit   `json:"similar"`  // insights that say most of it
}

func newRemember(o *settings) *cobra.Command {
	var replaces int64
	var asJSON bool
	cmd := command("remember", argumentCount(1, 1000, "a TEXT"), func(cmd *cobra.Command, args []string) error {
		r := remembered{Replaces: replaces, Similar: []recall.Hit{}}
		if r.Content, r.Redacted = redact.Text(strings.TrimSpace(strings.Join(args, " "))); r.Content == "" {
			return usagef("there is nothing to remember in it")
		}
		if o.db != "" { // a misspelt path must not make a database
			if err := o.requireDatabase(); err != nil {
				return err
			}
		}
		if err := o.with(cmd.Context(), func(a *app.App) error { return r.store(cmd.Context(), a) }); err != nil {
			return err
		}
		if asJSON {
			return o.printJSON(r)
		}
		return o.say("%s", r.text())
	})
	cmd.Flags().Int64Var(&replaces, "replaces", 0, "the id of an insight whose place it takes")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was stored as JSON")
	return cmd
}

// mostAsked is how much of a text recall takes for a question.
const mostAsked = 2000

// store keeps the text as an insight, unless one says just that.
func (r *remembered) store(ctx context.Context, a *app.App) error {
	var stored struct{ ID int64 }
	if r.Replaces != 0 {
		_, err := tell(ctx, a, "update-insight", map[string]any{"id": r.Replaces, "content": r.Content, "reason": "the user said so"}, &stored)
		r.ID = stored.ID
		return err
	}
	var known recall.Output
	if _, err := tell(ctx, a, recall.Name, recall.Input{Query: string([]rune(r.Content)[:min(mostAsked, len([]rune(r.Content)))]), Kinds: []string{"insight"}, MaxTokens: mostAsked}, &known); err != nil {
		return err
	}
	for _, h := range known.Found {
		if strings.EqualFold(strings.Join(strings.Fields(h.Text), " "), strings.Join(strings.Fields(r.Content), " ")) {
			r.Already = true
			_, err := fmt.Sscan(h.ID, &r.ID)
			return err
		}
		if h.Relevance > 0.5 { // it says most of it
			r.Similar = append(r.Similar, h)
		}
	}
	_, err := tell(ctx, a, "compress_to_l2_insight", map[string]any{"content": r.Content, "source_ids": []int64{}}, &stored)
	r.ID = stored.ID
	return err
}

func (r *remembered) text() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Content)
	switch {
	case r.Already:
		fmt.Fprintf(&b, "  insight %d, remembered before; nothing was stored\n", r.ID)
	case r.Replaces != 0:
		fmt.Fprintf(&b, "  insight %d, in the place of insight %d, which stays in its history\n", r.ID, r.Replaces)
	default:
		fmt.Fprintf(&b, "  insight %d\n", r.ID)
	}
	if len(r.Redacted) > 0 {
		kinds := slices.Sorted(maps.Keys(r.Redacted))
		fmt.Fprintf(&b, "  left out: %s\n", strings.Join(kinds, ", "))
	}
	if len(r.Similar) > 0 {
		fmt.Fprintf(&b, "Remembered before, and still held for true (--replaces %s puts the new text in its place):\n", r.Similar[0].ID)
		for _, h := range r.Similar {
			fmt.Fprintf(&b, "%s\n  %s %s, %s\n", today.Line(h.Text), h.Kind, h.ID, h.At[:len("2006-01-02")])
		}
	}
	return b.String()
}
