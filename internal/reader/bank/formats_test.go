package bank

import (
	"context"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// told is a file as lines: its summary, its movements and its warnings.
func told(file File, err error) string {
	var lines []string
	if err != nil {
		lines = append(lines, "error: "+err.Error())
	}
	lines = append(lines, "= "+fieldsText(file.Summary()))
	for _, statement := range file.Statements {
		for _, movement := range statement.Movements {
			place := movement.Element
			if place == "" {
				place = fmt.Sprint(movement.Line)
			}
			lines = append(lines, place+" "+fieldsText(movement.Fields))
		}
		for _, warning := range statement.Warnings {
			lines = append(lines, "! "+warning)
		}
	}
	for _, warning := range file.Warnings {
		lines = append(lines, "! "+warning)
	}
	return strings.Join(lines, "\n") + "\n"
}

func fieldsText(fields Fields) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		parts = append(parts, fmt.Sprintf("%s=%v", name, fields[name]))
	}
	return strings.Join(parts, "|")
}

func camt(text string) (File, error) {
	return ReadCamt(context.Background(), xml.NewDecoder(strings.NewReader(text)), 1000)
}
func swift(text string) (File, error) { return ReadMT940(context.Background(), text, 1000) }
func ofx(text string) (File, error)   { return ReadOFX(context.Background(), text, 1000) }

const camtHead = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.`

const camtSimple = camtHead + `02"><BkToCstmrStmt><GrpHdr/><Stmt><Id>7</Id><CreDtTm>2026-04-01T06:00:00</CreDtTm>
<Acct><Id><IBAN>DE89370400440532013000</IBAN></Id><Ccy>EUR</Ccy><Ownr><Nm>Ann Example</Nm></Ownr></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">100.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-01</Dt></Dt></Bal>
<Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">87.50</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-03-31</Dt></Dt></Bal>
<Ntry><Amt Ccy="EUR">12.50</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts>BOOK</Sts><BookgDt><Dt>2026-03-02</Dt></BookgDt><ValDt><Dt>2026-03-03</Dt></ValDt><AcctSvcrRef>B1</AcctSvcrRef>
<NtryDtls><TxDtls><Refs><EndToEndId>RE-1</EndToEndId></Refs><RltdPties><Dbtr><Nm>Ann Example</Nm></Dbtr><Cdtr><Nm>Shop GmbH</Nm></Cdtr><CdtrAcct><Id><IBAN>GB82WEST12345698765432</IBAN></Id></CdtrAcct></RltdPties><RmtInf><Ustrd>Order 1</Ustrd><Ustrd>thanks</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>
</Stmt></BkToCstmrStmt></Document>`

const camtNew = camtHead + `08"><BkToCstmrStmt><Stmt><Id>8</Id><Acct><Id><Othr><Id>12-3</Id></Othr></Id><Ccy>CHF</Ccy></Acct>
<Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">0</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal><Bal><Tp><CdOrPrtry><Cd>CLBD</Cd></CdOrPrtry></Tp><Amt Ccy="CHF">50</Amt><CdtDbtInd>CRDT</CdtDbtInd></Bal>
<Ntry><Amt Ccy="CHF">30</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><DtTm>2026-03-02T14:05:33+01:00</DtTm></BookgDt><AcctSvcrRef>B2</AcctSvcrRef><NtryDtls>
<TxDtls><Refs><AcctSvcrRef>T1</AcctSvcrRef></Refs><Amt Ccy="CHF">10</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>One AG</Nm></Pty></Dbtr></RltdPties><RmtInf><Strd><CdtrRefInf><Ref>210000000003139471430009017</Ref></CdtrRefInf></Strd></RmtInf></TxDtls>
<TxDtls><Refs><AcctSvcrRef>T2</AcctSvcrRef></Refs><Amt Ccy="CHF">20</Amt><CdtDbtInd>CRDT</CdtDbtInd><RltdPties><Dbtr><Pty><Nm>Two AG</Nm></Pty></Dbtr></RltdPties></TxDtls></NtryDtls></Ntry>
<Ntry><Amt Ccy="CHF">5</Amt><CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>PDNG</Cd></Sts><ValDt><Dt>2026-03-09</Dt></ValDt><AddtlNtryInf>Card</AddtlNtryInf></Ntry>
</Stmt></BkToCstmrStmt></Document>`

const swiftGerman = `{1:F01BANKDEFFXXXX0000000000}{2:I940BANKDEFFXXXXN}{4:
:20:STARTUMS
:25:37040044/0532013000
:28C:1/1
:60F:C251230EUR100,00
:61:2512310102D12,50NDDTNONREF//BR1
:86:105?00LASTSCHRIFT?10931?20EREF+R-77?21MREF+M1?22SVWZ+Monthly bill number?23 four
?30COBADEFFXXX?31DE89370400440532013000?32POWER WORKS?33 GMBH?34992
:61:2601020102RC1,00NTRFABC
:86:plain words
over two lines
:62F:C260102EUR86,50
-}`

const swiftDutch = "ABNANL2A\r\n940\r\n:20:1\r\n:25:NL91ABNA0417164300EUR\r\n:28:2\r\n:60F:C260301EUR10,\r\n:61:2603010301C5,NTRFNONREF\r\n:86:/TRTP/SEPA OVERBOEKING/IBAN/NL91ABNA0417164300/BIC/ABNANL2A\r\n/NAME/J JANSEN/REMI/USTD//Dinner/EREF/NOTPROVIDED\r\n:62F:C260301EUR16,\r\n-\r\n"

const swiftOthers = ":20:1\n:25:PL61109010140000071219812874\n:28C:1\n:60F:C170103PLN100,00\n" +
	":61:170103D10,00FCHGNONREF\n:86:>20Accounts of December 2016>31491050195310000>32BOOKING GROUP\n" +
	":61:170110D5,00FCHGNONREF\n:86:>20Office, EUR 1 EUR=\n4.5385 PLN>31>32OFFICE GROUP\nSPOKOJNA 3\n" +
	":61:170111C20,00NTRFNONREF\n:86:INVOICE 201403110, 201403113\nREK: NL91ABNA0417164300/NAAM: J JANSEN\n" +
	":61:170112C7,00NTRFNONREF\n:86: /TRTP/SEPA CREDIT\n /ORDP/A BANK AB (PUBL)\n /REMI/OUR REF: 03MT18\n" +
	":61:170113D7,00NTRFNONREF\n:86:/BAI/469/MISCELLANEOUS ACH DEBIT\n/ORDP/Myself\n/BENM/Transfer House\n/ACNO/12-3011-0334122-37\n:62F:C170113PLN105,00\n-\n"

const ofxOld = "OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><SIGNONMSGSRSV1><SONRS><FI><ORG>First Bank\n<FID>1</FI></SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD\n<BANKACCTFROM><BANKID>021000021<ACCTID>123456<ACCTTYPE>CHECKING</BANKACCTFROM>\n<BANKTRANLIST><DTSTART>20260301<DTEND>20260331\n" +
	"<STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20260305120000[-5:EST]<TRNAMT>-12.50<FITID>A1<NAME>Smith &amp; Sons<MEMO>\n</STMTTRN>\n<STMTTRN><TRNTYPE>CHECK\n<DTPOSTED>20260306143015\n<TRNAMT>-1,000.00\n<FITID>A2\n<CHECKNUM>101\n<NAME>Rent\n</STMTTRN></BANKTRANLIST>\n<LEDGERBAL><BALAMT>987.50<DTASOF>20260331</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"

const ofxNew = `<?xml version="1.0"?><?OFX OFXHEADER="200" VERSION="211"?><OFX><CREDITCARDMSGSRSV1><CCSTMTTRNRS><CCSTMTRS><CURDEF>EUR</CURDEF><CCACCTFROM><ACCTID>4111</ACCTID></CCACCTFROM><BANKTRANLIST><STMTTRN><TRNTYPE>CREDIT</TRNTYPE><DTPOSTED>20260301</DTPOSTED><TRNAMT>5,25</TRNAMT><FITID>X</FITID><PAYEE><NAME>Refund Co</NAME></PAYEE><MEMO>back</MEMO><CURRENCY><CURRATE>1</CURRATE><CURSYM>USD</CURSYM></CURRENCY></STMTTRN></BANKTRANLIST></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1></OFX>`

func TestFilesOfBanksAreRead(t *testing.T) {
	for _, test := range []struct {
		name string
		told string
		want string
	}{
		{"a statement of camt.053.001.02", told(camt(camtSimple)), `= account_holder=Ann Example|closing_balance=87.5|currency=EUR|date=2026-04-01|iban=DE89370400440532013000|opening_balance=100|period_end=2026-03-31|period_start=2026-03-01|statement_number=7
Stmt[1]/Ntry[1] account=DE89370400440532013000|amount=-12.5|booking_date=2026-03-02|counterparty=Shop GmbH|counterparty_iban=GB82WEST12345698765432|currency=EUR|date=2026-03-02|description=Order 1 thanks|end_to_end_id=RE-1|reference=RE-1|transaction_id=B1|value_date=2026-03-03
`},
		{"a batch of camt.053.001.08 that adds up is its payments, and what is pending is in no balance", told(camt(camtNew)), `= account_number=12-3|closing_balance=50|currency=CHF|opening_balance=0|statement_number=8
Stmt[1]/Ntry[1]/TxDtls[1] account=12-3|amount=10|batch_reference=B2|booking_date=2026-03-02|counterparty=One AG|currency=CHF|date=2026-03-02|reference=210000000003139471430009017|time=14:05:33+01:00|transaction_id=T1
Stmt[1]/Ntry[1]/TxDtls[2] account=12-3|amount=20|batch_reference=B2|booking_date=2026-03-02|counterparty=Two AG|currency=CHF|date=2026-03-02|time=14:05:33+01:00|transaction_id=T2
Stmt[1]/Ntry[2] account=12-3|amount=-5|currency=CHF|date=2026-03-09|description=Card|information=Card|status=pending|value_date=2026-03-09
! 1 movements are still to come by their state (pending or authorised); they are in no balance
! the balances do not fit the movements: 0.00 at the beginning and 30.00 of 3 movements make 30.00, and the closing balance is 50.00
`},
		{"MT940 with numbered parts, a reversal and the turn of a year", told(swift(swiftGerman)), `= account_number=0532013000|bank_id=37040044|closing_balance=86.5|currency=EUR|opening_balance=100|period_end=2026-01-02|period_start=2025-12-30|statement_number=1/1
6 account=0532013000|amount=-12.5|bank_reference=BR1|batch_reference=931|booking_date=2026-01-02|counterparty=POWER WORKS GMBH|counterparty_bic=COBADEFFXXX|counterparty_iban=DE89370400440532013000|currency=EUR|date=2026-01-02|description=Monthly bill number four|mandate_reference=M1|reference=R-77|text_key=992|transaction_code=105|type=LASTSCHRIFT|value_date=2025-12-31
9 account=0532013000|amount=-1|booking_date=2026-01-02|currency=EUR|date=2026-01-02|description=plain words over two lines|reference=ABC|reversal=true|type=NTRF|value_date=2026-01-02
`},
		{"MT940 with named parts, whose balances do not fit", told(swift(strings.ReplaceAll(swiftDutch, "\r\n", "\n"))), `= closing_balance=16|currency=EUR|iban=NL91ABNA0417164300|opening_balance=10|period_end=2026-03-01|period_start=2026-03-01|statement_number=2
7 account=NL91ABNA0417164300|amount=5|booking_date=2026-03-01|counterparty=J JANSEN|counterparty_bic=ABNANL2A|counterparty_iban=NL91ABNA0417164300|currency=EUR|date=2026-03-01|description=Dinner|type=SEPA OVERBOEKING|value_date=2026-03-01
! the balances do not fit the movements: 10.00 at the beginning and 5.00 of 1 movements make 15.00, and the closing balance is 16.00
`},
		{"MT940 of other banks: numbered without a code, words alone, and parties by who pays", told(swift(swiftOthers)), `= closing_balance=105|currency=PLN|iban=PL61109010140000071219812874|opening_balance=100|period_end=2017-01-13|period_start=2017-01-03|statement_number=1
5 account=PL61109010140000071219812874|amount=-10|counterparty=BOOKING GROUP|counterparty_account=491050195310000|currency=PLN|date=2017-01-03|description=Accounts of December 2016|type=FCHG|value_date=2017-01-03
7 account=PL61109010140000071219812874|amount=-5|counterparty=OFFICE GROUP SPOKOJNA 3|currency=PLN|date=2017-01-10|description=Office, EUR 1 EUR= 4.5385 PLN|type=FCHG|value_date=2017-01-10
11 account=PL61109010140000071219812874|amount=20|currency=PLN|date=2017-01-11|description=INVOICE 201403110, 201403113 REK: NL91ABNA0417164300/NAAM: J JANSEN|type=NTRF|value_date=2017-01-11
14 account=PL61109010140000071219812874|amount=7|counterparty=A BANK AB (PUBL)|currency=PLN|date=2017-01-12|description=OUR REF: 03MT18|type=SEPA CREDIT|value_date=2017-01-12
18 account=PL61109010140000071219812874|amount=-7|counterparty=Transfer House|counterparty_account=12-3011-0334122-37|currency=PLN|date=2017-01-13|description=/BAI/469/MISCELLANEOUS ACH DEBIT/ORDP/Myself/BENM/Transfer House/ACNO/12-3011-0334122-37|type=NTRF|value_date=2017-01-13
`},
		{"OFX of SGML, whose elements need no end", told(ofx(ofxOld)), `= account_number=123456|account_type=checking|bank_id=021000021|closing_balance=987.5|currency=USD|institution=First Bank|period_end=2026-03-31|period_start=2026-03-01
9 account=123456|amount=-12.5|booking_date=2026-03-05|counterparty=Smith & Sons|currency=USD|date=2026-03-05|transaction_id=A1|type=debit
11 account=123456|amount=-1000|booking_date=2026-03-06|check_number=101|counterparty=Rent|currency=USD|date=2026-03-06|reference=101|time=14:30:15|transaction_id=A2|type=check
`},
		{"OFX of XML with a currency of its own", told(ofx(ofxNew)), `= account_number=4111|currency=EUR
1 account=4111|amount=5.25|booking_date=2026-03-01|counterparty=Refund Co|currency=USD|date=2026-03-01|description=back|transaction_id=X|type=credit
`},
		{"OFX without a statement", told(ofx("<OFX></OFX>")), "error: invalid OFX: it has no statement of an account\n= \n"},
		{"a movement of MT940 that is none", told(swift(":20:A\n:25:1\n:60F:C260301EUR1,\n:61:soon\n:62F:C260302EUR2,\n")), "= account_number=1|closing_balance=2|currency=EUR|opening_balance=1|period_end=2026-03-02|period_start=2026-03-01\n! 1 movements (:61:) could not be read\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if test.told != test.want {
				t.Errorf("read as\n%s\nwant\n%s", test.told, test.want)
			}
		})
	}
}

func TestAnInvestmentAccountSaysWhatIsNotReadOfIt(t *testing.T) {
	got := told(ofx(`OFXHEADER:100
<OFX><INVSTMTMSGSRSV1><INVSTMTTRNRS><INVSTMTRS><DTASOF>20260331<CURDEF>USD<INVACCTFROM><BROKERID>broker.example<ACCTID>77-1</INVACCTFROM>
<INVTRANLIST><DTSTART>20260301<DTEND>20260331<BUYSTOCK><INVBUY><INVTRAN><FITID>1<DTTRADE>20260302</INVTRAN><SECID><UNIQUEID>912810EQ7<UNIQUEIDTYPE>CUSIP</SECID><UNITS>10<UNITPRICE>5</INVBUY><BUYTYPE>BUY</BUYSTOCK>
<INVBANKTRAN><STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20261399<TRNAMT>12.50<FITID>2</STMTTRN></INVBANKTRAN></INVTRANLIST>
<INVPOSLIST><POSSTOCK><INVPOS><SECID><UNIQUEID>912810EQ7<UNIQUEIDTYPE>CUSIP</SECID><UNITS>10</INVPOS></POSSTOCK></INVPOSLIST></INVSTMTRS></INVSTMTTRNRS></INVSTMTMSGSRSV1></OFX>`))
	for _, want := range []string{"account_number=77-1", "currency=USD", "period_end=2026-03-31", "amount=12.5", "! 2 trades and positions of an investment account are not read", "! 1 movements have no day"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func TestWhatACamtEntrySaysOfItsPaymentsIsKeptOrTold(t *testing.T) {
	entry := func(side, more, payments string) string {
		return `<Document><BkToCstmrStmt><Stmt><Acct><Id><IBAN>DE89370400440532013000</IBAN></Id></Acct><Ntry><Amt Ccy="EUR">100</Amt><CdtDbtInd>` + side + `</CdtDbtInd>` + more +
			`<BookgDt><Dt>2026-03-02</Dt></BookgDt><NtryDtls>` + payments + `</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`
	}
	payment := func(currency, amount string) string {
		return `<TxDtls><Amt Ccy="` + currency + `">` + amount + `</Amt><RltdPties><Dbtr><Nm>Ourselves</Nm></Dbtr><Cdtr><Nm>Oak GmbH</Nm></Cdtr></RltdPties></TxDtls>`
	}
	for name, one := range map[string]struct{ text, want string }{
		"what is turned back keeps its parties":             {entry("CRDT", "<RvslInd>true</RvslInd>", payment("EUR", "100")), "counterparty=Oak GmbH"},
		"what was sent in another currency":                 {entry("DBIT", "", payment("USD", "110")), "original_amount=110|original_currency=USD"},
		"what is turned back names who it comes from":       {entry("CRDT", "<RvslInd>true</RvslInd>", "<TxDtls><RltdPties><Dbtr><Nm>Elm GmbH</Nm></Dbtr></RltdPties></TxDtls>"), "counterparty=Elm GmbH"},
		"what is turned back on an account without an IBAN": {strings.Replace(entry("CRDT", "<RvslInd>true</RvslInd>", "<TxDtls><RltdPties><Dbtr><Nm>Elm GmbH</Nm></Dbtr></RltdPties></TxDtls>"), "<IBAN>DE89370400440532013000</IBAN>", "<Othr><Id>12-3</Id></Othr>", 1), "counterparty=Elm GmbH"},
		"what is turned back never names its owner":         {strings.Replace(entry("CRDT", "<RvslInd>true</RvslInd>", "<TxDtls><RltdPties><Dbtr><Nm>Ourselves</Nm></Dbtr><DbtrAcct><Id><Othr><Id>12-3</Id></Othr></Id></DbtrAcct></RltdPties></TxDtls>"), "</Id></Acct>", "</Id><Ownr><Nm>Ourselves</Nm></Ownr></Acct>", 1), "reversal=true"},
		"payments that do not make up the entry":            {entry("DBIT", "", payment("EUR", "60")+payment("EUR", "50")), "sums up 2 payments whose amounts do not make up its own"},
		"payments that do are movements of their own":       {entry("DBIT", "", payment("EUR", "60")+payment("EUR", "40")), "amount=-60"},
	} {
		if got := told(camt(one.text)); !strings.Contains(got, one.want) || strings.Contains(got, "counterparty=Ourselves") || strings.Contains(got, "counterparty_account") {
			t.Errorf("%s: %q is not in\n%s", name, one.want, got)
		}
	}
}

func TestStatementsThatFollowOneAnotherAreOnePeriod(t *testing.T) {
	day := func(from, to string) string {
		return ":20:A\n:25:1\n:60F:C2603" + from + "EUR1,\n:62F:C2603" + to + "EUR1,\n-\n"
	}
	file, err := swift(day("01", "02") + day("02", "03"))
	if got := told(file, err); got != "= account_number=1|closing_balance=1|currency=EUR|opening_balance=1|period_end=2026-03-03|period_start=2026-03-01\n" {
		t.Error(got)
	}
	file, err = swift(day("01", "02") + strings.Replace(day("02", "03"), ":25:1", ":25:2", 1))
	if accounts, _ := file.Summary()["accounts"].([]map[string]any); err != nil || len(accounts) != 2 {
		t.Errorf("two accounts are listed as %v, %v", accounts, err)
	}
}
