package fileserver

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestPlainTextInUTF8SaysSo(t *testing.T) {
	const utf8Text = "text/plain; charset=utf-8"
	for name, c := range map[string]struct{ text, mime, want string }{
		"letters beyond ASCII":            {"Köln", plainText, utf8Text},
		"nothing":                         {"", plainText, utf8Text},
		"another encoding":                {"K\xf6ln", plainText, plainText},
		"a page stays as it is":           {"Köln", "text/html", "text/html"},
		"a letter over the edge":          {strings.Repeat("x", charsetLength-1) + "ö", plainText, utf8Text},
		"a letter that ends at the edge":  {strings.Repeat("x", charsetLength-2) + "ö" + "x", plainText, utf8Text},
		"half a letter at the end":        {"K\xc3", plainText, plainText},
		"a sign of four bytes, cut":       {strings.Repeat("x", charsetLength-3) + "😀", plainText, utf8Text},
		"another encoding up to the edge": {strings.Repeat("x", charsetLength-2) + "\xf6x", plainText, plainText},
	} {
		t.Run(name, func(t *testing.T) {
			file := File{ReadSeekCloser: opened{bytes.NewReader([]byte(c.text))}, MIME: c.mime}
			got, err := contentType(file)
			if err != nil || got != c.want {
				t.Errorf("mediaType = %q, %v, want %q", got, err, c.want)
			}
			if rest, err := io.ReadAll(file); err != nil || string(rest) != c.text {
				t.Errorf("%d bytes are left to send, %v, want %d", len(rest), err, len(c.text))
			}
		})
	}
}
