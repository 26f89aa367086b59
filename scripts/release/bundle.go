package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"toolkit/internal/app"
)

// bundle is a desktop extension for one system and machine.
type bundle struct {
	path, sha256 string
}

const summary = "A durable, local memory and workbench: memory, a knowledge graph, documents, charts, pockets."

//go:embed icon.png
var icon []byte

const (
	author  = "The toolkit authors"
	license = "Apache-2.0"
)

var keywords = []string{"mcp", "memory", "knowledge graph", "structural tension chart", "documents", "local"}

// buildBundleManifest is the description inside a bundle, of the published form 0.3.
func (r *release) buildBundleManifest(system, program string) (map[string]any, error) {
	registry, err := app.BuildRegistry()
	if err != nil {
		return nil, err
	}
	type tool struct {
		Name        string `json:"name"`
		Description string `json:"description"`
	}
	var list []tool
	for _, d := range registry.All() {
		if !d.Door { // which leads to what is listed here
			list = append(list, tool{d.Name, d.Title})
		}
	}
	platform := system
	if platform == "windows" {
		platform = "win32"
	}
	return map[string]any{
		"manifest_version": "0.3",
		"name":             "toolkit",
		"display_name":     "toolkit",
		"version":          r.version,
		"description":      summary,
		"long_description": "Your assistant knows on Tuesday what you said on Monday: it remembers dialogue and insights and finds them again, keeps a knowledge graph, turns documents into entities whose every field can be traced, keeps charts of what you want to create, and reads neighbourhood signals. One process, one SQLite file, nothing leaves the machine.",
		"author":           map[string]any{"name": author},
		"homepage":         r.names.address(),
		"repository":       map[string]any{"type": "git", "url": r.names.address()},
		"icon":             "icon.png",
		"license":          license,
		"keywords":         keywords,
		"tools":            list,
		"tools_generated":  false,
		"compatibility":    map[string]any{"platforms": []string{platform}},
		"server": map[string]any{
			"type":        "binary",
			"entry_point": "server/" + program,
			"mcp_config": map[string]any{
				"command": "${__dirname}/server/" + program,
				"args":    []string{"serve", "--stdio"},
				"env":     map[string]string{"TOOLKIT_READ_ONLY": "${user_config.read_only}", "TOOLKIT_FAMILIES": "${user_config.families}"},
			},
		},
		"user_config": map[string]any{
			"read_only": map[string]any{"type": "boolean", "title": "Read only", "description": "Refuse every tool that writes", "default": false, "required": false},
			"families":  map[string]any{"type": "string", "title": "Families", "description": "Serve only these families, such as charts,memory; empty serves all", "default": "", "required": false},
		},
	}, nil
}

// packBundle writes the bundle of one binary.
func (r *release) packBundle(binary string) (b bundle, err error) {
	system, machine, err := targetOfBinary(binary)
	if err != nil {
		return b, err
	}
	program := filepath.Base(binary)
	manifest, err := r.buildBundleManifest(system, program)
	if err != nil {
		return b, err
	}
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return b, err
	}
	b.path = filepath.Join(r.out, fmt.Sprintf("toolkit-%s-%s-%s.mcpb", r.version, system, machine))
	f, err := os.Create(b.path)
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	hash := sha256.New()
	archive := zip.NewWriter(io.MultiWriter(f, hash))
	if err := writeArchiveMember(archive, "manifest.json", 0o644, strings.NewReader(string(text)+"\n")); err != nil {
		return b, err
	}
	if err := writeArchiveMember(archive, "icon.png", 0o644, bytes.NewReader(icon)); err != nil {
		return b, err
	}
	content, err := os.Open(binary)
	if err != nil {
		return b, err
	}
	defer content.Close() //nolint:errcheck // it was only read
	if err := writeArchiveMember(archive, "server/"+program, 0o755, content); err != nil {
		return b, err
	}
	if err := archive.Close(); err != nil {
		return b, err
	}
	b.sha256 = hex.EncodeToString(hash.Sum(nil))
	return b, nil
}

// writeArchiveMember adds a file without a time, so that the same binary gives the same
// bundle.
func writeArchiveMember(archive *zip.Writer, name string, mode os.FileMode, content io.Reader) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetMode(mode)
	w, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	return err
}
