package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"toolkit/fixtures"
	"toolkit/internal/app"
	"toolkit/tools/memory"
)

// newGolden fills the golden test set that get_golden_test_results runs. deps
// are what the memory family of an open app works with.
func newGolden(o *settings, deps func(*app.App) memory.Deps) *cobra.Command {
	return group("golden", newGoldenSample(o, deps), newGoldenImport(o, deps), newGoldenExport(o, deps))
}

// withStoredGolden is withGolden for commands that need a database to be there.
func (o *settings) withStoredGolden(ctx context.Context, deps func(*app.App) memory.Deps, f func(*memory.Golden) error) error {
	if err := o.requireDatabase(); err != nil {
		return err
	}
	return o.withGolden(ctx, deps, f)
}

// withGolden opens the database and hands out its golden test set.
func (o *settings) withGolden(ctx context.Context, deps func(*app.App) memory.Deps, f func(*memory.Golden) error) error {
	a, _, err := o.open(ctx, slog.LevelError, nil)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // every committed write is already on disk
	return f(memory.NewGolden(deps(a)))
}

func newGoldenSample(o *settings, deps func(*app.App) memory.Deps) *cobra.Command {
	var speaker string
	var count int
	cmd := command("golden sample", noArguments, func(cmd *cobra.Command, _ []string) error {
		return o.withStoredGolden(cmd.Context(), deps, func(g *memory.Golden) error {
			added, err := g.Sample(cmd.Context(), speaker, count)
			if errors.Is(err, memory.ErrNothingToSample) {
				return fmt.Errorf("%w: nothing that %q said is stored; name another speaker with --speaker", err, speaker)
			}
			if err != nil {
				return err
			}
			fmt.Fprintf(o.streams.Err, "%s added; 'toolkit golden export FILE' writes them out to be labelled\n", plural(len(added), "query", "queries"))
			return nil
		})
	})
	cmd.Flags().StringVar(&speaker, "speaker", "user", "whose words to draw from")
	cmd.Flags().IntVar(&count, "count", 50, "how many queries to add at most")
	return cmd
}

func newGoldenImport(o *settings, deps func(*app.App) memory.Deps) *cobra.Command {
	var shipped bool
	cmd := command("golden import", func(cmd *cobra.Command, args []string) error {
		if shipped == (len(args) == 1) || len(args) > 1 {
			return usagef("give one FILE (- for standard input), or --shipped")
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error {
		source, closeSource, err := o.goldenSource(args)
		if err != nil {
			return err
		}
		defer closeSource()
		return o.withGolden(cmd.Context(), deps, func(g *memory.Golden) error {
			report, err := g.Import(cmd.Context(), source)
			if err != nil {
				return fmt.Errorf("nothing was imported: %w", err)
			}
			fmt.Fprintf(o.streams.Err, "%s read, %d new, %d labelled; %s stored\n", plural(report.Queries, "query", "queries"), report.Added, report.Labelled, counted(report.Insights, "insight"))
			return nil
		})
	})
	cmd.Flags().BoolVar(&shipped, "shipped", false, "read the set that comes with toolkit")
	return cmd
}

// goldenSource is the file named, standard input for -, the shipped set for no
// name.
func (o *settings) goldenSource(args []string) (io.Reader, func(), error) {
	switch {
	case len(args) == 0:
		return bytes.NewReader(fixtures.Golden), func() {}, nil
	case args[0] == "-":
		return o.streams.In, func() {}, nil
	}
	f, err := o.openNamed(args[0])
	if err != nil {
		return nil, nil, err
	}
	return f, func() { f.Close() }, nil //nolint:errcheck // it was only read
}

func newGoldenExport(o *settings, deps func(*app.App) memory.Deps) *cobra.Command {
	return command("golden export", argumentCount(0, 1, "at most one FILE, or - for standard output"), func(cmd *cobra.Command, args []string) error {
		return o.withStoredGolden(cmd.Context(), deps, func(g *memory.Golden) error {
			if len(args) == 0 || args[0] == "-" {
				_, err := g.Export(cmd.Context(), o.streams.Out)
				return err
			}
			if err := o.refuseOwn(args[0]); err != nil {
				return err
			}
			n, err := exportGolden(cmd.Context(), g, args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(o.streams.Err, "%s written to %s\n", plural(n, "query", "queries"), args[0])
			return nil
		})
	})
}

// exportGolden writes to a new file; one that exists is not overwritten, it may
// hold labels.
func exportGolden(ctx context.Context, g *memory.Golden, name string) (n int, err error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return 0, fmt.Errorf("%s exists and may hold labels; choose another name", name)
	}
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriter(f)
	n, err = g.Export(ctx, w)
	return n, errors.Join(err, w.Flush(), f.Close())
}
