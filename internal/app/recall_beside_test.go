package app

import (
	"strconv"
	"strings"
	"testing"
)

// chatted stores what several people said in one session, in a minute each.
func chatted(t *testing.T, turns ...[2]string) *App {
	t.Helper()
	a := newApp(t)
	for i, turn := range turns {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "chat", "speaker": turn[0], "content": turn[1], "metadata": map[string]any{"date": "2026-02-03T10:" + strconv.Itoa(10+i) + ":00Z"}})
	}
	return a
}

func TestRecallReturnsTheReplyBesideAMatch(t *testing.T) {
	a := chatted(t,
		[2]string{"Dev", "did u hear from the landlord yet"}, [2]string{"Tamsin", "yep, he wants us out by june"},
		[2]string{"Dev", "ugh"}, [2]string{"Tamsin", "the bikes go to my brother's garage"},
		[2]string{"Tamsin", "bibi's soup!!! i dream of it"}, [2]string{"Dev", "leek n potato w loads of nutmeg"},
		[2]string{"Dev", "train at nine then"}, [2]string{"Tamsin", "see you on the platform"},
		[2]string{"Ines", "Quand monsieur Pereira s'en va-t-il"}, [2]string{"Paul", "Le 31 juillet, il part au Portugal."},
	)
	for question, answer := range map[string]string{
		"what did the landlord say": "out by june", "what's in Bibi's soup": "nutmeg", "Quand monsieur Pereira s'en va-t-il ?": "31 juillet",
	} {
		if _, text := recallOf(t, a, map[string]any{"query": question}); !strings.Contains(text, answer) {
			t.Errorf("%q is not told %q: %s", question, answer, text)
		}
	}
	for _, question := range []string{"what is the weather on Mars", "who won the chess championship"} {
		if out, text := recallOf(t, a, map[string]any{"query": question}); len(out.Found) > 0 {
			t.Errorf("%q is answered: %s", question, text)
		}
	}
}

func TestRecallReturnsATurnThatSaysMoreThanItsInsight(t *testing.T) {
	a := chatted(t, [2]string{"Marta", "I moved to Lisbon in May, into the yellow house at the Rua das Flores"}, [2]string{"Ben", "The ferry was late"})
	callTool(t, a, "compress_to_l2_insight", map[string]any{"content": "Marta moved to Lisbon", "source_ids": []int{1}})
	if out, text := recallOf(t, a, map[string]any{"query": "what colour is the house that Marta moved to in Lisbon"}); len(out.Found) == 0 || !strings.Contains(text, "yellow house") {
		t.Errorf("what the turn says is hidden behind the insight: %s", text)
	}
	if _, text := recallOf(t, a, map[string]any{"query": "Marta moved to Lisbon"}); strings.Contains(text, "yellow house") {
		t.Errorf("a turn that adds nothing to its insight is told beside it: %s", text)
	}
}

func TestRecallMarksTheNearestOfOtherWordsAsPoor(t *testing.T) {
	a := chatted(t,
		[2]string{"user", "uPlot draws the charts now"}, [2]string{"assistant", "A small plugin places boxes next to the nearest point."},
		[2]string{"user", "The boxes of the removal stand in the hall"}, [2]string{"assistant", "Noted."},
		[2]string{"user", "Two boxes are labelled kitchen"}, [2]string{"assistant", "Noted."},
	)
	out, text := recallOf(t, a, map[string]any{"query": "How did we get hover boxes back on the graphs?"})
	if len(out.Found) == 0 || !out.NothingFits || !strings.Contains(text, "uPlot") && !strings.Contains(text, "plugin") {
		t.Errorf("a question with one of the words is told nothing, or as if it fitted: %s", text)
	}
	if out, text := recallOf(t, a, map[string]any{"query": "hovercraft boxes zeppelin"}); len(out.Found) > 0 {
		t.Errorf("words that are looked for are answered by one of them: %s", text)
	}
}
