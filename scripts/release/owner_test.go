package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

// copyRepository copies what git knows of the repository, and returns the folder and the
// paths in it.
func copyRepository(t *testing.T) (root string, paths []string) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git lists the files of the repository, and there is no git")
	}
	from := filepath.Join("..", "..")
	root = t.TempDir()
	paths = strings.Split(strings.TrimRight(string(command(t, from, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")), "\x00"), "\x00")
	for _, path := range paths {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := copyFile(filepath.Join(from, path), filepath.Join(root, path), 0o644); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return root, paths
}

// The names that stand in the repository now are replaced by others: the module path in
// every import, every address in pages and manifests. A second run finds nothing to do.
func TestOwnerGivesTheRepositoryItsNames(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	was, err := readNames(ownerFile)
	if err != nil {
		t.Fatal(err)
	}
	root, paths := copyRepository(t)
	text, err := json.Marshal(testNames)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Write(t, filepath.Join(root, "scripts", "release", "owner.json"), text)
	due, err := renameOwnerInFiles(root, was, testNames, true)
	if err != nil {
		t.Fatal(err)
	}
	changed, err := renameOwnerInFiles(root, was, testNames, false)
	if err != nil || len(changed) != len(due) || len(changed) < len(addressed) {
		t.Fatalf("%d files were changed, %d should: %v", len(changed), len(due), err)
	}
	for _, names := range []names{was, placeholderNames()} {
		if again, err := renameOwnerInFiles(root, names, testNames, false); err != nil || len(again) != 0 {
			t.Errorf("a second run changed %v, %v", again, err)
		}
	}
	for _, path := range paths {
		found := testenv.Read(t, filepath.Join(root, path))
		for _, old := range []string{placeholder, was.address(), was.Module, was.NPM, was.Registry, was.Contact} {
			if bytes.Contains(found, []byte(old)) {
				t.Errorf("%s still has %q", path, old)
			}
		}
	}
	if readme := testenv.Read(t, filepath.Join(root, "README.md")); !bytes.Contains(readme, []byte("go install "+testNames.Module+"@latest")) || !bytes.Contains(readme, []byte("brew install someone/tools/toolkit")) || !bytes.Contains(readme, []byte("npm install -g "+testNames.NPM)) {
		t.Error("the README lacks the names by which the program is installed")
	}
	packages := string(command(t, root, "go", "list", "-deps", "-f", "{{with .Error}}{{.}}{{end}}{{if not .Standard}}{{.ImportPath}}{{end}}", "./..."))
	if !strings.Contains(packages, testNames.Module+"/internal/cli\n") || strings.Contains(packages, "\ntoolkit/") {
		t.Errorf("the packages are %s", packages)
	}
	if unformatted := command(t, root, "gofmt", "-l", "internal/cli", "tools", "store", "scripts"); len(unformatted) > 0 {
		t.Errorf("gofmt would change %s", unformatted)
	}
}

func TestOwnerRefusesNamesThatNoPlaceWouldTake(t *testing.T) {
	valid, err := json.Marshal(testNames)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"module without a host":        {testNames.Module, "toolkit"},
		"repository with its address":  {`"` + testNames.Repository + `"`, `"https://github.com/someone/toolkit"`},
		"npm with capitals":            {testNames.NPM, "@Someone/toolkit"},
		"registry without a namespace": {testNames.Registry, "toolkit"},
		"tap that Homebrew cannot add": {testNames.Tap, "someone/tools"},
		"contact without an address":   {testNames.Contact, "me"},
		"a field that there is not":    {`"contact"`, `"mail"`},
	} {
		text := strings.Replace(string(valid), change[0], change[1], 1)
		if _, err := readNames([]byte(text)); err == nil || !strings.Contains(err.Error(), "owner.json: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestPlaceholdersAreKnownAsUnfilled(t *testing.T) {
	if !placeholderNames().unfilled() || testNames.unfilled() || placeholderNames().check() != nil {
		t.Error("names that stand for the owner's are not told from the owner's")
	}
}

func TestRenameImportsChangesOwnPackagesAlone(t *testing.T) {
	before := "package a\n\nimport (\n\t\"fmt\"\n\n\t\"toolkit/store\" // a comment\n\tother \"toolkit/tools\"\n\t\"toolkitx/store\"\n)\n\nvar _ = \"toolkit/store\"\n"
	want := "package a\n\nimport (\n\t\"fmt\"\n\n\t\"example.org/t/store\" // a comment\n\tother \"example.org/t/tools\"\n\t\"toolkitx/store\"\n)\n\nvar _ = \"toolkit/store\"\n"
	after, err := renameImports([]byte(before), "toolkit", "example.org/t")
	if err != nil || string(after) != want {
		t.Errorf("%v\n%s", err, after)
	}
}
