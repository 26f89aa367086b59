package transfer

import (
	"archive/zip"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"toolkit/store/localfile"
)

// An archive is a zip file: manifest.json, toolkit.db (the database as of one moment,
// compact), the files that records hold (files/sha256/ab/<hash>) and, when asked for, key
// files (keys/<name>). The manifest names every member with its size and SHA-256. Nothing
// of an archive is used before all of it has been compared with the manifest, so a
// truncated, altered or hostile one changes nothing.

// archiveWriter writes an archive, its manifest last.
type archiveWriter struct {
	zip      *zip.Writer
	manifest *Manifest
	meter    *meter
}

func newArchiveWriter(out io.Writer, m *Manifest, meter *meter) *archiveWriter {
	w := zip.NewWriter(out)
	w.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestSpeed) })
	return &archiveWriter{w, m, meter}
}

// addMember writes a member and notes it in the manifest.
func (w *archiveWriter) addMember(name string, in io.Reader) error {
	method := zip.Deflate
	if name != databaseName {
		method = zip.Store // pictures and documents are compressed already
	}
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: w.manifest.CreatedAt})
	if err != nil {
		return err
	}
	sum := sha256.New()
	size, err := io.Copy(io.MultiWriter(out, sum, w.meter), in)
	w.manifest.Members = append(w.manifest.Members, Member{Name: name, Size: size, SHA256: hex.EncodeToString(sum.Sum(nil))})
	return err
}

func (w *archiveWriter) addMemberFromFile(name, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	return w.addMember(name, in)
}

func (w *archiveWriter) writeManifestAndClose() error {
	raw, err := json.MarshalIndent(w.manifest, "", "  ")
	if err != nil {
		return err
	}
	out, err := w.zip.CreateHeader(&zip.FileHeader{Name: manifestName, Method: zip.Deflate, Modified: w.manifest.CreatedAt})
	if err != nil {
		return err
	}
	if _, err := out.Write(raw); err != nil {
		return err
	}
	return w.zip.Close()
}

// Verify reads all of an archive and compares it with its manifest.
func Verify(ctx context.Context, archive string, progress func(done, all int64)) (*Manifest, error) {
	return readAndVerifyMembers(ctx, archive, progress, func(*Manifest) error { return nil }, func(Member, io.Reader) error { return nil })
}

// readAndVerifyMembers hands over the manifest and then every member. What is left unread
// is read all the same; contents that are not those of the manifest are an
// error, after f has seen them.
func readAndVerifyMembers(ctx context.Context, archive string, progress func(done, all int64), begin func(*Manifest) error, f func(Member, io.Reader) error) (*Manifest, error) {
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
	m, err := readAndCheckManifest(&z.Reader, info.Size())
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
		if err := readAndVerifyMember(entry, m.byName[entry.Name], meter, f); err != nil {
			return nil, fmt.Errorf("%s cannot be used: %w", archive, err)
		}
	}
	return m, nil
}

func readAndVerifyMember(entry *zip.File, member Member, meter *meter, f func(Member, io.Reader) error) error {
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

// meter counts bytes and ends the work when it is interrupted.
type meter struct {
	ctx       context.Context
	done, all int64
	progress  func(done, all int64)
}

func (m *meter) Write(p []byte) (int, error) {
	m.done += int64(len(p))
	if m.progress != nil {
		m.progress(m.done, m.all)
	}
	return len(p), m.ctx.Err()
}
