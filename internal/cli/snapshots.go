package cli

import (
	"errors"
	"log/slog"

	"github.com/spf13/cobra"

	"toolkit/tools/entities"
)

func newSnapshots(o *settings) *cobra.Command {
	return group("snapshots", newSnapshotsRebuild(o))
}

func newSnapshotsRebuild(o *settings) *cobra.Command {
	var check bool
	cmd := command("snapshots rebuild", noArguments, func(cmd *cobra.Command, _ []string) error { return o.rebuildSnapshots(cmd, check) })
	cmd.Flags().BoolVar(&check, "check", false, "only compare")
	return cmd
}

func (o *settings) rebuildSnapshots(cmd *cobra.Command, check bool) error {
	a, _, err := o.openExisting(cmd.Context(), slog.LevelWarn)
	if err != nil {
		return err
	}
	p := o.progress("snapshots", "entities")
	found, err := entities.Rebuild(cmd.Context(), a.Store, check, p.update)
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
	if err := o.printf("%s compared, %d %s\n", pluralize(found.Entities, "snapshot"), found.Differing, outcome); err != nil {
		return err
	}
	if check && found.Differing > 0 {
		return &silentError{errors.New("snapshots differ")}
	}
	return nil
}
