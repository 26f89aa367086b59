package fileserver

import (
	"errors"
	"io"

	"golang.org/x/text/encoding"
)

// plainText is the one type of text that is shown rather than saved.
const plainText = "text/plain"

// charsetLength is how much of a text is looked at.
const charsetLength = 64 << 10

// mediaType is the type a file is sent with. Plain text in UTF-8 says so: without a
// charset a browser takes it for a legacy encoding and shows other letters.
func mediaType(file File) (string, error) {
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
