// Command soak loads several servers on one database, kills them again and again, and checks
// that nothing acknowledged was lost.
//
//	go run ./scripts/soak --program bin/toolkit --steps 60000
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"toolkit/internal/soaktest"
)

func main() {
	o := soaktest.Options{Env: os.Environ()}
	flag.StringVar(&o.Program, "program", "bin/toolkit", "the program to run")
	flag.IntVar(&o.Steps, "steps", 6000, "calls of all servers together")
	flag.Uint64Var(&o.Seed, "seed", 1, "of what is random")
	flag.Parse()
	if err := run(context.Background(), o); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, o soaktest.Options) error {
	folder, err := os.MkdirTemp("", "toolkit-soak-")
	if err != nil {
		return err
	}
	o.Database = filepath.Join(folder, "toolkit.db")
	r, err := soaktest.Run(ctx, o)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "%d steps, %d kills, %d acknowledged writes and removals, %d rows; %d faults\n", r.Steps, r.Kills, r.Acknowledged, r.Rows, len(r.Faults))
	for _, fault := range r.Faults {
		fmt.Fprintln(os.Stdout, "*", fault)
	}
	if len(r.Faults) > 0 {
		return fmt.Errorf("the run was not sound; the database stays at %s", o.Database)
	}
	return os.RemoveAll(folder)
}
