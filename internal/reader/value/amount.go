// Package value reads what people write in fields: amounts of money and dates, in the
// notations of several countries. A reader takes a whole string; what does not belong to
// the notation makes it no value. What stays ambiguous is reported, not guessed.
package value

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

// NumberConvention is how a document writes its numbers.
type NumberConvention int

// Conventions. Unknown reads what is unambiguous and takes 1,234 as English.
const (
	Unknown NumberConvention = iota
	Point                    // 1,234.56
	Comma                    // 1.234,56
)

// Amount is a number with its currency; Currency is an ISO 4217 code, or "" when the text
// names none or only a sign several currencies share.
type Amount struct {
	Value    float64
	Currency string
	Sign     string // the currency sign as written, "$" for "$12.00"
	Decimals int    // digits after the decimal separator
	Side     int    // -1 where a mark behind the number says that it goes out, 1 that it comes in
}

// HasCurrencyOrCents tells whether the text says that it is money: a currency or cents.
func (amount Amount) HasCurrencyOrCents() bool { return amount.Sign != "" || amount.Decimals == 2 }

// StatedCurrency is the currency that the text names, "" for a sign that stands for more than one: any
// country's dollar, yen and yuan.
func (amount Amount) StatedCurrency() string {
	if slices.Contains([]string{"$", "¥", "￥"}, amount.Sign) {
		return ""
	}
	return amount.Currency
}

// currencySigns maps signs to codes, longest first where one contains another. An empty
// code is a sign of several currencies.
var currencySigns = []struct{ sign, code string }{
	{"US$", "USD"}, {"CA$", "CAD"}, {"AU$", "AUD"}, {"NZ$", "NZD"}, {"HK$", "HKD"}, {"MX$", "MXN"}, {"A$", "AUD"}, {"C$", "CAD"}, {"S$", "SGD"}, {"R$", "BRL"},
	{"$", "USD"}, {"€", "EUR"}, {"£", "GBP"}, {"¥", "JPY"}, {"￥", "JPY"}, {"円", "JPY"}, {"₹", "INR"}, {"₽", "RUB"}, {"₩", "KRW"}, {"원", "KRW"}, {"₺", "TRY"}, {"₪", "ILS"}, {"₫", "VND"}, {"₴", "UAH"}, {"฿", "THB"}, {"TL", "TRY"}, {"ريال سعودي", "SAR"}, {"ש\"ח", "ILS"}, {"בש\"ח", "ILS"}, {"NIS", "ILS"}, {"руб.", "RUB"}, {"руб", "RUB"}, {"грн", "UAH"}, {"лв.", "BGN"}, {"лв", "BGN"}, {"lei", "RON"}, {"Lei", "RON"}, {"LEI", "RON"}, {"S/.", "PEN"}, {"S/", "PEN"}, {"RMB", "CNY"}, {"RM", "MYR"}, {"人民币", "CNY"}, {"元", ""},
	{"zł", "PLN"}, {"Kč", "CZK"}, {"Ft", "HUF"}, {"kr.", ""}, {"kr", ""}, {"Fr.", "CHF"}, {"sFr.", "CHF"}, {"Rs.", "INR"}, {"Rs", "INR"}, {"Rp.", "IDR"}, {"Rp", "IDR"}, {"₦", "NGN"}, {"KSh", "KES"}, {"Ksh", "KES"}, {"₱", "PHP"}, {"yen", "JPY"}, {"Yen", "JPY"}, {"日本円", "JPY"}, {"euros", "EUR"}, {"Euros", "EUR"}, {"euro", "EUR"}, {"Euro", "EUR"}, {"EUROS", "EUR"}, {"EUROA", "EUR"}, {"EURO", "EUR"}, {"EUROA", "EUR"},
}

// currencyCodes are the codes of ISO 4217 that are in use.
var currencyCodes = strings.Fields("AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG")

// HasThousandths tells whether a currency has three decimals.
func HasThousandths(code string) bool {
	return slices.Contains([]string{"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}, code)
}

// CurrencyOf is the currency that a sign or a code stands for: "" for a sign of several
// ones. It is false for other texts.
func CurrencyOf(text string) (code string, ok bool) {
	for _, currency := range currencySigns {
		if text == currency.sign {
			return currency.code, true
		}
	}
	return text, slices.Contains(currencyCodes, text)
}

// IsCurrencyCode tells whether the text is a code of ISO 4217 that is in use.
func IsCurrencyCode(text string) bool { return slices.Contains(currencyCodes, text) }

var (
	numberBody = lazyregexp.New(`^\d[\d.,'’ ]*$`)
	centsOnly  = lazyregexp.New(`^[.,]\d\d$`)
	telephone  = lazyregexp.New(`^\d{1,3}(?: \d{2,}){2,}$`) // behind a plus
)

// ParseAmount reads a whole string as an amount: signs, brackets for negatives, currency
// before or after, the separators of several countries.
func ParseAmount(text string, convention NumberConvention) (Amount, bool) {
	amount := Amount{}
	rest := strings.TrimSpace(foldSpacesAndDigits(text))
	if len(rest) > 1 && rest[0] == '*' && rest[1] >= '0' && rest[1] <= '9' { // as tills print so that no digit can be added
		rest = rest[1:]
	}
	if strings.ContainsAny(rest, "¥￥円") {
		rest = strings.TrimRight(rest, "-−―") // which ends an amount of yen like ",-" one of others
	}
	if rest == "" || len(rest) > 60 {
		return amount, false
	}
	negative := false
	// A sign or a currency may stand first or last, in any order, and brackets around both or
	// around the number alone: peel until a number is left.
	for range 5 {
		before := rest
		if strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")") && !negative {
			rest, negative = strings.TrimSpace(rest[1:len(rest)-1]), true
		}
		rest, negative = peelSign(rest, negative)
		rest = peelDebitCreditMark(rest, &amount)
		rest = peelCurrency(rest, &amount)
		if rest == before {
			break
		}
	}
	for _, suffix := range []string{",--", ",-", ".--", ".-", ",—", ".—", ",–", ".–"} {
		if trimmed, ok := strings.CutSuffix(rest, suffix); ok {
			rest = trimmed
			break
		}
	}
	if centsOnly().MatchString(rest) {
		rest = "0" + rest
	}
	if !numberBody().MatchString(rest) || (strings.HasPrefix(strings.TrimSpace(text), "+") && telephone().MatchString(rest)) {
		return Amount{}, false
	}
	number, decimals, ok := parseNumber(rest, convention)
	if !ok {
		return Amount{}, false
	}
	amount.Value, amount.Decimals = number, decimals
	if (negative || amount.Side < 0) && number != 0 {
		amount.Value = -number
	}
	return amount, true
}

// FoldDigits writes the digits and separators of Arabic and Persian as those of English.
func FoldDigits(text string) string { return strings.Map(foldDigit, text) }

func foldDigit(character rune) rune {
	switch {
	case character >= '٠' && character <= '٩':
		return character - '٠' + '0'
	case character >= '۰' && character <= '۹':
		return character - '۰' + '0'
	case character == '٫':
		return '.'
	case character == '٬':
		return ','
	}
	return character
}

// foldSpacesAndDigits writes all spaces alike, and all digits.
func foldSpacesAndDigits(text string) string {
	return strings.Map(func(character rune) rune {
		if unicode.IsSpace(character) || character == '\u202f' || character == '\u2009' {
			return ' '
		}
		return foldDigit(character)
	}, text)
}

// signs stand before or behind a number.
var signs = []struct {
	mark     string
	negative bool
}{{"-", true}, {"−", true}, {"–", true}, {"+", false}}

func peelSign(text string, negative bool) (string, bool) {
	for _, sign := range signs {
		if sign.negative && negative {
			continue
		}
		rest, found := strings.CutPrefix(text, sign.mark)
		if !found {
			rest, found = strings.CutSuffix(text, sign.mark)
			// "12,-" has no cents, which is no minus.
			found = found && !(sign.negative && rest != "" && strings.ContainsAny(rest[len(rest)-1:], ",.-"))
		}
		if found {
			return strings.TrimSpace(rest), negative || sign.negative
		}
	}
	return text, negative
}

// sideMark is the side of an account behind an amount: debit and credit, Soll and Haben.
var sideMark = lazyregexp.New(`^(.*\d)\s?((?i:cr|dr|db)\.?)$|^(.*,\d\d) ([SH])$`)

func peelDebitCreditMark(text string, amount *Amount) string {
	match := sideMark().FindStringSubmatch(text)
	if match == nil {
		return text
	}
	if amount.Side = 1; strings.ContainsAny(match[2]+match[4], "SDd") {
		amount.Side = -1
	}
	return match[1] + match[3]
}

func peelCurrency(text string, amount *Amount) string {
	if len(text) > 3 {
		if code := text[:3]; slices.Contains(currencyCodes, code) && !startsWithLetter(text[3:]) {
			amount.Currency, amount.Sign = code, code
			return strings.TrimSpace(text[3:])
		}
		if code := text[len(text)-3:]; slices.Contains(currencyCodes, code) && !endsWithLetter(text[:len(text)-3]) {
			amount.Currency, amount.Sign = code, code
			return strings.TrimSpace(text[:len(text)-3])
		}
	}
	for _, currency := range currencySigns {
		rest, before := strings.CutPrefix(text, currency.sign)
		if before && startsWithLetter(rest) {
			continue
		}
		if !before {
			var after bool
			if rest, after = strings.CutSuffix(text, currency.sign); !after || endsWithLetter(rest) {
				continue
			}
		}
		if amount.Sign == "" { // a code beside the sign says more: "CAD $12"
			amount.Sign, amount.Currency = currency.sign, currency.code
		}
		return strings.TrimSpace(rest)
	}
	return text
}

func startsWithLetter(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsLetter(first)
}

func endsWithLetter(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return unicode.IsLetter(last)
}

// grouped numbers: thousands by threes, or the Indian grouping 12,34,567.
var groupings = map[rune]lazyregexp.Pattern{
	',':  lazyregexp.New(`^\d{1,3}(,\d{3})+$|^\d{1,2}(,\d{2})+,\d{3}$`),
	'.':  lazyregexp.New(`^\d{1,3}(\.\d{3})+$`),
	'\'': lazyregexp.New(`^\d{1,3}('\d{3})+$`),
	' ':  lazyregexp.New(`^\d{1,3}( \d{3})+$`),
}

// parseNumber reads digits and separators; decimals is the number of digits after the
// decimal separator.
func parseNumber(text string, convention NumberConvention) (number float64, decimals int, ok bool) {
	text = strings.ReplaceAll(text, "’", "'")
	whole, fraction := text, ""
	comma, point := strings.Count(text, ","), strings.Count(text, ".")
	cut := func(separator string) {
		at := strings.LastIndex(text, separator)
		whole, fraction = text[:at], text[at+1:]
	}
	switch {
	case comma > 0 && point > 0:
		if strings.LastIndex(text, ",") > strings.LastIndex(text, ".") {
			cut(",")
		} else {
			cut(".")
		}
	case comma == 1:
		if isDecimalSeparator(text, ",", convention == Comma) {
			cut(",")
		}
	case point == 1:
		at := strings.Index(text, ".")
		if len(text)-at-1 == 3 && at <= 3 && convention == Unknown && !strings.HasPrefix(text, "0.") && !strings.ContainsAny(text, "' ") {
			return 0, 0, false // 1.234: a thousand or one and a bit
		}
		if isDecimalSeparator(text, ".", convention == Point) {
			cut(".")
		}
	}
	if strings.ContainsAny(fraction, ".,' ") {
		return 0, 0, false
	}
	digits, ok := removeThousandsSeparators(whole)
	if !ok || len(digits)+len(fraction) > 17 {
		return 0, 0, false
	}
	parsed, err := strconv.ParseFloat(digits+"."+fraction+"0", 64)
	if err != nil {
		return 0, 0, false
	}
	return parsed, len(fraction), true
}

// isDecimalSeparator tells whether the only separator is the decimal one: always, unless exactly
// three digits follow; then the document's convention decides.
func isDecimalSeparator(text, separator string, byConvention bool) bool {
	at := strings.Index(text, separator)
	if len(text)-at-1 != 3 || at > 3 || text[:at] == "0" || strings.ContainsAny(text, "' ") {
		return true
	}
	return byConvention
}

func removeThousandsSeparators(text string) (string, bool) {
	separator := rune(0)
	for _, character := range text {
		if character >= '0' && character <= '9' {
			continue
		}
		if separator != 0 && character != separator {
			return "", false
		}
		separator = character
	}
	if separator == 0 {
		return text, text != ""
	}
	if !groupings[separator]().MatchString(text) {
		return "", false
	}
	return strings.ReplaceAll(text, string(separator), ""), true
}

var (
	pointNumber = lazyregexp.New(`(?:^|[^\d.,])(?:\d{1,3}(?:,\d{3})+\.\d{1,2}|\d+\.\d{2})(?:[^\d.,]|[.,]?$|[.,]\s)`)
	dayMonth    = lazyregexp.New(`^[0-3]\d\.[01]\d\.?$`)
	commaNumber = lazyregexp.New(`(?:^|[^\d.,])(?:\d{1,3}(?:\.\d{3})+,\d{1,2}|\d+,\d{2})(?:[^\d.,]|[.,]?$|[.,]\s)`)
)

// ConventionOf tells how most numbers with cents in the texts are written; Unknown when
// there are none or as many of either kind. What may be a day without its year counts only
// where nothing else does.
func ConventionOf(texts []string) NumberConvention {
	point, comma, days := 0, 0, 0
	for _, text := range texts {
		if dayMonth().MatchString(strings.TrimSpace(text)) {
			days++
			continue
		}
		point += len(pointNumber().FindAllString(text, -1))
		comma += len(commaNumber().FindAllString(text, -1))
	}
	switch {
	case point > comma, days > 0 && point+comma == 0:
		return Point
	case comma > point:
		return Comma
	}
	return Unknown
}

var percentage = lazyregexp.New(`^\(?\s*(\d{1,3}(?:[.,]\d{1,3})?)\s*%\s*\)?$`)

// ParsePercent reads a whole string as a percentage: "19 %", "(7,7%)".
func ParsePercent(text string) (float64, bool) {
	match := percentage().FindStringSubmatch(strings.TrimSpace(foldSpacesAndDigits(text)))
	if match == nil {
		return 0, false
	}
	number, err := strconv.ParseFloat(strings.ReplaceAll(match[1], ",", "."), 64)
	return number, err == nil && number <= 100
}

// IsWordLikeCurrencyCode tells the codes of currencies that are words in capitals too.
func IsWordLikeCurrencyCode(code string) bool { return slices.Contains(wordCodes, code) }

var wordCodes = strings.Fields("ALL BOB CUP GEL LAK MOP SOS STN TOP")
