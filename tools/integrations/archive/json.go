package archive

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

// maxElement bounds one element of a JSON or text document.
const maxElement = 16 << 20

// Elements calls f for each element of a JSON array of any size. It stops when ctx ends.
func Elements(ctx context.Context, source io.Reader, f func(json.RawMessage) error) error {
	share := &budget{ctx: ctx, source: source, left: maxElement}
	decoder := json.NewDecoder(share)
	if start, err := decoder.Token(); err != nil {
		return share.explain(err)
	} else if start != json.Delim('[') {
		return ErrForm
	}
	for decoder.More() {
		share.left = maxElement
		var raw json.RawMessage
		if err := decoder.Decode(&raw); err != nil {
			return share.explain(err)
		}
		if err := f(raw); err != nil {
			return err
		}
	}
	end, err := decoder.Token()
	if err == nil && end != json.Delim(']') {
		return ErrForm
	}
	return share.explain(err)
}

// Decoded takes a byte order mark off and turns UTF-16 into UTF-8; other bytes
// pass as they are.
func Decoded(r io.Reader) io.Reader {
	return transform.NewReader(r, unicode.BOMOverride(encoding.Nop.NewDecoder()))
}

// budget ends a document when one element takes more than its share, or when
// the caller gave up.
type budget struct {
	ctx    context.Context
	source io.Reader
	left   int64
}

func (b *budget) Read(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.left <= 0 {
		return 0, ErrTooLarge
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

// explain words the failures of a decoder for a user.
func (b *budget) explain(err error) error {
	var syntax *json.SyntaxError
	switch {
	case err == nil || b.ctx.Err() != nil || errors.Is(err, ErrTooLarge) || errors.Is(err, ErrBomb):
		return err
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("it ends in the middle")
	case errors.As(err, &syntax):
		return fmt.Errorf("its JSON is broken at byte %d", syntax.Offset)
	}
	return err
}

// maxWhole bounds a document that is read at once.
const maxWhole = 64 << 20

// Whole reads a JSON document that is small by its nature.
func Whole(ctx context.Context, d Document, v any) error {
	file, err := d.Open()
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	data, err := io.ReadAll(&budget{ctx: ctx, source: Decoded(file), left: maxWhole})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(bytes.TrimSpace(data), v); err != nil {
		if _, other := errors.AsType[*json.UnmarshalTypeError](err); other {
			return ErrForm
		}
		return errors.New("its JSON is broken")
	}
	return nil
}

// Emit takes an item, or the reason why it cannot be read. Its error ends the walk.
type Emit = func(Item, error) error

// Walk is the Reader of documents that a walk goes through from their beginning.
func Walk(walk func(ctx context.Context, d Document, file io.Reader, emit Emit) error) Reader {
	return func(ctx context.Context, d Document, from int64) iter.Seq2[Entry, error] {
		return Steps(from, func(emit Emit) error {
			file, err := d.Open()
			if err != nil {
				return err
			}
			defer file.Close() //nolint:errcheck // it was only read
			return walk(ctx, d, file, emit)
		})
	}
}

// ErrStop ends a walk whose caller wants no more.
var ErrStop = errors.New("stop")

// Steps turns a walk that calls emit for each item into entries. Positions
// count items, so reading goes on by passing over those before from.
func Steps(from int64, walk func(Emit) error) iter.Seq2[Entry, error] {
	return func(yield func(Entry, error) bool) {
		at := int64(0)
		err := walk(func(item Item, reason error) error {
			at++
			if at <= from {
				return nil
			}
			entry := Entry{Item: item, Next: at}
			if reason != nil {
				entry = broken(reason, at)
			}
			if !yield(entry, nil) {
				return ErrStop
			}
			return nil
		})
		if err != nil && !errors.Is(err, ErrStop) {
			yield(Entry{Next: at}, err)
		}
	}
}
