package graph

import (
	"bytes"
	"slices"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
)

// signatureBits is the length of a document's signature. A text of 200 bytes sets a third
// of 512 bits, so a query of a word or two passes by all but a few documents per thousand
// without reading them.
const signatureBits = 512

// textDocument is the folded text of one entity: name, type, then every other field, each
// ended by fieldEnd; behind these what the fields are in the letters in which all searches
// compare, where that is something else.
type textDocument struct {
	id               int64
	text             []byte
	nameEnd, typeEnd int         // positions of the separators
	exactEnd         int         // where the fields end
	filter           *textFilter // of a long text, which is in the rows; here is its name alone
}

// signatureBlock holds the signatures of 64 documents, turned on their side: the
// word at slot s has a bit for each document that contains some three bytes
// which hash to s. Documents with all bytes of a query are then the bits left
// when a few words are combined.
type signatureBlock [signatureBits]uint64

// foldEntity lays out what can be found of an entity, reusing buffer.
func foldEntity(buffer []byte, e *Entity) textDocument {
	b := append(appendFolded(buffer[:0], e.Name), fieldEnd)
	d := textDocument{id: e.ID, nameEnd: len(b) - 1}
	b = append(appendFolded(b, e.Type), fieldEnd)
	d.typeEnd = len(b) - 1
	for _, o := range e.Observations {
		b = append(appendFolded(b, o), fieldEnd)
	}
	for _, more := range []string{e.title, e.body} {
		if more != "" {
			b = append(appendFolded(b, more), fieldEnd)
		}
	}
	d.exactEnd = len(b)
	for start := 0; start < d.exactEnd; {
		end := start + bytes.IndexByte(b[start:d.exactEnd], fieldEnd)
		if field := string(b[start:end]); field != language.FoldText(field) {
			b = append(append(b, language.FoldText(field)...), fieldEnd)
		}
		start = end + 1
	}
	d.text = b
	return d
}

// add enters what a document at a place among 64 contains.
func (b *signatureBlock) add(i int, text []byte) {
	for at := 0; at+3 <= len(text); at++ {
		b[signatureSlot(hashTrigram(text[at:]))] |= 1 << i
	}
}

// addEvery enters a document at a place among 64 that may contain anything.
func (b *signatureBlock) addEvery(i int) {
	for s := range b {
		b[s] |= 1 << i
	}
}

// remove leaves nothing of the document at a place.
func (b *signatureBlock) remove(i int) {
	for s := range b {
		b[s] &^= 1 << i
	}
}

// hashTrigram returns what three bytes are known by.
func hashTrigram(b []byte) uint32 {
	return (uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16) * 2654435761
}

// signatureSlot returns where three bytes with a hash leave their mark in a signature.
func signatureSlot(hash uint32) uint32 { return hash >> 23 }

// filterBits is the length of a textFilter. The three-byte parts of a megabyte of prose set about a third of the bits.
const filterBits = 1 << 15

// textFilter is the signature of one long text: it has a bit for each three bytes of it.
type textFilter [filterBits / 64]uint64

func newTextFilter(text []byte) *textFilter {
	f := &textFilter{}
	for at := 0; at+3 <= len(text); at++ {
		bit := hashTrigram(text[at:]) >> 17
		f[bit/64] |= 1 << (bit % 64)
	}
	return f
}

// mayContain reports whether the text may contain the needle.
func (f *textFilter) mayContain(n *needle) bool {
	return slices.ContainsFunc(n.hashes, func(hashes []uint32) bool {
		return !slices.ContainsFunc(hashes, func(h uint32) bool {
			bit := h >> 17
			return f[bit/64]>>(bit%64)&1 == 0
		})
	})
}

// candidates has a bit for each document that may contain the needle.
func (b *signatureBlock) candidates(n *needle) uint64 {
	possible := uint64(0)
	for _, hashes := range n.hashes {
		documents := ^uint64(0)
		for _, h := range hashes {
			documents &= b[signatureSlot(h)]
		}
		possible |= documents
	}
	return possible
}

// needle is a folded query, also in the letters in which all searches compare, and
// the hashes of the three-byte parts of both.
type needle struct {
	text, letters []byte
	hashes        [][]uint32 // none for a text of one or two bytes: every document is read
}

func newNeedle(query string) *needle {
	n := &needle{text: appendFolded(nil, query)}
	n.letters = []byte(language.FoldText(string(n.text)))
	for _, text := range [][]byte{n.text, n.letters} {
		var hashes []uint32
		for at := 0; at+3 <= len(text); at++ {
			hashes = append(hashes, hashTrigram(text[at:]))
		}
		if n.hashes = append(n.hashes, hashes); bytes.Equal(n.text, n.letters) {
			break
		}
	}
	return n
}

// find describes where a text contains the needle, if it does.
func (n *needle) find(d *textDocument) (hit TextHit, found bool) {
	hit = TextHit{ID: d.id, Place: InOtherLetters, NameLength: d.nameEnd}
	if bytes.Contains(d.text[:d.exactEnd], n.text) {
		hit.Place = n.bestPlace(d.text[:d.exactEnd], d.nameEnd, d.typeEnd)
		return hit, true
	}
	return hit, len(n.letters) > 0 && bytes.Contains(d.text, n.letters)
}

// bestPlace says where in a document's text the needle occurs best.
func (n *needle) bestPlace(text []byte, nameEnd, typeEnd int) TextPlace {
	name := text[:nameEnd]
	if bytes.HasPrefix(name, n.text) {
		if len(name) == len(n.text) {
			return WholeName
		}
		return NameStart
	}
	if place, found := n.bestPlaceInField(name, NameWord, InName); found {
		return place
	}
	if _, found := n.bestPlaceInField(text[nameEnd+1:typeEnd], InType, InType); found {
		return InType
	}
	place, _ := n.bestPlaceInField(text[typeEnd+1:], ObservationWord, InObservation)
	return place
}

// bestPlaceInField looks for an occurrence at the start of a word, else for any.
func (n *needle) bestPlaceInField(field []byte, atWord, inside TextPlace) (TextPlace, bool) {
	found := false
	for from := 0; from <= len(field); {
		i := bytes.Index(field[from:], n.text)
		if i < 0 {
			break
		}
		if startsWord(field, from+i) {
			return atWord, true
		}
		found = true
		from += i + 1
	}
	return inside, found
}

// fieldEnd separates the fields of a folded text. The byte never occurs in
// UTF-8, so no query can match across two fields.
const fieldEnd = 0xFF

// appendFolded appends s in the form in which the substring search compares:
// each character in lower case, as JavaScript's toLowerCase does, which the
// official memory server searches with. Two characters are special:
//
//   - İ becomes i and a combining dot above, its full lower case;
//   - Σ and both its small forms become σ, because whether toLowerCase makes a
//     ς depends on the neighbours, and a part of a text has others.
//
// Folding goes character by character, so the fold of a part is always a part
// of the fold; and what toLowerCase().includes() finds, it finds: fold(lower(s))
// = fold(s). Bytes that are not UTF-8 become U+FFFD.
func appendFolded(dst []byte, s string) []byte {
	dst = slices.Grow(dst, len(s))
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			dst = append(dst, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch r {
		case 'İ':
			dst = append(dst, "i\u0307"...)
		case 'Σ', 'ς':
			dst = append(dst, "σ"...)
		default:
			dst = utf8.AppendRune(dst, unicode.ToLower(r))
		}
	}
	return dst
}

// startsWord reports whether no letter, digit or mark stands before position at.
func startsWord(text []byte, at int) bool {
	if at == 0 || text[at-1] == fieldEnd {
		return true
	}
	r, _ := utf8.DecodeLastRune(text[:at])
	return !unicode.In(r, unicode.L, unicode.N, unicode.M)
}
