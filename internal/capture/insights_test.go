package capture

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/kinds"
	memoryrows "toolkit/store/memory"
	"toolkit/tools/memory"
)

// insights are those that stand, in the order of what was said, without the mark at the
// end. One that somebody wrote begins with "by hand: ".
func (b *bench) insights() (list []string) {
	b.Helper()
	rows := storetest.ReadValue(b, b.Store, func(tx *store.Tx) ([]memoryrows.Insight, error) {
		return memoryrows.In(tx).Insights(memoryrows.InsightFilter{Limit: 1000})
	})
	slices.Reverse(rows)
	for _, i := range rows {
		text := strings.TrimRight(i.Content, ".!")
		if memory.ExtractedKindOf(&i) == "" {
			text = "by hand: " + text
		}
		list = append(list, text)
	}
	return list
}

// talk is a line of Claude Code, some days after ten o'clock on the first of March.
func talk(day int, session, folder, speaker, text string) string {
	line := said(fmt.Sprint(session, "-", day, "-", speaker, "-", text), session, speaker, text)
	line = strings.Replace(line, "2026-03-01T10:00:00Z", clock(time.Duration(day)*24*time.Hour), 1)
	return strings.Replace(line, "/srv/shop", folder, 1)
}

func TestCaptureExtractsInsightsFromStatementsOfTheUser(t *testing.T) {
	user := func(text string) string { return talk(1, "s", "/srv/shop", "user", text) }
	for name, test := range map[string]struct {
		lines []string
		want  []string
	}{
		"a decision":                     {[]string{user("We switched from Jest to Vitest last week. Run the tests!")}, []string{"We switched from Jest to Vitest last week"}},
		"said again in the session":      {[]string{user("We decided to use SQLite for the billing."), talk(2, "s", "/srv/shop", "user", "We decided to use SQLite for the billing!")}, []string{"We decided to use SQLite for the billing"}},
		"the assistant":                  {[]string{talk(1, "s", "/srv/shop", "assistant", "We decided to use SQLite for the billing.")}, nil},
		"the prompt of a side chain":     {[]string{strings.Replace(user("We decided to use SQLite for the billing."), `{"type"`, `{"isSidechain":true,"type"`, 1)}, nil},
		"something that was redacted":    {[]string{user("Remember that the password is Zwetschgen77.")}, nil},
		"what is asked to be remembered": {[]string{user("Remember that the bins go out on Tuesday. And run the tests.")}, []string{"the bins go out on Tuesday"}},
		"two statements on one topic stay": {[]string{user("We decided to use Postgres for the billing."), talk(2, "t", "/srv/shop", "user", "We decided to use SQLite for the billing.")},
			[]string{"We decided to use Postgres for the billing", "We decided to use SQLite for the billing"}},
		"an allergy":                    {[]string{user("I'm allergic to penicillin.")}, []string{"I'm allergic to penicillin"}},
		"a person said in two projects": {[]string{user("My wife's name is Clara."), talk(2, "t", "/srv/bakery", "user", "My wife's name is Clara.")}, []string{"My wife's name is Clara"}},
		"a port said in two projects": {[]string{user("Our API listens on port 9090."), talk(2, "t", "/srv/bakery", "user", "Our API listens on port 9090.")},
			[]string{"Our API listens on port 9090", "Our API listens on port 9090"}},
		"how to answer said in two projects": {[]string{user("Answer in short sentences, no bullet points."), talk(2, "t", "/srv/bakery", "user", "Answer in short sentences, no bullet points.")}, []string{"Answer in short sentences, no bullet points"}},
		"a request to forget":                {[]string{user("forget what I said about the widget")}, nil},
		"a command":                          {[]string{user("run the tests again")}, nil},
		"a question":                         {[]string{user("which port does our API listen on?")}, nil},
		"code":                               {[]string{user("fix this\n```go\nconst preferred = \"we always use tabs\"\n```")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.capture(b.put("s.jsonl", strings.Join(test.lines, "")))
			if diff := cmp.Diff(test.want, b.insights()); diff != "" {
				t.Error(diff)
			}
			b.capture(b.put("copy.jsonl", strings.Join(test.lines, "")))
			if diff := cmp.Diff(test.want, b.insights()); diff != "" {
				t.Errorf("captured again: %s", diff)
			}
		})
	}
}

func TestPreferenceAboutAnswersLimitedToOneProjectStaysThere(t *testing.T) {
	for text, limited := range map[string]bool{
		"bitte antworte mir im haushalt ausführlicher":                       true,
		"Réponds-moi en phrases courtes dans ce projet, sans listes.":        true,
		"Bitte antworte hier im Projekt immer kurz und ohne Emojis.":         true,
		"For the tea shop, answer in short sentences, no bullet points.":     true,
		"Answer in short sentences, no bullet points.":                       false,
		"Bitte antworte mir immer kurz und ohne Emojis.":                     false,
		"Answer in short sentences in every project of mine, no small talk.": false,
	} {
		t.Run(text, func(t *testing.T) {
			b := newBench(t)
			b.capture(b.put("shop.jsonl", talk(0, "t", "/srv/tea-shop", "user", "Good morning to all of you.")))
			b.capture(b.put("s.jsonl", talk(1, "s", "/srv/haushalt", "user", text)))
			i := b.only()
			if kind := memory.ExtractedKindOf(&i); kind != notice.Style && !limited || kind != notice.ProjectStyle && limited {
				t.Errorf("it is kept as %s", kind)
			}
			var about struct{ Project string }
			if err := json.Unmarshal(i.Metadata, &about); err != nil || (about.Project == "folder:/srv/tea-shop") != strings.Contains(text, "shop") {
				t.Errorf("it is of %q, %v", about.Project, err)
			}
		})
	}
}

func (b *bench) only() memoryrows.Insight {
	b.Helper()
	rows, err := store.ReadValue(b.Context(), b.Store, func(tx *store.Tx) ([]memoryrows.Insight, error) {
		return memoryrows.In(tx).Insights(memoryrows.InsightFilter{Limit: 2})
	})
	if err != nil || len(rows) != 1 {
		b.Fatalf("%+v, %v", rows, err)
	}
	return rows[0]
}

func TestAnExtractedInsightNamesItsTurnAndItsTime(t *testing.T) {
	b := newBench(t)
	b.capture(b.put("s.jsonl", talk(0, "s", "/srv/shop", "assistant", "Which one?")+talk(0, "s", "/srv/shop", "user", "We decided to use SQLite for the billing.")))
	i, rows := b.only(), b.rows()
	if len(i.SourceIDs) != 1 || i.SourceIDs[0] != rows[1].ID || !i.Created.Equal(ten) {
		t.Errorf("%+v of %+v", i, rows)
	}
	found, err := b.search.Search(t.Context(), memory.Query{Text: "SQLite", TopK: 1, Weights: search.DefaultWeights, Sources: []memoryrows.Source{memoryrows.SourceInsight}})
	if err != nil || len(found.Hits) != 1 || found.Hits[0].Row.Extracted == "" {
		t.Errorf("%+v, %v", found.Hits, err)
	}
}

// Whoever reads an extracted insight has the last word on it, whatever is captured
// after that; only what is said later counts for more.
func TestACorrectedInsightIsNotExtractedAgain(t *testing.T) {
	const decided = "We decided to use SQLite for the billing"
	update := func(text string) func(*toolstest.Bench, int64) {
		return func(tb *toolstest.Bench, id int64) {
			tb.Call("update_insight", toolstest.Args{"id": id, "content": text})
		}
	}
	for name, test := range map[string]struct {
		do    func(*toolstest.Bench, int64)
		said  string // afterwards, some days after
		days  int
		stand []string
	}{
		"confirmed": {update(decided), decided + ".", 1, []string{"by hand: " + decided}},
		"bettered":  {update("The billing uses SQLite"), decided + ".", 1, []string{"by hand: The billing uses SQLite"}},
		"dismissed": {func(tb *toolstest.Bench, id int64) {
			tb.Call("delete_insight", toolstest.Args{"id": id, "reason": "a joke"})
		}, decided + ".", 1, nil},
		"forgotten": {func(tb *toolstest.Bench, id int64) {
			err := tb.Store.Forget(tb.T.Context(), func(tx *store.Tx) error { return memoryrows.In(tx).DeleteInsightHistories([]int64{id}) })
			if err != nil {
				tb.T.Error(err)
			}
		}, decided + ".", 1, nil},
		"left alone": {func(*toolstest.Bench, int64) {}, decided + ".", 1, []string{decided}},
	} {
		t.Run(name, func(t *testing.T) {
			clock := toolstest.NewClock(ten.Add(1000 * 24 * time.Hour))
			tb := toolstest.NewBench(t, clock, store.Options{})
			search := memory.NewSearch(tb.Store, embed.Off())
			t.Cleanup(func() { search.Close() })
			tb.BuildPipeline(memory.New(memory.Deps{Store: tb.Store, Search: search}))
			b := &bench{T: t, Capture: &Capture{Store: tb.Store, Search: search, Home: t.TempDir()}}
			b.capture(b.put("s.jsonl", talk(0, "s", "/srv/shop", "user", decided+".")))
			test.do(tb, b.only().ID)
			clock.Advance(time.Duration(test.days) * 24 * time.Hour)
			b.capture(b.put("t.jsonl", talk(test.days, "t", "/srv/shop", "user", test.said)))
			if diff := cmp.Diff(test.stand, b.insights()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestForgettingASessionForgetsWhatWasExtractedFromIt(t *testing.T) {
	b := newBench(t)
	first := talk(1, "s", "/srv/shop", "user", "We decided to use Postgres for the billing.")
	second := talk(2, "t", "/srv/shop", "user", "We decided to use SQLite for the billing.") + talk(2, "t", "/srv/shop", "user", "Remember that the bins go out on Tuesday.")
	third := talk(3, "u", "/srv/shop", "user", "We decided to use SQLite for the billing.")
	b.capture(b.put("s.jsonl", first))
	b.capture(b.put("t.jsonl", second))
	err := b.Store.Forget(t.Context(), func(tx *store.Tx) error {
		rows, err := kinds.In(tx).Find("session", "claude-code/t")
		if err != nil {
			return err
		}
		return memory.Deleters().DeleteRows(tx, rows)
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"We decided to use Postgres for the billing"}
	if diff := cmp.Diff(want, b.insights()); diff != "" {
		t.Error(diff)
	}
	b.capture(b.put("copy.jsonl", first+second))
	b.capture(b.put("u.jsonl", third))
	if diff := cmp.Diff(want, b.insights()); diff != "" {
		t.Errorf("captured again: %s", diff)
	}
	b.expect("claude-code/s user: We decided to use Postgres for the billing.", "claude-code/u user: We decided to use SQLite for the billing.")
}
