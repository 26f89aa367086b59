package main

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"toolkit/internal/capture/notice"
	"toolkit/internal/search"
	_ "toolkit/internal/storetest" // each person's new database is a copy
	"toolkit/internal/testenv"
)

// The sets of this folder judge. Their authors saw neither the code nor the lines that
// train.
const (
	heldOutLines     = "held-out/q"  // utterances, prompts, and plain prompts of work
	heldOutFacts     = "held-out/r"  // pairs, notes, each with prompts, and streams
	heldOutLast      = "held-out/s"  // turns, pairs, notes and plain prompts, of one more author
	heldOutNotes     = "held-out/ac" // the same, of another one
	heldOutSessions  = "held-out/lb" // questions for an earlier session, and others near to such
	heldOutChanges   = "held-out/ah" // what was stated of matters over months, and what became untrue
	heldOutOverviews = "held-out/ob" // questions for all that is known of a matter, and others near to such
)

// readHeldOut reads a set and the heads in the program.
func readHeldOut(t *testing.T, folder string) (*set, *notice.Heads) {
	t.Helper()
	s, err := readSet(t.Context(), folder)
	if err != nil {
		t.Fatal(err)
	}
	heads, err := readHeads(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return s, heads
}

func TestLinesOfAStrangerAreNoticed(t *testing.T) {
	s, heads := readHeldOut(t, heldOutLines)
	texts, prompts := s.scoreLines(heads), s.scorePrompts(heads)
	at90, _ := measureRecall(texts, thresholdForPrecision(texts, 0.90))
	sure, surePrecise := measureRecall(texts, heads.MinBriefedScore)
	likely, likelyPrecise := measureRecall(texts, heads.MinStoredScore)
	answered, _ := measureRecall(prompts, heads.MinPersonalScore)
	silent, _ := measureRecall(invertScores(prompts), -heads.MinPersonalScore)
	t.Logf("at precision .90 %.2f; sure %.2f at %.2f, likely %.2f at %.2f; prompts answered %.2f, silent %.2f", at90, sure, surePrecise, likely, likelyPrecise, answered, silent)
	if at90 < 0.75 || likely < 0.75 || surePrecise < 0.90 || answered < 0.80 || silent < 0.85 {
		t.Error("fewer than wanted")
	}
	noticed := map[string][]scored{}
	for _, one := range texts {
		noticed[one.line.Lang] = append(noticed[one.line.Lang], one)
	}
	english, _ := measureRecall(noticed["en"], heads.MinStoredScore)
	for _, language := range []string{"de", "fr", "es"} {
		recall, _ := measureRecall(noticed[language], heads.MinStoredScore)
		t.Logf("%s: %.2f, English %.2f", language, recall, english)
		if recall < 0.6*english {
			t.Errorf("%s: %.2f of what is worth it, and English %.2f", language, recall, english)
		}
	}
}

// Of 100 plain prompts of work few concern what is remembered. Five are aimed at; the
// bound is what was measured, a little above.
func TestPlainPromptsOfWorkAreLeftInSilence(t *testing.T) {
	told, all := 0, 0
	err := readJSONLines(filepath.Join(heldOutLines, "plain.jsonl"), func(p prompt) {
		read, err := notice.AnalyzePrompt(t.Context(), p.Text, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		all++
		if read.IsPersonal {
			told++
			t.Log(p.Text)
		}
	})
	if err != nil || all == 0 {
		t.Fatal(all, err)
	}
	if told > 20*all/100 {
		t.Errorf("%d of %d plain prompts concern the own world", told, all)
	}
}

// Statements are said to the program days apart, and prompts asked a week later. The
// bounds are what was measured, a little below; .80 of what changed and .65 of the notes
// are aimed at.
func TestWhatHoldsNowIsToldBesidePrompts(t *testing.T) {
	for folder, least := range map[string]struct{ changed, stands, notes, silent int }{ // of 100
		heldOutFacts: {68, 78, 65, 85},
		heldOutLast:  {82, 80, 90, 85},
		heldOutNotes: {74, 80, 90, 85},
	} {
		if folder != heldOutNotes && !testenv.Full() {
			continue
		}
		r, err := runAllPrompts(t.Context(), folder, false)
		if err != nil {
			t.Fatal(err)
		}
		replacing := 0
		for _, count := range r.changed {
			replacing += count
		}
		if 100*r.changed[toldRight] < replacing*least.changed || 100*r.stands < r.adding*least.stands || 100*r.needed < r.notes*least.notes || 100*r.silent < r.others*least.silent {
			t.Errorf("%s: fewer than before", folder)
		}
		if folder == heldOutNotes && 100*r.needless > 5*r.plain {
			t.Errorf("%d of %d plain prompts of work are told something", r.needless, r.plain)
		}
		t.Logf("%s: changed: %v of %d; adding %d of %d; notes %d of %d; silent %d of %d; plain prompts told something %d of %d", folder, r.changed, replacing, r.stands, r.adding, r.needed, r.notes, r.silent, r.others, r.needless, r.plain)
	}
}

func TestMemorableLinesOfAWeekAreAmongTheSurest(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(heldOutFacts, "stream-*.jsonl"))
	if err != nil || len(paths) != 3 {
		t.Fatalf("%d streams, %v", len(paths), err)
	}
	for _, path := range paths {
		list, err := scoreStream(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		among := 0
		for _, s := range sortByScore(list)[:15] {
			if s.label {
				among++
			}
		}
		sure, kept := countAbove(list, notice.MinBriefedScore())
		t.Logf("%s: %d of ten among the 15 surest; %d of %d sure ones right", filepath.Base(path), among, sure, kept)
		if among < 8 {
			t.Error("fewer than wanted")
		}
	}
}

func TestQuestionsForAWholeAreKnown(t *testing.T) {
	for kind, folder := range map[string]string{sessionQuestions: heldOutSessions, overviewQuestions: heldOutOverviews} {
		s, heads := readHeldOut(t, folder)
		c := s.countSummaryQuestions(heads, kind)
		t.Logf("%s: %s", kind, c)
		if c.asking == 0 || float64(c.found) < 0.8*float64(c.asking) || float64(c.wrong) > 0.1*float64(c.others) {
			t.Errorf("%s: fewer than wanted", kind)
		}
	}
}

// Of what was stated of one matter over months, one pair in twenty-seven is a change: what calls
// four of five such marks wrong would be worse than silence.
func TestWhatBecameUntrueIsToldFromWhatStandsBesideIt(t *testing.T) {
	s, heads := readHeldOut(t, heldOutChanges)
	list := s.scoreChanges(heads)
	found, precision := measureRecall(list, search.MinChangeScore)
	t.Logf("%d pairs, area %.3f; from %.2f %.2f found at precision %.2f", len(list), areaUnderCurve(list), search.MinChangeScore, found, precision)
	if len(list) == 0 || areaUnderCurve(list) < 0.9 || found < 0.5 || precision < 0.4 {
		t.Error("fewer than wanted")
	}
	c, err := countChanges(t.Context(), heldOutChanges)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("told as earlier: %d, right %d, of %d that are untrue", c.marked, c.right, c.untrue)
	if 2*c.right < c.marked || 5*c.right < 2*c.untrue {
		t.Error("fewer are told as earlier than wanted, or more of what still holds")
	}
}

// changeCount counts which statements of projects are found untrue, and which are so.
type changeCount struct{ right, marked, untrue int }

// countChanges finds what became untrue of the statements of each project of a folder.
func countChanges(ctx context.Context, folder string) (c changeCount, err error) {
	var projects []project
	if err := readJSONLines(filepath.Join(folder, "projects.jsonl"), func(p project) { projects = append(projects, p) }); err != nil {
		return c, err
	}
	for _, p := range projects {
		list, all := make([]search.Statement, len(p.Statements)), make([]*search.Statement, len(p.Statements))
		isUntrue := map[string]bool{}
		for i, s := range p.Statements {
			list[i], all[i] = search.Statement{Text: s.Text, At: time.Unix(int64(i), 0)}, &list[i]
			for _, earlier := range s.Replaces {
				isUntrue[p.Statements[earlier].Text] = true
				c.untrue++
			}
		}
		if err := search.EmbedStatements(ctx, all); err != nil {
			return c, err
		}
		for earlier := range search.FindChanges(list, search.MinChangeScore) {
			c.marked++
			if isUntrue[list[earlier].Text] {
				c.right++
			}
		}
	}
	return c, nil
}
