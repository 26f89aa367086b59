package query

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestOnlyTheBeginningOfALongTextIsEmbedded(t *testing.T) {
	letters := strings.Repeat("é", maxEmbeddedText/2)
	almost := letters[:maxEmbeddedText-20]
	for name, tc := range map[string]struct{ text, want string }{
		"empty":                           {"", ""},
		"as long as may be":               {letters, letters},
		"one letter more":                 {letters + "x", letters},
		"a letter that does not fit":      {"x" + letters, "x" + letters[:maxEmbeddedText-2]},
		"a word that does not fit":        {almost + " secret-of-many-letters", almost},
		"a line that does not fit":        {almost + "\nsecret-of-many-letters", almost},
		"no space near the end":           {"word " + letters, "word " + letters[:maxEmbeddedText-6]},
		"no UTF-8":                        {strings.Repeat("\x80", maxEmbeddedText+9), strings.Repeat("\x80", maxEmbeddedText-utf8.UTFMax)},
		"a space far behind what is read": {letters + letters + " x", letters},
	} {
		if got := NewUnembedded(1, 2, tc.text); got.ID != 1 || got.Version != 2 || got.Text != tc.want {
			t.Errorf("%s: %d of %d bytes, ending in %q", name, len(got.Text), len(tc.text), got.Text[max(0, len(got.Text)-30):])
		}
	}
}
