package language

import "testing"

func TestAForgetRequestNamesWhatToForget(t *testing.T) {
	for prompt, want := range map[string]string{
		"forget what I said about the widget":                     "the widget",
		"Please forget everything about Lena's move.":             "Lena's move",
		"delete all that I told you about the bank":               "the bank",
		"Vergiss alles über den Mietvertrag":                      "den Mietvertrag",
		"Vergiss bitte, was ich über Lena gesagt habe":            "Lena",
		"oublie tout ce que j'ai dit sur le chantier":             "le chantier",
		"don't forget the closing bracket":                        "",
		"forget it, use the other one":                            "",
		"Vergiss nicht, dass der Schlüssel bei Frau Oertel liegt": "",
		"delete the branch":                                       "",
		"forget what I said about the widget. We sell gadgets.":   "",
	} {
		if got := ParseForgetRequest(prompt); got != want {
			t.Errorf("%q asks to forget %q, not %q", prompt, got, want)
		}
	}
}
