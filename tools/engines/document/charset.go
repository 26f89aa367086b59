package document

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/saintfish/chardet"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	utf "golang.org/x/text/encoding/unicode"
)

// decodeText turns the bytes of a text file into UTF-8: by byte order mark, by the
// pattern of UTF-16, as UTF-8 when valid, else in the encoding of the language it seems to
// be in, else as Windows-1252, which contains Latin-1. The second result names the encoding.
func decodeText(data []byte) (text, name string) {
	if rest, marked := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); marked {
		return strings.ToValidUTF8(string(rest), "\ufffd"), "utf-8"
	}
	if wide := utf16Of(data); wide != nil {
		if decoded, err := wide.NewDecoder().Bytes(data[:len(data)&^1]); err == nil {
			return string(decoded), "utf-16"
		}
	}
	if utf8.Valid(data) {
		return string(data), "utf-8"
	}
	found, name := octetsOf(data)
	decoded, err := found.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\ufffd"), name
	}
	return string(decoded), name
}

// looked is how much of a text decides what language it is in.
const looked = 64 << 10

const (
	// leastSure is the confidence, of 100, in a language whose encoding is not Western.
	leastSure = 15
	// fewLetters are too few for trigrams to tell languages apart: several are as likely.
	fewLetters = 24
)

// octetsOf finds the encoding of a byte a character: by the language that the text seems to
// be in, as trigrams tell. Languages of different encodings that are as likely tell nothing.
func octetsOf(data []byte) (encoding.Encoding, string) {
	sample := data[:min(len(data), looked)]
	guesses, err := chardet.NewTextDetector().DetectAll(sample)
	if err != nil || guesses[0].Confidence < leastSure || letters(sample) < fewLetters {
		return charmap.Windows1252, "windows-1252"
	}
	found, name := encodingOf(guesses[0], sample)
	for _, other := range guesses[1:] { // in no certain order where they are as sure
		if _, otherwise := encodingOf(other, sample); other.Confidence == guesses[0].Confidence && otherwise != name {
			return charmap.Windows1252, "windows-1252"
		}
	}
	return found, name
}

// encodingOf is the encoding of a text in which trigrams found a charset and a language. The
// library names the charset of the languages of Central Europe wrongly, and the language of
// windows-1251.
func encodingOf(guess chardet.Result, sample []byte) (encoding.Encoding, string) {
	switch guess.Language {
	case "pl", "cs", "hu", "ro":
		if oddities(sample, charmap.ISO8859_2) < oddities(sample, charmap.Windows1250) {
			return charmap.ISO8859_2, "iso-8859-2"
		}
		return charmap.Windows1250, "windows-1250"
	}
	switch guess.Charset {
	case "ISO-8859-5", "KOI8-R", "windows-1251", "ISO-8859-7", "windows-1253", "ISO-8859-9", "windows-1254":
		if found, name := charset.Lookup(guess.Charset); found != nil {
			return found, name
		}
	}
	return charmap.Windows1252, "windows-1252"
}

// letters counts the letters of a text, of which those beyond ASCII are not known yet.
func letters(sample []byte) (n int) {
	for _, octet := range sample {
		if octet >= 0x80 || unicode.IsLetter(rune(octet)) {
			n++
		}
	}
	return n
}

// oddities counts what no text has beside a letter in an encoding: signs and controls.
func oddities(sample []byte, in *charmap.Charmap) (odd int) {
	previous := ' '
	for _, octet := range sample {
		next := in.DecodeByte(octet)
		if octet >= 0x80 && unicode.IsLetter(previous) && !unicode.IsLetter(next) || unicode.IsControl(next) && octet >= 0x80 {
			odd++
		}
		previous = next
	}
	return odd
}

// utf16Of recognises UTF-16 by its mark, and that of mostly Latin text by its zero bytes,
// which lie on one side of nearly every pair.
func utf16Of(data []byte) encoding.Encoding {
	little, big := utf.UTF16(utf.LittleEndian, utf.UseBOM), utf.UTF16(utf.BigEndian, utf.UseBOM)
	pairs := min(len(data), 512) / 2
	zero := [2]int{}
	for index, octet := range data[:pairs*2] {
		if octet == 0 {
			zero[index%2]++
		}
	}
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), pairs >= 4 && zero[1]*10 >= pairs*8 && zero[0] == 0:
		return little
	case bytes.HasPrefix(data, []byte("\xfe\xff")), pairs >= 4 && zero[0]*10 >= pairs*8 && zero[1] == 0:
		return big
	}
	return nil
}

// decodeDeclared decodes bytes of a declared charset; an unknown one falls back to decodeText.
func decodeDeclared(data []byte, label string) string {
	if found, _ := charset.Lookup(label); found != nil {
		if decoded, err := found.NewDecoder().Bytes(data); err == nil {
			return string(decoded)
		}
	}
	text, _ := decodeText(data)
	return text
}
