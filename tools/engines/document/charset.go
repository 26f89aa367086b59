package document

import (
	"bytes"
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
	if text, ok := decodeByMark(data); ok {
		if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
			return text, "utf-8"
		}
		return text, "utf-16"
	}
	if wide := utf16WithoutMark(data); wide != nil {
		if decoded, err := wide.NewDecoder().Bytes(data[:len(data)&^1]); err == nil {
			return string(decoded), "utf-16"
		}
	}
	if utf8.Valid(data) {
		return string(data), "utf-8"
	}
	return windows1252(data), "windows-1252"
}

func windows1252(data []byte) string {
	decoded, err := charmap.Windows1252.NewDecoder().Bytes(data)
	if err != nil {
		return string(bytes.ToValidUTF8(data, []byte("\ufffd")))
	}
	return string(decoded)
}

func decodeByMark(data []byte) (string, bool) {
	var from encoding.Encoding
	switch {
	case bytes.HasPrefix(data, []byte("\xef\xbb\xbf")):
		return string(bytes.ToValidUTF8(data[3:], []byte("\ufffd"))), true
	case bytes.HasPrefix(data, []byte("\xff\xfe")):
		from = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case bytes.HasPrefix(data, []byte("\xfe\xff")):
		from = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	default:
		return "", false
	}
	decoded, err := from.NewDecoder().Bytes(data[2 : 2+(len(data)-2)&^1])
	if err != nil {
		return "", false
	}
	return string(decoded), true
}

// utf16WithoutMark recognises UTF-16 of mostly Latin text by its zero bytes, which lie on
// one side of nearly every pair.
func utf16WithoutMark(data []byte) encoding.Encoding {
	sample := data[:min(len(data), 512)]
	pairs := len(sample) / 2
	if pairs < 4 {
		return nil
	}
	high, low := 0, 0
	for index := 0; index < pairs*2; index += 2 {
		if sample[index] == 0 {
			high++
		}
		if sample[index+1] == 0 {
			low++
		}
	}
	switch {
	case low*10 >= pairs*8 && high == 0:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case high*10 >= pairs*8 && low == 0:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
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
