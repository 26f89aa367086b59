package cli

import (
	"errors"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/tools/entities"
)

func newSnapshots(o *settings) *cobra.Command {
	return newCommandGroup("snapshots", newSnapshotsRebuild(o))
}

func newSnapshotsRebuild(o *settings) *cobra.Command {
	var check bool
	cmd := newCommand("snapshots rebuild", checkNoArguments, func(cmd *cobra.Command, _ []string) error { return o.rebuildSnapshots(cmd, check) })
	cmd.Flags().BoolVar(&check, "check", false, "only compare")
	return cmd
}

func (o *settings) rebuildSnapshots(cmd *cobra.Command, check bool) error {
	p := o.progress("snapshots", "entities")
	var found entities.Rebuilt
	err := o.withExistingDatabase(cmd.Context(), func(a *app.App) (err error) {
		found, err = entities.RebuildSnapshots(cmd.Context(), a.Store, check, p.update)
		return err
	})
	p.clearAndReportIfLong(found.Entities)
	if err != nil {
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
