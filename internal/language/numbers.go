package language

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

var (
	// numberPattern is what may be written in several ways: 4.2, 49,90, 1'000, v2.4.1, 1000.
	numberPattern = lazyregexp.New(`\pL*\d+(?:[.,'’]\d+)+|\d{4,}`)
	// thousands are set apart by one sign throughout, decimals by another.
	thousands = lazyregexp.New(`^\d{1,3}(?:(?:\.\d{3})+(,\d{1,2})?|(?:,\d{3})+(\.\d{1,2})?|(?:['’]\d{3})+([.,]\d{1,2})?)$`)
	// amount is a number of which 49.9 and 49.90 are the same: a version has seldom
	// two digits before its only point.
	amount  = lazyregexp.New(`^\d{2,}[.,]\d0?$`)
	price   = lazyregexp.New(`^\d+[.,]\d0?$`)
	large   = lazyregexp.New(`^\d{4,12}(?:[.,]\d{1,2})?$`)
	version = lazyregexp.New(`^[vV]?\d+(?:\.\d+)+$`)
)

// Number is a number in a text with the ways to write it, each the words that it comes
// apart into; the given way is the first.
type Number struct {
	From, To int // where it stands
	Writings [][]string
}

// FindNumbers are up to most of a text that have parts, or may be written with some.
func FindNumbers(text string, limit int) (list []Number) {
	for _, at := range numberPattern().FindAllStringIndex(text, limit) {
		before, _ := utf8.DecodeLastRuneInString(text[:at[0]])
		behind, _ := utf8.DecodeRuneInString(text[at[1]:])
		if !isWordRune(before) && !isWordRune(behind) {
			list = append(list, Number{at[0], at[1], numberSpellings(text[at[0]:at[1]], isPrice(text[:at[0]], text[at[1]:]))})
		}
	}
	return list
}

// numberSpellings returns the ways to write a number. What may be a version or an amount in
// thousands (1.234) is read as both.
func numberSpellings(name string, money bool) [][]string {
	list := [][]string{Words(name)}
	add := func(parts ...string) {
		if !slices.ContainsFunc(list, func(other []string) bool { return slices.Equal(parts, other) }) {
			list = append(list, parts)
		}
	}
	if version().MatchString(name) && !amount().MatchString(name) {
		parts := strings.Split(strings.TrimLeft(name, "vV"), ".")
		add(parts...)
		add(append([]string{"v" + parts[0]}, parts[1:]...)...)
	}
	found := thousands().FindStringSubmatch(name)
	if found == nil && !large().MatchString(name) && !amount().MatchString(name) && !(money && price().MatchString(name)) {
		return list
	}
	whole, decimals := name, ""
	if at := strings.LastIndexAny(name, ".,"); at >= 0 && (found == nil || strings.Join(found[1:], "") != "") {
		whole, decimals = name[:at], name[at+1:]
	}
	digits := KeepRunes(whole, unicode.IsDigit)
	for _, units := range [][]string{{digits}, splitThousands(digits)} {
		if decimals == "" {
			add(units...)
			continue
		}
		bare := strings.TrimRight(decimals, "0")
		for _, other := range []string{decimals, bare, bare + "0", bare + "00"} {
			if len(other) <= 2 {
				add(slices.DeleteFunc(append(slices.Clone(units), other), func(part string) bool { return part == "" })...)
			}
		}
	}
	return list
}

// splitThousands parts 1000 into 1 and 000.
func splitThousands(digits string) (groups []string) {
	for ; len(digits) > 3; digits = digits[:len(digits)-3] {
		groups = append(groups, digits[len(digits)-3:])
	}
	groups = append(groups, digits)
	slices.Reverse(groups)
	return groups
}

// isPrice reports whether a sign of money stands before or behind.
func isPrice(before, behind string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " \u00a0"))
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(behind, " \u00a0"))
	return unicode.Is(unicode.Sc, last) || unicode.Is(unicode.Sc, first)
}
