// Command soak loads several servers on one database, kills them again and again, and checks
// that nothing acknowledged was lost.
//
//	go run ./scripts/soak --program bin/toolkit --for 10m
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"toolkit/internal/app"
	"toolkit/internal/soaktest"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	registry, err := app.Registry()
	if err != nil {
		return err
	}
	o := soaktest.Options{Families: registry.Families(), Errors: os.Stderr}
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	flags.StringVar(&o.Program, "program", "bin/toolkit", "the program to run")
	flags.IntVar(&o.Processes, "processes", 4, "servers at a time")
	flags.DurationVar(&o.For, "for", time.Minute, "how long")
	flags.DurationVar(&o.KillEvery, "kill-every", 30*time.Second, "how often one is killed")
	flags.Float64Var(&o.Rate, "rate", 20, "steps a second of each server; 0: as fast as it goes")
	flags.Uint64Var(&o.Seed, "seed", 1, "of what is random")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.Processes < 1 || o.Processes > 64 || o.For <= 0 || o.KillEvery <= 0 || o.Rate < 0 {
		return errors.New("soak takes 1 to 64 processes and positive times")
	}
	folder, err := os.MkdirTemp("", "toolkit-soak-")
	if err != nil {
		return err
	}
	o.Database = filepath.Join(folder, "toolkit.db")
	report, err := soaktest.Run(ctx, o)
	if err != nil {
		return err
	}
	if err := report.Write(os.Stdout); err != nil {
		return err
	}
	if !report.Sound() {
		return fmt.Errorf("the run was not sound; the database stays at %s", o.Database)
	}
	return os.RemoveAll(folder)
}
