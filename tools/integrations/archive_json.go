package integrations

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// maxJSONElement bounds one element of a JSON or text document.
const maxJSONElement = 16 << 20

// eachJSONElement calls f for each element of a JSON array of any size. It stops when ctx ends.
func eachJSONElement(ctx context.Context, source io.Reader, f func(json.RawMessage) error) error {
	share := &jsonBudget{ctx: ctx, source: source, left: maxJSONElement}
	decoder := json.NewDecoder(share)
	if start, err := decoder.Token(); err != nil {
		return share.explainReadError(err)
	} else if start != json.Delim('[') {
		return ErrArchiveForm
	}
	for decoder.More() {
		share.left = maxJSONElement
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return share.explainReadError(err)
		}
		if err := f(raw); err != nil {
			return err
		}
	}
	end, err := decoder.Token()
	if err == nil && end != json.Delim(']') {
		return ErrArchiveForm
	}
	return share.explainReadError(err)
}

// decodeUTF16 takes a byte order mark off and turns UTF-16 into UTF-8; other bytes
// pass as they are.
func decodeUTF16(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(encoding.Nop.NewDecoder()))
}

// jsonBudget ends a document when one element takes more than its share, or when
// the caller gave up.
type jsonBudget struct {
	ctx    context.Context
	source io.Reader
	left   int64
}

func (b *jsonBudget) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left <= 0 {
		return 0, ErrArchiveTooLarge
	}
	// A decoder looks through all it has after every read: small reads would
	// make a long element cost its square.
	n, err := io.ReadFull(b.source, p[:min(int64(len(p)), b.left)])
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = io.EOF
	}
	b.left -= int64(n)
	return n, err
}

// explainReadError words the failures of a decoder for a user.
func (b *jsonBudget) explainReadError(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == nil || b.ctx.Err() != nil || errors.Is(err, ErrArchiveTooLarge) || errors.Is(err, ErrArchiveBomb):
		return err
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends in the middle")
	case errors.As(err, &syntax):
		return fmt.Errorf("its JSON is broken at byte %d", syntax.Offset)
	}
	return err
}

// maxWholeDocument bounds a document that is read at once.
const maxWholeDocument = 64 << 20

// readWholeDocument reads a JSON document that is small by its nature.
func readWholeDocument(ctx context.Context, d ArchiveDocument, v any) error {
	file, err := d.Open()
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(&jsonBudget{ctx: ctx, source: decodeUTF16(file), left: maxWholeDocument})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(bytes.TrimSpace(data), v); err != nil {
		if _, other := errors.AsType[*json.UnmarshalTypeError](err); other {
			return ErrArchiveForm
		}
		return errors.New("its JSON is broken")
	}
	return nil
}

// emitItem takes an item, or the reason why it cannot be read. Its error ends the walk.
type emitItem = func(ArchiveItem, error) error

// readerOfDocument returns the ArchiveReader of documents that a walk goes through from their beginning.
func readerOfDocument(walk func(ctx context.Context, d ArchiveDocument, file io.Reader, emit emitItem) error) ArchiveReader {
	return func(ctx context.Context, d ArchiveDocument, from int64) iter.Seq2[ArchiveEntry, error] {
		return yieldEntries(from, func(emit emitItem) error {
			file, err := d.Open()
			if err != nil {
				return err
			}
			defer file.Close() //nolint:errcheck // it was only read
			return walk(ctx, d, file, emit)
		})
	}
}

// errStopWalk ends a walk whose caller wants no more.
var errStopWalk = errors.New("stop")

// yieldEntries turns a walk that calls emit for each item into entries. Positions
// count items, so reading goes on by passing over those before from.
func yieldEntries(from int64, walk func(emitItem) error) iter.Seq2[ArchiveEntry, error] {
	return func(yield func(ArchiveEntry, error) bool) {
		at := int64(0)
		err := walk(func(item ArchiveItem, reason error) error {
			at++
			if at <= from {
				return nil
			}
			if !yield(ArchiveEntry{Item: item, Broken: reason, Next: at}, nil) {
				return errStopWalk
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopWalk) {
			yield(ArchiveEntry{Next: at}, err)
		}
	}
}
