package store

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// spacesFolder holds the files of spaces, beside the database.
const spacesFolder = "spaces"

var spaceNames = regexp.MustCompile(`^[a-z][a-z0-9_]{0,39}$`)

// checkSpace refuses names that are no names of spaces, which end up in paths and in
// names of schemas. Empty is the database itself.
func checkSpace(name string) error {
	if name == "" || spaceNames.MatchString(name) {
		return nil
	}
	return &OpenError{Message: fmt.Sprintf("%q is no name of a space: it begins with a letter from a to z and goes on with such letters, digits and _, 40 at most", name)}
}

// SpacePath is the path of a space of the database at a path: a file, or the address of
// the database with the space behind a #.
func SpacePath(path, space string) string {
	if space == "" {
		return path
	}
	if IsPostgres(path) {
		plain, _ := cutSpace(path, "")
		return plain + "#" + space
	}
	return filepath.Join(filepath.Dir(path), spacesFolder, space, filepath.Base(path))
}

// cutSpace takes an address of PostgreSQL apart, see SpacePath; a space that is given
// beside it counts more.
func cutSpace(address, space string) (plain, of string) {
	plain, of, _ = strings.Cut(address, "#")
	return plain, cmp.Or(space, of)
}
