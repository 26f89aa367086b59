package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"unicode/utf8"
)

// edge is how far into a line that exceeds the limit, from either end, its id is looked for.
const edge = 4 << 10

// A line is one line of input without its end.
type line struct {
	text    []byte
	tooLong bool            // it exceeded the limit; its text is missing
	id      json.RawMessage // of one that exceeded the limit; nil where it was not found
}

// readLine returns the next line. The last one needs no end; one that a failure of the input cuts off is not returned.
func readLine(reader *bufio.Reader, limit int) (l line, err error) {
	for {
		part, err := reader.ReadSlice('\n')
		l.text = append(l.text, bytes.TrimSuffix(part, []byte("\n"))...)
		if !l.tooLong && len(l.text) > limit {
			l.tooLong, l.id = true, findID(idAtStart, l.text[:min(edge, len(l.text))])
		}
		if l.tooLong {
			l.text = append(l.text[:0], l.text[max(0, len(l.text)-edge):]...)
		}
		switch {
		case err == nil && l.tooLong && l.id == nil:
			l.id = findID(idAtEnd, l.text)
			return l, nil
		case err == nil, errors.Is(err, io.EOF) && len(l.text) > 0:
			l.text = bytes.Trim(bytes.TrimPrefix(l.text, []byte("\ufeff")), " \t\r")
			return l, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return line{}, err
		}
	}
}

// The id of a message whose middle is missing, beside which stand none but members of the envelope. Clients write it
// before or behind the parameters. A quote within a text has a backslash, so that nothing in the parameters looks like it.
var (
	idAtStart = regexp.MustCompile(`^(?:\x{feff})?\s*\{\s*(?:` + shortMember + `\s*,\s*)*` + idMember + `\s*,`)
	idAtEnd   = regexp.MustCompile(`,\s*` + idMember + `(?:\s*,\s*` + shortMember + `)*\s*\}\s*$`)
)

const (
	idMember    = `"id"\s*:\s*("(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*)`
	shortMember = `"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"`
)

func findID(pattern *regexp.Regexp, part []byte) json.RawMessage {
	found := pattern.FindSubmatch(part)
	if found == nil || !json.Valid(found[1]) || !utf8.Valid(found[1]) {
		return nil
	}
	return bytes.Clone(found[1])
}
