package cli

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"toolkit/internal/app"
	"toolkit/internal/reader"
	"toolkit/store"
	"toolkit/store/localfile"
	"toolkit/tools/entities"
)

// folderReport is what the import of a folder tells, and prints with --json.
type folderReport struct {
	Folder  string       `json:"folder"`
	DryRun  bool         `json:"dryRun"`
	Files   int          `json:"files"`
	New     int          `json:"new"`
	Known   int          `json:"known"`
	Items   int          `json:"items"` // records made of rows and movements
	Skipped []folderFile `json:"skipped"`
	Failed  []folderFile `json:"failed"`
	Told    []folderFile `json:"told"` // of files that were taken in
	one     bool         // Folder is a file
	memory  string       // what is said of the graph of a memory server, if one is there
}

// folderFile is a file of the folder with what is to be said of it.
type folderFile struct {
	File string   `json:"file"`
	Says []string `json:"says"`

	creditNotes []string // ids of those that it holds
}

// isFolderOrDocument tells a folder, and a file that is a document, from the memory of a server, which
// is lines of JSON and maybe others.
func (o *settings) isFolderOrDocument(name string) bool {
	if info, err := os.Stat(name); err != nil || info.IsDir() {
		return err == nil
	}
	file, err := o.privateFiles().Open(name)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // it was only read
	head := make([]byte, reader.SniffLength)
	n, _ := io.ReadFull(file, head) //nolint:errcheck // what was read is looked at
	kind, err := reader.Sniff(head[:n], name)
	switch {
	case err != nil, kind == reader.JSON, kind == reader.NDJSON:
		return false
	case kind == reader.Text:
		return !slices.ContainsFunc(bytes.Split(head[:n], []byte("\n")), func(line []byte) bool { return bytes.HasPrefix(line, []byte("{")) })
	}
	return true
}

// importFolder takes the documents of a folder, or the one that is named, in, each by the road of upload_file. The same
// bytes are the same record, so an import that was interrupted is simply run again.
func (o *settings) importFolder(ctx context.Context, folder string, f importFlags) error {
	whole, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if whole, err = filepath.EvalSymlinks(whole); err != nil { // a link to a folder was named on purpose
		return fmt.Errorf("%s cannot be opened: %w", folder, localfile.Cause(err))
	}
	report := &folderReport{Folder: folder, DryRun: f.dryRun, Skipped: []folderFile{}, Failed: []folderFile{}, Told: []folderFile{}}
	look := o.privateFiles().Snapshot()
	files, err := report.listDocuments(whole, func(entry fs.DirEntry) bool {
		info, err := entry.Info()
		return err == nil && look.IsPrivate(info)
	})
	if err != nil {
		return err
	}
	if len(files) == 0 && report.memory != "" {
		return fmt.Errorf("%s holds no document; of a file in it: %s", folder, report.memory)
	}
	if len(files) == 0 {
		return fmt.Errorf("%s is a folder in which there is no file to read", folder)
	}
	if len(files) == 1 && files[0] == "." { // the file itself was named
		whole, files, report.one = filepath.Dir(whole), []string{filepath.Base(whole)}, true
	}
	if !f.dryRun {
		err = o.uploadFolder(ctx, whole, files, report)
	} else {
		err = o.previewFolder(ctx, whole, files, report)
	}
	if err != nil {
		return err
	}
	return o.printFolderReport(report, f.asJSON)
}

// listDocuments lists the files of a folder, and says which it passes over: hidden ones, links, what is no
// file and what toolkit keeps for itself.
func (r *folderReport) listDocuments(folder string, isToolkitFile func(fs.DirEntry) bool) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(folder, path) //nolint:errcheck // the path begins with the folder
		switch {
		case err != nil:
			r.Failed = append(r.Failed, folderFile{File: name, Says: []string{"it cannot be read"}})
			return nil
		case path != folder && strings.HasPrefix(entry.Name(), "."):
			r.Skipped = append(r.Skipped, folderFile{File: name, Says: []string{"it is hidden"}})
			if entry.IsDir() {
				return fs.SkipDir
			}
		case isToolkitFile(entry):
			r.Skipped = append(r.Skipped, folderFile{File: name, Says: []string{"toolkit keeps it for itself: it is the database, or lies beside it"}})
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.IsDir():
		case entry.Type().IsRegular() && isMemoryFile(path):
			r.memory = "it is the graph of a memory server: 'toolkit import " + path + "' brings it in"
			r.Skipped = append(r.Skipped, folderFile{File: name, Says: []string{r.memory}})
		case entry.Type().IsRegular():
			files = append(files, name)
		default:
			r.Skipped = append(r.Skipped, folderFile{File: name, Says: []string{"it is a link, or no file"}})
		}
		return nil
	})
	r.Files = len(files)
	return files, err
}

// memoryStart is how a file of the official memory server begins, and an answer of read_graph.
var memoryStart = regexp.MustCompile(`^(\x{FEFF})?\s*\{\s*"(type"\s*:\s*"(entity|relation)"|entities"\s*:\s*\[)`)

// isMemoryFile tells the graph of a memory server from a document, by its beginning.
func isMemoryFile(path string) bool {
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".jsonl" && ext != ".json" {
		return false
	}
	file, err := os.Open(path)
	if err != nil {
		return false // whoever reads it says why
	}
	defer file.Close() //nolint:errcheck // it was only read
	start := make([]byte, 256)
	n, _ := io.ReadFull(file, start) //nolint:errcheck // what was read is looked at
	return memoryStart.Match(start[:n])
}

// previewFolder says which files would be read, and which are known. Where there is no database, none is.
func (o *settings) previewFolder(ctx context.Context, folder string, files []string, r *folderReport) error {
	discard, err := o.useTemporaryDatabaseIfNone()
	if err != nil {
		return err
	}
	defer discard()
	return o.withDatabase(ctx, func(a *app.App) error {
		for _, name := range files {
			hash, err := hashFile(filepath.Join(folder, name))
			if err == errFileType {
				r.Skipped = append(r.Skipped, folderFile{File: name, Says: []string{err.Error()}})
				continue
			}
			if err != nil {
				r.Failed = append(r.Failed, folderFile{File: name, Says: []string{err.Error()}})
				continue
			}
			known, err := store.ReadValue(ctx, a.Store, func(tx *store.Tx) (bool, error) { return entities.IsFileKnown(tx, hash) })
			switch {
			case err != nil:
				return err
			case known:
				r.Known++
			default:
				r.New++
			}
		}
		return nil
	})
}

// errFileType is that of files that are left alone.
var errFileType = errors.New("files of its kind are not read")

// hashFile returns by what a file's bytes are known; one that is too large, or of no kind that is read, is not read.
func hashFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", errors.New("it cannot be read")
	}
	defer file.Close() //nolint:errcheck // it was only read
	source := bufio.NewReaderSize(file, reader.SniffLength)
	head, _ := source.Peek(reader.SniffLength) //nolint:errcheck // what was read is looked at
	if _, err := reader.Sniff(head, path); err != nil {
		return "", errFileType
	}
	hash := sha256.New()
	switch n, err := io.Copy(hash, io.LimitReader(source, entities.MaxFileSize+1)); {
	case err != nil:
		return "", errors.New("it cannot be read")
	case n > entities.MaxFileSize:
		return "", fmt.Errorf("it exceeds the limit of %d bytes", int64(entities.MaxFileSize))
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// silent is above every level of the log: the report says what failed.
const silent = slog.LevelError + 1

func (o *settings) uploadFolder(ctx context.Context, folder string, files []string, report *folderReport) error {
	o.fileRoots, o.lifted = []string{folder}, entities.UploadTool // the person named the folder, and waits
	a, err := o.openApp(ctx, silent)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // what was taken in is on disk
	p := o.progress("reading", "files")
	for done, name := range files {
		p.update(done, len(files))
		if err := report.uploadFile(ctx, a, folder, name); err != nil {
			return err
		}
	}
	p.clearAndReportIfLong(len(files))
	return report.dropSettledWarnings(ctx, a)
}

// dropSettledWarnings takes out what a later file of the same import settled.
func (r *folderReport) dropSettledWarnings(ctx context.Context, a *app.App) error {
	return a.Store.Read(ctx, func(tx *store.Tx) error {
		for i, file := range r.Told {
			if !slices.Contains(file.Says, entities.UnlinkedCreditNote) {
				continue
			}
			linked := len(file.creditNotes) > 0
			for _, id := range file.creditNotes {
				settled, err := entities.IsCreditNoteLinked(tx, id)
				if err != nil {
					return err
				}
				linked = linked && settled
			}
			if linked {
				r.Told[i].Says = slices.DeleteFunc(file.Says, func(text string) bool { return text == entities.UnlinkedCreditNote })
			}
		}
		r.Told = slices.DeleteFunc(r.Told, func(file folderFile) bool { return len(file.Says) == 0 })
		return nil
	})
}

// uploadFile takes one file in. Only the end of the command is an error.
func (r *folderReport) uploadFile(ctx context.Context, a *app.App, folder, name string) error {
	raw, err := json.Marshal(map[string]string{"file_path": filepath.Join(folder, name)})
	if err != nil {
		return err
	}
	response, err := callTool(ctx, a, entities.UploadTool, raw)
	switch {
	case err != nil:
		return err
	case response.IsError && strings.Contains(response.Text, "UNSUPPORTED_FILE_TYPE"):
		r.Skipped = append(r.Skipped, folderFile{File: name, Says: []string{"files of its kind are not read"}})
		return nil
	case response.IsError:
		r.Failed = append(r.Failed, folderFile{File: name, Says: []string{response.Err.Message}})
		return nil
	}
	var out struct {
		Created   bool     `json:"created"`
		ItemCount int      `json:"item_count"`
		Warnings  []string `json:"warnings"`
		Entities  []struct {
			ID   string `json:"entity_id"`
			Type string `json:"entity_type"`
		} `json:"entities"`
	}
	if err := json.Unmarshal([]byte(response.Text), &out); err != nil {
		return err
	}
	if out.Created {
		r.New++
	} else {
		r.Known++
	}
	r.Items += out.ItemCount
	if len(out.Warnings) > 0 && out.Created {
		told := folderFile{File: name, Says: out.Warnings}
		for _, e := range out.Entities {
			if e.Type == reader.KindCreditNote {
				told.creditNotes = append(told.creditNotes, e.ID)
			}
		}
		r.Told = append(r.Told, told)
	}
	return nil
}

func (o *settings) printFolderReport(r *folderReport, asJSON bool) error {
	var err error
	if asJSON {
		err = o.printJSON(r)
	} else {
		err = o.printf("%s", r.formatText(o.colourTitle))
	}
	if err == nil && len(r.Failed) > 0 {
		return &silentError{errors.New("some files could not be read")}
	}
	return err
}

func (r *folderReport) formatText(titled func(string) string) string {
	what, where := "new", pluralize(r.Files, "file")+" in "+r.Folder
	if r.DryRun {
		what = "would be read"
	}
	if r.one {
		where = r.Folder
	}
	text := fmt.Sprintf("%s: %d %s, %d known, %d skipped, %d could not be read\n", where, r.New, what, r.Known, len(r.Skipped), len(r.Failed))
	for _, list := range []struct {
		title string
		files []folderFile
	}{{"could not be read", r.Failed}, {"skipped", r.Skipped}, {"read, and worth a look", r.Told}} {
		for i, file := range list.files {
			if i == 0 {
				text += "\n" + titled(list.title) + "\n"
			}
			text += fmt.Sprintf("  %s: %s\n", file.File, replaceToolsByCommands(strings.Join(file.Says, "; ")))
		}
	}
	return text
}
