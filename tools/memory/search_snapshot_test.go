package memory

import (
	"testing"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/memory"
)

// askL2 is a search of insights for a text.
func askL2(text string) Query {
	return Query{Text: text, TopK: 5, Weights: search.DefaultWeights, Sources: []memory.Source{memory.SourceInsight}}
}

func TestSearchIgnoresConcurrentWrites(t *testing.T) {
	b, other := twoProcesses(t, embed.Off(), embed.Off())
	b.insight("the zebra sleeps")
	found, err := b.deps.Search.Search(t.Context(), askL2("zebra"),
		func(*store.Tx, Found) error {
			other.insight("a second zebra wakes")
			other.say("s", "Anna", "the zebra was here")
			return nil
		},
		func(tx *store.Tx, found Found) error {
			known, err := memory.In(tx).Statistics(memory.SourceInsight, []string{"zebra"})
			if err != nil {
				return err
			}
			if known.Body["zebra"] != len(found.Hits) {
				t.Errorf("%d insights have the word, %d were found", known.Body["zebra"], len(found.Hits))
			}
			beside, err := findUnsearchedSources(memory.In(tx), []memory.Source{memory.SourceInsight})
			if len(beside) != 0 {
				t.Errorf("%v hold something that was said later", beside)
			}
			return err
		})
	if err != nil || len(found.Hits) != 1 {
		t.Errorf("%v, %v", ids(found), err)
	}
	if later := b.look("zebra"); len(later.Hits) != 2 {
		t.Errorf("the next search finds %v", ids(later))
	}
}

func TestSearchIncludesWritesMadeWhileEmbedding(t *testing.T) {
	model := toolstest.NewSynonyms("remote:a")
	b, other := twoProcesses(t, model, embed.Off())
	other.insight("a river of words") // without a vector of b's model
	asked, zebra := 0, int64(0)
	model.Before = func() {
		if asked++; asked == 2 { // the question's vector was the first
			zebra = other.insight("the zebra sleeps")
			model.FailWith(toolstest.ErrModel)
		}
	}
	found := b.look("zebra")
	if len(found.Hits) == 0 || found.Hits[0].Row.ID != zebra {
		t.Errorf("found %v without insight %d, which is there since before the vectors were compared", ids(found), zebra)
	}
	if asked < 2 {
		t.Errorf("the model was asked %d times", asked)
	}
}
