package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"

	"toolkit/store/localfile"
)

// maxClientFile is the largest configuration that is read: 8 MiB. Claude Code's grows
// with its use, but no file of a person's making gets there.
const maxClientFile = 8 << 20

// ClientEdit is a planned change of a configuration file.
type ClientEdit struct {
	Client  Client
	File    string // as the client knows it
	Exists  bool
	Changes bool     // false: the file says it already
	Found   bool     // an entry of the name was there
	Args    []string // of the entry that was there
	Removes bool     // the file goes: install made it, and nothing else is in it

	isOurFile bool   // the whole file is ours: no copy is kept of it, unless it is changed when it goes
	same      bool   // it is as install writes it
	root      string // the folder of ours that the file is in

	target        string // File with symbolic links followed
	mode          fs.FileMode
	before, after []byte
}

// PlanInstall works out the change that puts the entry into the file.
func PlanInstall(c Client, file string, e ClientEntry) (*ClientEdit, error) {
	if e.Name == "" || e.Command == "" {
		return nil, errors.New("an entry needs a name and a command")
	}
	edit, err := readClientFile(c, file)
	if err != nil {
		return nil, err
	}
	old, err := c.findEntry(edit.before, e.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	edit.Found, edit.Args = old != nil, c.readEntryArgs(edit.before, e.Name)
	if edit.after, err = c.addOrUpdateEntry(edit.before, e); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	now, err := c.findEntry(edit.after, e.Name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if edit.Changes = !equalJSON(old, now); !edit.Changes {
		edit.after = edit.before
	}
	return edit, nil
}

// PlanRemoval works out the change that takes the entry of a name out of the
// file.
func PlanRemoval(c Client, file, name string) (*ClientEdit, error) {
	edit, err := readClientFile(c, file)
	if err != nil {
		return nil, err
	}
	if edit.after, edit.Found, err = c.removeEntry(edit.before, name); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	edit.Changes = edit.Found
	edit.Args = c.readEntryArgs(edit.before, name)
	if edit.Found && edit.isFileMadeByInstall(name) {
		edit.Removes, edit.after = true, nil
		return edit, nil
	}
	if edit.Found {
		err = edit.useBackupIfEquivalent(func(text []byte) ([]byte, bool) { return c.addAndRemoveEntry(text, name) })
	}
	return edit, err
}

// addAndRemoveEntry returns what is left of a text to which an entry of a name was added and taken out
// again; not ok where it has one already.
func (c Client) addAndRemoveEntry(text []byte, name string) (left []byte, ok bool) {
	if entry, err := c.findEntry(text, name); err != nil || entry != nil {
		return nil, false
	}
	with, err := c.addOrUpdateEntry(text, ClientEntry{Name: name, Command: "toolkit"})
	if err != nil {
		return nil, false
	}
	left, ok, err = c.removeEntry(with, name)
	return left, ok && err == nil
}

// useBackupIfEquivalent plans to put back the newest copy of which coming and going makes what the
// removal leaves: an object that was empty, or a file, may have been written in more ways than
// can be told from that.
func (e *ClientEdit) useBackupIfEquivalent(cycle func(text []byte) (left []byte, ok bool)) error {
	copies, err := e.listBackups()
	if err != nil {
		return err
	}
	for _, file := range slices.Backward(copies) {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if left, ok := cycle(text); ok && bytes.Equal(left, e.after) {
			e.after, e.Removes = text, false
			return nil
		}
	}
	return nil
}

// readEntryArgs returns the arguments that an entry starts the server with; nil where they cannot be read.
func (c Client) readEntryArgs(text []byte, name string) []string {
	var e ClientEntry
	raw, err := c.findEntry(text, name)
	if err != nil || json.Unmarshal(raw, &e) != nil {
		return nil
	}
	return e.Args
}

// isFileMadeByInstall reports whether install made the file: it holds the entry alone, to the
// letter as install writes it, and so does every copy kept beside it. A link is a
// person's.
func (e *ClientEdit) isFileMadeByInstall(name string) bool {
	if info, err := os.Lstat(e.File); err != nil || !info.Mode().IsRegular() || !e.Client.isOnlyEntry(e.before, name) {
		return false
	}
	siblings, err := os.ReadDir(filepath.Dir(e.target))
	return err == nil && !slices.ContainsFunc(siblings, func(f fs.DirEntry) bool {
		if !strings.HasPrefix(f.Name(), filepath.Base(e.target)+backupMark) {
			return false
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(e.target), f.Name()))
		return err != nil || !e.Client.isOnlyEntry(text, name)
	})
}

func equalJSON(a, b json.RawMessage) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}

func readClientFile(c Client, file string) (*ClientEdit, error) {
	edit := &ClientEdit{Client: c, File: file, target: file, mode: 0o600}
	if resolved, err := filepath.EvalSymlinks(file); err == nil {
		edit.target = resolved
	} else if link, err := os.Lstat(file); err == nil && link.Mode()&fs.ModeSymlink != 0 {
		return nil, fmt.Errorf("%s is a link that leads nowhere; mend it first", file)
	}
	info, err := os.Stat(edit.target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return edit, nil
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", file)
	case info.Size() > maxClientFile:
		return nil, fmt.Errorf("%s is larger than %d MiB; that is no configuration", file, maxClientFile>>20)
	}
	edit.Exists, edit.mode = true, info.Mode().Perm()
	edit.before, err = os.ReadFile(edit.target)
	return edit, err
}

// Diff lists the lines that go, with "-", and the lines that come, with "+". The
// lines around them are left out: they belong to other servers, and may hold
// their keys.
func (e *ClientEdit) Diff() []string {
	if !e.Changes {
		return nil
	}
	var lines []string
	for _, line := range strings.Split(string(diff.Diff("before", e.before, "after", e.after)), "\n") {
		header := strings.HasPrefix(line, "---") || strings.HasPrefix(line, "+++")
		if line = strings.TrimSuffix(line, "\r"); !header && (strings.HasPrefix(line, "+") || strings.HasPrefix(line, "-")) {
			lines = append(lines, line)
		}
	}
	return lines
}

// ChangeSign returns what happens to a file of ours: + it comes, - it goes, ~ it changes.
func (e *ClientEdit) ChangeSign() string {
	switch {
	case e.Removes:
		return "-"
	case e.Exists:
		return "~"
	}
	return "+"
}

// IsOurs reports whether the whole file is ours, so that a copy of it holds what the person changed.
func (e *ClientEdit) IsOurs() bool { return e.isOurFile }

// IsText reports whether the file is a text for a model that is ours alone.
func (e *ClientEdit) IsText() bool { return e.isOurFile && filepath.Ext(e.File) == ".md" }

// Apply makes the change. The file as it was is kept beside it; backup is its
// path, empty where there was no file, or one goes that is as install made it.
func (e *ClientEdit) Apply(now time.Time) (backup string, err error) {
	if !e.Changes {
		return "", nil
	}
	if e.Exists && e.mode&0o200 == 0 {
		return "", fmt.Errorf("%s is read-only, and somebody may have made it so on purpose; nothing was written: allow writing to it first", e.File)
	}
	if err := os.MkdirAll(filepath.Dir(e.target), 0o700); err != nil {
		return "", err
	}
	if e.Exists {
		current, err := os.ReadFile(e.target)
		if err != nil {
			return "", err
		}
		if !bytes.Equal(current, e.before) {
			return "", fmt.Errorf("%s was changed meanwhile, perhaps by the client itself; nothing was written: run the command again", e.File)
		}
		if e.Removes {
			if e.isOurFile && !e.same {
				if backup, err = writeBackup(e.target, e.before, e.mode, now); err != nil {
					return "", err
				}
			}
			return backup, e.removeFileAndEmptyFolders()
		}
		if e.isOurFile && e.same { // only the program's place changes in it
			return "", localfile.Replace(e.target, e.after, e.mode)
		}
		if backup, err = writeBackup(e.target, e.before, e.mode, now); err != nil {
			return "", err
		}
	}
	return backup, localfile.Replace(e.target, e.after, e.mode)
}

// removeFileAndEmptyFolders deletes the file, and the folders of ours that are empty then, with the one
// they are in.
func (e *ClientEdit) removeFileAndEmptyFolders() error {
	if err := os.Remove(e.target); err != nil || e.root == "" {
		return err
	}
	for dir := filepath.Dir(e.File); len(dir) >= len(filepath.Dir(e.root)) && os.Remove(dir) == nil; {
		dir = filepath.Dir(dir)
	}
	return nil
}

// backupMark stands in the names of copies, behind that of the file.
const backupMark = ".backup-"

// RemoveBackups deletes the copies of a client's settings that were kept beside them, once all of the toolkit is taken
// out again. A text of ours that the person changed stays in its copy.
func (e *ClientEdit) RemoveBackups() error {
	if e.isOurFile {
		return nil
	}
	copies, err := e.listBackups()
	for _, file := range copies {
		err = errors.Join(err, os.Remove(file))
	}
	return err
}

// listBackups returns the copies that are kept beside the file, the oldest first.
func (e *ClientEdit) listBackups() (files []string, err error) {
	folder, stem := filepath.Dir(e.target), filepath.Base(e.target)
	siblings, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, f := range siblings {
		if suffix, ok := strings.CutPrefix(f.Name(), stem+backupMark); ok && backupName.MatchString(suffix) {
			files = append(files, filepath.Join(folder, f.Name()))
		}
	}
	return files, err
}

// backupName is the end of the name of a copy: when it was made, and which of that second.
var backupName = regexp.MustCompile(`^\d{8}-\d{6}(-\d+)?$`)

// writeBackup writes a copy under a name that is not taken.
func writeBackup(target string, text []byte, mode fs.FileMode, now time.Time) (string, error) {
	f, err := localfile.CreateNumberedFile(target+backupMark+now.UTC().Format("20060102-150405"), "", mode)
	if err != nil {
		return "", err
	}
	_, err = f.Write(text)
	return f.Name(), errors.Join(err, f.Sync(), f.Close())
}
