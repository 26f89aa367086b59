package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"toolkit/internal/testenv"
)

// Where the published schemas come from, pinned.
const (
	registryModule = "github.com/modelcontextprotocol/registry@v1.8.7"
	bundlePackage  = "@anthropic-ai/mcpb@2.1.2"
)

var testNames = names{
	Module: "github.com/someone/toolkit", Repository: "someone/toolkit", NPM: "@someone/toolkit",
	Registry: "io.github.someone/toolkit", Tap: "someone/homebrew-tools", Contact: "security@example.org",
}

// writeBuild leaves stand-ins of what goreleaser builds in a folder.
func writeBuild(t *testing.T) *release {
	t.Helper()
	dir := t.TempDir()
	for _, folder := range []string{"linux_amd64_v1", "linux_arm64_v8.0", "darwin_amd64_v1", "darwin_arm64_v8.0", "windows_amd64_v1", "windows_arm64_v8.0"} {
		program, ending := "toolkit", ".tar.gz"
		if folder[0] == 'w' {
			program, ending = "toolkit.exe", ".zip"
		}
		parts := strings.Split(folder, "_")
		testenv.Write(t, filepath.Join(dir, "toolkit_1.2.3_"+parts[0]+"_"+parts[1]+ending), []byte("archive of "+folder))
		path := filepath.Join(dir, "toolkit_"+folder, program)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("binary of "+folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	testenv.Write(t, filepath.Join(dir, "toolkit_1.2.3.cdx.json"), []byte("{}"))
	return &release{names: testNames, binaries: dir, out: dir, version: "1.2.3"}
}

// TestRelease makes one release and looks at each of its parts.
func TestRelease(t *testing.T) {
	if _, err := exec.LookPath("npm"); err != nil {
		t.Skip("npm packs the packages, and there is no npm")
	}
	r := writeBuild(t)
	t.Chdir(filepath.Join("..", ".."))
	if err := r.makeRelease(); err != nil {
		t.Fatal(err)
	}
	t.Run("the server entry satisfies the published schema", func(t *testing.T) { testServer(t, r) })
	t.Run("bundles satisfy the published schema and hold the binary", func(t *testing.T) { testBundles(t, r) })
	t.Run("npm packages name their machine and the launcher all of them", func(t *testing.T) { testNPM(t, r) })
	t.Run("the formula has the checksum of every archive", func(t *testing.T) { testFormula(t, r) })
	t.Run("the checksums name every file of the release", func(t *testing.T) { testChecksums(t, r) })
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

func testServer(t *testing.T, r *release) {
	var module struct{ Dir string }
	if err := json.Unmarshal(command(t, ".", "go", "mod", "download", "-json", registryModule), &module); err != nil {
		t.Fatal(err)
	}
	text := testenv.Read(t, filepath.Join(r.out, "server.json"))
	validate(t, filepath.Join(module.Dir, "internal", "validators", "schemas", "2025-12-11.json"), text)
	var entry struct {
		Name     string
		Packages []struct{ RegistryType, Identifier, FileSha256 string }
	}
	if err := json.Unmarshal(text, &entry); err != nil {
		t.Fatal(err)
	}
	if entry.Name != testNames.Registry || len(entry.Packages) != 7 || entry.Packages[0].Identifier != testNames.NPM {
		t.Errorf("the entry is %s", text)
	}
	for _, p := range entry.Packages[1:] {
		file, found := strings.CutPrefix(p.Identifier, "https://github.com/someone/toolkit/releases/download/v1.2.3/")
		if sum, err := hashFile(filepath.Join(r.out, file)); !found || err != nil || sum != p.FileSha256 {
			t.Errorf("%+v has the checksum %s, %v", p, sum, err)
		}
	}
}

func testBundles(t *testing.T, r *release) {
	npm := t.TempDir()
	command(t, npm, "npm", "pack", "--silent", bundlePackage)
	packed, _ := filepath.Glob(filepath.Join(npm, "*.tgz"))
	if len(packed) != 1 {
		t.Fatalf("npm pack left %v", packed)
	}
	command(t, npm, "tar", "xzf", packed[0])
	schema := filepath.Join(npm, "package", "dist", "mcpb-manifest-v0.3.schema.json")
	bundles, _ := filepath.Glob(filepath.Join(r.out, "*.mcpb"))
	if len(bundles) != 6 {
		t.Fatalf("%d bundles, want 6", len(bundles))
	}
	for _, path := range bundles {
		archive, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		var manifest struct {
			Icon   string
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
		if picture, err := png.DecodeConfig(bytes.NewReader(read(t, archive, manifest.Icon))); err != nil || picture.Width != 512 || picture.Height != 512 {
			t.Errorf("the icon of %s is %+v, %v", path, picture, err)
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
	var sums []string
	for range 2 {
		r := writeBuild(t)
		b, err := r.packBundle(filepath.Join(r.binaries, "toolkit_linux_amd64_v1", "toolkit"))
		if err != nil {
			t.Fatal(err)
		}
		if sum, err := hashFile(b.path); err != nil || sum != b.sha256 {
			t.Errorf("the file has the checksum %s (%v), the bundle says %s", sum, err, b.sha256)
		}
		sums = append(sums, b.sha256)
	}
	if sums[0] != sums[1] {
		t.Error("two runs gave different bundles")
	}
}

// Without a package for a machine npx has nothing to start there; with the wrong
// system in it npm takes a program that does not run.
func testNPM(t *testing.T, r *release) {
	var launcher description
	parsed(t, filepath.Join(r.out, "npm", "toolkit", "package.json"), &launcher)
	if launcher.Name != testNames.NPM || launcher.MCPName != testNames.Registry || len(launcher.Dependencies) != 6 {
		t.Errorf("the launcher is %+v", launcher)
	}
	for name, version := range launcher.Dependencies {
		var d description
		folder := filepath.Join(r.out, "npm", filepath.Base(name))
		parsed(t, filepath.Join(folder, "package.json"), &d)
		if d.Name != name || version != "1.2.3" || d.Version != version || "toolkit-"+d.System[0]+"-"+d.Machine[0] != filepath.Base(name) {
			t.Errorf("%s is %+v", name, d)
		}
		if d.Publish["access"] != "public" || d.Repository["url"] != "git+https://github.com/someone/toolkit.git" || d.Author == "" || d.License == "" || d.Homepage == "" || d.Bugs == "" {
			t.Errorf("%s lacks what npm shows: %+v", name, d)
		}
		packed := string(command(t, folder, "tar", "tzf", filepath.Join("..", "someone-"+filepath.Base(name)+"-1.2.3.tgz")))
		for _, file := range append(d.Files, "LICENSE") {
			if !strings.Contains(packed, "package/"+file+"\n") {
				t.Errorf("%s lacks %s: %s", name, file, packed)
			}
		}
	}
}

var brewSum = regexp.MustCompile(`url "https://github\.com/someone/toolkit/releases/download/v1\.2\.3/(\S+)"\n +sha256 "([0-9a-f]{64})"`)

func testFormula(t *testing.T, r *release) {
	text := string(testenv.Read(t, filepath.Join(r.out, "toolkit.rb")))
	archives := brewSum.FindAllStringSubmatch(text, -1)
	if len(archives) != 4 || strings.Count(text, "sha256") != 4 || strings.Count(text, "\nend") != 1 {
		t.Fatalf("the formula names %d archives:\n%s", len(archives), text)
	}
	if left := regexp.MustCompile(`[^#]\{\w+\}`).FindString(text); left != "" {
		t.Errorf("%s is not filled in", left)
	}
	for _, a := range archives {
		if sum, err := hashFile(filepath.Join(r.out, a[1])); err != nil || sum != a[2] {
			t.Errorf("%s has the checksum %s, %v; the formula says %s", a[1], sum, err, a[2])
		}
	}
}

func TestTheFormulaIsRefusedWhereAnArchiveIsMissing(t *testing.T) {
	r := writeBuild(t)
	if err := os.Remove(filepath.Join(r.out, "toolkit_1.2.3_darwin_arm64.tar.gz")); err != nil {
		t.Fatal(err)
	}
	if err := r.writeFormula(); err == nil || !strings.Contains(err.Error(), "toolkit_1.2.3_darwin_arm64.tar.gz") {
		t.Errorf("the error is %v", err)
	}
}

func testChecksums(t *testing.T, r *release) {
	text := string(testenv.Read(t, filepath.Join(r.out, "checksums.txt")))
	sums := map[string]string{}
	for line := range strings.Lines(text) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		sums[name] = sum
	}
	for pattern, count := range map[string]int{"toolkit_*.tar.gz": 4, "toolkit_*.zip": 2, "*.mcpb": 6, "*.cdx.json": 1} {
		files, _ := filepath.Glob(filepath.Join(r.out, pattern))
		if len(files) != count {
			t.Errorf("%d files are like %s, want %d", len(files), pattern, count)
		}
		for _, f := range files {
			if sum, err := hashFile(f); err != nil || sum != sums[filepath.Base(f)] {
				t.Errorf("%s has the checksum %s, %v; checksums.txt says %q", f, sum, err, sums[filepath.Base(f)])
			}
		}
	}
	if len(sums) != 13 {
		t.Errorf("%d files are named, want 13:\n%s", len(sums), text)
	}
}

func parsed(t *testing.T, file string, into any) {
	t.Helper()
	if text := testenv.Read(t, file); json.Unmarshal(text, into) != nil {
		t.Fatalf("%s: %s", file, text)
	}
}

// The page for contributors tells the owner of every key that the workflow needs, and what it
// reads of owner.json is there.
func TestTheWorkflowNeedsOnlyWhatTheOwnerIsToldOf(t *testing.T) {
	root := filepath.Join("..", "..")
	workflow := testenv.Read(t, filepath.Join(root, ".github", "workflows", "release.yml"))
	var parsed struct{ Jobs map[string]any }
	if err := yaml.Unmarshal(workflow, &parsed); err != nil || parsed.Jobs["publish"] == nil {
		t.Fatalf("the workflow has the jobs %v, %v", parsed.Jobs, err)
	}
	told := string(testenv.Read(t, filepath.Join(root, "CONTRIBUTING.md")))
	keys := regexp.MustCompile(`secrets\.(\w+)`).FindAllSubmatch(workflow, -1)
	if len(keys) == 0 {
		t.Error("the workflow has no keys")
	}
	for _, key := range keys {
		if !strings.Contains(told, "`"+string(key[1])+"`") {
			t.Errorf("CONTRIBUTING.md does not name the key %s", key[1])
		}
	}
	for _, field := range regexp.MustCompile(`jq -r \.(\w+) scripts/release/owner\.json`).FindAllSubmatch(workflow, -1) {
		if !bytes.Contains(ownerFile, []byte(`"`+string(field[1])+`": `)) {
			t.Errorf("owner.json has no %s", field[1])
		}
	}
}
