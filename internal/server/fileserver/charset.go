package fileserver

import (
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
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
	head := make([]byte, charsetLength)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return "", fmt.Errorf("reading the opening: %w", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", fmt.Errorf("going back to the start: %w", err)
	}
	if head = head[:n]; n == charsetLength {
		head = wholeRunes(head)
	}
	if !utf8.Valid(head) {
		return plainText, nil
	}
	return plainText + "; charset=utf-8", nil
}

// wholeRunes drops a rune that is cut off at the end.
func wholeRunes(text []byte) []byte {
	for back := 1; back < utf8.UTFMax; back++ {
		if start := text[len(text)-back:]; utf8.RuneStart(start[0]) {
			if !utf8.FullRune(start) {
				return text[:len(text)-back]
			}
			break
		}
	}
	return text
}
