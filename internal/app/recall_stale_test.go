package app

import (
	"fmt"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/tools/recall"
)

// toldBeside is what is put beside a prompt in the project of a folder, where a session has insights with some
// words in view.
func toldBeside(t *testing.T, a *App, prompt string, inView ...string) string {
	t.Helper()
	shown := map[string]bool{}
	storetest.Read(t, a.Store, func(tx *store.Tx) error {
		list, err := memoryrows.In(tx).Insights(memoryrows.InsightFilter{Limit: 100})
		for _, i := range list {
			for _, words := range inView {
				if strings.Contains(i.Content, words) {
					shown[recall.Fingerprint(fmt.Sprint("insight:", i.ID))] = true
				}
			}
		}
		return err
	})
	if len(shown) < len(inView) {
		t.Fatalf("%q are no insights", inView)
	}
	ask := recall.PromptRequest{Prompt: prompt, Session: "claude-code/now", Project: []string{"folder:/srv/p"}, Shown: func(print string) bool { return shown[print] }}
	return forPrompt(t, a, ask).Text
}

// saidOn are turns of the user on a day, each answered with "Ok.", where none has its own answer behind a bar.
func saidOn(day string, turns ...string) (list [][4]string) {
	for _, turn := range turns {
		text, answer, answered := strings.Cut(turn, " | ")
		if !answered {
			answer = "Ok."
		}
		list = append(list, [4]string{"/srv/p", day, "user", text}, [4]string{"/srv/p", day, "assistant", answer})
	}
	return list
}

var shopFacts = []string{
	"staging lives on box fra-4", "we use css modules, no tailwind", "Sunita is our contact in Nepal", "logs go to loki on box fra-5", "we price in euro only",
	"invoices are sent by Mirela", "images are served as avif", "we test with vitest", "backups run at 3am to hetzner storage box",
}

func TestAnAnswerIsOutdatedWithTheStatementThatItRepeats(t *testing.T) {
	a := heard(t, append(append(saidOn("2026-03-01", "my second supervisor is Dr. Sarti"), saidOn("2026-03-02", "who's my second supervisor? | Sarti.")...),
		saidOn("2026-03-04", "Dr. Sarti had to step down, Dr. Malaguti takes his place")...))
	const prompt = "who is my second supervisor now?"
	told := toldBeside(t, a, prompt)
	if !strings.Contains(told, "Malaguti") || !strings.Contains(told, "earlier, 2026-03-02: “user: who's my second supervisor? assistant: Sarti.”") {
		t.Errorf("the answer is told as if it held: %s", told)
	}
	if told := toldBeside(t, a, prompt, "Malaguti"); told != "" {
		t.Errorf("what is outdated is told beside what is in view: %s", told)
	}
	for _, hit := range recalledIn(t, a, "/srv/p", prompt).Found {
		if strings.Contains(hit.Text, "Sarti.") && !strings.Contains(hit.Note, "earlier; ") {
			t.Errorf("%q has the note %q", hit.Text, hit.Note)
		}
	}
}

func TestWhatWasStatedLaterOnATopicIsToldWithIt(t *testing.T) {
	both := heard(t, append(append(saidOn("2026-03-01", "relatrice prof.ssa Bentivoglio, correlatore Dott. Sarti"), saidOn("2026-03-02", "chi è il mio correlatore? | Sarti.")...),
		saidOn("2026-03-04", "il dottor Sarti non può più, al suo posto la dott.ssa Malaguti")...))
	if told := toldBeside(t, both, "chi è il correlatore adesso?", "Bentivoglio", "Malaguti"); told != "" && !strings.Contains(told, "Malaguti") {
		t.Errorf("an answer stands alone where what was stated later is in view: %s", told)
	}
	for name, tc := range map[string]struct {
		turns         [][4]string
		prompt, later string
	}{
		"in the words of the first": {
			append(saidOn("2026-03-01", "deploy every wednesday evening after 8, thats when nobody buys"),
				saidOn("2026-03-02", append([]string{"actually deploys on wednesday dont work, Jorge's kid has training then. thursday mornings 7am"}, shopFacts...)...)...),
			"when do we push to production now", "deploys on wednesday dont work",
		},
		"of an answer, in Italian": {
			append(append(saidOn("2026-03-01", "relatrice prof.ssa Bentivoglio, correlatore Dott. Sarti"), saidOn("2026-03-02", "chi è il mio correlatore? | Sarti.")...),
				saidOn("2026-03-04", "il dottor Sarti non può più, al suo posto la dott.ssa Malaguti")...),
			"chi è il correlatore adesso?", "Malaguti",
		},
	} {
		t.Run(name, func(t *testing.T) {
			a := heard(t, tc.turns)
			for _, inView := range [][]string{nil, {tc.later}} {
				if told := toldBeside(t, a, tc.prompt, inView...); told != "" && strings.Count(told, tc.later) != 1 {
					t.Errorf("with %q in view %q is not told once: %s", inView, tc.later, told)
				}
			}
			if told := toldBeside(t, a, tc.prompt); told == "" {
				t.Error("nothing is told")
			}
		})
	}
}

func TestAQuestionReplacesNothingAndIsNoNote(t *testing.T) {
	for statement, tc := range map[string][2]string{
		"we go with stripe for payments, no paypal, the fees are killing us": {"is paypal in or out", "do we accept paypal?"},
		"wir liefern nur nach Österreich und nicht in die Schweiz":           {"ist die Schweiz dabei oder nicht", "liefern wir in die Schweiz?"},
		"on accepte paypal et les virements, jamais les chèques":             {"peut-on payer par paypal", "est-ce qu'on accepte paypal ?"},
		"la tesi si consegna in pdf, mai in word":                            {"quando si consegna la tesi in pdf", "la tesi si consegna in word?"},
	} {
		a := heard(t, append(saidOn("2026-03-01", statement), saidOn("2026-03-03", tc[0])...))
		told := toldBeside(t, a, tc[1])
		if !strings.Contains(told, statement) || strings.Contains(told, "earlier, ") || strings.Contains(told, tc[0]) {
			t.Errorf("%q is told %s", tc[1], told)
		}
		for _, hit := range recalledIn(t, a, "/srv/p", tc[1]).Found {
			if strings.Contains(hit.Note, "earlier; ") {
				t.Errorf("%q has the note %q", hit.Text, hit.Note)
			}
		}
	}
}

func TestAnAnswerOfAWordIsToldWithItsQuestionOrNotAtAll(t *testing.T) {
	a := heard(t, append(saidOn("2026-03-01", shopFacts...), saidOn("2026-03-03",
		"wie heißt der steuerberater? | Wiegand.", "wie viele tage hat lena noch ferien? | 17.", "what does error E17 on the dishwasher mean? | Clock or secret.", "darf lena nutella essen | Nein.",
		"was muss ich noch für die steuer machen | Ok.")...))
	for prompt, question := range map[string]string{
		"wiegand": "wie heißt", "which clock was the secret": "error E17", "wie heißt unser steuerberater wiegand": "wie heißt", "darf lena nutella haben": "darf lena nutella essen assistant: Nein.",
	} {
		told := toldBeside(t, a, prompt)
		for _, bare := range []string{"“assistant: ", "nutella essen”", "steuer machen"} {
			if strings.Contains(told, bare) {
				t.Errorf("%q is told %s", prompt, told)
			}
		}
		if told != "" && !strings.Contains(told, question) {
			t.Logf("%q is told %s", prompt, told)
		}
		for _, hit := range recalledIn(t, a, "/srv/p", prompt).Found {
			if strings.HasPrefix(hit.Text, "assistant: ") {
				t.Errorf("%q finds %q", prompt, hit.Text)
			}
		}
	}
}

func TestNothingElseIsToldWhereTheAnswerIsInView(t *testing.T) {
	a := heard(t, append(saidOn("2026-03-01", shopFacts...), saidOn("2026-03-02",
		"our vat number is DE811234567", "who do i ask about vat | Mirela.", "refactor this function ```ts\nfunction vat(n: number) { return n * 0.19 }\n```")...))
	const prompt = "what's our vat number"
	if told := toldBeside(t, a, prompt); !strings.Contains(told, "DE811234567") || strings.Contains(told, "refactor") {
		t.Errorf("told %s", told)
	}
	if told := toldBeside(t, a, prompt, "DE811234567"); told != "" {
		t.Errorf("what is in view answers, and beside it is told %s", told)
	}
}

func TestRecallOmitsWhatHasNoWordOfAQuestionThatIsAnswered(t *testing.T) {
	a := heard(t, append(saidOn("2026-03-01", "free shipping from 39 euro, under that 4.90", "we deploy on thursday mornings at 7am"), saidOn("2026-03-03", shopFacts...)...))
	for _, hit := range recalledIn(t, a, "/srv/p", "when do we deploy?").Found {
		if !strings.Contains(hit.Text, "deploy") && !strings.HasPrefix(hit.Note, "near in meaning") {
			t.Errorf("%q answers %v", hit.Text, hit.Relevance)
		}
	}
}

func TestASessionOfOneStatementIsTheLastOne(t *testing.T) {
	a := heard(t, append(saidOn("2026-03-02", shopFacts...), saidOn("2026-03-04", "actually we deploy on thursday mornings at 7am now, not wednesdays")...))
	if told := toldBeside(t, a, "where did we leave off?"); !strings.Contains(told, "Last session, 2026-03-04") || !strings.Contains(told, "thursday mornings") {
		t.Errorf("told %s", told)
	}
}

func TestAReplyHasQuotationMarksOfItsOwn(t *testing.T) {
	a := heard(t, saidOn("2026-03-01", "the kiln in the cellar trips the fuse again | That is the old heating coil; Aydin sells the spare part in Kassel."))
	told := toldBeside(t, a, "who has a spare part for the kiln in the cellar that trips the fuse?")
	for line := range strings.Lines(told) {
		if _, reply, found := strings.Cut(line, "assistant: "); found && !strings.HasPrefix(reply, "“") && !strings.Contains(line, "“assistant: ") {
			t.Errorf("two speakers in one quotation: %s", line)
		}
	}
	if !strings.Contains(told, "Kassel") {
		t.Errorf("the reply is missing: %s", told)
	}
}
