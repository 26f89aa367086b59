package reader

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

// tally counts what was read of lists whose right reading is known.
type tally struct {
	files, filesRight, rows, rowsRight, columns, columnsRight, values, right, missing, wrong int
	faults                                                                                   []string
}

// wanted is the right reading of a list: rows of named values in the file's order, and lines
// "= name=value" of the account.
func wanted(t *testing.T, file string) (rows []map[string]string, account map[string]string) {
	t.Helper()
	text := testenv.Read(t, file)
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	names := strings.Split(lines[0], "|")
	account = map[string]string{}
	for _, line := range lines[1:] {
		if said, of := strings.CutPrefix(line, "= "); of {
			name, item, _ := strings.Cut(said, "=")
			account[name] = item
			continue
		}
		row := map[string]string{}
		for index, item := range strings.Split(line, "|") {
			row[names[index]] = item
		}
		rows = append(rows, row)
	}
	return rows, account
}

func shownValue(item any) string {
	switch item := item.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(item, 'f', -1, 64)
	}
	return fmt.Sprint(item)
}

// compare counts one file.
func (count *tally) compare(name string, content *Content, rows []map[string]string, account map[string]string) {
	before := len(count.faults)
	fault := func(row int, field, got, want string) {
		switch {
		case got == "":
			count.missing++
		default:
			count.wrong++
		}
		count.faults = append(count.faults, fmt.Sprintf("%s row %d: %s is %q, want %q", name, row, field, got, want))
	}
	if len(content.Records) != len(rows) {
		count.faults = append(count.faults, fmt.Sprintf("%s: %d movements, want %d; %v", name, len(content.Records), len(rows), content.Warnings))
	}
	bad := map[string]bool{}
	for index, want := range rows {
		var fields map[string]any
		if index < len(content.Records) {
			fields = content.Records[index].Fields
		}
		right := true
		for field, item := range want {
			count.values++
			if got := shownValue(fields[field]); got != item {
				fault(index+1, field, got, item)
				right, bad[field] = false, true
				continue
			}
			count.right++
		}
		if right {
			count.rowsRight++
		}
	}
	values, _ := ExtractFields(content, KindStatement)
	for field, item := range account {
		count.values++
		if got := shownValue(values[field]); got != item {
			fault(0, field, got, item)
			continue
		}
		count.right++
	}
	count.files++
	count.rows += len(rows)
	count.columns += len(rows[0])
	count.columnsRight += len(rows[0]) - len(bad)
	if len(count.faults) == before {
		count.filesRight++
	}
}

func (count *tally) String() string {
	slices.Sort(count.faults)
	return fmt.Sprintf("%d of %d files, %d of %d columns, %d of %d rows, %d of %d values right, %d missing, %d wrong\n%s", count.filesRight, count.files, count.columnsRight, count.columns,
		count.rowsRight, count.rows, count.right, count.values, count.missing, count.wrong, strings.Join(count.faults, "\n"))
}

// TestExportsOfBanksAreLists reads lists in the formats of many banks. The rules were made
// with those of the folder choose; what those of the folder aside should give was written
// before they were read.
func TestExportsOfBanksAreLists(t *testing.T) {
	for _, folder := range []string{"choose", "aside", "later"} {
		t.Run(folder, func(t *testing.T) {
			files, err := filepath.Glob(filepath.Join("testdata", "bank", folder, "*.csv"))
			if err != nil || len(files) < 10 {
				t.Fatalf("%d files, %v", len(files), err)
			}
			count := &tally{}
			for _, file := range files {
				data := testenv.Read(t, file)
				rows, account := wanted(t, strings.TrimSuffix(file, ".csv")+".want")
				count.compare(filepath.Base(file), extract(t, data, CSV), rows, account)
			}
			t.Log(count)
			if len(count.faults) > 0 {
				t.Error("not all is right")
			}
		})
	}
}
