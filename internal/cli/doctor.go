package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/admin"
	"toolkit/store"
)

type doctorFlags struct{ deep, fix, asJSON bool }

func newDoctor(o *settings) *cobra.Command {
	var f doctorFlags
	cmd := newCommand("doctor", checkNoArguments, func(cmd *cobra.Command, _ []string) error { return o.doctor(cmd.Context(), f) })
	cmd.Flags().BoolVar(&f.deep, "deep", false, "also compare every index entry")
	cmd.Flags().BoolVar(&f.fix, "fix", false, "repair what can be repaired without losing anything")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the report as JSON")
	return cmd
}

func (o *settings) doctor(ctx context.Context, f doctorFlags) error {
	path, err := o.absoluteDatabasePath()
	if err != nil {
		return err
	}
	usual, noUsual := store.DefaultPath(func(name string) string {
		if name == "TOOLKIT_DB" {
			return ""
		}
		return o.streams.Getenv(name)
	})
	faults, err := o.findServerSettingFaults()
	if err != nil {
		return err
	}
	report, err := admin.ExamineDatabase(ctx, admin.ExamineOptions{
		Database: path, Given: o.db != "" || o.streams.Getenv("TOOLKIT_DB") != "", Default: noUsual == nil && path == usual,
		Deep: f.deep, Fix: f.fix, Getenv: o.streams.Getenv, Environ: os.Environ(), Faults: faults, Now: time.Now, Progress: o.newExaminationProgress(),
	})
	if err != nil {
		return fmt.Errorf("interrupted: %w", err)
	}
	if f.asJSON {
		err = o.printJSON(report)
	} else {
		err = o.printExamination(report)
	}
	if err == nil && report.Problems > 0 {
		err = &silentError{errors.New("there are problems")}
	}
	return err
}

// findServerSettingFaults returns the settings outside of command lines that would keep a server
// from starting, whichever way it serves.
func (o *settings) findServerSettingFaults() ([]error, error) {
	s, _, err := o.parseServerFlags([]string{"--stdio", "--http", "127.0.0.1:0", "--db", o.db})
	if err != nil {
		return nil, err
	}
	return s.checkServerSettings(), nil
}

// newExaminationProgress shows how far a long check is.
func (o *settings) newExaminationProgress() func(check string, done, all int) {
	var bar *progress
	return func(check string, done, all int) {
		if bar == nil || bar.what != check {
			bar = o.progress(check, "lines")
		}
		bar.update(done, all)
		if done >= all {
			bar.clearAndReportIfLong(done)
		}
	}
}

// colours of states on a terminal.
var colours = map[admin.CheckState]string{
	admin.CheckOK: "\x1b[32m", admin.CheckFixed: "\x1b[36m", admin.CheckNote: "\x1b[33m", admin.CheckSkipped: "\x1b[2m", admin.CheckProblem: "\x1b[1;31m",
}

func (o *settings) printExamination(r *admin.ExamineReport) error {
	before, after := "", ""
	coloured := o.streams.canShowColours(o.streams.Out)
	w := bufio.NewWriter(o.streams.Out)
	for _, f := range r.Findings {
		if coloured {
			before, after = protectColourCode(o.streams.Out, colours[f.State]), protectColourCode(o.streams.Out, "\x1b[0m")
		}
		fmt.Fprintf(w, "%s%-8s%s %-21s %s\n", before, f.State, after, f.Check, f.Says)
		for _, d := range f.Details {
			fmt.Fprintf(w, "%31s- %s\n", "", d)
		}
		if f.Do != "" {
			fmt.Fprintf(w, "%31s→ %s\n", "", f.Do)
		}
	}
	if r.Problems == 0 {
		fmt.Fprintln(w, "No problems.")
	} else {
		fmt.Fprintf(w, "%s.\n", pluralize(r.Problems, "problem"))
	}
	return w.Flush()
}
