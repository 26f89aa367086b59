package document

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAPartyEndsWithItsLineUnlessTheNextPlainlyContinuesIt(t *testing.T) {
	const head = "RENTAL AGREEMENT\n\nThis rental agreement is concluded between "
	two := []string{"Hausbau AG", "Ole Berg"}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"labels after a blank line":            {"Hausbau AG and Ole Berg\n\nStart date: 2026-05-01\nMonthly rent: EUR 980\n", two},
		"labels on the next line":              {"Hausbau AG and Ole Berg\nStart date: 2026-05-01\nMonthly rent: EUR 980\n", two},
		"labels of no known kind":              {"Hausbau AG and Ole Berg\nPets: none\nParking: Lot 7\n", two},
		"a value without a colon":              {"Hausbau AG and Ole Berg\nMonthly rent EUR 980\n", two},
		"labels in small letters":              {"Hausbau AG and Ole Berg\nstart date: 2026-05-01\nmonthly rent: EUR 980\n", two},
		"a heading":                            {"Hausbau AG and Ole Berg\n\nRent And Deposit\n\nThe rent is EUR 980.\n", two},
		"a numbered clause":                    {"Hausbau AG and Ole Berg\n1. Rent. The rent is EUR 980.\n", two},
		"a full stop and a paragraph":          {"Hausbau AG and Ole Berg.\n\nThe rent is EUR 980.\n", two},
		"the end of the text":                  {"Hausbau AG and Ole Berg.", two},
		"names on lines of their own":          {"\n\nHausbau AG\nHauptstrasse 5\n20095 Hamburg\n\nand\n\nOle Berg\nAm Deich 2\n\nRent: EUR 980\n", two},
		"a name that a line break parts":       {"Hausbau AG and Ole\nBerg, residing in Kiel, for the flat at the harbour.\n", two},
		"a legal form on the next line":        {"Hausbau\nAG and Ole Berg. The rent is EUR 980.\n", two},
		"a sentence that goes on":              {"Hausbau AG and Ole Berg\nfor the flat in Kiel (\"flat\").\n", nil},
		"the second name on the next line":     {"Hausbau AG and\nOle Berg, residing in Kiel\nRent: EUR 980\n", two},
		"an amount where a name should be":     {"Hausbau AG and Rent EUR 980\n", nil},
		"a date where a name should be":        {"Hausbau AG and 1 May 2026\n", nil},
		"a legal form with an and in its name": {"Smith and Sons Ltd,\nand Ole Berg\nRent: EUR 980\n", []string{"Smith and Sons Ltd", "Ole Berg"}},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := Fields(extract(t, []byte(head+c.text), Text), KindContract)
			got, _ := values["parties"].([]string)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	page := "<html><body><h1>Rental agreement</h1><p>This rental agreement is concluded between Hausbau AG and Ole Berg</p><p>Start date: 2026-05-01</p><p>Monthly rent: EUR 980</p></body></html>"
	values, _ := Fields(extract(t, []byte(page), HTML), KindContract)
	if diff := cmp.Diff(any(two), values["parties"]); diff != "" {
		t.Errorf("of a page with a paragraph each: %s", diff)
	}
}

func TestADateOfAnotherParagraphIsNotTheEndOfASentence(t *testing.T) {
	text := "LEASE AGREEMENT\n\nThe lease remains in force until revoked\n\n2026-05-01 was a Friday.\n"
	values, _ := Fields(extract(t, []byte(text), Text), KindContract)
	if values["end_date"] != nil {
		t.Errorf("end_date = %v", values["end_date"])
	}
	text = "LEASE AGREEMENT\n\nThe lease shall commence on\n1 May 2026 and is valid\nuntil 3 June 2027.\n"
	values, _ = Fields(extract(t, []byte(text), Text), KindContract)
	if values["start_date"] != "2026-05-01" || values["end_date"] != "2027-06-03" {
		t.Errorf("of a sentence over three lines: %v", values)
	}
}
