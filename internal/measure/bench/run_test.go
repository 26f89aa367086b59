package bench

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
)

// locomo is the folder of conversations to measure on, which are not part of the
// repository.
func locomo(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("TOOLKIT_LOCOMO")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "..", "shared", "data", "locomo-dev")
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("LoCoMo is not here; set TOOLKIT_LOCOMO to its folder")
	}
	return dir
}

func TestFusionFindsTheTurnsThatAnswer(t *testing.T) {
	if raceDetector {
		t.Skip("a thousand searches take minutes under the race detector; the small conversation below is searched with it")
	}
	corpus, err := Load(locomo(t))
	if err != nil {
		t.Fatal(err)
	}
	outcomes, err := Run(context.Background(), corpus, embed.Local(), nil)
	if err != nil {
		t.Fatal(err)
	}
	report := NewReport(corpus, embed.LocalModel, outcomes)
	fusion, keyword, semantic := overall(report, "fusion"), overall(report, "keyword"), overall(report, "semantic")
	if fusion.Recall5.Mean < 0.73 || fusion.Recall10.Mean < 0.79 {
		t.Errorf("fusion finds %v and %v", fusion.Recall5, fusion.Recall10)
	}
	// Fusion pays: it is not below its better channel, but for a question or two.
	slack := 2 / float64(report.Questions)
	if fusion.Recall5.Mean < max(keyword.Recall5.Mean, semantic.Recall5.Mean)-slack || fusion.Recall10.Mean < max(keyword.Recall10.Mean, semantic.Recall10.Mean)-slack {
		t.Errorf("fusion %+v, keyword %+v, semantic %+v", fusion, keyword, semantic)
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
	corpus, err := Load(one)
	if err != nil {
		t.Fatal(err)
	}
	c := corpus.Conversations[0]
	if len(c.Turns) != 4 || c.Turns[3].ID != "D10:1" || c.Turns[3].Session != 10 || c.Turns[3].At.Format("2006-01-02 15:04") != "2023-06-01 09:00" || corpus.Unanswerable != 2 {
		t.Errorf("%+v", corpus)
	}
	if len(c.Questions) != 2 || !slices.Equal(c.Questions[1].Evidence, []string{"D1:3", "D10:1"}) {
		t.Errorf("%+v", c.Questions)
	}
	if corpus, err = Load(list); err != nil || len(corpus.Conversations) != 2 {
		t.Errorf("%v", err)
	}
	again, err := Load(filepath.Dir(one))
	if err != nil || len(again.Conversations) != 1 || again.Hash == corpus.Hash || len(again.Hash) != 16 {
		t.Errorf("%+v, %v", again, err)
	}
}

func TestWhatIsNotLoCoMoIsRefused(t *testing.T) {
	for name, path := range map[string]string{
		"no file":          filepath.Join(t.TempDir(), "absent.json"),
		"an empty folder":  t.TempDir(),
		"no JSON":          write(t, "a.json", "hello"),
		"another document": write(t, "b.json", `{"a":1}`),
		"a wrong date":     write(t, "c.json", strings.Replace(conversation, "8 May, 2023", "some day", 1)),
		"no turns":         write(t, "d.json", `{"conversation":{}}`),
	} {
		if _, err := Load(path); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

func TestAReportSaysWhatItMeasured(t *testing.T) {
	corpus, err := Load(write(t, "tiny.json", conversation))
	if err != nil {
		t.Fatal(err)
	}
	var asked []int
	outcomes, err := Run(context.Background(), corpus, embed.Local(), func(done, all int) { asked = append(asked, done, all) })
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
	for _, want := range []string{corpus.Hash, "4 turns, 2 questions (2 left out", "local-hash-v1", "1 multi-hop", "4 single-hop", "tiny", "keyword", "semantic", "fusion", "0.7 semantic + 0.3 keyword"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the report lacks %q:\n%s", want, text.String())
		}
	}
	if _, err := json.Marshal(report); err != nil {
		t.Error(err)
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
