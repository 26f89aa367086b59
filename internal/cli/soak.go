package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/measure/soak"
)

type soakFlags struct {
	processes, steps    int
	duration, killEvery time.Duration
	rate                float64
	seed                uint64
	asJSON              bool
}

func newSoak(o *settings) *cobra.Command {
	var f soakFlags
	cmd := command("bench soak", noArguments, func(cmd *cobra.Command, _ []string) error { return o.soak(cmd.Context(), f) })
	cmd.Flags().IntVar(&f.processes, "processes", 4, "servers at a time")
	cmd.Flags().DurationVar(&f.duration, "for", time.Minute, "how long")
	cmd.Flags().DurationVar(&f.killEvery, "kill-every", 30*time.Second, "how often one is killed")
	cmd.Flags().Float64Var(&f.rate, "rate", 20, "steps a second of each server; 0: as fast as it goes")
	cmd.Flags().IntVar(&f.steps, "steps", 0, "instead of --for: so many steps of all, as fast as they go, with ten kills")
	cmd.Flags().Uint64Var(&f.seed, "seed", 1, "of what is random")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the report as JSON")
	return cmd
}

func (o *settings) soak(ctx context.Context, f soakFlags) error {
	if f.processes < 1 || f.processes > 64 || f.steps < 0 || f.duration <= 0 || f.killEvery <= 0 || f.rate < 0 {
		return usagef("soak takes 1 to 64 processes and positive times; see 'toolkit bench soak --help'")
	}
	registry, err := app.Registry()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	database, discard, err := o.soakDatabase()
	if err != nil {
		return err
	}
	options := soak.Options{Program: self, Database: database, Families: registry.Families(), Processes: f.processes, For: f.duration, KillEvery: f.killEvery,
		Rate: f.rate, Seed: f.seed, Errors: o.streams.Err}
	if f.steps > 0 {
		options.For, options.KillEvery, options.Rate, options.Steps, options.KillSteps = 0, 0, 0, f.steps, max(f.steps/11, 1)
	} else {
		bar := o.progress("soaking", "ms")
		options.Progress = bar.update
	}
	report, err := soak.Run(ctx, options)
	if err != nil {
		return err
	}
	if f.asJSON {
		err = o.printJSON(report)
	} else {
		err = report.Write(o.streams.Out)
	}
	if err != nil {
		return err
	}
	if !report.Sound() {
		return fmt.Errorf("the run was not sound; the database stays at %s", database)
	}
	discard()
	return nil
}

// soakDatabase is a new file: the one given, or a temporary one.
func (o *settings) soakDatabase() (path string, discard func(), err error) {
	if o.db != "" {
		if _, err := os.Lstat(o.db); !errors.Is(err, fs.ErrNotExist) {
			return "", nil, usagef("%s exists; soak wants a new database", o.db)
		}
		return o.db, func() {}, nil
	}
	dir, err := os.MkdirTemp("", "toolkit-soak-")
	if err != nil {
		return "", nil, err
	}
	return filepath.Join(dir, "toolkit.db"), func() { os.RemoveAll(dir) }, nil //nolint:errcheck // a leftover temporary folder harms nobody
}
