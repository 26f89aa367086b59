package kinds

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/internal/query"
)

// MaxBlobTextBytes is how much is kept beside a file of what was read of it, in bytes.
const MaxBlobTextBytes = 1 << 20

// A file is searched in windows that overlap by more than a text can be long,
// even where JSON writes each of its letters in twelve bytes.
const (
	searchWindow  = 256 << 10
	searchOverlap = 16 << 10
)

// FindBlobsContaining returns the hashes of the blobs in whose bytes one of some texts
// stands, as Fold compares them. Bytes that are gone contain nothing. It reads
// every file and holds no lock meanwhile: bytes never change.
func FindBlobsContaining(ctx context.Context, db *store.DB, texts []string) (found []string, err error) {
	blobs, err := store.ReadValue(ctx, db, func(tx *store.Tx) ([]store.StoredFile, error) {
		return query.Select(In(tx).sql, func(b *store.StoredFile) []any { return []any{&b.SHA256, &b.Size} }, `SELECT sha256, size FROM blobs ORDER BY sha256`)
	})
	if err != nil {
		return nil, err
	}
	wanted := newNeedles(texts)
	buffer := make([]byte, searchWindow)
	for _, b := range blobs {
		file, err := db.OpenBlob(b.SHA256, b.Size)
		if errors.Is(err, store.ErrBlobMissing) {
			continue
		}
		if err != nil {
			return nil, err
		}
		holds, err := wanted.matchFile(ctx, file, buffer)
		file.Close()
		if err != nil {
			return nil, err
		}
		if holds {
			found = append(found, b.SHA256)
		}
	}
	return found, nil
}

// matchFile reports whether what a file says contains one of them. It uses the
// buffer as its window.
func (n needles) matchFile(ctx context.Context, file io.Reader, buffer []byte) (bool, error) {
	peeking := bufio.NewReaderSize(file, searchOverlap)
	head, _ := peeking.Peek(searchOverlap) // an error comes again
	file = peeking
	if endianness, wide := detectUTF16(head); wide {
		file = transform.NewReader(file, unicode.UTF16(endianness, unicode.UseBOM).NewDecoder())
	}
	for overlap := 0; ; overlap = copy(buffer, buffer[len(buffer)-searchOverlap:]) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		length, err := io.ReadFull(file, buffer[overlap:])
		if n.matchBytes(buffer[:overlap+length]) {
			return true, nil
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// matchBytes looks in UTF-8, and in the one-byte letters of files that are none. Of
// compressed bytes it reads what is ASCII: folding the rest would take forever and
// find nothing.
func (n needles) matchBytes(window []byte) bool {
	invalid := 0
	for rest := window; len(rest) > 0; {
		r, size := utf8.DecodeRune(rest)
		if r == utf8.RuneError && size == 1 {
			invalid++
		}
		rest = rest[size:]
	}
	if invalid > len(window)/4 {
		return n.matchText(string(bytes.Map(func(r rune) rune {
			if r >= utf8.RuneSelf {
				return ' '
			}
			return r
		}, window)))
	}
	if n.matchText(string(window)) {
		return true
	}
	if invalid == 0 || !slices.ContainsFunc(slices.Concat(n.texts, n.words), func(t string) bool { return !language.IsASCII(t) }) {
		return false
	}
	western, err := charmap.Windows1252.NewDecoder().Bytes(window)
	return err == nil && n.matchText(string(western))
}

// detectUTF16 reports whether a file that begins so is UTF-16, and of which kind
// where no mark says it.
func detectUTF16(head []byte) (unicode.Endianness, bool) {
	if bytes.HasPrefix(head, []byte{0xFF, 0xFE}) || bytes.HasPrefix(head, []byte{0xFE, 0xFF}) {
		return unicode.BigEndian, true
	}
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	// Every other byte of text in Latin letters is zero.
	if zeros[1] > len(head)/4 && zeros[0] == 0 {
		return unicode.LittleEndian, true
	}
	return unicode.BigEndian, zeros[0] > len(head)/4 && zeros[1] == 0
}

// FindPartlySearchedRecords returns the records that hold a file whose bytes do not show
// what it says, as those of a PDF, a mail or a web page, and of whose text not all
// is kept. Pictures say nothing.
func (tx Rows) FindPartlySearchedRecords() ([]Row, error) {
	return tx.readWhere(Record, `t.seq IN (SELECT h.record FROM record_blobs h JOIN blobs b ON b.sha256 = h.sha256
		WHERE b.mime NOT LIKE 'image/%'
		AND b.mime NOT IN ('text/plain', 'text/markdown', 'text/csv', 'text/tab-separated-values', 'application/json', 'application/x-ndjson')
		AND (b.text = '' OR octet_length(b.text) > ?1 OR CAST(t.properties ->> '$.truncated' AS TEXT) = '1'))
		AND NOT EXISTS (SELECT 1 FROM record_parts p WHERE p.part = t.seq)`, MaxBlobTextBytes-utf8.UTFMax)
}

// FindRecordsWithBlobs returns the records that hold some blobs, without the parts of
// these records: they go with them.
func (tx Rows) FindRecordsWithBlobs(hashes []string) ([]Row, error) {
	return tx.readWhere(Record, `t.seq IN (SELECT h.record FROM record_blobs h JOIN json_each(?1) j ON j.value = h.sha256)
		AND NOT EXISTS (SELECT 1 FROM record_parts p WHERE p.part = t.seq)`, query.List(hashes))
}
