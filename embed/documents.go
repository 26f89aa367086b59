package embed

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/philippgille/chromem-go"
)

// vectorCollection is a chromem-go collection with a document for each row. The
// caller's lock guards it: chromem-go's Delete reads its map unlocked.
type vectorCollection struct{ collection *chromem.Collection }

func newVectorCollection() *vectorCollection {
	embed := func(context.Context, string) ([]float32, error) {
		return nil, errors.New("documents come with their vectors")
	}
	// A new in-memory database refuses only an empty name.
	collection, err := chromem.NewDB().CreateCollection("vectors", nil, embed)
	if err != nil {
		panic(err)
	}
	return &vectorCollection{collection: collection}
}

// put adds or replaces a document. The vector must have length 1 and is kept,
// not copied.
func (d *vectorCollection) put(id int64, vector []float32) {
	// With an id and a vector given, and nothing to persist, there is nothing
	// left that could fail.
	if err := d.collection.AddDocument(context.Background(), chromem.Document{ID: documentID(id), Embedding: vector}); err != nil {
		panic(err)
	}
}

func (d *vectorCollection) remove(id int64) {
	// Nil filters: an empty one that is not nil would select every document.
	if err := d.collection.Delete(context.Background(), nil, nil, documentID(id)); err != nil {
		panic(err)
	}
}

// match is a document found.
type match struct {
	id     int64
	vector []float32
}

// nearest returns at least want documents (all of them, if there are fewer),
// the most similar ones first. Which of several equally similar documents
// chromem-go keeps is random, so the equals at the boundary are either all
// left out or all taken in: the same documents give the same answer.
func (d *vectorCollection) nearest(ctx context.Context, vector []float32, want int) ([]match, error) {
	count := d.collection.Count()
	for ask := want + want/64 + 1; ; ask *= 4 {
		ask = min(ask, count)
		if ask == 0 {
			return nil, nil
		}
		found, err := d.collection.QueryEmbedding(ctx, vector, ask, nil, nil)
		if err != nil {
			return nil, fmt.Errorf("search %d documents: %w", count, err)
		}
		if err := ctx.Err(); err != nil {
			return nil, err // a cancelled search returns what it had
		}
		if ask < count {
			boundary := found[len(found)-1].Similarity
			for len(found) > 0 && found[len(found)-1].Similarity == boundary {
				found = found[:len(found)-1]
			}
			if len(found) < want {
				continue
			}
		}
		matches := make([]match, len(found))
		for i, f := range found {
			id, err := strconv.ParseInt(f.ID, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("unexpected document %q: %w", f.ID, err)
			}
			matches[i] = match{id, f.Embedding}
		}
		return matches, nil
	}
}

func documentID(id int64) string { return strconv.FormatInt(id, 10) }
