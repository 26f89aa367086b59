package cli

import (
	"testing"

	"toolkit/internal/soaktest"
	"toolkit/internal/testenv"
)

func TestServersUnderLoadAndKillsLoseNothingAndStaySound(t *testing.T) {
	t.Parallel()
	toolkit, steps := program(t), testenv.Choose(500, 1000)
	r, err := soaktest.KillServersAndFindLosses(t.Context(), soaktest.Options{Program: toolkit.Path, Env: toolkit.Env, Database: database(t), Steps: steps, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Faults) > 0 || r.Kills < steps/200 || r.Acknowledged < 2*steps/5 || r.Rows < steps {
		t.Errorf("%d kills, %d acknowledged, %d rows, faults %q", r.Kills, r.Acknowledged, r.Rows, r.Faults)
	}
}
