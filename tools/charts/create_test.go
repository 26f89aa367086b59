package charts

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"toolkit/internal/capture/transcripts"
	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/localfile"
)

func valid() args {
	return args{"desiredOutcome": "Create a podcast", "currentReality": "Have a microphone", "dueDate": "2026-05-01T12:00:00Z"}
}

// with returns valid arguments of create with one of them replaced.
func with(key string, value any) args {
	in := valid()
	in[key] = value
	return in
}

func TestAChartIsStoredWithTheProjectOfTheFolder(t *testing.T) {
	folder := t.TempDir()
	for name, tc := range map[string]struct{ folder, want string }{
		"a folder": {folder, transcripts.InFolder + localfile.ResolveLinks(folder)},
		"none":     {"", ""},
	} {
		b := newBench(t)
		b.BuildPipeline(New(Deps{Store: b.Store, Orientation: orientation.Standard, Folder: tc.folder}))
		id := b.Call(createName, valid())["chartId"].(string)
		keys, err := store.ReadValue(t.Context(), b.Store, func(tx *store.Tx) (map[string]string, error) { return graph.In(tx).ProjectsOfCharts([]string{id}) })
		if err != nil || keys[id] != tc.want {
			t.Errorf("%s: %v, %v", name, keys, err)
		}
	}
}

func TestCreateRefusesBadInputInTheDocumentedOrder(t *testing.T) {
	b := newBench(t)
	cases := []refusedCall{
		{"an absent required field", args{"desiredOutcome": "Create x", "currentReality": "y"}, "MISSING_REQUIRED", "dueDate"},
		{"a null required field", with("currentReality", nil), "MISSING_REQUIRED", "currentReality"},
		{"a wrong type", with("desiredOutcome", 5), "VALIDATION_ERROR", "desiredOutcome"},
		{"a wrong item type", with("actionSteps", []any{"Script written", 5}), "VALIDATION_ERROR", "actionSteps[1]"},
		{"an empty outcome", with("desiredOutcome", ""), "VALIDATION_ERROR", "desiredOutcome"},
		{"an outcome of 501 characters", with("desiredOutcome", "Create "+strings.Repeat("ü", 494)), "VALIDATION_ERROR", "desiredOutcome"},
		{"white space only", with("currentReality", " \t\n "), "VALIDATION_ERROR", "currentReality"},
		{"a blank step", with("actionSteps", []string{"Script written", "  "}), "VALIDATION_ERROR", "actionSteps[1]"},
		{"an empty step", with("actionSteps", []string{""}), "VALIDATION_ERROR", "actionSteps[0]"},
		{"a date in words", with("dueDate", "next Friday"), "INVALID_FORMAT", "dueDate"},
		{"a day that does not exist", with("dueDate", "2026-02-29"), "INVALID_FORMAT", "dueDate"},
		{"a month 13", with("dueDate", "2026-13-01T00:00:00Z"), "INVALID_FORMAT", "dueDate"},
		{"a 30 February", with("dueDate", "2026-02-30T00:00:00Z"), "INVALID_FORMAT", "dueDate"},
		{"text after the date", with("dueDate", "2026-05-01T00:00:00Z or so"), "INVALID_FORMAT", "dueDate"},
		{"a problem as outcome", with("desiredOutcome", "Fix my sleep"), "CREATIVE_ORIENTATION_ERROR", "desiredOutcome"},
		{"a reality that is not factual", with("currentReality", "Ready to launch"), "CREATIVE_ORIENTATION_ERROR", "currentReality"},
		{"a step that is a process", with("actionSteps", []string{"Script written", "Trying to record more"}), "CREATIVE_ORIENTATION_ERROR", "actionSteps[1]"},
		{"two steps of one title", with("actionSteps", []string{"Script written", " script  WRITTEN "}), "DUPLICATE_KEY", "actionSteps[1]"},
		{"missing before wrong type", args{"desiredOutcome": 5, "dueDate": "x"}, "MISSING_REQUIRED", "currentReality"},
		{"wrong type before format", args{"desiredOutcome": 5, "currentReality": "y", "dueDate": "x"}, "VALIDATION_ERROR", "desiredOutcome"},
		{"blank before an impossible date", args{"desiredOutcome": " ", "currentReality": "y", "dueDate": "2026-02-30T00:00:00Z"}, "VALIDATION_ERROR", "desiredOutcome"},
		{"format before orientation", args{"desiredOutcome": "Fix it", "currentReality": "y", "dueDate": "2026-02-30T00:00:00Z"}, "INVALID_FORMAT", "dueDate"},
		{"orientation before uniqueness", args{"desiredOutcome": "Fix it", "currentReality": "y", "dueDate": "2026-05-01T00:00:00Z", "actionSteps": []string{"A chosen", "A chosen"}}, "CREATIVE_ORIENTATION_ERROR", "desiredOutcome"},
	}
	b.refuseAll(t, createName, cases)
}

func TestCreateAnswersWithTheWholeChart(t *testing.T) {
	b := newBench(t)
	out := b.Call(createName, with("actionSteps", []string{"Script written", "Pilot recorded"}))
	if !regexp.MustCompile(`^chart_\d{13}$`).MatchString(out["chartId"].(string)) {
		t.Errorf("chartId is %v, want chart_<unix ms>", out["chartId"])
	}
	same(t, "createdAt", out["createdAt"], "2026-01-01T12:00:00Z")
	same(t, "dueDate", out["dueDate"], "2026-05-01T12:00:00Z")
	same(t, "steps", out["actionSteps"], "[Script written Pilot recorded]")
	same(t, "counts", []any{out["progress"], out["totalActions"], out["completedActions"]}, "[0 2 0]")
	same(t, "active charts", b.active(), []any{out["chartId"]})
}

func TestChartIDsOfOneMillisecondAreCountedUp(t *testing.T) {
	b := newBench(t)
	first, second, third := b.chart("Create a podcast"), b.chart("Create a podcast"), b.chart("Create a book")
	same(t, "ids", []string{first, second, third}, "[chart_1767268800000 chart_1767268800001 chart_1767268800002]")
}

func TestAnOutcomeOf500CharactersIsAccepted(t *testing.T) {
	b := newBench(t)
	text := "Create " + strings.Repeat("ü", 493)
	out := b.Call(createName, with("desiredOutcome", text))
	same(t, "outcome", out["desiredOutcome"], text)
}

func TestDueDatesAreAcceptedAndEchoedAsGiven(t *testing.T) {
	b := newBench(t)
	for _, due := range []string{
		"2026-05-01T12:00:00Z", "2026-05-01T12:00:00", "2026-05-01T12:00:00.123Z", "2026-05-01T12:00:00+02:00",
		"2026-05-01T12:00:00.5-0730", "2024-02-29T00:00:00Z", "1999-01-01T00:00:00Z", "2999-12-31T23:59:59Z",
	} {
		out := b.Call(createName, with("dueDate", due))
		same(t, "dueDate", out["dueDate"], due)
	}
}

func TestStepsOfANewChartAreSpreadUpToItsDueDate(t *testing.T) {
	b := newBench(t)
	id := b.chart("Create a podcast", "A chosen", "B chosen", "C chosen")
	dates := stepDates(b, id)
	same(t, "dates", dates, "[2026-01-31T12:00:00Z 2026-03-02T12:00:00Z 2026-04-01T12:00:00Z]")

	past := b.Call(createName, args{"desiredOutcome": "Create a book", "currentReality": "Have notes", "dueDate": "2025-06-30T00:00:00+02:00", "actionSteps": []string{"A chosen", "B chosen"}})
	same(t, "dates of a past chart", stepDates(b, past["chartId"].(string)), "[2025-06-30T00:00:00+02:00 2025-06-30T00:00:00+02:00]")
}

func TestDatesAcrossCenturiesDoNotOverflow(t *testing.T) {
	got := dateBetween(noon, "9026-01-01T12:00:00Z", 1, 2)
	at, err := time.Parse(time.RFC3339, got)
	if err != nil || at.Year() != 5526 && at.Year() != 5525 {
		t.Errorf("halfway to the year 9026 is %s", got)
	}
}

func TestOrientationErrorsCarryRuleWordsAndSuggestions(t *testing.T) {
	b := newBench(t)
	e := b.refuse(createName, with("desiredOutcome", "Reduce my costs"), "CREATIVE_ORIENTATION_ERROR", "desiredOutcome")
	same(t, "constraint", e.Details["constraint"], orientation.RuleOutcomeProblem)
	same(t, "words", e.Details["words"], "[Reduce]")
	suggestion := e.Details["suggestions"].([]any)[0].(string)
	b.Call(createName, with("desiredOutcome", suggestion))
}

func TestTheOrientationLevelDecidesWhatAnOutcomeMustShow(t *testing.T) {
	for _, c := range []struct {
		level    orientation.Level
		outcome  string
		accepted bool
	}{
		{orientation.Standard, "The roof is sound", true},
		{orientation.Strict, "The roof is sound", false},
		{orientation.Strict, "Create a sound roof", true},
		{orientation.Lenient, "A podcast", true},
		{orientation.Standard, "Work on a podcast", false},
		{orientation.Standard, "A podcast", true},
		{orientation.Lenient, "Eliminate debt", false},
	} {
		b := openBench(t, t.TempDir()+"/level.db", c.level)
		if r := b.CallAllowingRefusal(createName, with("desiredOutcome", c.outcome)); r.IsError == c.accepted {
			t.Errorf("at level %s, %q: accepted is %v", c.level, c.outcome, !r.IsError)
		}
	}
}

func TestTextIsStoredUnchanged(t *testing.T) {
	b := newBench(t)
	in := args{"desiredOutcome": " Create <b>\"Ærø\" & 𝄞</b>\n", "currentReality": "5 > 3 \u2028 'x'; DROP TABLE charts", "dueDate": "2026-05-01T12:00:00Z", "actionSteps": []string{" Größe gewählt "}}
	out := b.Call(createName, in)
	status := b.progressOf(out["chartId"].(string))
	same(t, "outcome", status["desiredOutcome"], in["desiredOutcome"])
	same(t, "reality", status["currentReality"], in["currentReality"])
	same(t, "steps", texts(status["actionSteps"]), in["actionSteps"])
}
