package memory

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/store/memory"
)

// poorGrounding is the grounding below which an insight says much that its
// sources do not: more than one word in five.
const poorGrounding = 0.8

// grounding is how far an insight rests on its sources: whether they carry its
// words, not whether they mean the same. Two texts of the same words may still
// contradict each other.
type grounding struct {
	Share    float64  // of the insight's words of content, names and numbers
	Novel    []string // words that no source has
	Invented []string // names and numbers among them
}

// measureGrounding compares an insight with the dialogue it came from: what was said, by
// whom, and, where the insight gives a date, on which day. ok is false when the
// insight has no word of content.
func measureGrounding(insight string, sources []memory.Dialogue) (g grounding, ok bool) {
	mentions := language.ContentWords(insight)
	if len(mentions) == 0 {
		return g, false
	}
	carried := language.WordForms{}
	for _, d := range sources {
		carried.Add(d.Content)
		carried.Add(d.Speaker)
		if mentionsMonth(mentions, d.At) {
			carried.Add(d.At.Format("Monday 2 January 2006"))
		}
	}
	g.Novel = []string{}
	missing := 0
	for _, m := range mentions {
		if carried.Has(m.Word) {
			continue
		}
		missing++
		if len(g.Novel) < maxNovelTerms {
			g.Novel = append(g.Novel, m.Word)
		}
		if m.Particular && len(g.Invented) < maxNovelTerms {
			g.Invented = append(g.Invented, m.Word)
		}
	}
	g.Share = 1 - float64(missing)/float64(len(mentions))
	return g, true
}

func mentionsMonth(mentions []language.Mention, day time.Time) bool {
	month := strings.ToLower(day.Month().String())
	return slices.ContainsFunc(mentions, func(m language.Mention) bool { return m.Word == month })
}

// formatWarning says what to compare with the sources; "" when there is little.
func (g grounding) formatWarning() string {
	switch {
	case len(g.Invented) > 0:
		return fmt.Sprintf("Weak grounding (%.2f): no source has the name or number %s - compare with the sources", g.Share, joinFirstWords(g.Invented))
	case g.Share < poorGrounding:
		return fmt.Sprintf("Weak grounding (%.2f < %.1f): no source says %s - compare with the sources", g.Share, poorGrounding, joinFirstWords(g.Novel))
	}
	return ""
}

func joinFirstWords(words []string) string { return strings.Join(words[:min(5, len(words))], ", ") }
