package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/language"
	"toolkit/tools"
)

func newCall(o *settings) *cobra.Command {
	var whole bool
	cmd := newCommand("call", requireArgumentCount(1, 2, "a tool and at most one JSON object"), func(cmd *cobra.Command, args []string) error {
		arguments, err := readCallArguments(args, o.streams.In)
		if err != nil {
			return err
		}
		d, err := o.requireServedTool(args[0])
		if err != nil {
			return err
		}
		// A misspelt path must not make a database, nor must a look at nothing.
		if o.db != "" || !d.Writes() {
			if err := o.requireDatabase(); err != nil {
				return err
			}
		}
		return o.withDatabase(cmd.Context(), func(a *app.App) error {
			r, err := callTool(cmd.Context(), a, args[0], arguments)
			if err != nil {
				return err
			}
			return o.printResponse(r, whole)
		})
	})
	cmd.ValidArgsFunction = completeToolName
	cmd.Flags().BoolVar(&whole, "whole", false, "print the whole result: data, agentHints and metadata")
	o.addServeFlags(cmd.Flags())
	return cmd
}

// callTool takes the road of every call, so that rights and settings hold.
func callTool(ctx context.Context, a *app.App, name string, arguments json.RawMessage) (*tools.Response, error) {
	return a.Server.Pipeline.Call(ctx, tools.Request{Tool: name, Arguments: arguments, Call: tools.Call{AgentID: "toolkit-cli", AgentVersion: app.Version}})
}

// requireServedTool refuses a tool that there is not, or that a setting switches off,
// before a database is opened for it.
func (o *settings) requireServedTool(name string) (*tools.Definition, error) {
	s, faults := o.checkSettings()
	if len(faults) > 0 {
		return nil, faults[0]
	}
	registry, err := app.BuildRegistry()
	if err != nil {
		return nil, err
	}
	d := registry.Get(name)
	if d == nil {
		return nil, newUnknownToolError(registry, name)
	}
	return d, o.checkToolIsServed(s.Access, d)
}

// checkToolIsServed says why a tool that there is cannot be had, and what to change.
func (o *settings) checkToolIsServed(access tools.Access, d *tools.Definition) error {
	switch access.FindRestriction(d) {
	case tools.ByFamilies:
		return usagef("%s is not served: its family, %s, is not among those of %s; add it there to have the tool", d.Name, d.Family, o.settingPlace("TOOLKIT_FAMILIES"))
	case tools.ByTools:
		return usagef("%s is not served: it is not among the tools of %s; add it there to have it", d.Name, o.settingPlace("TOOLKIT_TOOLS"))
	case tools.ByExclude:
		return usagef("%s is not served: %s excludes it; take it out there to have it", d.Name, o.settingPlace("TOOLKIT_EXCLUDE_TOOLS"))
	}
	return nil
}

// newUnknownToolError offers the names that may have been meant.
func newUnknownToolError(r *tools.Registry, name string) error {
	if near := r.SuggestToolNames(name); len(near) > 0 {
		return usagef("unknown tool %q; did you mean %s? 'toolkit tools' lists them all", name, strings.Join(near, " or "))
	}
	return usagef("unknown tool %q; 'toolkit tools' lists them", name)
}

func readCallArguments(args []string, in io.Reader) (json.RawMessage, error) {
	if len(args) < 2 {
		return nil, nil
	}
	if args[1] != "-" {
		if !json.Valid([]byte(args[1])) {
			return nil, usagef("the arguments are not valid JSON; quote them for the shell: '{\"query\":\"tea\"}'")
		}
		return json.RawMessage(args[1]), nil
	}
	raw, err := io.ReadAll(in)
	if err != nil {
		return nil, fmt.Errorf("reading the arguments: %w", err)
	}
	if !json.Valid(raw) {
		return nil, usagef("standard input is not a JSON object")
	}
	return raw, nil
}

// printResponse writes the result for people (indented) or for pipes (one line).
func (o *settings) printResponse(r *tools.Response, whole bool) error {
	text := []byte(r.Text)
	if whole {
		var err error
		if text, err = encodeToolResult(r); err != nil {
			return err
		}
	}
	if r.IsError {
		onTerminal := isTerminal(o.streams.Err)
		if onTerminal && !whole {
			text = []byte(describeRefusal(r))
		}
		fmt.Fprintln(o.streams.Err, string(indentJSON(text, onTerminal)))
		return &silentError{errors.New("the tool refused")}
	}
	if err := o.printJSONText(text); err != nil {
		return err
	}
	if r.Warning != "" && !whole { // --whole has it among the hints
		fmt.Fprintln(o.streams.Err, language.QuoteLine(replaceToolsByCommands(r.Warning)))
	}
	return nil
}

// describeRefusal returns an error of a tool for people, in up to three lines: what is wrong, its
// code and place, and what to do next.
func describeRefusal(r *tools.Response) string {
	text := language.QuoteLine(replaceToolsByCommands(r.Err.Message)) + "\n  " + r.Err.Code
	if r.Err.Field != "" {
		text += " at " + r.Err.Field
	}
	if r.Hints == nil || len(r.Hints.SuggestedNextActions) == 0 {
		return text
	}
	next := r.Hints.SuggestedNextActions[0]
	text += "\n  next: " + language.QuoteLine(replaceToolsByCommands(next.Description))
	if data, err := json.Marshal(next.Data); err == nil && len(next.Data) > 0 {
		text += ", toolkit call " + next.Tool + " " + quoteShell(string(data))
	}
	return text
}

// toolNamed is a word that may be the name of a tool, with the command before it if that stands
// there already, and its arguments behind it.
var toolNamed = regexp.MustCompile(`(toolkit (?:call|tools) )?\b([a-z]+(?:_[a-z0-9]+)+)\b( \{[^{}]*\})?`)

// commandsOfTools are the commands of their own that do what tools do.
var commandsOfTools = map[string]string{"list_active_charts": "toolkit charts", "search_nodes": "toolkit recall"}

var knownTools = sync.OnceValues(app.BuildRegistry)

// replaceToolsByCommands names, in a text for a person, the command that does what a tool does instead of
// the tool.
func replaceToolsByCommands(text string) string {
	registry, err := knownTools()
	if err != nil {
		return text
	}
	return toolNamed.ReplaceAllStringFunc(text, func(found string) string {
		parts := toolNamed.FindStringSubmatch(found)
		before, name, arguments := parts[1], parts[2], strings.TrimSpace(parts[3])
		switch {
		case before != "" || registry.Get(name) == nil:
			return found
		case arguments != "":
			return "toolkit call " + name + " " + quoteShell(arguments)
		}
		return "'" + cmp.Or(commandsOfTools[name], "toolkit call "+name) + "'"
	})
}

// encodeToolResult returns the contract's ToolResult, put together again.
func encodeToolResult(r *tools.Response) ([]byte, error) {
	result := map[string]any{"agentHints": r.Hints, "metadata": r.Meta["metadata"]}
	if r.IsError {
		result["error"] = r.Text
		if json.Valid([]byte(r.Text)) {
			result["error"] = json.RawMessage(r.Text)
		}
	} else {
		result["data"] = r.Data
	}
	return json.Marshal(result)
}

func indentJSON(text []byte, pretty bool) []byte {
	var b bytes.Buffer
	if !pretty || json.Indent(&b, text, "", "  ") != nil {
		return text
	}
	return b.Bytes()
}
