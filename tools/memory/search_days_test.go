package memory

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/memories"
)

// saidOn stores a turn that was said on a day.
func (b *bench) saidOn(day, session, content string) int64 {
	b.T.Helper()
	return b.id(dialogueName, args{"session_id": session, "speaker": "Anna", "content": content, "metadata": args{"date": day}})
}

func askedOn(day string) func(*Query) {
	return func(q *Query) { q.Asked, _ = time.Parse(time.DateOnly, day) }
}

func TestATurnThatSpeaksOfADayComesBeforeOneThatWasSaidOnIt(t *testing.T) {
	b := newSearchBench(t)
	for i, day := range []string{"2023-03-01", "2023-03-08", "2023-03-15", "2023-04-03", "2023-04-12"} {
		b.saidOn(day, "other "+string(rune('a'+i)), "Our trip was long, and nobody slept.")
	}
	speaks := b.saidOn("2023-05-08", "s1", "The trip last Friday was long, we saw two lakes.")
	on := b.saidOn("2023-05-05", "s2", "The trip was long, and we saw two lakes there.")
	for name, look := range map[string]struct {
		question string
		asked    string
	}{
		"the date":              {"Which trip was on 5 May 2023?", "2024-01-01"},
		"counted from today":    {"Which trip was last Friday?", "2023-05-10"},
		"counted, in two words": {"What trip was five days ago?", "2023-05-10"},
	} {
		found := ids(b.look(look.question, in(memories.SourceDialogue), askedOn(look.asked)))
		if len(found) < 2 || found[0] != speaks || found[1] != on {
			t.Errorf("%s: found %v, wanted %d and %d first", name, found, speaks, on)
		}
	}
	b.sound()
}

func TestQuestionsInOtherLanguagesFindOtherFormsOfAWord(t *testing.T) {
	b := newSearchBench(t)
	for _, text := range []string{"Il ne se passe rien de nouveau chez nous.", "No pasa nada nuevo en la casa de mi hermano."} {
		b.say("noise", "Anna", text)
	}
	for _, turn := range []struct{ said, question string }{
		{"Nous avons mangé dans un restaurant avec les voisins, et les réunions étaient longues.", "Où mangeaient-ils avec la reunion ?"},
		{"Las canciones que cantábamos en el coche eran de mi abuela.", "¿Qué canción cantaba con la abuela?"},
	} {
		want := b.say(turn.said, "Anna", turn.said)
		found := b.look(turn.question, in(memories.SourceDialogue))
		if len(found.Hits) == 0 || found.Hits[0].Row.ID != want || len(found.Hits[0].MatchedTerms) < 2 {
			t.Errorf("%q finds %+v", turn.question, found.Hits)
		}
	}
}

// A database of an earlier version is no contradiction, stays found, and a rebuild
// brings it up.
func TestRowsOfAnEarlierVersionAreFoundAndCounted(t *testing.T) {
	b := newSearchBench(t)
	id := b.saidOn("2023-05-08", "s1", "The trip last Friday was long.")
	err := b.Store.Write(context.Background(), func(tx *store.Tx) error {
		rows := memories.In(tx)
		if err := rows.ClearWords(memories.SourceDialogue); err != nil {
			return err
		}
		list, err := rows.IndexedAfter(memories.SourceDialogue, 0, 10)
		if err != nil {
			return err
		}
		for _, m := range list {
			m.Day = strings.Join(language.DateTerms(time.UnixMilli(m.Created).UTC()), " ")
			if err := rows.Reindex(m, len(strings.Fields(m.Terms))); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := b.sound(); r.Earlier != 1 {
		t.Errorf("%d rows of an earlier version", r.Earlier)
	}
	if found := ids(b.look("long trip", in(memories.SourceDialogue))); !slices.Equal(found, []int64{id}) {
		t.Errorf("found %v", found)
	}
	if _, err := b.real().Rebuild(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if r := b.sound(); r.Earlier != 0 {
		t.Errorf("%d rows stay as an earlier version left them", r.Earlier)
	}
}

// "Today" is the day of who says it.
func TestTheDayOfATurnIsThatOfItsOwnOffset(t *testing.T) {
	b := newSearchBench(t)
	for i, day := range []string{"2026-08-13", "2026-08-14", "2026-05-02", "2026-05-03"} {
		b.saidOn(day, "other "+string(rune('a'+i)), "The parrot was loud.")
	}
	eclipse := b.saidOn("2026-08-12T20:00:00-07:00", "s1", "I saw the eclipse today")
	mango := b.saidOn("2026-05-01T23:30:00-05:00", "s2", "Ate a mango")
	check := func() {
		t.Helper()
		for question, want := range map[string]int64{"12 August 2026": eclipse, "on May 1st": mango} {
			if found := b.look(question, in(memories.SourceDialogue), askedOn("2026-11-23")); len(found.Hits) == 0 || found.Hits[0].Row.ID != want || found.Hits[0].Relevance < 1 {
				t.Errorf("%q finds %+v", question, found.Hits)
			}
		}
		for question, wrong := range map[string]int64{"13 August 2026": eclipse, "on May 2nd": mango} {
			if found := b.look(question, in(memories.SourceDialogue), askedOn("2026-11-23")); found.Hits[0].Row.ID == wrong {
				t.Errorf("%q finds %+v", question, found.Hits[0])
			}
		}
	}
	check()
	b.sound()
	if _, err := b.real().Rebuild(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	check()
}

func TestTheFirstInstantIsABoundLikeAnyOther(t *testing.T) {
	b := newSearchBench(t)
	b.saidOn("2026-05-01", "s1", "Ate a mango")
	for after, want := range map[string]int{"0001-01-01": 0, "2026-05-02": 1} {
		r := b.Accepted(hybridName, args{"query_text": "mango", "source_types": []string{"l0"}, "created_before": after})
		if got := strings.Count(string(r.Data), `"source_type"`); got != want {
			t.Errorf("before %s there are %d rows, want %d", after, got, want)
		}
	}
}

// A word that stands in every row tells them from none, and yet each says it.
func TestWhatEveryRowSaysFits(t *testing.T) {
	b := newSearchBench(t)
	b.insights(50, "The deploy failed again")
	if best := b.look("deploy failed").best(); best.Relevance < 1 {
		t.Errorf("relevance %v", best.Relevance)
	}
}

// What is imported late or in another order is found as if it had been there before.
func TestTheOrderOfArrivalChangesNothing(t *testing.T) {
	turns := []string{"We rehearse every week", "The choir sings on Sunday", "Where do we meet for the concert?", "At the fountain", "Bring water", "See you"}
	var first []string
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5}, {3, 0, 5, 2, 4, 1}, {5, 4, 3, 2, 1, 0}} {
		b := newSearchBench(t)
		for _, i := range order {
			b.saidOn("2026-05-01T10:0"+string(rune('0'+i))+":00Z", "choir", turns[i])
			b.saidOn("2026-05-02T10:0"+string(rune('0'+i))+":00Z", "other", "Nothing about "+turns[i])
		}
		var found []string
		for _, question := range []string{"Where do we meet for the concert?", "rehearse", "water at the fountain"} {
			for _, hit := range b.look(question, in(memories.SourceDialogue)).Hits {
				found = append(found, hit.Row.Content)
			}
		}
		if first == nil {
			first = found
		}
		if !slices.Equal(found, first) || !slices.Contains(found[:5], "At the fountain") {
			t.Errorf("stored in the order %v, it finds %q, else %q", order, found, first)
		}
	}
}
