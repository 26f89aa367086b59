package app

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"toolkit/internal/toolstest"
)

// cutShort are the endings of a text that goes on: an abbreviation or a word that introduces
// more, or a mark that no sentence ends with.
var cutShort = regexp.MustCompile(`(?i)((^|[\s(])(e\.g\.?|i\.e\.?|etc|such as|like|for example|a|an|the|and|or|but|if|than)|[,:;(\[{\-–—…]|\.\.\.)$`)

// describeCut says why a description seems to be cut; "": it does not.
func describeCut(text string) string {
	text = strings.TrimSpace(text)
	if found := cutShort.FindString(text); found != "" {
		return fmt.Sprintf("ends in %q", found)
	}
	for _, pair := range [][2]string{{"(", ")"}, {"[", "]"}, {"{", "}"}} {
		if strings.Count(text, pair[0]) != strings.Count(text, pair[1]) {
			return "does not close " + pair[0]
		}
	}
	for _, quote := range []string{`"`, "`"} {
		if strings.Count(text, quote)%2 != 0 {
			return "does not close " + quote
		}
	}
	return ""
}

func TestNoDescriptionOfAToolOrAnArgumentIsCutShort(t *testing.T) {
	registry := allTools(t)
	count := 0
	var walk func(path string, value any)
	walk = func(path string, value any) {
		switch v := value.(type) {
		case map[string]any:
			if text, ok := v["description"].(string); ok {
				count++
				if reason := describeCut(text); reason != "" {
					t.Errorf("%s: %q %s", path, text, reason)
				}
			}
			for key, inner := range v {
				walk(path+"."+key, inner)
			}
		case []any:
			for i, inner := range v {
				walk(fmt.Sprintf("%s[%d]", path, i), inner)
			}
		}
	}
	for _, d := range registry.All() {
		raw, err := d.Describe()
		if err != nil {
			t.Fatal(err)
		}
		var definition map[string]any
		toolstest.Decode(t, raw, &definition)
		delete(definition, "examples") // which hold data
		walk(d.Name, definition)
	}
	if count < 500 {
		t.Errorf("only %d descriptions were found", count)
	}
}

func TestDescribeCutFindsWhatIsCut(t *testing.T) {
	for text, cut := range map[string]bool{
		"When it was said, e.g.":               true,
		"When it was said, i.e.":               true,
		"The kind of pocket, such as":          true,
		"What to find (in words":               true,
		`A name like "Anna`:                    true,
		"The lesson:":                          true,
		"What was said and…":                   true,
		"Pocket, such as cluny":                false,
		"What to find, in words (not a regex)": false,
		"Example: what am I allergic to?":      false,
	} {
		if reason := describeCut(text); (reason != "") != cut {
			t.Errorf("%q: %q", text, reason)
		}
	}
}
