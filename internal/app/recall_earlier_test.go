package app

import (
	"strings"
	"testing"
)

func TestRecallMarksStatementsThatANewerOneMayReplace(t *testing.T) {
	for name, tc := range map[string]struct {
		turns    [][4]string
		question string
		earlier  []string // of what is told, all that is marked
	}{
		"a changed provider": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "We use Stripe for payments in the shop."}, {"/srv/shop", "2026-08-01", "user", "We moved to Mollie for payments."}},
			"which payment provider do we use?", []string{"Stripe"},
		},
		"in few words": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "We use Stripe"}, {"/srv/shop", "2026-08-01", "user", "We moved to Mollie"}},
			"do we use Stripe or Mollie?", []string{"Stripe"},
		},
		"changed twice": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "The release is on Fridays."}, {"/srv/shop", "2026-05-01", "user", "The release is on Tuesdays."}, {"/srv/shop", "2026-08-01", "user", "From now on we release on Mondays."}},
			"when do we release?", []string{"Fridays", "Tuesdays"},
		},
		"in German": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "Wir deployen immer mittwochs."}, {"/srv/shop", "2026-08-01", "user", "Ab jetzt deployen wir donnerstags."}},
			"wann deployen wir?", []string{"mittwochs"},
		},
		"two topics": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "The release is on Fridays."}, {"/srv/shop", "2026-08-01", "user", "We moved to Mollie for payments."}},
			"when do we release, and which payments do we use?", nil,
		},
		"what was said beside it": {
			[][4]string{{"/srv/bakery", "2026-03-01", "user", "Heike signs every flour order."}, {"/srv/bakery", "2026-03-01", "assistant", "Heike signs flour orders, noted."}, {"/srv/bakery", "2026-03-01", "user", "We ship flour by rail now, trucks are too dear."}},
			"Heike", nil,
		},
		"a question": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "Tomasz signs off every API change."}, {"/srv/shop", "2026-08-01", "user", "who signs off API changes now?"}},
			"who signs off API changes?", nil,
		},
		"the echo of an assistant": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "Tomasz is the product owner of the shop."}, {"/srv/shop", "2026-08-01", "assistant", "Understood, Priya is the product owner now."}},
			"who is the product owner?", nil,
		},
		"an open task in other words": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "The migration guide for the customers has to be written."}, {"/srv/shop", "2026-08-01", "assistant", "The migration guide for the customers is still to be written."}},
			"what about the migration guide?", nil,
		},
		"two projects": {
			[][4]string{{"/srv/shop", "2026-03-01", "user", "We use Stripe for payments in the shop."}, {"/srv/club", "2026-08-01", "user", "We use Mollie for payments in the club."}},
			"which payment provider do we use?", nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := heard(t, tc.turns)
			out := recalledIn(t, a, "", tc.question)
			if len(out.Found) < len(tc.turns) {
				t.Fatalf("too little is found: %+v", out)
			}
			for _, hit := range out.Found {
				want := false
				for _, old := range tc.earlier {
					want = want || strings.Contains(hit.Text, old)
				}
				if marked := strings.Contains(hit.Note, "earlier; "); marked != want {
					t.Errorf("%q has the note %q", hit.Text, hit.Note)
				}
			}
		})
	}
}
