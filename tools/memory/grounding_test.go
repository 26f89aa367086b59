package memory

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
	"toolkit/store/memory"
)

// spoken is dialogue of the 12th of March, "Speaker: text" each.
func spoken(lines ...string) []memory.Dialogue {
	list := make([]memory.Dialogue, len(lines))
	for i, line := range lines {
		speaker, text, _ := strings.Cut(line, ": ")
		list[i] = memory.Dialogue{ID: int64(i + 1), Speaker: speaker, Content: text, At: time.Date(2026, 3, 12, 9, 0, 0, 0, time.UTC)}
	}
	return list
}

func TestGroundingIsTheShareOfAnInsightThatItsSourcesCarry(t *testing.T) {
	brightleaf := spoken("Marcus: I have worked at Brightleaf for 3 years and I love it", "Dana: They opened an office in Porto with 1,200 desks")
	tests := map[string]struct {
		insight string
		novel   string // words that no source has
		of      int    // words of content
	}{
		"what was said":                             {"Marcus loves working at Brightleaf", "", 4},
		"a verb that nobody said":                   {"Marcus hates Brightleaf", "hates", 3},
		"another name":                              {"Marcus loves Greenleaf", "greenleaf", 3},
		"another person":                            {"Oscar loves Brightleaf", "oscar", 3},
		"another number":                            {"Brightleaf opened an office with 1,300 desks", "1300", 5},
		"the same number written otherwise":         {"Brightleaf opened an office with 1200 desks", "", 5},
		"a number in a word":                        {"Marcus worked at Brightleaf for three years", "", 5},
		"a negation that nobody said":               {"Marcus does not love Brightleaf", "not", 4},
		"a word said twice counts once":             {"Brightleaf, Brightleaf and Brightleaf love Vienna", "vienna", 3},
		"the day on which it was said":              {"On 12 March Dana opened the Porto office", "", 6},
		"another day":                               {"On 14 March Dana opened the Porto office", "14", 6},
		"nothing of it":                             {"Quarterly revenue fell", "quarterly revenue fell", 3},
		"all words, though they mean another thing": {"Dana loves Marcus", "", 3},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			g, ok := measureGrounding(tc.insight, brightleaf)
			missing := len(strings.Fields(tc.novel))
			if want := 1 - float64(missing)/float64(tc.of); !ok || strings.Join(g.Novel, " ") != tc.novel || g.Share != want {
				t.Errorf("grounding is %v, novel %v; want %v, %s", g.Share, g.Novel, want, tc.novel)
			}
			if invented := missing > 0; (g.formatWarning() != "") != invented {
				t.Errorf("the warning is %q", g.formatWarning())
			}
		})
	}
	german := spoken("Karin: Der Mietvertrag für das Büro läuft bis 2028")
	for insight, novel := range map[string]string{"Mietverträge bis 2028": "", "Der Mietvertrag des Büros endet 2028": "endet"} {
		if g, _ := measureGrounding(insight, german); strings.Join(g.Novel, " ") != novel {
			t.Errorf("%q has novel words %v, want %q", insight, g.Novel, novel)
		}
	}
	if _, ok := measureGrounding("and so it is", german); ok {
		t.Error("an insight without content is grounded")
	}
	if g, _ := measureGrounding(strings.Join(manyWords(50), " "), german); g.Share != 0 || len(g.Novel) != maxNovelTerms {
		t.Errorf("grounding is %v, %d words are named", g.Share, len(g.Novel))
	}
}

// In a long insight one wrong name hardly lowers the share; it is warned about
// all the same.
func TestInventedNameOrNumberWarns(t *testing.T) {
	sources := spoken("Priya: The enterprise tier of the pricing page costs 49 euros per seat, signed by Jonas and the board in spring")
	for insight, want := range map[string]string{
		"The enterprise tier of the pricing page costs 59 euros per seat, signed by Jonas":      "59",
		"The enterprise tier of the pricing page costs 49 euros per seat, signed by Ferdinand":  "ferdinand",
		"The enterprise tier of the pricing page costs 49 euros per seat, signed happily Jonas": "",
		"The enterprise tier of the pricing page costs 49 euros per seat, signed by Jonas":      "",
	} {
		g, _ := measureGrounding(insight, sources)
		if w := g.formatWarning(); (w == "") != (want == "") || !strings.Contains(w, want) {
			t.Errorf("%q warns %q, want %q", insight, w, want)
		}
	}
}

func TestAnInsightSaysHowFarItsSourcesCarryIt(t *testing.T) {
	b := newBench(t)
	turn := b.say("s1", "Marcus", "I have worked at Brightleaf for three years and I love it there")
	said := func(tool string, in args) (any, any, string) {
		r := b.CallAccepted(tool, in)
		var warnings []string
		for _, w := range r.Hints.Warnings {
			warnings = append(warnings, w.Message)
		}
		var data args
		toolstest.Decode(t, r.Data, &data)
		return data["grounding"], data["grounding_warning"], strings.Join(warnings, "\n")
	}
	share, warning, hints := said(compressName, args{"content": "Marcus hates Brightleaf", "source_ids": []int64{turn}})
	if share != 0.6667 || warning != "Weak grounding (0.67 < 0.8): no source says hates - compare with the sources" || !strings.Contains(hints, "no source says hates") {
		t.Errorf("grounding is %v, warning %v, hints %s", share, warning, hints)
	}
	share, warning, hints = said(updateName, args{"id": 1, "content": "Marcus loves working at Brightleaf"})
	if share != 1.0 || warning != nil || strings.Contains(hints, "grounding") {
		t.Errorf("corrected, it is %v, %v, %s", share, warning, hints)
	}
	share, _, hints = said(updateName, args{"id": 2, "content": "Marcus loves working at Brightleaf", "source_ids": []int64{77, 78}})
	if share != nil || !strings.Contains(hints, "no dialogue has the source id(s) 77, 78") {
		t.Errorf("without known sources it is %v, %s", share, hints)
	}
	entry := b.contents(insightsURI + "?include_superseded=true")
	if m := fmt.Sprint(entry[len(entry)-1]["metadata"]); !strings.Contains(m, "grounding:0.6667") {
		t.Errorf("the resource shows %s", m)
	}
}

func TestABlankInsightIsRefused(t *testing.T) {
	b := newBench(t)
	b.insight("Release planned Friday")
	b.refuse(compressName, args{"content": "", "source_ids": []int64{}}, invalid, "content must not be blank")
	for _, blank := range []string{" ", "\n\t", "\u00a0", "\u200b"} {
		b.refuse(compressName, args{"content": blank, "source_ids": []int64{}}, invalid, "content must not be blank")
		b.refuse(updateName, args{"id": 1, "content": blank}, invalid, "content must not be blank")
	}
}
