package sentence

// trie is a double-array trie in the layout of Darts-clone, read where it lies.
// The four bytes of a node are its label (8 bits), whether a key ends here (1)
// and the way to its children (the rest). The value of a key has the top bit set.
type trie string

const leafBit = 1 << 31

// node returns the node at a place, and 0, which matches no label, beyond the end.
func (t trie) node(place uint32) uint32 {
	if int(place) >= len(t)/4 {
		return 0
	}
	return uint32At(string(t), int(place)*4)
}

// childOffset is what a node's place is xored with to find its children.
func childOffset(node uint32) uint32 {
	return (node &^ leafBit >> 10) << (node & (1 << 9) >> 6)
}

// cursor walks down a trie byte by byte.
type cursor struct {
	trie  trie
	place uint32 // where the children are
}

func (t trie) rootCursor() cursor {
	return cursor{trie: t, place: childOffset(t.node(0))}
}

// advance goes on with a byte. It returns the value of the key that ends there, or
// -1 if none does, and whether any key begins with the bytes until here.
func (c *cursor) advance(label byte) (value int, ok bool) {
	place := c.place ^ uint32(label)
	node := c.trie.node(place)
	if label == 0 || node&(leafBit|0xFF) != uint32(label) {
		return -1, false
	}
	c.place = place ^ childOffset(node)
	if node&(1<<8) == 0 {
		return -1, true
	}
	return int(c.trie.node(c.place) &^ leafBit), true
}
