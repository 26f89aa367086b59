package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// addressed are the files of the repository that name the owner's places.
var addressed = []string{
	"README.md", "SECURITY.md", "docs/install.md", "scripts/release/npm/README.md",
	".claude-plugin/marketplace.json", "plugins/toolkit/.claude-plugin/plugin.json", "plugins/toolkit/.codex-plugin/plugin.json",
}

// renameToOwner is the command 'release owner': it gives the repository the names of owner.json.
func renameToOwner(args []string) error {
	flags := flag.NewFlagSet("owner", flag.ContinueOnError)
	check := flags.Bool("check", false, "change nothing; fail where a name is missing or not in place")
	was := flags.String("was", "", "an earlier owner.json, whose names are in place now")
	if err := flags.Parse(args); err != nil {
		return err
	}
	to, err := readNames(ownerFile)
	if err != nil {
		return err
	}
	if to.unfilled() {
		return fmt.Errorf("scripts/release/owner.json has placeholders; write your names in place of %q", placeholder)
	}
	from := placeholderNames()
	if *was != "" {
		text, err := os.ReadFile(*was)
		if err != nil {
			return err
		}
		if from, err = readNames(text); err != nil {
			return err
		}
	}
	changed, err := renameOwnerInFiles(".", from, to, *check)
	for _, path := range changed {
		fmt.Fprintln(os.Stderr, path)
	}
	if err == nil && *check && len(changed) > 0 {
		return errors.New("these files lack the owner's names; run 'go run ./scripts/release owner'")
	}
	return err
}

// placeholderNames are the names in a repository that has no owner yet.
func placeholderNames() names {
	return names{
		Module: "github.com/" + placeholder + "/toolkit", Repository: placeholder + "/toolkit",
		NPM: "@" + placeholder + "/toolkit", Registry: "io.github." + placeholder + "/toolkit",
		Tap: placeholder + "/homebrew-tap", Contact: "security@" + placeholder + ".invalid",
	}
}

// renameOwnerInFiles puts the names into the files below root, the module path into go.mod and every
// import, and returns the files that it changed, or would change.
func renameOwnerInFiles(root string, from, to names, dry bool) (changed []string, err error) {
	module, err := readModule(root)
	if err != nil {
		return nil, err
	}
	edit := func(path string, change func([]byte) ([]byte, error)) error {
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return err
		}
		after, err := change(text)
		if err != nil || bytes.Equal(text, after) {
			return err
		}
		changed = append(changed, path)
		if dry {
			return nil
		}
		return os.WriteFile(filepath.Join(root, path), after, 0o644)
	}
	addresses := from.replacer(to)
	for _, path := range addressed {
		if err := edit(path, func(text []byte) ([]byte, error) { return []byte(addresses.Replace(string(text))), nil }); err != nil {
			return changed, err
		}
	}
	sources, err := listGoFiles(root)
	if err != nil {
		return changed, err
	}
	for _, path := range sources {
		if err := edit(path, func(text []byte) ([]byte, error) { return renameImports(text, module, to.Module) }); err != nil {
			return changed, fmt.Errorf("%s: %w", path, err)
		}
	}
	// Last, so that a run that was interrupted can be repeated.
	return changed, edit("go.mod", func(text []byte) ([]byte, error) {
		return bytes.Replace(text, []byte("module "+module+"\n"), []byte("module "+to.Module+"\n"), 1), nil
	})
}

// replacer writes the addresses of other names. What contains another address begins
// before it, so it is found first.
func (n names) replacer(to names) *strings.Replacer {
	pairs := func(n names) []string {
		return []string{n.address(), n.Module, n.NPM, n.Registry, n.brewed() + "/toolkit", n.Repository, n.Contact}
	}
	var both []string
	for i, old := range pairs(n) {
		both = append(both, old, pairs(to)[i])
	}
	return strings.NewReplacer(both...)
}

// readModule returns the module path of go.mod.
func readModule(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return "", err
	}
	first, _, _ := strings.Cut(string(text), "\n")
	module, found := strings.CutPrefix(first, "module ")
	if !found {
		return "", errors.New("go.mod does not begin with its module")
	}
	return module, nil
}

// listGoFiles lists the Go files of the repository by their paths from root.
func listGoFiles(root string) (paths []string, err error) {
	err = fs.WalkDir(os.DirFS(root), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (slices.Contains([]string{"bin", "dist", "node_modules", "testdata"}, entry.Name()) || path != "." && strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case strings.HasSuffix(path, ".go"):
			paths = append(paths, filepath.FromSlash(path))
		}
		return nil
	})
	return paths, err
}

// renameImports gives the imports of a Go file another module path, in the order that
// gofmt wants.
func renameImports(text []byte, from, to string) ([]byte, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "", text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	changed := false
	for _, i := range slices.Backward(file.Imports) {
		path, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return nil, err
		}
		inner, ours := strings.CutPrefix(path, from)
		if !ours || inner != "" && inner[0] != '/' || from == to {
			continue
		}
		start, end := i.Path.Pos()-file.FileStart, i.Path.End()-file.FileStart
		text, changed = slices.Concat(text[:start], []byte(strconv.Quote(to+inner)), text[end:]), true
	}
	if !changed {
		return text, nil
	}
	return format.Source(text)
}
