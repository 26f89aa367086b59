package cli

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"toolkit/fixtures"
	"toolkit/internal/app"
	"toolkit/tools/pockets"
)

func newPockets(o *settings) *cobra.Command {
	return newCommandGroup("pockets", newPocketsImport(o), newPocketsLoop(o), newPocketsDemo(o), newPocketsExport(o))
}

func newPocketsLoop(o *settings) *cobra.Command {
	var once, asJSON bool
	var every time.Duration
	cmd := newCommand("pockets loop", checkNoArguments, func(cmd *cobra.Command, _ []string) error {
		if once && cmd.Flags().Changed("every") {
			return usagef("--once and --every exclude each other")
		}
		if cmd.Flags().Changed("every") && every < time.Minute {
			return usagef("--every must be a minute or more, such as 15m")
		}
		return o.withExistingDatabase(cmd.Context(), func(a *app.App) error { return o.runPocketLoop(cmd.Context(), a, every, asJSON) })
	})
	cmd.Flags().BoolVar(&once, "once", false, "one round, the default")
	cmd.Flags().DurationVar(&every, "every", 0, "go on, a round each time this has passed, such as 15m")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print each round as a line of JSON")
	return cmd
}

func (o *settings) runPocketLoop(ctx context.Context, a *app.App, every time.Duration, asJSON bool) error {
	for {
		round, err := pockets.ScoreAndPredict(ctx, a.Store, fixtures.PocketIDs())
		switch {
		case ctx.Err() != nil:
			return nil // interrupted; a round is done as a whole or not at all
		case err != nil && every == 0:
			return err
		case err != nil:
			fmt.Fprintf(o.streams.Err, "toolkit: this round failed: %v; the next is in %s\n", err, every)
		case asJSON:
			if err := o.printJSON(round); err != nil {
				return err
			}
		default:
			fmt.Fprintf(o.streams.Out, "%s scored, %d with imported factors, %d without a fresh reading; %s sealed, %s revealed\n",
				pluralize(len(round.Scored), "pocket"), len(round.Imported), len(round.Thin), pluralize(round.Sealed, "projection"), pluralize(round.Revealed, "prediction"))
		}
		if every == 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(every):
		}
	}
}

func newPocketsDemo(o *settings) *cobra.Command {
	return newCommand("pockets demo", checkNoArguments, func(cmd *cobra.Command, _ []string) error {
		if o.db == "" && o.streams.Getenv("TOOLKIT_DB") == "" {
			return usagef("the demonstration adds some 46,000 rows; give it a database of its own: toolkit pockets demo --db demo.db")
		}
		return o.withDatabase(cmd.Context(), func(a *app.App) error {
			p := o.progress("storing", "rows")
			part := pockets.MakeDemo(a.Store.Now().UnixMilli())
			report, err := pockets.ImportData(cmd.Context(), a.Store, []*pockets.FilePart{part}, false, func(done int) { p.update(done, part.Batch.Rows()) })
			if err != nil {
				return explainPocketImportError(err)
			}
			p.clearAndReportIfLong(part.Batch.Rows())
			round, err := pockets.ScoreAndPredict(cmd.Context(), a.Store, fixtures.PocketIDs())
			if err != nil {
				return err
			}
			printPocketReport(o.streams.Out, report)
			fmt.Fprintf(o.streams.Out, "%s scored, %s sealed. All of it is made up (data set %s); 'toolkit view' shows it day by day.\n",
				pluralize(len(round.Scored), "pocket"), pluralize(round.Sealed, "projection"), pockets.DemoDataset.Name)
			return nil
		})
	})
}

func newPocketsExport(o *settings) *cobra.Command {
	var dataset string
	cmd := newCommand("pockets export", requireArgumentCount(0, 1, "at most one FILE, or - for standard output"), func(cmd *cobra.Command, args []string) error {
		return o.withExistingDatabase(cmd.Context(), func(a *app.App) error {
			return o.writeNewFileOrOutput(args, func(w io.Writer) (string, error) {
				rows, err := pockets.ExportData(cmd.Context(), a.Store, dataset, w)
				return pluralize(rows, "row"), err
			})
		})
	})
	cmd.Flags().StringVar(&dataset, "dataset", "", "only the data set of this name")
	return cmd
}

// writeNewFileOrOutput writes to the new file that is named, or to standard output; write
// says how much it was.
func (o *settings) writeNewFileOrOutput(args []string, write func(io.Writer) (string, error)) error {
	name := append(args, "-")[0]
	var wrote string
	err := o.writeOutput(name, false, func(w io.Writer) (err error) {
		wrote, err = write(w)
		return err
	})
	if err == nil && name != "-" {
		fmt.Fprintf(o.streams.Err, "%s written to %s\n", wrote, name)
	}
	return err
}
