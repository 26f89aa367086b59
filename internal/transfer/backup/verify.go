package backup

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"toolkit/store/localfile"
)

// Verify reads all of an archive and compares it with its manifest.
func Verify(ctx context.Context, archive string, progress func(done, all int64)) (*Manifest, error) {
	return eachMember(ctx, archive, progress, func(*Manifest) error { return nil }, func(Member, io.Reader) error { return nil })
}

// eachMember hands over the manifest and then every member. What is left unread
// is read all the same; contents that are not those of the manifest are an
// error, after f has seen them.
func eachMember(ctx context.Context, archive string, progress func(done, all int64), begin func(*Manifest) error, f func(Member, io.Reader) error) (*Manifest, error) {
	info, err := os.Stat(archive)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no file %s", archive)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", archive, localfile.Cause(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", archive)
	}
	z, err := zip.OpenReader(archive)
	if err != nil {
		return nil, fmt.Errorf("%s is not a backup of toolkit, or only a part of one: %w", archive, err)
	}
	defer z.Close() //nolint:errcheck // it was only read
	m, err := readManifest(&z.Reader, info.Size())
	if err != nil {
		return nil, fmt.Errorf("%s cannot be used: %w", archive, err)
	}
	if err := begin(m); err != nil {
		return nil, err
	}
	meter := &meter{ctx: ctx, all: m.Size(), progress: progress}
	for _, entry := range z.File {
		if entry.Name == manifestName {
			continue
		}
		if err := compare(entry, m.byName[entry.Name], meter, f); err != nil {
			return nil, fmt.Errorf("%s cannot be used: %w", archive, err)
		}
	}
	return m, nil
}

func compare(entry *zip.File, member Member, meter *meter, f func(Member, io.Reader) error) error {
	r, err := entry.Open()
	if err != nil {
		return fmt.Errorf("%q cannot be read: %w", member.Name, err)
	}
	defer r.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	// One byte more than stated is enough to see that there is more.
	limited := &io.LimitedReader{R: r, N: member.Size + 1}
	read := io.TeeReader(limited, io.MultiWriter(sum, meter))
	if err := f(member, read); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, read); err != nil {
		return fmt.Errorf("%q cannot be read: %w", member.Name, err)
	}
	if limited.N != 1 || hex.EncodeToString(sum.Sum(nil)) != member.SHA256 {
		return fmt.Errorf("%q is not what the manifest says: the archive is damaged or was altered", member.Name)
	}
	return nil
}

// extract writes every member below a folder.
func extract(ctx context.Context, archive, folder string, progress func(done, all int64), begin func(*Manifest) error) (*Manifest, error) {
	return eachMember(ctx, archive, progress, begin, func(member Member, r io.Reader) error {
		target := filepath.Join(folder, filepath.FromSlash(member.Name))
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		return writeNew(target, r)
	})
}
