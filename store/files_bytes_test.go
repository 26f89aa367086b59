package store_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/records"
)

// shelf is a database with one record, to hold files.
type shelf struct {
	*store.DB
	t      *testing.T
	record int64
}

func newShelf(t *testing.T, path string) *shelf {
	t.Helper()
	db, err := store.Open(t.Context(), store.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	s := &shelf{DB: db, t: t}
	s.write(func(tx *store.Tx) (err error) {
		s.record, err = records.In(tx).Insert(records.Record{ID: "r", Type: "note", Properties: []byte(`{}`)}, records.Index{})
		return err
	})
	return s
}

func (s *shelf) write(do func(*store.Tx) error) {
	s.t.Helper()
	if err := s.Write(context.Background(), do); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shelf) stage(content string) *store.StagedBlob {
	s.t.Helper()
	b, err := s.StageBlob(context.Background(), strings.NewReader(content), 1000)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(b.Discard)
	return b
}

// keep stores content in the record and returns it as a blob.
func (s *shelf) keep(content string) records.Blob {
	s.t.Helper()
	staged := s.stage(content)
	s.write(func(tx *store.Tx) error {
		if err := records.In(tx).StoreBlob(staged, "text/plain", "n.txt", content); err != nil {
			return err
		}
		err := records.In(tx).HoldBlobs(s.record, []string{staged.SHA256})
		return err
	})
	return records.Blob{SHA256: staged.SHA256, Size: staged.Size}
}

func (s *shelf) release() (released []string) {
	s.t.Helper()
	s.write(func(tx *store.Tx) (err error) {
		released, err = records.In(tx).DeleteUnsharedBlobs(s.record)
		return err
	})
	return released
}

func (s *shelf) place(b records.Blob) string {
	return filepath.Join(s.Folder(), filepath.FromSlash(store.FilePlace(b.SHA256)))
}

func (s *shelf) files() []string {
	s.t.Helper()
	var names []string
	err := filepath.WalkDir(store.FilesFolder(s.Path()), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Base(filepath.Dir(path)) != "databases" {
			names = append(names, e.Name())
		}
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return names
}

func TestBlobIsNamedByHashAndReadableByOwnerOnly(t *testing.T) {
	s := newShelf(t, filepath.Join(t.TempDir(), "t.db"))
	b := s.keep("hello")
	const hash = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
	if b.SHA256 != hash || b.Size != 5 {
		t.Fatalf("%+v", b)
	}
	path := filepath.Join(filepath.Dir(s.Path()), "files", "sha256", "2c", hash)
	if content, err := os.ReadFile(path); string(content) != "hello" || err != nil {
		t.Fatalf("%q, %v", content, err)
	}
	for p, want := range map[string]fs.FileMode{path: 0o600, filepath.Dir(path): 0o700, filepath.Join(filepath.Dir(s.Path()), "files"): 0o700} {
		if info, err := os.Stat(p); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, %v", filepath.Base(p), info.Mode().Perm(), err)
		}
	}
	f, err := s.OpenBlob(b.SHA256, b.Size)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if content, err := io.ReadAll(f); string(content) != "hello" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
}

func TestBlobBytesAreRemovedWithLastHolder(t *testing.T) {
	s := newShelf(t, filepath.Join(t.TempDir(), "t.db"))
	b := s.keep("hello")
	released := s.release()
	if len(released) != 1 || released[0] != b.SHA256 {
		t.Fatalf("released %v", released)
	}
	if len(s.files()) != 1 {
		t.Fatal("the bytes went before the commit")
	}
	s.keep("hello") // another process is quicker
	if err := s.DeleteUnreferencedBlobs(t.Context(), released); err != nil || len(s.files()) != 1 {
		t.Fatalf("bytes that are held again: %v, %v", s.files(), err)
	}
	if err := s.DeleteUnreferencedBlobs(t.Context(), append(s.release(), "../../t.db")); err != nil || len(s.files()) != 0 {
		t.Fatalf("bytes that nobody holds: %v, %v", s.files(), err)
	}
	if _, err := s.OpenBlob(b.SHA256, b.Size); !errors.Is(err, store.ErrBlobMissing) {
		t.Errorf("opened: %v", err)
	}
}

func TestSweepKeepsBlobsOfOtherDatabaseInFolder(t *testing.T) {
	folder := t.TempDir()
	one, two := newShelf(t, filepath.Join(folder, "one.db")), newShelf(t, filepath.Join(folder, "two.db"))
	b := one.keep("hello")
	two.keep("hello")
	if err := one.DeleteUnreferencedBlobs(t.Context(), one.release()); err != nil {
		t.Fatal(err)
	}
	f, err := two.OpenBlob(b.SHA256, b.Size)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}

func TestFailedWriteAndDiscardLeaveNoBlob(t *testing.T) {
	s := newShelf(t, filepath.Join(t.TempDir(), "t.db"))
	staged := s.stage("hello")
	refused := errors.New("refused")
	err := s.Write(t.Context(), func(tx *store.Tx) error {
		if err := records.In(tx).StoreBlob(staged, "text/plain", "n", ""); err != nil {
			return err
		}
		return refused
	})
	if !errors.Is(err, refused) {
		t.Fatal(err)
	}
	s.write(func(tx *store.Tx) error {
		if _, known, err := records.In(tx).BlobByHash(staged.SHA256); known || err != nil {
			t.Errorf("the row stayed: %v", err)
		}
		return nil
	})
	b := s.keep("hello") // the orphan is taken over
	if f, err := s.OpenBlob(b.SHA256, b.Size); err != nil {
		t.Error(err)
	} else {
		f.Close()
	}
	other := s.stage("never kept")
	other.Discard()
	other.Discard()
	if len(s.files()) != 1 {
		t.Errorf("files: %v", s.files())
	}
}

func TestStoringSameFileRepairsTamperedBlob(t *testing.T) {
	s := newShelf(t, filepath.Join(t.TempDir(), "t.db"))
	b := s.keep("hello")
	testenv.Write(t, s.place(b), "hell")
	if _, err := s.OpenBlob(b.SHA256, b.Size); !errors.Is(err, store.ErrBlobMissing) {
		t.Errorf("shortened bytes were opened: %v", err)
	}
	s.keep("hello")
	if content, err := os.ReadFile(s.place(b)); string(content) != "hello" || err != nil {
		t.Errorf("%q, %v", content, err)
	}
}

func TestStaleStagedFilesAreRemoved(t *testing.T) {
	s := newShelf(t, filepath.Join(t.TempDir(), "t.db"))
	recent := s.stage("of another process")
	left := filepath.Join(filepath.Dir(recent.Path()), "left.part")
	testenv.Write(t, left, "half")
	long := time.Now().Add(-2 * store.MaxStagingAge)
	if err := os.Chtimes(left, long, long); err != nil {
		t.Fatal(err)
	}
	s.stage("new")
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the old copy stayed: %v", err)
	}
	if _, err := os.Stat(recent.Path()); err != nil {
		t.Errorf("a copy that is being made went: %v", err)
	}
}

func TestStageBlobStopsAtLimit(t *testing.T) {
	s := newShelf(t, filepath.Join(t.TempDir(), "t.db"))
	if b := s.stage(strings.Repeat("x", 2000)); b.Size != 1000 {
		t.Errorf("%d bytes were copied", b.Size)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.StageBlob(ended, strings.NewReader("x"), 10); !errors.Is(err, context.Canceled) {
		t.Errorf("an abandoned copy: %v", err)
	}
}
