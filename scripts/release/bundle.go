package main

import (
	"archive/zip"
	"crypto/sha256"
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
	path, system, machine, sha256 string
}

const author = "The toolkit authors"

const summary = "A durable, local memory and workbench: charts, a knowledge graph, memory, documents, pockets."

// manifest is the description inside a bundle, of the published form 0.3.
func (r *release) manifest(system, program string) (map[string]any, error) {
	registry, err := app.Registry()
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
		"long_description": "Keeps structural tension charts and a knowledge graph, remembers dialogue and insights and finds them again, turns documents into entities whose every field can be traced, and reads neighbourhood signals. One process, one SQLite file, nothing leaves the machine.",
		"author":           map[string]any{"name": author},
		"keywords":         []string{"memory", "knowledge graph", "structural tension chart", "documents", "local"},
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

// pack writes the bundle of one binary.
func (r *release) pack(binary, system, machine string) (b bundle, err error) {
	program := filepath.Base(binary)
	manifest, err := r.manifest(system, program)
	if err != nil {
		return b, err
	}
	text, err := json.MarshalIndent(manifest, "", "  ")
	if err != nil {
		return b, err
	}
	b = bundle{system: system, machine: machine, path: filepath.Join(r.out, fmt.Sprintf("toolkit-%s-%s-%s.mcpb", r.version, system, machine))}
	f, err := os.Create(b.path)
	if err != nil {
		return b, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	hash := sha256.New()
	archive := zip.NewWriter(io.MultiWriter(f, hash))
	if err := member(archive, "manifest.json", 0o644, strings.NewReader(string(text)+"\n")); err != nil {
		return b, err
	}
	content, err := os.Open(binary)
	if err != nil {
		return b, err
	}
	defer content.Close() //nolint:errcheck // it was only read
	if err := member(archive, "server/"+program, 0o755, content); err != nil {
		return b, err
	}
	if err := archive.Close(); err != nil {
		return b, err
	}
	b.sha256 = hex.EncodeToString(hash.Sum(nil))
	return b, nil
}

// member adds a file without a time, so that the same binary gives the same
// bundle.
func member(archive *zip.Writer, name string, mode os.FileMode, content io.Reader) error {
	header := &zip.FileHeader{Name: name, Method: zip.Deflate}
	header.SetMode(mode)
	w, err := archive.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.Copy(w, content)
	return err
}

// schemaOfServer is the published form of server.json that is written.
const schemaOfServer = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// server is the entry for the MCP registry.
func (r *release) server(bundles []bundle) (map[string]any, error) {
	namespace := r.namespace
	if namespace == "" {
		namespace = "local.unpublished"
	}
	entry := map[string]any{
		"$schema":     schemaOfServer,
		"name":        namespace + "/toolkit",
		"title":       "toolkit",
		"description": summary,
		"version":     r.version,
	}
	if len(summary) > 100 {
		return nil, fmt.Errorf("the description has %d characters, the registry allows 100", len(summary))
	}
	if r.url == "" {
		return entry, nil
	}
	var packages []map[string]any
	for _, b := range bundles {
		packages = append(packages, map[string]any{
			"registryType": "mcpb",
			"identifier":   strings.TrimSuffix(r.url, "/") + "/" + filepath.Base(b.path),
			"version":      r.version,
			"fileSha256":   b.sha256,
			"transport":    map[string]any{"type": "stdio"},
		})
	}
	entry["packages"] = packages
	return entry, nil
}
