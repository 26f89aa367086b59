package transfer

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"toolkit/store"
	"toolkit/store/localfile"
)

// suffixes are what the name of an archive ends in; any other name is a folder's,
// so that a folder that is not there yet is never taken for an archive.
var suffixes = []string{".zip", ".toolkit"}

// archivePlace is where an archive is to lie: in a file, or under a dated name in a
// folder.
type archivePlace struct {
	folder string
	file   string // path of the archive; empty: a dated one
	dated  string // path of the archive without suffix
	force  bool   // replace the file
}

// findArchivePlace finds the place and refuses a target where nothing may be written. It
// makes nothing.
func findArchivePlace(o BackupOptions) (*archivePlace, error) {
	if o.Target == "" {
		return nil, errors.New("the name of the archive is empty; give a file or a folder")
	}
	info, err := os.Stat(o.Target)
	is := func(kind fs.FileMode) bool { return err == nil && info.Mode().Type() == kind }
	named := slices.Contains(suffixes, strings.ToLower(filepath.Ext(o.Target)))
	switch {
	case errors.Is(err, fs.ErrNotExist) && !named && !os.IsPathSeparator(o.Target[len(o.Target)-1]):
		return nil, fmt.Errorf("there is no folder %s; end the name with %c to have it made, or with %s for one archive", o.Target, os.PathSeparator, suffixes[0])
	case is(fs.ModeDir), os.IsPathSeparator(o.Target[len(o.Target)-1]), err != nil && !named:
		folder := filepath.Clean(o.Target)
		return &archivePlace{folder: folder, dated: filepath.Join(folder, "toolkit-"+o.Now.UTC().Format("20060102-150405"))}, nil
	case is(0) && !named && !store.IsDatabase(o.Target):
		return nil, fmt.Errorf("%s is a file, but the name of an archive ends in %s, and any other is a folder's; rename it, or choose another name", o.Target, strings.Join(suffixes, " or "))
	}
	if _, missing := os.Stat(filepath.Dir(o.Target)); errors.Is(missing, fs.ErrNotExist) {
		return nil, fmt.Errorf("there is no folder %s; make it first, or choose another place", filepath.Dir(o.Target))
	}
	return &archivePlace{folder: filepath.Dir(o.Target), file: o.Target, force: o.Force}, checkTargetIsWritable(o.Target, o.Force)
}

// makeFolder makes a folder that is missing, for this user alone. One in which a
// file is to lie has to be there.
func (p *archivePlace) makeFolder() error {
	if p.file != "" {
		return nil
	}
	if err := os.MkdirAll(p.folder, 0o700); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w", p.folder, localfile.Cause(err))
	}
	return nil
}

// renameToFinalName gives a finished archive its name, and returns the path.
func (p *archivePlace) renameToFinalName(part string) (string, error) {
	target, err := p.reserveFreeName()
	if err != nil {
		return "", err
	}
	if err := os.Rename(part, target); err != nil {
		if !p.force {
			os.Remove(target) //nolint:errcheck // it is empty, and the rename says what is wrong
		}
		return "", fmt.Errorf("%s was not written: %w", target, localfile.Cause(err))
	}
	return target, nil
}

// reserveFreeName takes a free name by an empty file, so that of two backups at once none
// replaces the other.
func (p *archivePlace) reserveFreeName() (string, error) {
	if p.force {
		return p.file, checkTargetIsWritable(p.file, true) // it may have become another thing meanwhile
	}
	var file *os.File
	var err error
	if p.file == "" {
		file, err = localfile.CreateNumberedFile(p.dated, suffixes[0], 0o600)
	} else {
		file, err = os.OpenFile(p.file, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	}
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", existsError(p.file)
	case err != nil:
		return "", fmt.Errorf("%s was not written: %w", cmp.Or(p.file, p.dated+suffixes[0]), localfile.Cause(err))
	}
	return file.Name(), file.Close()
}

func existsError(name string) error {
	return fmt.Errorf("%s exists; choose another name, or replace it with --force", name)
}

// checkTargetIsWritable refuses to write where something is that must stay.
func checkTargetIsWritable(name string, force bool) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be written: %w", name, localfile.Cause(err))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", name)
	case !force:
		return existsError(name)
	case store.IsDatabase(name):
		return fmt.Errorf("%s is a database, which no archive replaces, not even with --force; choose another name", name)
	}
	return nil
}
