package cli

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/spf13/cobra"
)

// helpText is what every command says of itself: behind "-- its name --" a line
// with its arguments, one with what it does, the explanation if there is one, and
// examples.
//
//go:embed help.txt
var helpText string

var helpPages = sync.OnceValue(func() map[string]string {
	pages := map[string]string{}
	text := strings.ReplaceAll(helpText, "\r\n", "\n") // as git may check it out on Windows
	for _, page := range strings.Split(strings.TrimPrefix(strings.TrimSuffix(text, "\n"), "-- "), "\n-- ") {
		name, text, _ := strings.Cut(page, " --\n")
		pages[name] = text
	}
	return pages
})

// newCommand is the command that a page of helpText explains; one that only groups
// others needs neither args nor run.
func newCommand(page string, args cobra.PositionalArgs, run func(*cobra.Command, []string) error) *cobra.Command {
	explained, examples, _ := strings.Cut(helpPages()[page], "\nExamples:\n")
	use, rest, _ := strings.Cut(explained, "\n")
	short, long, _ := strings.Cut(rest, "\n")
	return &cobra.Command{Use: use, Short: short, Long: strings.Trim(long, "\n"), Example: examples, Args: args, RunE: run}
}

// newCommandGroup is a command that is there for others.
func newCommandGroup(page string, commands ...*cobra.Command) *cobra.Command {
	cmd := newCommand(page, nil, nil)
	cmd.AddCommand(commands...)
	return cmd
}
