package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"toolkit/fixtures"
	"toolkit/internal/app"
	"toolkit/internal/language"
	"toolkit/tools/memory"
)

// newGolden fills the golden test set that get_golden_test_results runs.
func newGolden(o *settings) *cobra.Command {
	return newCommandGroup("golden", newGoldenImport(o), newGoldenExport(o))
}

func newGoldenImport(o *settings) *cobra.Command {
	var shipped bool
	cmd := newCommand("golden import", func(cmd *cobra.Command, args []string) error {
		if shipped == (len(args) == 1) || len(args) > 1 {
			return usagef("give one FILE (- for standard input), or --shipped")
		}
		return nil
	}, func(cmd *cobra.Command, args []string) error {
		source := bufio.NewReader(bytes.NewReader(fixtures.Golden))
		if !shipped {
			file, _, done, err := o.openImportSource(args[0], "JSON lines", "golden")
			if err != nil {
				return err
			}
			defer done()
			source = file
		}
		return o.withDatabase(cmd.Context(), func(a *app.App) error {
			report, err := memory.NewGolden(a.Memory).Import(cmd.Context(), source)
			if err != nil {
				return fmt.Errorf("nothing was imported: %w", err)
			}
			fmt.Fprintf(o.streams.Err, "%s read, %d new, %d labelled; %s stored\n", language.FormatCount(report.Queries, "query", "queries"), report.Added, report.Labelled, pluralize(report.Insights, "insight"))
			return nil
		})
	})
	cmd.Flags().BoolVar(&shipped, "shipped", false, "read the set that comes with toolkit")
	return cmd
}

func newGoldenExport(o *settings) *cobra.Command {
	return newCommand("golden export", requireArgumentCount(0, 1, "at most one FILE, or - for standard output"), func(cmd *cobra.Command, args []string) error {
		return o.withExistingDatabase(cmd.Context(), func(a *app.App) error {
			return o.writeNewFileOrOutput(args, func(w io.Writer) (string, error) {
				n, err := memory.NewGolden(a.Memory).Export(cmd.Context(), w)
				return language.FormatCount(n, "query", "queries"), err
			})
		})
	})
}
