package integrations_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/testenv"
	"toolkit/store/localfile"
	"toolkit/tools/integrations"
)

func fingerprint(t *testing.T, dir string) string {
	t.Helper()
	f, err := integrations.OpenArchiveFolder(dir, integrations.ArchiveFormats["mailbox"], localfile.Private{}.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(f.Documents) != 1 {
		t.Fatalf("%d documents, want 1", len(f.Documents))
	}
	print, err := f.Documents[0].Fingerprint()
	if err != nil {
		t.Fatal(err)
	}
	return print
}

func TestAFingerprintFollowsTheContents(t *testing.T) {
	for name, size := range map[string]int64{"a small file": 1000, "a large file": 80 << 20} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.mbox")
			at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			write := func(contents string, size int64) string {
				testenv.Write(t, path, contents)
				if err := errors.Join(os.Truncate(path, size), os.Chtimes(path, at, at)); err != nil { // a sparse file costs no disk
					t.Fatal(err)
				}
				return fingerprint(t, dir)
			}
			first := write("From a", size)
			if write("From a", size) != first {
				t.Error("the same contents give another fingerprint")
			}
			if write("From b", size) == first || write("From a", size+1) == first {
				t.Error("other contents give the same fingerprint")
			}
		})
	}
}

func TestHiddenFilesAndForeignFoldersAreNotRead(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{".hidden/a.mbox", "__MACOSX/a.mbox", ".a.mbox", "b/c/a.mbox", "a.txt"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := integrations.OpenArchiveFolder(dir, integrations.ArchiveFormats["mailbox"], localfile.Private{}.Snapshot())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if len(f.Documents) != 1 || f.Documents[0].Shown != "b/c/a.mbox" || len(f.Refused) != 0 {
		t.Errorf("the documents are %v, refused %v", f.Documents, f.Refused)
	}
	if _, err := integrations.OpenArchiveFolder(filepath.Join(dir, "nowhere"), integrations.ArchiveFormats["mailbox"], localfile.Private{}.Snapshot()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that is not there gives %v", err)
	}
	if _, err := integrations.OpenArchiveFolder(filepath.Join(dir, "a.txt"), integrations.ArchiveFormats["mailbox"], localfile.Private{}.Snapshot()); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file gives %v", err)
	}
}
