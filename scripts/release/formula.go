package main

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
)

//go:embed formula.rb.tmpl
var formulaText string

var formula = template.Must(template.New("formula").Parse(formulaText))

// brewSystem is a system with the archives that Homebrew installs there.
type brewSystem struct {
	Name     string
	Archives []brewArchive
}

type brewArchive struct{ Machine, URL, SHA256 string }

// writeFormula writes the Homebrew formula, with the checksum of every archive.
func (r *release) writeFormula() error {
	systems := []brewSystem{{Name: "macos"}, {Name: "linux"}}
	for i, system := range []string{"darwin", "linux"} {
		for _, machine := range [][2]string{{"arm64", "arm"}, {"amd64", "intel"}} {
			name := fmt.Sprintf("toolkit_%s_%s_%s.tar.gz", r.version, system, machine[0])
			sum, err := hashFile(filepath.Join(r.out, name))
			if err != nil {
				return fmt.Errorf("the formula needs an archive: %w", err)
			}
			systems[i].Archives = append(systems[i].Archives, brewArchive{machine[1], r.names.downloads(r.version) + "/" + name, sum})
		}
	}
	var text bytes.Buffer
	err := formula.Execute(&text, map[string]any{
		"Homepage": r.names.address(), "Version": r.version, "License": license, "Systems": systems,
	})
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.out, "toolkit.rb"), text.Bytes(), 0o644)
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
