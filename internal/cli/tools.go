package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"
	"unicode/utf8"

	"github.com/invopop/jsonschema"
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
	cmd := newCommand("tools", requireArgumentCount(0, 1, "at most one tool name"), func(_ *cobra.Command, args []string) error {
		registry, err := app.BuildRegistry()
		if err != nil {
			return err
		}
		if faults := o.checkToolSelection(app.Settings{Access: o.access}); len(faults) > 0 {
			return faults[0]
		}
		if len(args) == 1 {
			return o.explainTool(registry, args[0], f.asJSON)
		}
		return o.listTools(f.listMatching(registry, o.access), f.asJSON)
	})
	cmd.ValidArgsFunction = completeToolName
	cmd.Flags().StringVar(&f.category, "category", "", "only this category: query, mutation, analysis or generation")
	cmd.Flags().StringVar(&f.tag, "tag", "", "only tools with this tag")
	cmd.Flags().StringVar(&f.family, "family", "", "only this family")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print full definitions as JSON")
	o.addToolSelectionFlags(cmd.Flags())
	return cmd
}

// listMatching returns the tools that a server with these settings lists, as far as they are wanted.
func (f toolsFlags) listMatching(r *tools.Registry, access tools.Access) []*tools.Definition {
	var kept []*tools.Definition
	for _, d := range r.All() {
		tagged := f.tag == "" || slices.Contains(d.Tags, f.tag)
		if access.FindRestriction(d) == tools.Unrestricted && (access.IsInToolset(d) || d.Door) && tagged && (f.category == "" || string(d.Category) == f.category) && (f.family == "" || d.Family == f.family || d.System == f.family) {
			kept = append(kept, d)
		}
	}
	return kept
}

func (o *settings) listTools(list []*tools.Definition, asJSON bool) error {
	if len(list) == 0 {
		return errors.New("no tool matches; 'toolkit tools' lists them all")
	}
	if asJSON {
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

// explainTool prints what a tool does, its arguments and one example, or its whole
// definition as JSON.
func (o *settings) explainTool(r *tools.Registry, name string, asJSON bool) error {
	d := r.Get(name)
	if d == nil {
		return newUnknownToolError(r, name)
	}
	if err := o.checkToolIsServed(o.access, d); err != nil {
		return err
	}
	if !o.access.IsInToolset(d) && !d.Door {
		return usagef("%s is served, but %s does not list it: call_tool calls it, and 'toolkit tools %s --toolset all' explains it", d.Name, o.settingPlace("TOOLKIT_TOOLSET"), d.Name)
	}
	text, err := d.Describe()
	if err != nil {
		return err
	}
	if asJSON {
		return o.printJSON(text)
	}
	var definition struct {
		Parameters jsonschema.Schema
		Examples   []struct {
			Description string
			Params      json.RawMessage
		}
	}
	if err := json.Unmarshal(text, &definition); err != nil {
		return err
	}
	if err := o.printf("%s — %s\n\n%s\n\n", d.Name, d.Title, d.Description); err != nil {
		return err
	}
	if err := o.printArguments(&definition.Parameters); err != nil {
		return err
	}
	if len(definition.Examples) > 0 {
		example := definition.Examples[0]
		if err := o.printf("Example, %s:\n  toolkit call %s %s\n\n", lowerFirst(example.Description), d.Name, quoteShell(string(example.Params))); err != nil {
			return err
		}
	}
	return o.printf("'toolkit tools %s --json' prints the whole definition.\n", d.Name)
}

// printArguments lists the arguments of a tool in the order in which they are published.
func (o *settings) printArguments(parameters *jsonschema.Schema) error {
	if parameters.Properties.Len() == 0 {
		return o.printf("It takes no arguments.\n\n")
	}
	fmt.Fprintln(o.streams.Out, "Arguments:")
	w := tabwriter.NewWriter(o.streams.Out, 0, 4, 2, ' ', 0)
	for p := parameters.Properties.Oldest(); p != nil; p = p.Next() {
		required := ""
		if slices.Contains(parameters.Required, p.Key) {
			required = ", required"
		}
		fmt.Fprintf(w, "  %s\t%s%s\t%s\n", p.Key, describeType(p.Value), required, p.Value.Description)
	}
	fmt.Fprintln(w)
	return w.Flush()
}

// describeType returns the type of an argument in words, such as "list of string".
func describeType(s *jsonschema.Schema) string {
	switch {
	case len(s.Enum) > 0:
		values := make([]string, len(s.Enum))
		for i, v := range s.Enum {
			values[i] = fmt.Sprint(v)
		}
		return strings.Join(values, " | ")
	case s.Type == "array" && s.Items != nil:
		return "list of " + describeType(s.Items)
	}
	return cmp.Or(s.Type, "any")
}

func lowerFirst(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// quoteShell quotes a text for a POSIX shell.
func quoteShell(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func (o *settings) printJSON(v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return o.printJSONText(text)
}

// printf writes to standard output.
func (o *settings) printf(format string, args ...any) error {
	_, err := fmt.Fprintf(o.streams.Out, format, args...)
	return err
}

// printJSONText writes JSON, indented for people and on one line for pipes.
func (o *settings) printJSONText(text []byte) error {
	return o.printf("%s\n", indentJSON(text, isTerminal(o.streams.Out)))
}

// completeToolName offers the names of tools to the shell.
func completeToolName(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	registry, err := app.BuildRegistry()
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	for _, d := range registry.All() {
		names = append(names, d.Name+"\t"+d.Title)
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}
