package notice

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestTrimRequestRemovesAskingWords(t *testing.T) {
	for text, want := range map[string]string{
		"Remember that the harbour office closes at four.":          "the harbour office closes at four.",
		"remember: I take the 7:40 ferry":                           "I take the 7:40 ferry",
		"please remember my sister's name is Ines":                  "my sister's name is Ines",
		"Merk dir bitte, dass der Schlüssel bei Frau Oertel liegt.": "der Schlüssel bei Frau Oertel liegt.",
		"Souviens-toi que le dépôt ferme à midi.":                   "le dépôt ferme à midi.",
		"Recuerda que el gato se llama Lino.":                       "el gato se llama Lino.",
		"remember the staging box reboots every monday at 4":        "the staging box reboots every monday at 4",
		"# remember Priya signs the invoices":                       "Priya signs the invoices",
		"merk dir die Kasse schließt um 18 Uhr":                     "die Kasse schließt um 18 Uhr",
		"remember what we said about the harbour":                   "",
		"remember to breathe":                                       "",
		"don't forget the closing bracket":                          "",
		"Rappelle-toi la formule du dessus":                         "",
		"do you remember that?":                                     "",
		"please remember to escape the quotes":                      "",
	} {
		got, asked := cutRememberRequest(text)
		if asked != (want != "") || asked && got != want {
			t.Errorf("%q: %q, %v; want %q", text, got, asked, want)
		}
	}
}

func TestPreferencesAboutAnswersAreOfTheirOwnKind(t *testing.T) {
	for text, want := range map[string]string{
		"Answer in short sentences, no bullet points.":                                      Style,
		"I prefer short answers without bullet points.":                                     Style,
		"answer me in English even if I paste German stuff":                                 Style,
		"dont explain regex to me":                                                          Style,
		"Please call me Wren, nobody uses my full name.":                                    Style,
		"no emojis please, ever":                                                            Style,
		"Bitte duze mich.":                                                                  Style,
		"antworte mir bitte auf deutsch, auch wenn ich englische logs reinwerfe":            Style,
		"Tutoie-moi, s'il te plaît.":                                                        Style,
		"Respóndeme siempre en español, aunque te pegue código en inglés.":                  Style,
		"rispondimi in italiano e dammi del tu":                                             Style,
		"no bullet points in emails to clients thanks":                                      Preference,
		"for my pupils i want answers on a separate sheet every time":                       Preference,
		"I prefer real databases over mocks for integration tests.":                         Preference,
		"tabs. everywhere. I don't care what the formatter's default is":                    "convention",
		"i like my recipes in grams, cups drive me nuts":                                    Preference,
		"ich will code kommentare bei uns nur auf englisch, auch wenn ich deutsch schreibe": Preference,
	} {
		found, err := ScoreSentences(t.Context(), text)
		if err != nil || len(found) == 0 {
			t.Fatal(found, err)
		}
		kinds := map[string]bool{}
		for _, s := range found {
			kinds[s.Kind] = true
		}
		if kinds[Style] != (want == Style) || !kinds[want] {
			t.Errorf("%q: %v, want %s", text, kinds, want)
		}
	}
}

func TestSentenceBetweenQuotationMarksIsQuoted(t *testing.T) {
	for text, want := range map[string]bool{
		"Put that in: 'I never write after lunch.' Thanks for it.": true,
		"Put that in: \"I never write after lunch.\" Thanks.":      true,
		"I don't eat nuts, and the kids don't either.":             false,
		"rock 'n' roll on Fridays, that's our rule":                false,
	} {
		most := float32(0)
		for _, part := range SplitSentences(text) {
			most = max(most, part.Quoted)
		}
		if (most > 0.5) != want {
			t.Errorf("%q: %.2f of a sentence is quoted", text, most)
		}
	}
}

func TestSentencesBesideAPrivatePartAreJudgedWithoutIt(t *testing.T) {
	plain, err := ScoreSentences(t.Context(), "We decided to write this app in Swift.")
	if err != nil || len(plain) != 1 {
		t.Fatal(plain, err)
	}
	for _, text := range []string{"We decided to write this app in Swift. <private>My rent is 900 euros.</private>", "[redacted: private] We decided to write this app in Swift."} {
		beside, err := ScoreSentences(t.Context(), text)
		if err != nil || len(beside) != 1 || beside[0].Score != plain[0].Score || beside[0].Text != plain[0].Text {
			t.Errorf("%q: %+v, want the score %.3f of the sentence alone; %v", text, beside, plain[0].Score, err)
		}
	}
}

func TestWhatIsKeptIsASentenceFromItsBeginningToItsEnd(t *testing.T) {
	for text, want := range map[string]string{
		"thx, commit with conventional commits style, in english pls. always.": "thx, commit with conventional commits style, in english pls. always.",
		"always.":                      "",
		"wer ist unser steuerberater?": "",
		"Also, from now on we pin all versions of our dependencies.": "From now on we pin all versions of our dependencies.",
		"The database is MariaDB 10.4, so no MERGE ... RETURNING.":   "The database is MariaDB 10.4, so no MERGE ... RETURNING.",
		"We no longer use ruff; we switched to pylint last week.":    "We no longer use ruff; we switched to pylint last week.",
	} {
		list, err := FindStatements(t.Context(), text)
		got := ""
		for _, s := range list {
			got += s.Text
		}
		if got != want || err != nil {
			t.Errorf("%q: kept %q, want %q; %v", text, got, want, err)
		}
	}
}

func TestNoteMapTakesOfEachInputWhatItsRowSays(t *testing.T) {
	m := NoteMap{Inputs: 2, Weights: []float32{1, 0.5, 0, -2}}
	if moved := m.Apply([]float32{3, 4}); !slices.Equal(moved, []float32{5, -8}) {
		t.Errorf("moved to %v", moved)
	}
}

func TestHeadsAreRefusedWithoutAllTheirWeights(t *testing.T) {
	if _, err := DecodeHeads(headsFile, weightsFile); err != nil {
		t.Error(err)
	}
	for name, weights := range map[string][]byte{"none": nil, "cut": weightsFile[:len(weightsFile)-4], "too many": append(slices.Clone(weightsFile), 0, 0, 0, 0)} {
		if _, err := DecodeHeads(headsFile, weights); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// What is said for a memory may sound like a question to it.
func TestWhatIsAskedToBeRememberedIsKept(t *testing.T) {
	for text, want := range map[string]string{
		"We ship flour by rail now, trucks are too dear. Remember that Heike signs every order.": "Heike signs every order.",
		"Remember that Jonas knows all about the billing code.":                                  "Jonas knows all about the billing code.",
		"fix the tests. and remember that Mara has the whole history of the yard":                "Mara has the whole history of the yard",
		"Merk dir: alles über die Anlage steht im roten Ordner.":                                 "alles über die Anlage steht im roten Ordner.",
		"Remember: last session's notes are with Ines.":                                          "last session's notes are with Ines.",
	} {
		found, err := FindStatements(t.Context(), text)
		if err != nil || !slices.ContainsFunc(found, func(s Statement) bool { return s.Text == want && s.Explicit }) {
			t.Errorf("%q: %v, %v", text, found, err)
		}
	}
}

func TestAStatementOfAChangeAsksForNoSession(t *testing.T) {
	for prompt, want := range map[string]bool{
		"We no longer use ruff; we switched to pylint last week.": false,
		"what did we do last week?":                               true,
		"recap of yesterday pls":                                  true,
	} {
		if got, err := AnalyzePrompt(t.Context(), prompt, saidOn); err != nil || got.AsksSession != want {
			t.Errorf("%q asks for a session: %v, %v", prompt, got.AsksSession, err)
		}
	}
}

// saidOn is a Tuesday.
var saidOn = time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)

func TestAPromptAsksForTheSessionsOfADayHoweverItIsNamed(t *testing.T) {
	for prompt, want := range map[string]bool{
		"what did we do on november 27":                   true,
		"what happened on 24 november":                    true,
		"what did we work on on 2026-11-24?":              true,
		"recap of the 19th of november":                   true,
		"what did we decide about hosting on november 27": true,
		"worum ging es am 20. November?":                  true,
		"was war am 20. november":                         true,
		"what was the price on november 20":               false,
		"git log since november 20":                       false,
		"was haben wir am 17. november gemacht":           true,
		"was haben wir am Freitag, den 20.11. besprochen": true,
		"qu'est-ce qu'on a fait hier":                     true,
		"qu'a-t-on fait le 24 novembre ?":                 true,
		"¿en qué trabajamos el 24 de noviembre?":          true,
		"cosa abbiamo fatto il 24 novembre?":              true,
		"wat hebben we op 24 november gedaan?":            true,
		"o que fizemos em 24 de novembro?":                true,
		"co robiliśmy 24 listopada?":                      true,
		"что мы делали 24 ноября?":                        true,
		"24 Kasım'da ne yaptık?":                          true,
		"ماذا فعلنا في 24 نوفمبر؟":                        true,
		"11月24日我们做了什么？":                                   true,
		"11月24日に何をしましたか？":                                 true,
		"11월 24일에 뭐 했어?":                                  true,
		"วันที่ 24 พฤศจิกายน เราทำอะไร":                   true,
		"why did the build fail on november 27":           false,
		"revert the commit from november 24":              false,
		"how many orders came in on 24 november?":         false,
		"set the date of the invoice to 2026-11-24":       false,
		"die Rechnung vom 17. November ist falsch":        false,
		"we met Priya on november 27":                     false,
		"when is the beta launch?":                        false,
		"what is due on december 10?":                     false,
	} {
		if got, err := AnalyzePrompt(t.Context(), prompt, saidOn); err != nil || got.AsksSession != want {
			t.Errorf("%q asks for a session: %v, want %v; %v", prompt, got.AsksSession, want, err)
		} else if want && got.AsksOverview {
			t.Errorf("%q asks for all that is known", prompt)
		}
	}
}

func TestQuestionWithoutMarkIsNotKept(t *testing.T) {
	for _, question := range readLines(t, "testdata/questions-without-mark.txt") {
		kept, err := FindStatements(t.Context(), question)
		if err != nil {
			t.Fatal(err)
		}
		if len(kept) > 0 {
			t.Errorf("%q is kept as %q", question, kept[0].Text)
		}
	}
}

func TestStatementThatOpensLikeAQuestionIsKeptByItsScore(t *testing.T) {
	for _, statement := range readLines(t, "testdata/statements-that-open-so.txt") {
		scored, err := ScoreSentences(t.Context(), statement)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range scored {
			if s.Score >= MinStoredScore() && asks(s) {
				t.Errorf("%q is taken for a question", s.Text)
			}
		}
	}
}

func TestQuestionAskedToBeRememberedIsKept(t *testing.T) {
	if asks(Statement{Text: "what we pay the landlord every month", Explicit: true}) || !asks(Statement{Text: "what do we pay the landlord every month"}) {
		t.Error("only what nobody asked to be remembered is a question without a mark")
	}
}

func readLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}
