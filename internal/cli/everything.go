package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"time"

	"toolkit/internal/app"
	"toolkit/internal/transfer"
	"toolkit/store"
)

// exportAll reads the file as it is, so that it works on a damaged one too.
func (o *settings) exportAll(ctx context.Context, name string, f exportFlags) error {
	path, err := o.databasePath()
	if err != nil {
		return err
	}
	i, err := store.OpenInspection(ctx, path)
	if err != nil {
		return err
	}
	defer i.Close() //nolint:errcheck // it was only read
	bar := o.progress("exporting", "rows")
	var exported *transfer.Exported
	err = o.writeOutput(name, f.force, func(out io.Writer) (err error) {
		exported, err = transfer.Export(ctx, i, out, transfer.ExportOptions{Toolkit: app.Version, Now: time.Now(), LeaveFiles: !f.embed, Progress: bar.update})
		return err
	})
	if err != nil {
		return err
	}
	bar.clearAndReportIfLong(exported.Rows)
	return o.reportExported(name, exported)
}

func (o *settings) reportExported(name string, e *transfer.Exported) error {
	for _, hash := range e.Missing {
		fmt.Fprintf(o.streams.Err, "warning: the file %s is lost or damaged and was left out\n", hash)
	}
	if e.LeftOut > 0 {
		fmt.Fprintf(o.streams.Err, "note: %s of records left out, as --embed-files=false says\n", pluralize(e.LeftOut, "file"))
	}
	for _, gap := range e.Gaps {
		fmt.Fprintf(o.streams.Err, "lost: %s\n", gap)
	}
	if name != "-" {
		if err := o.printf("%s: %s\n", name, formatContents(e.Rows, e.Tables, e.Files)); err != nil {
			return err
		}
	}
	if len(e.Gaps) > 0 {
		return errors.New("the database is damaged: the tables named above are written up to the damage, all others whole; 'toolkit doctor' names the newest backup")
	}
	return nil
}

func (o *settings) importIntoNewDatabase(ctx context.Context, source *bufio.Reader, label string, f importFlags) error {
	path, err := o.absoluteDatabasePath()
	if err != nil {
		return err
	}
	r, err := transfer.Import(ctx, source, transfer.Target{
		Database: path, Occupied: "this file comes into a new database: choose one with --db", DryRun: f.dryRun, AcceptsGaps: f.partial, Now: time.Now(), Derive: app.DeriveIndexes,
	})
	if err != nil {
		return explainImportError(fmt.Errorf("%s: %w", label, err))
	}
	for _, kept := range r.Aside {
		fmt.Fprintf(o.streams.Err, "kept aside: %s\n", kept)
	}
	for _, table := range slices.Sorted(maps.Keys(r.Dropped)) {
		fmt.Fprintf(o.streams.Err, "left out: %s of %s that referred to lost rows\n", pluralize(r.Dropped[table], "row"), table)
	}
	if f.asJSON {
		return o.printJSON(r)
	}
	summary := label + ": " + formatContents(r.Rows, r.Tables, r.Files) + "\n"
	if f.dryRun {
		summary += dryRunNote
	}
	return o.printf("%s", summary)
}
