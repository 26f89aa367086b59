package document

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// decodeText turns the bytes of a text file into UTF-8: by byte order mark, by the
// pattern of UTF-16, as UTF-8 when valid, else as Windows-1252, which contains Latin-1.
// The second result names the encoding found.
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
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\ufffd"), "windows-1252"
	}
	return string(decoded), "windows-1252"
}

// utf16Of recognises UTF-16 by its mark, and that of mostly Latin text by its zero bytes,
// which lie on one side of nearly every pair.
func utf16Of(data []byte) encoding.Encoding {
	little, big := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), unicode.UTF16(unicode.BigEndian, unicode.UseBOM)
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
