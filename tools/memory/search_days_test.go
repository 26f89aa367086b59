package memory

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/memory"
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
	b := newBench(t, searchWith(t, embed.BuiltIn()))
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
		found := ids(b.look(look.question, in(memory.SourceDialogue), askedOn(look.asked)))
		if len(found) < 2 || found[0] != speaks || found[1] != on {
			t.Errorf("%s: found %v, wanted %d and %d first", name, found, speaks, on)
		}
	}
	b.sound()
}

func TestQuestionsInOtherLanguagesFindOtherFormsOfAWord(t *testing.T) {
	b := newBench(t)
	for _, text := range []string{"Il ne se passe rien de nouveau chez nous.", "No pasa nada nuevo en la casa de mi hermano."} {
		b.say("noise", "Anna", text)
	}
	for _, turn := range []struct{ said, question string }{
		{"Nous avons mangé dans un restaurant avec les voisins, et les réunions étaient longues.", "Où mangeaient-ils avec la reunion ?"},
		{"Las canciones que cantábamos en el coche eran de mi abuela.", "¿Qué canción cantaba con la abuela?"},
	} {
		want := b.say(turn.said, "Anna", turn.said)
		found := b.look(turn.question, in(memory.SourceDialogue))
		if len(found.Hits) == 0 || found.Hits[0].Row.ID != want || len(found.Hits[0].MatchedTerms) < 2 {
			t.Errorf("%q finds %+v", turn.question, found.Hits)
		}
	}
}

// A database of an earlier version is no contradiction, stays found, and a rebuild
// brings it up.
func TestRowsOfAnEarlierVersionAreFoundAndCounted(t *testing.T) {
	b := newBench(t)
	id := b.saidOn("2023-05-08", "s1", "The trip last Friday was long.")
	storetest.Write(t, b.Store, func(tx *store.Tx) error {
		rows := memory.In(tx)
		if err := rows.ResetWordIndex(memory.SourceDialogue); err != nil {
			return err
		}
		list, err := rows.IndexedAfter(memory.SourceDialogue, 0, 10)
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
	if r := b.sound(); r.Earlier != 1 {
		t.Errorf("%d rows of an earlier version", r.Earlier)
	}
	if found := ids(b.look("long trip", in(memory.SourceDialogue))); !slices.Equal(found, []int64{id}) {
		t.Errorf("found %v", found)
	}
	if _, err := b.deps.Search.RebuildIndex(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	if r := b.sound(); r.Earlier != 0 {
		t.Errorf("%d rows stay as an earlier version left them", r.Earlier)
	}
}

// What was said in a season, in a month or on a day is found by its name in the words of
// who asks, also where the turn has none of the question's other words.
func TestSeasonsAndMonthsByTheirNamesFindWhatWasSaidThen(t *testing.T) {
	b := newBench(t)
	tulips := b.saidOn("2026-04-10", "a", "Put the tulips into the bed by the gate")
	roof := b.saidOn("2026-07-31", "b", "The roofers came at last")
	gutter := b.saidOn("2026-01-20", "c", "Cleared snow off the shed")
	pears := b.saidOn("2026-10-06", "d", "Picked all of the pears")
	for question, want := range map[string]int64{
		"what did I plant in spring":                 tulips,
		"what was that in summer 2026?":              roof,
		"what happened in the winter?":               gutter,
		"what did we do last winter?":                gutter,
		"Was haben wir im Frühling gemacht?":         tulips,
		"Was war im Herbst?":                         pears,
		"Qu'est-ce qu'on a fait au printemps ?":      tulips,
		"¿Qué hicimos en primavera?":                 tulips,
		"Qu'est-ce qui s'est passé en avril ?":       tulips,
		"Qui est venu le 31 juillet ?":               roof,
		"¿Quién vino el 31 de julio?":                roof,
		"¿Qué pasó en octubre?":                      pears,
		"¿Qué pasó el mes pasado?":                   pears,
		"Qu'avons-nous dit à la mi-juillet ?":        roof,
		"Was haben wir am 20. Januar gemacht?":       gutter,
		"¿Qué pasó el 6 de octubre de 2026?":         pears,
		"Qu'est-ce qu'on a fait le 6 octobre 2026 ?": pears,
	} {
		found := b.look(question, in(memory.SourceDialogue), askedOn("2026-11-23"))
		if len(found.Hits) == 0 || found.Hits[0].Row.ID != want || found.Hits[0].Relevance < search.PoorMatch {
			t.Errorf("%q finds %+v", question, found.Hits)
		}
	}
}

// A spring that is a thing, a fall and a man called Winter are no seasons.
func TestSeasonsThatAreThingsFindWhatSpeaksOfThem(t *testing.T) {
	b := newBench(t)
	for i, day := range []string{"2026-01-10", "2026-04-10", "2026-07-10", "2026-10-10"} {
		b.saidOn(day, "other "+string(rune('a'+i)), "Soup was served at noon")
	}
	for question, said := range map[string]string{
		"which spring of the bed broke": "One of the bed's springs broke",
		"what failed in Spring Boot":    "Spring Boot refuses to start",
		"where is the hot spring":       "There is a hot spring behind the hill",
		"did grandma fall":              "Grandma may fall on those stairs",
		"what did Mr Winter want":       "Mr Winter wants his ladder back",
		"what will the prices fall to":  "Prices will fall to nine",
	} {
		want := b.saidOn("2025-08-01", said, said)
		found := b.look(question, in(memory.SourceDialogue), askedOn("2026-11-23"))
		if len(found.Hits) == 0 || found.Hits[0].Row.ID != want {
			t.Errorf("%q finds %+v", question, found.Hits)
		}
		if i := slices.IndexFunc(found.Hits, func(h Hit) bool { return strings.HasPrefix(h.Row.Content, "Soup") && h.Relevance > 0 }); i >= 0 {
			t.Errorf("%q finds %+v", question, found.Hits[i])
		}
	}
}

// What was learned from a turn is of the turn's day, whenever it was stored.
func TestAnInsightHasTheDaysOfItsSources(t *testing.T) {
	b := newBench(t)
	b.insight("The chairs are stacked in the hall")
	want := b.insight("Choir chose Tuesdays", b.saidOn("2025-04-10", "choir", "Then let us take Tuesdays"))
	b.insight("The lamp is broken", b.saidOn("2025-08-03", "lamp", "It went out"))
	for _, question := range []string{"what did we decide on 10 April 2025?", "what was decided last April?", "what did we choose 7 months ago?", "what did we decide in spring?", "what was settled last Thursday?"} {
		asked := askedOn("2025-11-20")
		if strings.Contains(question, "Thursday") {
			asked = askedOn("2025-04-12")
		}
		found := b.look(question, in(memory.SourceInsight), asked)
		if len(found.Hits) == 0 || found.Hits[0].Row.ID != want || found.Hits[0].Relevance < search.PoorMatch {
			t.Errorf("%q finds %+v", question, found.Hits)
		}
	}
}

// "Today" is the day of who says it.
func TestTheDayOfATurnIsThatOfItsOwnOffset(t *testing.T) {
	b := newBench(t)
	for i, day := range []string{"2026-08-13", "2026-08-14", "2026-05-02", "2026-05-03"} {
		b.saidOn(day, "other "+string(rune('a'+i)), "The parrot was loud.")
	}
	eclipse := b.saidOn("2026-08-12T20:00:00-07:00", "s1", "I saw the eclipse today")
	mango := b.saidOn("2026-05-01T23:30:00-05:00", "s2", "Ate a mango")
	check := func() {
		t.Helper()
		for question, want := range map[string]int64{"12 August 2026": eclipse, "on May 1st": mango} {
			if found := b.look(question, in(memory.SourceDialogue), askedOn("2026-11-23")); len(found.Hits) == 0 || found.Hits[0].Row.ID != want || found.Hits[0].Relevance < 1 {
				t.Errorf("%q finds %+v", question, found.Hits)
			}
		}
		for question, wrong := range map[string]int64{"13 August 2026": eclipse, "on May 2nd": mango} {
			if found := b.look(question, in(memory.SourceDialogue), askedOn("2026-11-23")); found.Hits[0].Row.ID == wrong {
				t.Errorf("%q finds %+v", question, found.Hits[0])
			}
		}
	}
	check()
	b.sound()
	if _, err := b.deps.Search.RebuildIndex(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
	check()
}

func TestTheFirstInstantIsABoundLikeAnyOther(t *testing.T) {
	b := newBench(t)
	b.saidOn("2026-05-01", "s1", "Ate a mango")
	for after, want := range map[string]int{"0001-01-01": 0, "2026-05-02": 1} {
		r := b.CallAccepted(hybridName, args{"query_text": "mango", "source_types": []string{"l0"}, "created_before": after})
		if got := strings.Count(string(r.Data), `"source_type"`); got != want {
			t.Errorf("before %s there are %d rows, want %d", after, got, want)
		}
	}
}

// A word that stands in every row tells them from none, and yet each says it.
func TestWordsInEveryRowAreRelevant(t *testing.T) {
	b := newBench(t)
	b.insights(50, "The deploy failed again")
	if best := b.look("deploy failed").bestHit(); best.Relevance < 1 {
		t.Errorf("relevance %v", best.Relevance)
	}
}

// What is imported late or in another order is found as if it had been there before.
func TestSearchDoesNotDependOnInsertOrder(t *testing.T) {
	turns := []string{"We rehearse every week", "The choir sings on Sunday", "Where do we meet for the concert?", "At the fountain", "Bring water", "See you"}
	var first []string
	for _, order := range [][]int{{0, 1, 2, 3, 4, 5}, {3, 0, 5, 2, 4, 1}, {5, 4, 3, 2, 1, 0}} {
		b := newBench(t)
		for _, i := range order {
			b.saidOn("2026-05-01T10:0"+string(rune('0'+i))+":00Z", "choir", turns[i])
			b.saidOn("2026-05-02T10:0"+string(rune('0'+i))+":00Z", "other", "Nothing about "+turns[i])
		}
		var found []string
		for _, question := range []string{"Where do we meet for the concert?", "rehearse", "water at the fountain"} {
			for _, hit := range b.look(question, in(memory.SourceDialogue)).Hits {
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
