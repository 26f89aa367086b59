package redact

import (
	"bytes"
	"strings"
	"testing"
)

// The second text follows in the same session; «…» goes from it.
var repeats = map[string][2]string{
	"an answer repeats a password":          {"Das WLAN-Passwort ist Sonnenblume!2026", "Willkommen! WLAN: «Sonnenblume!2026»."},
	"it stands in a command":                {"password: Tournesol#42", `ssh x <<< "«Tournesol#42»" && echo done`},
	"it stands in the name of a file":       {"my password is Regenbogen_77", "Ich habe /srv/«Regenbogen_77».txt angelegt"},
	"it is written in other letters":        {"password: Regenbogen77", "mkdir «regenbogen77»"},
	"it stands in quotes":                   {"password = hunter2", "I set „«hunter2»“ and (`«hunter2»`)."},
	"a word that nobody uses":               {"password: apfelbaumzwerg", "I typed «apfelbaumzwerg» twice: «apfelbaumzwerg»"},
	"a word of something private":           {"<private>the codename is BLUEHERON</private> make a folder with it", "Made the folder «BLUEHERON».\nmkdir -p «blueheron»/x"},
	"two that were told at once":            {"password: Tulpe-44! and the token is " + made(24, letters), "«Tulpe-44»! then «" + made(24, letters) + "»"},
	"a key whose prompt needed no password": {"use ghp_" + made(36, letters), "export GH=«ghp_" + made(36, letters) + "»"},
}

func TestToldSecretIsRemovedFromRestOfSession(t *testing.T) {
	for name, tc := range repeats {
		prompt := &Secrets{}
		prompt.RedactText(t.Context(), tc[0])
		answer := ParseSecrets(prompt.Encode()) // of another process
		plain := strings.NewReplacer("«", "", "»", "").Replace(tc[1])
		got, bare, _ := answer.RedactText(t.Context(), plain)
		if strings.ContainsRune(tc[1], '«') && bare != plain && !strings.Contains(tc[1], "ghp_") && !strings.Contains(tc[1], " then ") {
			t.Errorf("%s: %q is bare as %q", name, plain, bare)
		}
		for n, part := range strings.Split(strings.ReplaceAll(tc[1], "»", "«"), "«") {
			switch in := strings.Contains(got, part); {
			case n%2 == 1 && in:
				t.Errorf("%s: %q is still in %q", name, part, got)
			case n%2 == 0 && !in:
				t.Errorf("%s: %q is gone from %q", name, part, got)
			}
		}
	}
}

func TestCommonWordsStayInRestOfSession(t *testing.T) {
	for told, later := range map[string]string{
		"PIN: 4471":                                        "4471 lines were added", // too short to be kept as a hash
		"password: x1y2":                                   "in x1y2 of the map",
		"password: computer":                               "The computer is new",
		"<private>my diary of today</private>":             "the diary of today",
		"password: Tournesol#42":                           "Tournesol #42, tournesol#421, aTournesol#42",
		"<private>ask Brunhilde</private> about Brunhilde": "Brunhilde says yes",
		"<private>my boss wants to rewrite the backend alone</private> json only":          "The backend talks JSON",
		"<private>I earn 4.000 a month with the website</private> the header stays green":  "the website's header",
		"<private>die Praxis läuft schlecht, die Werkstatt geht an Kemal</private> weiter": "Die Praxis und die Werkstatt öffnen um acht",
		"<private>OUR WEBSITE IS A MESS</private> the header stays green":                  "The website is green",
	} {
		known := &Secrets{}
		known.RedactText(t.Context(), told)
		if got, _, kinds := known.RedactText(t.Context(), later); got != later || kinds != nil {
			t.Errorf("after %q, %q became %q", told, later, got)
		}
	}
}

func TestSecretIsRemovedFromEarlierTurns(t *testing.T) {
	known := &Secrets{}
	if got, bare, kinds := known.RedactText(t.Context(), "Try Tournesol#42: the password is Tournesol#42"); got != "Try [redacted: repeated]: the password is [redacted: password]" ||
		!strings.HasPrefix(bare, "Try Tournesol#42:") || kinds[Repeated] != 1 || kinds["password"] != 1 {
		t.Errorf("%q, %q, %v", got, bare, kinds)
	}
}

func TestOnlyShortHashesAreKept(t *testing.T) {
	known := &Secrets{}
	for range 3 {
		known.RedactText(t.Context(), "password: Tournesol#42")
	}
	if stored := known.Encode(); len(stored) != len(secretHash{}) || bytes.Contains(bytes.ToLower(stored), []byte("tourn")) {
		t.Errorf("%q", stored)
	}
	for n := range 100 {
		known.RedactText(t.Context(), "password: Tournesol#"+strings.Repeat("7", n+1))
	}
	if len(known.Encode()) != maxSecrets*len(secretHash{}) {
		t.Errorf("%d bytes", len(known.Encode()))
	}
	other := ParseSecrets(known.Encode()[:5*len(secretHash{})])
	if other.HasChanged() {
		t.Error("it grew by being read")
	}
	if other.Merge(known.Encode()); !other.HasChanged() || len(other.Encode()) != len(known.Encode()) {
		t.Errorf("joined: %d bytes", len(other.Encode()))
	}
	if ParseSecrets([]byte("odd")).Encode() != nil {
		t.Error("half an entry was read")
	}
}
