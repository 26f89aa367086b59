// Package cli is the command line: one file per command. A command parses,
// calls, prints and maps errors to exit codes; the work is done elsewhere.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/mattn/go-isatty"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"toolkit/internal/admin"
	"toolkit/internal/app"
	"toolkit/internal/language"
)

// Exit codes of every command.
const (
	exitOK      = 0
	exitFailure = 1 // the command could not do its work
	exitUsage   = 2 // the command line is wrong
)

// Streams are the process's surroundings, replaceable in tests.
type Streams struct {
	In     io.Reader
	Out    io.Writer
	Err    io.Writer
	Getenv func(string) string
}

// isTerminal reports whether a stream is a person's terminal.
func isTerminal(stream any) bool {
	if _, ok := stream.(*escapingTerminal); ok {
		return true
	}
	f, ok := stream.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// canShowColours reports whether a stream may be written to in colours: a person's
// terminal that knows them, unless that person wants none.
func (s Streams) canShowColours(stream any) bool {
	return isTerminal(stream) && s.Getenv("NO_COLOR") == "" && s.Getenv("TERM") != "dumb"
}

// usageError is a command line that cannot be understood.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error { return &usageError{fmt.Errorf(format, args...)} }

// silentError ends the program with a failure that was already printed.
type silentError struct{ error }

// Main runs the command line and returns the exit code.
func Main(args []string, s Streams) int {
	delayGarbageCollection()
	ctx, stop := handleSignals(context.Background())
	defer stop()
	s, flush := s.escapeForTerminals()
	defer flush()
	root := newRoot(s)
	root.SetArgs(args)
	cmd, err := root.ExecuteContextC(ctx)
	err = nameFlagInError(cmd.Flags(), err)
	var usage *usageError
	var silent *silentError
	switch {
	case err == nil, cmd.Name() == hookName:
		return exitOK
	case errors.As(err, &silent):
		return exitFailure
	case errors.Is(err, syscall.EPIPE):
		return exitOK // the reader has seen enough, as in: toolkit tools | head -1
	case errors.As(err, &usage), strings.HasPrefix(err.Error(), "unknown command"):
		fmt.Fprintf(s.Err, "toolkit: %v\n", err)
		if !strings.Contains(err.Error(), "--help'") {
			fmt.Fprintf(s.Err, "Run '%s --help' for %s.\n", cmd.CommandPath(), describeHelpContents(cmd))
		}
		return exitUsage
	default:
		fmt.Fprintf(s.Err, "toolkit: %s\n", replaceToolsByCommands(err.Error()))
		return exitFailure
	}
}

// describeHelpContents returns what the help of a command tells.
func describeHelpContents(cmd *cobra.Command) string {
	if cmd.HasSubCommands() {
		return "the commands"
	}
	return "its arguments and examples"
}

// quietStart is how far the heap may grow before the first collection of garbage, in percent
// of the usual 4 MB. What a start makes is mostly kept, and to go through it takes a third of
// the time until the first answer.
const quietStart = 400

// delayGarbageCollection puts the first collection off. From then on garbage is collected as usual, or
// as $GOGC says.
func delayGarbageCollection() {
	if os.Getenv("GOGC") != "" {
		return
	}
	usual := debug.SetGCPercent(quietStart)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, usual)
}

func newRoot(s Streams) *cobra.Command {
	o := &settings{streams: s}
	if o.config, o.configError = admin.LoadConfig(s.Getenv); o.configError == nil {
		o.streams.Getenv = o.config.Getenv
	}
	root := newCommand("toolkit", nil, nil)
	root.SilenceErrors, root.SilenceUsage = true, true
	// A broken file must not be passed over: it may say read_only.
	root.PersistentPreRunE = func(cmd *cobra.Command, _ []string) error {
		o.flags = cmd.Flags()
		if needsNoSettings(cmd) {
			return nil
		}
		return o.configError
	}
	// Cobra's own flag prints with a template, and templates keep every method of the program.
	version := root.Flags().BoolP("version", "v", false, "version for toolkit")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			_, err := fmt.Fprintf(s.Out, "toolkit %s\n", app.Version)
			return err
		}
		return cmd.Help()
	}
	root.SetIn(s.In)
	root.SetOut(s.Out)
	root.SetErr(s.Err)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return cmp.Or(checkCommandWasNotRemoved(cmd, strings.TrimPrefix(err.Error(), "unknown flag: ")), explainFlagError(cmd, err))
	})
	o.addCommonFlags(root.PersistentFlags())
	addCommandGroups(root, map[string][]*cobra.Command{
		dailyGroup:  {newRemember(o), newRecall(o), newForget(o), newToday(o), newCharts(o), newView(o), newPockets(o), newProjects(o)},
		dataGroup:   {newImport(o), newExport(o), newCapture(o), newBackup(o), newRestore(o), newMove(o), newDoctor(o)},
		serverGroup: {newInstall(o), newServe(o), newConfig(o), newTools(o), newCall(o), newToken(o), newMetrics(o), newAdmin(o), newVersion(o)},
	})
	root.AddCommand(newHook(o))
	root.AddCommand(hideCommands(adminCommands(o))...)
	setCommandTreeDefaults(root)
	return root
}

// explainFlagError says of a flag that is unknown, or has a value of another kind, what to write.
func explainFlagError(cmd *cobra.Command, err error) error {
	var invalid *pflag.InvalidValueError
	var unknown *pflag.NotExistError
	help := "see '" + cmd.CommandPath() + " --help'"
	switch {
	case errors.As(err, &invalid):
		wanted := map[string]string{"int": "a whole number", "bool": "true or false", "duration": "a time such as 10s or 5m"}[invalid.GetFlag().Value.Type()]
		if bounds, outside := errors.AsType[rangeError](err); outside {
			wanted = string(bounds)
		}
		if wanted == "" {
			return usagef("%w; %s", err, help)
		}
		return usagef("--%s takes %s, not %q; %s", invalid.GetFlag().Name, wanted, invalid.GetValue(), help)
	case errors.As(err, &unknown):
		guess := ""
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && language.EditDistance(f.Name, unknown.GetSpecifiedName()) <= nearEnough {
				guess = ", did you mean --" + f.Name + "?"
			}
		})
		return usagef("%w%s; %s", err, guess, help)
	}
	return usagef("%w; %s", err, help)
}

// needsNoSettings reports whether a command works the same with any settings, so
// that a broken file of settings does not keep it from working.
func needsNoSettings(cmd *cobra.Command) bool {
	switch cmd.Name() {
	case "toolkit", "help", "version", "path", "man", "completion", hookName:
		return true
	}
	return cmd.HasParent() && cmd.Parent().Name() == "completion"
}

func requireArgumentCount(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usagef("%s takes %s; see '%s --help'", cmd.Name(), what, cmd.CommandPath())
		}
		return nil
	}
}
