package value

import "testing"

func TestAmountsInTheNotationsOfSeveralCountries(t *testing.T) {
	for _, test := range []struct {
		text       string
		convention NumberConvention
		value      float64
		currency   string
	}{
		{"1,234.56", Unknown, 1234.56, ""},
		{"1.234,56", Unknown, 1234.56, ""},
		{"$1,234.56", Unknown, 1234.56, "USD"},
		{"1.234,56 €", Unknown, 1234.56, "EUR"},
		{"EUR 1.234,56", Unknown, 1234.56, "EUR"},
		{"1'234.50 CHF", Unknown, 1234.5, "CHF"},
		{"1 234,50 €", Unknown, 1234.5, "EUR"},
		{"₹1,23,456.00", Unknown, 123456, "INR"},
		{"(1,234.56)", Unknown, -1234.56, ""},
		{"($12.00)", Unknown, -12, "USD"},
		{"-$12.00", Unknown, -12, "USD"},
		{"$-12.00", Unknown, -12, "USD"},
		{"12.00-", Unknown, -12, ""},
		{"−12,00", Unknown, -12, ""},
		{"12.00 CR", Unknown, 12, ""},
		{"12.00 DR", Unknown, -12, ""},
		{"CAD $12.00", Unknown, 12, "CAD"},
		{"R$ 1.234,50", Unknown, 1234.5, "BRL"},
		{"A$12.00", Unknown, 12, "AUD"},
		{"$12.00 USD", Unknown, 12, "USD"},
		{"100 kr", Unknown, 100, ""},
		{"49,-", Unknown, 49, ""},
		{"1.234", Comma, 1234, ""},
		{"1.234", Point, 1.234, ""},
		{"1,234", Unknown, 1234, ""},
		{"1,234", Comma, 1.234, ""},
		{"0.125", Unknown, 0.125, ""},
		{"24,5", Unknown, 24.5, ""},
		{"1.234.567", Unknown, 1234567, ""},
		{"7", Unknown, 7, ""},
		{"1250.500", Unknown, 1250.5, ""},
		{"$(12.00)", Unknown, -12, "USD"},
		{"(EUR 12,00)", Unknown, -12, "EUR"},
		{"OMR 1,234.500", Unknown, 1234.5, "OMR"},
		{"-,99", Comma, -0.99, ""},
		{"RM 1,234.50", Unknown, 1234.5, "MYR"},
	} {
		amount, ok := ParseAmount(test.text, test.convention)
		if !ok || amount.Value != test.value || amount.Currency != test.currency {
			t.Errorf("ParseAmount(%q) = %+v, %t; want %v %s", test.text, amount, ok, test.value, test.currency)
		}
	}
}

func TestWhatIsNoAmount(t *testing.T) {
	for _, text := range []string{"", "abc", "12 apples", "1.234", "1,23,4", "12.34.56", "2025-01-01", "12/2025", "A-17", "$", "EUR", "1 2 3", "12.5.", "--5", "555-1234", "99999999999999999999"} {
		if amount, ok := ParseAmount(text, Unknown); ok {
			t.Errorf("ParseAmount(%q) = %+v, want none", text, amount)
		}
	}
}

func TestConventionIsThatOfMostNumbers(t *testing.T) {
	for _, test := range []struct {
		want  NumberConvention
		texts []string
	}{
		{Point, []string{"1,234.56", "12.00 and 3,5"}},
		{Comma, []string{"1.234,56 €", "12,00"}},
		{Unknown, []string{"12", "1.234"}},
		{Comma, []string{"03.02.", "15.02.", "20.02", "84,00"}}, // days
		{Point, []string{"12.05", "3 pieces"}},
	} {
		if got := ConventionOf(test.texts); got != test.want {
			t.Errorf("ConventionOf(%q) = %d, want %d", test.texts, got, test.want)
		}
	}
}

func TestDatesInManyForms(t *testing.T) {
	for text, want := range map[string]string{
		"2025-01-15": "2025-01-15", "2025/1/5": "2025-01-05", "20250115": "2025-01-15", "15.01.2025": "2025-01-15", "1.2.25": "2025-02-01", "25/12/2024": "2024-12-25", "12/25/2024": "2024-12-25", "05/05/2025": "2025-05-05",
		"15 January 2025": "2025-01-15", "January 15, 2025": "2025-01-15", "Jan. 15 2025": "2025-01-15", "15-Jan-25": "2025-01-15", "Wednesday, January 15th, 2025": "2025-01-15", "1st day of May 2025": "2025-05-01",
		"15. Januar 2025": "2025-01-15", "1. März 2025": "2025-03-01", "15 janvier 2025": "2025-01-15", "1er août 2025": "2025-08-01", "15 de enero de 2025": "2025-01-15", "02/18/2025 14:32": "2025-02-18", "2026-03-13 10:11:12 EST": "2026-03-13", "20260302101112": "2026-03-02", "2026-03-02Z": "2026-03-02", "2026/03/02(月)": "2026-03-02", "02.03.2026 r.": "2026-03-02", "2026-Mar-02": "2026-03-02", "2 марта 2026": "2026-03-02", "02 Μαρ 2026": "2026-03-02", "02 مارس 2026": "2026-03-02", "02 paź 2026": "2026-10-02", "2025-01-15T10:30:00Z": "2025-01-15", "15.01.2025, 10:30 Uhr": "2025-01-15",
		"2024年3月5日": "2024-03-05", "令和6年3月5日": "2024-03-05", "令和元年 5 月 1 日": "2019-05-01", "平成31年4月30日": "2019-04-30",
	} {
		if date, ok := ParseDate(text, UnknownOrder); !ok || date.ISO != want {
			t.Errorf("ParseDate(%q) = %#v, %t; want %s", text, date, ok, want)
		}
	}
}

func TestWhatIsNoDate(t *testing.T) {
	for _, text := range []string{"", "31.02.2025", "13/13/2025", "2025-13-01", "Jan 2025", "12.50", "1/2", "tomorrow", "99/99/9999", "A 1.1.2025", "555-123-4567", "0/0/2025"} {
		if date, ok := ParseDate(text, UnknownOrder); ok {
			t.Errorf("ParseDate(%q) = %#v, want none", text, date)
		}
	}
}

func TestDayAndMonthAreOrderedByEvidenceOnly(t *testing.T) {
	if date, ok := ParseDate("03/04/2025", UnknownOrder); !ok || !date.Ambiguous || date.ISO != "" || date.Text != "03/04/2025" {
		t.Errorf("ParseDate = %#v, want an ambiguous date", date)
	}
	for order, want := range map[DateOrder]string{DayFirst: "2025-04-03", MonthFirst: "2025-03-04"} {
		if date, _ := ParseDate("03/04/2025", order); date.ISO != want {
			t.Errorf("%d: ParseDate = %#v, want %s", order, date, want)
		}
	}
	for want, texts := range map[DateOrder][]string{
		DayFirst: {"03/04/2025", "25/04/2025"}, MonthFirst: {"04/25/2025"}, UnknownOrder: {"25/04/2025", "04/25/2025"},
	} {
		if got := OrderOf(texts); got != want {
			t.Errorf("OrderOf(%q) = %d, want %d", texts, got, want)
		}
	}
}

func TestDatesAreFoundInSentences(t *testing.T) {
	found := FindDates("from 1 May 2025 until December 31, 2026 (signed 2025-04-02)", UnknownOrder)
	if len(found) != 3 || found[0].ISO != "2025-05-01" || found[1].ISO != "2026-12-31" || found[2].ISO != "2025-04-02" {
		t.Errorf("FindDates = %+v", found)
	}
}

func TestPercentages(t *testing.T) {
	if rate, ok := ParsePercent("19 %"); !ok || rate != 19 {
		t.Errorf("ParsePercent = %v, %t", rate, ok)
	}
	if _, ok := ParsePercent("19"); ok {
		t.Error("a bare number is taken for a percentage")
	}
}

func TestAColumnOfNumbersDecidesItsConvention(t *testing.T) {
	for _, test := range []struct {
		name  string
		cells []string
		want  NumberConvention
	}{
		{"decimals of two digits", []string{"1.234", "12,50"}, Comma},
		{"thousands that come twice", []string{"1.234.567", "5"}, Comma},
		{"both separators", []string{"1,234.56", "1,234"}, Point},
		{"three digits behind four are decimals", []string{"1.234", "1250.500"}, Point},
		{"three digits tell nothing", []string{"1.234", "5.678"}, Unknown},
		{"words before three digits", []string{"合計 ¥132,000", "소계 120,000"}, Unknown},
		{"a contradiction", []string{"1.5", "1,5"}, Unknown},
		{"currencies and signs are passed over", []string{"-1.234 €", "(12,5)", "CHF 3"}, Comma},
		{"nothing", nil, Unknown},
	} {
		if got := ColumnConvention(test.cells); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestAColumnOfDatesDecidesItsOrder(t *testing.T) {
	for _, test := range []struct {
		name  string
		cells []string
		span  Span
		want  DateOrder
	}{
		{"one that is plain", []string{"01/02/2026", "25/03/2026"}, Span{}, DayFirst},
		{"they run up with the month first", []string{"01/05/2026", "01/06/2026", "02/01/2026"}, Span{}, MonthFirst},
		{"they run down with the day first", []string{"01/03/2026", "05/02/2026", "04/02/2026"}, Span{}, DayFirst},
		{"two days run anyway", []string{"01/05/2026", "02/01/2026"}, Span{}, UnknownOrder},
		{"they lie in a period", []string{"01/05/2026", "02/05/2026"}, Span{Start: "2026-05-01", End: "2026-05-31"}, DayFirst},
		{"they lie in a period either way", []string{"01/05/2026"}, Span{Start: "2026-01-01", End: "2026-05-31"}, UnknownOrder},
		{"a contradiction", []string{"25/01/2026", "01/25/2026"}, Span{}, UnknownOrder},
		{"words", []string{"soon"}, Span{}, UnknownOrder},
	} {
		if got := ColumnOrder(test.cells, test.span, 3); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

func TestTimesOfDayAreReadBehindADayOrAlone(t *testing.T) {
	for text, want := range map[string]string{
		"2026-03-01 14:05:33": "14:05:33", "14:05": "14:05", "2:05 PM": "14:05", "12:30 am": "00:30", "2026-03-01T14:05:33.123Z": "14:05:33Z", "2026-03-01T14:05:33+01:00": "14:05:33+01:00", "2026-03-01 14:05:33 EDT": "14:05:33EDT",
		"01.03.2026 14.05.33": "14:05:33", "01.03.2026": "", "14.05": "", "25:00": "", "2026-03-01": "", "": "",
	} {
		if got := TimeOf(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestAnIBANIsKnownByItsCheckDigits(t *testing.T) {
	for text, want := range map[string]string{
		"DE89 3704 0044 0532 0130 00": "DE89370400440532013000", "gb82west12345698765432": "GB82WEST12345698765432", "DE88370400440532013000": "", "DE89": "", "R-2026-0001-0001-0001": "", "": "",
	} {
		if got, ok := ParseIBAN(text); ok != (want != "") || ok && got != want {
			t.Errorf("%q is %q, %t", text, got, ok)
		}
	}
}

func TestAmountsHaveTheSignsOfManyCountries(t *testing.T) {
	for text, want := range map[string]float64{
		"$1,000.00": 1000, "12.50-": -12.5, "−7.25": -7.25, "(3.50)": -3.5, "1.234,56-": -1234.56, "1'234.50": 1234.5, "CHF 12.–": 12, "12,50 €": 12.5, "1\u202f234,50": 1234.5, "1\u00a0234,50": 1234.5,
		"-$5": -5, "$-5": -5, "5 CR": 5, "5 DR": -5, "12.50Dr": -12.5, "12,50 S": -12.5, "12,50 H": 12.5, "1,23,456.00": 123456, "+12,50": 12.5, "3,50 euros": 3.5,
	} {
		if got, ok := ParseAmount(text, Unknown); !ok || got.Value != want {
			t.Errorf("%q is %v, %t, want %v", text, got.Value, ok, want)
		}
	}
	for _, text := range []string{"+49 170 1234567", "+1 234 567", "0170-1234567", "DE89370400440532013000", "1.2.3", "10.0.1", "2026-03-01", "01.03.2026", "12:30", "5 %", "A5 S", "", "-", "1.234"} {
		if got, ok := ParseAmount(text, Unknown); ok {
			t.Errorf("%q is the number %v", text, got.Value)
		}
	}
}

func TestASignOfSeveralCurrenciesStatesNone(t *testing.T) {
	for text, want := range map[string]string{"$12.00": "", "¥12.00": "", "￥12.00": "", "US$12.00": "USD", "1200円": "JPY", "12,00 €": "EUR", "12,00 EUROA": "EUR", "USD 12.00": "USD", "12.00": ""} {
		if amount, ok := ParseAmount(text, Unknown); !ok || amount.StatedCurrency() != want {
			t.Errorf("%q states %q, %t, want %q", text, amount.StatedCurrency(), ok, want)
		}
	}
}

func TestTheCountryOfATextTellsTheOrderOfItsDays(t *testing.T) {
	for text, want := range map[string]DateOrder{
		"Datum": DayFirst, "Buchungsdatum": DayFirst, "Money out (£)": DayFirst, "Sort code: 01-02-03": DayFirst, "Montant HT": DayFirst,
		"Routing number 123": MonthFirst, "Denver, CO 80202": MonthFirst, "Form W-2": MonthFirst,
		"Date": UnknownOrder, "Usage": UnknownOrder, "Two chairs": UnknownOrder, "Unlimited plan": UnknownOrder, "Datum, Routing number": UnknownOrder,
	} {
		if got := OrderOfCountry([]string{text}); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
