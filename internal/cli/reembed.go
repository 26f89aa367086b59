package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
)

type reembedFlags struct {
	rebuild bool
	prune   bool
}

func newReembed(o *settings) *cobra.Command {
	var f reembedFlags
	cmd := &cobra.Command{
		Use:   "reembed",
		Short: "Embed memory and records with the model in use",
		Long: `reembed makes the vectors that are missing in the vector space of the model in
use: after TOOLKIT_EMBEDDER or its model changed, or after a model failed. A
server does the same in the background when it searches; this command does it
now. Interrupted, it keeps what is done and goes on from there the next time.

--rebuild also derives the full-text index again from what is stored.`,
		Example: `  TOOLKIT_EMBEDDER=ollama toolkit reembed
  toolkit reembed --prune
  toolkit reembed --rebuild`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.reembed(cmd.Context(), f) },
	}
	cmd.Flags().BoolVar(&f.rebuild, "rebuild", false, "derive the full-text index again, too; other processes cannot write meanwhile")
	cmd.Flags().BoolVar(&f.prune, "prune", false, "then delete the vectors of all other models; restart servers that use one")
	return cmd
}

func (o *settings) reembed(ctx context.Context, f reembedFlags) error {
	a, err := o.openExisting(ctx)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // every committed write is already on disk
	if f.rebuild {
		done, err := a.Search.Rebuild(ctx, nil)
		if err != nil {
			return fmt.Errorf("the index was left as it was: %w", err)
		}
		fmt.Fprintf(o.streams.Out, "%s indexed again\n", counted(done, "row"))
	}
	if err := o.embedPending(ctx, a); err != nil {
		return err
	}
	if !f.prune {
		return nil
	}
	dropped, err := a.Search.Prune(ctx)
	if err != nil {
		return err
	}
	ofRecords, err := a.Records.Prune(ctx)
	if err == nil {
		fmt.Fprintf(o.streams.Out, "%s of other models deleted\n", counted(int(dropped+ofRecords), "vector"))
	}
	return err
}

// embedPending shows how far it is and, if it fails, what is left to do.
func (o *settings) embedPending(ctx context.Context, a *app.App) error {
	pending, model, err := a.Search.Pending(ctx)
	if err != nil {
		return err
	}
	records, _, err := a.Records.Pending(ctx)
	if err != nil {
		return err
	}
	pending += records
	bar := newProgress(o.streams.Err, "embedding")
	bar.unit = "rows"
	done, err := a.Search.Refresh(ctx, 0, func(done int) { bar.update(done, pending) })
	if err == nil {
		var more int
		more, err = a.Records.Refresh(ctx, func(more int) { bar.update(done+more, pending) })
		done += more
	}
	bar.end(done)
	if err != nil {
		return fmt.Errorf("%d of %d rows are embedded by %s; the others stay findable by words, and running the command again goes on: %w", done, pending, model, err)
	}
	fmt.Fprintf(o.streams.Out, "%s embedded by %s\n", counted(done, "row"), model)
	return nil
}
