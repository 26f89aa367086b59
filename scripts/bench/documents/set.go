// Package documents measures what is read from files whose contents are known: it reads each
// as an upload is read, and compares the fields with what a careful reader wrote down beside it.
package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// expectedSuffix ends the names of files with expectations.
const expectedSuffix = ".expected.json"

// everyOther in Absent stands for all fields that are not named.
const everyOther = "*"

// Expected is what a careful reader found in a document.
type Expected struct {
	Kind   string           `json:"kind"` // empty: not judged
	Fields map[string]any   `json:"fields"`
	Absent []string         `json:"absent"` // fields that the document does not state; "*": all others
	Items  map[string]Items `json:"items"`
	Note   string           `json:"note"` // for people
}

// Items are all rows of a list.
type Items struct {
	Count int              `json:"count"` // for people
	Rows  []map[string]any `json:"rows"`
}

// Document is a file with its expectations.
type Document struct {
	Name string // from the folder that was asked for
	Path string
	Want Expected
}

// Set is a folder of documents.
type Set struct {
	Documents []Document
	Unjudged  []string // files beside which nothing is expected
}

// Load reads the expectations of a folder, and of those within it. What is expected of
// one.pdf stands in one.expected.json.
func Load(folder string) (*Set, error) {
	set, judged := &Set{}, map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() || strings.HasPrefix(entry.Name(), ".") {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if strings.HasSuffix(path, expectedSuffix) {
			judged[path] = judged[path] || false
			return nil
		}
		beside := strings.TrimSuffix(path, filepath.Ext(path)) + expectedSuffix
		want, err := readExpected(beside)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			set.Unjudged = append(set.Unjudged, name)
			return nil
		case err != nil:
			return fmt.Errorf("%s: %w", filepath.Base(beside), err)
		}
		judged[beside] = true
		set.Documents = append(set.Documents, Document{name, path, want})
		return nil
	})
	if err != nil {
		return nil, err
	}
	for beside, used := range judged {
		if !used {
			return nil, fmt.Errorf("%s: there is no document of that name beside it", beside)
		}
	}
	if len(set.Documents) == 0 {
		return nil, errors.New("no file in this folder has its expected fields beside it, in a file such as invoice.expected.json beside invoice.pdf")
	}
	return set, nil
}

func readExpected(path string) (want Expected, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return want, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields() // a misspelt name must not pass as nothing expected
	if err := decoder.Decode(&want); err != nil {
		return want, fmt.Errorf("these are no expected fields: %w", err)
	}
	for name := range want.Fields {
		if slices.Contains(want.Absent, name) {
			return want, fmt.Errorf("%s is expected and absent", name)
		}
	}
	return want, nil
}
