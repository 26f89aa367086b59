package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/tools/engines/notice"
	"toolkit/tools/engines/topics"
)

// The sets of this folder judge. Their author saw neither the code nor the lines that
// train. The bounds here are what was last measured, a little below.
const heldOut = "held-out/h"

func TestLinesOfAStrangerAreNoticed(t *testing.T) {
	s, heads := heldOutSet(t)
	texts, prompts := s.scoreWith(&heads.Lasting, &heads.Own)
	sure, precise := recallAt(texts, heads.Sure)
	likely, _ := recallAt(texts, heads.Likely)
	answered, _ := recallAt(prompts, heads.OwnFloor)
	silent, _ := recallAt(inverted(prompts), -heads.OwnFloor)
	t.Logf("sure %.2f at precision %.2f, likely %.2f; prompts answered %.2f, silent %.2f", sure, precise, likely, answered, silent)
	if sure < 0.75 || precise < 0.85 || likely < 0.80 || answered < 0.80 || silent < 0.90 {
		t.Error("fewer than before")
	}
	noticed := map[string][]scored{}
	for _, one := range texts {
		noticed[one.line.Lang] = append(noticed[one.line.Lang], one)
	}
	english, _ := recallAt(noticed["en"], heads.Likely)
	for _, language := range []string{"de", "fr", "es"} {
		if recall, _ := recallAt(noticed[language], heads.Likely); recall < 0.6*english {
			t.Errorf("%s: %.2f of what is worth it, and English %.2f", language, recall, english)
		}
	}
}

func heldOutSet(t *testing.T) (*set, *notice.Heads) {
	t.Helper()
	s, err := readSet(t.Context(), heldOut)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join("..", "..", headsPath))
	if err != nil {
		t.Fatal(err)
	}
	var heads notice.Heads
	if err := json.Unmarshal(text, &heads); err != nil {
		t.Fatal(err)
	}
	return s, &heads
}

// A statement that replaces another stands before it, and no other does: each pair is
// grouped among the older statements of twelve others.
func TestChangedFactsStandTogetherInTheOrderOfTime(t *testing.T) {
	type pair struct{ Old, New, Relation string }
	var pairs []pair
	if err := eachLine(filepath.Join(heldOut, "changes.jsonl"), func(p pair) { pairs = append(pairs, p) }); err != nil {
		t.Fatal(err)
	}
	statements := make([]topics.Statement, 0, 2*len(pairs))
	for _, p := range pairs {
		statements = append(statements, topics.Statement{Text: p.Old}, topics.Statement{Text: p.New})
	}
	embedAll(t, statements)
	const beside = 12
	right, replacing, apart, adding, misplaced := 0, 0, 0, 0, 0
	for i, p := range pairs {
		list := []topics.Statement{statements[2*i], statements[2*i+1]}
		list[0].At, list[1].At = time.Unix(1, 0), time.Unix(1000, 0)
		for k := 1; k <= beside; k++ {
			other := statements[2*((i+k*7)%len(pairs))]
			other.At = time.Unix(int64(1+k), 0)
			list = append(list, other)
		}
		together := false
		for _, topic := range topics.Group(list) {
			if topic[0].Text != p.New {
				continue
			}
			for _, earlier := range topic[1:] {
				together = together || earlier.Text == p.Old
				if earlier.Text != p.Old {
					misplaced++
				}
			}
		}
		switch p.Relation {
		case "replaces":
			replacing++
			if together {
				right++
			}
		case "adds":
			adding++
			if !together {
				apart++
			}
		}
	}
	t.Logf("%d of %d that replace stand before what they replace; %d of %d that add stand apart; %d others stand under a new statement, of %d", right, replacing, apart, adding, misplaced, beside*len(pairs))
	if float64(right) < 0.5*float64(replacing) || misplaced > beside*len(pairs)/25 {
		t.Error("fewer than before")
	}
}

// A note is among the three nearest of eight to a prompt that shares no word with it, and
// such prompts are taken for ones about the person's own world.
func TestPromptsInOtherWordsFindTheirNote(t *testing.T) {
	type pair struct{ Note, Prompt string }
	var pairs []pair
	if err := eachLine(filepath.Join(heldOut, "paraphrases.jsonl"), func(p pair) { pairs = append(pairs, p) }); err != nil {
		t.Fatal(err)
	}
	notes := make([]topics.Statement, len(pairs))
	for i, p := range pairs {
		notes[i].Text = p.Note
	}
	embedAll(t, notes)
	found, answered := 0, 0
	for i, p := range pairs {
		read, err := notice.ReadPrompt(t.Context(), p.Prompt)
		if err != nil {
			t.Fatal(err)
		}
		nearer := 0
		for k := 1; k < 8; k++ {
			if embed.Dot(notes[(i+k)%len(pairs)].Vector, read.Vector) > embed.Dot(notes[i].Vector, read.Vector) {
				nearer++
			}
		}
		if nearer < 3 {
			found++
			if read.Enough {
				answered++
			}
		}
	}
	t.Logf("of %d prompts %d have their note among the three nearest, and %d are told it", len(pairs), found, answered)
	if float64(answered) < 0.55*float64(len(pairs)) {
		t.Error("fewer than before")
	}
}

func TestMemorableLinesOfAWeekAreAmongTheSurest(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(heldOut, "stream-*.jsonl"))
	if err != nil || len(paths) != 2 {
		t.Fatalf("%d streams, %v", len(paths), err)
	}
	for _, path := range paths {
		list, err := scoreStream(context.Background(), path)
		if err != nil {
			t.Fatal(err)
		}
		among := 0
		for _, s := range best(list)[:15] {
			if s.label {
				among++
			}
		}
		sure, kept := countAbove(list, notice.Sure())
		t.Logf("%s: %d of ten among the 15 surest; %d of %d sure ones right", filepath.Base(path), among, sure, kept)
		if among < 7 {
			t.Error("fewer than before")
		}
	}
}

func embedAll(t *testing.T, list []topics.Statement) {
	t.Helper()
	pointers := make([]*topics.Statement, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	if err := topics.Embed(t.Context(), pointers); err != nil {
		t.Fatal(err)
	}
}
