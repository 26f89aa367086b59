package reader

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	utf "golang.org/x/text/encoding/unicode"
)

// decodeToUTF8 turns the bytes of the content's file into UTF-8, names their encoding and warns
// where it is a guess.
func (content *Content) decodeToUTF8(data []byte) string {
	text, name, sure := decodeBytes(data)
	content.setMetadata("encoding", name)
	if !sure {
		content.warn("nothing tells for sure in which encoding the file is written: it was read as " + name + ", and letters with accents or of other scripts may be wrong")
	} else if strings.ContainsRune(text, utf8.RuneError) && !bytes.ContainsRune(data, utf8.RuneError) {
		content.warn("some characters are none in the encoding " + name + " and were replaced")
	}
	return text
}

// decodeText returns decodeBytes for those who need not know whether it is sure.
func decodeText(data []byte) (text, name string) {
	text, name, _ = decodeBytes(data)
	return text, name
}

// decodeBytes turns the bytes of a text file into UTF-8: by byte order mark, by the
// pattern of UTF-16, as UTF-8 when valid, else in the encoding of the language it seems to
// be in, else as Windows-1252, which contains Latin-1. It names the encoding and tells
// whether it is sure.
func decodeBytes(data []byte) (text, name string, sure bool) {
	if rest, marked := bytes.CutPrefix(data, []byte("\xef\xbb\xbf")); marked {
		return strings.ToValidUTF8(string(rest), "\ufffd"), "utf-8", true
	}
	if wide := detectUTF16(data); wide != nil {
		if decoded, err := wide.NewDecoder().Bytes(data[:len(data)&^1]); err == nil {
			return string(decoded), "utf-16", true
		}
	}
	if utf8.Valid(data) {
		return string(data), "utf-8", true
	}
	found, name, sure := detectLegacyEncoding(data)
	decoded, err := found.NewDecoder().Bytes(data)
	if err != nil {
		return strings.ToValidUTF8(string(data), "\ufffd"), name, false
	}
	return string(decoded), name, sure
}

// looked is how much of a text decides what language it is in.
const looked = 64 << 10

// fewLetters are too few to tell languages apart.
const fewLetters = 24

// fewOctets are too few to tell the letters of DOS from the signs of Windows.
const fewOctets = 6

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
	{"оеаинтсрвлі бгдёжзйкмпуфхцчшщъыьэюяїєґў", []*charmap.Charmap{charmap.Windows1251, charmap.KOI8R, charmap.ISO8859_5, charmap.CodePage866}},
	{"αοιετσνηυρ κλμπδγθχβφξζψωςάέήίόύώϊϋ", []*charmap.Charmap{charmap.ISO8859_7, charmap.Windows1253}},
	{"יוהלאתרבמש נעדחקפסכגזטצםןךףץ", []*charmap.Charmap{charmap.Windows1255}},
	{"ايلمنوترب عدسحكفقجهشصطخذضثزظغأإآؤئىءة", []*charmap.Charmap{charmap.Windows1256}},
	{"ąčęėįšųūž", []*charmap.Charmap{charmap.Windows1257}},
	{"āčēģīķļņšūž", []*charmap.Charmap{charmap.Windows1257}},
}

var (
	western = []*charmap.Charmap{charmap.Windows1252, charmap.CodePage850}
	central = []*charmap.Charmap{charmap.Windows1250, charmap.ISO8859_2, charmap.CodePage852}
)

// detectLegacyEncoding finds the encoding of bytes that are no Unicode: of a byte a character the one in
// which most characters beyond ASCII are letters of one language, in places where letters
// stand; where that fits few of them, one of eastern Asia. It is sure when it fits most of
// the letters, and no other one as many with other letters.
func detectLegacyEncoding(data []byte) (found encoding.Encoding, name string, sure bool) {
	sample := data[:min(len(data), looked)]
	best, most, rival := charmap.Windows1252, 0, false
	for _, alphabet := range alphabets {
		for _, candidate := range alphabet.encodings {
			if isDOS(candidate) && countNonASCIIBytes(sample) < fewOctets {
				continue // signs of Windows are letters of DOS
			}
			switch fits := scoreEncodingFit(sample, candidate, alphabet.letters); {
			case fits > most:
				best, most, rival = candidate, fits, false
			case fits == most && most > 0:
				rival = rival || !hasSameDecoding(sample, best, candidate)
			}
		}
	}
	found, sure = best, !rival && (best == charmap.Windows1252 || countLetterBytes(sample) >= fewLetters)
	foreign, undefined := 0, false
	for _, octet := range sample {
		next := best.DecodeByte(octet)
		undefined = undefined || next == utf8.RuneError || octet >= 0x80 && unicode.IsControl(next)
		if octet >= 0x80 && unicode.IsLetter(next) {
			foreign++
		}
	}
	if doubtful := most < foreign || undefined; doubtful || isDOS(best) {
		if asian := detectEastAsianEncoding(sample); asian != nil {
			found, sure = asian, true
		} else if doubtful {
			sure = false
		}
	}
	if name, _ = htmlindex.Name(found); name == "" { // a code page of DOS
		name = fmt.Sprint(found)
	}
	return found, name, sure
}

func isDOS(page *charmap.Charmap) bool {
	return page == charmap.CodePage850 || page == charmap.CodePage852 || page == charmap.CodePage866
}

// hasSameDecoding tells whether a text is the same in two encodings.
func hasSameDecoding(sample []byte, one, other *charmap.Charmap) bool {
	return !slices.ContainsFunc(sample, func(octet byte) bool { return one.DecodeByte(octet) != other.DecodeByte(octet) })
}

// asian are the encodings of several bytes a character, and the characters that texts in them
// have in plenty: kana, Hangul, and the signs that Chinese banks and firms write most.
var asian = []struct {
	in     encoding.Encoding
	common func(rune) bool
	share  int  // of a hundred characters beyond ASCII
	paired bool // both bytes of a character are beyond ASCII
}{
	{japanese.ShiftJIS, isKana, 12, false},
	{japanese.EUCJP, isKana, 12, true},
	{korean.EUCKR, func(character rune) bool { return unicode.Is(unicode.Hangul, character) }, 70, true},
	{simplifiedchinese.GB18030, makeRuneSetMatcher("日期摘要支出收入余额交易金账户银行转工资费用手款元年月人中国公司有限的一是不在水电超市备注号名称类型对方存取"), 25, false},
	{traditionalchinese.Big5, makeRuneSetMatcher("日期摘要支出收入餘額交易金帳戶銀行轉工薪資費用手款元年月人中國公司有限的一是不在水電超市備註號名稱類型對方存取"), 25, false},
}

// isKana tells whether a character is one of the Japanese syllables, those of half width, in which banks
// print names, among them.
func isKana(character rune) bool {
	return character >= '\u3041' && character <= '\u30ff' || character >= '\uff66' && character <= '\uff9f'
}

func makeRuneSetMatcher(characters string) func(rune) bool {
	return func(character rune) bool { return strings.ContainsRune(characters, character) }
}

// detectEastAsianEncoding finds the encoding of eastern Asia in which all bytes of a text are characters, and
// many of them common; nil when there is none.
func detectEastAsianEncoding(sample []byte) encoding.Encoding {
	if end := bytes.LastIndexByte(sample, '\n'); end > 0 {
		sample = sample[:end] // no character is cut
	}
	for _, candidate := range asian {
		decoded, err := candidate.in.NewDecoder().Bytes(sample)
		if err != nil || bytes.ContainsRune(decoded, utf8.RuneError) || bytes.ContainsFunc(decoded, func(character rune) bool { return character >= 0x80 && character < 0x2000 }) {
			continue
		}
		wide, common := 0, 0
		for _, character := range string(decoded) {
			if character >= 0x80 {
				wide++
				if candidate.common(character) {
					common++
				}
			}
		}
		if common*100 >= wide*candidate.share && (!candidate.paired || countNonASCIIBytes(sample) == 2*wide) {
			return candidate.in
		}
	}
	return nil
}

// scoreEncodingFit tells how well the characters beyond ASCII suit an alphabet. Its letters count for it, and
// what no text of its language has counts against it: other letters, signs beside a letter,
// capital letters behind small ones, digits and letters of two scripts in a word.
func scoreEncodingFit(sample []byte, in *charmap.Charmap, alphabet string) (fits int) {
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
		case next == '\u00a0' && !unicode.IsLetter(previous):
			fits += 2 // a space behind a sign
		case octet < 0x80, next == '’':
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

// countNonASCIIBytes counts the bytes that are no ASCII.
func countNonASCIIBytes(sample []byte) (count int) {
	for _, octet := range sample {
		if octet >= 0x80 {
			count++
		}
	}
	return count
}

// countLetterBytes counts the letters of a text, of which those beyond ASCII are not known yet.
func countLetterBytes(sample []byte) (n int) {
	for _, octet := range sample {
		if octet >= 0x80 || unicode.IsLetter(rune(octet)) {
			n++
		}
	}
	return n
}

// detectUTF16 recognises UTF-16 by its mark, and that of mostly Latin text by its zero bytes,
// which lie on one side of nearly every pair.
func detectUTF16(data []byte) encoding.Encoding {
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
