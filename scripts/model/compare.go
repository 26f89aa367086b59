package main

import (
	"fmt"

	"toolkit/embed/sentence"
)

// checkSectionsMatchSource reads the rows back from the sections and compares them with the source.
func (s *source) checkSectionsMatchSource(sections [sentence.SectionCount][]byte) error {
	model, err := sentence.Parse(string(joinSections(sections)))
	if err != nil {
		return err
	}
	scales, lows := s.arrays["scale"].floats(), s.arrays["lo"].floats()
	for id := range s.pieces {
		group := id % rowGroups
		codes := s.arrays[fmt.Sprintf("q%d", group+1)].data[id/rowGroups*sentence.Dimension:]
		for i, x := range model.Row(id) {
			product := float32(float32(codes[i]) * scales[group])
			if x != product+lows[group] {
				return fmt.Errorf("row %d has %g and not %g", id, x, product+lows[group])
			}
		}
	}
	return nil
}
