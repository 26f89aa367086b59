package graph

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	"toolkit/store/internal/query"
)

// lowerAsJavaScript is String.prototype.toLowerCase: full lower case of İ, and
// the small sigma that ends a word.
func lowerAsJavaScript(s string) string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		switch {
		case r == 'İ':
			b.WriteString("i\u0307")
		case r == 'Σ' && finalSigma(runes, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// finalSigma is Unicode's condition: a cased letter before, none after, marks and
// apostrophes between them ignored.
func finalSigma(runes []rune, at int) bool {
	cased := func(r rune) bool { return unicode.IsLower(r) || unicode.IsUpper(r) || unicode.IsTitle(r) }
	ignorable := func(r rune) bool {
		return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·’", r)
	}
	before := at - 1
	for before >= 0 && ignorable(runes[before]) {
		before--
	}
	after := at + 1
	for after < len(runes) && ignorable(runes[after]) {
		after++
	}
	return before >= 0 && cased(runes[before]) && (after == len(runes) || !cased(runes[after]))
}

// includes is the official server's search: text.toLowerCase().includes(query.toLowerCase()).
func includes(text, query string) bool {
	return strings.Contains(lowerAsJavaScript(text), lowerAsJavaScript(query))
}

func TestFoldingTwiceChangesNothingAndAgreesWithLowerCase(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if !utf8.ValidRune(r) {
			continue
		}
		once := string(appendFolded(nil, string(r)))
		if twice := string(appendFolded(nil, once)); twice != once {
			t.Fatalf("%U folds to %q and then to %q", r, once, twice)
		}
		if lowered := string(appendFolded(nil, lowerAsJavaScript(string(r)))); lowered != once {
			t.Fatalf("%U folds to %q, its lower case to %q", r, once, lowered)
		}
	}
}

// alphabet mixes what case folding and byte search find hard.
var alphabet = []rune("aAbBzZ019 _-.'\"\n\\/%*ßẞſKÅΣσςΩωİıIiéÉe\u0301\u0307\u0130ЖжЁё中文字🎉👩\u200d🚀ﬀǅǆ")

func randomText(r *rand.Rand, longest int) string {
	n := r.IntN(longest + 1)
	runes := make([]rune, n)
	for i := range runes {
		runes[i] = alphabet[r.IntN(len(alphabet))]
	}
	return string(runes)
}

func randomPart(r *rand.Rand, s string) string {
	runes := []rune(s)
	if len(runes) == 0 {
		return ""
	}
	from := r.IntN(len(runes))
	return string(runes[from : from+1+r.IntN(len(runes)-from)])
}

func TestEveryPartOfADisplayedTextFindsItsEntity(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for seed := range testenv.Choose[uint64](2, 8) {
		r := rand.New(rand.NewPCG(seed, 1))
		db := openGraph(t)
		var entities []NewEntity
		for i := range 60 {
			e := NewEntity{Name: fmt.Sprintf("%s·%d", randomText(r, 12), i), Type: randomText(r, 8)}
			for range r.IntN(4) {
				e.Observations = append(e.Observations, randomText(r, 40))
			}
			entities = append(entities, e)
		}
		addPlain(t, db, entities...)
		for range 400 {
			e := entities[r.IntN(len(entities))]
			texts := append([]string{e.Name, e.Type}, e.Observations...)
			query := randomPart(r, texts[r.IntN(len(texts))])
			if r.IntN(4) == 0 {
				query = strings.ToUpper(query)
			}
			if query == "" {
				continue
			}
			checkAgainstModel(t, db, entities, query, e)
		}
	}
}

// checkAgainstModel compares a search with the official server's on the same
// entities; source is one whose text holds the query as it stands, or its upper
// case.
func checkAgainstModel(t *testing.T, db *store.DB, entities []NewEntity, query string, source NewEntity) {
	t.Helper()
	found := foundNames(t, db, query)
	folded := string(appendFolded(nil, query))
	expected := 0
	for _, e := range entities {
		texts := append([]string{e.Name, e.Type}, e.Observations...)
		holds := slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(string(appendFolded(nil, s)), folded) })
		if holds {
			expected++
		}
		if holds != slices.Contains(found, e.Name) {
			t.Fatalf("query %q: %q found is %v", query, e.Name, !holds)
		}
		if !holds && slices.ContainsFunc(texts, func(s string) bool { return includes(s, query) }) {
			t.Fatalf("query %q: a substring search finds %q, ours does not", query, e.Name)
		}
	}
	if len(found) != expected {
		t.Fatalf("query %q found %d entities, want %d", query, len(found), expected)
	}
	texts := append([]string{source.Name, source.Type}, source.Observations...)
	if slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, query) }) && !slices.Contains(found, source.Name) {
		t.Fatalf("query %q is part of %q but does not find it", query, source.Name)
	}
}

func TestFindTextMatchesSpecialCaseLetters(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db,
		NewEntity{Name: "ΟΔΟΣΑ", Type: "street"},
		NewEntity{Name: "İstanbul", Type: "city", Observations: []string{"STRASSE", "straße", "\u00c5ngström"}},
		NewEntity{Name: "quote \"x\"\nline", Type: "odd", Observations: []string{"nul\x00inside"}},
	)
	for query, want := range map[string]string{
		"ΔΟΣ": "ΟΔΟΣΑ", "δος": "ΟΔΟΣΑ", "οδοσα": "ΟΔΟΣΑ",
		"istanbul": "", "i\u0307stanbul": "İstanbul", "İST": "İstanbul", "stanbul": "İstanbul",
		"STRAẞE": "İstanbul", "\u212bngström": "İstanbul",
		"\"X\"\nL": "quote \"x\"\nline", "\x00in": "quote \"x\"\nline",
		"city\xff": "", "ulcity": "",
	} {
		var expected []string
		if want != "" {
			expected = []string{want}
		}
		if got := foundNames(t, db, query); !slices.Equal(got, expected) {
			t.Errorf("%q finds %q, want %q", query, got, expected)
		}
	}
}

func TestFoldedMatchIsReportedInOtherLetters(t *testing.T) {
	db := openGraph(t)
	addPlain(t, db, NewEntity{Name: "plain", Type: "x", Observations: []string{"strasse soren lodz elka abc istanbul espana"}},
		NewEntity{Name: "marked", Type: "x", Observations: []string{"Straße Søren Łódź Ёлка ＡＢＣ ıstanbul España"}})
	for query, want := range map[string]map[int64]TextPlace{
		"strass": {1: ObservationWord, 2: InOtherLetters}, "STRASSE": {1: ObservationWord, 2: InOtherLetters}, "straße": {1: InOtherLetters, 2: ObservationWord},
		"soren": {1: ObservationWord, 2: InOtherLetters}, "Łódź": {1: InOtherLetters, 2: ObservationWord}, "lodz": {1: ObservationWord, 2: InOtherLetters},
		"елка": {2: InOtherLetters}, "abc": {1: ObservationWord, 2: InOtherLetters}, "ａｂｃ": {1: InOtherLetters, 2: ObservationWord},
		"istan": {1: ObservationWord, 2: InOtherLetters}, "espana": {1: ObservationWord, 2: InOtherLetters}, "sören": {1: InOtherLetters, 2: InOtherLetters},
		"\u0301": {}, "lodi": {},
	} {
		for _, indexed := range []bool{true, false} {
			textOf(t, db).tooLarge = !indexed
			storetest.Read(t, db, func(tx *store.Tx) error {
				hits, err := In(tx).FindText(query)
				got := map[int64]TextPlace{}
				for _, h := range hits {
					got[h.ID] = h.Place
				}
				if !maps.Equal(got, want) {
					t.Errorf("%q is found in %v, want %v", query, got, want)
				}
				return err
			})
		}
	}
}

func TestWordsThatAnEarlierVersionEnteredAreFound(t *testing.T) {
	db := openGraph(t)
	for asked, text := range map[string]string{"Straße": "Die Straße ist nass", "Łódź": "Łódź is far", "ёлка": "Ёлка в лесу", "김치": "김치를 먹었다", "喜欢绿茶": "喜欢绿茶", "ＡＢＣ": "ＡＢＣ", "v2.4.1": "release 2.4.1"} {
		addPlain(t, db, NewEntity{Name: asked, Type: "x"})
		storetest.Write(t, db, func(tx *store.Tx) error {
			id, _, err := In(tx).EntityID(asked)
			sql := (*query.Tx)(tx)
			if err != nil || !sql.SQLite() {
				return err
			}
			row, err := sql.Insert(`INSERT INTO observations(entity_id, content, created_at) VALUES(?, ?, 0)`, id, text)
			if err != nil {
				return err
			}
			if err := sql.Exec(`INSERT INTO observation_words(rowid, content) VALUES(?, ?)`, row, text); err != nil {
				return err
			}
			_, observed, err := matchNodes(tx, language.Wordings(asked)...)
			if !slices.Contains(observed, id) {
				t.Errorf("%q is not found in %q", asked, text)
			}
			return err
		})
	}
}
