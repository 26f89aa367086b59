package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// sourceFile is a Go file of the repository that is no test.
type sourceFile struct {
	path    string // slash-separated, from the root
	folder  string
	imports []string
	tree    *ast.File
}

func sources(t *testing.T) []sourceFile {
	t.Helper()
	root := filepath.Join("..", "..")
	var files []sourceFile
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
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
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files found, %v", len(files), err)
	}
	return files
}

func TestArrowsPointOneWay(t *testing.T) {
	for _, f := range sources(t) {
		for _, i := range f.imports {
			inner, ours := strings.CutPrefix(i, "toolkit/")
			switch {
			case strings.HasPrefix(f.folder, "tools/") && strings.HasPrefix(inner, "tools/") && family(f.folder) != family(inner):
				t.Errorf("%s: a family imports another family, %s", f.path, i)
			case f.folder == "tools" && strings.HasPrefix(inner, "tools/"):
				t.Errorf("%s: the contract imports a family, %s", f.path, i)
			case strings.HasPrefix(f.folder, "tools") && ours && (inner == "internal/cli" || inner == "internal/app" || inner == "internal/stdio" || inner == "internal/web"):
				t.Errorf("%s: tools import what is above them, %s", f.path, i)
			case f.folder == "store" && ours && strings.HasPrefix(inner, "tools"):
				t.Errorf("%s: the store imports rules, %s", f.path, i)
			case f.folder == "internal/language" && ours && inner != "fixtures":
				t.Errorf("%s: words stand below everything, but import %s", f.path, i)
			case f.folder != inner && (inner == "internal/toolstest" || inner == "store/storetest"):
				t.Errorf("%s: only tests import %s", f.path, i)
			case !strings.HasPrefix(f.folder, "scripts/") && inner == "internal/plaid/standin":
				t.Errorf("%s: only tests and scripts import %s", f.path, i)
			case f.folder != "store" && (i == "database/sql" || strings.HasPrefix(i, "modernc.org/sqlite")):
				t.Errorf("%s: SQL outside store", f.path)
			case strings.HasPrefix(f.folder, "tools/") && (strings.HasPrefix(i, "github.com/mark3labs/") || i == "log/slog"):
				t.Errorf("%s: a family knows of the protocol or of logging, %s", f.path, i)
			}
		}
	}
}

func family(folder string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(folder, "tools/"), "/")
	return name
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
			if name == "fmt.Print" || name == "fmt.Println" || name == "fmt.Printf" || (name == "os.Stdout" && f.path != "main.go") {
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
	text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(path)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
