package memory

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// DefaultFidelityThreshold is the density below which an insight says little.
const DefaultFidelityThreshold = 0.5

// punctuation is stripped from both ends of a token before it is weighed.
const punctuation = `.,!?;:"`

// longestGrammar is the length in characters up to which a word is taken for
// grammar, whatever it is.
const longestGrammar = 3

// fidelity is the information density of a text: the share of its white-space
// separated tokens that have more than three characters and are no stop word.
// The density of a blank text is 0.
func fidelity(text string) float64 {
	tokens := strings.Fields(text)
	if len(tokens) == 0 {
		return 0
	}
	dense := 0
	for _, token := range tokens {
		word := strings.Trim(strings.ToLower(token), punctuation)
		if utf8.RuneCountInString(word) > longestGrammar && !stopWords[word] {
			dense++
		}
	}
	return float64(dense) / float64(len(tokens))
}

// stopWords are English and German words of more than three characters that
// carry grammar. Shorter ones do not count anyway.
var stopWords = stopWordSet(`
	about above after again against also although been before being below between both cannot could does doing down during
	each else from further have having here hers herself himself however into itself just more most much must myself once
	only other ours ourselves over same shall should since some such than that their theirs them themselves then there
	these they this those through under until upon very were what when where whether which while whom whose will with
	within without would your yours yourself yourselves
	aber alle allem allen aller alles also andere anderen auch beim bist dann dass dein deine deinem deinen deiner denn
	deren dessen dich diese diesem diesen dieser dieses doch dort durch eine einem einen einer eines euch euer eure etwas
	gegen habe haben hatte hatten hier hinter ihre ihrem ihren ihrer ihnen jede jedem jeden jeder jedes jene jenen jener
	jetzt kann können könnte mehr mein meine meinem meinen meiner mich muss musste nach nicht noch oder ohne sehr sein
	seine seinem seinen seiner sich sind soll sollte sondern sonst über unser unsere unter viel vom waren warum weil welche
	welchem welchen welcher welches wenn werde werden wieder will wird wirst wurde wurden würde würden zwar zwischen`)

func stopWordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}

// insightMetadata is what is stored beside an insight.
type insightMetadata struct {
	FidelityWarning bool   `json:"fidelity_warning"`
	WarningMessage  string `json:"warning_message,omitempty"`

	Grounding        *float64 `json:"grounding,omitempty"`
	GroundingWarning string   `json:"grounding_warning,omitempty"`
}

// fidelityWarning is the documented warning about a density below the threshold,
// or "".
func fidelityWarning(score, threshold float64) string {
	if score >= threshold {
		return ""
	}
	return fmt.Sprintf("Low information density (%.2f < %s) - consider more detailed compression", score, strconv.FormatFloat(threshold, 'f', -1, 64))
}

func metadataOf(w weighed) json.RawMessage {
	raw, err := json.Marshal(insightMetadata{w.Warning != "", w.Warning, w.Grounding, w.GroundingWarning})
	if err != nil {
		panic("memory: " + err.Error()) // bools, strings and finite numbers always encode
	}
	return raw
}
