package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"toolkit/internal/testenv"
)

// sourceFile is a Go file of the repository that is no test.
type sourceFile struct {
	path    string // slash-separated, from the root
	folder  string
	imports []string
	tree    *ast.File
}

// sources are read once for all tests.
func sources(t *testing.T) []sourceFile {
	t.Helper()
	files, err := readSources()
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files found, %v", len(files), err)
	}
	return files
}

var readSources = sync.OnceValues(func() (files []sourceFile, err error) {
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == ".git") {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f := sourceFile{path: filepath.ToSlash(relative), tree: tree}
		f.folder = f.path[:max(0, strings.LastIndex(f.path, "/"))]
		for _, i := range tree.Imports {
			f.imports = append(f.imports, strings.Trim(i.Path.Value, `"`))
		}
		files = append(files, f)
		return nil
	})
	return files, err
})

// modulePrefix is what the imports of our own packages begin with.
func modulePrefix(t *testing.T) string {
	t.Helper()
	first, _, _ := strings.Cut(string(testenv.Read(t, filepath.Join("..", "..", "go.mod"))), "\n")
	return strings.TrimPrefix(first, "module ") + "/"
}

// layers of the house, lowest first. Each name is a group of packages: the folder
// and what lies in it, unless a longer name claims that. A package imports its own
// group and the layers below; so a family never imports another, and neither does
// an engine.
var layers = [][]string{
	{"fixtures", "plugins", "internal/testenv", "internal/lazyregexp"},
	{"internal/connections", "internal/language", "internal/httpclient"},
	{"internal/reader/value", "internal/reader/xmltree"},
	{"internal/capture/redact"},
	{"store", "embed"},
	{"internal/storetest"},
	{"internal/orientation", "internal/reality", "internal/reader", "internal/capture/notice", "internal/capture/transcripts"},
	{"internal/search"},
	{"tools"},
	{"tools/charts", "tools/entities", "tools/forget", "tools/graph", "tools/integrations", "tools/memory", "tools/pockets", "tools/recall", "tools/toolset"},
	{"internal/toolstest", "internal/plaidtest"},
	{"internal/capture"},
	{"internal/capture/hooks", "internal/server", "internal/view", "internal/transfer"},
	{"internal/app"},
	{"internal/admin"},
	{"internal/soaktest"},
	{"internal/cli"},
	{"main", "scripts"},
}

// groupOf is the group of a folder and the layer it is in.
func groupOf(t *testing.T, folder string) (group string, layer int) {
	t.Helper()
	if folder == "" {
		folder = "main"
	}
	for i, groups := range layers {
		for _, g := range groups {
			holds := folder == g || strings.HasPrefix(folder, g+"/") && g != "tools" // what is below tools is named
			if holds && len(g) > len(group) {
				group, layer = g, i
			}
		}
	}
	if group == "" {
		t.Fatalf("%s stands in no layer of the house: name it in this test", folder)
	}
	return group, layer
}

// rowPackages are those below package store that read and write rows. They run
// SQL through store/internal/query, which the compiler keeps from everybody who is
// not under store.
var rowPackages = []string{
	"store/sessions", "store/telemetry", "store/kinds", "store/memory", "store/graph", "store/pockets", "store/records", "store/entities",
}

func TestRowsStandOnTheEngineAloneAndNotOnOneAnother(t *testing.T) {
	module := modulePrefix(t)
	for _, f := range sources(t) {
		for _, i := range f.imports {
			inner := strings.TrimPrefix(i, module)
			if slices.Contains(rowPackages, inner) && strings.HasPrefix(f.folder+"/", "store/") {
				t.Errorf("%s: the engine and rows import rows, %s", f.path, i)
			}
			if inner == "store/internal/query" && !slices.Contains(append(rowPackages, "store", "store/internal/plantest", "store/internal/postgres"), f.folder) {
				t.Errorf("%s: SQL beside the engine and its rows", f.path)
			}
		}
	}
}

func TestOnlyTheStoreAndItsTestsRedirectDatabases(t *testing.T) {
	for _, f := range sources(t) {
		if strings.HasPrefix(f.folder+"/", "store/") || f.folder == "internal/storetest" {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if selected, ok := n.(*ast.SelectorExpr); ok && (selected.Sel.Name == "Redirect" || selected.Sel.Name == "NewFile") {
				if from, ok := selected.X.(*ast.Ident); ok && from.Name == "localfile" {
					t.Errorf("%s: only the store and its test helpers use localfile.%s", f.path, selected.Sel.Name)
				}
			}
			return true
		})
	}
}

func TestArrowsPointOneWay(t *testing.T) {
	module := modulePrefix(t)
	for _, f := range sources(t) {
		group, own := groupOf(t, f.folder)
		family := strings.HasPrefix(group, "tools/")
		for _, i := range f.imports {
			inner, ours := strings.CutPrefix(i, module)
			if ours {
				if other, its := groupOf(t, inner); its > own || its == own && other != group {
					t.Errorf("%s: imports what is above or beside it, %s", f.path, i)
				}
			}
			switch {
			case f.folder != inner && f.folder != "internal/toolstest" && f.folder != "internal/storetest" && slices.Contains([]string{"internal/toolstest", "internal/storetest", "internal/testenv", "store/internal/plantest"}, inner):
				t.Errorf("%s: only tests import %s", f.path, i)
			case !strings.HasPrefix(f.folder, "scripts/") && inner == "internal/plaidtest":
				t.Errorf("%s: only tests and scripts import %s", f.path, i)
			case group != "store" && group != "internal/storetest" && (i == "database/sql" || strings.HasPrefix(i, "modernc.org/sqlite")):
				t.Errorf("%s: SQL outside store", f.path)
			case family && f.folder != "tools/integrations/telemetry" && (strings.HasPrefix(i, "github.com/mark3labs/") || i == "log/slog"):
				t.Errorf("%s: a family knows of the protocol or of logging, %s", f.path, i)
			}
		}
	}
}

// Standard output carries JSON-RPC: only main hands it to a command.
func TestNobodyWritesToStandardOutputBehindTheCommandsBack(t *testing.T) {
	for _, f := range sources(t) {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := call.X.(*ast.Ident)
			if !ok {
				return true
			}
			name := pkg.Name + "." + call.Sel.Name
			if name == "fmt.Print" || name == "fmt.Println" || name == "fmt.Printf" || (name == "os.Stdout" && f.path != "main.go" && !strings.HasPrefix(f.folder, "scripts/")) {
				t.Errorf("%s uses %s", f.path, name)
			}
			return true
		})
	}
}

func TestEveryPackageExplainsItselfOnce(t *testing.T) {
	documented := map[string]int{}
	for _, f := range sources(t) {
		if f.tree.Doc != nil {
			documented[f.folder]++
		} else {
			documented[f.folder] += 0
		}
	}
	for folder, n := range documented {
		if n != 1 {
			t.Errorf("%s has %d package comments", folder, n)
		}
	}
}

func TestFilesStayReadable(t *testing.T) {
	const longest = 500
	for _, f := range sources(t) {
		if lines := strings.Count(readSource(t, f.path), "\n"); lines > longest {
			t.Errorf("%s has %d lines; split it", f.path, lines)
		}
	}
}

func readSource(t *testing.T, path string) string {
	t.Helper()
	return string(testenv.Read(t, filepath.Join("..", "..", filepath.FromSlash(path))))
}

// Where code looks methods up by name, the linker keeps every exported method of the program:
// six of its forty megabytes. Cobra brings templates along, and uses them where it is given one.
func TestNothingLooksMethodsUpByName(t *testing.T) {
	forbidden := []string{"text/template", "html/template", "github.com/json-iterator/"}
	for _, f := range sources(t) {
		for _, path := range f.imports {
			for _, prefix := range forbidden {
				if strings.HasPrefix(path, prefix) {
					t.Errorf("%s imports %s", f.path, path)
				}
			}
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if ok && (strings.HasSuffix(call.Sel.Name, "Template") && strings.HasPrefix(call.Sel.Name, "Set") || call.Sel.Name == "MethodByName") {
				t.Errorf("%s uses %s", f.path, call.Sel.Name)
			}
			return true
		})
	}
}

// TestContributorsAreSentToFilesThatExist: a path that CONTRIBUTING.md names is
// there, but for that of the tool which it invents.
func TestContributorsAreSentToFilesThatExist(t *testing.T) {
	invented := map[string]bool{"tools/charts/due.go": true, "tools/charts/due_test.go": true}
	paths := regexp.MustCompile("`((?:tools|store|embed|fixtures|internal|scripts|docs)(?:/[a-z0-9_.-]+)*)`").FindAllStringSubmatch(readSource(t, "CONTRIBUTING.md"), -1)
	if len(paths) < 20 {
		t.Errorf("%d paths are named", len(paths))
	}
	for _, p := range paths {
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(p[1]))); err != nil && !invented[p[1]] {
			t.Errorf("%s is named and is not there", p[1])
		}
	}
}
