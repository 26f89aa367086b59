package embed

import (
	"iter"
	"math/bits"
)

// slotSet is a set of slots. It is walked in ascending order, which is the
// order of the codes in memory: scoring rows as they lie there takes half the
// time of scoring them in any other order.
type slotSet []uint64

func newSlotSet(slots int) slotSet { return make(slotSet, (slots+63)/64) }

func (s slotSet) add(slot int32)    { s[slot/64] |= 1 << (slot % 64) }
func (s slotSet) remove(slot int32) { s[slot/64] &^= 1 << (slot % 64) }

// grow makes room for one slot more than n.
func (s *slotSet) grow(n int) {
	for len(*s)*64 <= n {
		*s = append(*s, 0)
	}
}

func (s slotSet) count() int {
	n := 0
	for _, word := range s {
		n += bits.OnesCount64(word)
	}
	return n
}

func (s slotSet) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i, word := range s {
			for word != 0 {
				if !yield(int32(i*64 + bits.TrailingZeros64(word))) {
					return
				}
				word &= word - 1
			}
		}
	}
}

// list returns the slots in ascending order.
func (s slotSet) list() []int32 {
	slots := make([]int32, 0, s.count())
	for slot := range s.all() {
		slots = append(slots, slot)
	}
	return slots
}
