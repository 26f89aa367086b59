package document

import (
	"strings"
	"testing"
)

func TestAWordingNamesOneKindOfColumnAndOneKindOfTitle(t *testing.T) {
	for name, phrases := range map[string]map[string]string{"column": columnPhrases, "title": titlePhrases} {
		kinds := map[string]string{}
		for kind, list := range phrases {
			for phrase := range strings.SplitSeq(list, ";") {
				key := phraseKey(phrase)
				if other, known := kinds[key]; known && other != kind {
					t.Errorf("%s %q names %s and %s", name, key, kind, other)
				}
				kinds[key] = kind
			}
		}
	}
}
