package reader

import (
	"bytes"
	"unicode/utf8"
)

// Bounds of XML, whose decoder takes many times the memory of a tag and several times that of a
// text. Each is beyond what programs write.
const (
	longestTag  = 4 << 20
	longestText = 8 << 20 // of one text, comment or CDATA section; as much as is kept of a file
)

const errTag limitError = "an element of the document has more attributes than are read; it was not read further"

// truncateLongXMLTexts is XML whose texts are cut where they are longer than is kept of them: one that
// carries a file is read up to its end. A tag beyond its bound ends the file.
func truncateLongXMLTexts(data []byte) (_ []byte, err error) {
	if len(data) <= longestTag {
		return data, nil
	}
	var kept []byte // of the data before from; nil while nothing was cut
	from, at := 0, 0
	for at < len(data) && err == nil {
		end, text := findMarkupEnd(data[at:])
		if !text && end > longestTag {
			err = errTag
			data = data[:at]
			break
		}
		if text && end > longestText {
			cut := at + longestText
			for cut > at && !utf8.RuneStart(data[cut]) {
				cut--
			}
			kept = append(kept, data[from:cut]...)
			from = at + end
		}
		at += end
	}
	if kept == nil {
		return data, err
	}
	return append(kept, data[from:]...), err
}

// findMarkupEnd returns where the piece of XML ends with which data begins, and whether that is text: a
// tag, or what stands up to the next one. The end of a comment or CDATA section is its mark,
// which stays when what is before it is cut.
func findMarkupEnd(data []byte) (length int, text bool) {
	end, text := "<", true
	switch {
	case bytes.HasPrefix(data, []byte("<!--")):
		end = "-->"
	case bytes.HasPrefix(data, []byte("<![CDATA[")):
		end = "]]>"
	case data[0] == '<':
		end, text = ">", false
	}
	length = bytes.Index(data, []byte(end))
	switch {
	case length < 0:
		return len(data), text
	case !text:
		length++
	}
	return length, text
}
