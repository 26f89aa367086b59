package bank

import (
	"strings"
	"testing"
)

// ofxOf is a statement of OFX with movements given as "type day amount".
func ofxOf(movements ...string) string {
	var text strings.Builder
	text.WriteString("OFXHEADER:100\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>CAD<BANKACCTFROM><ACCTID>77<ACCTTYPE>SAVINGS</BANKACCTFROM><BANKTRANLIST>")
	for _, movement := range movements {
		parts := strings.Fields(movement)
		text.WriteString("<STMTTRN><TRNTYPE>" + parts[0] + "<DTPOSTED>" + parts[1] + "<TRNAMT>" + strings.Join(parts[2:], " ") + "<FITID>n</STMTTRN>\n")
	}
	return text.String() + "</BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
}

func TestAmountsOfOFXAreReadByTheWholeFileOrLeftOut(t *testing.T) {
	for _, test := range []struct {
		name          string
		movements     []string
		want, warning string
	}{
		{"one that shows that the comma parts thousands", []string{"CREDIT 20250301 3,400", "DEBIT 20250302 -1,200.50"}, "3400 -1200.5", ""},
		{"one that shows that the point does", []string{"CREDIT 20250301 3.400", "DEBIT 20250302 -12,50"}, "3400 -12.5", ""},
		{"one that shows that the comma is decimal", []string{"CREDIT 20250301 34,25", "DEBIT 20250302 -1,5"}, "34.25 -1.5", ""},
		{"nothing shows it", []string{"CREDIT 20250301 3,400", "DEBIT 20250302 -7"}, "<nil> -7", "1 amounts can be read with thousands or with decimals, and nothing in the file decides: 3,400 is 3400, or has three decimals"},
		{"cents alone", []string{"CREDIT 20250301 .75"}, "0.75", ""},
		{"cents alone behind a comma", []string{"CREDIT 20250301 3.400,00", "DEBIT 20250302 -,75"}, "3400 -0.75", ""},
		{"types and signs that agree", []string{"CREDIT 20250301 3.40", "DEBIT 20250302 -7.00", "POS 20250303 -1.00"}, "3.4 -7 -1", ""},
		{"debits without a minus", []string{"CREDIT 20250301 3.40", "DEBIT 20250302 7.00"}, "3.4 -7", "the signs of 1 movements contradict their types, in the whole file"},
		{"all the other way round", []string{"CREDIT 20250301 -3.40", "DEBIT 20250302 7.00"}, "3.4 -7", "the signs of 2 movements contradict their types, in the whole file"},
		{"a debit that comes in among others", []string{"DEBIT 20250301 -3.40", "DEBIT 20250302 7.00"}, "-3.4 <nil>", "line 4: 7.00 of the type debit is 7.00 or -7.00"},
		{"a debit that comes in beside a signed payment", []string{"POS 20250301 -3.40", "DEBIT 20250302 7.00"}, "-3.4 <nil>", "line 4: 7.00 of the type debit is 7.00 or -7.00"},
		{"a type without a side in a file without signs", []string{"DEBIT 20250301 3.40", "XFER 20250302 7.00"}, "-3.4 <nil>", "line 4: 7.00 of the type xfer is 7.00 or -7.00"},
	} {
		file, err := ofx(ofxOf(test.movements...))
		if err != nil || len(file.Statements) != 1 {
			t.Fatalf("%s: %v", test.name, err)
		}
		statement := file.Statements[0]
		if got := fieldOf(statement, "", Amount); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if all := strings.Join(statement.Warnings, "\n"); test.warning == "" && all != "" || !strings.Contains(all, test.warning) {
			t.Errorf("%s: warnings %q, want %q", test.name, all, test.warning)
		}
	}
}

// swiftOf is a statement of MT940 with some fields between its balances of 50 and 80.
func swiftOf(fields string) string {
	return ":20:A\n:25:20020020/778\n:28C:3\n:60F:C250227EUR50,00\n" + fields + "\n:62F:C250301EUR80,00\n-\n"
}

func TestFieldsOfMachinesAreReadOrTold(t *testing.T) {
	entry := func(more string) string {
		return camtHead + `02"><BkToCstmrStmt><Stmt><Acct><Id><Othr><Id>5</Id></Othr></Id></Acct><Ntry><Amt Ccy="EUR">` + more + `<CdtDbtInd>DBIT</CdtDbtInd><BookgDt><Dt>2025-03-01</Dt></BookgDt></Ntry></Stmt></BkToCstmrStmt></Document>`
	}
	for _, test := range []struct {
		name, told string
		want, not  []string
	}{
		{"a line of MT940 that is broken", told(swift(swiftOf(":61:2503010301CR\n30,00NMSCNONREF\n:86:from Ann"))), []string{"amount=30|", "description=from Ann"}, []string{"could not be read", "information="}},
		{"what explains a movement that cannot be read", told(swift(swiftOf(":61:2503010301XX30,00\n:86:from Ann\n:61:2503010301C30,00NMSC\n:86:from Bob"))), []string{"1 movements (:61:) could not be read", "description=from Bob"}, []string{"information=", "from Ann"}},
		{"a value date that is no day keeps the booking date", told(swift(swiftOf(":61:2502290301C30,00NMSCNONREF"))), []string{"booking_date=2025-03-01|", "date=2025-03-01", "1 value dates are no days"}, []string{"value_date="}},
		{"neither date is a day", told(swift(swiftOf(":61:250229C30,00NMSCNONREF"))), []string{"amount=30|", "1 movements have no day, or one that is none"}, []string{"date="}},
		{"thousands in MT940", told(swift(swiftOf(":61:2503010301D1.030,00NMSC\n:61:2503010301C1.060,00NMSC"))), []string{"amount=-1030|", "amount=1060|"}, []string{"do not fit"}},
		{"a national code of a bank", told(swift(swiftOf(":61:2503010301C30,00NMSC\n:86:166?00GUTSCHRIFT?20Danke?3020020020?3144556677"))), []string{"counterparty_bank_id=20020020"}, []string{"counterparty_bic"}},
		{"a reversal of camt that is 1", told(camt(entry(`8.00</Amt><RvslInd>1</RvslInd>`))), []string{"amount=-8|", "reversal=true"}, nil},
		{"a reference of camt that says that there is none", told(camt(entry(`8.00</Amt><AcctSvcrRef>NotProvided</AcctSvcrRef>`))), []string{"amount=-8|"}, []string{"transaction_id"}},
		{"an amount of camt that can be read in two ways", told(camt(entry(`8,000</Amt>`))), []string{"1 of 1 movements have no amount that can be read"}, []string{"amount="}},
		{"a name of OFX in CDATA", told(ofx(strings.Replace(ofxOf("DEBIT 20250301 -3.40"), "<FITID>n", "<FITID>000</FITID><NAME><![CDATA[Fish & <Chips>]]></NAME>", 1))), []string{"counterparty=Fish & <Chips>"}, []string{"transaction_id"}},
		{"the time of OFX is of the day it stands at", told(ofx(strings.Replace(ofxOf("DEBIT 20250303101500 -3.40"), "<FITID>", "<DTUSER>20250301<FITID>", 1))), []string{"booking_date=2025-03-03", "|date=2025-03-01"}, []string{"time="}},
		{"a day of OFX with dashes", told(ofx(ofxOf("DEBIT 2025-03-03 -3.40"))), []string{"booking_date=2025-03-03"}, []string{"no day"}},
	} {
		for _, want := range test.want {
			if !strings.Contains(test.told, want) {
				t.Errorf("%s: %q is not in\n%s", test.name, want, test.told)
			}
		}
		for _, not := range test.not {
			if strings.Contains(test.told, not) {
				t.Errorf("%s: %q is in\n%s", test.name, not, test.told)
			}
		}
	}
}
