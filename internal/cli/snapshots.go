package cli

import (
	"errors"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"toolkit/tools/payloads"
)

func newSnapshots(o *settings) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshots",
		Short: "Check or rebuild what is known of entities",
		Example: `  toolkit snapshots rebuild --check
  toolkit snapshots rebuild`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newSnapshotsRebuild(o))
	return cmd
}

func newSnapshotsRebuild(o *settings) *cobra.Command {
	var check bool
	cmd := &cobra.Command{
		Use:   "rebuild",
		Short: "Compute every snapshot again from its observations",
		Long: `rebuild reduces the observations of every entity again and compares the result
with the stored snapshot. Snapshots that differ, after a change of merge policies
or damage, are stored anew. With --check nothing is changed, and the exit code is
1 when one differs.`,
		Example: `  toolkit snapshots rebuild --check
  toolkit snapshots rebuild`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return o.rebuildSnapshots(cmd, check) },
	}
	cmd.Flags().BoolVar(&check, "check", false, "only compare")
	return cmd
}

func (o *settings) rebuildSnapshots(cmd *cobra.Command, check bool) error {
	a, _, err := o.openExisting(cmd.Context(), slog.LevelWarn)
	if err != nil {
		return err
	}
	p := o.progress("snapshots")
	p.unit = "entities"
	found, err := payloads.Rebuild(cmd.Context(), a.Store, check, p.update)
	p.end(found.Entities)
	if err := errors.Join(err, a.Close()); err != nil {
		return err
	}
	outcome := "stored anew"
	if check {
		outcome = "differ from their observations"
		if found.Differing == 1 {
			outcome = "differs from its observations"
		}
	}
	if _, err := fmt.Fprintf(o.streams.Out, "%s compared, %d %s\n", counted(found.Entities, "snapshot"), found.Differing, outcome); err != nil {
		return err
	}
	if check && found.Differing > 0 {
		return &silentError{errors.New("snapshots differ")}
	}
	return nil
}
