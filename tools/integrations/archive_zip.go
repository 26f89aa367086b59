package integrations

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
)

const (
	// maxZipMembers bounds the directory of a ZIP archive.
	maxZipMembers = 300_000
	// maxZipRatio is how many bytes one packed byte may become: exports of text
	// reach thirty, bombs a thousand.
	maxZipRatio = 200
	// freeZipBytes is the size up to which the ratio means nothing.
	freeZipBytes = 16 << 20
)

// addZipMembers lists the members of a ZIP archive. Nothing is ever unpacked to
// disk; a name that would lead elsewhere is refused all the same.
func (f *ArchiveFolder) addZipMembers(name string, format ArchiveFormat) {
	file, info, err := f.openFile(name)
	if err != nil {
		f.addRefused(name, err)
		return
	}
	reader, err := zip.NewReader(file, info.Size())
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		file.Close() //nolint:errcheck // nothing was read
		f.addRefused(name, ErrArchiveDamaged)
		return
	}
	if len(reader.File) > maxZipMembers {
		file.Close() //nolint:errcheck // nothing was read
		f.addRefused(name, fmt.Errorf("it has more than %d members", maxZipMembers))
		return
	}
	f.closes = append(f.closes, file)
	members := make(map[string]bool, len(reader.File))
	for _, m := range reader.File {
		if m.FileInfo().IsDir() || strings.HasSuffix(m.Name, "/") {
			continue
		}
		shown := name + "/" + m.Name
		switch reads := format.Reader(m.Name) != nil; {
		case !fs.ValidPath(m.Name) || strings.ContainsAny(m.Name, "\\:\x00"):
			if reads || format.Reader(path.Base(strings.ReplaceAll(m.Name, `\`, "/"))) != nil {
				f.addRefused(name+" (a member)", ErrArchiveUnsafe)
			}
		case members[m.Name]: // the first of two equal names stands
		case !m.Mode().IsRegular():
			if reads {
				f.addRefused(shown, ErrArchiveLink)
			}
		default:
			members[m.Name] = true
			if reads && len(f.Documents) < maxArchiveDocuments {
				f.Documents = append(f.Documents, zipDocument(shown, m, info.ModTime().Unix()))
			}
		}
	}
}

func zipDocument(shown string, m *zip.File, modified int64) ArchiveDocument {
	return ArchiveDocument{
		Name: m.Name, Shown: shown, Size: int64(min(m.UncompressedSize64, 1<<62)), modified: modified,
		Fingerprint: func() (string, error) {
			sum := sha256.Sum256(fmt.Appendf(nil, "zip\x00%s\x00%d\x00%08x", m.Name, m.UncompressedSize64, m.CRC32))
			return hex.EncodeToString(sum[:]), nil
		},
		Open: func() (io.ReadCloser, error) {
			if m.Flags&1 != 0 {
				return nil, ErrArchiveEncrypted
			}
			source, err := m.Open()
			if err != nil {
				return nil, errors.New("it is packed in a way that cannot be read")
			}
			return &boundedMember{source, max(freeZipBytes, int64(min(m.CompressedSize64, 1<<50))*maxZipRatio)}, nil
		},
	}
}

// boundedMember ends a member that unpacks to more than its size allows.
type boundedMember struct {
	io.ReadCloser
	left int64
}

func (b *boundedMember) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, ErrArchiveBomb
	}
	if err != nil && !errors.Is(err, io.EOF) {
		err = errors.New("it is damaged")
	}
	return n, err
}
