package cli

import (
	"crypto/sha256"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// onPostgres is the address of a new database of the PostgreSQL that scripts/postgres.sh
// started.
func onPostgres(t *testing.T) string {
	t.Helper()
	server, bin := os.Getenv("TOOLKIT_TEST_POSTGRES"), os.Getenv("POSTGRES_BIN")
	if server == "" || bin == "" {
		t.Skip("there is no PostgreSQL: scripts/postgres.sh runs tests beside one")
	}
	address, err := url.Parse(server)
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("cli_%x", sha256.Sum256([]byte(t.Name())))[:20]
	for _, args := range [][]string{{"dropdb", "--if-exists", "--force", name}, {"createdb", name}} {
		if out, err := exec.Command(filepath.Join(bin, args[0]), append([]string{"-h", address.Query().Get("host"), "-U", address.User.Username()}, args[1:]...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v %s", args, err, out)
		}
	}
	address.Path = "/" + name
	return address.String()
}

func TestFourServersOnOnePostgresLoseNothingWhenTheyAreKilled(t *testing.T) {
	const servers, rounds = 4, 3
	db := onPostgres(t)
	acknowledged := make([]map[string]bool, servers)
	inParallel(servers, func(s int) {
		acknowledged[s] = map[string]bool{}
		for round := range rounds {
			serve(t, db).untilKilled(15+5*s, acknowledged[s], "create_entities", func(i int) (string, any) {
				name := fmt.Sprintf("s%d-r%d-n%d", s, round, i)
				return name, oneEntity(name)
			})
		}
	})
	stored, all := names(t, db), 0
	for _, of := range acknowledged {
		for name := range of {
			all++
			if !stored[name] {
				t.Errorf("%s was acknowledged and is gone", name)
			}
		}
	}
	if all < servers*rounds*15 || len(stored) > all+servers*rounds {
		t.Errorf("%d acknowledged, %d stored", all, len(stored))
	}
}

// What one server writes, the other tells at once: of graph, memory and documents.
func TestTwoServersOnOnePostgresSeeEachOther(t *testing.T) {
	db := onPostgres(t)
	one, other := serve(t, db), serve(t, db)
	one.call("create_entities", oneEntity("Anna"))
	if found := string(other.call("search_nodes", map[string]any{"query": "Anna"})); !strings.Contains(found, `"Anna"`) {
		t.Errorf("the graph: %s", found)
	}
	other.call("store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": "The alpacas graze near Cusco."})
	if found := string(one.call("hybrid_search", map[string]any{"query_text": "where do the alpacas graze?", "source_types": []string{"l0"}})); !strings.Contains(found, "Cusco") {
		t.Errorf("memory: %s", found)
	}
	one.call("store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": "The tram is late."})
	if found := string(other.call("recall", map[string]any{"query": "is the tram late?"})); !strings.Contains(found, "tram is late") {
		t.Errorf("recall: %s", found)
	}
}

func TestEverythingMovesToPostgresAndBack(t *testing.T) {
	server := onPostgres(t)
	folder := t.TempDir()
	file, back := filepath.Join(folder, "a.db"), filepath.Join(folder, "b", "toolkit.db")
	c := serve(t, file)
	c.call("create_entities", oneEntity("Anna \x00 with a NUL and \U0010FFFF"))
	c.call("store_raw_dialogue", map[string]any{"session_id": "s", "speaker": "user", "content": "The alpacas graze near Cusco."})
	c.call("submit_payload", map[string]any{"capability_id": "neotoma:store_invoice:v1", "body": map[string]any{"invoice_number": "L-1", "amount": 12.5, "currency": "EUR", "vendor_name": "Oak"},
		"provenance": map[string]any{"source_refs": []string{"a letter"}, "extracted_at": "2026-01-01T00:00:00Z", "extractor_version": "1"}})
	c.end()
	export := func(db string) string {
		t.Helper()
		text := succeed(t, "export", "--all", "--db", db)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		return strings.Join(lines[1:len(lines)-1], "\n") // the first tells when it was made, the last its hash
	}
	before := export(file)
	succeed(t, "move", file, server)
	if export(server) != before {
		t.Error("an export of PostgreSQL is another than that of the file")
	}
	if found := succeed(t, "recall", "alpacas", "--db", server); !strings.Contains(found, "Cusco") {
		t.Errorf("what was moved is not found: %s", found)
	}
	if _, complaint, code := run(t, "", "move", file, server); code != exitFailure || !strings.Contains(complaint, "already") {
		t.Errorf("a second move: %d %s", code, complaint)
	}
	before = export(server) // the recall was counted
	succeed(t, "move", server, back)
	if export(back) != before {
		t.Error("an export of what came back is another")
	}
	if found := succeed(t, "recall", "alpacas", "--db", back); !strings.Contains(found, "Cusco") {
		t.Errorf("what came back is not found: %s", found)
	}
	succeed(t, "doctor", "--deep", "--db", back)
}

// An export of either engine comes in on PostgreSQL.
func TestAnExportOfAFileComesInOnPostgres(t *testing.T) {
	server, folder := onPostgres(t), t.TempDir()
	file, all := filepath.Join(folder, "a.db"), filepath.Join(folder, "all.jsonl")
	c := serve(t, file)
	c.call("create_entities", oneEntity("Anna"))
	c.end()
	succeed(t, "export", "--all", all, "--db", file)
	succeed(t, "import", all, "--db", server)
	if !names(t, server)["Anna"] {
		t.Error("what was imported is not there")
	}
}

// succeed runs a command that must end well and returns what it prints.
func succeed(t *testing.T, args ...string) string {
	t.Helper()
	out, complaint, code := run(t, "", args...)
	if code != exitOK {
		t.Fatalf("toolkit %s ends with %d: %s", strings.Join(args, " "), code, complaint)
	}
	return out
}

// A space is chosen on the command line too, on either engine.
func TestASpaceOfAPostgresOrAFileIsChosenByItsName(t *testing.T) {
	for name, db := range map[string]string{"a file": database(t), "postgres": onPostgres(t)} {
		serve(t, db, "--space", "anna").call("create_entities", oneEntity("Anna's"))
		serve(t, db).call("create_entities", oneEntity("everybody's"))
		for space, want := range map[string]string{"anna": "Anna's", "": "everybody's"} {
			listed := succeed(t, "call", "read_graph", "--db", db, "--space", space)
			if !strings.Contains(listed, want) || strings.Count(listed, `"entityType"`) != 1 {
				t.Errorf("%s, space %q: %s", name, space, listed)
			}
		}
		if report := succeed(t, "doctor", "--db", db, "--space", "anna"); !strings.Contains(report, "ok       memory indexes") {
			t.Errorf("%s: %s", name, report)
		}
		if _, complaint, code := run(t, "", "export", "--db", db, "--space", "../anna"); code == exitOK || !strings.Contains(complaint, "no name of a space") {
			t.Errorf("%s: %d %s", name, code, complaint)
		}
	}
}
