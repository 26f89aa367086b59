package memory

import (
	"slices"
	"strings"
	"testing"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/memory"
)

func TestSearchReadsWordsAsEverySearchDoes(t *testing.T) {
	for about, cases := range toolstest.Wordings {
		t.Run(about, func(t *testing.T) {
			for _, c := range cases {
				b := newBench(t)
				for i, noise := range []string{"Die Kinder spielen im Garten", "We moved the table out", "Il pleut encore", "The parrot was loud"} {
					b.say("noise "+string(rune('a'+i)), "Bo", noise)
				}
				id := b.say("s", "Bo", c.Text)
				found := slices.ContainsFunc(b.look(c.Query, in(memory.SourceDialogue)).Hits, func(h Hit) bool { return h.Row.ID == id && h.Relevance >= search.PoorMatch })
				if found != c.Found {
					t.Errorf("%q finds %q: %v", c.Query, c.Text, found)
				}
			}
		})
	}
}

// What an earlier version indexed is no contradiction, and is found by what found it then.
func TestRowsFoldedByAnEarlierVersionAreFound(t *testing.T) {
	b := newBench(t)
	written := map[int64]string{}
	for _, text := range []string{"Łukasz comes from Łódź", "Søren fixed the boiler", "Un cœur de bois était gravé dans les arbres", "Işık bought the lamp"} {
		written[b.say("s", "Bo", text)] = text
	}
	storetest.Write(t, b.Store, func(tx *store.Tx) error {
		rows := memory.In(tx)
		if err := rows.ResetWordIndex(memory.SourceDialogue); err != nil {
			return err
		}
		list, err := rows.IndexedAfter(memory.SourceDialogue, 0, 10)
		for _, m := range list {
			m.Terms = strings.Join(language.TermsOfEarlierVersions(written[m.RowID]), " ")
			if err := rows.Reindex(m, len(strings.Fields(m.Terms))); err != nil {
				return err
			}
		}
		return err
	})
	if r := b.sound(); r.Earlier != len(written) {
		t.Errorf("%d rows of an earlier version", r.Earlier)
	}
	for _, query := range []string{"Łódź", "Søren", "cœur", "coeur", "Işık"} {
		if hits := b.look(query, in(memory.SourceDialogue)).Hits; len(hits) == 0 || hits[0].Relevance < 1 {
			t.Errorf("%q finds %+v", query, hits)
		}
	}
}
