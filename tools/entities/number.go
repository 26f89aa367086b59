package entities

import (
	"math/big"
	"strconv"
	"strings"
)

// formatNumber prints a JSON number as ECMAScript would print its value, so
// that 1500.00, 1.5e3 and 1500 are the same text. Two kinds of number have no
// exact value there and would meet strangers: integers beyond 2^53 written in
// digits, which keep their digits unless a double holds them exactly, and
// numbers beyond the largest double, which keep their text in lower case.
func formatNumber(literal string) string {
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil {
		return strings.Replace(strings.ToLower(literal), "e+", "e", 1)
	}
	if !strings.ContainsAny(literal, ".eE") && len(literal) > 15 && !holdsInteger(f, literal) {
		return literal
	}
	return formatDouble(f)
}

func holdsInteger(f float64, literal string) bool {
	want, ok := new(big.Int).SetString(literal, 10)
	if !ok {
		return false
	}
	got, _ := big.NewFloat(f).Int(nil)
	return got.Cmp(want) == 0
}

// formatDouble is Number.prototype.toString of ECMA-262 for finite numbers, as
// JSON encodes them: the fewest digits that read back as the same double, with an
// exponent from 1e21 upwards and below 1e-6.
func formatDouble(f float64) string {
	if f == 0 {
		return "0" // also for -0
	}
	return string(encodeJSON(f))
}
