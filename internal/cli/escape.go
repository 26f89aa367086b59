package cli

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"toolkit/internal/language"
)

// escapingTerminal is a person's terminal, on which what is remembered can only be read:
// characters that command it, turn the direction of text or cannot be seen are
// written as JSON escapes them, so that JSON stays JSON. Pipes and files get every
// byte as it is.
type escapingTerminal struct {
	file *os.File
	cut  []byte // the beginning of a character whose rest comes with the next Write
}

// escapeForTerminals puts visible before a terminal; other streams stay as they are.
func (s Streams) escapeForTerminals() (Streams, func()) {
	flush := func() {}
	if file, ok := s.Out.(*os.File); ok && isTerminal(file) {
		out := &escapingTerminal{file: file}
		s.Out, flush = out, out.flush
	}
	if file, ok := s.Err.(*os.File); ok && isTerminal(file) {
		s.Err = &escapingTerminal{file: file}
	}
	return s, flush
}

func (v *escapingTerminal) Write(p []byte) (int, error) {
	text := append(v.cut, p...)
	whole := len(text)
	for back := 1; back <= min(utf8.UTFMax-1, len(text)); back++ {
		if start := text[len(text)-back:]; utf8.RuneStart(start[0]) {
			if !utf8.FullRune(start) {
				whole -= back
			}
			break
		}
	}
	v.cut = bytes.Clone(text[whole:])
	if _, err := v.file.WriteString(escapeText(text[:whole])); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush writes the beginning of a character whose rest never came.
func (v *escapingTerminal) flush() {
	v.file.WriteString(escapeText(v.cut)) //nolint:errcheck // the command is over
	v.cut = nil
}

// escapeText is a text as a terminal may have it.
func escapeText(text []byte) string {
	var b strings.Builder
	before := rune(0)
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		shaping := 0
		if language.IsHidden(r) {
			shaping = language.ShapingLength(before, string(text[:min(len(text), maxShaping)]))
		}
		switch {
		case shaping > 0:
			size = shaping
			b.Write(text[:size])
			r, _ = utf8.DecodeLastRune(text[:size])
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case r == '\r' && len(text) > 1 && text[1] == '\n':
			b.WriteByte('\r')
		case r >= firstCode && r < firstCode+rune(len(ownCodes)):
			b.WriteString(ownCodes[r-firstCode])
		case language.IsHidden(r):
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, `\u%04x`, unit)
			}
		default:
			b.WriteRune(r)
		}
		before, text = r, text[size:]
	}
	return b.String()
}

// maxShaping is more bytes than the longest sequence of characters that shape one.
const maxShaping = 32

// ownCodes are what commands themselves send to a terminal: colours, and the way
// back to the start of a line. They pass as characters of the range for private
// use that differ with each run, so that nothing that is remembered can stand for
// them.
var (
	ownCodes  = []string{"\r", "\x1b[0m", "\x1b[1;31m", "\x1b[31m", "\x1b[32m", "\x1b[36m", "\x1b[33m", "\x1b[2m"}
	firstCode = 0x100000 + rand.N[rune](0xFF00)
)

// protectColourCode is one of ownCodes as it is to be written to a stream.
func protectColourCode(stream io.Writer, code string) string {
	if _, ok := stream.(*escapingTerminal); !ok {
		return code
	}
	return string(firstCode + rune(slices.Index(ownCodes, code)))
}
