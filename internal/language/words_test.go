package language

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"
)

func TestWords(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
	}{
		{"punctuation separates", "Hello, world! (again)", "hello world again"},
		{"nothing but signs gives no words", `"*" NEAR( ^ :`, "near"},
		{"empty text gives no words", "", ""},
		{"accents and case fold", "Café ÉTÉ Straße Über", "cafe ete strasse uber"},
		{"a possessive loses its ending", "Anna's book, Hannes’ dog", "anna book hannes dog"},
		{"negation stays a word", "I don't, can't, won't, isn't", "i do not can not will not is not"},
		{"contracted verbs fall away", "we've she'll I'm they're he'd", "we she i they he"},
		{"an elided article stays apart", "l'amour d’été", "l amour d ete"},
		{"hyphens separate", "follow-up state-of-the-art", "follow up state of the art"},
		{"camel case comes apart and stays whole", "parseHTTPRequest", "parse http request parsehttprequest"},
		{"snake case comes apart and stays whole", "max_open_conns", "max open conns maxopenconns"},
		{"leading underscores are no part", "__init__", "init"},
		{"one capital at the front is an ordinary word", "Berlin NATO", "berlin nato"},
		{"ordinals are their numbers", "the 1st, 22nd, 3rd and 4th", "the 1 22 3 and 4"},
		{"an ISO date is a year, a month and a day", "due 2023-05-03", "due 2023 may 3"},
		{"a time of day does not hide the date", "at 2023-05-03T10:20:00Z", "at 2023 may 3 20 00z"},
		{"an impossible date stays numbers", "2023-13-45", "2023 13 45"},
		{"other dates stay numbers", "03/05/2023", "03 05 2023"},
		{"versions come apart", "v1.60.1", "v1 60 1"},
		{"scripts without spaces give pairs", "東京都 に", "東京 京都 に"},
		{"other scripts are words", "Привет мир", "привет мир"},
		{"broken UTF-8 separates", "a\xffb", "a b"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(Words(test.text), " "); got != test.want {
				t.Errorf("Words(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func TestALongRunOfLettersIsCut(t *testing.T) {
	words := Words(strings.Repeat("ä", 1000))
	if len(words) != 1 || utf8.RuneCountInString(words[0]) != maxWordRunes {
		t.Errorf("got %d words, the first of %d runes", len(words), utf8.RuneCountInString(words[0]))
	}
}

func TestTerms(t *testing.T) {
	for _, test := range []struct {
		name, text, want string
	}{
		{"regular endings fall", "She was walking and walked; he walks", "she was walk and walk he walk"},
		{"irregular forms meet their base", "children went, caught and thought", "child went catch and think"},
		{"German text is stemmed as German", "Die Entscheidungen wurden getroffen", "die entscheid wurd treff"},
		{"German irregular forms meet their base", "Wir haben den Bericht geschrieben", "wir hab den bericht schreib"},
		{"undecided text is stemmed as English", "schema migrations", "schema migrat"},
		{"numbers stay", "42 7th 2023", "42 7 2023"},
		{"a picture is a word", "Great 😀😀 ─── ok", "great 😀 😀 ok"},
		{"languages keep their sign", "C++ and c#, but C+ and #c and i++x", "cplusplus and csharp but c and c and i x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(Terms(test.text), " "); got != test.want {
				t.Errorf("Terms(%q) = %q, want %q", test.text, got, test.want)
			}
		})
	}
}

func TestDateTerms(t *testing.T) {
	for _, test := range []struct {
		name string
		day  time.Time
		want string
	}{
		{"a day has its names in both languages", time.Date(2023, 5, 3, 0, 0, 0, 0, time.UTC), "2023 3 may mai wednesday mittwoch"},
		{"a name that is the same stands once", time.Date(2024, 8, 18, 9, 0, 0, 0, time.UTC), "2024 18 august sunday sonntag"},
		{"no day has no names", time.Time{}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := strings.Join(DateTerms(test.day), " "); got != test.want {
				t.Errorf("DateTerms(%v) = %q, want %q", test.day, got, test.want)
			}
		})
	}
}

func TestTablesAreFolded(t *testing.T) {
	check := func(table, word string) {
		if words := Words(word); len(words) != 1 || words[0] != word {
			t.Errorf("%s: %q is not a folded word", table, word)
		}
	}
	for name, lines := range lists() {
		for _, line := range lines {
			for word := range strings.FieldsSeq(line) {
				check(name, word)
			}
		}
	}
}

func FuzzWords(f *testing.F) {
	for _, text := range []string{"don't parseHTTPRequest 2023-05-03", "東京都ABC", "ß'''_--__'s n't", "ﬁ ½ Ⅷ ﷺ", "a\xff\u0301b", "İstanbul"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, word := range Words(text) {
			if word == "" || !utf8.ValidString(word) {
				t.Fatalf("word %q of %q", word, text)
			}
			for _, r := range word {
				if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
					t.Fatalf("%q in word %q of %q", r, word, text)
				}
			}
			if Stem(word) == "" || germanStem(word) == "" {
				t.Fatalf("no stem of %q", word)
			}
		}
	})
}

func TestIsStopWord(t *testing.T) {
	for word, want := range map[string]bool{"the": true, "und": true, "when": true, "uber": true, "not": false, "may": false, "dog": false, "": false} {
		if IsStopWord(word) != want {
			t.Errorf("IsStopWord(%q) = %v", word, !want)
		}
	}
}

func TestASentenceGoesOnBehindTheNumberOfADay(t *testing.T) {
	for text, want := range map[string][]string{
		"Ich helfe ihm am Samstag, 28. November. Dann ruhe ich.": {"Ich helfe ihm am Samstag, 28. November.", "Dann ruhe ich."},
		"Am 28. bin ich frei.":                    {"Am 28. bin ich frei."},
		"Send it by December 28. Then rest.":      {"Send it by December 28.", "Then rest."},
		"Der Port ist 8080. november ist anders.": {"Der Port ist 8080.", "november ist anders."},
		"It is 28.": {"It is 28."},
	} {
		if got := Sentences(text); !slices.Equal(got, want) {
			t.Errorf("%q gives %q", text, got)
		}
	}
}

func TestOnlyTheWantedRunesAreLeft(t *testing.T) {
	if got := KeepRunes("Nr. ٣-42 é\xff", unicode.IsDigit); got != "٣42" {
		t.Errorf("digits: %q", got)
	}
}
