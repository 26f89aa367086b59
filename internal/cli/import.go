package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/internal/transfer"
	"toolkit/store"
	"toolkit/store/localfile"
)

// errNoRecords says that no line of a file could be read.
var errNoRecords = errors.New("no line could be read as a record, so nothing was imported; import reads the JSON lines that a memory server writes, such as memory.jsonl; conversations with an assistant are taken in by toolkit capture")

// errPartialFile says that a flag belongs to another kind of file.
var errPartialFile = errors.New("--partial is for a file that toolkit export wrote without --format; nothing was imported")

// hopelessProblems bounds what is listed of a file without a single record.
const hopelessProblems = 20

type importFlags struct{ dryRun, asJSON, partial bool }

func newImport(o *settings) *cobra.Command {
	var f importFlags
	cmd := newCommand("import", requireArgumentCount(1, 1, "one FILE or FOLDER, or - for standard input"), func(cmd *cobra.Command, args []string) error {
		if o.isFolderOrDocument(args[0]) {
			if f.partial {
				return errPartialFile
			}
			return o.importFolder(cmd.Context(), args[0], f)
		}
		return o.importFile(cmd.Context(), args[0], f)
	})
	cmd.Flags().BoolVar(&f.dryRun, "dry-run", false, "report what the import would do, and write nothing")
	cmd.Flags().BoolVar(&f.asJSON, "json", false, "print the report as JSON, problems included")
	cmd.Flags().BoolVar(&f.partial, "partial", false, "accept an export of a damaged database that says what it lacks; what refers to lost rows is left out")
	return cmd
}

func (o *settings) importFile(ctx context.Context, name string, f importFlags) error {
	source, label, done, err := o.openImportSource(name, "JSON lines", "memory")
	if err != nil {
		return err
	}
	defer done()
	if start, _ := source.Peek(64); transfer.IsExport(start) {
		return o.importIntoNewDatabase(ctx, source, label, f)
	}
	if f.partial {
		return errPartialFile
	}
	file, err := readMemoryFile(source, label)
	if file != nil && !file.HasKnownRecords() {
		if err := checkIsNoTranscript(name); err != nil {
			return err
		}
	}
	if errors.Is(err, errNoRecords) {
		return o.reportNoRecords(name, file, f)
	}
	if err != nil {
		return err
	}
	if f.dryRun {
		discard, err := o.useTemporaryDatabaseIfNone()
		if err != nil {
			return err
		}
		defer discard()
	}
	return o.withDatabase(ctx, func(a *app.App) error {
		p := o.progress("importing", "lines")
		result, err := transfer.ImportExchange(ctx, a.Store, file, transfer.ExchangeOptions{DryRun: f.dryRun, Progress: p.update})
		if err != nil {
			return explainImportError(err)
		}
		p.clearAndReportIfLong(file.Lines)
		err = o.printImport(&importReport{
			File: name, DryRun: f.dryRun, Lines: file.Lines, ExchangeResult: result, Problems: sortProblems(file.Problems, result.Problems), Secrets: file.CountSecrets(ctx),
		}, f.asJSON)
		if unread := file.SkippedCount; err == nil && unread > 0 {
			err = fmt.Errorf("%s could not be read; correct the lines reported as skipped and import the file again, which adds what is missing", pluralize(unread, "record"))
		}
		return err
	})
}

// checkIsNoTranscript names the command that takes in what an assistant's client wrote of a session:
// import would keep its lines as they are, with what is secret or private in them.
func checkIsNoTranscript(name string) error {
	f, err := transcripts.RecognizeFile(name)
	if err != nil || f.Client == "" {
		return nil //nolint:nilerr // what no client wrote is for import to tell of
	}
	return fmt.Errorf("%s is a session of %s, not the file of a memory server; nothing was imported. Take it in with: toolkit capture %s", name, f.Client, name)
}

// openImportSource opens a file of a kind, or standard input, and says what to call it;
// lines are what a person would type there.
func (o *settings) openImportSource(name, lines, kind string) (source *bufio.Reader, label string, done func(), err error) {
	if name == "-" {
		if isTerminal(o.streams.In) {
			fmt.Fprintf(o.streams.Err, "toolkit is reading %s from this terminal; Ctrl-D ends them.\n", lines)
		}
		return bufio.NewReader(o.streams.In), "standard input", func() {}, nil
	}
	file, err := o.openNonToolkitFile(name)
	if err != nil {
		return nil, "", nil, err
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		file.Close() //nolint:errcheck // it was only looked at
		return nil, "", nil, fmt.Errorf("%s is a folder; give the %s file in it", name, kind)
	}
	return bufio.NewReader(file), name, func() { file.Close() }, nil //nolint:errcheck // it was only read
}

// readMemoryFile reads a file as a whole before the database is touched.
func readMemoryFile(reader *bufio.Reader, label string) (*transfer.ExchangeFile, error) {
	if err := checkIsNotBinary(reader, label); err != nil {
		return nil, err
	}
	file, err := transfer.ReadExchange(reader)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", label, localfile.Cause(err))
	case file.IsEmpty() && len(file.Problems) > 0:
		return file, errNoRecords
	case file.IsEmpty():
		return nil, fmt.Errorf("%s is empty; nothing was imported", label)
	}
	return file, nil
}

// checkIsNotBinary spares the reader a report on every line of a file that is no
// text. JSON has no zero bytes; UTF-16 text has.
func checkIsNotBinary(r *bufio.Reader, label string) error {
	start, _ := r.Peek(2048) // an error shows again when reading
	switch {
	case bytes.HasPrefix(start, store.Magic):
		return fmt.Errorf("%s is a SQLite database, not JSON lines; to use a database of toolkit give it with --db, or export it first: toolkit --db FILE export --format coaia", label)
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return fmt.Errorf("%s is a zip archive; one that toolkit backup wrote is read by toolkit restore, of any other unpack the files and import their folder", label)
	case bytes.IndexByte(start, 0) >= 0:
		return fmt.Errorf("%s is not UTF-8 text; import reads the JSON lines that a memory server writes, such as memory.jsonl", label)
	}
	return nil
}

// useTemporaryDatabaseIfNone lets a dry run on a database that does not exist yet leave none
// behind.
func (o *settings) useTemporaryDatabaseIfNone() (discard func(), err error) {
	path, err := o.databasePath()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) || store.IsPostgres(path) {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "toolkit-dry-run-")
	if err != nil {
		return nil, err
	}
	o.db = filepath.Join(dir, "toolkit.db")
	return func() { os.RemoveAll(dir) }, nil //nolint:errcheck // a leftover temporary folder harms nobody
}

// explainImportError says what to do about an error. Only an import that was interrupted
// goes on when it is run again; a file that was refused is refused again.
func explainImportError(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return errors.New("interrupted; run the import again to bring in the rest")
	case errors.Is(err, store.ErrFull):
		return errors.New("the disk is full; free some space and run the import again to bring in the rest")
	case errors.Is(err, store.ErrBusy):
		return errors.New("another process was writing to the database and did not finish in time; run the import again to bring in the rest")
	case errors.Is(err, store.ErrUnreachable):
		return fmt.Errorf("%w; run the import again to bring in the rest", err)
	}
	return err
}

// importReport is what the command tells of an import, and prints with --json.
type importReport struct {
	File   string `json:"file"`
	DryRun bool   `json:"dryRun"`
	Lines  int    `json:"lines"`
	*transfer.ExchangeResult
	Problems []transfer.ExchangeProblem `json:"problems"`
	Secrets  int                        `json:"secrets"` // observations that look as if they held one
}

func sortProblems(lists ...[]transfer.ExchangeProblem) []transfer.ExchangeProblem {
	all := append([]transfer.ExchangeProblem{}, slices.Concat(lists...)...) // never null
	slices.SortStableFunc(all, func(a, b transfer.ExchangeProblem) int { return a.Line - b.Line })
	return all
}

func (o *settings) printProblems(list []transfer.ExchangeProblem) {
	w := bufio.NewWriter(o.streams.Err)
	for _, p := range list {
		what := "note"
		if p.Skipped {
			what = "skipped"
		}
		fmt.Fprintf(w, "line %d: %s: %s\n", p.Line, what, p.Message)
	}
	w.Flush() //nolint:errcheck // there is nowhere left to report it
}

func (o *settings) reportNoRecords(name string, file *transfer.ExchangeFile, f importFlags) error {
	list := sortProblems(file.Problems)
	if f.asJSON {
		report := &importReport{File: name, DryRun: f.dryRun, Lines: file.Lines, ExchangeResult: &transfer.ExchangeResult{}, Problems: list}
		if err := o.printJSON(report); err != nil {
			return err
		}
	} else if file.IsForeign() {
		return errNoRecords
	} else {
		o.printProblems(list[:min(len(list), hopelessProblems)])
		if more := len(list) - hopelessProblems; more > 0 {
			fmt.Fprintf(o.streams.Err, "and %d more\n", more)
		}
	}
	return errNoRecords
}

func (o *settings) printImport(r *importReport, asJSON bool) error {
	if asJSON {
		return o.printJSON(r)
	}
	o.printProblems(r.Problems)
	if r.Secrets > 0 {
		fmt.Fprintf(o.streams.Err, "warning: %s as if a password or key stood in the clear; the graph stores it so, though recall leaves it out. Remove it with: toolkit forget TEXT\n",
			language.FormatCount(r.Secrets, "observation looks", "observations look"))
	}
	return r.print(o.streams.Out)
}

func (r *importReport) print(out io.Writer) error {
	name := r.File
	if name == "-" {
		name = "standard input"
	}
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "%s: %s\n", name, pluralize(r.Lines, "line"))
	row := func(what string, t transfer.ExchangeTally, more string) {
		if t != (transfer.ExchangeTally{}) || more != "" {
			fmt.Fprintf(w, "  %-12s %s%s\n", what, formatTally(t), more)
		}
	}
	row("entities", r.Entities, formatRemark(r.Observations, "%s in those merged", "new observation"))
	row("relations", r.Relations, formatRemark(r.Dangling.New, "%s more without an entity at an end", "relation"))
	row("charts", r.Charts, "")
	row("steps", r.Steps, "")
	row("beats", r.Beats, "")
	row("other lines", r.Kept, "")
	if r.Joined > 0 {
		fmt.Fprintf(w, "  %-12s %d, with an earlier line of the same entity or relation\n", "joined lines", r.Joined)
	}
	if r.Kept.New > 0 {
		fmt.Fprintln(w, "The other lines mean nothing to toolkit; they are kept and come back with export --format coaia.")
	}
	if r.DryRun {
		fmt.Fprint(w, dryRunNote)
	}
	return w.Flush()
}

func formatTally(t transfer.ExchangeTally) string {
	parts := []string{fmt.Sprintf("%d new", t.New)}
	for _, p := range []struct {
		n    int
		what string
	}{{t.Merged, "merged"}, {t.Unchanged, "there already"}, {t.Skipped, "skipped"}} {
		if p.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", p.n, p.what))
		}
	}
	return strings.Join(parts, ", ")
}

// formatRemark returns a remark in brackets about so many things, if there are any.
func formatRemark(n int, format, thing string) string {
	if n == 0 {
		return ""
	}
	return " (" + fmt.Sprintf(format, pluralize(n, thing)) + ")"
}

// pluralize is plural for things whose plural only takes an s.
func pluralize(n int, thing string) string { return language.FormatCount(n, thing, thing+"s") }
