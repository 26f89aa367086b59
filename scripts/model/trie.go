package main

import (
	"errors"
	"maps"
	"slices"
)

const (
	leafBit    = 1 << 31
	hasLeafBit = 1 << 8
	// maxOffset is the largest way to children that a node can hold in plain form.
	maxOffset = 1 << 21
	// maxTries is how many places are tried for the children of a node before
	// they are put at the end.
	maxTries = 4096
)

// trieBuilder lays out a double-array trie as Darts-clone does.
type trieBuilder struct {
	nodes []uint32
	taken []bool // places with a node
	based []bool // places that children are counted from
	free  int    // no place before it is free
	err   error
}

// buildTrie returns the nodes of a trie with the value of each key.
func buildTrie(values map[string]int) ([]uint32, error) {
	b := &trieBuilder{}
	b.grow()
	b.taken[0] = true
	b.placeKeysBelow(0, slices.Sorted(maps.Keys(values)), 0, values)
	return b.nodes, b.err
}

func (b *trieBuilder) grow() {
	b.nodes = append(b.nodes, make([]uint32, 256)...)
	b.taken = append(b.taken, make([]bool, 256)...)
	b.based = append(b.based, make([]bool, 256)...)
}

// placeKeysBelow puts the children of a node, whose keys are sorted and share the first
// depth bytes, into the array.
func (b *trieBuilder) placeKeysBelow(node int, keys []string, depth int, values map[string]int) {
	var labels []byte // 0 stands for the end of a key
	var groups [][]string
	for _, key := range keys {
		label := byte(0)
		if depth < len(key) {
			label = key[depth]
		}
		if len(labels) == 0 || labels[len(labels)-1] != label {
			labels, groups = append(labels, label), append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], key)
	}
	base := b.findBase(labels)
	b.based[base] = true
	offset := node ^ base
	if offset >= maxOffset {
		b.err = errors.New("the trie is too large")
		return
	}
	b.nodes[node] |= uint32(offset) << 10
	for _, label := range labels {
		b.taken[base^int(label)] = true
	}
	for i, label := range labels {
		child := base ^ int(label)
		if label == 0 {
			b.nodes[node] |= hasLeafBit
			b.nodes[child] = leafBit | uint32(values[groups[i][0]])
			continue
		}
		b.nodes[child] = uint32(label)
		b.placeKeysBelow(child, groups[i], depth+1, values)
	}
}

// findBase returns a place from which all labels lead to free places.
func (b *trieBuilder) findBase(labels []byte) int {
	for b.free < len(b.taken) && b.taken[b.free] {
		b.free++
	}
	tries := 0
	for at := b.free; at < len(b.taken) && tries < maxTries; at++ {
		if b.taken[at] {
			continue
		}
		tries++
		if base := at ^ int(labels[0]); b.fits(base, labels) {
			return base
		}
	}
	for at := len(b.taken); ; at++ {
		b.grow()
		for base := at; base < len(b.taken); base++ {
			if b.fits(base, labels) {
				return base
			}
		}
	}
}

func (b *trieBuilder) fits(base int, labels []byte) bool {
	if b.based[base] {
		return false
	}
	for _, label := range labels {
		if b.taken[base^int(label)] {
			return false
		}
	}
	return true
}
