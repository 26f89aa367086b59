package toolstest

import (
	"errors"
	"testing"

	"toolkit/embed"
)

var _ embed.Embedder = (*Synonyms)(nil)

func TestSynonymsMeanTheSameAndFailWhenAsked(t *testing.T) {
	m := NewSynonyms("remote:a")
	before := 0
	m.Before = func() { before++ }
	vectors, err := m.Embed(t.Context(), []string{"a car", "an AUTOMOBILE", "a doctor", " "})
	if err != nil {
		t.Fatal(err)
	}
	<-m.Asked
	Same(t, "words that mean the same", vectors[0], vectors[1])
	if JSON(vectors[0]) == JSON(vectors[2]) || vectors[3] != nil || len(vectors[0]) != m.Dimension() {
		t.Errorf("others are %v", vectors)
	}
	m.Fail(ErrModel)
	if _, err := m.Query(t.Context(), "car"); !errors.Is(err, ErrModel) {
		t.Errorf("a model that is away says %v", err)
	}
	m.Fail(nil)
	found, err := m.Query(t.Context(), "vehicle")
	Same(t, "a query", []any{found, err}, []any{vectors[0], nil})
	Same(t, "calls", []int{m.Calls(), before}, []int{3, 3})
}
