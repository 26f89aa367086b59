package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"toolkit/internal/app"
	"toolkit/internal/transfer/dump"
	"toolkit/internal/transfer/move"
	"toolkit/store"
)

// exportAll reads the file as it is, so that it works on a damaged one too.
func (o *settings) exportAll(ctx context.Context, name string, f exportFlags) error {
	if err := o.refuseTarget(name, f.force); err != nil {
		return err
	}
	path, err := o.path()
	if err != nil {
		return err
	}
	i, err := store.Inspect(ctx, path)
	if err != nil {
		return err
	}
	defer i.Close() //nolint:errcheck // it was only read
	bar := o.progress("exporting", "rows")
	var written *dump.Written
	err = o.output(name, f.force, func(out io.Writer) (err error) {
		written, err = dump.Write(ctx, i, out, dump.WriteOptions{Toolkit: app.Version, Now: time.Now(), Embed: f.embed, Progress: bar.update})
		return err
	})
	if err != nil {
		return err
	}
	bar.end(written.Rows)
	return o.reportWritten(name, written)
}

func (o *settings) reportWritten(name string, w *dump.Written) error {
	for _, hash := range w.Missing {
		fmt.Fprintf(o.streams.Err, "warning: the file %s is lost or damaged and was left out\n", hash)
	}
	if out := w.Files - w.Embedded - len(w.Missing); out > 0 {
		fmt.Fprintf(o.streams.Err, "note: %s of records left out, as --embed-files=false says\n", pluralize(out, "file"))
	}
	for _, unread := range w.Unread {
		fmt.Fprintf(o.streams.Err, "lost: %s\n", unread)
	}
	if name != "-" {
		if err := o.printf("%s: %s in %s, %s\n", name, pluralize(w.Rows, "row"), pluralize(w.Tables, "table"), pluralize(w.Embedded, "file")); err != nil {
			return err
		}
	}
	if len(w.Unread) > 0 {
		return errors.New("the database is damaged: the tables named above are written up to the damage, all others whole; 'toolkit doctor' names the newest backup")
	}
	return nil
}

func (o *settings) importAll(ctx context.Context, source *bufio.Reader, label string, f importFlags) error {
	path, err := o.wholePath()
	if err != nil {
		return err
	}
	target := path
	if store.IsPostgres(target) { // it is read into a file, which is moved there
		folder, err := os.MkdirTemp("", "toolkit-import-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder) //nolint:errcheck // a leftover temporary folder harms nobody
		path = filepath.Join(folder, "toolkit.db")
	}
	r, err := dump.Read(ctx, source, dump.ReadOptions{
		Database: path, DryRun: f.dryRun, Partial: f.partial, Now: time.Now(), Derive: deriveIndexes,
	})
	if err != nil {
		return importError(fmt.Errorf("%s: %w", label, err))
	}
	if path != target && !f.dryRun {
		if _, err := move.Run(ctx, move.Options{From: path, To: target, Now: time.Now(), Derive: app.Derive}); err != nil {
			return err
		}
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
	_, err = fmt.Fprintf(o.streams.Out, "%s: %s in %s, %s\n", label, pluralize(r.Rows, "row"), pluralize(r.Tables, "table"), pluralize(r.Files, "file"))
	if err == nil && f.dryRun {
		_, err = fmt.Fprintln(o.streams.Out, "This was a dry run: nothing was written.")
	}
	return err
}

// deriveIndexes brings a database that was just filled up to date.
func deriveIndexes(ctx context.Context, database string) error {
	db, err := store.Open(ctx, store.Options{Path: database})
	if err != nil {
		return err
	}
	return errors.Join(app.Derive(ctx, db), db.Close())
}
