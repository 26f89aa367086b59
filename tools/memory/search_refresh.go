package memory

import (
	"fmt"

	"toolkit/store/memory"
)

// IsModelFailing reports whether the model failed when it was last asked, so that rows wait for
// their vectors until it answers again.
func (s *Search) IsModelFailing() bool { return s.Failure() != nil }

// requireVectors makes sure that rows have their vectors, as far as the model makes
// them, or ends the transaction with errVectorsPending.
func (s *Search) requireVectors(tx memory.Rows, l *searchState) error {
	if !l.vectorsComplete {
		behind, err := s.HasPending(func(model string, after int64) (waits bool, last int64, err error) {
			list, last, err := tx.ListUnembedded(model, after, 1)
			return len(list) > 0, last, err
		})
		if err != nil {
			return err
		}
		if behind {
			return errVectorsPending
		}
		l.vectorsComplete = true
	}
	if err := s.Failure(); err != nil && l.note == "" {
		l.note = fmt.Sprintf("rows stored since the embedding model failed are found by words alone until it answers again: %v", err)
	}
	return nil
}
