package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"toolkit/internal/soaktest"
)

// measureSoak loads several servers on one database, kills them again and again, and checks that nothing acknowledged
// was lost.
func measureSoak(ctx context.Context, out io.Writer, args []string) error {
	o := soaktest.Options{Env: os.Environ()}
	flags := flag.NewFlagSet("bench soak", flag.ContinueOnError)
	flags.StringVar(&o.Program, "program", "bin/toolkit", "the program to run")
	flags.IntVar(&o.Steps, "steps", 6000, "calls of all servers together")
	flags.Uint64Var(&o.Seed, "seed", 1, "of what is random")
	if err := flags.Parse(args); err != nil {
		return err
	}
	return runSoak(ctx, out, o)
}

func runSoak(ctx context.Context, out io.Writer, o soaktest.Options) error {
	folder, err := os.MkdirTemp("", "toolkit-soak-")
	if err != nil {
		return err
	}
	o.Database = filepath.Join(folder, "toolkit.db")
	r, err := soaktest.KillServersAndFindLosses(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d steps, %d kills, %d acknowledged writes and removals, %d rows; %d faults\n", r.Steps, r.Kills, r.Acknowledged, r.Rows, len(r.Faults))
	for _, fault := range r.Faults {
		fmt.Fprintln(out, "*", fault)
	}
	if len(r.Faults) > 0 {
		return fmt.Errorf("the run was not sound; the database stays at %s", o.Database)
	}
	return os.RemoveAll(folder)
}
