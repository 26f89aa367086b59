package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"toolkit/internal/app"
	"toolkit/internal/soaktest"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// filledDatabase has content of every family and is closed.
func filledDatabase(t *testing.T, path string, steps int) {
	t.Helper()
	a, err := app.Open(t.Context(), app.Settings{DB: path, TimeoutFactor: 60})
	if err != nil {
		t.Fatal(err)
	}
	w := soaktest.NewWorker(1, 1, soaktest.NewPipelineCaller(a.Server.Pipeline))
	if err := w.CallEveryLoad(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

const pageSize = 4096

// damage copies a database with one page overwritten.
func damage(t *testing.T, whole []byte, page int) string {
	t.Helper()
	broken := append([]byte(nil), whole...)
	for i := range pageSize {
		broken[page*pageSize+i] = byte(rand.IntN(256))
	}
	path := filepath.Join(t.TempDir(), "damaged.db")
	testenv.Write(t, path, broken)
	return path
}

func rowsOf(t *testing.T, export string) (rows int, lost int) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(export), "\n")
	var end struct{ Rows, Lost int }
	toolstest.Decode(t, []byte(lines[len(lines)-1]), &end)
	return end.Rows, end.Lost
}

// A damaged page is found and the newest backup named; an export goes table by table, names
// those that it could not read as a whole, and what it wrote can be used again.
func TestADamagedPageIsFoundAndOtherTablesAreExported(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	path := database(t)
	filledDatabase(t, path, 150)
	archive := filepath.Join(t.TempDir(), "saved.zip")
	if _, stderr, code := run(t, "", "backup", archive, "--db", path); code != exitOK {
		t.Fatal(stderr)
	}
	noted := testenv.Read(t, path+".newest-backup")
	whole := testenv.Read(t, path)
	sound, _, _ := run(t, "", "export", "--all", "--db", path)
	all, _ := rowsOf(t, sound)
	pages := len(whole) / pageSize
	unread, hopeless := 0, 0
	for n := 0; n < 8 && (n < 3 || unread == 0); n++ {
		page := pages/10 + n*(pages*8/10)/8 // not the first pages, which hold the schema
		damaged := damage(t, whole, page)
		testenv.Write(t, damaged+".newest-backup", noted)
		if stdout, _, code := run(t, "", "doctor", "--db", damaged); code != exitFailure || !strings.Contains(stdout, "damaged") || !strings.Contains(stdout, "toolkit restore "+archive) {
			t.Errorf("page %d: doctor says %d: %s", page, code, stdout)
		}
		exported, stderr, code := run(t, "", "export", "--all", "--db", damaged)
		if exported == "" {
			// Where the tables are is said in a few pages, without which nothing is found.
			if hopeless++; hopeless > 2 || !strings.Contains(stderr, "says where its tables are") {
				t.Errorf("page %d: nothing was saved: %s", page, stderr)
			}
			continue
		}
		rows, lost := rowsOf(t, exported)
		if lost > 0 {
			unread++
			if code != exitFailure || strings.Count(stderr, "could not be read as a whole") != lost || rows > all {
				t.Errorf("page %d: %d tables not read to their end, %d of %d rows, exit code %d, %s", page, lost, rows, all, code, stderr)
			}
		} else if code != exitOK || rows != all {
			t.Errorf("page %d: %d of %d rows, exit code %d, %s", page, rows, all, code, stderr)
		}
		useAgain(t, exported, lost)
	}
	if unread == 0 {
		t.Error("no page that holds rows was hit; damage others")
	}
}

// useAgain imports what was saved of a damaged database.
func useAgain(t *testing.T, exported string, lost int) {
	t.Helper()
	fresh := filepath.Join(t.TempDir(), "data", "toolkit.db")
	if lost > 0 {
		if _, stderr, code := run(t, exported, "import", "-", "--db", fresh); code != exitFailure || !strings.Contains(stderr, "--partial") {
			t.Errorf("a file with gaps came in unasked: %d, %s", code, stderr)
		}
	}
	if _, stderr, code := run(t, exported, "import", "-", "--partial", "--db", fresh); code != exitOK {
		t.Errorf("what was saved does not come in: %s", stderr)
		return
	}
	if stdout, _, code := run(t, "", "doctor", "--deep", "--fix", "--db", fresh); code != exitOK {
		t.Errorf("what was saved is not sound: %s", stdout)
	}
	if stdout, _, code := run(t, "", "doctor", "--deep", "--db", fresh); code != exitOK {
		t.Errorf("what was saved is not sound after repair: %s", stdout)
	}
}

// Tools over a damaged file answer, or say plainly that it is damaged.
func TestToolsOverADamagedFileSaySo(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	path := database(t)
	filledDatabase(t, path, 100)
	whole := testenv.Read(t, path)
	told := 0
	for page := 40; page < len(whole)/pageSize; page += 27 {
		told += toldOf(t, damage(t, whole, page))
	}
	if told < 2 {
		t.Errorf("only %d calls noticed", told)
	}
}

// toldOf calls every tool and counts those that say the file is damaged. Other
// failures of the machine are wrong.
func toldOf(t *testing.T, path string) (told int) {
	t.Helper()
	a, err := app.Open(t.Context(), app.Settings{DB: path, TimeoutFactor: 60})
	if err != nil {
		if !strings.Contains(err.Error(), "damaged") {
			t.Error(err)
		}
		return 0
	}
	defer a.Close()
	for _, d := range a.Server.Pipeline.ListVisibleTools() {
		for _, e := range d.Examples() {
			r, err := a.Server.Pipeline.Call(t.Context(), tools.Request{Tool: d.Name, Arguments: e.Params})
			if err != nil {
				t.Fatal(err)
			}
			if r.IsError && r.Meta["errorKind"] == "system" {
				told++
				if !strings.Contains(r.Text, "damaged") || strings.Contains(r.Text, "SQL") {
					t.Errorf("%s: %s", d.Name, r.Text)
				}
			}
		}
	}
	return told
}

// A disk that is full, a real one: nothing half-written, a sentence, and what
// was there stays.
func TestAFullDiskStopsEveryCommandCleanly(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	disk := smallDisk(t, "128k")
	path := database(t)
	filledDatabase(t, path, 150) // more than the disk holds
	for name, args := range map[string][]string{
		"backup": {"backup", filepath.Join(disk, "b.zip")},
		"export": {"export", "--all", filepath.Join(disk, "e.jsonl")},
	} {
		stdout, stderr, code := run(t, "", append(args, "--db", path)...)
		if code != exitFailure || stdout != "" || !strings.Contains(stderr, "full") && !strings.Contains(stderr, "no space") {
			t.Errorf("%s: exit code %d, %q, %q", name, code, stdout, stderr)
		}
		if left, err := os.ReadDir(disk); err != nil || len(left) != 0 {
			t.Errorf("%s left %v, %v", name, left, err)
		}
	}
	archive := filepath.Join(t.TempDir(), "b.zip")
	if _, stderr, code := run(t, "", "backup", archive, "--db", path); code != exitOK {
		t.Fatal(stderr)
	}
	if _, stderr, code := run(t, "", "restore", archive, "--db", filepath.Join(disk, "t.db")); code != exitFailure || !strings.Contains(stderr, "free") {
		t.Errorf("restore: %d, %q", code, stderr)
	}
	if left, err := os.ReadDir(disk); err != nil || len(left) != 0 {
		t.Errorf("restore left %v, %v", left, err)
	}
	serveOnFullDisk(t, filepath.Join(smallDisk(t, "3m"), "t.db")) // an empty database and its log take more than two
}

func serveOnFullDisk(t *testing.T, path string) {
	c := serve(t, path)
	stored := 0
	for ; ; stored++ {
		if err := c.send("create_entities", map[string]any{"entities": []any{map[string]any{"name": fmt.Sprintf("n%d", stored), "entityType": "t", "observations": []string{strings.Repeat("filler ", 3000)}}}}); err != nil {
			t.Fatal(err)
		}
		a, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		if a.Result.IsError {
			if !strings.Contains(a.Result.Content[0].Text, "the disk is full") {
				t.Errorf("%s", a.Result.Content[0].Text)
			}
			break
		}
	}
	var graph struct{ Entities []json.RawMessage }
	if err := json.Unmarshal(c.call("read_graph", map[string]any{}), &graph); err != nil || len(graph.Entities) != stored || stored == 0 {
		t.Errorf("%d stored, %d found, %v", stored, len(graph.Entities), err)
	}
}

// smallDisk is a file system of its own.
func smallDisk(t *testing.T, size string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("a small file system is made on Linux only")
	}
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("mounting a small file system is not allowed here: %s", out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", "-l", folder).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return folder
}

// ownFolder is a folder that the unprivileged user owns, with the program in it.
func ownFolder(t *testing.T) (folder, programPath string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes")
	}
	outer := t.TempDir()
	for d := outer; strings.HasPrefix(d, os.TempDir()) && d != os.TempDir(); d = filepath.Dir(d) {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	programPath = filepath.Join(outer, "program")
	placeProgram(t, programPath)
	folder = filepath.Join(outer, "data")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		if err := os.Chown(folder, nobody, nobody); err != nil {
			t.Fatal(err)
		}
	}
	return folder, programPath
}

const nobody = 65534

// unprivileged prepares a run as a user whom modes bind.
func unprivileged(t *testing.T, programPath string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := program(t, args...)
	cmd.Path, cmd.Args[0] = programPath, programPath
	if os.Geteuid() == 0 {
		asNobody(cmd)
	}
	return cmd
}

func output(t *testing.T, cmd *exec.Cmd) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestAFolderThatMayNotBeWrittenIsExplained(t *testing.T) {
	t.Parallel()
	folder, programPath := ownFolder(t)
	db := filepath.Join(folder, "toolkit.db")
	create := unprivileged(t, programPath, "call", "create_entities", `{"entities":[{"name":"A","entityType":"t","observations":["seen"]}]}`)
	create.Env = append(create.Env, "TOOLKIT_DB="+db)
	if _, stderr, code := output(t, create); code != exitOK {
		t.Fatal(stderr)
	}
	archive := filepath.Join(filepath.Dir(folder), "b.zip")
	if _, stderr, code := output(t, program(t, "backup", archive, "--db", db)); code != exitOK {
		t.Fatal(stderr)
	}
	if err := os.Chmod(archive, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(folder, 0o700) //nolint:errcheck // so that it can be removed
	for name, tc := range map[string]struct {
		args []string
		want string
	}{
		"a server":   {[]string{"serve", "--stdio"}, "folder"},
		"a backup":   {[]string{"backup", filepath.Join(folder, "x.zip")}, "folder"},
		"an export":  {[]string{"export", "--all", filepath.Join(folder, "x.jsonl")}, "folder"},
		"a restore":  {[]string{"restore", archive, "--force"}, "permission denied"},
		"an upgrade": {[]string{"doctor", "--fix", "--deep"}, "permissions"},
	} {
		stdout, stderr, code := output(t, unprivileged(t, programPath, append(tc.args, "--db", db)...))
		if code != exitFailure || !strings.Contains(stdout+stderr, tc.want) || strings.Contains(stderr, "panic") {
			t.Errorf("%s: exit code %d, %q, %q", name, code, stdout, stderr)
		}
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if stdout, stderr, code := output(t, unprivileged(t, programPath, "call", "open_nodes", `{"names":["A"]}`, "--db", db)); code != exitOK || !strings.Contains(stdout, "seen") {
		t.Errorf("%d, %s, %s", code, stdout, stderr)
	}
}

// Rights that are taken away while a server runs: calls answer or say what is
// wrong, and nothing that was acknowledged is lost.
func TestRightsLostAtRunTimeLoseNoData(t *testing.T) {
	t.Parallel()
	folder, programPath := ownFolder(t)
	db := filepath.Join(folder, "toolkit.db")
	cmd := unprivileged(t, programPath, "serve", "--stdio", "--db", db, "--log-level", "error")
	c := attach(t, cmd)
	acknowledged := map[string]bool{}
	refused := 0
	write := func(name string) {
		if err := c.send("create_entities", oneEntity(name)); err != nil {
			t.Fatal(err)
		}
		a, err := c.read()
		if err != nil {
			t.Fatal(err)
		}
		if !a.Result.IsError {
			acknowledged[name] = true
			return
		}
		refused++
		if text := a.Result.Content[0].Text; !strings.Contains(text, "permissions") && !strings.Contains(text, "may no longer be written") {
			t.Errorf("%s", text)
		}
	}
	for i := range 20 {
		write(fmt.Sprintf("before %d", i))
	}
	lock := func(file, dir os.FileMode) {
		for _, ending := range []string{"", "-wal", "-shm"} {
			if err := os.Chmod(db+ending, file); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		if err := os.Chmod(folder, dir); err != nil {
			t.Fatal(err)
		}
	}
	lock(0, 0o500)
	for i := range 20 {
		write(fmt.Sprintf("without rights %d", i))
		if err := c.send("search_nodes", map[string]any{"query": "before"}); err != nil {
			t.Fatal(err)
		}
		if a, err := c.read(); err != nil {
			t.Fatal(err)
		} else if a.Result.IsError && !strings.Contains(a.Result.Content[0].Text, "permissions") {
			t.Errorf("%s", a.Result.Content[0].Text)
		}
	}
	// Another server cannot start, and says why.
	if _, stderr, code := output(t, unprivileged(t, programPath, "serve", "--stdio", "--db", db)); code != exitFailure || !strings.Contains(stderr, "check that you may read and write it") {
		t.Errorf("a second server: %d, %s", code, stderr)
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	lock(0o600, 0o700)
	for i := range 5 {
		write(fmt.Sprintf("after %d", i))
	}
	c.in.Close()
	cmd.Wait() //nolint:errcheck // the database tells
	stored := names(t, db)
	for name := range acknowledged {
		if !stored[name] {
			t.Errorf("%s was acknowledged and is gone", name)
		}
	}
	if len(acknowledged) < 25 || len(stored) != len(acknowledged) {
		t.Errorf("%d acknowledged, %d refused, %d stored", len(acknowledged), refused, len(stored))
	}
}
