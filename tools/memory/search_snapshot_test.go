package memory

import (
	"context"
	"sync"
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

// afterQuery is a model that embeds documents once it is asked for a query's vector, and then
// lets something happen.
type afterQuery struct {
	*toolstest.Synonyms
	embedded func()
}

func (m afterQuery) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	<-m.Asked
	vectors, err := m.Synonyms.Embed(ctx, texts) // which asks the model, too
	m.embedded()
	return vectors, err
}

func TestSearchIncludesWritesMadeWhileEmbedding(t *testing.T) {
	model := afterQuery{Synonyms: toolstest.NewSynonyms("remote:a")}
	model.Asked = make(chan struct{}, 1)
	var other *bench
	zebra := int64(0)
	model.embedded = sync.OnceFunc(func() {
		zebra = other.insight("the zebra sleeps")
		model.FailWith(toolstest.ErrModel)
	})
	b, second := twoProcesses(t, model, embed.Off())
	other = second
	other.insight("a river of words") // without a vector of b's model
	found := b.look("zebra")
	if len(found.Hits) == 0 || found.Hits[0].Row.ID != zebra {
		t.Errorf("found %v without insight %d, which is there since before the vectors were compared", ids(found), zebra)
	}
	if zebra == 0 {
		t.Error("no document was embedded")
	}
}
