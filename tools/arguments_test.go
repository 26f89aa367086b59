package tools

import (
	"encoding/json"
	"strings"
	"testing"
)

// A dropped filter answers another question than the one that was asked.
func TestQueryRefusesMisnamedArgument(t *testing.T) {
	tests := map[string]struct{ arguments, field, use string }{
		"another spelling":                       {`{"name":"a","date":"2026","Count":2}`, "Count", "count"},
		"a plural":                               {`{"name":"a","date":"2026","counts":2}`, "counts", "count"},
		"a synonym":                              {`{"name":"a","date":"2026","type":"red"}`, "type", "kind"},
		"a slip of the fingers":                  {`{"name":"a","date":"2026","cuont":2}`, "cuont", "count"},
		"the name of a missing argument":         {`{"title":"a","date":"2026"}`, "title", "name"},
		"another spelling in an item of a list":  {`{"name":"a","date":"2026","items":[{"id":"1"},{"ID":"2"}]}`, "items[1].ID", "items[1].id"},
		"the list's noun before an item's field": {`{"name":"a","date":"2026","items":[{"item_id":"1"}]}`, "items[0].item_id", "items[0].id"},
	}
	p := pipelineOf(t, nil, sampleTool(nil))
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			r := callSample(t, p, tc.arguments)
			if r.Err == nil || r.Err.Kind != Validation || r.Err.Field != tc.field {
				t.Fatalf("got %s", r.Text)
			}
			if !strings.Contains(r.Text, "use "+tc.use+":") || !strings.Contains(r.Text, tc.field+" is not an argument of do_sample") {
				t.Errorf("the text does not name %s: %s", tc.use, r.Text)
			}
		})
	}
}

// To be told of the list alone leads into the next refusal.
func TestFieldsOfAnItemBesideTheirListAreAnsweredWithTheWholeForm(t *testing.T) {
	type item struct {
		Name     string   `json:"name" jsonschema:"required"`
		Contents []string `json:"contents" jsonschema:"required"`
		Count    int      `json:"count" jsonschema:"required"`
		Note     string   `json:"note,omitempty"`
	}
	type list struct {
		Facts []item `json:"facts" jsonschema:"required"`
	}
	d := Define(Tool[list, sampleOut]{Name: "do_sample", Category: Mutation})
	for arguments, is := range map[string]bool{
		`{"name":"a","contents":["x"]}`: true,
		`{"note":"a"}`:                  true,
		`{"name":"a","facts":[]}`:       false,
		`{"colour":"a"}`:                false,
	} {
		_, err := d.validateArguments(json.RawMessage(arguments))
		const form = `call again with {"facts":[{"name":"…","contents":["…"],"count":…}]}`
		if answered := err != nil && strings.Contains(err.Error(), form); answered != is {
			t.Errorf("%s: %v", arguments, err)
		}
	}
}

func TestUnknownAndRepeatedArgumentsAreIgnored(t *testing.T) {
	tests := map[string]string{
		"an argument of another world":         `{"name":"a","date":"2026","colour":"x"}`,
		"a word that means nothing by itself":  `{"name":"a","date":"2026","context":"x"}`,
		"another spelling of a given argument": `{"name":"a","date":"2026","count":1,"COUNT":2}`,
		"a synonym of a given argument":        `{"name":"a","date":"2026","kind":"red","type":"blue"}`,
		"a synonym whose value does not fit":   `{"name":"a","date":"2026","type":{"of":"car"}}`,
		"a short word one letter away":         `{"name":"a","date":"2026","kid":"x"}`,
	}
	p := pipelineOf(t, nil, sampleTool(nil))
	for name, arguments := range tests {
		t.Run(name, func(t *testing.T) {
			if r := callSample(t, p, arguments); r.IsError || r.Warning == "" {
				t.Errorf("got %s, warning %q", r.Text, r.Warning)
			}
		})
	}
}

// Neither a model nor a person chose it: a warning on every call would hide the
// others.
func TestClientArgumentsAreIgnoredWithoutWarning(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(func(tool *Tool[sampleIn, sampleOut]) { tool.Category = Mutation }))
	r := callSample(t, p, `{"name":"a","date":"2026","wait_for_previous":true,"toolCallId":"x","task_progress":"- [ ] y"}`)
	if r.IsError || len(r.Hints.Warnings) > 0 || r.Warning != "" {
		t.Errorf("got %s %+v", r.Text, r.Hints.Warnings)
	}
}

func TestStrictToolRefusesUnknownArgument(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(func(tool *Tool[sampleIn, sampleOut]) { tool.Category, tool.Strict = Mutation, true }))
	if r := callSample(t, p, `{"name":"a","date":"2026","colour":"x"}`); r.Err == nil || r.Err.Field != "colour" || !strings.Contains(r.Text, "which takes action, count, date") || strings.Contains(r.Text, "was ignored") {
		t.Errorf("got %s", r.Text)
	}
	if r := callSample(t, p, `{"name":"a","date":"2026","wait_for_previous":true,"colour":null}`); r.IsError {
		t.Errorf("got %s", r.Text)
	}
}

func TestWriteAcceptsOtherSpellingAndRefusesOtherName(t *testing.T) {
	write := func(tool *Tool[sampleIn, sampleOut]) { tool.Category = Mutation }
	p := pipelineOf(t, nil, sampleTool(write))
	r := callSample(t, p, `{"name":"a","date":"2026","Count":2,"items":[{"ID":"1"}]}`)
	var out sampleOut
	if err := json.Unmarshal(r.Data, &out); err != nil {
		t.Fatalf("%v: %s", err, r.Text)
	}
	if out.Echo.Count != 2 || out.Echo.Items[0].ID != "1" {
		t.Errorf("what was given is lost: %+v", out.Echo)
	}
	if !strings.Contains(r.Warning, "Count was taken for count") || !strings.Contains(r.Warning, "items[0].ID was taken for items[0].id") {
		t.Errorf("the warning is %q", r.Warning)
	}
	if r = callSample(t, p, `{"name":"a","date":"2026","type":"red"}`); r.Err == nil || !strings.Contains(r.Text, "use kind: nothing was done") {
		t.Errorf("got %s", r.Text)
	}
}

func TestNamesOfCallersAreRepeatedShortAndPrintable(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	r := callSample(t, p, `{"name":"a","date":"2026","`+strings.Repeat("x", 500)+`":1,"\u202ey\n":1}`)
	if r.IsError || len(r.Warning) > 400 || strings.ContainsAny(r.Warning, "\u202e\n") {
		t.Errorf("the warning is %q", r.Warning)
	}
}

// Gemini CLI and others pass on text only.
func TestAWarningIsASecondBlockOfTextForTheAssistant(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	plain := callSample(t, p, `{"name":"a","date":"2026"}`)
	if blocks := plain.buildContent(); len(blocks) != 1 {
		t.Errorf("without a warning there are %d blocks", len(blocks))
	}
	warned := callSample(t, p, `{"name":"a","date":"2026","colour":"x"}`)
	blocks, err := json.Marshal(warned.buildContent())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"annotations":{"audience":["assistant"]}`, `Warning: 1 unknown argument was ignored: colour`, `Next: do_sample (again).`} {
		if !strings.Contains(string(blocks), want) {
			t.Errorf("%s lacks %s", blocks, want)
		}
	}
	var documented struct{ Echo sampleIn }
	if err := json.Unmarshal([]byte(warned.Text), &documented); err != nil || documented.Echo.Name != "a" {
		t.Errorf("the first block is %s", warned.Text)
	}
}

func TestEveryWarningOfHintsStandsInTheText(t *testing.T) {
	r := pipelineOf(t, nil, sampleTool(nil)).o.Registry
	h := NewHints(WriteEvidence()).Warn("duplicate", PriorityLow, "two facts\nwere known", "").Warn("deprecation", PriorityMedium, "old", "use new").
		SuggestCall("do_sample", PriorityLow, map[string]any{"name": "a  b"}, "")
	if got, want := h.formatWarnings(r), `Warning: two facts were known; old: use new. Next: do_sample {"name":"a  b"}.`; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := NewHints(WriteEvidence()).SuggestCall("do_sample", PriorityLow, nil, "").formatWarnings(r); got != "" {
		t.Errorf("without a warning: %s", got)
	}
}
