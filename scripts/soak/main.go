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
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"toolkit/internal/soaktest"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	var o soaktest.Options
	flags := flag.NewFlagSet("soak", flag.ContinueOnError)
	program := flags.String("program", "bin/toolkit", "the program to run")
	flags.IntVar(&o.Processes, "processes", 4, "servers at a time")
	flags.DurationVar(&o.For, "for", time.Minute, "how long")
	flags.IntVar(&o.KillEvery, "kill-every", 500, "kill a server after so many steps of all")
	flags.Uint64Var(&o.Seed, "seed", 1, "of what is random")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.Processes < 1 || o.Processes > 64 || o.For <= 0 || o.KillEvery <= 0 {
		return errors.New("soak takes 1 to 64 processes and positive times")
	}
	folder, err := os.MkdirTemp("", "toolkit-soak-")
	if err != nil {
		return err
	}
	o.Database = filepath.Join(folder, "toolkit.db")
	o.Command = func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, *program, args...)
		cmd.Stderr = os.Stderr
		return cmd
	}
	r, err := soaktest.Run(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d steps, %d kills, %d acknowledged writes and removals, %d rows; %d lost, %d failed, %d problems\n",
		r.Steps, r.Kills, r.Acknowledged, r.Rows, len(r.Lost), len(r.Failures), len(r.Problems))
	for _, line := range slices.Concat(r.Lost, r.Failures, r.Problems) {
		fmt.Fprintln(os.Stdout, "*", line)
	}
	if !r.Sound() {
		return fmt.Errorf("the run was not sound; the database stays at %s", o.Database)
	}
	return os.RemoveAll(folder)
}
