package tools

import "testing"

func TestIsBlankForInvisibleText(t *testing.T) {
	for text, want := range map[string]bool{
		"": true, " \t\n": true, "\u00a0\u2003": true, "\u200b": true, "\ufeff\u200d": true, "\u202e": true,
		"a": false, " . ": false, "\u200bÄ": false, "日本": false, "👍": false,
	} {
		if IsBlank(text) != want {
			t.Errorf("%q: blank is %v", text, !want)
		}
	}
}
