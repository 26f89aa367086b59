package embed

import (
	"cmp"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"toolkit/internal/language"
)

const (
	// LocalDimension is the length of a local vector. It equals that of
	// OpenAI's text-embedding-3-small, which the memory tools document.
	LocalDimension = 1536

	// hashedDimensions are those that features hash to. The last component stays
	// empty: stored vectors are made so.
	hashedDimensions = LocalDimension - 1

	// functionWordWeight is what a function word counts beside 1 for any other
	// word.
	functionWordWeight = 0.1
	// bigramWeight is the weight of a pair of neighbouring words.
	bigramWeight = 0.35
	// trigramWeight is the length of the vector that all trigrams of one word
	// form together; they carry misspellings and forms that stemming misses.
	trigramWeight = 0.45
)

// localVector hashes the features of a text: stemmed words, pairs of neighbouring
// words and character trigrams, with the square root of their frequency in the
// text. It has length 1, and is nil without words: such a text has no direction
// and belongs in no index.
func localVector(text string) []float32 {
	f := featurePool.Get().(*features)
	defer featurePool.Put(f)
	f.collect(text)
	v := f.sum()
	if !Normalize(v) {
		return nil
	}
	return v
}

// feature is one hashed occurrence.
type feature struct {
	hash   uint64
	weight float64
}

// features is the scratch space of one text.
type features struct {
	found []feature
	stem  [maxWordBytes]byte
}

var featurePool = sync.Pool{New: func() any { return new(features) }}

// Kinds of features are hashed apart, so that the word "the" and the trigram
// "the" do not meet.
const (
	wordSeed    = 0x9ae16a3b2f90404f
	bigramSeed  = 0xc949c7defeb1d3a7
	trigramSeed = 0xb492b66fbe98f273
)

// collect fills found with the features of the text.
func (f *features) collect(text string) {
	f.found = f.found[:0]
	var previous uint64
	var previousWeight float64
	first := true
	eachWord(text, func(word []byte) {
		stemmed := language.AppendVectorStem(f.stem[:0], word)
		weight := 1.0
		if language.IsLight(word) {
			weight = functionWordWeight
		}
		hash := hashBytes(wordSeed, stemmed)
		f.add(hash, weight)
		if !first {
			// The geometric mean, by square root alone: IEEE 754 rounds it
			// exactly, so every platform agrees.
			f.add(mix(previous+bits31(hash)+bigramSeed), float64(bigramWeight*math.Sqrt(float64(previousWeight*weight))))
		}
		f.addTrigrams(word, weight)
		previous, previousWeight, first = hash, weight, false
	})
}

func (f *features) add(hash uint64, weight float64) {
	f.found = append(f.found, feature{hash, weight})
}

// addTrigrams adds the character trigrams of the word with a boundary at each
// end. Words of one or two characters are wholly covered by the word feature.
func (f *features) addTrigrams(word []byte, weight float64) {
	var characters [maxWordBytes + 2]uint64 // 0 before and after the word
	n := 1
	for i := 0; i < len(word); n++ {
		r, size := utf8.DecodeRune(word[i:])
		characters[n] = uint64(r)
		i += size
	}
	if n-1 < 3 {
		return
	}
	each := float64(float64(trigramWeight*weight) / math.Sqrt(float64(n-1)))
	for i := range n - 1 {
		trigram := characters[i]<<42 | characters[i+1]<<21 | characters[i+2]
		f.add(mix(trigram+trigramSeed), each)
	}
}

// sum adds up equal features, dampens their frequency and gives them the sign
// their hash says, so that collisions cancel instead of pile up.
func (f *features) sum() []float32 {
	v := make([]float32, LocalDimension)
	// Sorted, floating-point sums do not depend on the order in the text.
	slices.SortFunc(f.found, func(a, b feature) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.weight, b.weight))
	})
	for i := 0; i < len(f.found); {
		hash, sum, start := f.found[i].hash, 0.0, i
		for ; i < len(f.found) && f.found[i].hash == hash; i++ {
			sum += f.found[i].weight
		}
		// The mean weight times √frequency.
		value := float64(sum / math.Sqrt(float64(i-start)))
		if hash>>63 == 1 {
			value = -value
		}
		v[(hash&(1<<62-1))%hashedDimensions] += float32(value)
	}
	return v
}

// hashBytes is FNV-1a with a seed and a finaliser: fixed for all time, since
// stored vectors depend on it.
func hashBytes(seed uint64, s []byte) uint64 {
	h := 0xcbf29ce484222325 ^ seed
	for _, c := range s {
		h ^= uint64(c)
		h *= 0x100000001b3
	}
	return mix(h)
}

// mix is the 64-bit finaliser of MurmurHash3.
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	h ^= h >> 33
	return h
}

// bits31 turns a hash so that a pair of words and its reverse differ.
func bits31(h uint64) uint64 { return h<<31 | h>>33 }
