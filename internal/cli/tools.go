package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/tools"
)

type toolsFlags struct {
	category, tag, family string
	asJSON                bool
}

func newTools(o *settings) *cobra.Command {
	var f toolsFlags
	cmd := command("tools", argumentCount(0, 1, "at most one tool name"), func(_ *cobra.Command, args []string) error {
		registry, err := app.Registry()
		if err != nil {
			return err
		}
		if len(args) == 1 {
			return o.explainTool(registry, args[0], f.asJSON)
		}
		return o.listTools(registry, f)
	})
	cmd.ValidArgsFunction = completeTool
	cmd.Flags().StringVar(&f.category, "category", "", "only this category: query, mutation, analysis or generation")
	cmd.Flags().StringVar(&f.tag, "tag", "", "only tools with this tag")
	cmd.Flags().StringVar(&f.family, "family", "", "only this family")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print full definitions as JSON")
	return cmd
}

func (f toolsFlags) matches(r *tools.Registry) []*tools.Definition {
	var kept []*tools.Definition
	for _, d := range r.All() {
		tagged := f.tag == "" || strings.Contains(","+strings.Join(d.Tags, ",")+",", ","+f.tag+",")
		if tagged && (f.category == "" || string(d.Category) == f.category) && (f.family == "" || d.Family == f.family) {
			kept = append(kept, d)
		}
	}
	return kept
}

func (o *settings) listTools(r *tools.Registry, f toolsFlags) error {
	list := f.matches(r)
	if len(list) == 0 {
		return errors.New("no tool matches; 'toolkit tools' lists them all")
	}
	if f.asJSON {
		definitions := make([]json.RawMessage, len(list))
		for i, d := range list {
			text, err := d.Describe()
			if err != nil {
				return err
			}
			definitions[i] = text
		}
		return o.printJSON(definitions)
	}
	w := tabwriter.NewWriter(o.streams.Out, 0, 4, 2, ' ', 0)
	family := ""
	for _, d := range list {
		if d.Family != family {
			family = d.Family
			fmt.Fprintf(w, "%s\n", strings.ToUpper(family))
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\n", d.Name, d.Category, d.Title)
	}
	return w.Flush()
}

func (o *settings) explainTool(r *tools.Registry, name string, asJSON bool) error {
	d := r.Get(name)
	if d == nil {
		return unknownTool(r, name)
	}
	text, err := d.Describe()
	if err != nil {
		return err
	}
	if asJSON {
		return o.printJSON(text)
	}
	return o.printf("%s — %s\n\n%s\n\n%s\n", d.Name, d.Title, d.Description, indentJSON(text, true))
}

func (o *settings) printJSON(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return o.printText(text)
}

// printf writes to standard output.
func (o *settings) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(o.streams.Out, format, args...)
	return err
}

// printText writes JSON, indented for people and on one line for pipes.
func (o *settings) printText(text []byte) error {
	return o.printf("%s\n", indentJSON(text, terminal(o.streams.Out)))
}

// completeTool offers the names of tools to the shell.
func completeTool(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	registry, err := app.Registry()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, d := range registry.All() {
		names = append(names, d.Name+"\t"+d.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
