package bank

import (
	"fmt"
	"strings"
	"testing"
)

func TestCurrenciesAreThoseOfTheAmount(t *testing.T) {
	for name, test := range map[string]struct{ table, want string }{
		"the head of the amount names another one":  {"Date,Details,Amount (UAH),Amount of the purchase,Currency,Balance\n2026-03-02,Booking of a room,-438.36,-10.0,EUR,561.64\n2026-03-01,Wages of March,1000.00,1000.00,UAH,1000.00\n", "-438.36 UAH; 1000 UAH"},
		"beside another amount":                     {"Date,Amount,Details,Original amount,Currency,Balance\n2026-03-02,-438.36,Booking of a room,-10.0,EUR,561.64\n2026-03-01,1000.00,Wages of March,1000.00,UAH,1000.00\n", "-438.36 ; 1000 "},
		"beside the amount and before another one":  {"Date,Details,Amount,Currency,Original amount\n2026-03-02,Booking of a room,-438.36,UAH,-10.0\n2026-03-01,Wages of March,1000.00,EUR,1000.00\n", "-438.36 UAH; 1000 EUR"},
		"the rows of one are alike":                 {"Date,Details,Transaction amount,Currency,Amount in CHF\n2026-03-01,Hotel of Rome,-100.00,EUR,-97.10\n2026-03-02,Migros of Bern,-20.00,CHF,-20.00\n", "-97.1 CHF; -20 CHF"},
		"beside money out and in":                   {"Date,Details,Debit,Credit,Foreign amount,Currency,Balance\n2026-03-01,Hotel of Rome,108.00,,100.00,EUR,892.00\n2026-03-02,Wages of March,,2000.00,2000.00,USD,2892.00\n", "-108 ; 2000 "},
		"behind a rate, which is no amount":         {"Date,Details,Amount,Rate,Currency\n2026-03-02,Booking of a room,-438.36,1.10,UAH\n2026-03-01,Wages of March,1000.00,1.00,EUR\n", "-438.36 UAH; 1000 EUR"},
		"numbered columns of a description":         {"Date,Description 1,Description 2,CAD$,USD$\n3/14/2026,Transfer,To the savings,-12.00,\n3/15/2026,Interest,,,0.44\n", "-12 CAD; 0.44 USD"},
		"a column of amounts that come with others": {"Date,Details,Booked,CAD$,USD$\n2026-03-14,Tea shop,-12.00,-12.00,-9.00\n2026-03-15,Wages of March,9.00,9.00,7.00\n", ""},
	} {
		statement, _, _ := ReadMovements(tableOf(t, test.table))
		var got []string
		for _, movement := range statement.Movements {
			got = append(got, fmt.Sprint(movement.Fields[Amount], " ", movement.Fields.text(Currency)))
		}
		if strings.Join(got, "; ") != test.want {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}
