package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/internal/testenv"
)

// folder has data sets to measure on, which are not part of the repository.
func folder(t *testing.T, variable, name string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared", "data", name)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not here; set %s to its folder", name, variable)
	}
	return dir
}

// Floors are a little below what was measured.
func TestSearchFindsWhatAnswersAndIsNeverBelowPlainBM25(t *testing.T) {
	if raceDetector {
		t.Skip("a thousand searches take minutes under the race detector")
	}
	here := func(name string) func(*testing.T) *Corpus {
		return func(t *testing.T) *Corpus {
			corpus, err := loadCorpus(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			return corpus
		}
	}
	words, meaning := embed.Off(), embed.BuiltIn()
	for name, set := range map[string]struct {
		load           func(*testing.T) *Corpus
		embedder       embed.Embedder
		one, five, ten float64
		usual          bool // measured in every run
	}{
		"LoCoMo":                       {locomo, meaning, 0.49, 0.765, 0.82, false},
		"LoCoMo by words":              {locomo, words, 0.46, 0.73, 0.79, false},
		"QMSum by words":               {qmsum, words, 0.17, 0.57, 0.72, false}, // its vectors take minutes
		"sessions numbers chosen on":   {here("sessions-chosen-on.json"), meaning, 0.38, 0.76, 0.86, false},
		"sessions held out":            {here("sessions-held-out.json"), meaning, 0.30, 0.70, 0.82, true},
		"German":                       {here("languages/german.json"), meaning, 0.50, 0.80, 0.80, true},
		"French":                       {here("languages/french.json"), meaning, 0.74, 0.92, 0.92, false},
		"Spanish":                      {here("languages/spanish.json"), meaning, 0.74, 0.90, 0.90, false},
		"in another language":          {here("across-languages-chosen-on.json"), meaning, 0.50, 0.90, 0.95, false},
		"in another language held out": {here("across-languages-held-out.json"), meaning, 0.60, 0.90, 0.95, true},
	} {
		if !set.usual && !testenv.Full() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			corpus := set.load(t)
			summaries, err := measureRetrieval(t.Context(), corpus, set.embedder)
			if err != nil {
				t.Fatal(err)
			}
			var table strings.Builder
			if err := printSummaries(&table, corpus, summaries); err != nil {
				t.Fatal(err)
			}
			t.Log("\n" + table.String())
			got, plain, keyword, semantic := of(summaries, "hybrid_search"), of(summaries, "BM25"), of(summaries, "keyword"), of(summaries, "semantic")
			if got.Recall1 < set.one || got.Recall5 < set.five || got.Recall10 < set.ten {
				t.Errorf("search finds less than %v, %v and %v", set.one, set.five, set.ten)
			}
			if got.Recall1 < plain.Recall1 || got.Recall5 < plain.Recall5 {
				t.Error("search finds less than plain BM25")
			}
			// Fusion pays: it is not below its better channel, but for a question or two.
			slack := 2 / float64(got.Questions)
			if got.Recall5 < max(keyword.Recall5, semantic.Recall5)-slack || got.Recall10 < max(keyword.Recall10, semantic.Recall10)-slack {
				t.Error("search finds less than one of its channels")
			}
		})
	}
}

func of(summaries []Summary, name string) Summary {
	return summaries[slices.IndexFunc(channels, func(c channel) bool { return c.name == name })]
}

func TestTheSetOfSessionsIsWhole(t *testing.T) {
	for _, name := range []string{"sessions-chosen-on.json", "sessions-held-out.json"} {
		corpus, err := loadCorpus(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		c := corpus.Collections[0]
		if len(c.Sessions) != 10 || len(c.Questions) != 50 || corpus.Unknown+corpus.Unanswerable != 0 {
			t.Errorf("%s has %d sessions and %d questions; %d pieces of evidence name nothing", name, len(c.Sessions), len(c.Questions), corpus.Unknown)
		}
	}
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testenv.Write(t, path, text)
	return path
}

// baking is a set in the format of the package comment.
const baking = `{"name":"baking","sessions":[
 {"time":"2026-03-01T10:00:00Z","turns":[
  {"id":"a1","speaker":"user","text":"How long should the rye loaf rise?"},
  {"id":"a2","speaker":"assistant","text":"Twelve hours in the fridge.","time":"2026-03-01T10:02:00Z","metadata":{"files":["loaf.md"]}},
  {"id":"a3","speaker":"user","text":"And which flour for the buns?"}]},
 {"turns":[{"id":"b1","speaker":"user","text":"The oven is broken."}]}],
"notes":[{"id":"n1","text":"The loaf of rye rises for twelve hours.","sources":["a1","a2"]},{"id":"n2","text":"Buns want strong flour."}],
"questions":[
 {"text":"How long does rye bread rise?","evidence":["n1"],"category":"baking"},
 {"text":"Which flour for buns?","evidence":["a3","n2","zz"],"category":"flour"},
 {"text":"What is broken?","evidence":["zz"]}]}`

func TestASetOfOnesOwnIsReadWithItsNotes(t *testing.T) {
	corpus, err := loadCorpus(write(t, "baking.json", baking))
	if err != nil {
		t.Fatal(err)
	}
	c := corpus.Collections[0]
	if corpus.Unknown != 2 || corpus.Unanswerable != 1 || len(c.Turns) != 4 || len(c.Notes) != 2 {
		t.Errorf("%+v", corpus)
	}
	if at := c.Turns[1].At; c.Turns[0].At != c.Sessions[0].At || c.Turns[2].At != at || c.Turns[3].At != at {
		t.Errorf("what has no time of its own: %+v", c.Turns)
	}
	if !slices.Equal(c.Questions[0].Evidence, []string{"a1", "a2"}) || !slices.Equal(c.Questions[1].Evidence, []string{"a3", "n2"}) {
		t.Errorf("%+v", c.Questions)
	}
}

func TestPlainBM25RanksRareWordsFirstInTheStemsOfTheLanguage(t *testing.T) {
	p := newBM25Index(language.English, []string{"the cats and the dogs", "dogs run with dogs", "a house"})
	if got := p.search("Is a dog running?", 10); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("%v", got)
	}
	if got := p.search("cat dog", 1); !slices.Equal(got, []int{0}) {
		t.Errorf("%v", got)
	}
	if got := newBM25Index(language.German, []string{"die Häuser am See", "ein Boot"}).search("Wo ist das Haus?", 10); !slices.Equal(got, []int{0}) {
		t.Errorf("%v", got)
	}
}

// A note counts for its turns, and a hit for what is told with it.
func TestEvidenceIsCountedAtItsRank(t *testing.T) {
	x := &index{answers: map[string][]string{"insight:1": {"a", "b"}, "dialogue:1": {"a"}, "dialogue:2": {"b"}, "dialogue:3": {"c"}}}
	for name, c := range map[string]struct {
		hits [][]string
		want Summary
	}{
		"a note of both":          {[][]string{{"insight:1"}}, Summary{Questions: 1, Recall1: 1, Recall5: 1, Recall10: 1, MRR: 1}},
		"one of two, second":      {[][]string{{"dialogue:3"}, {"dialogue:2"}}, Summary{Questions: 1, Recall5: 0.5, Recall10: 0.5, MRR: 0.5}},
		"the same twice":          {[][]string{{"dialogue:1"}, {"dialogue:1"}}, Summary{Questions: 1, Recall1: 0.5, Recall5: 0.5, Recall10: 0.5, MRR: 1}},
		"told with another":       {[][]string{{"dialogue:3", "dialogue:1"}}, Summary{Questions: 1, Recall1: 0.5, Recall5: 0.5, Recall10: 0.5, MRR: 1}},
		"nothing that answers it": {[][]string{{"dialogue:3"}}, Summary{Questions: 1}},
	} {
		var s Summary
		s.addResult(x, Question{Evidence: []string{"a", "b"}}, c.hits)
		if diff := cmp.Diff(c.want, s, cmpopts.IgnoreUnexported(Summary{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestWhatIsNoSetIsRefused(t *testing.T) {
	for name, c := range map[string]struct{ path, want string }{
		"no file":           {filepath.Join(t.TempDir(), "absent.json"), "no such file"},
		"no JSON":           {write(t, "a.json", "hello"), "invalid character"},
		"an empty file":     {write(t, "e.json", ""), "no collection"},
		"a misspelt name":   {write(t, "m.json", `{"sessions":[{"turns":[{"id":"a","speeker":"Ann"}]}]}`), "speeker"},
		"a wrong time":      {write(t, "c.json", `{"sessions":[{"time":"last week","turns":[]}]}`), "last week"},
		"an id of two":      {write(t, "d.json", `{"sessions":[{"turns":[{"id":"a","text":"a"},{"id":"a","text":"b"}]}]}`), "two turns have the id a"},
		"nothing in it":     {write(t, "n.json", `{"name":"empty"}`), "neither turns nor notes"},
		"a number for text": {write(t, "s.json", `{"sessions":[{"turns":[{"id":3,"text":"a"}]}]}`), "cannot unmarshal number"},
	} {
		if _, err := loadCorpus(c.path); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
	corpus, err := loadCorpus(write(t, "turns.json", `{"sessions":[{"turns":[{"id":"1","text":"Hello"}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := measureRetrieval(t.Context(), corpus, embed.Off()); err == nil || !strings.Contains(err.Error(), "nothing could be asked") {
		t.Errorf("a set without questions: %v", err)
	}
}
