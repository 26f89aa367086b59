package exchange

import (
	"bytes"
	"strings"
	"testing"

	"toolkit/store"
)

func readString(t testing.TB, text string) *File {
	t.Helper()
	file, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return file
}

func importText(t testing.TB, db *store.DB, text string) *ImportResult {
	t.Helper()
	result, err := Import(t.Context(), db, readString(t, text), ImportOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return result
}

func exportText(t testing.TB, db *store.DB, format Format) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := Export(t.Context(), db, &out, format); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
