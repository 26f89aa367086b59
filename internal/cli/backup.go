package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/transfer"
	"toolkit/store"
)

type backupFlags struct {
	force, keys, verify bool
}

func newBackup(o *settings) *cobra.Command {
	var f backupFlags
	cmd := newCommand("backup", requireArgumentCount(1, 1, "one FILE or FOLDER"), func(cmd *cobra.Command, args []string) error {
		if f.verify {
			return o.verifyBackup(cmd.Context(), args[0])
		}
		return o.backup(cmd.Context(), args[0], f)
	})
	cmd.Flags().BoolVar(&f.force, "force", false, "replace FILE if it exists")
	cmd.Flags().BoolVar(&f.keys, "keys", false, "take key files in; keep such an archive secret")
	cmd.Flags().BoolVar(&f.verify, "verify", false, "only read FILE and compare it with its manifest")
	return cmd
}

func (o *settings) backup(ctx context.Context, target string, f backupFlags) error {
	path, err := o.databasePath()
	if err != nil {
		return err
	}
	if store.IsPostgres(path) {
		return errors.New("a backup is of a database file; of PostgreSQL make one with pg_dump, or with 'toolkit export --all', which either engine reads")
	}
	if err := o.checkIsNoToolkitFile(target); err != nil {
		return err
	}
	bar := o.progress("backing up", "kB")
	m, err := transfer.Backup(ctx, transfer.BackupOptions{
		Database: path, Target: target, Force: f.force, Keys: f.keys, Toolkit: app.Version, Now: time.Now(), Progress: bar.updateBytes,
	})
	if err != nil {
		return explainInterruption(err, "nothing was written")
	}
	bar.clearAndReportIfLong(int(2 * m.Size() >> 10))
	for _, hash := range m.Missing {
		fmt.Fprintf(o.streams.Err, "warning: the file %s was lost or damaged before this backup; 'toolkit doctor' tells which record holds it\n", hash)
	}
	if keys := transfer.KeyFiles(path); len(keys) > 0 && !f.keys {
		fmt.Fprintf(o.streams.Err, "note: %s beside the database is not in the archive; without it, bank connections must be made again. --keys takes it in.\n", joinNames(keys))
	}
	return o.printBackupSummary(m.Archive, m)
}

func (o *settings) printBackupSummary(name string, m *transfer.Manifest) error {
	return o.printf("%s: %s, schema %d, of %s; every hash is right\n", name, formatContents(m.TotalRows(), len(m.Rows), m.CountRecordFiles()), m.Schema, m.CreatedAt.Format(time.RFC3339))
}

// formatContents says how much a copy of a database holds.
func formatContents(rows, tables, files int) string {
	return pluralize(rows, "row") + " in " + pluralize(tables, "table") + ", " + pluralize(files, "file")
}

func (o *settings) verifyBackup(ctx context.Context, name string) error {
	if err := o.checkIsNoToolkitFile(name); err != nil {
		return err
	}
	bar := o.progress("reading", "kB")
	m, err := transfer.Verify(ctx, name, bar.updateBytes)
	if err != nil {
		return explainInterruption(err, "nothing was written")
	}
	bar.clearAndReportIfLong(int(m.Size() >> 10))
	return o.printBackupSummary(name, m)
}

// explainInterruption says what became of the work where the person has ended it. Other errors stay.
func explainInterruption(err error, outcome string) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; " + outcome)
	}
	return err
}

func newRestore(o *settings) *cobra.Command {
	var force bool
	cmd := newCommand("restore", requireArgumentCount(1, 1, "one FILE that backup has written"), func(cmd *cobra.Command, args []string) error { return o.restore(cmd.Context(), args[0], force) })
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing database, which is kept under another name")
	return cmd
}

func (o *settings) restore(ctx context.Context, name string, force bool) error {
	path, err := o.absoluteDatabasePath()
	if err != nil {
		return err
	}
	if store.IsPostgres(path) {
		return errors.New("a backup becomes a database file; give one with --db, and bring it to PostgreSQL with 'toolkit move'")
	}
	if err := o.checkIsNoToolkitFile(name); err != nil {
		return err
	}
	bar := o.progress("restoring", "kB")
	r, err := transfer.Restore(ctx, transfer.RestoreOptions{Archive: name, Database: path, Force: force, Now: time.Now(), Progress: bar.updateBytes})
	if r != nil {
		for _, kept := range r.Aside {
			fmt.Fprintf(o.streams.Err, "kept aside: %s\n", kept)
		}
	}
	if err != nil {
		return explainInterruption(err, "nothing was written")
	}
	bar.clearAndReportIfLong(int(r.Manifest.Size() >> 10))
	m := r.Manifest
	return o.printf("%s: %s, of %s\n", path, formatContents(m.TotalRows(), len(m.Rows), m.CountRecordFiles()), m.CreatedAt.Format(time.RFC3339))
}

// joinNames joins names as a sentence does.
func joinNames(names []string) string {
	text := ""
	for i, n := range names {
		switch {
		case i == 0:
		case i == len(names)-1:
			text += " and "
		default:
			text += ", "
		}
		text += n
	}
	return text
}
