package embed

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// preTokenizer builds the function that cuts a normalised text into pieces.
func preTokenizer(node tokenizerNode) (func(string) []string, error) {
	switch node.Type {
	case "Sequence":
		var steps []func(string) []string
		for _, part := range node.PreTokenizers {
			step, err := preTokenizer(part)
			if err != nil {
				return nil, err
			}
			steps = append(steps, step)
		}
		return func(s string) []string {
			pieces := []string{s}
			for _, step := range steps {
				var next []string
				for _, piece := range pieces {
					next = append(next, step(piece)...)
				}
				pieces = next
			}
			return pieces
		}, nil
	case "BertPreTokenizer":
		return splitBert, nil
	case "Whitespace":
		return splitWords, nil
	case "WhitespaceSplit":
		return strings.Fields, nil
	case "Punctuation":
		return func(s string) []string { return splitAround(s, isPunctuation) }, nil
	case "Digits":
		if node.IndividualDigits {
			return func(s string) []string { return splitAround(s, unicode.IsNumber) }, nil
		}
		return func(s string) []string { return splitClasses(s, unicode.IsNumber) }, nil
	case "Metaspace":
		return metaspace(node), nil
	case "ByteLevel":
		return byteLevel(node), nil
	}
	return nil, fmt.Errorf("the pre-tokeniser %q is not supported", node.Type)
}

// splitBert splits at spaces and makes every punctuation mark a piece.
func splitBert(s string) []string {
	var pieces []string
	for _, word := range strings.Fields(s) {
		pieces = append(pieces, splitAround(word, isPunctuation)...)
	}
	return pieces
}

// splitWords gives runs of word characters and runs of other visible ones.
func splitWords(s string) []string {
	var pieces []string
	for _, run := range strings.Fields(s) {
		pieces = append(pieces, splitClasses(run, func(r rune) bool {
			return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		})...)
	}
	return pieces
}

// splitAround makes every rune that alone accepts a piece of its own.
func splitAround(s string, alone func(rune) bool) []string {
	var pieces []string
	start := 0
	for i, r := range s {
		if !alone(r) {
			continue
		}
		if start < i {
			pieces = append(pieces, s[start:i])
		}
		start = i + utf8.RuneLen(r)
		pieces = append(pieces, s[i:start])
	}
	if start < len(s) {
		pieces = append(pieces, s[start:])
	}
	return pieces
}

// splitClasses cuts wherever belonging to a class changes.
func splitClasses(s string, belongs func(rune) bool) []string {
	var pieces []string
	start, inside := 0, false
	for i, r := range s {
		now := belongs(r)
		if i > 0 && now != inside {
			pieces = append(pieces, s[start:i])
			start = i
		}
		inside = now
	}
	if start < len(s) {
		pieces = append(pieces, s[start:])
	}
	return pieces
}

// isPunctuation follows BERT: every visible ASCII character that is neither
// letter nor digit, and Unicode punctuation.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return unicode.IsPunct(r)
}

// metaspace replaces spaces by a visible character and splits before it.
func metaspace(node tokenizerNode) func(string) []string {
	mark := cmp.Or(node.Replacement, "▁")
	prepend := node.PrependScheme != "never"
	if node.PrependScheme == "" {
		prepend = given(node.AddPrefixSpace, true)
	}
	split := given(node.Split, true)
	return func(s string) []string {
		s = strings.ReplaceAll(s, " ", mark)
		if prepend && s != "" && !strings.HasPrefix(s, mark) {
			s = mark + s
		}
		if !split {
			return []string{s}
		}
		var pieces []string
		for s != "" {
			end := len(s)
			if next := strings.Index(s[min(len(mark), len(s)):], mark); next >= 0 {
				end = next + len(mark)
			}
			pieces = append(pieces, s[:end])
			s = s[end:]
		}
		return pieces
	}
}

// byteLevel splits as GPT-2 does and writes every byte as a visible character.
func byteLevel(node tokenizerNode) func(string) []string {
	prefix, split := given(node.AddPrefixSpace, true), given(node.UseRegex, true)
	return func(s string) []string {
		if prefix && s != "" && !strings.HasPrefix(s, " ") {
			s = " " + s
		}
		pieces := []string{s}
		if split {
			pieces = splitByteLevel(s)
		}
		for i, piece := range pieces {
			var out strings.Builder
			for j := range len(piece) {
				out.WriteRune(byteRunes[piece[j]])
			}
			pieces[i] = out.String()
		}
		return pieces
	}
}

// byteRunes is GPT-2's table: printable bytes stand for themselves, the others
// for the characters from U+0100 on.
var byteRunes = func() (table [256]rune) {
	next := rune(256)
	for b := range table {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			table[b] = rune(b)
		} else {
			table[b] = next
			next++
		}
	}
	return table
}()

// byteLevelPieces are English contractions, runs of letters, of numbers and of
// others, each with at most one leading space, and runs of spaces.
var byteLevelPieces = regexp.MustCompile(`'(?:s|t|re|ve|m|ll|d)| ?\pL+| ?\pN+| ?[^\s\v\pZ\x{85}\pL\pN]+|[\s\v\pZ\x{85}]+`)

// splitByteLevel cuts as GPT-2 does: of a run of spaces the last one belongs to
// what follows, unless it is the only one.
func splitByteLevel(s string) []string {
	var pieces []string
	for s != "" {
		n := byteLevelPieces.FindStringIndex(s)[1]
		if strings.TrimSpace(s[:n]) == "" && n < len(s) {
			if _, size := utf8.DecodeLastRuneInString(s[:n]); n > size {
				n -= size
			}
		}
		pieces = append(pieces, s[:n])
		s = s[n:]
	}
	return pieces
}
