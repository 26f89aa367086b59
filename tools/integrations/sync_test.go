package integrations_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/tools"
)

// letters is a mailbox of n messages.
func letters(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "From %d@x Mon Jan 01 10:00:00 +0000 2024\nFrom: a%d@example.org\nSubject: letter number%d\nMessage-ID: <n%d@example.org>\nDate: Mon, 1 Jan 2024 10:00:00 +0000\n\nletter body number%d\n\n", i, i%7, i, i, i)
	}
	return b.String()
}

// checkAll sees that every letter is there once.
func (b *bench) checkAll(n int) {
	b.T.Helper()
	seen := map[string]int{}
	for _, r := range b.find(args{"limit": 1000}) {
		seen[r["properties"].(args)["subject"].(string)]++
	}
	if len(seen) != n || b.count() != n {
		b.T.Errorf("%d letters in %d records, want %d", len(seen), b.count(), n)
	}
	for subject, times := range seen {
		if times != 1 {
			b.T.Errorf("%s is there %d times", subject, times)
		}
	}
}

func TestASyncThatIsCancelledGoesOnWhereItEnded(t *testing.T) {
	b := newBench(t)
	const n = 150
	b.put("gmail/a.mbox", letters(n))
	b.put("gmail/packed.zip", zipped(t, member{name: "Takeout/Mail/b.mbox", contents: strings.ReplaceAll(letters(n), "number", "second")}))
	pages := 0
	for round := range 100 {
		ctx, cancel := context.WithCancel(context.Background())
		committed := 0
		raw := json.RawMessage(`{"provider":"gmail","limit":25}`)
		r := b.Send(ctx, tools.Request{Tool: "sync_provider_imports", Arguments: raw, Call: tools.Call{Progress: func(float64, float64, string) {
			if committed++; committed == 1+round%3 {
				cancel()
			}
		}}})
		cancel()
		pages += committed
		if !r.IsError {
			break
		}
		contains(t, "the error", r.Text, "SYNC_FAILED")
		contains(t, "the error", r.Text, `"records_added":`)
		contains(t, "the error", r.Text, `"retryable":true`)
	}
	b.checkAll(2 * n)
	if pages > 2*n/25+4 {
		t.Errorf("%d pages were committed, so some were read twice", pages)
	}
}

func TestACallEndsWithItsPagesAndTheNextGoesOn(t *testing.T) {
	b := newBench(t)
	b.put("gmail/a.mbox", letters(100))
	got, out := b.sync(args{"provider": "gmail", "limit": 10, "max_pages": 3})
	same(t, "the first call", fmt.Sprint(got, out["status"], out["has_more"], out["completed_at"]), "30 0 0 0pendingtrue <nil>")
	got, out = b.sync(args{"provider": "gmail", "limit": 10, "max_pages": 100})
	same(t, "the second call", fmt.Sprint(got, out["status"], out["has_more"]), "70 0 0 0completedfalse")
	got, _ = b.sync(args{"provider": "gmail"})
	same(t, "a third call", got, "0 0 0 0")
	got, _ = b.sync(args{"provider": "gmail", "sync_type": "initial"})
	same(t, "reading everything again", got, "0 0 100 0")
	b.checkAll(100)
}

func TestADeletedRecordStaysDeleted(t *testing.T) {
	b := newBench(t)
	b.put("gmail/a.mbox", letters(3))
	b.sync(args{"provider": "gmail"})
	id := b.find(args{"search": []string{"number1"}})[0]["id"]
	b.Call("delete_record", args{"id": id})
	got, _ := b.sync(args{"provider": "gmail", "sync_type": "initial"})
	same(t, "reading everything again", got, "0 0 3 0")
	same(t, "records", b.count(), 2)
}

func TestADeletedRecordStaysDeletedWhenItsArchiveChanges(t *testing.T) {
	b := newBench(t)
	const archive = `window.YTD.tweets.part0 = [{"tweet":{"id_str":"1","full_text":"first words"}},{"tweet":{"id_str":"2","full_text":"second words"}}]`
	b.put("x/tweets.js", archive)
	b.sync(args{"provider": "x"})
	b.Call("delete_record", args{"id": b.find(args{"search": []string{"first"}})[0]["id"]})
	b.put("x/tweets.js", strings.ReplaceAll(archive, "words", "remarks"))
	got, _ := b.sync(args{"provider": "x", "sync_type": "initial"})
	same(t, "reading the changed archive", got, "0 1 1 0")
	same(t, "records", b.count(), 1)
}

func TestOneBrokenFileCostsNoOther(t *testing.T) {
	b := newBench(t)
	b.put("x/a/tweets.js", `window.YTD.tweets.part0 = [{"tweet":{"id_str":"1","full_text":"first"}},{"tweet":`)
	b.put("x/b/tweets.js", `window.YTD.tweets.part0 = [{"tweet":{"id_str":"2","full_text":"second"}}]`)
	e := b.refuse("sync_provider_imports", args{"provider": "x"}, "SYNC_FAILED")
	stats := e.Error.Details["stats"].(args)
	same(t, "what was kept", fmt.Sprint(stats["records_added"], stats["errors"]), "2 1")
	contains(t, "the message", e.Error.Message, "a/tweets.js: it ends in the middle")
	same(t, "records", b.count(), 2)
	// Mended, it is read on.
	b.put("x/a/tweets.js", `window.YTD.tweets.part0 = [{"tweet":{"id_str":"1","full_text":"first"}},{"tweet":{"id_str":"3","full_text":"third"}}]`)
	got, _ := b.sync(args{"provider": "x"})
	same(t, "the mended archive", got, "1 0 1 0")
}

func TestRefusalsOfImportsAreDocumented(t *testing.T) {
	b := newBench(t)
	const tool = "sync_provider_imports"
	e := b.refuse(tool, args{"provider": "myspace"}, "PROVIDER_NOT_FOUND")
	same(t, "its status", e.Error.Details["http_status"], 404)
	e = b.refuse(tool, args{"provider": "gmail"}, "CONNECTOR_NOT_FOUND")
	same(t, "where the archive belongs", e.Error.Details["expected_path"], "imports/gmail/")
	contains(t, "the message", e.Error.Message, "imports/gmail/")
	b.put("gmail/readme.txt", "nothing")
	e = b.refuse(tool, args{"provider": "gmail"}, "CONNECTOR_NOT_FOUND")
	contains(t, "the message", e.Error.Message, ".mbox")
	for _, provider := range []string{"whatsapp", "slack", "telegram"} {
		b.put(provider+"/result.json", `{"messages":[]}`)
		e = b.refuse(tool, args{"provider": provider}, "CONNECTOR_NOT_FOUND")
		contains(t, "the message", e.Error.Message, "not understood yet")
	}
	b.put("gmail/a.mbox", letters(1))
	b.refuse(tool, args{"provider": "gmail", "connector_id": "550e8400-e29b-41d4-a716-446655440000"}, "CONNECTOR_NOT_FOUND")
	_, out := b.sync(args{"provider": "gmail"})
	b.sync(args{"provider": "gmail", "connector_id": out["connector_id"]})
	b.refuse(tool, args{}, "VALIDATION_ERROR")
	b.refuse(tool, args{"provider": "gmail", "sync_type": "all"}, "VALIDATION_ERROR")
	b.refuse(tool, args{"provider": "gmail", "limit": 0}, "VALIDATION_ERROR")
}

func TestHostileArchivesAreRefused(t *testing.T) {
	bomb := `[{"tweet":{"id_str":"1","full_text":"` + strings.Repeat("a", 200) + `"}}` + strings.Repeat(` `, 64<<20) + `]`
	for _, c := range []struct {
		name, provider, file, contents, says string
	}{
		{"a zip bomb", "x", "bomb.zip", zipped(t, member{name: "data/tweets.js", contents: "window.YTD = " + bomb}), "unpacks to far more"},
		{"an element without end", "x", "data/tweets.js", `window.YTD = ["` + strings.Repeat("a", 17<<20), "larger than any real one"},
		{"nesting without end", "x", "data/tweets.js", `window.YTD = [` + strings.Repeat("[", 100_000), "JSON is broken"},
		{"no JSON at all", "x", "data/tweets.js", "alert(1)", "no array"},
		{"an array that is none", "x", "data/tweets.js", strings.Repeat("x", 5000), "no array"},
		{"a broken mailbox", "gmail", "a.mbox", "\x00\x01\x02 binary", "no mailbox"},
		{"a broken calendar", "google_calendar", "a.ics", "<html>", "no calendar"},
		{"a calendar that ends early", "google_calendar", "a.ics", "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\n", "ends in the middle"},
		{"a ZIP that was cut short", "x", "a.zip", zipped(t, member{name: "data/tweets.js", contents: "window.YTD = []"})[:60], "a.zip: it is no ZIP archive, or a damaged one"},
		{"a ZIP that is none", "instagram", "a.zip", "<html>please log in</html>", "a.zip: it is no ZIP archive, or a damaged one"},
		{"an object for a list", "instagram", "posts_1.json", `{"a":1}`, "form of this export"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.put(c.provider+"/"+c.file, c.contents)
			e := b.refuse("sync_provider_imports", args{"provider": c.provider}, "SYNC_FAILED")
			contains(t, "the message", e.Error.Message, c.says)
		})
	}
}

func TestTheNewestOfSeveralExportsHasTheLastWord(t *testing.T) {
	post := func(text string) string {
		return `window.YTD.tweets.part0 = [{"tweet":{"id_str":"1","full_text":"` + text + `"}}]`
	}
	for name, c := range map[string]struct{ older, newer string }{
		"by name the older first": {"a/tweets.js", "b/tweets.js"},
		"by name the newer first": {"b/tweets.js", "a/tweets.js"},
		"a folder and a ZIP":      {"b/tweets.js", "a.zip"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			put := func(file, text string, day int) {
				contents := post(text)
				if strings.HasSuffix(file, ".zip") {
					contents = zipped(t, member{name: "tweets.js", contents: contents})
				}
				b.put("x/"+file, contents)
				at := time.Date(2025, 2, day, 0, 0, 0, 0, time.UTC)
				if err := os.Chtimes(filepath.Join(b.dir, "imports", "x", filepath.FromSlash(file)), at, at); err != nil {
					t.Fatal(err)
				}
			}
			put(c.newer, "as corrected", 2)
			put(c.older, "as first written", 1)
			for _, how := range []string{"incremental", "initial"} {
				b.sync(args{"provider": "x", "sync_type": how})
				found := b.find(args{"type": "post"})
				if len(found) != 1 {
					t.Fatalf("%s: %d records", how, len(found))
				}
				same(t, how, found[0]["properties"].(args)["text"], "as corrected")
			}
		})
	}
}

func TestArchivesThatPointElsewhereAreNotFollowed(t *testing.T) {
	b := newBench(t)
	b.put("secret.js", `window.YTD = [{"tweet":{"id_str":"666","full_text":"stolen"}}]`)
	good := `window.YTD = [{"tweet":{"id_str":"1","full_text":"good"}}]`
	stolen := `window.YTD = [{"tweet":{"id_str":"2","full_text":"stolen"}}]`
	b.put("x/a.zip", zipped(t, member{name: "data/tweets.js", contents: good}, member{name: "../../data/tweets.js", contents: stolen}, member{name: "/etc/tweet.js", contents: stolen},
		member{name: `..\tweet.js`, contents: stolen}, member{name: "data/like.js", contents: "/etc/passwd", mode: fs.ModeSymlink | 0o777}))
	if err := os.Symlink(filepath.Join(b.dir, "imports", "secret.js"), filepath.Join(b.dir, "imports", "x", "tweets.js")); err != nil {
		t.Skip("links cannot be made here:", err)
	}
	got, out := b.sync(args{"provider": "x"})
	same(t, "the outcome", got, "1 0 0 5")
	contains(t, "the warnings", fmt.Sprint(out["warnings"]), "links are not followed")
	contains(t, "the warnings", fmt.Sprint(out["warnings"]), "outside the archive")
	same(t, "stolen records", len(b.find(args{"search": []string{"stolen"}})), 0)
	if err := os.Symlink(filepath.Join(b.dir, "imports", "x"), filepath.Join(b.dir, "imports", "instagram")); err != nil {
		t.Fatal(err)
	}
	e := b.refuse("sync_provider_imports", args{"provider": "instagram"}, "CONNECTOR_NOT_FOUND")
	contains(t, "the message", e.Error.Message, "link")
}

// TestAKilledSyncLosesAndDoublesNothing kills a process of its own, with no
// chance to clean up, again and again.
func TestAKilledSyncLosesAndDoublesNothing(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "its process opens the file")
	if dir := os.Getenv("TOOLKIT_TEST_SYNC_AND_DIE"); dir != "" {
		b := openBench(t, dir, nil)
		b.Send(context.Background(), tools.Request{Tool: "sync_provider_imports", Arguments: json.RawMessage(`{"provider":"gmail","limit":20}`),
			Call: tools.Call{Progress: func(done, _ float64, _ string) {
				if done >= 60 {
					self, err := os.FindProcess(os.Getpid())
					if err == nil {
						self.Kill() //nolint:errcheck // nobody is left to report to
					}
					select {}
				}
			}}})
		return
	}
	b := newBench(t)
	const n = 200
	b.put("gmail/a.mbox", letters(n))
	killed := 0
	for range 20 {
		c := exec.Command(os.Args[0], "-test.run=^TestAKilledSyncLosesAndDoublesNothing$")
		c.Env = append(os.Environ(), "TOOLKIT_TEST_SYNC_AND_DIE="+b.dir)
		if err := c.Run(); err == nil {
			break
		}
		killed++
	}
	if killed < 3 {
		t.Errorf("the process was killed %d times only", killed)
	}
	b.checkAll(n)
	got, _ := b.sync(args{"provider": "gmail"})
	same(t, "a sync afterwards", got, "0 0 0 0")
}

func TestProgressNamesFilesAndCounts(t *testing.T) {
	b := newBench(t)
	b.put("gmail/a.mbox", letters(30))
	var heard []string
	last := 0.0
	b.Send(context.Background(), tools.Request{Tool: "sync_provider_imports", Arguments: json.RawMessage(`{"provider":"gmail","limit":10}`),
		Call: tools.Call{Progress: func(done, _ float64, message string) {
			if done < last {
				t.Errorf("progress went back from %v to %v", last, done)
			}
			last = done
			heard = append(heard, message)
		}}})
	if len(heard) < 3 || last != 30 {
		t.Fatalf("%d reports to %v", len(heard), last)
	}
	contains(t, "the first report", heard[0], "a.mbox: 10 added")
}
