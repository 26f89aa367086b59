package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// nearEnough is how many letters of a command may be wrong for it to be guessed.
const nearEnough = 2

// setCommandTreeDefaults adds the commands that the library brings along and makes all
// groups of commands, those included, refuse what they do not know.
func setCommandTreeDefaults(root *cobra.Command) {
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		switch cmd.Name() {
		case "help":
			cmd.Example = "  toolkit help\n  toolkit help pockets import"
			cmd.Args = checkHelpTopic
		case "completion":
			cmd.Example = "  toolkit completion bash > toolkit.bash"
			for _, shell := range cmd.Commands() {
				shell.Args = checkNoArguments
				shell.Example = "  toolkit completion " + shell.Name()
			}
		}
	}
	visitCommands(root, func(cmd *cobra.Command) {
		cmd.SuggestionsMinimumDistance = nearEnough
		if !cmd.HasSubCommands() {
			return
		}
		cmd.Args = checkNoArguments
		if cmd.RunE == nil {
			cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
		}
	})
}

// visitCommands visits a command and all below it.
func visitCommands(cmd *cobra.Command, visit func(*cobra.Command)) {
	visit(cmd)
	for _, below := range cmd.Commands() {
		visitCommands(below, visit)
	}
}

// checkNoArguments refuses arguments; those of a group of commands were meant as one
// of its commands.
func checkNoArguments(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasSubCommands():
		return newUnknownCommandError(cmd, args[0])
	}
	return usagef("%s takes no arguments, but got %q", cmd.Name(), args[0])
}

// removedCommands says what replaced commands and flags that earlier versions had.
var removedCommands = map[string]string{
	"ledger":         `'toolkit recall "which invoices are unpaid?"' tells the same`,
	"bench":          "it is 'go run ./scripts/bench' in the sources",
	"soak":           "it is 'go run ./scripts/bench soak' in the sources",
	"pockets show":   "'toolkit view' shows the day",
	"golden sample":  "write the questions into a file for 'toolkit admin golden import FILE', or ask an assistant to add them with add_golden_query",
	"tools --verify": "the tests of the sources check what it did; 'toolkit doctor' checks this installation",
}

// checkCommandWasNotRemoved is the error for a command or flag that an earlier version had, or nil.
func checkCommandWasNotRemoved(cmd *cobra.Command, name string) error {
	path := strings.TrimPrefix(strings.TrimPrefix(cmd.CommandPath()+" "+name, cmd.Root().Name()+" "), "admin ")
	if instead := removedCommands[path]; instead != "" {
		return usagef("%s was removed: %s", path, instead)
	}
	return nil
}

// newUnknownCommandError says which commands a group has, or the one that was meant.
func newUnknownCommandError(group *cobra.Command, name string) error {
	if err := checkCommandWasNotRemoved(group, name); err != nil {
		return err
	}
	guess := ""
	if near := group.SuggestionsFor(name); len(near) > 0 {
		guess = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	if !group.HasParent() {
		return usagef("unknown command %q%s", name, guess)
	}
	var names []string
	for _, cmd := range group.Commands() {
		if cmd.IsAvailableCommand() {
			names = append(names, cmd.Name())
		}
	}
	path := strings.TrimPrefix(group.CommandPath(), group.Root().Name()+" ")
	return usagef("unknown command %q%s; the commands of %s are %s", name, guess, path, joinNames(names))
}

// checkHelpTopic refuses help about what does not exist.
func checkHelpTopic(cmd *cobra.Command, args []string) error {
	topic, rest, err := cmd.Root().Find(args)
	if topic == nil {
		topic = cmd.Root()
	}
	if (err != nil || topic.HasSubCommands()) && len(rest) > 0 {
		return newUnknownCommandError(topic, rest[0])
	}
	return nil
}
