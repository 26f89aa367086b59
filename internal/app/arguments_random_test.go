package app

import (
	"encoding/json"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// randomSchema is what random arguments are made by.
type randomSchema struct {
	Type       any
	Enum       []any
	MaxLength  int
	MaxItems   int
	Minimum    float64
	Maximum    float64
	Properties map[string]randomSchema
	Items      *randomSchema
	Required   []string
}

// awkwardTexts are texts that parsers have stumbled over.
var awkwardTexts = []string{
	"", " ", "a", "tea", "Ünïcode 😀", "\u202e", "\x00", "'; DROP TABLE memories; --", `"`, `\`, "%", "NEAR(", "a AND OR *", "-1", "0", "1e999", "NaN", "null",
	"2026-02-30", "2026-03-01T00:00:00Z", "next tuesday", "../../etc/passwd", "http://[::1", "ent_1", "chart_1", "{}", "[[", "password: hunter22!!", "1,2;3\t4\n",
}

const (
	maxDepth      = 6
	rarely        = 20 // one value in so many is as large as it may be, or of another type
	randomTimeout = time.Second
)

// random is a value that mostly fits the schema.
func (s randomSchema) random(r *rand.Rand, depth int) any {
	if len(s.Enum) > 0 && r.IntN(rarely) > 0 {
		return s.Enum[r.IntN(len(s.Enum))]
	}
	kind, _ := s.Type.(string)
	if r.IntN(rarely) == 0 {
		kind = []string{"string", "integer", "number", "boolean", "array", "object", "null"}[r.IntN(7)]
	}
	switch kind {
	case "string":
		return randomText(r, s.MaxLength)
	case "integer", "number":
		return []any{0, 1, -1, 7, 100, 0.5, 1e300, json.Number("9007199254740993"), s.Minimum, s.Maximum, s.Maximum + 1}[r.IntN(11)]
	case "boolean":
		return r.IntN(2) == 0
	case "array":
		return s.randomList(r, depth)
	case "object":
		return s.randomObject(r, depth)
	}
	return nil
}

// randomText is short mostly, and sometimes as long as it may be, or one longer.
func randomText(r *rand.Rand, most int) string {
	text := awkwardTexts[r.IntN(len(awkwardTexts))]
	if r.IntN(3) == 0 {
		text += " " + awkwardTexts[r.IntN(len(awkwardTexts))]
	}
	if r.IntN(rarely) == 0 && text != "" {
		text = strings.Repeat(text, most/len(text)+1)[:most+r.IntN(2)]
	}
	return text
}

func (s randomSchema) randomList(r *rand.Rand, depth int) []any {
	n := r.IntN(4)
	if r.IntN(rarely) == 0 && depth == 1 {
		n = s.MaxItems
	}
	list := []any{}
	for range n {
		if s.Items == nil || depth > maxDepth {
			break
		}
		list = append(list, s.Items.random(r, depth+1))
	}
	return list
}

func (s randomSchema) randomObject(r *rand.Rand, depth int) map[string]any {
	object := map[string]any{}
	if len(s.Properties) == 0 {
		object[randomText(r, 100)] = randomText(r, 1000)
	}
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	for name, p := range s.Properties {
		if depth <= maxDepth && (r.IntN(2) == 0 || required[name] && r.IntN(rarely) > 0) {
			object[name] = p.random(r, depth+1)
		}
	}
	if r.IntN(rarely) == 0 {
		object["foreign"] = randomText(r, 100)
	}
	return object
}

// TestRandomArgumentsAreAnsweredWithinThePublishedTime calls each tool with TOOLKIT_RANDOM_CALLS
// random arguments; 'make random' does it with 10 000.
func TestRandomArgumentsAreAnsweredWithinThePublishedTime(t *testing.T) {
	calls := 5
	if n, err := strconv.Atoi(os.Getenv("TOOLKIT_RANDOM_CALLS")); err == nil {
		calls = n
	}
	a := openApp(t, 0)
	slowest, slowestTool := time.Duration(0), ""
	for i, d := range a.Server.Pipeline.ListVisibleTools() {
		raw, err := d.InputSchema()
		if err != nil {
			t.Fatal(err)
		}
		var s randomSchema
		toolstest.Decode(t, raw, &s)
		r := rand.New(rand.NewPCG(uint64(i), 1))
		for range calls {
			arguments := []byte(toolstest.EncodeJSON(s.randomObject(r, 0)))
			begun := time.Now()
			response, err := a.Server.Pipeline.Call(t.Context(), tools.Request{Tool: d.Name, Arguments: arguments})
			took := time.Since(begun)
			if took > slowest {
				slowest, slowestTool = took, d.Name
			}
			shown := string(arguments[:min(len(arguments), 300)])
			switch {
			case err != nil:
				t.Fatalf("%s %s: %v", d.Name, shown, err)
			case took > d.ResponseTime.Timeout()+randomTimeout:
				t.Errorf("%s took %s for %d bytes: %s", d.Name, took, len(arguments), shown)
			case response.IsError && response.Err.Kind == tools.System && !response.Err.Retryable:
				t.Errorf("%s %s: %s", d.Name, shown, response.Text)
			}
		}
	}
	t.Logf("the slowest call, of %s, took %s", slowestTool, slowest)
}
