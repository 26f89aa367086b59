package transfer

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/graph"
)

const (
	adaLine   = `{"type":"entity","name":"Ada","entityType":"person","observations":["Builds organs"]}`
	organLine = `{"type":"entity","name":"Organ","entityType":"project","observations":[]}`
	buildLine = `{"type":"relation","from":"Ada","to":"Organ","relationType":"builds"}`
)

func readString(t testing.TB, text string) *ExchangeFile {
	t.Helper()
	file, err := ReadExchange(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return file
}

func importText(t testing.TB, db *store.DB, text string) *ExchangeResult {
	t.Helper()
	result, err := ImportExchange(t.Context(), db, readString(t, text), ExchangeOptions{})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return result
}

func exportText(t testing.TB, db *store.DB, format ExchangeFormat) string {
	t.Helper()
	var out bytes.Buffer
	if _, err := ExportExchange(t.Context(), db, &out, format); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func sampleText(t testing.TB, name string) string {
	t.Helper()
	text := testenv.Read(t, "testdata/exchange_"+name)
	return string(text)
}

// linesMissing are the lines of a file that do not come back letter for letter.
func linesMissing(file, export string) []string {
	var missing []string
	for line := range strings.Lines(file) {
		if line = strings.TrimSpace(line); line != "" && !strings.Contains(export, line+"\n") {
			missing = append(missing, line)
		}
	}
	return missing
}

func TestOfficialFileComesBackLineByLine(t *testing.T) {
	text := sampleText(t, "official.jsonl")
	for _, format := range []ExchangeFormat{ExchangeMemory, ExchangeCoaia} {
		db := storetest.Open(t)
		importText(t, db, text)
		if missing := linesMissing(text, exportText(t, db, format)); missing != nil {
			t.Errorf("%s lacks %q", format, missing)
		}
	}
}

func TestCoaiaFileComesBackWithEveryMember(t *testing.T) {
	text := sampleText(t, "coaia.jsonl")
	db := storetest.Open(t)
	result := importText(t, db, text)
	if result.Charts.New != 3 || result.Steps.New != 2 || result.Beats.New != 2 || result.Entities.New != 1 || result.Kept.New != 1 || len(result.Problems) > 0 {
		t.Errorf("%+v", result)
	}
	export := readString(t, exportText(t, db, ExchangeCoaia))
	file := readString(t, text)
	for k, c := range file.Charts {
		back := export.Charts[k]
		for j, part := range append([]*ExchangeEntity{c.Entity, c.Outcome, c.Reality}, c.Steps...) {
			requireMembers(t, part, append([]*ExchangeEntity{back.Entity, back.Outcome, back.Reality}, back.Steps...)[j])
		}
	}
	for k, b := range file.Beats {
		requireMembers(t, b.ExchangeEntity, export.Beats[k].ExchangeEntity)
		if back := export.Beats[k]; back.Chart != b.Chart || back.Parent != b.Parent {
			t.Errorf("%s is in %q below %q", b.Name, back.Chart, back.Parent)
		}
	}
	requireMembers(t, file.Entities[0], export.Entities[0])
	if diff := cmp.Diff(file.Foreign, export.Foreign); diff != "" {
		t.Error(diff)
	}
	for _, want := range []string{
		`"to":"chart_100_current_reality","relationType":"contains","metadata":{"createdAt":"2026-01-05T09:00:00.000Z","strength":0.5}}`,
		`{"type":"relation","from":"Ada","to":"chart_100_chart","relationType":"leads","metadata":{"context":"workshop"}}`,
		`{"type":"relation","from":"chart_100_desired_outcome","to":"Ada","relationType":"inspired_by"}`,
		`{"type":"relation","from":"chart_100_action_2","to":"Ada","relationType":"assigned_to","weight":3}`,
	} {
		if !strings.Contains(exportText(t, db, ExchangeCoaia), want) {
			t.Errorf("no %s", want)
		}
	}
}

// requireMembers requires that an entity came back with all that it had, but for
// chartIds that named the parent beat.
func requireMembers(t *testing.T, want, got *ExchangeEntity) {
	t.Helper()
	if diff := cmp.Diff(want.Observations, got.Observations); got.Name != want.Name || got.Type != want.Type || diff != "" {
		t.Errorf("%s came back as %s\n%s", want.Name, got.Name, diff)
	}
	for key, value := range want.Metadata {
		if string(got.Metadata[key]) != string(value) && !(want.Type == graph.TypeBeat && key == "chartId") {
			t.Errorf("%s: %s is %s, want %s", want.Name, key, got.Metadata[key], value)
		}
	}
	for key, value := range want.Extra {
		if string(got.Extra[key]) != string(value) {
			t.Errorf("%s: %s is %s, want %s", want.Name, key, got.Extra[key], value)
		}
	}
}

func TestOldBeatLineBecomesBeatOfItsChart(t *testing.T) {
	db := storetest.Open(t)
	result := importText(t, db, sampleText(t, "old_beats.jsonl"))
	if result.Beats.New != 1 || result.Entities.New != 1 {
		t.Errorf("%+v", result)
	}
	beat := readString(t, exportText(t, db, ExchangeCoaia)).Beats[0]
	for key, want := range map[string]string{
		"title": `"First sound"`, "act": "2", "universes": `["story-engine"]`, "timestamp": `"2025-03-01"`, "mood": `"quiet"`,
		"narrative":           `{"description":"A stop speaks","prose":"Thin as a thread.","lessons":["Listen"],"voice":"Ada"}`,
		"relationalAlignment": `{"assessed":true,"score":0.8,"principles":["care"]}`,
	} {
		if string(beat.Metadata[key]) != want {
			t.Errorf("%s is %s, want %s", key, beat.Metadata[key], want)
		}
	}
	if beat.Chart != "chart_1" || string(beat.Extra["shelf"]) != `"B"` {
		t.Errorf("%+v", beat)
	}
}

func TestUnreadableLinesAreReportedWithTheirNumbers(t *testing.T) {
	file := readString(t, sampleText(t, "damaged.jsonl"))
	want := map[int]string{
		2: "not valid JSON", 3: "not valid JSON", 5: "not a JSON object", 6: "an entity without a name", 8: `"observations" is of the wrong type`,
		9: `"observations" is of the wrong type`, 10: "a relation without both ends", 18: `"metadata" is of the wrong type`, 19: `an object without a "type"`,
	}
	for _, p := range file.Problems {
		if message, expected := want[p.Line]; p.Skipped && (!expected || !strings.Contains(p.Message, message)) {
			t.Errorf("line %d: %s", p.Line, p.Message)
		}
	}
	if file.SkippedCount != len(want) {
		t.Errorf("%d lines skipped, want %d: %v", file.SkippedCount, len(want), file.Problems)
	}
	db := storetest.Open(t)
	importText(t, db, sampleText(t, "damaged.jsonl"))
	export := exportText(t, db, ExchangeCoaia)
	for _, name := range []string{"Ada", "Bare", "chart_9_chart", "chart_9_current_reality", "chart_9_action_1"} {
		if !strings.Contains(export, `"name":"`+name+`"`) {
			t.Errorf("%s did not come in", name)
		}
	}
}

func TestReadAcceptsEveryLayoutOfLines(t *testing.T) {
	text := strings.Join([]string{adaLine, organLine, buildLine}, "\n")
	for name, layout := range map[string]string{
		"plain": text, "final newline": text + "\n", "CRLF": strings.ReplaceAll(text, "\n", "\r\n"),
		"byte order mark": "\uFEFF" + text, "blank lines": "\n \n" + strings.ReplaceAll(text, "\n", "\n\n\t\n"),
		"relation first": strings.Join([]string{buildLine, adaLine, organLine}, "\n"),
	} {
		file := readString(t, layout)
		if len(file.Entities) != 2 || len(file.Relations) != 1 || len(file.Problems) > 0 {
			t.Errorf("%s: %+v", name, file)
		}
	}
}

func TestInputWithoutRecordIsEmptyAndHasProblems(t *testing.T) {
	for text, problems := range map[string]bool{
		"": false, "\uFEFF\r\n \n": false,
		"Dear diary\n": true, `{"type":"entity"}`: true, `{}`: true, "{\n  \"port\": 80\n}\n": true, "\xff\xfe{\x00}\x00": true,
	} {
		if file := readString(t, text); !file.IsEmpty() || len(file.Problems) > 0 != problems {
			t.Errorf("%q: %+v", text, file)
		}
	}
}

func TestFaultOfTheSourceIsReturned(t *testing.T) {
	fault := errors.New("disk gone")
	if _, err := ReadExchange(iotest.ErrReader(fault)); !errors.Is(err, fault) {
		t.Errorf("got %v", err)
	}
}

func TestLinesOfOneNameAreMergedLikeFiles(t *testing.T) {
	lines := []string{
		`{"type":"entity","name":"Ada","entityType":"person","observations":["one"],"metadata":{"a":1},"x":1}`,
		`{"type":"entity","name":"Ada","observations":["one","two"],"metadata":{"a":9,"b":2},"y":2}`,
		`{"type":"relation","from":"Ada","to":"Ada","relationType":"knows","metadata":{"strength":1}}`,
		`{"type":"relation","from":"Ada","to":"Ada","relationType":"knows","metadata":{"strength":2,"since":3}}`,
	}
	want := `{"type":"entity","name":"Ada","entityType":"person","observations":["one","two"],"metadata":{"a":1,"b":2},"x":1,"y":2}
{"type":"relation","from":"Ada","to":"Ada","relationType":"knows","metadata":{"since":3,"strength":1}}
`
	together, apart := storetest.Open(t), storetest.Open(t)
	importText(t, together, strings.Join(lines, "\n"))
	for _, line := range lines {
		importText(t, apart, line)
	}
	for name, db := range map[string]*store.DB{"one file": together, "several files": apart} {
		if diff := cmp.Diff(want, exportText(t, db, ExchangeCoaia)); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
	}
}

func TestLinesOfOneNameInTwoEncodingsAreOneEntity(t *testing.T) {
	db := storetest.Open(t)
	importText(t, db, "{\"type\":\"entity\",\"name\":\"Zé\",\"entityType\":\"person\",\"observations\":[\"one\"]}\n"+
		"{\"type\":\"entity\",\"name\":\"Ze\u0301\",\"entityType\":\"person\",\"observations\":[\"two\"]}\n"+
		"{\"type\":\"relation\",\"from\":\"Ze\u0301\",\"to\":\"Zé\",\"relationType\":\"knows\"}")
	want := `{"type":"entity","name":"Zé","entityType":"person","observations":["one","two"]}
{"type":"relation","from":"Zé","to":"Zé","relationType":"knows"}
`
	if diff := cmp.Diff(want, exportText(t, db, ExchangeCoaia)); diff != "" {
		t.Error(diff)
	}
}

func TestConflictingValuesOfOneEntityAreReported(t *testing.T) {
	file := readString(t, strings.Join([]string{
		`{"type":"entity","name":"Ada","entityType":"person","observations":["one"],"metadata":{"since":2019,"same":1},"shelf":"B"}`,
		`{"type":"entity","name":"Bo","observations":[]}`,
		`{"type":"entity","name":"Ada","entityType":"organist","observations":["two"],"metadata":{"since":2020,"same":1,"new":1},"shelf":"C"}`,
		`{"type":"entity","name":"Bo","entityType":"person","observations":[],"shelf":"A"}`,
	}, "\n"))
	var want []ExchangeProblem
	for _, key := range []string{"entityType", "since", "shelf"} {
		want = append(want, ExchangeProblem{Line: 3, Message: fmt.Sprintf("entity \"Ada\": an earlier line has another value of %q, which stays", key)})
	}
	if diff := cmp.Diff(want, file.Problems); diff != "" {
		t.Error(diff)
	}
	if ada, bo := file.Entities[0], file.Entities[1]; ada.Type != "person" || string(ada.Metadata["since"]) != "2019" || string(ada.Extra["shelf"]) != `"B"` || bo.Type != "person" {
		t.Errorf("%+v, %+v", ada, bo)
	}
}

func TestOrderOfNestedKeysIsNoConflict(t *testing.T) {
	file := readString(t, `{"type":"entity","name":"Ada","entityType":"person","observations":[],"metadata":{"at":[{"x":1,"y":{"a":2,"b":3}}]}}
{"type":"entity","name":"Ada","entityType":"person","observations":[],"metadata":{"at":[{"y":{"b":3,"a":2},"x":1}]}}
{"type":"entity","name":"Ada","entityType":"person","observations":[],"metadata":{"at":[{"y":{"b":9007199254740993,"a":2},"x":1}]}}`)
	if len(file.Problems) != 1 || file.Problems[0].Line != 3 {
		t.Errorf("%+v", file.Problems)
	}
}

func TestNewRelationOfAStoredChartIsReported(t *testing.T) {
	db := storetest.Open(t)
	text := sampleText(t, "coaia.jsonl")
	importText(t, db, text)
	for _, again := range []string{text, exportText(t, db, ExchangeCoaia), exportText(t, db, ExchangeMemory)} {
		if result := importText(t, db, again); len(result.Problems) > 0 {
			t.Errorf("%+v", result.Problems)
		}
	}
	result := importText(t, db, strings.TrimSpace(text)+`
{"type":"relation","from":"Ada","to":"chart_100_current_reality","relationType":"describes"}`)
	if len(result.Problems) != 1 || result.Problems[0].Line != strings.Count(text, "\n")+1 || result.Relations.Skipped != 1 {
		t.Errorf("%+v", result)
	}
}

func TestRelationIsCountedOnceInDryRunAndImport(t *testing.T) {
	db := storetest.Open(t)
	waiting := `{"type":"relation","from":"Ada","to":"Ghost","relationType":"sees"}`
	importText(t, db, waiting)
	file := readString(t, sampleText(t, "coaia.jsonl")+strings.Join([]string{
		`{"type":"entity","name":"Ghost","entityType":"spirit","observations":[]}`, waiting,
		buildLine, buildLine, organLine, `{"type":"relation","from":"Ada","to":"Organ","relationType":"builds","weight":2}`,
		`{"type":"relation","from":"Ada","to":"chart_100","relationType":"leads"}`,
	}, "\n"))
	for _, o := range []ExchangeOptions{{DryRun: true}, {}, {}} {
		result, err := ImportExchange(t.Context(), db, file, o)
		if err != nil {
			t.Fatal(err)
		}
		if r := result.Relations; r.New+r.Merged+r.Unchanged != 4 || (r.New == 4) != (result.Entities.New > 0) {
			t.Errorf("%+v: %+v", o, result)
		}
	}
}

func TestMemoryExportBringsMetadataBack(t *testing.T) {
	first, second := storetest.Open(t), storetest.Open(t)
	importText(t, first, sampleText(t, "coaia.jsonl"))
	memory := exportText(t, first, ExchangeMemory)
	if strings.Contains(memory, `"metadata":`) || !strings.Contains(memory, metadataLabel) {
		t.Error(memory)
	}
	importText(t, second, memory)
	want, got := readString(t, exportText(t, first, ExchangeCoaia)), readString(t, exportText(t, second, ExchangeCoaia))
	for k, c := range want.Charts {
		if diff := cmp.Diff(c.Outcome.Metadata, got.Charts[k].Outcome.Metadata); diff != "" || got.Charts[k].ParentStep != c.ParentStep {
			t.Errorf("%s: %s", c.ID, diff)
		}
		if due := string(c.Entity.Metadata["dueDate"]); due != string(got.Charts[k].Entity.Metadata["dueDate"]) {
			t.Errorf("%s was due %s", c.ID, due)
		}
		for i, step := range c.Steps {
			if diff := cmp.Diff(step.Metadata, got.Charts[k].Steps[i].Metadata); diff != "" {
				t.Errorf("%s: %s", step.Name, diff)
			}
		}
	}
	for k, b := range want.Beats {
		if diff := cmp.Diff(b.Metadata, got.Beats[k].Metadata); diff != "" {
			t.Errorf("%s: %s", b.Name, diff)
		}
	}
}

// An earlier build exported this file: two steps are charts, one by a relation that
// telescopes it, and one beat details another.
func TestLabelsOfEarlierMemoryExportsAreReadAndNotWritten(t *testing.T) {
	db := storetest.Open(t)
	result := importText(t, db, sampleText(t, "old_memory.jsonl"))
	if result.Charts.New != 3 || result.Steps.New != 3 || result.Beats.New != 2 || result.Entities.New > 0 || len(result.Problems) > 0 {
		t.Errorf("%+v", result)
	}
	file := readString(t, exportText(t, db, ExchangeCoaia))
	got := map[string]string{}
	for _, c := range file.Charts {
		for _, part := range append([]*ExchangeEntity{c.Outcome}, c.Steps...) {
			got[part.Name] = strings.Join([]string{c.ParentChart, c.ParentStep, part.Metadata.text("dueDate"), part.Metadata.text("completedAt")}, " ")
		}
	}
	for _, b := range file.Beats {
		got[b.Name] = fmt.Sprintf("%s %s %s %s %s %s %s %s %s", b.Chart, b.Parent, b.Metadata["act"], b.Metadata.text("type_dramatic"),
			b.Metadata["universes"], b.Metadata.text("timestamp"), b.Metadata.text("title"), b.Metadata["narrative"], b.Metadata["relationalAlignment"])
	}
	want := map[string]string{
		"chart_1_desired_outcome":              "  2030-01-01T00:00:00Z ",
		"chart_1_action_1":                     "  2027-12-09T20:06:26Z 2026-11-28T06:09:40Z",
		"chart_1_action_2":                     "  2028-12-20T10:03:13Z ",
		"chart_1_action_3_desired_outcome":     "chart_1  2029-05-05T00:00:00Z ",
		"chart_1_action_2_sub_desired_outcome": "chart_1 chart_1_action_2 2028-12-20T10:03:13Z ",
		"chart_1_action_2_sub_action_1":        "chart_1 chart_1_action_2 2027-12-09T20:06:26Z ",
		"chart_1_beat_1":                       `chart_1  2 Climax ["engineer-world","ceremony-world"] 2026-11-28T06:09:41Z First sound {"description":"A stop speaks.","lessons":["Wind comes before tone","Listen"],"prose":"Thin as a thread."} {"principles":["listening"]}`,
		"chart_1_beat_1_beat_1":                `chart_1 chart_1_beat_1 2 Crisis ["engineer-world","ceremony-world"] 2026-11-28T06:09:41Z The hush {"description":"It was quiet.","lessons":["Listen first to the room"],"prose":"Hush."} {}`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if memory := exportText(t, db, ExchangeMemory); strings.Contains(memory, "Due date: ") || strings.Contains(memory, "Lesson: ") {
		t.Error(memory)
	}
}

func TestForeignLinesOfEarlierImportsAreExported(t *testing.T) {
	lines := []string{`{"type":"session","id":9007199254740993}`, `{"note":"no type"}`, `{"type":"relation","from":"Ada","to":"Ghost","relationType":"sees","weight":3}`}
	db := storetest.Open(t)
	storetest.Write(t, db, func(tx *store.Tx) error {
		for _, line := range lines {
			if err := graph.In(tx).InsertForeignLine([]byte(line)); err != nil {
				return err
			}
		}
		return nil
	})
	export := exportText(t, db, ExchangeCoaia)
	if missing := linesMissing(strings.Join(lines, "\n"), export); missing != nil {
		t.Errorf("no %q in %s", missing, export)
	}
	importText(t, db, adaLine+"\n"+`{"type":"entity","name":"Ghost","entityType":"spirit","observations":[]}`)
	if missing := linesMissing(export, exportText(t, db, ExchangeCoaia)); missing != nil {
		t.Errorf("gone with the end that came: %q", missing)
	}
}

func TestParentsOfChartsAreFound(t *testing.T) {
	chart := func(id, metadata string) string {
		return fmt.Sprintf(`{"type":"entity","name":"%[1]s_chart","entityType":"structural_tension_chart","observations":["made"],"metadata":{"chartId":"%[1]s"%[2]s}}
{"type":"entity","name":"%[1]s_desired_outcome","entityType":"desired_outcome","observations":["outcome of %[1]s"]}
{"type":"entity","name":"%[1]s_current_reality","entityType":"current_reality","observations":["one","two"]}
{"type":"entity","name":"%[1]s_action_1","entityType":"action_step","observations":["step of %[1]s"],"metadata":{"chartId":"%[1]s"}}
`, id, metadata)
	}
	file := readString(t, chart("a", `,"parentChart":"b","parentActionStep":"b_action_1"`)+chart("b", `,"parentChart":"c"`)+chart("c", "")+
		chart("titled", `,"parentChart":"c","parentActionStep":"Step of C"`)+chart("lost", `,"parentChart":"gone"`)+
		chart("x", `,"parentChart":"y"`)+chart("y", `,"parentChart":"x"`))
	want := map[string]string{
		"a": "b b_action_1", "b": "c ", "c": " ", "titled": "c c_action_1", "lost": " ", "x": "y ", "y": " ",
	}
	got := map[string]string{}
	for _, c := range file.Charts {
		if _, above := got[c.ParentChart]; c.ParentChart != "" && !above {
			t.Errorf("%s comes before its parent", c.ID)
		}
		got[c.ID] = c.ParentChart + " " + c.ParentStep
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestTwoNodesOfOneNameInAFileAreNotExported(t *testing.T) {
	db := storetest.Open(t)
	importText(t, db, sampleText(t, "coaia.jsonl"))
	storetest.Write(t, db, func(tx *store.Tx) error {
		_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: "chart_100_chart", Type: "note"})
		return err
	})
	var out bytes.Buffer
	if _, err := ExportExchange(t.Context(), db, &out, ExchangeCoaia); err == nil || !strings.Contains(err.Error(), `"chart_100_chart"`) || out.Len() > 0 {
		t.Errorf("%v, %d bytes", err, out.Len())
	}
}

// What the reader of a report needs to know is named with its line: another spelling, another
// type, and what a value must be.
func TestDifferencesAreReportedWithTheirLines(t *testing.T) {
	db := storetest.Open(t)
	importText(t, db, `{"type":"entity","name":"Zoé","entityType":"person","observations":["one"]}`)
	lines := strings.Join([]string{
		`{"type":"entity","name":"Zoé","entityType":"organist","observations":["one"]}`,
		`{"type":"entity","name":"Zoe\u0301","entityType":"organist","observations":["two"]}`,
		`{"type":"entity","name":"","entityType":"note","observations":[]}`,
		`{"type":"entity","name":"S","observations":"text"}`,
		`{"type":"relation","from":"Zoé","to":"Ghost Corp","relationType":"works_at"}`,
	}, "\n")
	file := readString(t, lines)
	result, err := ImportExchange(t.Context(), db, file, ExchangeOptions{DryRun: true})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range append(file.Problems, result.Problems...) {
		got = append(got, fmt.Sprintf("%d: %s", p.Line, p.Message))
	}
	want := []string{
		"2: entity \"Zoe\u0301\": line 1 writes the accents of this name otherwise; both are one entity",
		`3: an entity without a name: "name" is empty`,
		`4: entity "S": the value of "observations" is of the wrong type: it must be a list of texts, such as ["likes tea"]`,
		`1: entity "Zoé": its type is "organist" here and "person" in the database, which stays`,
		`5: the relation "works_at" from "Zoé" to "Ghost Corp": no entity "Ghost Corp"; it is shown like this, and connected when there is one`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if result.Dangling.New != 1 || result.Kept.New != 0 {
		t.Errorf("%d without an end, %d other lines", result.Dangling.New, result.Kept.New)
	}
}

func TestASavedAnswerOfReadGraphIsRead(t *testing.T) {
	text := "\uFEFF{\n  \"entities\": [\n    {\"name\": \"Ada\", \"entityType\": \"person\", \"observations\": [\n \"a\"]},\n    {\"name\": 7},\n {\"name\": \"Organ\"}\n  ],\n" +
		`"relations": [{"from":"Ada","to":"Organ","relationType":"builds"}], "agentHints": {}}` + "\n"
	file := readString(t, text)
	if len(file.Entities) != 2 || len(file.Relations) != 1 || len(file.Foreign) != 0 || file.Lines != 8 {
		t.Errorf("%d entities, %d relations, %d others, %d lines", len(file.Entities), len(file.Relations), len(file.Foreign), file.Lines)
	}
	want := []ExchangeProblem{{Line: 5, Skipped: true, Message: `an entity without a name: "name" must be a text`}}
	if diff := cmp.Diff(want, file.Problems); diff != "" {
		t.Error(diff)
	}
}
