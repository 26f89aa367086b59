package memory

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolkit/internal/language"
)

// DefaultFidelityThreshold is the density below which an insight says little.
const DefaultFidelityThreshold = 0.5

// punctuation is stripped from both ends of a token before it is weighed.
const punctuation = `.,!?;:"`

// maxGrammarWordLength is the length in characters up to which a word is taken for
// grammar, whatever it is.
const maxGrammarWordLength = 3

// measureWordDensity returns the information density of a text: the share of its white-space
// separated tokens that have more than three characters and say something.
// The density of a blank text is 0.
func measureWordDensity(text string) float64 {
	tokens := strings.Fields(text)
	if len(tokens) == 0 {
		return 0
	}
	spoken := language.DetectLanguage(language.SurfaceWords(text))
	dense := 0
	for _, token := range tokens {
		word := strings.Trim(strings.ToLower(token), punctuation)
		if utf8.RuneCountInString(word) > maxGrammarWordLength && !spoken.IsGrammar(language.Fold(word)) {
			dense++
		}
	}
	return float64(dense) / float64(len(tokens))
}

// insightMetadata is what is stored beside an insight.
type insightMetadata struct {
	FidelityWarning bool   `json:"fidelity_warning"`
	WarningMessage  string `json:"warning_message,omitempty"`

	Grounding        *float64 `json:"grounding,omitempty"`
	GroundingWarning string   `json:"grounding_warning,omitempty"`

	Extracted string  `json:"extracted,omitempty"` // noticed in what was said, and its kind
	Score     float64 `json:"score,omitempty"`     // how surely it holds, of what was noticed
	Asked     bool    `json:"asked,omitempty"`     // somebody asked for it to be remembered
	Due       string  `json:"due,omitempty"`
	Project   string  `json:"project,omitempty"` // key of the one that it was remembered for

	Kind    string `json:"kind,omitempty"`    // what it is, of what somebody asked to be remembered
	Client  string `json:"client,omitempty"`  // that wrote it
	Session string `json:"session,omitempty"` // in which, where no source says it
}

// fidelityWarning is the documented warning about a density below the threshold,
// or "".
func fidelityWarning(score, threshold float64) string {
	if score >= threshold {
		return ""
	}
	return fmt.Sprintf("Low information density (%.2f < %s) - consider more detailed compression", score, strconv.FormatFloat(threshold, 'f', -1, 64))
}

// encodeMetadata returns what stays of an insight, with what was weighed.
func encodeMetadata(w insightQuality, inherited insightMetadata) json.RawMessage {
	inherited.FidelityWarning, inherited.WarningMessage, inherited.Grounding, inherited.GroundingWarning = w.Warning != "", w.Warning, w.Grounding, w.GroundingWarning
	raw, err := json.Marshal(inherited)
	if err != nil {
		panic("memory: " + err.Error()) // bools, strings and finite numbers always encode
	}
	return raw
}
