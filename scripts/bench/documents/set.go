// Package documents measures what is read from files whose contents are known: it reads each
// as an upload is read, and compares the fields with what a careful reader wrote down beside it.
package documents

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
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
	Kind   string           `json:"kind"`   // empty: not judged
	Fields map[string]any   `json:"fields"` // a list of objects is a list in Items, complete
	Absent []string         `json:"absent"` // fields that the document does not state; "*": all others
	Items  map[string]Items `json:"items"`
	Note   string           `json:"note"` // for people
}

// Items are the rows of a list, or the first of them. Where Count says that there are more,
// or Rows is empty, only those given are compared.
type Items struct {
	Count int              `json:"count"`
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
// one.two.pdf stands in one.two.expected.json, or in one.expected.json where several programs
// have printed the same page; .json alone will do.
func Load(folder string) (*Set, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() && !strings.HasPrefix(entry.Name(), ".") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	set, used := &Set{}, map[string]bool{}
	for _, path := range files {
		beside := expectationsOf(path, files)
		if beside == "" || strings.HasSuffix(path, expectedSuffix) {
			continue
		}
		want, err := readExpected(beside)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", nameIn(folder, beside), err)
		}
		used[path], used[beside] = true, true
		set.Documents = append(set.Documents, Document{nameIn(folder, path), path, want})
	}
	for _, path := range files {
		switch {
		case used[path]:
		case strings.HasSuffix(path, expectedSuffix):
			return nil, fmt.Errorf("%s: there is no document of that name beside it", nameIn(folder, path))
		default:
			set.Unjudged = append(set.Unjudged, nameIn(folder, path))
		}
	}
	if len(set.Documents) == 0 {
		return nil, errors.New("no file in this folder has its expected fields beside it, in a file such as invoice.expected.json beside invoice.pdf")
	}
	return set, nil
}

func nameIn(folder, path string) string {
	name, err := filepath.Rel(folder, path)
	if err != nil {
		return path
	}
	return filepath.ToSlash(name)
}

// expectationsOf cuts a name at its dots, from the last one on, until a file of expectations
// is so called.
func expectationsOf(path string, files []string) string {
	folder, name := filepath.Split(path)
	for i := strings.LastIndexByte(name, '.'); i > 0; i = strings.LastIndexByte(name[:i], '.') {
		for _, suffix := range []string{expectedSuffix, ".json"} {
			if beside := folder + name[:i] + suffix; beside != path && slices.Contains(files, beside) {
				return beside
			}
		}
	}
	return ""
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
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return want, errors.New("something stands behind the expected fields")
	}
	return want, want.arrange()
}

// arrange moves the lists of objects among the fields to the items.
func (want *Expected) arrange() error {
	if want.Items == nil {
		want.Items = map[string]Items{}
	}
	for name, value := range want.Fields {
		if slices.Contains(want.Absent, name) {
			return fmt.Errorf("%s is expected and absent", name)
		}
		if rows, ok := rowsOf(value); ok {
			want.Items[name] = Items{len(rows), rows}
			delete(want.Fields, name)
		}
	}
	for name, items := range want.Items {
		if items.Count == 0 {
			items.Count = len(items.Rows)
			want.Items[name] = items
		}
		if items.Count < len(items.Rows) {
			return fmt.Errorf("%s has %d rows and a count of %d", name, len(items.Rows), items.Count)
		}
	}
	return nil
}

// rowsOf gives a list of objects as rows.
func rowsOf(value any) ([]map[string]any, bool) {
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return nil, false
	}
	rows := make([]map[string]any, len(list))
	for i, item := range list {
		if rows[i], ok = item.(map[string]any); !ok {
			return nil, false
		}
	}
	return rows, true
}
