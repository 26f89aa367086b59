package main

import (
	"fmt"
	"path/filepath"
)

// serverSchema is the published form of server.json that is written.
const serverSchema = "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"

// maxDescription is the length that the registry allows, in bytes.
const maxDescription = 100

// buildServerJSON is the entry for the MCP registry: the npm package that starts the program, and
// the bundles.
func (r *release) buildServerJSON(bundles []bundle) (map[string]any, error) {
	if len(summary) > maxDescription {
		return nil, fmt.Errorf("the description has %d characters, the registry allows %d", len(summary), maxDescription)
	}
	stdio := map[string]any{"type": "stdio"}
	packages := []map[string]any{{
		"registryType":    "npm",
		"registryBaseUrl": "https://registry.npmjs.org",
		"identifier":      r.names.NPM,
		"version":         r.version,
		"runtimeHint":     "npx",
		"transport":       stdio,
		"packageArguments": []map[string]any{
			{"type": "positional", "value": "serve"},
			{"type": "named", "name": "--stdio"},
		},
	}}
	for _, b := range bundles {
		packages = append(packages, map[string]any{
			"registryType": "mcpb",
			"identifier":   r.names.downloads(r.version) + "/" + filepath.Base(b.path),
			"version":      r.version,
			"fileSha256":   b.sha256,
			"transport":    stdio,
		})
	}
	return map[string]any{
		"$schema":     serverSchema,
		"name":        r.names.Registry,
		"title":       "toolkit",
		"description": summary,
		"version":     r.version,
		"websiteUrl":  r.names.address(),
		"repository":  map[string]any{"url": r.names.address(), "source": "github"},
		"icons":       []map[string]any{{"src": r.names.icon(), "mimeType": "image/png", "sizes": []string{"512x512"}}},
		"packages":    packages,
	}, nil
}
