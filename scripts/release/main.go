// Command release makes what is published besides the archives: a desktop
// extension bundle (.mcpb) per system, npm packages (one that starts the program, and
// one per system with it), and server.json for the MCP registry. Run it from the repository's root after the binaries are built:
//
//	go run ./scripts/release -binaries dist -out dist -version 0.1.0
//
// With -namespace and -url, server.json names where the bundles can be had; the
// registry accepts it only then.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"toolkit/internal/app"
)

func main() {
	var r release
	flag.StringVar(&r.binaries, "binaries", "dist", "folder with toolkit_OS_ARCH…/toolkit, as goreleaser leaves it")
	flag.StringVar(&r.out, "out", "dist", "folder for the results")
	flag.StringVar(&r.version, "version", app.Version, "version of the release")
	flag.StringVar(&r.namespace, "namespace", "", "namespace in the MCP registry, such as io.github.someone")
	flag.StringVar(&r.scope, "npm", "@toolkit-mcp", "scope of the npm packages; empty makes none")
	flag.BoolVar(&r.onlyNPM, "only-npm", false, "make the npm packages alone")
	flag.StringVar(&r.url, "url", "", "address under which the bundles will be downloadable")
	flag.Parse()
	if err := r.run(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one version of the toolkit, ready to be published.
type release struct {
	binaries, out, version string
	namespace, url, scope  string
	onlyNPM                bool
}

var semver = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

func (r *release) run() error {
	if !semver.MatchString(r.version) {
		return fmt.Errorf("version %q is not like 1.2.3", r.version)
	}
	if (r.namespace == "") != (r.url == "") {
		return fmt.Errorf("-namespace and -url belong together")
	}
	found, err := filepath.Glob(filepath.Join(r.binaries, "toolkit_*", "toolkit*"))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("no binaries in %s; build them first", r.binaries)
	}
	var bundles []bundle
	var platforms []string
	for _, binary := range found {
		system, machine, err := target(filepath.Base(filepath.Dir(binary)))
		if err != nil {
			return err
		}
		if r.scope != "" {
			name, err := r.platform(binary, system, machine)
			if err != nil {
				return fmt.Errorf("packing %s for npm: %w", binary, err)
			}
			platforms = append(platforms, name)
		}
		if r.onlyNPM {
			continue
		}
		b, err := r.pack(binary, system, machine)
		if err != nil {
			return fmt.Errorf("packing %s: %w", binary, err)
		}
		fmt.Fprintln(os.Stderr, "wrote", b.path)
		bundles = append(bundles, b)
	}
	if r.scope != "" {
		if err := errors.Join(r.launch(platforms), r.packNPM()); err != nil {
			return fmt.Errorf("packing for npm: %w", err)
		}
		fmt.Fprintln(os.Stderr, "wrote", filepath.Join(r.out, "npm"))
	}
	if r.onlyNPM {
		return nil
	}
	server, err := r.server(bundles)
	if err != nil {
		return err
	}
	path := filepath.Join(r.out, "server.json")
	if err := writeJSON(path, server); err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "wrote", path)
	return nil
}

// target reads the system and the machine from a folder such as
// toolkit_linux_amd64_v1.
func target(folder string) (system, machine string, err error) {
	parts := strings.Split(folder, "_")
	if len(parts) < 3 {
		return "", "", fmt.Errorf("folder %s does not name a system and a machine", folder)
	}
	return parts[1], parts[2], nil
}

func writeJSON(path string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(path, append(text, '\n'), 0o644)
}
