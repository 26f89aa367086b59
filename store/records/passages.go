package records

import (
	"strings"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/internal/query"
)

const (
	// maxPassageLength is how long a passage is at most, in bytes, but for a sentence that is
	// longer; a blank line ends one from minPassageLength on.
	maxPassageLength, minPassageLength = 400, 150
	// passageBits are those of a passage's number in its id.
	passageBits = 12
	// passageSpace ends the name of the vector space of a model's passages.
	passageSpace = " passages"
)

// SplitPassages are the parts of a file's text that are embedded one by one, in order: a few sentences or
// lines each. Of a text of more than 4096 the last reaches to its end.
func SplitPassages(text string) (list []language.Span) {
	for _, s := range language.SentenceSpans(text) {
		n := len(list)
		if n == 0 || n < 1<<passageBits && endsPassage(list[n-1], s, text) {
			list = append(list, s)
			continue
		}
		list[n-1].End = s.End
	}
	return list
}

// endsPassage reports whether a passage is complete without the next sentence.
func endsPassage(passage, next language.Span, text string) bool {
	length := passage.End - passage.Start
	gap := text[passage.End:next.Start]
	return length+len(gap)+next.End-next.Start > maxPassageLength || strings.Contains(gap, "\f") ||
		length >= minPassageLength && strings.Count(gap, "\n") > 1
}

// PassageRows are the passages of files as rows that have vectors, in a space of their own. The
// id of one is negative, and tells the record and the number.
type PassageRows struct{ Rows }

// passageID is the id of a passage of a record's file.
func passageID(record int64, number int) int64 { return -(record<<passageBits + int64(number)) }

// PassageOf is the record of a passage, and its place among the record's passages.
func PassageOf(id int64) (record int64, number int) {
	return -id >> passageBits, int(-id & (1<<passageBits - 1))
}

// withText holds for records r with the text of a file that did not become items.
const withText = `EXISTS (SELECT 1 FROM record_blobs h JOIN blobs b ON b.sha256 = h.sha256 WHERE h.record = r.seq AND b.text <> '')
	AND NOT EXISTS (SELECT 1 FROM record_parts p WHERE p.part = r.seq OR p.parent = r.seq)`

// withoutPassages holds for those whose first passage has no vector in the space of a model. It is
// embedded last, so that the others have theirs where it has.
const withoutPassages = withText + ` AND NOT EXISTS (SELECT 1 FROM record_vectors v WHERE v.record = -(r.seq * 4096) AND v.space = (SELECT id FROM record_spaces WHERE model = ?1))`

// ListUnembedded returns up to limit passages without a vector, of records after a row; last is the
// record up to which all others have theirs.
func (tx PassageRows) ListUnembedded(model string, after int64, limit int) (list []store.Unembedded, last int64, err error) {
	last = after
	for len(list) < limit {
		record, err := query.Value[int64](tx.sql, `SELECT coalesce(min(r.seq), 0) FROM records r WHERE r.seq > ?2 AND `+withoutPassages, model+passageSpace, last)
		if err != nil {
			return nil, 0, err
		}
		if record == 0 {
			break
		}
		missing, err := tx.listMissingPassages(model, record)
		if err != nil {
			return nil, 0, err
		}
		if room := limit - len(list); len(missing) > room {
			return append(list, missing[:room]...), last, nil
		}
		list, last = append(list, missing...), record
	}
	return list, last, nil
}

// listMissingPassages returns the passages of a record without a vector, the first of them last.
func (tx PassageRows) listMissingPassages(model string, record int64) (list []store.Unembedded, err error) {
	text, err := tx.FileText(record)
	if err != nil {
		return nil, err
	}
	known, err := query.Map[int64, bool](tx.sql, `SELECT record, TRUE FROM record_vectors WHERE space = (SELECT id FROM record_spaces WHERE model = ?1) AND record BETWEEN ?2 AND ?3`,
		model+passageSpace, passageID(record+1, 0)+1, passageID(record, 0))
	spans := SplitPassages(text)
	for n := len(spans) - 1; n >= 0; n-- {
		if id := passageID(record, n); !known[id] {
			list = append(list, store.Unembedded{ID: id, Text: text[spans[n].Start:spans[n].End]})
		}
	}
	return list, err
}

// InsertVectors stores the vectors of passages of records that still exist.
func (tx PassageRows) InsertVectors(model string, list []store.Vector) error {
	if len(list) == 0 {
		return nil
	}
	if err := tx.ensureVectorSpace(model+passageSpace, false); err != nil {
		return err
	}
	for _, v := range list {
		record, _ := PassageOf(v.ID)
		if err := tx.sql.Exec(`INSERT OR REPLACE INTO record_vectors(space, record, vector) SELECT s.id, ?2, ?4 FROM record_spaces s, records r WHERE s.model = ?1 AND r.seq = ?3`,
			model+passageSpace, v.ID, record, query.NullIfNil(v.Vector)); err != nil {
			return err
		}
	}
	return nil
}

// ListVectorChanges returns up to limit vectors in the space of a model that came or went
// after a place in the feed, in order.
func (tx PassageRows) ListVectorChanges(model string, after int64, limit int) ([]store.Vector, error) {
	return tx.Rows.ListVectorChanges(model+passageSpace, after, limit)
}

// CountUnembedded returns how many records have passages without a vector.
func (tx PassageRows) CountUnembedded(model string) (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM records r WHERE `+withoutPassages, model+passageSpace)
}

// DeleteVectors deletes the vectors of every other model and returns how many there were.
func (tx PassageRows) DeleteVectors(except string) (int64, error) {
	return tx.sql.ExecAndCountRows(`DELETE FROM record_vectors WHERE record <= 0 AND space IN (SELECT id FROM record_spaces WHERE model <> ?)`, except+passageSpace)
}
