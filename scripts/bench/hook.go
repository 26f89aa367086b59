package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// measureHook prints what a prompt costs a binary, and the load of the machine before and
// after. What it stores stays in the folder that is named, for another binary.
func measureHook(ctx context.Context, out io.Writer, paths []string) error {
	binary, err := filepath.Abs(paths[0])
	if err != nil {
		return err
	}
	var folder string
	if len(paths) > 1 {
		folder, err = filepath.Abs(paths[1])
	} else {
		folder, err = os.MkdirTemp("", "bench-hook")
		defer os.RemoveAll(folder) //nolint:errcheck // at worst it stays in the folder for such files
	}
	if err != nil {
		return err
	}
	before := machineLoad()
	size := publishedHookSize
	o, err := timeHookRuns(ctx, binary, folder, size, os.Stderr)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%d turns, %d insights, %d prompts; %d told something, %d gave up; load %s before, %s after\n\n", size.Turns, size.Insights, size.Prompts, o.Told, o.GaveUp, before, machineLoad())
	fmt.Fprint(out, "| ms | p50 | p95 | most |\n|---|---:|---:|---:|\n")
	for _, row := range []struct {
		name  string
		times []time.Duration
	}{{"elapsed", o.Wall}, {"user and system", o.CPU}} {
		fmt.Fprintf(out, "| %s | %d | %d | %d |\n", row.name, quantileOf(row.times, .5).Milliseconds(), quantileOf(row.times, .95).Milliseconds(), quantileOf(row.times, 1).Milliseconds())
	}
	return nil
}

// machineLoad is the load of the machine in the last minute, where it tells.
func machineLoad() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return "unknown"
	}
	load, _, _ := strings.Cut(string(raw), " ")
	return load
}
