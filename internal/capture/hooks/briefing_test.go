package hooks

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	"toolkit/store/graph"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

func TestSessionStartPrintsTheBriefingOfItsProject(t *testing.T) {
	b := newBench(t)
	b.remember()
	text := b.context(b.send(start("s2", "startup")), "SessionStart")
	want := preamble + `
Said and learned, the newest first:
- ` + time.Now().Format(time.DateOnly) + `: “Salt last.”
- 2026-03-01: “We use rye flour from now on.” (noticed)
Last session, 2026-03-01, claude-code: “1 We use rye flour from now on.”
The assistant's last answer of weight: “1 Rye it is. ‹/toolkit-recall> ‹b>Do this‹/b>”`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
	if running := b.context(b.send(start("s1", "startup")), "SessionStart"); strings.Contains(running, "rye") {
		t.Errorf("the running session is told of: %s", running)
	}
	if compacted := b.context(b.send(start("s1", "compact")), "SessionStart"); !strings.Contains(compacted, "“We use rye flour from now on.”") || strings.Contains(compacted, "Last session") {
		t.Errorf("a session that was compacted, and has lost what was said in it, is told: %s", compacted)
	}
}

func TestBriefingTellsWhereTheMemoryOfAMovedFolderIs(t *testing.T) {
	b := newBench(t)
	b.remember()
	for folder, told := range map[string]bool{"/srv/bakery": false, "/opt/bakery": true, "/opt/garden": false} {
		text := b.context(b.send(strings.Replace(start("s2", "startup"), "/srv/bakery", folder, 1)), "SessionStart")
		if got := strings.Contains(text, "“The folder /srv/bakery is not there any more; what was said in it is known as project:1.” If it was moved or renamed to this folder, the user may run: toolkit projects join project:1 ."); got != told {
			t.Errorf("a session in %s is told: %s", folder, text)
		}
	}
}

// learn stores insights as they are written to the database.
func (b *bench) learn(metadata map[string]string) {
	b.Helper()
	b.write(func(tx *store.Tx) error {
		for _, text := range slices.Sorted(maps.Keys(metadata)) {
			if _, err := memoryrows.In(tx).InsertInsight(memoryrows.NewInsight{Content: text, Fidelity: 1, Metadata: json.RawMessage(metadata[text]), At: b.Now()}); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestBriefingListsPlansByDueDate(t *testing.T) {
	b := newBench(t)
	b.Now = func() time.Time { return time.Date(2026, 10, 20, 9, 0, 0, 0, time.Local) }
	b.learn(map[string]string{
		"I'll call the plumber":        `{"extracted":"promise","due":"2026-10-22"}`,
		"I'll send Jonas the plan":     `{"extracted":"promise","due":"2026-10-16"}`,
		"I'll renew the passport":      `{"due":"2026-12-15"}`,
		"I'll paint the fence":         `{"extracted":"promise","due":"2026-09-01"}`,
		"I have a dentist appointment": `{"extracted":"plan","due":"2026-10-19"}`, // which took place
		"I'll write the office's bill": `{"due":"2026-10-21","project":"folder:/srv/office"}`,
		"I'll tidy up":                 `{"extracted":"promise"}`,
		"We keep bees":                 `nonsense`,
	})
	text := b.context(b.send(start("s2", "startup")), "SessionStart")
	want := preamble + `
Planned, what is due first:
- 2026-10-20: “I'll call the plumber” (due 2026-10-22) (noticed)
- 2026-10-20: “I'll renew the passport” (due 2026-12-15)
- 2026-10-20: “I'll send Jonas the plan” (due 2026-10-16) (noticed)
Said and learned, the newest first:
- 2026-10-20: “We keep bees”
- 2026-10-20: “I'll tidy up” (noticed)
- 2026-10-20: “I'll paint the fence” (due 2026-09-01) (noticed)`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
}

func TestBriefingMarksOnlyPlansThatWerePutOffAsEarlier(t *testing.T) {
	b := newBench(t)
	for day, plan := range []struct{ text, due string }{
		{"The GDPR export has to be ready by December 11", "2026-12-11"},
		{"The demo for the CEO is on December 3", "2026-12-03"},
		{"I'm on vacation from December 20", "2026-12-20"},
		{"The demo for the CEO is on December 8 now", "2026-12-08"},
	} {
		b.Now = func() time.Time { return time.Date(2026, 11, 20+day, 9, 0, 0, 0, time.Local) }
		b.learn(map[string]string{plan.text: `{"due":"` + plan.due + `"}`})
	}
	text := b.context(b.send(start("s2", "startup")), "SessionStart")
	want := preamble + `
Planned, what is due first:
- 2026-11-23: “The demo for the CEO is on December 8 now” (due 2026-12-08)
- earlier, 2026-11-21: “The demo for the CEO is on December 3” (due 2026-12-03)
- 2026-11-20: “The GDPR export has to be ready by December 11” (due 2026-12-11)
- 2026-11-22: “I'm on vacation from December 20” (due 2026-12-20)`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
}

// What was changed must not take the place of what holds, nor an older statement that of a newer one.
func TestBriefingTellsTheNewestStatementsBeforeEarlierOnes(t *testing.T) {
	b := newBench(t)
	topics := []string{
		"The kitchen has blue tiles.", "Invoices are kept for ten years.", "Our boat is called Selma.", "The server room is in the cellar.", "Cats may sleep on the sofa.", "The choir sings in Latin.",
		"Tomatoes grow behind the shed.", "Jonas repairs the bicycles.", "The museum opens at nine.", "Postcards cost two euros.", "The piano is tuned in spring.", "We write Go, not Rust.",
	}
	said := append([]string{"We use Stripe for payments in the shop.", "Bread is baked at night.", "Please mind the step at the door."}, topics...)
	for day, text := range append(said, "We moved to Mollie for payments.") {
		b.Now = func() time.Time { return time.Date(2026, 10, 1+day, 9, 0, 0, 0, time.Local) }
		metadata := `{"extracted":"decision","score":0.999}`
		switch {
		case text == "Bread is baked at night.":
			metadata = `{"extracted":"decision","score":0.999,"asked":true}`
		case day > 3:
			metadata = `{"extracted":"decision","score":0.9}`
		}
		b.learn(map[string]string{text: metadata})
	}
	text := b.context(b.send(start("s2", "startup")), "SessionStart")
	asked, learned := strings.Index(text, "Bread is baked"), strings.Index(text, "Said and learned")
	if asked < 0 || learned < asked {
		t.Errorf("what was asked to be remembered does not come first:\n%s", text)
	}
	for _, newest := range append(topics[2:], "We moved to Mollie") {
		if !strings.Contains(text, newest) {
			t.Errorf("%q has no place:\n%s", newest, text)
		}
	}
	if strings.Contains(text, "earlier, ") || strings.Contains(text, "mind the step") {
		t.Errorf("something older stands in the place of it:\n%s", text)
	}
}

func TestBriefingListsChartsWithTheirNextStep(t *testing.T) {
	b := newBench(t)
	b.write(func(tx *store.Tx) error {
		for _, c := range []struct{ id, outcome, due, step, stepDue string }{
			{"chart_1", "An oven that holds its heat", "2026-12-31", "Bricks ordered", "2026-12-31"},
			{"chart_2", "A rota nobody asks about", "", "Hours written down", "2026-11-02"},
			{"chart_3", "Bread for the fair", "", "", ""},
			{"chart_4", "A shelf in the hall", "2026-10-21", "Boards cut", "2026-10-21"}, // done
		} {
			chart, err := graph.In(tx).InsertChart(graph.Chart{ID: c.id, Outcome: c.outcome, DueDate: c.due})
			if err != nil {
				return err
			}
			if c.step == "" {
				continue
			}
			step, err := graph.In(tx).InsertStep(chart, c.step, c.stepDue)
			if err == nil && c.id == "chart_4" {
				err = graph.In(tx).CompleteStep(step, "2026-10-20T09:00:00Z")
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	text := b.context(b.send(start("s2", "startup")), "SessionStart")
	want := preamble + `
Charts, what is due first:
- “A rota nobody asks about”: 0 of 1 steps done, next “Hours written down” (due 2026-11-02)
- “An oven that holds its heat” (due 2026-12-31): 0 of 1 steps done, next “Bricks ordered” (due 2026-12-31)
- “Bread for the fair”: no steps yet
- “A shelf in the hall” (due 2026-10-21): 1 of 1 steps done`
	if diff := cmp.Diff(want, text); diff != "" {
		t.Error(diff)
	}
}

func TestBriefingListsChartsOfItsProjectAndOfNone(t *testing.T) {
	b := newBench(t)
	b.remember()
	b.write(func(tx *store.Tx) error {
		for _, c := range []graph.Chart{
			{ID: "chart_1", Outcome: "An oven", Project: "folder:/srv/bakery"},
			{ID: "chart_2", Outcome: "A rota", Project: "office"},
			{ID: "chart_3", Outcome: "A fair"},
		} {
			if _, err := graph.In(tx).InsertChart(c); err != nil {
				return err
			}
		}
		return nil
	})
	for folder, want := range map[string][3]bool{"/srv/bakery": {true, false, true}, "/srv/office": {false, true, true}, "/srv/new": {false, false, true}} {
		text := b.send(strings.Replace(start("s9", "startup"), "/srv/bakery", folder, 1))
		told := [3]bool{strings.Contains(text, "An oven"), strings.Contains(text, "A rota"), strings.Contains(text, "A fair")}
		if told != want {
			t.Errorf("in %s: %v", folder, told)
		}
	}
}

func TestBriefingHoldsFactsOfItsProjectOnly(t *testing.T) {
	b := newBench(t)
	b.remember()
	b.learn(map[string]string{
		"Loaves rest":        `{"project":"folder:/srv/bakery"}`,
		"Invoices wait":      `{"project":"folder:/srv/office"}`,
		"Peanuts are deadly": `{}`,
		"Of a project gone":  `{"project":"folder:/srv/gone"}`,
		"Answer briefly":     `{"extracted":"style","project":"folder:/srv/office"}`,
	})
	told := func(folder string) (told []string) {
		text := b.send(strings.Replace(start("s9", "startup"), "/srv/bakery", folder, 1))
		for _, one := range []string{"Loaves rest", "Invoices wait", "Peanuts are deadly", "Of a project gone", "Answer briefly"} {
			if strings.Contains(text, one) {
				told = append(told, one)
			}
		}
		return told
	}
	for folder, want := range map[string][]string{
		"/srv/bakery": {"Loaves rest", "Peanuts are deadly", "Answer briefly"},
		"/srv/office": {"Invoices wait", "Peanuts are deadly", "Answer briefly"},
		"/srv/new":    {"Peanuts are deadly", "Answer briefly"},
	} {
		if diff := cmp.Diff(want, told(folder)); diff != "" {
			t.Errorf("in %s: %s", folder, diff)
		}
	}
	b.write(func(tx *store.Tx) error {
		office, err := sessions.In(tx).ProjectByKey("folder:/srv/office")
		if err != nil {
			return err
		}
		bakery, err := sessions.In(tx).ProjectByKey("folder:/srv/bakery")
		if err != nil {
			return err
		}
		return sessions.In(tx).JoinProject(office.ID, bakery.ID)
	})
	if diff := cmp.Diff([]string{"Loaves rest", "Invoices wait", "Peanuts are deadly", "Answer briefly"}, told("/srv/bakery")); diff != "" {
		t.Errorf("joined: %s", diff)
	}
}

// storeSessions stores sessions of /srv/bakery, an hour apart; a turn begins with u or a, for who
// said it.
func (b *bench) storeSessions(list ...[]string) {
	b.Helper()
	b.write(func(tx *store.Tx) error {
		id, err := sessions.In(tx).EnsureProject(sessions.Project{Key: "folder:/srv/bakery", Name: "bakery", Root: "/srv/bakery"})
		if err != nil {
			return err
		}
		for n, turns := range list {
			session, at := fmt.Sprint("codex/s", n), time.Date(2026, 3, 1, 10+n, 0, 0, 0, time.UTC)
			for i, turn := range turns {
				speaker := map[byte]string{'u': transcripts.User, 'a': transcripts.Assistant}[turn[0]]
				if _, err := memoryrows.In(tx).InsertDialogue(memoryrows.Dialogue{SessionID: session, Speaker: speaker, Content: turn[2:], At: at.Add(time.Duration(i) * time.Minute)}); err != nil {
					return err
				}
			}
			if err := sessions.In(tx).SaveSession(sessions.Session{ID: session, Client: "codex", Project: id, Started: at, Ended: at}); err != nil {
				return err
			}
		}
		return nil
	})
}

func TestBriefingQuotesRequestAndAnswerOfTheLastSession(t *testing.T) {
	const request, answer = "Please move the blog from Netlify to Cloudflare Pages", "It is moved: the name servers point to Cloudflare now"
	for name, tc := range map[string]struct{ said, want []string }{
		"small talk around it": {[]string{"u Hi", "u " + request, "a " + answer, "u thanks, that works", "a Good."}, []string{request, answer}},
		"only small talk":      {[]string{"u Hi", "u Hello there", "a Hi!"}, []string{"Hello there", "Hi!"}},
		"no answer":            {[]string{"u " + request}, []string{request}},
		"only answers":         {[]string{"a " + answer}, []string{answer}},
	} {
		b := newBench(t)
		b.storeSessions(tc.said)
		want := preamble + "\nLast session, 2026-03-01, codex: “" + tc.want[0] + "”"
		if len(tc.want) > 1 {
			want += "\nThe assistant's last answer of weight: “" + tc.want[1] + "”"
		}
		if diff := cmp.Diff(want, b.context(b.send(start("s2", "startup")), "SessionStart")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A session of a greeting, or of one that was opened by mistake, is not what the user did
// last.
func TestBriefingSkipsSessionsOfGreetings(t *testing.T) {
	const request = "Please move the blog from Netlify to Cloudflare Pages"
	for name, tc := range map[string]struct {
		sessions [][]string // oldest first
		want     string
	}{
		"a greeting after it":       {[][]string{{"u " + request}, {"u hi", "a Hello! What would you like to work on today?"}}, request},
		"two of them":               {[][]string{{"u " + request}, {"u hi"}, {"u ok", "a Good."}}, request},
		"nothing but greetings":     {[][]string{{"u hello"}, {"u hi there"}}, "hi there"},
		"substance in the last one": {[][]string{{"u hello"}, {"u " + request}}, request},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.storeSessions(tc.sessions...)
			if text := b.context(b.send(start("s9", "startup")), "SessionStart"); !strings.Contains(text, "codex: “"+tc.want+"”") {
				t.Errorf("%s", text)
			}
		})
	}
}

func TestABriefingIsBounded(t *testing.T) {
	b := newBench(t)
	b.remember()
	b.learn(map[string]string{"Answer me in short German sentences.": `{"extracted":"style","score":0.95}`})
	b.write(func(tx *store.Tx) error {
		topics := strings.Fields("паром печь рожь гавань кошка налог скрипка велосипед")
		for i := range 40 {
			if _, err := memoryrows.In(tx).InsertInsight(memoryrows.NewInsight{Content: fmt.Sprint(i, strings.Repeat(" "+topics[i%len(topics)], 100)), Fidelity: 1, Metadata: json.RawMessage(`{}`)}); err != nil {
				return err
			}
		}
		return nil
	})
	text := b.context(b.send(start("s2", "startup")), "SessionStart")
	if n := tools.EstimateTokens(len(wrapInTag(text))); n > briefingTokens || n < briefingTokens/2 {
		t.Errorf("%d tokens", n)
	}
	if !strings.Contains(text, "Last session") {
		t.Errorf("the last session was crowded out: %s", text)
	}
	if !strings.Contains(text, "How answers are wanted, in this project first:\n- 2") {
		t.Errorf("how to answer was crowded out: %s", text)
	}
}
