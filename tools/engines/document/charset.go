package document

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
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

// fewLetters are too few to tell languages apart.
const fewLetters = 24

// alphabets are the letters beyond ASCII that a language writes with, the rare ones behind a
// space, and the encodings of one byte a character that its files have. The first that fits a
// text best is taken.
var alphabets = []struct {
	letters   string
	encodings []*charmap.Charmap
}{
	{"äöüß", western},
	{"àâæçéèêëîïôœùûü", western},
	{"áéíñóúü", western},
	{"ãáâàçéêíóõôú", western},
	{"àèéìòù", western},
	{"ëïéöüèáó", western},
	{"åäöéæø", western},
	{"áðéíóúýþæö", western},
	{"ąćęłńóśźż", central},
	{"áčďéěíňóřšťúůýžľĺôäŕ", central},
	{"áéíóöőúüű", central},
	{"ăâîşţ", central},
	{"čćđšž", central},
	{"çğıiöşüâ", []*charmap.Charmap{charmap.Windows1254}},
	{"оеаинтсрвлі бгдёжзйкмпуфхцчшщъыьэюяїєґў", []*charmap.Charmap{charmap.Windows1251, charmap.KOI8R, charmap.ISO8859_5}},
	{"αοιετσνηυρ κλμπδγθχβφξζψωςάέήίόύώϊϋ", []*charmap.Charmap{charmap.ISO8859_7, charmap.Windows1253}},
}

var (
	western = []*charmap.Charmap{charmap.Windows1252}
	central = []*charmap.Charmap{charmap.Windows1250, charmap.ISO8859_2}
)

// octetsOf finds the encoding of a byte a character: the one in which most characters beyond
// ASCII are letters of one language, in places where letters stand.
func octetsOf(data []byte) (encoding.Encoding, string) {
	sample := data[:min(len(data), looked)]
	best := charmap.Windows1252
	if letters(sample) >= fewLetters {
		most := 0
		for _, alphabet := range alphabets {
			for _, candidate := range alphabet.encodings {
				if fits := fit(sample, candidate, alphabet.letters); fits > most {
					best, most = candidate, fits
				}
			}
		}
	}
	name, _ := htmlindex.Name(best) // all of them have one
	return best, name
}

// fit tells how well the characters beyond ASCII suit an alphabet. Its letters count for it, and
// what no text of its language has counts against it: other letters, signs beside a letter,
// capital letters behind small ones, digits and letters of two scripts in a word.
func fit(sample []byte, in *charmap.Charmap, alphabet string) (fits int) {
	common, rare, _ := strings.Cut(alphabet, " ")
	previous := ' '
	for _, octet := range sample {
		next := in.DecodeByte(octet)
		small := unicode.ToLower(next)
		switch {
		case unicode.IsLetter(next) && unicode.IsLetter(previous) && unicode.Is(unicode.Latin, next) != unicode.Is(unicode.Latin, previous):
			fits -= 2
		case unicode.IsDigit(next) && previous >= 0x80 && unicode.IsLetter(previous):
			fits -= 2
		case octet < 0x80:
		case unicode.IsUpper(next) && unicode.IsLower(previous), unicode.IsLetter(next) && unicode.IsDigit(previous):
			fits -= 2
		case strings.ContainsRune(common, small):
			fits += 2
		case strings.ContainsRune(rare, small):
			fits++
		case unicode.IsLetter(next), unicode.IsLetter(previous), unicode.IsControl(next), next == utf8.RuneError:
			fits -= 2
		}
		previous = next
	}
	return fits
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
