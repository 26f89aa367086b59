package fileserver

import (
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName bounds a name in bytes, as most file systems do.
const maxName = 200

// plainName makes any text a name that is safe in a path and in a header: one
// component, without characters that are invisible or turn the reading direction.
func plainName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError, r == '/', r == '\\', r == ':', !unicode.IsGraphic(r), unicode.In(r, unicode.Bidi_Control, unicode.Zl, unicode.Zp):
			return '_'
		}
		return r
	}, name)
	for len(name) > maxName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	if strings.Trim(name, " .") == "" {
		return "file"
	}
	return name
}

// disposition says that a browser shows images and plain text and saves the
// rest, under the file's name.
func disposition(mediaType, name string) string {
	how := "attachment"
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain":
		how = "inline"
	}
	if header := mime.FormatMediaType(how, map[string]string{"filename": plainName(name)}); header != "" {
		return header
	}
	return how
}
