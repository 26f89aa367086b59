package graph

import (
	"bytes"
	"math/bits"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
)

const (
	// segmentSize is how much text one segment holds: small enough that rewriting
	// one costs about a millisecond.
	segmentSize = 256 << 10

	// signatureBits is the length of a document's signature. A text of 200 bytes
	// sets a third of 512 bits, so a query of a word or two passes by all but a
	// few documents per thousand without reading them.
	signatureBits = 512
)

// textDocument is the folded text of one entity inside a segment: name, type,
// then every other field, each ended by fieldEnd; behind these what the fields are
// in the letters in which all searches compare, where that is something else.
type textDocument struct {
	id               int64
	start, end       int32
	nameEnd, typeEnd int32  // positions of the separators
	exactEnd         int32  // where the fields end
	nameMask         uint64 // of its pieces
	dead             bool
}

// textSegment is a run of texts in the order in which they came. Replaced and
// deleted texts stay, marked dead, until they are the larger part.
type textSegment struct {
	text       []byte
	documents  []textDocument
	signatures []signatureBlock // one for 64 documents
	dead       int              // bytes of dead documents
}

// signatureBlock holds the signatures of 64 documents, turned on their side: the
// word at slot s has a bit for each document that contains some three bytes
// which hash to s. Documents with all bytes of a query are then the bits left
// when a few words are combined.
type signatureBlock [signatureBits]uint64

// foldedEntity is the folded text of an entity before it is stored.
type foldedEntity struct {
	id               int64
	text             []byte
	nameEnd, typeEnd int
	exactEnd         int
}

// foldEntity lays out what can be found of an entity, reusing buffer.
func foldEntity(buffer []byte, e *Entity) foldedEntity {
	b := append(appendFolded(buffer[:0], e.Name), fieldEnd)
	f := foldedEntity{id: e.ID, nameEnd: len(b) - 1}
	b = append(appendFolded(b, e.Type), fieldEnd)
	f.typeEnd = len(b) - 1
	for _, o := range e.Observations {
		b = append(appendFolded(b, o), fieldEnd)
	}
	for _, more := range []string{e.title, e.body} {
		if more != "" {
			b = append(appendFolded(b, more), fieldEnd)
		}
	}
	f.exactEnd = len(b)
	for start := 0; start < f.exactEnd; {
		end := start + bytes.IndexByte(b[start:f.exactEnd], fieldEnd)
		if field := string(b[start:end]); field != language.FoldText(field) {
			b = append(append(b, language.FoldText(field)...), fieldEnd)
		}
		start = end + 1
	}
	f.text = b
	return f
}

// add appends a text and returns its place in the segment.
func (s *textSegment) add(f foldedEntity) int {
	start := len(s.text)
	s.text = append(s.text, f.text...)
	s.documents = append(s.documents, textDocument{
		id: f.id, start: int32(start), nameEnd: int32(start + f.nameEnd), typeEnd: int32(start + f.typeEnd), exactEnd: int32(start + f.exactEnd), end: int32(len(s.text)),
		nameMask: language.PiecesOf(string(f.text[:f.nameEnd])).Mask(),
	})
	i := len(s.documents) - 1
	s.addSignature(i, f.text)
	return i
}

// addSignature enters the signature of a document.
func (s *textSegment) addSignature(i int, text []byte) {
	if i/64 == len(s.signatures) {
		s.signatures = append(s.signatures, signatureBlock{})
	}
	block, bit := &s.signatures[i/64], uint64(1)<<(i%64)
	for at := 0; at+3 <= len(text); at++ {
		block[slot(text[at:])] |= bit
	}
}

// slot is where three bytes leave their mark in a signature.
func slot(b []byte) uint32 {
	return (uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16) * 2654435761 >> 23
}

// liveBytes is how many bytes of text still count.
func (s *textSegment) liveBytes() int { return len(s.text) - s.dead }

// rewrite drops the dead texts, in place.
func (s *textSegment) rewrite() {
	text, kept := s.text[:0], s.documents[:0]
	for _, d := range s.documents {
		if d.dead {
			continue
		}
		shift := int32(len(text)) - d.start
		text = append(text, s.text[d.start:d.end]...)
		d.start, d.nameEnd, d.typeEnd, d.exactEnd, d.end = d.start+shift, d.nameEnd+shift, d.typeEnd+shift, d.exactEnd+shift, d.end+shift
		kept = append(kept, d)
	}
	s.text, s.documents, s.signatures, s.dead = text, kept, s.signatures[:0], 0
	for i, d := range kept {
		s.addSignature(i, text[d.start:d.end])
	}
}

// folded is a document in the form in which it was added.
func (s *textSegment) folded(d textDocument) foldedEntity {
	return foldedEntity{id: d.id, text: s.text[d.start:d.end], nameEnd: int(d.nameEnd - d.start), typeEnd: int(d.typeEnd - d.start), exactEnd: int(d.exactEnd - d.start)}
}

// find calls hit for every living document that contains the needle.
func (s *textSegment) find(n *needle, hit func(TextHit)) {
	for b := range s.signatures {
		for likely := s.signatures[b].candidates(n); likely != 0; likely &= likely - 1 {
			i := b*64 + bits.TrailingZeros64(likely)
			if i >= len(s.documents) {
				break
			}
			if d := s.documents[i]; !d.dead {
				if h, found := n.find(s.folded(d)); found {
					hit(h)
				}
			}
		}
	}
}

// candidates has a bit for each document that may contain the needle.
func (b *signatureBlock) candidates(n *needle) uint64 {
	likely := uint64(0)
	for _, slots := range n.slots {
		documents := ^uint64(0)
		for _, slot := range slots {
			documents &= b[slot]
		}
		likely |= documents
	}
	return likely
}

// needle is a folded query, also in the letters in which all searches compare, and
// the slots of the signatures of both.
type needle struct {
	text, letters []byte
	slots         [][]uint32 // none for a text of one or two bytes: every document is read
}

func newNeedle(query string) *needle {
	n := &needle{text: appendFolded(nil, query)}
	n.letters = []byte(language.FoldText(string(n.text)))
	for _, text := range [][]byte{n.text, n.letters} {
		var slots []uint32
		for at := 0; at+3 <= len(text); at++ {
			slots = append(slots, slot(text[at:]))
		}
		if n.slots = append(n.slots, slots); bytes.Equal(n.text, n.letters) {
			break
		}
	}
	return n
}

// find describes where a text contains the needle, if it does.
func (n *needle) find(f foldedEntity) (hit TextHit, found bool) {
	hit = TextHit{ID: f.id, Place: InOtherLetters, NameLength: f.nameEnd}
	if bytes.Contains(f.text[:f.exactEnd], n.text) {
		hit.Place = n.bestPlace(f.text[:f.exactEnd], f.nameEnd, f.typeEnd)
		return hit, true
	}
	return hit, len(n.letters) > 0 && bytes.Contains(f.text, n.letters)
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
