package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"toolkit/internal/app"
	"toolkit/internal/care/disk"
	"toolkit/tools/engines/document"
	"toolkit/tools/payloads"
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
}

// folderFile is a file of the folder with what is to be said of it.
type folderFile struct {
	File string   `json:"file"`
	Says []string `json:"says"`
}

// importFolder takes the documents of a folder in, each by the road of upload_file. The same
// bytes are the same record, so an import that was interrupted is simply run again.
func (o *settings) importFolder(ctx context.Context, folder string, f importFlags) error {
	whole, err := filepath.Abs(folder)
	if err != nil {
		return err
	}
	if whole, err = filepath.EvalSymlinks(whole); err != nil { // a link to a folder was named on purpose
		return fmt.Errorf("%s cannot be opened: %w", folder, disk.Cause(err))
	}
	report := &folderReport{Folder: folder, DryRun: f.dryRun, Skipped: []folderFile{}, Failed: []folderFile{}, Told: []folderFile{}}
	files, err := report.find(whole)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("%s is a folder in which there is no file to read", folder)
	}
	if !f.dryRun {
		err = o.takeIn(ctx, whole, files, report)
	} else {
		report.sniff(whole, files)
	}
	if err != nil {
		return err
	}
	return o.printFolder(report, f.asJSON)
}

// find lists the files of a folder, and says which it passes over: hidden ones, links and what
// is no file.
func (r *folderReport) find(folder string) (files []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name, _ := filepath.Rel(folder, path) //nolint:errcheck // the path begins with the folder
		switch {
		case err != nil:
			r.Failed = append(r.Failed, folderFile{name, []string{"it cannot be read"}})
			return nil
		case path != folder && strings.HasPrefix(entry.Name(), "."):
			r.Skipped = append(r.Skipped, folderFile{name, []string{"it is hidden"}})
			if entry.IsDir() {
				return fs.SkipDir
			}
		case entry.IsDir():
		case entry.Type().IsRegular():
			files = append(files, name)
		default:
			r.Skipped = append(r.Skipped, folderFile{name, []string{"it is a link, or no file"}})
		}
		return nil
	})
	r.Files = len(files)
	return files, err
}

// sniff says which files would be read.
func (r *folderReport) sniff(folder string, files []string) {
	for _, name := range files {
		if err := recognised(filepath.Join(folder, name)); err != nil {
			r.Skipped = append(r.Skipped, folderFile{name, []string{err.Error()}})
			continue
		}
		r.New++
	}
}

func recognised(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return errors.New("it cannot be read")
	}
	defer file.Close() //nolint:errcheck // it was only read
	head := make([]byte, document.SniffLength)
	n, _ := file.Read(head) //nolint:errcheck // what was read is looked at
	if _, err = document.Sniff(head[:n], path); err != nil {
		return errors.New("files of its kind are not read")
	}
	return nil
}

func (o *settings) takeIn(ctx context.Context, folder string, files []string, report *folderReport) error {
	o.fileRoots, o.lifted = []string{folder}, payloads.UploadTool // the person named the folder, and waits
	a, _, err := o.open(ctx, slog.LevelError, nil)
	if err != nil {
		return err
	}
	defer a.Close() //nolint:errcheck // what was taken in is on disk
	p := o.progress("reading", "files")
	for done, name := range files {
		p.update(done, len(files))
		if err := report.upload(ctx, a, folder, name); err != nil {
			return err
		}
	}
	p.end(len(files))
	return nil
}

// upload takes one file in. Only the end of the command is an error.
func (r *folderReport) upload(ctx context.Context, a *app.App, folder, name string) error {
	raw, err := json.Marshal(map[string]string{"file_path": filepath.Join(folder, name)})
	if err != nil {
		return err
	}
	response, err := callTool(ctx, a, payloads.UploadTool, raw)
	switch {
	case err != nil:
		return err
	case response.IsError && strings.Contains(response.Text, "UNSUPPORTED_FILE_TYPE"):
		r.Skipped = append(r.Skipped, folderFile{name, []string{"files of its kind are not read"}})
		return nil
	case response.IsError:
		r.Failed = append(r.Failed, folderFile{name, []string{response.Err.Message}})
		return nil
	}
	var out struct {
		Created   bool     `json:"created"`
		ItemCount int      `json:"item_count"`
		Warnings  []string `json:"warnings"`
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
		r.Told = append(r.Told, folderFile{name, out.Warnings})
	}
	return nil
}

func (o *settings) printFolder(r *folderReport, asJSON bool) error {
	var err error
	if asJSON {
		err = o.printJSON(r)
	} else {
		err = o.say("%s", r.text(o.titled))
	}
	if err == nil && len(r.Failed) > 0 {
		return &silentError{errors.New("some files could not be read")}
	}
	return err
}

func (r *folderReport) text(titled func(string) string) string {
	text := fmt.Sprintf("%s in %s: %d new, %d known, %d skipped, %d could not be read\n", counted(r.Files, "file"), r.Folder, r.New, r.Known, len(r.Skipped), len(r.Failed))
	if r.DryRun {
		text = fmt.Sprintf("%s in %s: %d would be read, %d skipped\n", counted(r.Files, "file"), r.Folder, r.New, len(r.Skipped))
	}
	for _, list := range []struct {
		title string
		files []folderFile
	}{{"could not be read", r.Failed}, {"skipped", r.Skipped}, {"read, and worth a look", r.Told}} {
		for i, file := range list.files {
			if i == 0 {
				text += "\n" + titled(list.title) + "\n"
			}
			text += fmt.Sprintf("  %s: %s\n", file.File, strings.Join(file.Says, "; "))
		}
	}
	return text
}
