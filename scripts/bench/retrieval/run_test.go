package retrieval

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"toolkit/embed"
	"toolkit/internal/language"
)

// locomoFolder has conversations to measure on, which are not part of the repository.
func locomoFolder(t *testing.T) string { return folder(t, "TOOLKIT_LOCOMO", "locomo-dev") }

func folder(t *testing.T, variable, name string) string {
	t.Helper()
	dir := os.Getenv(variable)
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data", name)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("%s is not here; set %s to its folder", name, variable)
	}
	return dir
}

// Floors are a little below what was measured.
func TestSearchFindsWhatAnswersAndIsNeverBelowPlainBM25(t *testing.T) {
	if raceDetector {
		t.Skip("a thousand searches take minutes under the race detector; the small sets below are searched with it")
	}
	shared := func(variable, name string) func(*testing.T) string {
		return func(t *testing.T) string { return folder(t, variable, name) }
	}
	here := func(name string) func(*testing.T) string {
		return func(*testing.T) string { return filepath.Join("testdata", name) }
	}
	none := func(*testing.T) string { return "" }
	for name, set := range map[string]struct {
		path, notes    func(*testing.T) string
		channel        string
		one, five, ten float64
	}{
		"LoCoMo":                     {locomoFolder, none, "fusion", 0.46, 0.73, 0.79},
		"LoCoMo with its notes":      {locomoFolder, shared("TOOLKIT_LOCOMO_NOTES", "locomo-dev-observations"), "mixed", 0.47, 0.71, 0.79},
		"QMSum":                      {shared("TOOLKIT_QMSUM", "qmsum-dev"), none, "fusion", 0.17, 0.57, 0.72},
		"sessions numbers chosen on": {here("sessions-chosen-on.json"), none, "fusion", 0.32, 0.70, 0.76},
		"sessions held out":          {here("sessions-held-out.json"), none, "fusion", 0.30, 0.60, 0.75},
		"German":                     {here("languages/german.json"), none, "fusion", 0.50, 0.80, 0.80},
		"French":                     {here("languages/french.json"), none, "fusion", 0.74, 0.92, 0.92},
		"Spanish":                    {here("languages/spanish.json"), none, "fusion", 0.74, 0.90, 0.90},
	} {
		t.Run(name, func(t *testing.T) {
			channels := []string{"BM25", set.channel}
			if set.channel == "fusion" {
				channels = append(channels, "keyword", "semantic")
			}
			report := measure(t, set.notes(t), channels, set.path(t))
			got, plain := overall(report, set.channel), overall(report, "BM25")
			if got.Recall1.Mean < set.one || got.Recall5.Mean < set.five || got.Recall10.Mean < set.ten {
				t.Errorf("%s finds %v, %v and %v", set.channel, got.Recall1, got.Recall5, got.Recall10)
			}
			if got.Recall1.Mean < plain.Recall1.Mean || got.Recall5.Mean < plain.Recall5.Mean {
				t.Errorf("%s finds %v and %v, plain BM25 %v and %v", set.channel, got.Recall1, got.Recall5, plain.Recall1, plain.Recall5)
			}
			if set.channel != "fusion" {
				return
			}
			// Fusion pays: it is not below its better channel, but for a question or two.
			fusion, keyword, semantic, slack := overall(report, "fusion"), overall(report, "keyword"), overall(report, "semantic"), 2/float64(report.Questions)
			if fusion.Recall5.Mean < max(keyword.Recall5.Mean, semantic.Recall5.Mean)-slack || fusion.Recall10.Mean < max(keyword.Recall10.Mean, semantic.Recall10.Mean)-slack {
				t.Errorf("fusion %+v, keyword %+v, semantic %+v", fusion, keyword, semantic)
			}
		})
	}
}

func TestTheSetOfSessionsIsWhole(t *testing.T) {
	for _, name := range []string{"sessions-chosen-on.json", "sessions-held-out.json"} {
		corpus, err := Load("", filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		c := corpus.Collections[0]
		if len(c.Sessions) != 10 || len(c.Questions) != 50 || corpus.Unknown+corpus.Unanswerable != 0 {
			t.Errorf("%s has %d sessions and %d questions; %d pieces of evidence name nothing", name, len(c.Sessions), len(c.Questions), corpus.Unknown)
		}
	}
}

// conversation is a file as the data set writes them.
const conversation = `{"sample_id":"tiny","conversation":{"speaker_a":"Anna","speaker_b":"Tom",
"session_1_date_time":"1:56 pm on 8 May, 2023","session_1":[
 {"speaker":"Anna","dia_id":"D1:1","text":"What did you plant in the garden?"},
 {"speaker":"Tom","dia_id":"D1:2","text":"Three rows of purple carrots!"},
 {"speaker":"Anna","dia_id":"D1:3","text":"My canoe leaks, by the way."}],
"session_10_date_time":"9:00 am on 1 June, 2023","session_10":[{"speaker":"Tom","dia_id":"D10:1","text":"The canoe is mended now."}],
"session_11_date_time":"9:00 am on 2 June, 2023"},
"qa":[
 {"question":"Which carrots did Tom plant?","answer":"purple","evidence":["D1:2"],"category":4},
 {"question":"What happened to the canoe?","evidence":["D:1:03; D10:1","D9:9"],"category":1},
 {"question":"Which car did Anna sell?","adversarial_answer":"red","evidence":["D1:1"],"category":5},
 {"question":"Who?","evidence":["D7:7"],"category":4}]}`

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAFileIsReadWithItsMalformedEvidence(t *testing.T) {
	one, list := write(t, "one.json", conversation), write(t, "list.json", "["+conversation+","+conversation+"]")
	corpus, err := Load("", one)
	if err != nil {
		t.Fatal(err)
	}
	c := corpus.Collections[0]
	if len(c.Turns) != 4 || c.Turns[3].ID != "D10:1" || c.Turns[3].Session != 2 || c.Turns[3].At.Format("2006-01-02 15:04") != "2023-06-01 09:00" || corpus.Unanswerable != 2 {
		t.Errorf("%+v", corpus)
	}
	if len(c.Questions) != 2 || !slices.Equal(c.Questions[1].Evidence, []string{"D10:1", "D1:3"}) {
		t.Errorf("%+v", c.Questions)
	}
	if corpus, err = Load("", list); err != nil || len(corpus.Collections) != 2 {
		t.Errorf("%v", err)
	}
	again, err := Load("", filepath.Dir(one))
	if err != nil || len(again.Collections) != 1 || again.Hash == corpus.Hash || len(again.Hash) != 16 {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestObservationsOfAConversationStandInForInsights(t *testing.T) {
	file := write(t, "tiny.json", conversation)
	notes := write(t, "tiny.json", `{"session_10_observation":{"Tom":[["The canoe is mended.",["D10:1","D1:3"]]]},"session_1_observation":{"Tom":[["Tom grows carrots.","D1:2"],["Nobody said it.","D9:9"]]}}`)
	corpus, err := Load(filepath.Dir(notes), file)
	if err != nil {
		t.Fatal(err)
	}
	c := corpus.Collections[0]
	if len(c.Notes) != 3 || !slices.Equal(c.Notes[2].Sources, []string{"D10:1", "D1:3"}) || c.Notes[2].At != c.Turns[2].At && c.Notes[2].At != c.Turns[3].At || len(c.Notes[1].Sources) != 0 {
		t.Errorf("%+v", c.Notes)
	}
	if len(c.Turns) != 4 || len(c.Questions) != 2 || corpus.Unanswerable != 2 {
		t.Errorf("notes change what was there: %+v", corpus)
	}
	if _, err := Load(t.TempDir(), file); err == nil {
		t.Error("a conversation without the notes asked for was read")
	}
}

func TestAMeetingIsReadWithTheQuestionsOfFewTurns(t *testing.T) {
	corpus, err := Load("", write(t, "val.jsonl", `{"meeting_transcripts":[{"speaker":"A","content":"one"},{"speaker":"B","content":"two"},{"speaker":"A","content":"three"}],
"general_query_list":[{"query":"Sum up"}],"specific_query_list":[{"query":"What of two?","answer":"two","relevant_text_span":[["1","1"],["2","7"]]},{"query":"None?","relevant_text_span":[]}]}
{"meeting_transcripts":[`+strings.Repeat(`{"speaker":"A","content":"x"},`, 8)+`{"speaker":"B","content":"y"}],"specific_query_list":[{"query":"All?","relevant_text_span":[["0","8"]]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(corpus.Collections) != 2 || corpus.Unanswerable != 2 || len(corpus.Collections[1].Questions) != 0 {
		t.Fatalf("%+v", corpus)
	}
	if q := corpus.Collections[0].Questions; len(q) != 1 || !slices.Equal(q[0].Evidence, []string{"1", "2"}) {
		t.Errorf("%+v", q)
	}
}

// baking is a set in the format of docs/benchmarks.md.
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
	corpus, err := Load("", write(t, "baking.json", baking))
	if err != nil {
		t.Fatal(err)
	}
	c := corpus.Collections[0]
	if corpus.Unknown != 2 || corpus.Unanswerable != 1 || len(c.Turns) != 4 || len(c.Notes) != 2 {
		t.Errorf("%+v", corpus)
	}
	if at := c.Turns[1].At; c.Turns[0].At != c.Sessions[0].At || c.Turns[2].At != at || c.Turns[3].At != at || c.Notes[0].At != at {
		t.Errorf("what has no time of its own: %+v, %+v", c.Turns, c.Notes)
	}
	if !slices.Equal(c.Questions[0].Evidence, []string{"a1", "a2"}) || !slices.Equal(c.Questions[1].Evidence, []string{"a3", "n2"}) {
		t.Errorf("%+v", c.Questions)
	}
}

func TestANoteCountsForItsTurnsAndWhatSaysTheSameIsFolded(t *testing.T) {
	report := measure(t, "", nil, write(t, "baking.json", baking))
	for _, o := range report.Outcomes {
		if o.Question != report.Outcomes[0].Question {
			continue
		}
		switch {
		case o.Channel == "insights" && (o.Recall1 != 1 || o.Found[0] != "a1 a2"):
			t.Errorf("a note of both turns is %+v", o)
		case o.Channel == "mixed" && (o.Recall5 != 1 || len(slices.DeleteFunc(slices.Clone(o.Found), func(id string) bool { return id[0] != 'a' || id == "a3" })) > 2):
			t.Errorf("dialogue with its note is %+v", o)
		case o.Channel == "BM25" && o.Recall10 != 0.5: // the answer has no word of the question
			t.Errorf("plain words find %+v", o)
		}
	}
	for _, channel := range Channels {
		if s := overall(report, channel.Name); s.Questions != 2 {
			t.Errorf("%s was asked %d questions", channel.Name, s.Questions)
		}
	}
}

func TestNotesAloneAreASetToo(t *testing.T) {
	report := measure(t, "", nil, write(t, "notes.json", `{"notes":[{"id":"1","text":"Ann is allergic to walnuts."},{"id":"2","text":"The bakery opens at six."}],"questions":[{"text":"When does the bakery open?","evidence":["2"]}]}`))
	var asked []string
	for _, o := range report.Outcomes {
		asked = append(asked, o.Channel)
		if o.Recall1 != 1 {
			t.Errorf("%+v", o)
		}
	}
	if want := []string{"BM25 of insights", "insights", "recall"}; !slices.Equal(asked, want) {
		t.Errorf("asked in %v, want %v", asked, want)
	}
}

func TestARunThatAsksNothingIsAnError(t *testing.T) {
	unasked := write(t, "turns.json", `{"sessions":[{"turns":[{"id":"1","text":"Hello"}]}]}`)
	for path, channels := range map[string][]string{unasked: nil, write(t, "tiny.json", conversation): {"insights"}} {
		corpus, err := Load("", path)
		if err != nil {
			t.Fatal(err)
		}
		if outcomes, err := Run(t.Context(), corpus, embed.Local(), channels, nil); err == nil {
			t.Errorf("%s gives %v", filepath.Base(path), outcomes)
		}
	}
}

func TestWhatIsNoSetIsRefused(t *testing.T) {
	for name, path := range map[string]string{
		"no file":          filepath.Join(t.TempDir(), "absent.json"),
		"an empty folder":  t.TempDir(),
		"no JSON":          write(t, "a.json", "hello"),
		"an empty file":    write(t, "e.json", ""),
		"another document": write(t, "b.json", `{"a":1}`),
		"a wrong date":     write(t, "c.json", strings.Replace(conversation, "8 May, 2023", "some day", 1)),
		"no turns":         write(t, "d.json", `{"conversation":{}}`),
	} {
		if _, err := Load("", path); err == nil {
			t.Errorf("%s was read", name)
		}
	}
	for text, want := range map[string]string{
		`[]`:  "no collection",
		`"x"`: "a JSON object",
		`{"sessions":[{"turns":[{"id":3,"text":"a"}]}]}`:                         "sessions.turns.id is a number",
		`{"sessions":[{"turns":[{"id":"a","text":"a"},{"id":"a","text":"b"}]}]}`: "two turns have the id a",
		`{"sessions":[{"time":"last week","turns":[]}]}`:                         "a day such as 2026-03-01",
	} {
		if _, err := Load("", write(t, "s.json", text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	if _, err := Load("", write(t, "marked.json", "\ufeff"+`{"sessions":[{"turns":[{"id":"a","text":"a"}]}],"questions":[{"text":"a","evidence":["a"]}]}`)); err != nil {
		t.Errorf("a file with a byte order mark: %v", err)
	}
	if misspelt, err := Load("", write(t, "m.json", `{"sessions":[{"time":"2026-03-01","turns":[{"id":"a","speeker":"Ann"}]}]}`)); err != nil || !slices.Equal(misspelt.Ignored, []string{"speeker"}) {
		t.Errorf("a misspelt name: %+v, %v", misspelt, err)
	}
	if err := CheckChannels([]string{"fusion", "fusoin"}); err == nil || !strings.Contains(err.Error(), "BM25 of insights") {
		t.Errorf("a channel that does not exist: %v", err)
	}
}

func TestPlainBM25RanksRareWordsFirstInTheStemsOfTheLanguage(t *testing.T) {
	p := newPlain(language.English, []string{"the cats and the dogs", "dogs run with dogs", "a house"})
	if got := p.best("Is a dog running?", 10); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("%v", got)
	}
	if got := p.best("cat dog", 1); !slices.Equal(got, []int{0}) {
		t.Errorf("%v", got)
	}
	if got := newPlain(language.German, []string{"die Häuser am See", "ein Boot"}).best("Wo ist das Haus?", 10); !slices.Equal(got, []int{0}) {
		t.Errorf("%v", got)
	}
}

func TestAReportSaysWhatItMeasured(t *testing.T) {
	corpus, err := Load("", write(t, "tiny.json", conversation))
	if err != nil {
		t.Fatal(err)
	}
	var asked []int
	outcomes, err := Run(context.Background(), corpus, embed.Local(), nil, func(done, all int) { asked = append(asked, done, all) })
	if err != nil || !slices.Equal(asked, []int{1, 2, 2, 2}) {
		t.Fatalf("%v, %v", asked, err)
	}
	report := NewReport(corpus, embed.LocalModel, outcomes)
	fusion := overall(report, "fusion")
	if fusion.Questions != 2 || fusion.Recall5.Mean != 1 || fusion.Recall1.Mean != 0.75 || fusion.MRR.Mean != 1 {
		t.Errorf("%+v", fusion)
	}
	var text bytes.Buffer
	if err := report.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{corpus.Hash, "4 turns, 0 notes, 2 questions (2 left out", "local-hash-v1", "1 multi-hop", "4 single-hop", "BM25", "keyword", "semantic", "fusion", "recall", "0.7 semantic + 0.3 keyword"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
}

func TestTwoRunsAreComparedQuestionByQuestion(t *testing.T) {
	report := measure(t, "", []string{"fusion"}, write(t, "tiny.json", conversation))
	before := *report
	before.Outcomes = slices.Clone(report.Outcomes)
	before.Outcomes[0].Recall1 -= 0.5
	earlier, err := json.Marshal(before)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Against(bytes.NewReader(earlier)); err != nil {
		t.Fatal(err)
	}
	if d := report.Differences[0]; d.Recall1.Mean != 0.25 || d.Recall5 != (Measure{}) || d.Questions != 2 {
		t.Errorf("%+v", d)
	}
	two := measure(t, "", []string{"fusion"}, write(t, "list.json", "["+conversation+","+strings.Replace(conversation, "tiny", "other", 1)+"]"))
	if groups := two.Summaries; groups[len(groups)-1].Group != "other" || groups[len(groups)-2].Group != "tiny" {
		t.Errorf("collections are not summed up one by one: %+v", groups)
	}
	for _, other := range []string{"hello", `{"outcomes":[]}`} {
		if err := report.Against(strings.NewReader(other)); err == nil {
			t.Errorf("compared with %s", other)
		}
	}
}

func TestAnIntervalHoldsItsMeanAndNarrowsWithMoreQuestions(t *testing.T) {
	sample := func(n int) []float64 {
		values := make([]float64, n)
		for i := range values {
			values[i] = float64(i % 2)
		}
		return values
	}
	few, many := measured(sample(20)), measured(sample(2000))
	for _, m := range []Measure{few, many} {
		if math.Abs(m.Mean-0.5) > 1e-9 || m.Low > 0.5 || m.High < 0.5 {
			t.Errorf("%+v", m)
		}
	}
	if few.High-few.Low < 5*(many.High-many.Low) {
		t.Errorf("%v, %v", few, many)
	}
	if again := measured(sample(20)); again != few {
		t.Errorf("%v, then %v", few, again)
	}
}

// overall is the summary of all questions in a channel.
func overall(r *Report, channel string) Summary {
	return r.Summaries[slices.IndexFunc(r.Summaries, func(s Summary) bool { return s.Channel == channel && s.Group == "all" })]
}

// measure runs channels over files.
func measure(t *testing.T, notes string, channels []string, paths ...string) *Report {
	t.Helper()
	corpus, err := Load(notes, paths...)
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := Run(t.Context(), corpus, embed.Local(), channels, nil)
	if err != nil {
		t.Fatal(err)
	}
	return NewReport(corpus, embed.LocalModel, outcomes)
}
