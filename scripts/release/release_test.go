package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Where the published schemas come from, pinned.
const (
	registryModule = "github.com/modelcontextprotocol/registry@v1.8.7"
	bundlePackage  = "@anthropic-ai/mcpb@2.1.2"
)

// made runs the release over stand-ins of the six binaries.
func made(t *testing.T, namespace, url string) string {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"linux_amd64_v1", "linux_arm64_v8.0", "darwin_amd64_v1", "darwin_arm64_v8.0", "windows_amd64_v1", "windows_arm64_v8.0"} {
		program := "toolkit"
		if folder[0] == 'w' {
			program += ".exe"
		}
		path := filepath.Join(dir, "toolkit_"+folder, program)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("binary of "+folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	r := &release{binaries: dir, out: dir, version: "1.2.3", namespace: namespace, url: url}
	if err := r.run(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// validate checks a JSON file against a schema file.
func validate(t *testing.T, schema string, text []byte) {
	t.Helper()
	file, err := os.Open(schema)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close() //nolint:errcheck // it was only read
	document, err := jsonschema.UnmarshalJSON(file)
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("file:///schema.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("file:///schema.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiled.Validate(value); err != nil {
		t.Errorf("it does not satisfy %s: %v", filepath.Base(schema), err)
	}
}

// command runs a program and returns what it printed.
func command(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %v: %v", name, args, err)
	}
	return out
}

func TestServerEntriesSatisfyThePublishedSchema(t *testing.T) {
	var module struct{ Dir string }
	if err := json.Unmarshal(command(t, ".", "go", "mod", "download", "-json", registryModule), &module); err != nil {
		t.Fatal(err)
	}
	schema := filepath.Join(module.Dir, "internal", "validators", "schemas", "2025-12-11.json")
	for _, place := range [][2]string{{"", ""}, {"io.github.someone", "https://example.com/toolkit/1.2.3/"}} {
		text, err := os.ReadFile(filepath.Join(made(t, place[0], place[1]), "server.json"))
		if err != nil {
			t.Fatal(err)
		}
		validate(t, schema, text)
		var entry struct {
			Packages []struct{ Identifier, FileSha256 string }
		}
		if err := json.Unmarshal(text, &entry); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 6, false: 0}[place[1] != ""]; len(entry.Packages) != want {
			t.Errorf("%d packages, want %d", len(entry.Packages), want)
		}
	}
}

func TestBundlesSatisfyThePublishedSchemaAndHoldTheBinary(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("the published schema comes with an npm package, and there is no npm")
	}
	npm := t.TempDir()
	command(t, npm, "npm", "pack", "--silent", bundlePackage)
	packed, _ := filepath.Glob(filepath.Join(npm, "*.tgz"))
	if len(packed) != 1 {
		t.Fatalf("npm pack left %v", packed)
	}
	command(t, npm, "tar", "xzf", packed[0])
	schema := filepath.Join(npm, "package", "dist", "mcpb-manifest-v0.3.schema.json")
	bundles, _ := filepath.Glob(filepath.Join(made(t, "", ""), "*.mcpb"))
	if len(bundles) != 6 {
		t.Fatalf("%d bundles, want 6", len(bundles))
	}
	for _, path := range bundles {
		archive, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct {
			Server struct {
				EntryPoint string `json:"entry_point"`
			}
		}
		text := read(t, archive, "manifest.json")
		validate(t, schema, text)
		if err := json.Unmarshal(text, &manifest); err != nil {
			t.Fatal(err)
		}
		if content := read(t, archive, manifest.Server.EntryPoint); !bytes.HasPrefix(content, []byte("binary of ")) {
			t.Errorf("%s holds %q", path, content)
		}
		for _, f := range archive.File {
			if f.Name == manifest.Server.EntryPoint && f.Mode().Perm()&0o111 == 0 {
				t.Errorf("%s in %s cannot be executed", f.Name, path)
			}
		}
		archive.Close() //nolint:errcheck // it was only read
	}
}

func read(t *testing.T, archive *zip.ReadCloser, name string) []byte {
	t.Helper()
	f, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() //nolint:errcheck // it was only read
	var b bytes.Buffer
	if _, err := b.ReadFrom(f); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestTheSameBinaryGivesTheSameBundle(t *testing.T) {
	name := "toolkit-1.2.3-linux-amd64.mcpb"
	one, err := os.ReadFile(filepath.Join(made(t, "", ""), name))
	if err != nil {
		t.Fatal(err)
	}
	two, err := os.ReadFile(filepath.Join(made(t, "", ""), name))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(one, two) {
		t.Error("two runs gave different bundles")
	}
}

// Without a package for a machine npx has nothing to start there; with the wrong
// system in it npm takes a program that does not run.
func TestNpmPackagesNameTheirMachineAndTheLauncherAllOfThem(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm packs the packages, and there is no npm")
	}
	binaries := made(t, "", "")
	t.Chdir(filepath.Join("..", ".."))
	r := &release{binaries: binaries, out: t.TempDir(), version: "1.2.3", scope: "@x", onlyNPM: true}
	if err := r.run(); err != nil {
		t.Fatal(err)
	}
	var launcher description
	parsed(t, filepath.Join(r.out, "npm", "toolkit", "package.json"), &launcher)
	if launcher.Name != "@x/toolkit" || len(launcher.Dependencies) != 6 {
		t.Errorf("the launcher is %+v", launcher)
	}
	for name, version := range launcher.Dependencies {
		var d description
		folder := filepath.Join(r.out, "npm", filepath.Base(name))
		parsed(t, filepath.Join(folder, "package.json"), &d)
		if d.Name != name || version != "1.2.3" || d.Version != version || d.System[0]+"-"+d.Machine[0] != filepath.Base(name) {
			t.Errorf("%s is %+v", name, d)
		}
		packed := string(command(t, folder, "tar", "tzf", filepath.Join("..", "x-"+filepath.Base(name)+"-1.2.3.tgz")))
		for _, file := range append(d.Files, "LICENSE") {
			if !strings.Contains(packed, "package/"+file+"\n") {
				t.Errorf("%s lacks %s: %s", name, file, packed)
			}
		}
	}
}

func parsed(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil || json.Unmarshal(text, into) != nil {
		t.Fatalf("%s: %s, %v", file, text, err)
	}
}
