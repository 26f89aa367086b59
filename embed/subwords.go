package embed

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// parseModel reads the "model" of a tokenizer.json and the id of its unknown
// token, -1 for none.
func parseModel(data []byte) (subwordModel, int, error) {
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &kind); err != nil {
		return nil, 0, fmt.Errorf("the tokenizer has no readable model: %w", err)
	}
	switch kind.Type {
	case "WordPiece":
		return parseWordPiece(data)
	case "Unigram":
		return parseUnigram(data)
	case "BPE":
		return parsePairs(data)
	}
	return nil, 0, fmt.Errorf("the tokenizer model %q is not supported: use WordPiece, Unigram or BPE", kind.Type)
}

// lookup is the id of a token, -1 when there is none.
func lookup(vocabulary map[string]int, token string) int {
	if id, ok := vocabulary[token]; ok {
		return id
	}
	return -1
}

// appendBytes appends the byte tokens (<0x41>) of s, if all of them exist.
func appendBytes(ids []int, vocabulary map[string]int, s string) ([]int, bool) {
	before := len(ids)
	for i := range len(s) {
		id, ok := vocabulary[fmt.Sprintf("<0x%02X>", s[i])]
		if !ok {
			return ids[:before], false
		}
		ids = append(ids, id)
	}
	return ids, true
}

// wordPiece takes the longest known piece again and again; a word that cannot
// be covered is unknown as a whole.
type wordPiece struct {
	Vocabulary   map[string]int `json:"vocab"`
	Unknown      string         `json:"unk_token"`
	Continuation string         `json:"continuing_subword_prefix"`
	MaxRunes     int            `json:"max_input_chars_per_word"`
}

func parseWordPiece(data []byte) (subwordModel, int, error) {
	m := wordPiece{Unknown: "[UNK]", Continuation: "##", MaxRunes: 100}
	if err := json.Unmarshal(data, &m); err != nil || len(m.Vocabulary) == 0 {
		return nil, 0, errors.New("the WordPiece model has no readable vocabulary")
	}
	return &m, lookup(m.Vocabulary, m.Unknown), nil
}

func (m *wordPiece) appendIDs(ids []int, word string) []int {
	before, unknown := len(ids), lookup(m.Vocabulary, m.Unknown)
	if utf8.RuneCountInString(word) > m.MaxRunes {
		return append(ids, unknown)
	}
	prefix := ""
	for rest := word; rest != ""; {
		end := len(rest)
		for end > 0 {
			if id, ok := m.Vocabulary[prefix+rest[:end]]; ok {
				ids = append(ids, id)
				break
			}
			_, size := utf8.DecodeLastRuneInString(rest[:end])
			end -= size
		}
		if end == 0 {
			return append(ids[:before], unknown)
		}
		rest, prefix = rest[end:], m.Continuation
	}
	return ids
}

// unigram finds the segmentation with the greatest sum of log probabilities.
type unigram struct {
	vocabulary map[string]int
	scores     []float64
	longest    int // bytes of the longest piece
	unknown    int
	penalty    float64 // score of an unknown character
	bytes      bool
}

func parseUnigram(data []byte) (subwordModel, int, error) {
	var file struct {
		Vocabulary   [][2]any `json:"vocab"`
		Unknown      *int     `json:"unk_id"`
		ByteFallback bool     `json:"byte_fallback"`
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Vocabulary) == 0 {
		return nil, 0, errors.New("the Unigram model has no readable vocabulary")
	}
	m := &unigram{vocabulary: make(map[string]int, len(file.Vocabulary)), unknown: -1, bytes: file.ByteFallback}
	least := 0.0
	for id, entry := range file.Vocabulary {
		piece, isText := entry[0].(string)
		score, isNumber := entry[1].(float64)
		if !isText || !isNumber {
			return nil, 0, fmt.Errorf("entry %d of the Unigram vocabulary is not a piece with a score", id)
		}
		m.vocabulary[piece] = id
		m.scores = append(m.scores, score)
		m.longest, least = max(m.longest, len(piece)), min(least, score)
	}
	if file.Unknown != nil {
		if *file.Unknown < 0 || *file.Unknown >= len(m.scores) {
			return nil, 0, fmt.Errorf("unk_id %d lies outside of the vocabulary", *file.Unknown)
		}
		m.unknown = *file.Unknown
	}
	m.penalty = least - 10
	return m, m.unknown, nil
}

func (m *unigram) appendIDs(ids []int, piece string) []int {
	// best[i] is the best way to cover the first i bytes.
	type way struct {
		score float64
		start int
		id    int
	}
	best := make([]way, len(piece)+1)
	for i := range best[1:] {
		best[i+1].score = math.Inf(-1)
	}
	for start := range piece { // at rune boundaries
		for end := start + 1; end <= min(len(piece), start+m.longest); end++ {
			if id, ok := m.vocabulary[piece[start:end]]; ok {
				if score := best[start].score + m.scores[id]; score > best[end].score {
					best[end] = way{score, start, id}
				}
			}
		}
		_, size := utf8.DecodeRuneInString(piece[start:])
		if score := best[start].score + m.penalty; score > best[start+size].score {
			best[start+size] = way{score, start, m.unknown}
		}
	}
	var ends []int
	for end := len(piece); end > 0; end = best[end].start {
		ends = append(ends, end)
	}
	for i := len(ends) - 1; i >= 0; i-- {
		found := best[ends[i]]
		if found.id == m.unknown && m.bytes {
			if spelled, ok := appendBytes(ids, m.vocabulary, piece[found.start:ends[i]]); ok {
				ids = spelled
				continue
			}
		}
		ids = append(ids, found.id)
	}
	return ids
}

// pairs is byte pair encoding: the earliest merge first, until none applies.
type pairs struct {
	vocabulary   map[string]int
	ranks        map[[2]string]int
	unknown      int
	bytes        bool
	continuation string
	suffix       string
}

// maxPairsRunes bounds one piece, because merging takes quadratic time.
const maxPairsRunes = 512

func parsePairs(data []byte) (subwordModel, int, error) {
	var file struct {
		Vocabulary   map[string]int    `json:"vocab"`
		Merges       []json.RawMessage `json:"merges"`
		Unknown      *string           `json:"unk_token"`
		ByteFallback bool              `json:"byte_fallback"`
		Continuation string            `json:"continuing_subword_prefix"`
		Suffix       string            `json:"end_of_word_suffix"`
	}
	if err := json.Unmarshal(data, &file); err != nil || len(file.Vocabulary) == 0 {
		return nil, 0, errors.New("the BPE model has no readable vocabulary")
	}
	m := &pairs{
		vocabulary: file.Vocabulary, ranks: make(map[[2]string]int, len(file.Merges)), unknown: -1, bytes: file.ByteFallback,
		continuation: file.Continuation, suffix: file.Suffix,
	}
	for rank, raw := range file.Merges {
		var pair [2]string
		var joined string
		if json.Unmarshal(raw, &joined) == nil {
			left, right, ok := strings.Cut(joined, " ")
			if !ok {
				return nil, 0, fmt.Errorf("merge %d of the BPE model is not a pair", rank)
			}
			pair = [2]string{left, right}
		} else if json.Unmarshal(raw, &pair) != nil {
			return nil, 0, fmt.Errorf("merge %d of the BPE model is not a pair", rank)
		}
		m.ranks[pair] = rank
	}
	if file.Unknown != nil {
		m.unknown = lookup(m.vocabulary, *file.Unknown)
	}
	return m, m.unknown, nil
}

func (m *pairs) appendIDs(ids []int, piece string) []int {
	runes := []rune(piece)
	for len(runes) > maxPairsRunes {
		ids = m.merge(ids, runes[:maxPairsRunes])
		runes = runes[maxPairsRunes:]
	}
	return m.merge(ids, runes)
}

func (m *pairs) merge(ids []int, runes []rune) []int {
	parts := make([]string, len(runes))
	for i, r := range runes {
		parts[i] = string(r)
		if i > 0 {
			parts[i] = m.continuation + parts[i]
		}
	}
	if len(parts) > 0 {
		parts[len(parts)-1] += m.suffix
	}
	for {
		best, at := len(m.ranks), -1
		for i := 0; i+1 < len(parts); i++ {
			if rank, ok := m.ranks[[2]string{parts[i], parts[i+1]}]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			break
		}
		parts[at] += strings.TrimPrefix(parts[at+1], m.continuation)
		parts = append(parts[:at+1], parts[at+2:]...)
	}
	for _, part := range parts {
		id, ok := m.vocabulary[part]
		if !ok && m.bytes {
			if spelled, all := appendBytes(ids, m.vocabulary, part); all {
				ids = spelled
				continue
			}
		}
		if !ok {
			id = m.unknown
		}
		ids = append(ids, id)
	}
	return ids
}
