package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"toolkit/internal/testenv"
)

// What a binary of any system is built from stands in docs/third-party.md, and
// nothing that left it.
func TestThirdPartySoftwareIsListed(t *testing.T) {
	page := testenv.Read(t, filepath.Join("..", "..", "docs", "third-party.md"))
	var listed []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([a-z0-9.]+\.[a-z]+/\S+) \| (.+?) \|`).FindAllStringSubmatch(string(page), -1) {
		listed = append(listed, row[1])
	}
	var used []string
	for _, system := range []string{"linux", "darwin", "windows"} {
		list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", ".")
		list.Dir = filepath.Join("..", "..")
		list.Env = append(os.Environ(), "GOOS="+system)
		out, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		used = append(used, strings.Fields(string(out))...)
	}
	slices.Sort(used)
	used = slices.Compact(used)
	for _, module := range used {
		if !slices.Contains(listed, module) {
			t.Errorf("%s is in the program, but docs/third-party.md does not name it and its licence", module)
		}
	}
	for _, module := range listed {
		if !slices.Contains(used, module) {
			t.Errorf("docs/third-party.md names %s, which is not in the program", module)
		}
	}
}
