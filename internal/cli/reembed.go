package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/language"
)

type reembedFlags struct {
	rebuild bool
	prune   bool
}

func newReembed(o *settings) *cobra.Command {
	var f reembedFlags
	cmd := newCommand("reembed", checkNoArguments, func(cmd *cobra.Command, _ []string) error { return o.reembed(cmd.Context(), f) })
	cmd.Flags().BoolVar(&f.rebuild, "rebuild", false, "derive the full-text index again, too; other processes cannot write meanwhile")
	cmd.Flags().BoolVar(&f.prune, "prune", false, "then delete the vectors of all other models; restart servers that use one")
	return cmd
}

func (o *settings) reembed(ctx context.Context, f reembedFlags) error {
	return o.withExistingDatabase(ctx, func(a *app.App) error {
		if f.rebuild {
			done, err := a.Search.RebuildIndex(ctx, nil)
			if err != nil {
				return fmt.Errorf("the index was left as it was: %w", err)
			}
			fmt.Fprintf(o.streams.Out, "%s indexed again\n", pluralize(done, "row"))
		}
		if err := o.embedPending(ctx, a); err != nil {
			return err
		}
		if !f.prune {
			return nil
		}
		dropped := int64(0)
		for _, keeper := range a.TableIndexes() {
			n, err := keeper.DeleteOtherModels(ctx)
			if err != nil {
				return err
			}
			dropped += n
		}
		fmt.Fprintf(o.streams.Out, "%s of other models deleted\n", pluralize(int(dropped), "vector"))
		return nil
	})
}

// embedPending shows how far it is and, if it fails, what is left to do.
func (o *settings) embedPending(ctx context.Context, a *app.App) error {
	pending, err := a.CountPendingVectors(ctx)
	if err != nil {
		return err
	}
	bar, done := o.progress("embedding", "rows"), 0
	for _, keeper := range a.TableIndexes() {
		n, failure := keeper.EmbedAll(ctx, func(more int) { bar.update(done+more, pending) })
		done += n
		if err = failure; err != nil {
			break
		}
	}
	bar.clearAndReportIfLong(done)
	if err != nil {
		return fmt.Errorf("%d of %s embedded by %s; the others stay findable by words, and running the command again goes on: %w", done, language.FormatCount(pending, "row is", "rows are"), a.Search.Model(), err)
	}
	fmt.Fprintf(o.streams.Out, "%s embedded by %s\n", pluralize(done, "row"), a.Search.Model())
	return nil
}
