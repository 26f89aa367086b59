package transfer_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/internal/transfer"
	"toolkit/store"
)

// member is one file of an archive made by hand.
type member struct {
	name string
	text []byte
}

func sumOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// forge writes an archive whose manifest is changed by hand.
func forge(t *testing.T, members []member, change func(*transfer.Manifest)) string {
	t.Helper()
	m := &transfer.Manifest{Format: "toolkit-backup", Version: 1, Schema: store.NewestSchema(), Rows: map[string]int{}}
	for _, x := range members {
		m.Members = append(m.Members, transfer.Member{Name: x.name, Size: int64(len(x.text)), SHA256: sumOf(x.text)})
	}
	if change != nil {
		change(m)
	}
	raw := []byte(toolstest.EncodeJSON(m))
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, x := range append([]member{{"manifest.json", raw}}, members...) {
		f, err := w.Create(x.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(x.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "forged.zip")
	testenv.Write(t, path, out.Bytes())
	return path
}

func TestHostileArchivesAreRefusedAndTouchNothing(t *testing.T) {
	a := filled(t, 3)
	good, _ := create(t, a.Store.Path())
	whole := testenv.Read(t, good)
	database := member{"toolkit.db", []byte("no database")}
	blob := []byte("a file")
	flipped := bytes.Clone(whole)
	for i := range 16 { // a single bit may be one that deflate does not use
		flipped[len(flipped)/2+i] ^= 0x10
	}
	raw := func(text []byte) string {
		path := filepath.Join(t.TempDir(), "raw.zip")
		testenv.Write(t, path, text)
		return path
	}
	zeros := make([]byte, 64<<20)
	tests := map[string]struct{ archive, want string }{
		"no file":                   {filepath.Join(t.TempDir(), "none.zip"), "there is no file"},
		"a folder":                  {t.TempDir(), "not a file"},
		"empty":                     {raw(nil), "not a backup"},
		"no zip":                    {raw(bytes.Repeat([]byte("text "), 100)), "not a backup"},
		"cut off":                   {raw(whole[:len(whole)-30]), "only a part"},
		"half of it":                {raw(whole[:len(whole)/2]), "only a part"},
		"bits changed":              {raw(flipped), "cannot be"},
		"no manifest":               {raw(zipOf(t, database)), "no manifest"},
		"a manifest that is text":   {raw(zipOf(t, database, member{"manifest.json", []byte("hello")})), "manifest cannot be read"},
		"another program's":         {forge(t, []member{database}, func(m *transfer.Manifest) { m.Format = "x" }), "not that of a backup"},
		"a newer format":            {forge(t, []member{database}, func(m *transfer.Manifest) { m.Version = 2 }), "update toolkit"},
		"a newer schema":            {forge(t, []member{database}, func(m *transfer.Manifest) { m.Schema = 9999 }), "update toolkit"},
		"a schema that is too old":  {forge(t, []member{database}, func(m *transfer.Manifest) { m.Schema = 12 }), "restored this backup with that build"},
		"no database":               {forge(t, nil, nil), "no database"},
		"a database that is none":   {forge(t, []member{database}, nil), "not a SQLite database"},
		"a path upwards":            {forge(t, []member{database, {"../../evil", blob}}, nil), "which no backup does"},
		"an absolute path":          {forge(t, []member{database, {"/etc/evil", blob}}, nil), "which no backup does"},
		"a path inside files":       {forge(t, []member{database, {"files/sha256/../../../evil", blob}}, nil), "which no backup does"},
		"a Windows path":            {forge(t, []member{database, {`files\sha256\..\evil`, blob}}, nil), "which no backup does"},
		"a key with a path":         {forge(t, []member{database, {"keys/../evil.key", blob}}, nil), "which no backup does"},
		"a hidden key":              {forge(t, []member{database, {"keys/.key", blob}}, nil), "which no backup does"},
		"a file under a wrong name": {forge(t, []member{database, {"files/sha256/ab/" + strings.Repeat("ab", 32), blob}}, nil), "which no backup does"},
		"a wrong hash":              {forge(t, []member{database}, func(m *transfer.Manifest) { m.Members[0].SHA256 = strings.Repeat("0", 64) }), "not what the manifest says"},
		"a wrong size":              {forge(t, []member{database}, func(m *transfer.Manifest) { m.Members[0].Size = 5 }), "size"},
		"a file not in it": {forge(t, []member{database}, func(m *transfer.Manifest) {
			m.Members = append(m.Members, transfer.Member{Name: "keys/a.key", SHA256: sumOf(blob)})
		}), "manifest names"},
		"a file not named":       {forge(t, []member{database, {"keys/a.key", blob}}, func(m *transfer.Manifest) { m.Members = m.Members[:1] }), "manifest names"},
		"a file twice":           {raw(zipOf(t, database, database)), "twice"},
		"a file named twice":     {forge(t, []member{database, {"keys/a.key", blob}}, func(m *transfer.Manifest) { m.Members[1] = m.Members[0] }), "twice"},
		"more than a disk holds": {forge(t, []member{database}, func(m *transfer.Manifest) { m.Members[0].Size = 1 << 60 }), "size"},
		"a bomb":                 {forge(t, []member{{"toolkit.db", zeros}}, nil), "not a SQLite database"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			target := filepath.Join(folder, "toolkit.db")
			if _, err := restore(t, tc.archive, target, false); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %q", err, tc.want)
			}
			if names := left(t, folder); len(names) != 0 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

func zipOf(t *testing.T, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, x := range members {
		f, err := w.Create(x.name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(f, bytes.NewReader(x.text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// No single changed byte goes unnoticed, wherever it is.
func TestEveryChangedByteIsNoticed(t *testing.T) {
	a := filled(t, 1)
	archive, _ := create(t, a.Store.Path())
	whole := testenv.Read(t, archive)
	unnoticed := []string{}
	path := filepath.Join(t.TempDir(), "changed.zip")
	for at := 0; at < len(whole); at += 211 {
		changed := bytes.Clone(whole)
		changed[at] ^= 0x01
		testenv.Write(t, path, changed)
		if m, err := transfer.Verify(t.Context(), path, nil); err == nil {
			// Times and attributes in the zip's own headers say nothing of the contents.
			same := slices.EqualFunc(m.Members, mustVerify(t, archive).Members, func(a, b transfer.Member) bool { return a == b })
			if !same {
				unnoticed = append(unnoticed, fmt.Sprint(at))
			}
		}
	}
	if len(unnoticed) > 0 {
		t.Errorf("changes at %v go unnoticed", unnoticed)
	}
}

func mustVerify(t *testing.T, archive string) *transfer.Manifest {
	t.Helper()
	m, err := transfer.Verify(t.Context(), archive, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}
