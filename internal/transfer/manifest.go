package transfer

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"

	"toolkit/store"
)

const (
	// archiveFormat and archiveVersion mark our archives.
	archiveFormat  = "toolkit-backup"
	archiveVersion = 1

	manifestName = "manifest.json"

	// maxManifestBytes bounds what is read before anything is verified: room for a
	// few hundred thousand files.
	maxManifestBytes = 128 << 20
	// densest is more than deflate can compress; an archive that claims more
	// holds the same bytes several times.
	densest = 1100
)

// Manifest describes an archive.
type Manifest struct {
	Format    string         `json:"format"`  // toolkit-backup
	Version   int            `json:"version"` // of the format
	Toolkit   string         `json:"toolkit"` // version of the program that wrote it
	Schema    int64          `json:"schema"`  // of the database
	CreatedAt time.Time      `json:"created_at"`
	Rows      map[string]int `json:"rows"`    // by table
	Members   []Member       `json:"members"` // everything but the manifest
	Missing   []string       `json:"missing"` // hashes of files that were lost or damaged already
	Keys      bool           `json:"keys"`    // key files are in it
	Archive   string         `json:"-"`       // where Backup has put the archive
	byName    map[string]Member
}

// Member is one file of an archive.
type Member struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// CountRecordFiles is how many files of records the archive holds.
func (m *Manifest) CountRecordFiles() int {
	n := 0
	for _, member := range m.Members {
		if strings.HasPrefix(member.Name, "files/") {
			n++
		}
	}
	return n
}

// Size is what the members take unpacked, in bytes.
func (m *Manifest) Size() int64 {
	total := int64(0)
	for _, member := range m.Members {
		total += member.Size
	}
	return total
}

// TotalRows is how many rows the database of the archive has.
func (m *Manifest) TotalRows() int {
	total := 0
	for _, n := range m.Rows {
		total += n
	}
	return total
}

var keyForm = regexp.MustCompile(`^keys/[A-Za-z0-9_-][A-Za-z0-9._-]*\.key$`)

// maxKeyNameLength is how long the name of a key's member may be.
const maxKeyNameLength = len("keys/") + 101 + len(".key")

// isAllowedMember admits the names that archives of ours have and no others, so no
// member can end up anywhere else.
func isAllowedMember(m Member) bool {
	switch {
	case !store.IsBlobHash(m.SHA256) || m.Size < 0:
		return false
	case m.Name == databaseName, len(m.Name) <= maxKeyNameLength && keyForm.MatchString(m.Name):
		return true
	}
	return m.Name == store.FilePlace(m.SHA256)
}

// readAndCheckManifest checks that an archive holds what its manifest says, by names and
// sizes; contents are compared when they are read.
func readAndCheckManifest(archive *zip.Reader, archiveSize int64) (*Manifest, error) {
	entries := map[string]*zip.File{}
	for _, f := range archive.File {
		if entries[f.Name] != nil {
			return nil, fmt.Errorf("it holds %q twice", f.Name)
		}
		entries[f.Name] = f
	}
	if entries[manifestName] == nil {
		return nil, errors.New("it has no manifest.json: it is no backup of toolkit")
	}
	m, err := decodeManifest(entries[manifestName])
	if err != nil {
		return nil, err
	}
	if len(entries) != len(m.Members)+1 {
		return nil, fmt.Errorf("it holds %d files, its manifest names %d", len(entries)-1, len(m.Members))
	}
	for _, member := range m.Members {
		entry := entries[member.Name]
		switch {
		case entry == nil:
			return nil, fmt.Errorf("%q is missing in it", member.Name)
		case !isAllowedMember(member) || !entry.Mode().IsRegular():
			return nil, fmt.Errorf("it holds %q, which no backup does", member.Name)
		case entry.UncompressedSize64 != uint64(member.Size):
			return nil, fmt.Errorf("%q does not have the size that the manifest states", member.Name)
		}
	}
	if _, known := m.byName[databaseName]; !known {
		return nil, errors.New("it holds no database")
	}
	if m.Size()/densest > archiveSize {
		return nil, fmt.Errorf("it claims to hold %d bytes in %d, which is not possible", m.Size(), archiveSize)
	}
	return m, nil
}

func decodeManifest(entry *zip.File) (*Manifest, error) {
	r, err := entry.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close() //nolint:errcheck // it was only read
	raw, err := io.ReadAll(io.LimitReader(r, maxManifestBytes+1))
	if err != nil {
		return nil, fmt.Errorf("its manifest cannot be read: %w", err)
	}
	if len(raw) > maxManifestBytes {
		return nil, errors.New("its manifest is too large")
	}
	m := &Manifest{byName: map[string]Member{}}
	if err := json.Unmarshal(raw, m); err != nil {
		return nil, fmt.Errorf("its manifest cannot be read: %w", err)
	}
	if m.Format != archiveFormat {
		return nil, errors.New("its manifest is not that of a backup of toolkit")
	}
	newest := store.NewestSchema()
	if m.Version > archiveVersion || m.Schema > newest {
		return nil, fmt.Errorf("it was written by a newer toolkit (%s, schema %d; this program knows %d): update toolkit", m.Toolkit, m.Schema, newest)
	}
	if err := store.CheckSchema(m.Schema); err != nil {
		return nil, fmt.Errorf("%w, after you have restored this backup with that build", err)
	}
	for _, member := range m.Members {
		if _, twice := m.byName[member.Name]; twice {
			return nil, fmt.Errorf("its manifest names %q twice", member.Name)
		}
		m.byName[member.Name] = member
	}
	return m, nil
}
