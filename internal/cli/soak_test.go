package cli

import (
	"context"
	"testing"
	"time"

	"toolkit/internal/soaktest"
)

func TestServersUnderLoadAndKillsLoseNothingAndStaySound(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	toolkit := program(t)
	r, err := soaktest.Run(ctx, soaktest.Options{Program: toolkit.Path, Env: toolkit.Env, Database: database(t), Steps: 1000, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Faults) > 0 || r.Kills < 5 || r.Acknowledged < 400 || r.Rows < 1000 {
		t.Errorf("%d kills, %d acknowledged, %d rows, faults %q", r.Kills, r.Acknowledged, r.Rows, r.Faults)
	}
}
