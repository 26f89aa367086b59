package main

import (
	"embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// What the launcher's package holds beside its description.
//
//go:embed npm/toolkit.js npm/README.md
var launcher embed.FS

// Node's names of systems and machines.
var (
	nodeSystem  = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32"}
	nodeMachine = map[string]string{"amd64": "x64", "arm64": "arm64"}
)

// description is a package.json.
type description struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Author       string            `json:"author"`
	Keywords     []string          `json:"keywords"`
	Homepage     string            `json:"homepage"`
	Bugs         string            `json:"bugs"`
	Repository   map[string]string `json:"repository"`
	Publish      map[string]string `json:"publishConfig"`
	MCPName      string            `json:"mcpName,omitempty"` // what the registry knows the package by
	Bin          map[string]string `json:"bin,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	Files        []string          `json:"files"`
	System       []string          `json:"os,omitempty"`
	Machine      []string          `json:"cpu,omitempty"`
	Dependencies map[string]string `json:"optionalDependencies,omitempty"`
}

// makeNPM makes the packages of all binaries, and the one that starts them.
func (r *release) makeNPM(binaries []string) error {
	var platforms []string
	for _, binary := range binaries {
		name, err := r.makePlatformPackage(binary)
		if err != nil {
			return fmt.Errorf("packing %s for npm: %w", binary, err)
		}
		platforms = append(platforms, name)
	}
	if err := errors.Join(r.makeLauncherPackage(platforms), r.packNPM()); err != nil {
		return fmt.Errorf("packing for npm: %w", err)
	}
	return nil
}

func (r *release) newNPMDescription(name string) description {
	return description{
		Name: name, Version: r.version, Description: summary, License: license, Author: author, Keywords: keywords,
		Homepage: r.names.address(), Bugs: r.names.address() + "/issues",
		Repository: map[string]string{"type": "git", "url": "git+" + r.names.address() + ".git"},
		Publish:    map[string]string{"access": "public"},
	}
}

// makePlatformPackage writes the folder of the package with the program of one system and
// machine, and returns the package's name.
func (r *release) makePlatformPackage(binary string) (string, error) {
	system, machine, err := targetOfBinary(binary)
	if err != nil {
		return "", err
	}
	d := r.newNPMDescription(r.names.NPM + "-" + nodeSystem[system] + "-" + nodeMachine[machine])
	program := filepath.Base(binary)
	d.Files, d.System, d.Machine = []string{program}, []string{nodeSystem[system]}, []string{nodeMachine[machine]}
	folder, err := r.makePackageFolder(d)
	if err != nil {
		return "", err
	}
	return d.Name, copyFile(binary, filepath.Join(folder, program), 0o755)
}

// makeLauncherPackage writes the folder of the package that starts the one of the machine.
func (r *release) makeLauncherPackage(platforms []string) error {
	d := r.newNPMDescription(r.names.NPM)
	d.MCPName = r.names.Registry
	d.Bin, d.Engines, d.Files = map[string]string{"toolkit": "bin/toolkit.js"}, map[string]string{"node": ">=18"}, []string{"bin/toolkit.js"}
	d.Dependencies = map[string]string{}
	for _, name := range platforms {
		d.Dependencies[name] = r.version
	}
	folder, err := r.makePackageFolder(d)
	if err != nil {
		return err
	}
	for from, to := range map[string]string{"npm/toolkit.js": "bin/toolkit.js", "npm/README.md": "README.md"} {
		text, err := launcher.ReadFile(from)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(folder, to)), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, to), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// makePackageFolder makes the folder of a package with its description.
func (r *release) makePackageFolder(d description) (string, error) {
	folder := filepath.Join(r.out, "npm", filepath.Base(d.Name))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	return folder, errors.Join(writeJSON(filepath.Join(folder, "package.json"), d), copyFile("LICENSE", filepath.Join(folder, "LICENSE"), 0o644))
}

// packNPM makes the tarball of every package; npm does, so that it is as npm wants it.
func (r *release) packNPM() error {
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("npm is not installed, and makes the packages")
	}
	folders, err := filepath.Glob(filepath.Join(r.out, "npm", "*", "package.json"))
	if err != nil {
		return err
	}
	for _, f := range folders {
		cmd := exec.Command("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", "..")
		cmd.Dir, cmd.Stderr = filepath.Dir(f), os.Stderr
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

func copyFile(from, to string, mode os.FileMode) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close() //nolint:errcheck // it was only read
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(out, in); err != nil {
		return err
	}
	return out.Close()
}
