package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/store/localfile"
	"toolkit/tools/pockets"
)

// shownProblems bounds what is listed of a file with bad rows.
const shownProblems = 50

type pocketImportFlags struct {
	dryRun, asJSON bool
	format         string
}

func newPocketsImport(o *settings) *cobra.Command {
	var f pocketImportFlags
	cmd := newCommand("pockets import", requireArgumentCount(1, 1, "one FILE, or - for standard input"), func(cmd *cobra.Command, args []string) error { return o.importPockets(cmd.Context(), args[0], f) })
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "report what the import would do, and write nothing")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the report as JSON")
	cmd.Flags().StringVar(&f.format, "format", "", "json or jsonl (default by the file's name, else its beginning)")
	return cmd
}

func (o *settings) importPockets(ctx context.Context, name string, f pocketImportFlags) error {
	file, err := o.readPocketFile(name, f.format)
	if err != nil {
		return err
	}
	if file.Bad > 0 {
		return o.reportBadRows(file)
	}
	o.warnOfRepeatedRows(file)
	if file.Rows == 0 {
		return o.reportNoRows(name, f)
	}
	if f.dryRun {
		discard, err := o.useTemporaryDatabaseIfNone()
		if err != nil {
			return err
		}
		defer discard()
	}
	return o.withDatabase(ctx, func(a *app.App) error {
		p := o.progress("importing", "rows")
		report, err := pockets.ImportData(ctx, a.Store, file.Parts, f.dryRun, func(done int) { p.update(done, file.Rows) })
		if err != nil {
			return explainPocketImportError(err)
		}
		p.clearAndReportIfLong(file.Rows)
		if f.asJSON {
			return o.printJSON(map[string]any{"file": name, "dryRun": f.dryRun, "rows": file.Rows, "kinds": report, "repeated": file.Repeated})
		}
		printPocketReport(o.streams.Out, report)
		if f.dryRun {
			fmt.Fprint(o.streams.Out, dryRunNote)
		}
		return nil
	})
}

// readPocketFile reads and checks a whole file before the database is touched.
func (o *settings) readPocketFile(name, format string) (*pockets.DataFile, error) {
	reader, label, done, err := o.openImportSource(name, "rows", "pocket")
	if err != nil {
		return nil, err
	}
	defer done()
	if err := checkIsNotBinary(reader, label); err != nil {
		return nil, err
	}
	start, err := reader.Peek(4096) // a shorter file shows here too
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s cannot be read: %w", label, localfile.Cause(err))
	}
	if len(start) == 0 {
		return nil, fmt.Errorf("%s is empty; nothing was imported", label)
	}
	if format == "" {
		format = pockets.DetectFormat(name, start)
	} else if !slices.Contains([]string{pockets.FormatJSON, pockets.FormatJSONL}, format) {
		return nil, usagef("--format %q is not json or jsonl", format)
	}
	reading := o.progress("reading", "rows")
	file, err := pockets.ReadFile(reader, format, time.Now().UnixMilli(), reading.updateCount)
	reading.clear()
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was imported", label, localfile.Cause(err))
	}
	return file, nil
}

func (o *settings) reportBadRows(file *pockets.DataFile) error {
	w := bufio.NewWriter(o.streams.Err)
	for _, p := range file.Problems[:min(len(file.Problems), shownProblems)] {
		fmt.Fprintf(w, "row %d: %s\n", p.Row, p.Message)
	}
	if more := file.Bad - shownProblems; more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	w.Flush() //nolint:errcheck // there is nowhere left to report it
	return fmt.Errorf("%d of %s cannot be used; nothing was imported: correct them and run the import again", file.Bad, pluralize(file.Rows, "row"))
}

// warnOfRepeatedRows tells of rows that overwrite each other.
func (o *settings) warnOfRepeatedRows(file *pockets.DataFile) {
	w := bufio.NewWriter(o.streams.Err)
	for _, r := range file.Repeats[:min(len(file.Repeats), shownProblems)] {
		fmt.Fprintf(w, "warning: row %d and row %d give the same %s other values; what counts is row %d\n", r.Earlier, r.Row, r.Kind, r.Stands)
	}
	if more := file.Repeated - shownProblems; more > 0 {
		fmt.Fprintf(w, "warning: and %d more\n", more)
	}
	w.Flush() //nolint:errcheck // there is nowhere left to report it
}

// reportNoRows tells of a file that has a header and nothing behind it.
func (o *settings) reportNoRows(name string, f pocketImportFlags) error {
	if f.asJSON {
		return o.printJSON(map[string]any{"file": name, "dryRun": f.dryRun, "rows": 0, "kinds": pockets.ImportReport{}, "repeated": 0})
	}
	if name == "-" {
		name = "standard input"
	}
	return o.printf("%s has a header and no rows; nothing was imported.\n", name)
}

func explainPocketImportError(err error) error {
	if errors.Is(err, pockets.ErrMixedData) {
		return err
	}
	return explainImportError(err)
}

func printPocketReport(w io.Writer, report pockets.ImportReport) {
	for _, kind := range pockets.RowKinds {
		if t, ok := report[kind]; ok {
			fmt.Fprintf(w, "  %-11s %d new, %d updated, %d unchanged\n", kind, t.New, t.Updated, t.Unchanged)
		}
	}
}
