package memory

import (
	"context"
	"fmt"

	"toolkit/embed"
	"toolkit/store/memories"
)

// mostCompared is how many of the newest rows are compared with a lexical vector,
// beside those that words found. Each takes some 20 µs: its vector is a function
// of its text and not stored.
const mostCompared = 2000

// nearestTexts is nearest where vectors are made on the spot.
func (s *Search) nearestTexts(ctx context.Context, tx memories.Rows, l *look, source memories.Source, k int, found []int64, all bool) ([]embed.Hit, error) {
	only := found
	if !all {
		newest, err := tx.Filter(source, l.Filter, mostCompared)
		if err != nil {
			return nil, err
		}
		if len(newest) == mostCompared {
			l.say(fmt.Sprintf("lexical vectors are not stored: of the rows that share no word with the query, the newest %d were compared", mostCompared))
		}
		only = append(newest, found...)
	}
	return s.compare(ctx, tx, l, k, only)
}

// compare ranks rows by the vectors of their texts.
func (s *Search) compare(ctx context.Context, tx memories.Rows, l *look, k int, ids []int64) ([]embed.Hit, error) {
	if len(l.vector) != embed.LocalDimension {
		l.say(otherLength(&embed.DimensionError{Got: len(l.vector), Want: embed.LocalDimension}, s.embedder))
		return nil, nil
	}
	cosines, err := s.compared(ctx, tx, l.vector, ids)
	hits := make([]embed.Hit, 0, len(cosines))
	for id, cosine := range cosines {
		hits = append(hits, embed.Hit{ID: id, Similarity: cosine})
	}
	return best(hits, k), err
}

// compared are the cosines of a vector and those of the texts of rows.
func (s *Search) compared(ctx context.Context, tx memories.Rows, vector []float32, ids []int64) (map[int64]float64, error) {
	rows, err := tx.RowsAt(ids)
	if err != nil {
		return nil, err
	}
	cosines := make(map[int64]float64, len(rows))
	for id, row := range rows {
		text, err := s.embedder.Query(ctx, row.EmbeddedText())
		if err != nil {
			return nil, err
		}
		if len(text) > 0 && len(text) == len(vector) {
			cosines[id] = embed.Cosine(vector, text)
		}
	}
	return cosines, nil
}
