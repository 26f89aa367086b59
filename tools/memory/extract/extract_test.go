package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func say(text string, before ...Turn) []Candidate {
	return From(Turn{Speaker: User, Text: text, At: wednesday}, before)
}

func one(t *testing.T, text string, before ...Turn) Candidate {
	t.Helper()
	found := say(text, before...)
	if len(found) != 1 {
		t.Fatalf("%q gives %d candidates: %+v", text, len(found), found)
	}
	return found[0]
}

func assistant(text string) Turn { return Turn{Speaker: Assistant, Text: text, At: wednesday} }

func TestTheTextIsTheClauseInItsOwnWords(t *testing.T) {
	for said, kept := range map[string]string{
		"Ok, so we decided to use SQLite, because it's small. Now run the tests!": "we decided to use SQLite, because it's small",
		"Remember that the   bins go out on Tuesday.":                             "the   bins go out on Tuesday",
		"I’m vegetarian, what can I cook tonight?":                                "I’m vegetarian",
		"In the meeting\nwe agreed on “two” reviewers (always).":                  "In the meeting\nwe agreed on “two” reviewers (always)",
		"Never call it \"prod\".":                                                 "Never call it \"prod\"",
		"Merk dir bitte, dass Öl im Keller steht.":                                "Öl im Keller steht",
	} {
		t.Run(said, func(t *testing.T) {
			c := one(t, said)
			if !strings.Contains(said, c.Text) || !strings.HasSuffix(kept, c.Text) {
				t.Errorf("kept %q, not %q", c.Text, kept)
			}
		})
	}
}

func TestDaysOfPromisesAreCountedFromTheTurn(t *testing.T) {
	for said, day := range map[string]string{ // on Wednesday, 4 March 2026
		"today": "2026-03-04", "tomorrow": "2026-03-05", "on Friday": "2026-03-06", "on Wednesday": "2026-03-11",
		"by next Friday": "2026-03-13", "next Monday": "2026-03-09", "on 3 March": "2027-03-03", "by March 15th": "2026-03-15",
		"by Friday, March 20": "2026-03-20", "on Friday, the 20th": "2026-03-20", "by Friday, October 16": "2026-10-16", "on Tuesday, 16 June 2026 at ten": "2026-06-16",
		"by the end of November": "2026-11-30", "by the end of February": "2027-02-28", "by the end of the month": "2026-03-31", "before 2026-12-15": "2026-12-15",
		"by the 16th of October": "2026-10-16", "by 25/12": "2026-12-25", "by October 16, 2027": "2027-10-16", "by the 2nd": "2026-04-02", "tomorrow, 5 March": "2026-03-05",
		"to 1.7 by Friday": "2026-03-06", "from 1 March by Friday": "2026-03-06", "by Friday, because the fair opens on 20 March": "2026-03-06", "for Friday's class on Monday": "2026-03-09",
		"on 2026-05-01": "2026-05-01", "on 15 April 2028": "2028-04-15", "in three weeks": "2026-03-25", "in 10 days": "2026-03-14",
	} {
		t.Run(said, func(t *testing.T) {
			if due := one(t, "I'll send Claire the draft "+said+".").Due.Format(time.DateOnly); due != day {
				t.Errorf("is due on %s, not %s", due, day)
			}
		})
	}
	for _, vague := range []string{"I'll send the draft soon.", "I'll send it on 3/4.", "I'll send it on 31 February.", "I'll send it on Friday, March 21.", "I'll send it on Friday or Monday.", "I'll send it every Friday.",
		"I'll send it by Friday, 3/6/2026.", "I'll send it the Friday after next.", "I'll send it in November.", "I'll send the 3rd draft.",
		"I'll send it in 999999999999999999999 days."} {
		if found := say(vague); len(found) != 0 {
			t.Errorf("%q names no day, but %v was found", vague, found[0].Due)
		}
	}
	if found := From(Turn{Speaker: User, Text: "I'll send it tomorrow."}, nil); len(found) != 0 {
		t.Errorf("a turn without a time has no tomorrow: %+v", found)
	}
	tokyo := time.FixedZone("Tokyo", 9*60*60)
	found := From(Turn{Speaker: User, Text: "I'll send it tomorrow.", At: time.Date(2026, 3, 4, 1, 0, 0, 0, tokyo)}, nil)
	if want := time.Date(2026, 3, 5, 0, 0, 0, 0, tokyo); !found[0].Due.Equal(want) {
		t.Errorf("is due %v, not %v", found[0].Due, want)
	}
}

func TestWhatIsToBeKeptHasTheDateOnWhichItFalls(t *testing.T) {
	for said, day := range map[string]string{ // on Wednesday, 4 March 2026
		"Remember that the demo is on December 3.":               "2026-12-03",
		"Remember that the fair opens on 20 March 2027.":         "2027-03-20",
		"Merk dir, dass die Demo am 20. März ist.":               "2026-03-20",
		"Retiens que la démo est le 1er avril.":                  "2026-04-01",
		"Recuerda que la demo es el 20 de marzo.":                "2026-03-20",
		"Remind me to renew the domain on 2026-12-01.":           "2026-12-01",
		"Remind me on Friday to call Ben.":                       "2026-03-06",
		"Erinnere mich daran, Ben am 20. März anzurufen.":        "2026-03-20",
		"Rappelle-moi de payer l'assurance le 13 mars.":          "2026-03-13",
		"Recuérdame pagar el seguro el 13 de marzo.":             "2026-03-13",
		"Ich habe Oma zugesagt, sie am 28. zu besuchen.":         "2026-03-28",
		"Remember that the bins go out on Tuesday.":              "",
		"Remember that we moved in on 3 March.":                  "",
		"Remember that the demo was on December 3.":              "",
		"Remember that the demo is on December 3 or December 4.": "",
		"Remember that the spare key is with Anna.":              "",
	} {
		t.Run(said, func(t *testing.T) {
			got := ""
			if due := one(t, said).Due; !due.IsZero() {
				got = due.Format(time.DateOnly)
			}
			if got != day {
				t.Errorf("falls on %q, not %q", got, day)
			}
		})
	}
}

func TestANoThatBeginsAWordingIsNoAnswer(t *testing.T) {
	for _, before := range [][]Turn{nil, {assistant("Te gusta el cilantro.")}} {
		if c := one(t, "No me gusta el cilantro.", before...); !c.Against || c.Text != "No me gusta el cilantro" {
			t.Errorf("%+v", c)
		}
	}
}

func TestADecisionToDecideNothingIsNone(t *testing.T) {
	for _, said := range []string{
		"I decided to sleep on it.", "We decided nothing yet.", "We've decided to wait for the new release.", "We agreed to talk on Monday.", "We decided on nothing.",
		"I've decided not to decide before June.", "We decided to think it over.", "We have agreed to come back to that.", "We've decided what to do.", "I decided to leave it.",
		"Wir haben beschlossen, erst einmal abzuwarten.", "Wir haben beschlossen, eine Nacht darüber zu schlafen.", "On a décidé d'attendre.", "Hemos decidido esperar.",
	} {
		if found := say(said); len(found) != 0 {
			t.Errorf("%q decides nothing, but gave %+v", said, found)
		}
	}
}

// Nobody tells a second session of an allergy.
func TestWhatASessionIsEnoughFor(t *testing.T) {
	for said, want := range map[string]struct{ explicit, personal bool }{
		"I'm allergic to penicillin.":                          {true, true},
		"I am a vegetarian.":                                   {true, true},
		"My name is Nora Feldmann.":                            {true, true},
		"My wife's name is Clara.":                             {true, true},
		"Unser Sohn heißt Emil.":                               {true, true},
		"Je suis allergique aux noix.":                         {true, true},
		"Our API listens on port 9090.":                        {true, false},
		"Our release day is Thursday.":                         {true, false},
		"We use Terraform for the cluster.":                    {true, false},
		"I never want to see semicolons in our code.":          {true, false},
		"I have to renew my passport before 2026-12-15.":       {true, false},
		"The export must be ready for Heike by November 27.":   {true, false},
		"I promised the landlord that I'd be out by 28 March.": {true, false},
		"Ich muss den Pass bis Ende November verlängern.":      {true, false},
		"I prefer tabs over spaces.":                           {false, false},
		"My boss is a patient man.":                            {false, false},
	} {
		if c := one(t, said); c.Explicit != want.explicit || c.Personal != want.personal {
			t.Errorf("%q: %+v", said, c)
		}
	}
	for _, passing := range []string{
		"My idea is Redis.", "My first thought is Kafka.", "My PR is number 4 in the queue.", "I never want to see this again.", "I never wanted a dog.",
		"I have to go, see you on Monday.", "I have to say, Friday was great.", "I must admit that I was late by 3 days.", "I have to restart it every Friday.", "I have to leave by 5.",
	} {
		if found := say(passing); len(found) != 0 {
			t.Errorf("%q holds for the moment, but gave %+v", passing, found)
		}
	}
}

func TestTheAssistantIsOnlyHeardWhenTheUserConfirms(t *testing.T) {
	understood := assistant("Understood: you prefer tabs over spaces.")
	c := one(t, "Yes, exactly.", understood)
	if !c.Confirmed || c.Explicit || c.Text != "you prefer tabs over spaces" || c.Kind != Preference {
		t.Errorf("kept %+v", c)
	}
	if own := one(t, "I prefer tabs over spaces."); own.Subject != c.Subject || own.Value != c.Value {
		t.Errorf("the user's own words are about %q, the confirmed ones about %q", own.Subject, c.Subject)
	}
	if c := one(t, "Right, remember that.", understood); !c.Explicit {
		t.Error("remembering was asked for")
	}
	for said, before := range map[string][]Turn{
		"No.":                    {understood},
		"Hm.":                    {understood},
		"Yes, but why?":          {understood},
		"Yes.":                   {understood, {Speaker: User, Text: "Wait."}},
		"Exactly!":               {assistant("Do you prefer tabs? You prefer tabs.")},
		"Yes, that's right, go!": {understood},
		"Correct.":               {assistant("You prefer tabs. " + strings.Repeat("And much more. ", 60))},
	} {
		if found := say(said, before...); len(found) != 0 {
			t.Errorf("%q after %q confirms nothing, but gave %+v", said, before[len(before)-1].Text, found)
		}
	}
}

// related are pairs of sayings, the second later than the first.
var related = []struct {
	name, earlier, later string
	superseded           bool
}{
	{"a place of living is one", "I live in Berlin.", "I live in Graz now.", true},
	{"a favourite is one", "My favourite editor is Vim.", "My favourite editor is Helix.", true},
	{"another favourite is another subject", "My favourite editor is Vim.", "My favourite colour is blue.", false},
	{"never takes back always", "Always squash commits.", "Never squash commits.", true},
	{"hate takes back love", "I love coriander.", "I hate coriander.", true},
	{"allergies add up", "I'm allergic to nuts.", "I'm allergic to cats.", false},
	{"a decision for the same purpose", "We decided to use MySQL for the billing service.", "We decided to use Postgres for the billing service.", true},
	{"a decision for another purpose", "We decided to use MySQL for billing.", "We decided to use Postgres for search.", false},
	{"what is given up by name", "We decided to use Jest.", "We decided to use Vitest instead of Jest.", true},
	{"a decision against", "We decided to get a second cat.", "We decided not to get a second cat.", true},
	{"a thing that was to be remembered", "Remember that the spare key is under the mat.", "Remember that the spare key is with Anna.", true},
	{"somebody else's birthday", "Ben's birthday is on 14 June.", "Ida's birthday is on 15 June.", false},
	{"other kinds do not meet", "I hate coriander.", "I'm allergic to coriander.", false},
	{"another version", "We use PostgreSQL 16.", "We stay with PostgreSQL but version 17 now.", true},
	{"another version, and a purpose", "We decided to use PostgreSQL 16 for the orders.", "We stay with PostgreSQL but version 17 now.", true},
	{"another version of something else", "We use PostgreSQL 16.", "We stay with Debian but version 13 now.", false},
	{"the same once more takes back no purpose", "We decided to use PostgreSQL for the orders.", "We stay with PostgreSQL.", false},
	{"what was moved is elsewhere", "The blog is hosted on Netlify.", "We moved the blog to Cloudflare.", true},
	{"what was moved from there", "We decided to use Netlify.", "We moved the blog from Netlify to Cloudflare.", true},
	{"something else that was moved", "We host the shop on Netlify.", "We moved the blog to Cloudflare.", false},
	{"a move says nothing of how it is made", "We decided to use Hugo for the blog.", "We moved the blog to Cloudflare.", false},
	{"another tool for the same", "We use Jest for the client.", "We use Vitest for the client.", true},
	{"German", "Ich wohne in Leipzig.", "Ich wohne in Halle.", true},
	{"a shop does not leave with the blog", "We host the shop on Netlify.", "We moved the blog from Netlify to Cloudflare.", false},
	{"a day that is given up is of one thing only", "From now on we deploy on Thursdays.", "From now on we meet on Fridays instead of Thursdays.", false},
	{"another day of the same promise", "I promised Claire the contract by Friday, March 6.", "I promised Claire the contract by Friday, March 20.", true},
	{"another promise to the same person", "Ich habe Tobias versprochen, ihm am Samstag, 14. März, zu helfen.", "Ich habe Tobias versprochen, ihn am Montag, 16. März, anzurufen.", false},
	{"a rule and a decision", "From now on we freeze the code on Wednesday.", "We decided to freeze the code on Thursday.", true},
	{"what is done for the same thing", "We decided to write tests for the parser.", "We decided to write documentation for the parser.", false},
	{"what somebody has", "Remember that Anna has a dog.", "Remember that Anna has a car.", false},
	{"what somebody is like", "Remember that Anna is a vegetarian.", "Remember that Anna is left-handed.", false},
	{"where somebody is", "Remember that Anna is in Bern.", "Remember that Anna is in Basel.", true},
	{"a number of the same", "Always use two reviewers.", "Always use three reviewers.", true},
	{"beside what was said", "We deploy on Mondays.", "We also deploy on Thursdays.", false},
	{"two days in one", "From now on we deploy on Mondays and Thursdays.", "From now on we deploy on Mondays.", true},
	{"a time with minutes", "Our standup is at 9:30.", "Our standup is at 9:45.", true},
	{"what is left in the clause before", "On a choisi Infomaniak.", "Finalement on quitte Infomaniak, on passe chez Gandi.", true},
	{"what is over in the clause before", "Wir wechseln auf MariaDB.", "MariaDB ist raus, wir wechseln auf PostgreSQL.", true},
	{"what is over", "We decided to use Redis.", "We decided to use NATS, Redis is gone.", true},
}

func TestALaterSayingOnTheSameSubjectSupersedes(t *testing.T) {
	for _, pair := range related {
		t.Run(pair.name, func(t *testing.T) {
			earlier, later := one(t, pair.earlier), one(t, pair.later)
			got := Settle([]Sighting{
				{Candidate: later, Session: "b", At: wednesday.Add(time.Hour)},
				{Candidate: earlier, Session: "a", At: wednesday},
			})
			if len(got) != 2 || got[0].Text != earlier.Text || got[1].SupersededBy != -1 {
				t.Fatalf("settled as %+v", got)
			}
			if superseded := got[0].SupersededBy == 1; superseded != pair.superseded {
				t.Errorf("superseded is %v: %q (%s), %q (%s)", superseded, earlier.Subject, earlier.Value, later.Subject, later.Value)
			}
		})
	}
}

func TestWhatWasSaidAgainLaterStandsAgain(t *testing.T) {
	berlin, graz := one(t, "I live in Berlin."), one(t, "I live in Graz.")
	got := Settle([]Sighting{
		{Candidate: berlin, Session: "a", At: wednesday},
		{Candidate: graz, Session: "b", At: wednesday.Add(time.Hour)},
		{Candidate: berlin, Session: "c", At: wednesday.Add(2 * time.Hour)},
	})
	if len(got) != 2 || got[0].SupersededBy != -1 || got[1].SupersededBy != 0 || len(got[0].Sightings) != 2 {
		t.Errorf("settled as %+v", got)
	}
}

func TestAnImplicitSayingNeedsTwoSessions(t *testing.T) {
	taste, order := one(t, "I prefer tabs over spaces."), one(t, "From now on, prefer tabs.")
	again := one(t, "By the way, I really prefer tabs over spaces!")
	for _, c := range []struct {
		name      string
		sightings []Sighting
		stored    bool
	}{
		{"once", []Sighting{{Candidate: taste, Session: "a"}}, false},
		{"twice in one session", []Sighting{{Candidate: taste, Session: "a"}, {Candidate: again, Session: "a", Turn: 9}}, false},
		{"in two sessions", []Sighting{{Candidate: taste, Session: "a"}, {Candidate: again, Session: "b"}}, true},
		{"explicitly, once", []Sighting{{Candidate: order, Session: "a"}}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Settle(c.sightings)
			if len(got) != 1 || got[0].Stored != c.stored || len(got[0].Sightings) != len(c.sightings) {
				t.Errorf("settled as %+v", got)
			}
		})
	}
}

// Sessions are read in whatever order their files are found.
func TestTheOrderOfSessionsDecidesNothing(t *testing.T) {
	var sightings []Sighting
	for i, pair := range related {
		for k, text := range []string{pair.earlier, pair.later} {
			session := string(rune('a' + (i+k)%3))
			sightings = append(sightings, Sighting{Candidate: one(t, text), Session: session, Turn: i, At: wednesday.Add(time.Duration((i*7+k*5)%11) * time.Hour)})
		}
	}
	want := Settle(sightings)
	for shift := range sightings {
		moved := append(append([]Sighting{}, sightings[shift:]...), sightings[:shift]...)
		for i := range moved {
			k := (i*5 + shift) % len(moved)
			moved[i], moved[k] = moved[k], moved[i]
		}
		if diff := cmp.Diff(want, Settle(moved)); diff != "" {
			t.Fatalf("another order settles otherwise:\n%s", diff)
		}
	}
}

func TestEveryPatternIsReachable(t *testing.T) {
	for opening, all := range patterns() {
		for _, p := range all {
			if p.kind != Decision && p.kind != Preference && p.kind != Correction && p.kind != Fact && p.kind != Promise {
				t.Errorf("a list is of the unknown kind %q", p.kind)
			}
			for _, e := range p.elements {
				for _, word := range e.words {
					read := sentences("x "+word, 0, len(word)+2)
					if len(word) > 1 && (len(read) != 1 || len(read[0]) != 3 || read[0][1].word != word) {
						t.Errorf("%q in a pattern that opens with %q is never read so: %v", word, opening, read)
					}
				}
			}
		}
	}
}

// A careless reader takes the square of the time: for a megabyte of these, the rest of the day.
func TestAMegabyteOfAnythingIsRead(t *testing.T) {
	for name, piece := range hostile {
		t.Run(name, func(t *testing.T) {
			text := strings.Repeat(piece, 1<<20/len(piece))
			for _, c := range say(text, assistant(text)) {
				if !strings.Contains(text, c.Text) {
					t.Errorf("%q was never said", c.Text)
				}
			}
		})
	}
}

// FuzzFrom holds for any text: nothing panics, the same comes out twice, and every candidate is
// complete and in the words of its turn.
func FuzzFrom(f *testing.F) {
	for _, turn := range corpus(f, "development") {
		before := ""
		if len(turn.Before) > 0 {
			before = turn.Before[len(turn.Before)-1].Text
		}
		f.Add(turn.Text, before)
	}
	for _, piece := range hostile {
		f.Add(piece, piece)
	}
	f.Fuzz(func(t *testing.T, said, before string) {
		found := say(said, assistant(before))
		if diff := cmp.Diff(found, say(said, assistant(before))); diff != "" {
			t.Fatalf("%q: two answers differ:\n%s", said, diff)
		}
		for _, c := range found {
			source := said
			if c.Confirmed {
				source = before
			}
			if c.Text == "" || !strings.Contains(source, c.Text) || c.Subject == "" || c.Kind == "" || c.Kind == Promise && c.Due.IsZero() || c.Kind != Promise && c.Kind != Fact && !c.Due.IsZero() {
				t.Fatalf("%q: incomplete candidate %+v", said, c)
			}
		}
	})
}
