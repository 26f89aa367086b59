package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/language"
)

// queryTool calls a tool that only reads and returns what it answers, and its text.
func (o *settings) queryTool(ctx context.Context, tool string, in, out any) (text string, err error) {
	err = o.withExistingDatabase(ctx, func(a *app.App) error {
		text, err = callToolInto(ctx, a, tool, in, out)
		return err
	})
	return text, err
}

// callToolInto calls a tool by the road of every call.
func callToolInto(ctx context.Context, a *app.App, tool string, in, out any) (text string, err error) {
	raw, err := json.Marshal(in)
	if err != nil {
		return "", err
	}
	r, err := callTool(ctx, a, tool, raw)
	switch {
	case err != nil:
		return "", err
	case r.IsError:
		return "", &refusedCall{r.Err}
	}
	return r.Text, json.Unmarshal([]byte(r.Text), out)
}

// colourTitle heads a part of what is printed: bright on a terminal.
func (o *settings) colourTitle(title string) string {
	if !o.streams.canShowColours(o.streams.Out) {
		return title
	}
	return protectColourCode(o.streams.Out, "\x1b[36m") + title + protectColourCode(o.streams.Out, "\x1b[0m")
}

func newToday(o *settings) *cobra.Command {
	var asJSON bool
	cmd := newCommand("today", checkNoArguments, func(cmd *cobra.Command, _ []string) error {
		return o.withExistingDatabase(cmd.Context(), func(a *app.App) error {
			day, err := ReadDay(cmd.Context(), a.Store, a.Store.Now().Local())
			switch {
			case err != nil:
				return err
			case asJSON:
				return o.printJSON(day)
			}
			return o.printf("%s", day.FormatText(o.colourTitle))
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
		Progress               []string
		SubChart               *struct{ ChartID string }
	} `json:"steps"`
}

func newCharts(o *settings) *cobra.Command {
	var asJSON bool
	cmd := newCommand("charts", requireArgumentCount(0, 1, "at most one CHART"), func(cmd *cobra.Command, args []string) error {
		var list []shownChart
		var text string
		var err error
		if len(args) == 0 {
			text, err = o.queryTool(cmd.Context(), "list_active_charts", struct{}{}, &list)
		} else {
			list = make([]shownChart, 1)
			text, err = o.queryTool(cmd.Context(), "get_chart_progress", map[string]any{"chartId": args[0]}, &list[0])
		}
		switch {
		case err != nil:
			return err
		case asJSON:
			return o.printJSONText([]byte(text))
		case len(list) == 0:
			return o.printf("No chart is active: tell your assistant what you want to create, or make one with 'toolkit call create_structural_tension_chart'.\n")
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
		fmt.Fprintf(&b, "%s%s\n", indent, o.colourTitle(FormatLine(c.DesiredOutcome)))
		fmt.Fprintf(&b, "%s  chart %s, %d of %s done%s", indent, c.ChartID, c.CompletedActions, pluralize(c.TotalActions, "step"), formatDueDay(c.DueDate))
		switch {
		case c.Status != "" && c.Status != "active":
			fmt.Fprintf(&b, ", %s", c.Status)
		case c.TotalActions > 0 && c.CompletedActions == c.TotalActions:
			b.WriteString(", not closed")
		}
		now := FormatLine(c.CurrentReality)
		if len(list) == 1 {
			now = strings.ReplaceAll(language.NeutralizeUntrustedText(strings.TrimSpace(c.CurrentReality)), "\n", "\n"+indent+"       ")
		}
		if now != "" {
			fmt.Fprintf(&b, "\n%s  now: %s", indent, now)
		}
		b.WriteByte('\n')
		for _, s := range c.Steps {
			mark := map[bool]string{true: "x", false: " "}[s.Status == "completed"]
			fmt.Fprintf(&b, "%s  [%s] %s%s", indent, mark, FormatLine(s.Title), formatDueDay(s.DueDate))
			if s.SubChart != nil {
				fmt.Fprintf(&b, ", chart %s", s.SubChart.ChartID)
			}
			b.WriteByte('\n')
			for _, note := range s.Progress {
				fmt.Fprintf(&b, "%s      so far: %s\n", indent, FormatLine(note))
			}
		}
	}
	return o.printf("%s", b.String())
}

func formatDueDay(date string) string {
	if date == "" {
		return ""
	}
	return ", due " + cutToDay(date)
}
