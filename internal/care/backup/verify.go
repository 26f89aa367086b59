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
)

// Verify reads all of an archive and compares it with its manifest.
func Verify(ctx context.Context, archive string, progress func(done, all int64)) (*Manifest, error) {
	var m *Manifest
	err := eachMember(ctx, archive, progress, func(known *Manifest) error { m = known; return nil }, func(Member, io.Reader) error { return nil })
	return m, err
}

// eachMember hands over the manifest and then every member. What is left unread
// is read all the same; contents that are not those of the manifest are an
// error, after f has seen them.
func eachMember(ctx context.Context, archive string, progress func(done, all int64), begin func(*Manifest) error, f func(Member, io.Reader) error) error {
	info, err := os.Stat(archive)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no file %s", archive)
	case err != nil:
		return fmt.Errorf("%s cannot be read: %w", archive, cause(err))
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a file", archive)
	}
	z, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("%s is not a backup of toolkit, or only a part of one: %w", archive, err)
	}
	defer z.Close() //nolint:errcheck // it was only read
	m, err := readManifest(&z.Reader, info.Size())
	if err != nil {
		return fmt.Errorf("%s cannot be used: %w", archive, err)
	}
	if err := begin(m); err != nil {
		return err
	}
	meter := &meter{ctx: ctx, all: m.Size(), progress: progress}
	for _, entry := range z.File {
		if entry.Name == manifestName {
			continue
		}
		if err := compare(entry, m.byName[entry.Name], meter, f); err != nil {
			return fmt.Errorf("%s cannot be used: %w", archive, err)
		}
	}
	return nil
}

func compare(entry *zip.File, member Member, meter *meter, f func(Member, io.Reader) error) error {
	r, err := entry.Open()
	if err != nil {
		return fmt.Errorf("%q cannot be read: %w", member.Name, err)
	}
	defer r.Close() //nolint:errcheck // it was only read
	sum := sha256.New()
	// One byte more than stated is enough to see that there is more.
	read := io.TeeReader(io.LimitReader(r, member.Size+1), io.MultiWriter(sum, meter))
	counted := &counter{r: read}
	if err := f(member, counted); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, counted); err != nil {
		return fmt.Errorf("%q cannot be read: %w", member.Name, err)
	}
	if counted.n != member.Size || hex.EncodeToString(sum.Sum(nil)) != member.SHA256 {
		return fmt.Errorf("%q is not what the manifest says: the archive is damaged or was altered", member.Name)
	}
	return nil
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// extract writes every member below a folder.
func extract(ctx context.Context, archive, folder string, progress func(done, all int64), begin func(*Manifest) error) (*Manifest, error) {
	var m *Manifest
	err := eachMember(ctx, archive, progress, func(known *Manifest) error {
		m = known
		return begin(known)
	}, func(member Member, r io.Reader) error {
		target := filepath.Join(folder, filepath.FromSlash(member.Name))
		if err := os.MkdirAll(filepath.Dir(target), 0o700); err != nil {
			return err
		}
		out, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		_, err = io.Copy(out, r)
		return errors.Join(err, out.Sync(), out.Close())
	})
	return m, err
}
