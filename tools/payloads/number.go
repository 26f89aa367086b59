package payloads

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

// formatDouble is Number.prototype.toString of ECMA-262 for finite numbers: the
// fewest digits that read back as the same double, with an exponent from 1e21
// upwards and below 1e-6.
func formatDouble(f float64) string {
	if f == 0 {
		return "0" // also for -0
	}
	sign := ""
	if f < 0 {
		sign, f = "-", -f
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(f, 'e', -1, 64), "e")
	digits := strings.Replace(mantissa, ".", "", 1)
	e, _ := strconv.Atoi(exponent)
	k, n := len(digits), e+1 // the value is 0.digits × 10^n
	switch {
	case k <= n && n <= 21:
		return sign + digits + strings.Repeat("0", n-k)
	case 0 < n && n <= 21:
		return sign + digits[:n] + "." + digits[n:]
	case -6 < n && n <= 0:
		return sign + "0." + strings.Repeat("0", -n) + digits
	}
	power := "e+" + strconv.Itoa(n-1)
	if n <= 0 {
		power = "e" + strconv.Itoa(n-1)
	}
	if k == 1 {
		return sign + digits + power
	}
	return sign + digits[:1] + "." + digits[1:] + power
}
