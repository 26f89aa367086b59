package memory

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
)

// nearly are texts and questions that say no word of theirs as it is written
// there. They were written before any of them was asked; what was chosen was
// chosen on those with an even place, the others only say how well it carries
// over.
var nearly = []struct{ kind, text, question string }{
	{"misspelt", "The harpsichord was tuned on Monday by Mr Lowe", "harpsicord"},
	{"misspelt", "We postponed the rehearsal until the conductor is well", "reharsal"},
	{"misspelt", "Our accountant in Utrecht retires in spring", "acountant"},
	{"misspelt", "The questionnaire went out to forty households", "questionaire"},
	{"misspelt", "Marcus keeps a chameleon in the greenhouse", "cameleon"},
	{"misspelt", "Zsofia paints miniatures of lighthouses", "lighthuoses"},
	{"misspelt", "The Kubernetes cluster runs out of addresses", "kubernetis"},
	{"misspelt", "They hired a bassoonist from Tallinn", "basoonist"},
	{"misspelt", "A millennium of tax records was scanned", "milenium"},
	{"misspelt", "The rhododendron behind the shed has mildew", "rododendron"},
	{"misspelt", "PostgreSQL refuses the connection after midnight", "postgress"},
	{"misspelt", "Her psychiatrist moved to Lisbon", "pyschiatrist"},
	{"misspelt", "The souvenir shop sells brass compasses", "suvenir"},
	{"misspelt", "Ottoline broke her collarbone while skating", "colarbone"},
	{"misspelt", "An entrepreneur bought the old cannery", "entrepeneur"},
	{"misspelt", "The Brightleaf contract ends without notice", "brigthleaf"},
	{"misspelt", "Parking beside the synagogue is forbidden", "synagoge"},
	{"misspelt", "The vaccination appointment is at noon", "vacinnation"},
	{"misspelt", "Nobody found the camouflage netting", "camoflage"},
	{"misspelt", "Yevgenia plays the theremin in a quartet", "yevgeniya"},
	{"misspelt", "Our lieutenant signed the logbook twice", "leutenant"},
	{"misspelt", "The wholesaler delivers tangerines by barge", "tangarines"},
	{"misspelt", "Diarrhoea closed the kindergarten for a week", "diarrhea"},
	{"misspelt", "A surveillance camera watches the bakery", "surveilance"},
	{"form", "They persuaded the council to plant limes", "persuasion"},
	{"form", "The merger was finally approved", "approval"},
	{"form", "Her explanation of the outage was short", "explain"},
	{"form", "We abolished the night shift", "abolition"},
	{"form", "The juror was suspicious of every figure", "suspect"},
	{"form", "Pollen makes the child sneeze, he is allergic", "allergies"},
	{"form", "The tenants complained about the elevator", "complaint"},
	{"form", "The depth of the well surprised the diggers", "deep wells"},
	{"form", "Wolfgang inherited an orchard", "inheritance"},
	{"form", "The deploy script deletes stale branches", "deletion"},
	{"form", "They electrified the ferry", "electricity"},
	{"form", "The pharmacist mixed the ointment", "pharmacy"},
	{"form", "Migrating the ledger took nine hours", "migrations"},
	{"form", "The committee decided against the bridge", "decision"},
	{"form", "He apologised to the neighbours", "apology"},
	{"form", "A strong current dragged the buoy", "strength"},
	{"form", "She receives a grant for weaving", "recipient"},
	{"form", "The editor criticised the second chapter", "criticism"},
	{"form", "The reservoir is emptied for repairs", "emptiness"},
	{"form", "The ambassador resigned over the photographs", "resignation"},
	{"compound", "Die Datenbankmigration läuft jede Nacht", "Migration"},
	{"compound", "The houseboat needs a new mooring", "boat"},
	{"compound", "Unser Steuerberater zieht nach Kassel", "Berater"},
	{"compound", "Der Kühlschrank im Labor brummt", "Schrank"},
	{"compound", "He repairs typewriters in the cellar", "writers"},
	{"compound", "Die Krankenversicherung zahlt die Brille", "Versicherung"},
	{"compound", "Gestern war Zahnarzttermin", "Zahnarzt"},
	{"compound", "The newsletter goes to nine hundred readers", "letter"},
	{"compound", "We need a migration before the freeze", "Datenbankmigration"},
	{"compound", "The insurance covers hail", "Hagelinsurance"},
	{"compound", "Das Fahrrad steht im Keller", "Fahrradschloss"},
	{"compound", "Ich suche den Schlüssel zum Archiv", "Archivschlüssel"},
	{"compound", "He calls getUserProfile before the cache is warm", "userprofile"},
	{"compound", "The webhook retries seven times", "webhooks-endpoint retrying"},
	{"compound", "Der Mietvertrag endet im Oktober", "Vertrag"},
	{"compound", "Rückflugticket gebucht für den Neunten", "Rückflug"},
}

func TestMisspeltAndInflectedWordsAreFound(t *testing.T) {
	b := newBench(t)
	want := make([]int64, len(nearly))
	for i, n := range nearly {
		want[i] = b.say(fmt.Sprintf("s%d", i), "user", n.text)
	}
	var found, first [2]int // of those chosen on, of the others
	for i, n := range nearly {
		list := ids(b.look(n.question, in(memory.SourceDialogue)))
		if slices.Contains(list, want[i]) {
			found[i%2]++
		}
		if len(list) > 0 && list[0] == want[i] {
			first[i%2]++
		} else {
			t.Logf("%s: %q finds %v, not %d first", n.kind, n.question, list, want[i])
		}
	}
	if first[0] < 26 || found[0] < 28 || first[1] < 28 || found[1] < 28 {
		t.Errorf("of 30 and 30, %v were found and %v came first", found, first)
	}
}

func TestAWordWithAWrongBeginningIsFoundInALargeStoreToo(t *testing.T) {
	for word, want := range map[string]string{
		"harpsicord": "harpsichord", "karpsichord": "harpsichord", "ahrpsichord": "harpsichord", "arpsichord": "harpsichord", "hharpsichord": "harpsichord", "concertharpsichord": "harpsichord",
		"öl": "", "a": "", "zzz": "",
	} {
		b := newBench(t)
		id := b.insight("the " + cmp.Or(want, "river") + " is new")
		c := &candidates{searchState: &searchState{Query: Query{Text: word, Weights: search.DefaultWeights}, analysed: search.AnalyseQuery(word)}, source: memory.SourceInsight}
		err := b.Store.Read(t.Context(), func(tx *store.Tx) error {
			if err := c.findByWords(memory.In(tx)); err != nil {
				return err
			}
			c.statistics.Words = maxScannedVocabulary + 1
			return c.addRowsOfSimilarWords(memory.In(tx), false)
		})
		if found := slices.Contains(c.ids, id); err != nil || found != (want != "") {
			t.Errorf("%q finds %v, %v", word, c.ids, err)
		}
	}
}

func TestSignsAndSingleCharactersAreFound(t *testing.T) {
	b := newBench(t)
	texts := map[string]int64{}
	for _, text := range []string{"Lunch was great 😀", "We shipped it 🎉 today", "我喜欢绿茶", "أحب القهوة كثيرا", "I write C++ at work", "She prefers C#", "a b c d", "الشاي ساخن"} {
		texts[text] = b.say("s "+text, "Anna", text)
	}
	for question, text := range map[string]string{
		"😀": "Lunch was great 😀", "🎉": "We shipped it 🎉 today", "茶": "我喜欢绿茶", "قهوة": "أحب القهوة كثيرا", "القهوة": "أحب القهوة كثيرا", "شاي": "الشاي ساخن",
		"C++": "I write C++ at work", "C#": "She prefers C#",
	} {
		found := b.look(question, in(memory.SourceDialogue))
		if got := ids(found); len(got) != 1 || got[0] != texts[text] || found.bestHit().Relevance < search.PoorMatch {
			t.Errorf("%s finds %+v, want %q alone", question, found.Hits, text)
		}
	}
	b.sound()
}

// Amounts meet however their zeros and points are written, and no others do.
func TestAnAmountIsFoundHoweverItIsWritten(t *testing.T) {
	b := newBench(t)
	for i, text := range []string{"The plumber took 49.09 for the tap", "Bought nine chairs and 49 nails", "The ladder is 90 long"} {
		b.say("noise "+string(rune('a'+i)), "Anna", text)
	}
	for _, paid := range []string{"The lamp was 49.90 at the shop", "La lampe coûtait 49,90 au magasin", `{"lamp":49.9}`} {
		want := b.say(paid, "Anna", paid)
		for _, question := range []string{"49.90", "49,90", "49.9"} {
			hits := b.look(question, in(memory.SourceDialogue)).Hits
			i := slices.IndexFunc(hits, func(h Hit) bool { return h.Row.ID == want })
			if i < 0 || hits[i].Relevance < 1 {
				t.Errorf("%s is not met by %q", question, paid)
			}
			for _, hit := range hits {
				if strings.Contains(hit.Row.Content, "49.09") && (hit.Relevance > 0 || hit.Row.ID == hits[0].Row.ID) {
					t.Errorf("%s finds %+v", question, hit)
				}
			}
		}
	}
}

func TestLetterVariantsMatchAndOtherWordsDoNot(t *testing.T) {
	b := newBench(t)
	for i, text := range []string{"Die Kinder spielen im Garten", "We moved the table out", "Il pleut encore"} {
		b.say("noise "+string(rune('a'+i)), "Anna", text)
	}
	for _, test := range []struct{ text, question string }{
		{"Die alte Mühle steht am Bach", "Muehle"}, {"Die Baeckerei macht um sechs auf", "Bäckerei"}, {"Die Straße ist gesperrt", "Strasse"},
		{"Un cœur de bois était gravé", "coeur"}, {"Ma soeur arrive bientôt", "sœur"}, {"The Encyclopædia fell down", "encyclopaedia"},
	} {
		want := b.say(test.text, "Anna", test.text)
		if hits := b.look(test.question, in(memory.SourceDialogue)).Hits; len(hits) == 0 || hits[0].Row.ID != want || hits[0].Relevance < 1 {
			t.Errorf("%q finds %+v", test.question, hits)
		}
	}
	b.say("girl", "Anna", "Ma fille chante")
	for _, hit := range b.look("ville", in(memory.SourceDialogue)).Hits {
		if hit.Relevance >= search.PoorMatch {
			t.Errorf("ville finds %+v", hit)
		}
	}
}
