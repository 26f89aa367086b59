package cli

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"toolkit/internal/soaktest"
)

func TestServersUnderLoadAndKillsLoseNothingAndStaySound(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	toolkit := program(t)
	command := func(ctx context.Context, args ...string) *exec.Cmd {
		cmd := exec.CommandContext(ctx, toolkit.Path, args...)
		cmd.Env = toolkit.Env // without it the test binary runs its tests instead of the program
		return cmd
	}
	const steps = 1000
	r, err := soaktest.Run(ctx, soaktest.Options{Command: command, Database: database(t), Processes: 4, Steps: steps, KillEvery: steps / 11, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if !r.Sound() || r.Kills < 5 || r.Acknowledged < 400 || r.Rows < 1000 {
		t.Errorf("%d kills, %d acknowledged, %d rows, lost %v, failures %v, problems %v", r.Kills, r.Acknowledged, r.Rows, r.Lost, r.Failures, r.Problems)
	}
}
