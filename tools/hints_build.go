package tools

import (
	"cmp"
	"math"
	"strings"
	"time"
)

// Evidence is what the confidence of hints is calculated from.
type Evidence struct {
	Quality  Quality
	Present  int           // pieces of evidence found
	Expected int           // pieces that would make the picture complete; 0 counts as complete
	Age      time.Duration // age of the newest evidence
	Validity Validity      // its horizon decides how fast age counts
	Samples  int           // results or rows an aggregate rests on
	Sampled  bool          // true for searches and aggregates, false for exact reads and writes
}

// sampleConstant makes few samples count for less in searches and aggregates.
const sampleConstant = 2

// evidenceHalfLife is the age at which evidence counts half.
func (v Validity) evidenceHalfLife() time.Duration {
	switch v {
	case Immediate:
		return time.Minute
	case Short:
		return 5 * time.Minute
	case MediumTerm:
		return time.Hour
	case LongTerm:
		return 24 * time.Hour
	}
	return 0
}

// Confidence is completeness × freshness × support, rounded to two decimals:
// completeness = present / expected, freshness = 0.5^(age / horizon), support =
// n / (n + k) with k = 0 for exact reads and verified writes and 2 for searches
// and aggregates.
func (e Evidence) Confidence() float64 {
	completeness := 1.0
	if e.Expected > 0 {
		completeness = math.Min(1, float64(e.Present)/float64(e.Expected))
	}
	freshness := 1.0
	if h := e.Validity.evidenceHalfLife(); h > 0 && e.Age > 0 {
		freshness = math.Pow(0.5, float64(e.Age)/float64(h))
	}
	support := 1.0
	if e.Sampled {
		support = float64(e.Samples) / float64(e.Samples+sampleConstant)
	}
	return round2(completeness * freshness * support)
}

func round2(x float64) float64 { return math.Round(x*100) / 100 }

// WriteEvidence returns the evidence of a write that was just committed.
func WriteEvidence() Evidence {
	return Evidence{Quality: QualityHigh, Present: 1, Expected: 1, Validity: Indefinite}
}

// NewReadEvidence returns the evidence of an exact read of n rows.
func NewReadEvidence(n int) Evidence {
	q := QualityHigh
	if n == 0 {
		q = QualityUnknown
	}
	return Evidence{Quality: q, Present: 1, Expected: 1, Validity: Indefinite, Samples: n}
}

// NewSearchEvidence is the evidence of a search or aggregate over n results.
func NewSearchEvidence(n int) Evidence {
	q := QualityMedium
	if n == 0 {
		q = QualityUnknown
	}
	return Evidence{Quality: q, Present: 1, Expected: 1, Validity: MediumTerm, Samples: n, Sampled: true}
}

// MatchEvidence returns the evidence of a search whose best result, of several, answers the
// share relevance of what was asked by so many of its words. The result and each
// of the words support it; further results, which fit less, do not.
func MatchEvidence(results, words int, relevance float64) Evidence {
	e := NewSearchEvidence(results)
	e.Present, e.Expected, e.Samples = int(math.Round(100*relevance)), 100, words+1
	return e
}

// WithTotal says how many there are of what was read or found in part.
func (e Evidence) WithTotal(total int) Evidence {
	e.Present, e.Expected = e.Samples, total
	return e
}

// NewHints starts hints that rest on evidence; of several pieces the least
// certain counts. What confidence follows, and what the hints are worth, is
// estimated when they are complete.
func NewHints(evidence Evidence, more ...Evidence) *Hints {
	h := &Hints{
		SuggestedNextActions: []Action{}, RelatedResources: []Resource{},
		SourceQuality: evidence.Quality, ValidityPeriod: cmp.Or(evidence.Validity, Indefinite),
		ContextNeeded: []string{}, Assumptions: []string{}, RiskFactors: []Risk{},
		Dependencies: []Dependency{}, PreferenceAlignment: []Alignment{},
		evidence: append([]Evidence{evidence}, more...),
	}
	for _, e := range more {
		if isWorse(e.Quality, h.SourceQuality) {
			h.SourceQuality = e.Quality
		}
	}
	return h
}

// findLowestEvidenceConfidence is how sure the evidence is.
func (h *Hints) findLowestEvidenceConfidence() float64 {
	least := 1.0
	for _, e := range h.evidence {
		least = math.Min(least, e.Confidence())
	}
	return least
}

func isWorse(a, b Quality) bool {
	rank := map[Quality]int{QualityHigh: 0, QualityMedium: 1, QualityLow: 2, QualityUnknown: 3}
	return rank[a] > rank[b]
}

// SuggestCall suggests calling a tool (published name or kebab form) with the
// arguments already known. Beyond five, suggestions are dropped.
func (h *Hints) SuggestCall(tool string, p Priority, data map[string]any, description string) *Hints {
	if len(h.SuggestedNextActions) < maxActions {
		h.SuggestedNextActions = append(h.SuggestedNextActions, Action{
			Action: Kebab(tool), Priority: p, Data: data, Description: description,
		})
	}
	return h
}

// AddRelatedResource names a related resource. Beyond five, resources are dropped.
func (h *Hints) AddRelatedResource(kind, id, label string, relevance float64) *Hints {
	if len(h.RelatedResources) < maxResources {
		h.RelatedResources = append(h.RelatedResources, Resource{
			Type: kind, ID: id, Label: label, Relevance: round2(relevance),
		})
	}
	return h
}

// Because gives the reasoning in a sentence.
func (h *Hints) Because(reasoning string) *Hints {
	h.Reasoning = reasoning
	return h
}

// Needs names context that would improve the hints.
func (h *Hints) Needs(context ...string) *Hints {
	h.ContextNeeded = append(h.ContextNeeded, context...)
	return h
}

// Assumes names an assumption the hints rest on.
func (h *Hints) Assumes(assumption ...string) *Hints {
	h.Assumptions = append(h.Assumptions, assumption...)
	return h
}

// Warn adds a warning; kind is validation, duplicate, conflict, deprecation or
// performance.
func (h *Hints) Warn(kind string, severity Priority, message, fix string) *Hints {
	h.Warnings = append(h.Warnings, Warning{Type: kind, Severity: severity, Message: message, SuggestedFix: fix})
	return h
}

// AddRisk adds a risk factor; kind is performance, accuracy, cost, complexity or
// user-experience.
func (h *Hints) AddRisk(kind string, severity Priority, description string, probability, impact float64, mitigation string) *Hints {
	h.RiskFactors = append(h.RiskFactors, Risk{
		Type: kind, Severity: severity, Description: description,
		Probability: round2(probability), Impact: round2(impact), Mitigation: mitigation,
	})
	return h
}

// AddDependency says that action should follow the others; kind is required,
// recommended or optional.
func (h *Hints) AddDependency(action string, kind, reason string, others ...string) *Hints {
	dependsOn := make([]string, len(others))
	for i, other := range others {
		dependsOn[i] = Kebab(other)
	}
	h.Dependencies = append(h.Dependencies, Dependency{Action: Kebab(action), Type: kind, Reason: reason, DependsOn: dependsOn})
	return h
}

// Kebab is the kebab-case form of a published name, which is callable too.
func Kebab(name string) string { return strings.ReplaceAll(name, "_", "-") }
