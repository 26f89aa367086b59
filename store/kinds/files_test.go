package kinds

import (
	"bytes"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// wide is a text in UTF-16, the low byte first or last.
func wide(text string, low int) []byte {
	var b []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		pair := [2]byte{}
		pair[low], pair[1-low] = byte(unit), byte(unit>>8)
		b = append(b, pair[:]...)
	}
	return b
}

func TestATextIsFoundWhereverItStandsInAFile(t *testing.T) {
	const wanted = "Müller Straße"
	filler := strings.Repeat("An ordinary line about gardens.\n", 20_000)
	at := func(place int) []byte { return []byte(filler[:place] + "MÜLLER\nSTRASSE" + filler[:1000]) }
	for name, tc := range map[string]struct {
		file []byte
		want bool
	}{
		"an empty file":                  {nil, false},
		"a file of other words":          {[]byte(filler), false},
		"at the beginning":               {at(0), true},
		"across the end of a window":     {at(searchWindow - 5), true},
		"at the start of a window":       {at(searchWindow), true},
		"in the overlap of two windows":  {at(searchWindow - searchOverlap - 3), true},
		"behind the first windows":       {at(2*searchWindow + 77), true},
		"UTF-16 with a mark":             {append([]byte{0xFF, 0xFE}, wide(string(at(300_000)), 0)...), true},
		"UTF-16, high byte first":        {append([]byte{0xFE, 0xFF}, wide(string(at(300_000)), 1)...), true},
		"UTF-16 without a mark":          {wide(string(at(300_000)), 0), true},
		"UTF-16 without a mark, reverse": {wide(string(at(300_000)), 1), true},
		"a letter in one byte":           {[]byte(filler + "M\xfcller Stra\xdfe" + filler), true},
		"escaped in JSON":                {[]byte(filler + `{"name":"M\u00fcller\nStra\u00dfe"}`), true},
		"among bytes of a program":       {append(bytes.Repeat([]byte{0, 255, 127, 3}, 100_000), at(10)...), true},
	} {
		t.Run(name, func(t *testing.T) {
			found, err := newNeedles([]string{wanted}).matchFile(t.Context(), iotest.HalfReader(bytes.NewReader(tc.file)), make([]byte, searchWindow))
			if err != nil || found != tc.want {
				t.Errorf("found: %t, error %v", found, err)
			}
		})
	}
}

func TestUnreadableFileIsReportedAsUnsearched(t *testing.T) {
	if _, err := newNeedles([]string{"Anna"}).matchFile(t.Context(), iotest.ErrReader(iotest.ErrTimeout), make([]byte, searchWindow)); err == nil {
		t.Error("the failure is lost")
	}
}
