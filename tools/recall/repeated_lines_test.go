package recall

import "testing"

func TestLinesThatRepeatEarlierOnesAreOmitted(t *testing.T) {
	for text, want := range map[string]string{
		"Tax 2026 (note)\ntitle: Tax 2026\ntags: [tax]\n# Tax 2026\n- [ ] Add up the nursery fees\n- [ ] Fares to Bremen\ntasks title: Fares to Bremen": "Tax 2026 (note)\ntags: [tax]\n- [ ] Add up the nursery fees\n- [ ] Fares to Bremen",
		"Hello (message)\ncontent: the talk moves to Monday the 14th at three\nfrom: Ann\nthe talk moves to Monday the 14th at three":                   "Hello (message)\ncontent: the talk moves to Monday the 14th at three\nfrom: Ann",
		"Ridge Tea (company)\nname: Ridge Tea":                                                   "Ridge Tea (company)",
		"invoice\nvendor name: Ridge Tea\ncustomer name: Ridge Tea\namount: 12.00\ntotal: 12.00": "invoice\nvendor name: Ridge Tea\ncustomer name: Ridge Tea\namount: 12.00\ntotal: 12.00",
	} {
		if got := omitRepeatedLines(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
