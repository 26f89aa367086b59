package store

import (
	"bytes"
	"math"
	"sort"
)

// segmentSize is how much text one segment holds: large enough that a scan is
// one long run, small enough that rewriting one costs well under a millisecond.
const segmentSize = 256 << 10

// textDocument is the folded text of one entity inside a segment: name, type,
// then every other field, each ended by fieldEnd.
type textDocument struct {
	id                  int64
	start, nameEnd, end int32 // nameEnd is the position of the separator
	typeEnd             int32
	dead                bool
}

// textSegment is a run of texts in the order in which they came. Replaced and
// deleted texts stay, marked dead, until they are the larger part.
type textSegment struct {
	text      []byte
	documents []textDocument
	dead      int // bytes of dead documents
}

// foldedEntity is the folded text of an entity before it is stored.
type foldedEntity struct {
	id               int64
	text             []byte
	nameEnd, typeEnd int
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
	f.text = b
	return f
}

// add appends a text and returns its place in the segment.
func (s *textSegment) add(f foldedEntity) int {
	start := len(s.text)
	s.text = append(s.text, f.text...)
	s.documents = append(s.documents, textDocument{
		id: f.id, start: int32(start), nameEnd: int32(start + f.nameEnd), typeEnd: int32(start + f.typeEnd), end: int32(len(s.text)),
	})
	return len(s.documents) - 1
}

// rewrite drops the dead texts.
func (s *textSegment) rewrite() {
	text := make([]byte, 0, max(segmentSize, len(s.text)-s.dead))
	kept := s.documents[:0]
	for _, d := range s.documents {
		if d.dead {
			continue
		}
		shift := int32(len(text)) - d.start
		text = append(text, s.text[d.start:d.end]...)
		d.start, d.nameEnd, d.typeEnd, d.end = d.start+shift, d.nameEnd+shift, d.typeEnd+shift, d.end+shift
		kept = append(kept, d)
	}
	s.text, s.documents, s.dead = text, kept, 0
}

// find calls hit for every living document that contains the needle.
func (s *textSegment) find(n *needle, hit func(TextHit)) {
	next := 0 // first document that may lie at or behind the position
	for position := 0; position < len(s.text); {
		i := n.index(s.text[position:])
		if i < 0 {
			return
		}
		at := int32(position + i)
		next += s.locate(next, at)
		d := &s.documents[next]
		position = int(d.end)
		if !d.dead {
			hit(TextHit{ID: d.id, Place: n.place(s.text[d.start:d.end], int(d.nameEnd-d.start), int(d.typeEnd-d.start)), NameLength: int(d.nameEnd - d.start)})
		}
	}
}

// locate is the distance from document number from to the one containing at.
// Neighbours are tried first: common words hit one document after the other.
func (s *textSegment) locate(from int, at int32) int {
	rest := s.documents[from:]
	for i := 0; i < len(rest) && i < 4; i++ {
		if at < rest[i].end {
			return i
		}
	}
	return sort.Search(len(rest), func(i int) bool { return at < rest[i].end })
}

// needle is a folded query. The scan looks for the byte of it that is rarest in
// the texts and compares only there: several times faster than looking for the
// first byte, which in prose is usually a common one.
type needle struct {
	text   []byte
	rare   byte
	offset int  // of rare in text
	common bool // even rare is common: leave the scan to bytes.Index
}

// commonByte is the share of a text above which looking for a single byte stops
// too often to pay.
const commonByte = 1.0 / 24

func newNeedle(query string, frequency *[256]int) *needle {
	n := &needle{text: appendFolded(nil, query)}
	least, total := math.MaxInt, 0
	for _, count := range frequency {
		total += count
	}
	for i, b := range n.text {
		if frequency[b] < least {
			least, n.rare, n.offset = frequency[b], b, i
		}
	}
	n.common = float64(least) > commonByte*float64(total)
	return n
}

// index is the position of the first occurrence in text, or -1.
func (n *needle) index(text []byte) int {
	if n.common {
		return bytes.Index(text, n.text)
	}
	last := len(text) - len(n.text) // last possible start
	for from := n.offset; ; {
		if from-n.offset > last {
			return -1
		}
		i := bytes.IndexByte(text[from:last+n.offset+1], n.rare)
		if i < 0 {
			return -1
		}
		start := from + i - n.offset
		if bytes.Equal(text[start:start+len(n.text)], n.text) {
			return start
		}
		from += i + 1
	}
}

// place says where in a document's text the needle occurs best. It does occur.
func (n *needle) place(text []byte, nameEnd, typeEnd int) TextPlace {
	name := text[:nameEnd]
	if bytes.HasPrefix(name, n.text) {
		if len(name) == len(n.text) {
			return WholeName
		}
		return NameStart
	}
	if place, found := n.bestIn(name, NameWord, InName); found {
		return place
	}
	if _, found := n.bestIn(text[nameEnd+1:typeEnd], InType, InType); found {
		return InType
	}
	place, _ := n.bestIn(text[typeEnd+1:], ObservationWord, InObservation)
	return place
}

// bestIn looks for an occurrence at the start of a word, else for any.
func (n *needle) bestIn(field []byte, atWord, inside TextPlace) (TextPlace, bool) {
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
