package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/language"
	"toolkit/internal/transfer"
	"toolkit/store"
	"toolkit/store/localfile"
)

type exportFlags struct {
	format string
	force  bool
	embed  bool
}

func newExport(o *settings) *cobra.Command {
	var f exportFlags
	cmd := newCommand("export", requireArgumentCount(0, 1, "at most one FILE, or - for standard output"), func(cmd *cobra.Command, args []string) error {
		name := "-"
		if len(args) == 1 {
			name = args[0]
		}
		switch chosen := cmd.Flags().Changed; {
		case !chosen("format"):
			return o.exportAll(cmd.Context(), name, f)
		case chosen("all"), chosen("embed-files"):
			return usagef("--format leaves out what --all and --embed-files are about; choose one")
		}
		format, err := transfer.ParseExchangeFormat(f.format)
		if err != nil {
			return &usageError{err}
		}
		return o.exportGraph(cmd.Context(), name, format, f.force)
	})
	cmd.Flags().StringVar(&f.format, "format", "", "the graph only, as coaia (coaia-narrative) or memory (the official memory server)")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace FILE if it exists")
	cmd.Flags().Bool("all", true, "everything, as without --format")
	cmd.Flags().BoolVar(&f.embed, "embed-files", true, "the bytes of the documents that records hold, too")
	return cmd
}

func (o *settings) exportGraph(ctx context.Context, name string, format transfer.ExchangeFormat, force bool) error {
	return o.withExistingDatabase(ctx, func(a *app.App) error {
		var result transfer.ExchangeCounts
		err := o.writeOutput(name, force, func(out io.Writer) (err error) {
			result, err = transfer.ExportExchange(ctx, a.Store, out, format)
			return err
		})
		if err != nil {
			return err
		}
		o.warnOfFormatLoss(format, result)
		if name == "-" {
			return nil
		}
		return o.printf("%s: %s, %s, %s, %s, %s, %s\n", name, language.FormatCount(result.Entities, "entity", "entities"),
			pluralize(result.Relations, "relation"), pluralize(result.Charts, "chart"), pluralize(result.Steps, "step"), pluralize(result.Beats, "beat"), pluralize(result.Foreign, "other line"))
	})
}

// writeOutput writes to a file where nothing is that has to stay, or to standard output.
func (o *settings) writeOutput(name string, force bool, write func(io.Writer) error) error {
	if name == "-" {
		return explainOutputError(write(o.streams.Out))
	}
	if err := o.checkExportTarget(name, force); err != nil {
		return err
	}
	return o.writeExportFile(name, force, write)
}

// explainOutputError leaves it at the exit code when the reader of a pipe went away.
func explainOutputError(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return &silentError{err}
	}
	return explainInterruption(err, "the export is not complete")
}

// warnOfFormatLoss tells what the chosen format could not hold.
func (o *settings) warnOfFormatLoss(format transfer.ExchangeFormat, r transfer.ExchangeCounts) {
	if format != transfer.ExchangeMemory {
		return
	}
	var parts []string
	if r.Charts+r.Beats+r.Converted > 0 {
		parts = append(parts, "has no charts, beats and metadata; they were written as entities and observations")
	}
	if r.Shortened > 0 {
		parts = append(parts, "has no unknown members, nor metadata of relations; "+language.FormatCount(r.Shortened, "line was", "lines were")+" written without them")
	}
	if r.Dropped > 0 {
		parts = append(parts, "has no other lines; "+language.FormatCount(r.Dropped, "line was", "lines were")+" left out")
	}
	for _, part := range parts {
		fmt.Fprintf(o.streams.Err, "note: the format memory %s. --format coaia keeps everything.\n", part)
	}
}

// checkExportTarget protects what exists. Something that is no file, such as
// /dev/stdout, would be replaced by one.
func (o *settings) checkExportTarget(name string, force bool) error {
	if err := o.checkIsNoToolkitFile(name); err != nil {
		return err
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be written: %w", name, localfile.Cause(err))
	case info.IsDir():
		return fmt.Errorf("%s is a folder; give the path of a file", name)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file; use - and let the shell direct standard output there", name)
	case !force && o.flags != nil && o.flags.Lookup("force") != nil:
		return fmt.Errorf("%s exists; choose another name, or replace it with --force", name)
	case !force:
		return fmt.Errorf("%s exists; choose another name", name)
	case store.IsDatabase(name):
		return fmt.Errorf("%s is a database, which no export replaces, not even with --force; choose another name", name)
	}
	return nil
}

// writeExportFile writes beside the file and renames, so that the file is whole
// whatever happens. Only its owner can read it.
func (o *settings) writeExportFile(name string, force bool, write func(io.Writer) error) (err error) {
	name = localfile.ResolveLinks(name)                                               // replace the file, not the link to it
	file, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*.part") // mode 0600
	if err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, localfile.Cause(err))
	}
	defer func() {
		if err != nil {
			file.Close()           //nolint:errcheck // it is given up
			os.Remove(file.Name()) //nolint:errcheck // at worst a .part file stays
		}
	}()
	if err = write(file); err != nil {
		return explainExportError(name, err)
	}
	for _, finish := range []func() error{
		file.Sync,
		file.Close,
		func() error { return o.checkExportTarget(name, force) }, // it may have appeared meanwhile
		func() error { return os.Rename(file.Name(), name) },
	} {
		if err = finish(); err != nil {
			return explainExportError(name, err)
		}
	}
	return nil
}

func explainExportError(name string, err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk is full; %s was not written: free some space or choose another place", name)
	}
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; %s was not written", name)
	}
	return fmt.Errorf("%s was not written: %w", name, err)
}
