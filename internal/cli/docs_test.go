package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

// fence is a block of a page: its language and its lines.
type fence struct {
	language, text string
	line           int
}

var opening = regexp.MustCompile("^```([a-z]*)$")

func fences(page string) []fence {
	var list []fence
	inside := false
	for i, line := range strings.Split(page, "\n") {
		switch m := opening.FindStringSubmatch(line); {
		case inside && line == "```":
			inside = false
		case inside:
			list[len(list)-1].text += line + "\n"
		case m != nil:
			inside = true
			list = append(list, fence{language: m[1], line: i + 2})
		}
	}
	return list
}

// Commands in fences marked sh are run, page by page and in order, each page in
// a home of its own. A fence marked text right behind one is what it must print;
// … stands for anything. Commands that need another machine, a person or the
// network stand in fences marked console.
func TestCommandsInThePagesWork(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the pages are written for a POSIX shell")
	}
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	tested := 0
	for _, page := range append(pages, filepath.Join(root, "README.md")) {
		text := testenv.Read(t, page)
		blocks := fences(string(text))
		runnable := 0
		for _, b := range blocks {
			if b.language == "sh" {
				runnable++
			}
		}
		if runnable == 0 {
			continue
		}
		tested += runnable
		t.Run(strings.TrimSuffix(filepath.Base(page), ".md"), func(t *testing.T) {
			t.Parallel()
			database := ""
			if filepath.Base(page) == "scale.md" {
				database = onPostgres(t)
			}
			runPage(t, root, blocks, database, toolsOf(t, page)...)
		})
	}
	if tested < 5 {
		t.Errorf("only %d blocks are tested; the pages have lost their commands", tested)
	}
}

// keepState lets a block begin in the folder and with the variables in which the
// one before it ended, as in the shell of whoever types the page.
const keepState = `test ! -e "$HOME/.state" || . "$HOME/.state"
trap '{ export -p; echo "cd \"$PWD\""; } > "$HOME/.state"' EXIT
`

// toolsOf are programs of others that a page uses.
func toolsOf(t *testing.T, page string) []string {
	if filepath.Base(page) == "litestream.md" {
		return []string{litestreamBinary(t)}
	}
	return nil
}

// complaints are what 'toolkit doctor' finds wrong or worth a word.
var complaints = regexp.MustCompile(`(?m)^(problem|note) {2,}.*(\n +→.*)?`)

// runPage types a page; DB is the address of the database that it may use.
func runPage(t *testing.T, root string, blocks []fence, database string, others ...string) {
	s := newShell(t)
	testenv.Write(t, filepath.Join(s.home, ".state"), "export DB='"+database+"'\n")
	for _, folder := range []string{"docs", "deploy"} {
		if err := os.Symlink(filepath.Join(root, folder), filepath.Join(s.home, folder)); err != nil {
			t.Fatal(err)
		}
	}
	for _, program := range others {
		if err := os.Symlink(program, filepath.Join(s.bin, filepath.Base(program))); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { s.endLeft(t, "litestream"); s.endLeft(t, "toolkit") })
	writeExecutable(t, filepath.Join(s.home, "invoice.txt"), []byte("Invoice\nInvoice number: OS-471\nTotal   GBP 600.00\n"))
	if err := os.Mkdir(filepath.Join(s.home, "diary"), 0o700); err != nil { // a project of the reader's
		t.Fatal(err)
	}
	for i, b := range blocks {
		if b.language != "sh" {
			continue
		}
		out, err := s.run(t, keepState+b.text)
		if err != nil {
			t.Fatalf("line %d: %v\n%s%s", b.line, err, b.text, out)
		}
		if found := complaints.FindAllString(out, -1); found != nil {
			t.Errorf("line %d: whoever follows the page is told by doctor:\n%s", b.line, strings.Join(found, "\n"))
		}
		if i+1 < len(blocks) && blocks[i+1].language == "text" {
			if !pattern(blocks[i+1].text).MatchString(strings.TrimSpace(out)) {
				t.Errorf("line %d: the page promises\n%s\nbut it prints\n%s", b.line, blocks[i+1].text, out)
			}
		}
	}
}

// Whoever types the README's walk-through into a home of files, and installs for good,
// keeps these files, gets the usual database and the assistant's plugin, and nothing
// else stays.
func TestTheWalkThroughLeavesNothingButTheEntryAndThePluginOfTheAssistant(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the page is written for a POSIX shell")
	}
	text := testenv.Read(t, filepath.Join("..", "..", "README.md"))
	s := newShell(t)
	mine := filepath.Join(s.home, "Documents", "receipt.txt")
	if err := os.Mkdir(filepath.Dir(mine), 0o700); err != nil {
		t.Fatal(err)
	}
	writeExecutable(t, mine, []byte("mine"))
	typed := ""
	for _, b := range fences(string(text)) {
		if b.language == "sh" {
			typed += strings.ReplaceAll(b.text, " --dry-run", "")
		}
	}
	if out, err := s.run(t, typed); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	left, err := filepath.Glob(filepath.Join(s.home, "*"))
	if want := []string{filepath.Join(s.home, ".claude"), filepath.Join(s.home, ".claude.json"), filepath.Join(s.home, "Documents"), s.bin}; err != nil || !slices.Equal(left, want) {
		t.Errorf("the home holds %v, want %v", left, want)
	}
	within, err := filepath.Glob(filepath.Join(s.home, ".claude", "*", "*"))
	if want := []string{filepath.Join(s.home, ".claude", "skills", "toolkit")}; err != nil || !slices.Equal(within, want) {
		t.Errorf("the assistant's folder holds %v, want %v", within, want)
	}
	if kept, err := os.ReadFile(mine); err != nil || string(kept) != "mine" {
		t.Errorf("a file of the user holds %q, %v", kept, err)
	}
	if entry, err := os.ReadFile(filepath.Join(s.home, ".claude.json")); err != nil || strings.Contains(string(entry), "--db") {
		t.Errorf("the assistant's entry is %s, %v", entry, err)
	}
}

// pattern is what a page promises, with … for anything.
func pattern(text string) *regexp.Regexp {
	quoted := regexp.QuoteMeta(strings.TrimSpace(text))
	return regexp.MustCompile(`^(?s:` + strings.ReplaceAll(quoted, "…", ".*?") + `)$`)
}
