package main

import (
	"testing"
)

// find walks a trie and returns the value of a key, or -1.
func find(nodes []uint32, key string) int {
	place := nodes[0] >> 10
	for i := range len(key) {
		place ^= uint32(key[i])
		if int(place) >= len(nodes) || nodes[place]&(leafBit|0xFF) != uint32(key[i]) {
			return -1
		}
		node := nodes[place]
		place ^= node >> 10
		if i == len(key)-1 && node&hasLeafBit != 0 {
			return int(nodes[place] &^ leafBit)
		}
	}
	return -1
}

func TestBuildTrieFindsEachKeyAndNoOther(t *testing.T) {
	values := map[string]int{}
	for i := range 3000 {
		key := ""
		for n := i; n > 0; n /= 7 {
			key += string(rune("aäb漢🙂zy"[n%7]))
		}
		values["x"+key] = i
	}
	nodes, err := buildTrie(values)
	if err != nil {
		t.Fatal(err)
	}
	for key, value := range values {
		if got := find(nodes, key); got != value {
			t.Errorf("%q has %d and not %d", key, got, value)
		}
	}
	for _, key := range []string{"", "y", "xq", "xa\x01"} {
		if got := find(nodes, key); got != -1 {
			t.Errorf("%q has %d", key, got)
		}
	}
}

func TestCodeLengthsFillTheTableAndAreShort(t *testing.T) {
	var steep, single, empty histogram
	for symbol := range steep {
		steep[symbol] = 1 << min(symbol, 40)
	}
	single[32] = 1 << 30
	for name, counts := range map[string]histogram{"steep": steep, "single": single, "empty": empty} {
		sum := 0
		for symbol, length := range limitedCodeLengths(counts) {
			if length < 1 || length > maxCodeLength {
				t.Errorf("%s: the code of %d has %d bits", name, symbol, length)
			}
			sum += 1 << (maxCodeLength - length)
		}
		if sum != 1<<maxCodeLength {
			t.Errorf("%s: the codes fill %d of %d", name, sum, 1<<maxCodeLength)
		}
	}
}
