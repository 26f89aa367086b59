package main

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// formula is the Homebrew formula, with names in braces for what a release fills in.
//
//go:embed formula.rb
var formula string

// writeFormula writes the Homebrew formula, with the checksum of every archive.
func (r *release) writeFormula() error {
	filled := []string{"{homepage}", r.names.address(), "{downloads}", r.names.downloads(r.version), "{version}", r.version, "{license}", license}
	for _, target := range []string{"darwin_arm64", "darwin_amd64", "linux_arm64", "linux_amd64"} {
		sum, err := hashFile(filepath.Join(r.out, fmt.Sprintf("toolkit_%s_%s.tar.gz", r.version, target)))
		if err != nil {
			return fmt.Errorf("the formula needs an archive: %w", err)
		}
		filled = append(filled, "{"+target+"}", sum)
	}
	return os.WriteFile(filepath.Join(r.out, "toolkit.rb"), []byte(strings.NewReplacer(filled...).Replace(formula)), 0o644)
}

// published are the files of a release on GitHub.
var published = []string{"toolkit_*.tar.gz", "toolkit_*.zip", "*.mcpb", "*.cdx.json"}

// writeChecksums writes checksums.txt, in the form that sha256sum checks.
func (r *release) writeChecksums() error {
	var lines []string
	for _, pattern := range published {
		files, err := filepath.Glob(filepath.Join(r.out, pattern))
		if err != nil {
			return err
		}
		for _, f := range files {
			sum, err := hashFile(f)
			if err != nil {
				return err
			}
			lines = append(lines, sum+"  "+filepath.Base(f)+"\n")
		}
	}
	slices.SortFunc(lines, func(a, b string) int { return strings.Compare(a[sha256.Size*2:], b[sha256.Size*2:]) })
	return os.WriteFile(filepath.Join(r.out, "checksums.txt"), []byte(strings.Join(lines, "")), 0o644)
}

// hashFile returns the SHA-256 of a file in hexadecimal.
func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close() //nolint:errcheck // it was only read
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
