package fileserver

import (
	"errors"
	"io"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
)

// maxName bounds a name in bytes, as most file systems do.
const maxName = 200

// sanitizeFileName makes any text a name that is safe in a path and in a header: one
// component, without characters that are invisible or turn the reading direction.
func sanitizeFileName(name string) string {
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

// contentDisposition says that a browser shows images and plain text and saves the
// rest, under the file's name.
func contentDisposition(mediaType, name string) string {
	how := "attachment"
	switch mediaType {
	case "image/png", "image/jpeg", "image/gif", "image/webp", "text/plain":
		how = "inline"
	}
	if header := mime.FormatMediaType(how, map[string]string{"filename": sanitizeFileName(name)}); header != "" {
		return header
	}
	return how
}

// plainText is the one type of text that is shown rather than saved.
const plainText = "text/plain"

// charsetLength is how much of a text is looked at.
const charsetLength = 64 << 10

// contentType is the type a file is sent with. Plain text in UTF-8 says so: without a
// charset a browser takes it for a legacy encoding and shows other letters.
func contentType(file File) (string, error) {
	if file.MIME != plainText {
		return file.MIME, nil
	}
	head, err := io.ReadAll(io.LimitReader(file, charsetLength))
	if err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return "", err
	}
	whole := len(head) < charsetLength // else a letter may be cut off at the end
	if _, _, err := encoding.UTF8Validator.Transform(head, head, whole); errors.Is(err, encoding.ErrInvalidUTF8) {
		return plainText, nil
	}
	return plainText + "; charset=utf-8", nil
}
