package tools

import (
	"encoding/json"
	"strings"
	"testing"

	reflector "github.com/invopop/jsonschema"
)

// The order is the contract's: missing, then type, length and enum, then format.
func TestTheFirstViolationIsReportedWithPathAndConstraint(t *testing.T) {
	tests := map[string]struct{ arguments, code, field, rule string }{
		"absent arguments equal an empty object":         {``, CodeMissing, "name", "required"},
		"null arguments equal an empty object":           {`null`, CodeMissing, "name", "required"},
		"a null required field is missing":               {`{"name":null,"date":"2026"}`, CodeMissing, "name", "required"},
		"missing comes before a wrong type":              {`{"name":5}`, CodeMissing, "date", "required"},
		"a missing nested field comes before all others": {`{"name":5,"date":"x","items":[{"id":"a"},{}]}`, CodeMissing, "items[1].id", "required"},
		"wrong type":                               {`{"name":5,"date":"2026"}`, CodeInvalid, "name", "type string"},
		"type comes before format":                 {`{"name":"ann","date":"x","kind":3}`, CodeInvalid, "kind", "type string"},
		"too long counts code points":              {`{"name":"äöüäöü","date":"2026"}`, CodeInvalid, "name", "maxLength 5"},
		"five code points of many bytes are short": {`{"name":"🙂🙂🙂🙂🙂","date":"x"}`, CodeFormat, "date", "form"},
		"empty":                         {`{"name":"","date":"2026"}`, CodeInvalid, "name", "minLength 1"},
		"enum":                          {`{"name":"ann","date":"2026","kind":"green"}`, CodeInvalid, "kind", "enum red|blue"},
		"minimum":                       {`{"name":"ann","date":"2026","count":0}`, CodeInvalid, "count", "minimum 1"},
		"too few items":                 {`{"name":"ann","date":"2026","items":[]}`, CodeInvalid, "items", "minItems 1"},
		"a null item is a wrong type":   {`{"name":"ann","date":"2026","items":[null]}`, CodeInvalid, "items[0]", "type object"},
		"a fraction is no integer":      {`{"name":"ann","date":"2026","count":1.5}`, CodeInvalid, "count", "type integer"},
		"the second item of ten":        {`{"name":"ann","date":"2026","items":[{"id":"1"},{"id":2},{"id":"3"},{"id":"4"},{"id":"5"},{"id":"6"},{"id":"7"},{"id":"8"},{"id":"9"},{"id":"10"},{"id":11}]}`, CodeInvalid, "items[1].id", "type string"},
		"an array instead of an object": {`[]`, CodeInvalid, "arguments", "type object"},
		"a text instead of an object":   {`"x"`, CodeInvalid, "arguments", "type object"},
		"format":                        {`{"name":"ann","date":"20261"}`, CodeFormat, "date", "form"},
		"a key that is given twice":     {`{"name":"a","name":"b","date":"2026"}`, CodeInvalid, "name", "unique keys"},
		"an escaped key given twice":    {`{"name":"a","n\u0061me":"a","date":"2026"}`, CodeInvalid, "name", "unique keys"},
		"a nested key given twice":      {`{"name":"a","date":"2026","items":[{"id":"1"},{"id":"2","id":"3"}]}`, CodeInvalid, "items[1].id", "unique keys"},
		"a key of free data, twice":     {`{"name":"a","date":"2026","x":{"y":[[1,{"z":1e999,"z":2}]]}}`, CodeInvalid, "x.y[0][1].z", "unique keys"},
	}
	d := sampleTool(nil)
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := d.validateArguments(json.RawMessage(tc.arguments))
			e := asError(err)
			if e == nil {
				t.Fatalf("accepted; error %v", err)
			}
			if e.Kind != Validation || e.Code != tc.code || e.Field != tc.field || e.Rule != tc.rule {
				t.Errorf("got %s %s %q %q, want %s %q %q", e.Kind, e.Code, e.Field, e.Rule, tc.code, tc.field, tc.rule)
			}
			if !strings.Contains(e.Message, tc.field) {
				t.Errorf("message %q does not name the field", e.Message)
			}
		})
	}
}

func TestValidArgumentsAreNormalised(t *testing.T) {
	tests := map[string]struct{ arguments, want string }{
		"defaults are filled in":       {`{"name":"a","date":"2026"}`, `{"date":"2026","kind":"red","name":"a"}`},
		"optional nulls are absent":    {`{"name":"a","date":"2026","count":null,"kind":"blue"}`, `{"date":"2026","kind":"blue","name":"a"}`},
		"5.0 is the integer 5":         {`{"name":"a","date":"2026","count":5.0,"kind":"blue"}`, `{"count":5,"date":"2026","kind":"blue","name":"a"}`},
		"5e3 is the integer 5000":      {`{"name":"a","date":"2026","count":5e3,"kind":"blue"}`, `{"count":5000,"date":"2026","kind":"blue","name":"a"}`},
		"integers beyond 2^53 survive": {`{"name":"a","date":"2026","count":9007199254740993,"kind":"blue"}`, `{"count":9007199254740993,"date":"2026","kind":"blue","name":"a"}`},
		"unknown keys are removed":     {`{"name":"a","date":"2026","kind":"blue","NAME":"b","items":[{"id":"1","x":1}]}`, `{"date":"2026","items":[{"id":"1"}],"kind":"blue","name":"a"}`},
	}
	d := sampleTool(nil)
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			v, err := d.validateArguments(json.RawMessage(tc.arguments))
			if err != nil {
				t.Fatal(err)
			}
			if string(v.arguments) != tc.want {
				t.Errorf("got %s, want %s", v.arguments, tc.want)
			}
		})
	}
}

func TestUnknownArgumentsAreReportedByPath(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	r := callSample(t, p, `{"name":"a","date":"2026","colour":"x","items":[{"id":"1","weight":2}]}`)
	if r.IsError || len(r.Hints.Warnings) != 1 {
		t.Fatalf("want one warning, got %s %+v", r.Text, r.Hints.Warnings)
	}
	if got := strings.Join(r.Hints.Warnings[0].RelatedIDs, " "); got != "colour items[0].weight" {
		t.Errorf("ignored arguments are %q", got)
	}
}

// A pattern means little to a person; the description says what is wanted.
func TestAFormatErrorSaysWhatTheFieldMeans(t *testing.T) {
	_, err := sampleTool(nil).validateArguments(json.RawMessage(`{"name":"a","date":"x"}`))
	if err == nil || !strings.HasSuffix(err.Error(), ": A year") || strings.ContainsAny(err.Error()+asError(err).Rule, `^$\[]`) {
		t.Errorf("got %v", err)
	}
}

func TestPatternErrorDescribesFirstLetters(t *testing.T) {
	for pattern, want := range map[string]string{`^ent_[A-Za-z0-9_-]+$`: "does not have the right form, which begins with ent_", `^\d{4}$`: "does not have the right form"} {
		if got := describePattern(pattern); got != want {
			t.Errorf("%s: %s", pattern, got)
		}
	}
}

// An error never repeats the value of an argument: it may be a secret.
func TestValidationErrorsContainNoValues(t *testing.T) {
	d := sampleTool(nil)
	for _, arguments := range []string{`{"name":"hunter2hunter2","date":"2026"}`, `{"name":"a","date":"hunter2"}`, `{"name":"a","date":"2026","kind":"hunter2"}`, `{"name":"a","date":"2026","items":"hunter2"}`} {
		_, err := d.validateArguments(json.RawMessage(arguments))
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: error %v", arguments, err)
		}
	}
}

func FuzzValidate(f *testing.F) {
	for _, seed := range []string{``, `{}`, `[]`, `{"name":"a","date":"2026"}`, `{"name":"a","date":"2026","items":[{"id":"1"}]}`, `{"count":1e400}`, `{"count":-0.0,"ratio":1e-400}`, `{"name":"\ud800"}`, strings.Repeat(`[`, 200)} {
		f.Add([]byte(seed))
	}
	d := sampleTool(nil)
	f.Fuzz(func(t *testing.T, raw []byte) {
		v, err := d.validateArguments(raw)
		if err != nil {
			if asError(err) == nil {
				t.Fatalf("not an error of the contract: %v", err)
			}
			return
		}
		var in sampleIn
		if err := json.Unmarshal(v.arguments, &in); err != nil {
			t.Fatalf("arguments %s passed but do not fit: %v", v.arguments, err)
		}
		again, err := d.validateArguments(v.arguments)
		if err != nil || string(again.arguments) != string(v.arguments) || len(again.unknown) != 0 {
			t.Fatalf("validating twice differs: %s, %s, %v", v.arguments, again.arguments, err)
		}
	})
}

// shares has members that depend on each other, and a default of its own.
type shares struct {
	Left  *float64 `json:"left,omitempty" jsonschema:"default=0.7"`
	Right *float64 `json:"right,omitempty" jsonschema:"default=0.3"`
}

// JSONSchemaExtend gives the whole its default.
func (shares) JSONSchemaExtend(s *reflector.Schema) {
	s.Default = map[string]float64{"left": 0.7, "right": 0.3}
}

func TestAnObjectWithADefaultIsFilledInWholeOrNotAtAll(t *testing.T) {
	type input struct {
		Shares *shares `json:"shares,omitempty"`
		Count  int     `json:"count,omitempty" jsonschema:"default=5"`
	}
	d := Define(Tool[input, sampleOut]{})
	tests := map[string]string{
		`{}`:                        `{"count":5,"shares":{"left":0.7,"right":0.3}}`,
		`{"shares":{}}`:             `{"count":5,"shares":{}}`,
		`{"shares":{"left":0.5}}`:   `{"count":5,"shares":{"left":0.5}}`,
		`{"shares":null,"count":1}`: `{"count":1,"shares":{"left":0.7,"right":0.3}}`,
	}
	for given, want := range tests {
		v, err := d.validateArguments(json.RawMessage(given))
		if err != nil || string(v.arguments) != want {
			t.Errorf("%s becomes %s, %v; want %s", given, v.arguments, err, want)
		}
	}
}

func TestANumberBeyond64BitsIsTheCallersError(t *testing.T) {
	p := pipelineOf(t, nil, sampleTool(nil))
	for field, number := range map[string]string{"count": "99999999999999999999", "ratio": "1e400"} {
		r := callSample(t, p, `{"name":"a","date":"2026","`+field+`":`+number+`}`)
		if !r.IsError || r.Err.Kind != Validation || r.Err.Field != field {
			t.Errorf("%s gives %v", number, r.Text)
		}
	}
}
