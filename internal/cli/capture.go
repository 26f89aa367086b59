package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/store/localfile"
)

type captureFlags struct {
	all, dryRun, asJSON bool
}

func newCapture(o *settings) *cobra.Command {
	var f captureFlags
	cmd := newCommand("capture", nil, func(cmd *cobra.Command, args []string) error { return o.captureTranscripts(cmd.Context(), args, f) })
	cmd.Flags().BoolVar(&f.all, "all", false, "find the sessions of every client on this machine")
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "say what would be taken in, and write nothing")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the report as JSON")
	return cmd
}

// captureReport is what the command tells, and prints with --json.
type captureReport struct {
	DryRun   bool              `json:"dryRun"`
	Off      []string          `json:"off"`   // what is switched off
	Found    int               `json:"found"` // files
	Turns    int               `json:"turns"`
	Known    int               `json:"known"`
	Sessions int               `json:"sessions"` // that got turns
	Bad      int               `json:"bad"`
	Clients  map[string]int    `json:"clients"`  // turns of each
	Projects map[string]int    `json:"projects"` // likewise; "" is none
	Redacted map[string]int    `json:"redacted"`
	Skipped  map[string]int    `json:"skipped"`
	Files    []*capture.Result `json:"files"` // in which there was something to read
	Failed   int               `json:"failed"`
	sessions map[string]bool
	off      func(transcripts.Client, *transcripts.Project) bool
}

func (o *settings) captureTranscripts(ctx context.Context, paths []string, f captureFlags) error {
	home, err := os.UserHomeDir()
	switch {
	case f.all == (len(paths) > 0):
		return usagef("say what to capture: --all, or files and folders; see 'toolkit capture --help'")
	case err != nil && f.all:
		return errors.New("no home folder is known here; name the files or folders to capture")
	}
	switches, err := o.readCaptureSwitches()
	if err != nil {
		return err
	}
	off, _ := switches.ListSwitchedOff()
	r := &captureReport{
		DryRun: f.dryRun, Off: off, off: switches.IsOff, Clients: map[string]int{}, Projects: map[string]int{}, Redacted: map[string]int{}, Skipped: map[string]int{}, Files: []*capture.Result{}, sessions: map[string]bool{},
	}
	if f.all {
		paths = transcripts.SessionFolders(home, o.streams.Getenv)
	}
	files, size, err := o.findTranscripts(ctx, paths, f.all, r)
	if err != nil {
		return explainInterruption(err, interruptedCapture)
	}
	if r.Found = len(files); len(files) > 0 {
		if err := o.captureFiles(ctx, home, files, size, r); err != nil {
			return explainInterruption(err, interruptedCapture)
		}
	}
	if f.asJSON {
		err = o.printJSON(r)
	} else {
		err = r.print(o.streams.Out)
	}
	if err == nil && r.Failed > 0 {
		err = fmt.Errorf("%s could not be read, which keeps nothing else out", pluralize(r.Failed, "file"))
	}
	return err
}

// findTranscripts lists what is to be read, and how large it is in all. Files that
// somebody named must be there and be transcripts.
func (o *settings) findTranscripts(ctx context.Context, paths []string, all bool, r *captureReport) (files []transcripts.File, size int64, err error) {
	for _, path := range paths {
		err := o.checkIsNoToolkitFile(path)
		if err == nil {
			err = transcripts.FindTranscripts(ctx, path, func(f transcripts.File) error {
				if info, err := os.Stat(f.Path); err == nil && o.checkIsNoToolkitFile(f.Path) == nil {
					files = append(files, f)
					size += info.Size()
				}
				return nil
			})
		}
		switch {
		case ctx.Err() != nil:
			return nil, 0, ctx.Err()
		case err == nil, all && errors.Is(err, fs.ErrNotExist):
		default:
			r.Failed++
			fmt.Fprintf(o.streams.Err, "%s: %v\n", path, localfile.Cause(err))
		}
	}
	return files, size, nil
}

func (o *settings) captureFiles(ctx context.Context, home string, files []transcripts.File, size int64, r *captureReport) error {
	if r.DryRun {
		discard, err := o.useTemporaryDatabaseIfNone()
		if err != nil {
			return err
		}
		defer discard()
	}
	return o.withDatabase(ctx, func(a *app.App) error {
		bar := o.progress("reading", "turns")
		var before int64
		c := &capture.Capture{Store: a.Store, Search: a.Search, Home: home, DryRun: r.DryRun, Off: r.off}
		c.Progress = func(done int64) { bar.updateBytes(before+done, size) }
		for _, f := range files {
			result, err := c.CaptureFile(ctx, f)
			if err != nil {
				bar.clear()
				return err
			}
			if info, err := os.Stat(f.Path); err == nil {
				before += info.Size()
			}
			bar.updateBytes(before, size)
			r.addResult(result)
		}
		bar.clearAndReportIfLong(r.Turns)
		o.printCaptureProblems(r)
		return nil
	})
}

func (r *captureReport) addResult(f *capture.Result) {
	if f.Bytes == 0 && f.Error == "" {
		return
	}
	r.Files = append(r.Files, f)
	r.Turns += f.Turns
	r.Known += f.Known
	r.Bad += f.Bad
	if f.Error != "" {
		r.Failed++
	}
	if f.Turns > 0 {
		r.Clients[f.Client] += f.Turns
	}
	for session := range f.Sessions {
		r.sessions[session] = true
	}
	r.Sessions = len(r.sessions)
	for _, sum := range []struct{ into, from map[string]int }{{r.Projects, f.Projects}, {r.Redacted, f.Redacted}, {r.Skipped, f.Skipped}} {
		for name, n := range sum.from {
			sum.into[name] += n
		}
	}
}

// printCaptureProblems names what could not be read.
func (o *settings) printCaptureProblems(r *captureReport) {
	w := bufio.NewWriter(o.streams.Err)
	left := shownProblems
	for _, f := range r.Files {
		if f.Error != "" {
			fmt.Fprintf(w, "%s: %s\n", f.Path, f.Error)
		}
		for _, p := range f.Problems[:min(len(f.Problems), left)] {
			fmt.Fprintf(w, "%s: skipped at byte %d: %s\n", f.Path, p.At, p.Message)
			left--
		}
	}
	if more := r.Bad - (shownProblems - left); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	w.Flush() //nolint:errcheck // there is nowhere left to report it
}

// dryRunNote ends what a command prints that only says what it would do.
const dryRunNote = "This was a dry run: nothing was written.\n"

func (r *captureReport) print(out io.Writer) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s found, %s in %s", pluralize(r.Found, "file"), pluralize(r.Turns, "new turn"), pluralize(r.Sessions, "session"))
	if r.Known > 0 {
		fmt.Fprintf(w, ", %d known before", r.Known)
	}
	if r.Bad > 0 {
		fmt.Fprintf(w, ", %d that could not be read", r.Bad)
	}
	fmt.Fprintln(w)
	for _, part := range []struct {
		title  string
		counts map[string]int
	}{{"clients", r.Clients}, {"projects", r.Projects}, {"redacted", r.Redacted}, {"left out", r.Skipped}} {
		if len(part.counts) > 0 {
			fmt.Fprintf(w, "  %-9s %s\n", part.title+":", formatCounts(part.counts))
		}
	}
	if len(r.Off) > 0 {
		fmt.Fprintf(w, "  off:      %s\n", strings.Join(r.Off, ", "))
	}
	if r.DryRun {
		fmt.Fprint(w, dryRunNote)
	}
	return w.Flush()
}

// formatCounts lists counts by their size.
func formatCounts(counts map[string]int) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		if name == "" {
			names[i] = fmt.Sprintf("%d in none", counts[name])
			continue
		}
		names[i] = fmt.Sprintf("%d %s", counts[name], name)
	}
	return strings.Join(names, ", ")
}

// interruptedCapture is what becomes of a capture that is ended early.
const interruptedCapture = "what was taken in so far is kept, and running the command again goes on from there"
