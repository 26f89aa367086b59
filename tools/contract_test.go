package tools

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"
)

// Source: tool interface, "REQUIRED: Tool Definition" and "MUST NEVER".
func TestADefinitionThatBreaksARuleIsRefused(t *testing.T) {
	day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	tests := map[string]func(*Tool[sampleIn, sampleOut]){
		"a name that is neither snake nor kebab case": func(t *Tool[sampleIn, sampleOut]) { t.Name = "DoSample" },
		"a description under 50 characters":           func(t *Tool[sampleIn, sampleOut]) { t.Description = strings.Repeat("x", 49) },
		"no title":                                    func(t *Tool[sampleIn, sampleOut]) { t.Title = " " },
		"permissions left out":                        func(t *Tool[sampleIn, sampleOut]) { t.Permissions = nil },
		"a permission of another form":                func(t *Tool[sampleIn, sampleOut]) { t.Permissions = []Permission{"write"} },
		"an unknown category":                         func(t *Tool[sampleIn, sampleOut]) { t.Category = "other" },
		"an unknown response time":                    func(t *Tool[sampleIn, sampleOut]) { t.ResponseTime = "instant" },
		"a cached mutation": func(t *Tool[sampleIn, sampleOut]) {
			t.Category, t.CacheTTL, t.Reads = Mutation, time.Second, []string{"x"}
		},
		"a cached generation": func(t *Tool[sampleIn, sampleOut]) {
			t.Category, t.CacheTTL, t.Reads = Generation, time.Second, []string{"x"}
		},
		"a cached tool that does not say what it reads": func(t *Tool[sampleIn, sampleOut]) { t.CacheTTL = time.Second },
		"a negative cache time":                         func(t *Tool[sampleIn, sampleOut]) { t.CacheTTL = -1 },
		"a destructive query":                           func(t *Tool[sampleIn, sampleOut]) { t.Destructive = true },
		"a version that is not semantic":                func(t *Tool[sampleIn, sampleOut]) { t.Version = "1.0" },
		"no example":                                    func(t *Tool[sampleIn, sampleOut]) { t.Examples = nil },
		"an example without description":                func(t *Tool[sampleIn, sampleOut]) { t.Examples[0].Description = "" },
		"no tag":                                        func(t *Tool[sampleIn, sampleOut]) { t.Tags = nil },
		"no handler":                                    func(t *Tool[sampleIn, sampleOut]) { t.Handle = nil },
		"a rate limit of nothing":                       func(t *Tool[sampleIn, sampleOut]) { t.RateLimit = &RateLimit{} },
		"a removal less than 90 days ahead": func(t *Tool[sampleIn, sampleOut]) {
			t.Deprecated = &Deprecation{Since: "1.0.0", Replacement: "x", Announced: day, RemovalDate: day.AddDate(0, 0, 89)}
		},
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			if _, err := NewRegistry(Family{Name: "samples", Dialect: FormatStandardError, Tools: []*Definition{sampleTool(change)}}); err == nil {
				t.Error("it was registered")
			}
		})
	}
}

func TestNamesAreUniqueAlsoInTheirKebabForm(t *testing.T) {
	kebab := sampleTool(func(t *Tool[sampleIn, sampleOut]) { t.Name = "do-sample" })
	if _, err := NewRegistry(Family{Name: "samples", Dialect: FormatStandardError, Tools: []*Definition{sampleTool(nil), kebab}}); err == nil {
		t.Error("do-sample and do_sample were both registered")
	}
}

func TestTheRegistryFindsToolsByNameCategoryAndTag(t *testing.T) {
	a := sampleTool(nil)
	b := sampleTool(func(t *Tool[sampleIn, sampleOut]) { t.Name, t.Category = "other", Analysis })
	r, err := NewRegistry(Family{Name: "samples", Dialect: FormatStandardError, Tools: []*Definition{a, b}})
	if err != nil {
		t.Fatal(err)
	}
	one := func(list []*Definition, want *Definition) bool { return len(list) == 1 && list[0] == want }
	if r.Get("do_sample") != a || r.Get("do-sample") != a || r.Get("none") != nil || len(r.All()) != 2 ||
		!one(r.ByCategory(Analysis), b) {
		t.Error("a look-up is wrong")
	}
}

// Contract, section 3: confidence = completeness × freshness × support.
func TestConfidenceFollowsTheFormula(t *testing.T) {
	tests := map[string]struct {
		evidence Evidence
		want     float64
	}{
		"a verified write is certain":                    {WriteEvidence(), 1},
		"an exact read of nothing is certain":            {NewReadEvidence(0), 1},
		"a search without results knows nothing":         {NewSearchEvidence(0), 0},
		"two results of a search: 2/(2+2)":               {NewSearchEvidence(2), 0.5},
		"six results of a search: 6/(6+2)":               {NewSearchEvidence(6), 0.75},
		"a word that is the whole question: 2/(2+2)":     {MatchEvidence(3, 1, 1), 0.5},
		"a match of four words: 5/(5+2)":                 {MatchEvidence(1, 4, 1), 0.71},
		"a match of half of the question: 1/2 × 3/(3+2)": {MatchEvidence(1, 2, 0.5), 0.3},
		"a match of no word":                             {MatchEvidence(9, 0, 0), 0},
		"half of the evidence":                           {Evidence{Present: 1, Expected: 2}, 0.5},
		"evidence as old as its horizon":                 {Evidence{Validity: MediumTerm, Age: time.Hour}, 0.5},
		"evidence of twice its horizon":                  {Evidence{Validity: LongTerm, Age: 48 * time.Hour}, 0.25},
		"indefinite validity never ages":                 {Evidence{Validity: Indefinite, Age: 1e6 * time.Hour}, 1},
		"all three together: 1/2 × 1/2 × 2/(2+2)":        {Evidence{Present: 2, Expected: 4, Validity: Short, Age: 5 * time.Minute, Samples: 2, Sampled: true}, 0.13},
		"more than expected counts as all":               {Evidence{Present: 3, Expected: 2}, 1},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			if got := tc.evidence.Confidence(); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
	merged := NewHints(WriteEvidence(), NewSearchEvidence(2))
	if merged.findLowestEvidenceConfidence() != 0.5 || merged.SourceQuality != QualityMedium {
		t.Errorf("merged results take the minimum, got %v %v", merged.findLowestEvidenceConfidence(), merged.SourceQuality)
	}
}

func TestHintsOutOfRangeAreRefused(t *testing.T) {
	tests := map[string]func(*Hints){
		"relevance below 0":     func(h *Hints) { h.AddRelatedResource("x", "y", "z", -0.1) },
		"a probability of NaN":  func(h *Hints) { h.RiskFactors = []Risk{{Probability: math.NaN()}} },
		"a list that is null":   func(h *Hints) { h.ContextNeeded = nil },
		"no source quality":     func(h *Hints) { h.SourceQuality = "" },
		"no evidence":           func(h *Hints) { h.evidence = nil },
		"six suggested actions": func(h *Hints) { h.SuggestedNextActions = make([]Action, 6) },
	}
	if err := NewHints(WriteEvidence()).checkFieldsAndRanges(); err != nil {
		t.Fatal(err)
	}
	for name, change := range tests {
		t.Run(name, func(t *testing.T) {
			h := NewHints(WriteEvidence())
			change(h)
			if h.checkFieldsAndRanges() == nil {
				t.Error("accepted")
			}
		})
	}
}

func TestTheBuilderKeepsAtMostFiveActionsAndResources(t *testing.T) {
	h := NewHints(WriteEvidence())
	for range 9 {
		h.SuggestCall("do_sample", PriorityLow, nil, "").AddRelatedResource("a", "b", "c", 1)
	}
	if len(h.SuggestedNextActions) != 5 || len(h.RelatedResources) != 5 {
		t.Errorf("%d actions, %d resources", len(h.SuggestedNextActions), len(h.RelatedResources))
	}
}

// Some clients drop a tool, or all tools, over any of these.
func TestSchemasAreFitForEveryClient(t *testing.T) {
	d := sampleTool(nil)
	for _, get := range []func() (json.RawMessage, error){d.InputSchema, d.OutputSchema, d.outputWithHints, HintsSchema} {
		raw, err := get()
		if err != nil {
			t.Fatal(err)
		}
		for _, forbidden := range []string{"$schema", "$ref", "$defs", `:true,"`, "additionalProperties"} {
			if strings.Contains(string(raw), forbidden) {
				t.Errorf("%s in %s", forbidden, raw)
			}
		}
	}
	in, _ := d.InputSchema()
	want := `"required":["name","date"]`
	if !strings.Contains(string(in), want) || !strings.Contains(string(in), `"pattern":"^\\d{4}$"`) || !strings.Contains(string(in), `"enum":["red","blue"]`) {
		t.Errorf("input schema is %s", in)
	}
}

func TestTraceIDsComeFromWellFormedTraceparentsOnly(t *testing.T) {
	tests := map[string]string{
		"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01": "0af7651916cd43dd8448eb211c80319c",
		"00-00000000000000000000000000000000-b7ad6b7169203331-01": "",
		"00-XYZ7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01": "",
		"0af7651916cd43dd8448eb211c80319c":                        "",
		"":                                                        "",
	}
	for header, want := range tests {
		if got := TraceID(header); got != want {
			t.Errorf("%q gives %q, want %q", header, got, want)
		}
	}
}

func TestWithKeyAppendsToAnyObject(t *testing.T) {
	tests := map[string]string{`{}`: `{"k":1}`, ` { } `: `{ "k":1}`, `{"a":2}`: `{"a":2,"k":1}`}
	for in, want := range tests {
		got := string(appendJSONKey(json.RawMessage(in), "k", json.RawMessage(`1`)))
		if got != want || !json.Valid([]byte(got)) {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
}

func TestADefinitionKeepsEveryFieldOfItsTool(t *testing.T) {
	given := Tool[sampleIn, sampleOut]{}
	v := reflect.ValueOf(&given).Elem()
	for i := range v.NumField() {
		fill(v.Field(i))
	}
	d := Define(given)
	kept := reflect.ValueOf(d.Tool)
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; kept.FieldByName(name).IsZero() && (name != "Examples" || len(d.Examples()) == 0) {
			t.Errorf("%s is lost", name)
		}
	}
}

// fill gives a field a value that is not zero.
func fill(f reflect.Value) {
	switch f.Kind() {
	case reflect.String:
		f.SetString("x")
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Int64:
		f.SetInt(1)
	case reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), 1, 1))
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
	case reflect.Func:
		f.Set(reflect.MakeFunc(f.Type(), func([]reflect.Value) []reflect.Value { return nil }))
	}
}
