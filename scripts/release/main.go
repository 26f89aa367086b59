// Command release makes what is published besides the archives: a desktop
// extension bundle (.mcpb) per system, npm packages (one that starts the program, and
// one per system with it), a Homebrew formula, server.json for the MCP registry, and
// checksums of it all. Run it from the repository's root after 'goreleaser' has built:
//
//	go run ./scripts/release -binaries dist -out dist -version 0.1.0
//
// Whose release it is stands in owner.json. 'go run ./scripts/release owner' puts these
// names into the repository: the module path into every import, and the addresses into
// the pages and manifests. 'go run ./scripts/release check darwin/arm64 windows/amd64' type-checks
// the program for other systems.
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
	if err := runCommand(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func runCommand(args []string) (err error) {
	if len(args) > 0 && args[0] == "owner" {
		return renameToOwner(args[1:])
	}
	if len(args) > 0 && args[0] == "check" {
		return checkTypes(args[1:])
	}
	var r release
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.StringVar(&r.binaries, "binaries", "dist", "folder with toolkit_OS_ARCH…/toolkit, as goreleaser leaves it")
	flags.StringVar(&r.out, "out", "dist", "folder for the results, with the archives")
	flags.StringVar(&r.version, "version", app.Version, "version of the release")
	flags.BoolVar(&r.onlyNPM, "only-npm", false, "make the npm packages alone")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if r.names, err = readNames(ownerFile); err != nil {
		return err
	}
	return r.makeRelease()
}

// release is one version of the toolkit, ready to be published.
type release struct {
	names                  names
	binaries, out, version string
	onlyNPM                bool
}

var semver = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$`)

func (r *release) makeRelease() error {
	if !semver.MatchString(r.version) {
		return fmt.Errorf("version %q is not like 1.2.3", r.version)
	}
	found, err := filepath.Glob(filepath.Join(r.binaries, "toolkit_*", "toolkit*"))
	if err != nil {
		return err
	}
	if len(found) == 0 {
		return fmt.Errorf("no binaries in %s; build them first", r.binaries)
	}
	if err := r.makeNPM(found); err != nil || r.onlyNPM {
		return err
	}
	var bundles []bundle
	for _, binary := range found {
		b, err := r.packBundle(binary)
		if err != nil {
			return fmt.Errorf("packing %s: %w", binary, err)
		}
		bundles = append(bundles, b)
	}
	server, err := r.buildServerJSON(bundles)
	if err != nil {
		return err
	}
	return errors.Join(writeJSON(filepath.Join(r.out, "server.json"), server), r.writeFormula(), r.writeChecksums())
}

// targetOfBinary reads the system and the machine from the folder of a binary, such as
// toolkit_linux_amd64_v1.
func targetOfBinary(binary string) (system, machine string, err error) {
	folder := filepath.Base(filepath.Dir(binary))
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
