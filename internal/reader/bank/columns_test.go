package bank

import (
	"strings"
	"testing"
)

func TestColumnsAreToldByWhatStandsBesideThem(t *testing.T) {
	for _, test := range []struct{ name, above, table, field, want string }{
		{"the currency of a purchase abroad is not that of the account", "", "Date,Description,Instructed Ccy,Currency,Amount\n2026-03-01,Rent of March,,,-700.00\n2026-03-02,Inn of Vilseck,,EUR,-61.20\n2026-03-03,Wages of March,,,900.00\n", Currency, "<nil> <nil> <nil>"},
		{"the amount beside the currency of the account", "", "Data operacji,Opis,Kwota operacji,Waluta operacji,Kwota w walucie rachunku,Waluta rachunku\n2026-03-01,Sklep w Luksemburgu,-14.90,USD,-59.17,PLN\n2026-03-02,Zwrot z Amsterdamu,40.00,EUR,171.24,PLN\n", Amount, "-59.17 171.24"},
		{"the amount beside the one currency, whatever the other columns are called", "", "Дата операции,Описание,Сумма операции,Валюта операции,Сумма платежа,Валюта платежа\n2026-03-13,Иван И.,2000.00,RUB,2000.00,RUB\n2026-03-02,Пятёрочка на углу,-12.50,USD,-1250.00,RUB\n", Currency, "RUB RUB"},
		{"a currency without a name beside the amount", "", "Date,Description,Orig currency,Orig amount,Payment currency,Amount\n2026-03-13,From Acme,EUR,2000.00,EUR,2000.00\n2026-03-02,Github of San Francisco,USD,-13.60,EUR,-12.50\n", Currency, "EUR EUR"},
		{"a row that is nothing but its fee", "", "Date,Description,Money In,Money Out,Fee,Balance\n2026-03-02,Checkers shop,,-12.50,,987.50\n2026-03-13,Wages of March,2000.00,,,2987.50\n2026-03-14,Text messages,,,-0.35,2987.15\n", Amount, "-12.5 2000 -0.35"},
		{"no sign where no balance tells it", "", "Date,Description,Withdrawal/Deposit,Balance\n2026-03-02,Tea shop,12.50,987.50\n2026-03-13,Wages of March,2000.00,2987.50\n2026-03-14,Book shop,20.00,2967.50\n", Amount, "<nil> 2000 -20"},
		{"what a broker bought and sold", "", "Date,Action,Symbol,Description,Quantity,Price,Amount\n2026-03-13,Dividend,MSFT,MICROSOFT CORP,,,12.50\n2026-03-02,Buy,VTI,VANGUARD TOTAL,2,250.00,-500.00\n", Amount, "12.5 -500"},
		{"a name over a currency and a number", "", "Datum,Omschrijving,Mutatie,,Saldo,\n2026-03-02,iDEAL storting,EUR,1500.00,EUR,1541.07\n2026-03-13,Kosten van derden,EUR,-1.00,EUR,1540.07\n", Amount, "1500 -1"},
		{"goods among the movements of a broker", "", "Date,Product,ISIN,Description,Amount,Balance\n2026-03-02,ASML,NL0010273215,Sale of two,1500.00,1541.07\n2026-03-13,ASML,NL0010273215,Fee of the broker,-1.00,1540.07\n", Amount, "1500 -1"},
		{"fees that have signs of their own", "", "Date,Title,Amount,Fees & Taxes,Net\n2026-02-24,Processing fee,--,-2.69,-2.69\n2026-02-24,Payment for Order,78.00,--,78.00\n2026-02-20,Credit for the fee,--,2.11,2.11\n2026-02-19,Etsy Ads,--,-12.40,-12.40\n2026-02-18,Refund to buyer,-32.50,--,-32.50\n", Amount, "-2.69 78 2.11 -12.4 -32.5"},
		{"fees that a refund gives back", "", "Date,Type,Details,Total,Fee,Payout\n2026-02-24,charge,Order of Ann,100.00,3.20,96.80\n2026-02-25,refund,Order of Bob,-50.00,-1.60,-48.40\n2026-02-26,payout,To the bank,-48.40,0.00,-48.40\n", Amount, "96.8 -48.4 -48.4"},
		{"the booked one of two amounts", "", "Date,Description,Transaction Amount,Billing Amount\n2026-03-02,Starbucks of Seattle,-14.90,-12.50\n2026-03-13,Acme payroll March,2000.00,2000.00\n", Amount, "-12.5 2000"},
		{"an original amount under any name", "", "Datum,Popis,Originální částka,Částka\n2026-03-02,Starbucks of Seattle,-14.90,-12.50\n2026-03-13,Acme payroll March,2000.00,2000.00\n", Amount, "-12.5 2000"},
		{"years of two digits that stand first", "", "거래일,적요,출금액,입금액,잔액\n26/03/02,체크카드,12500,0,987500\n26/03/13,전자금융,0,2000000,2987500\n", Date, "2026-03-02 2026-03-13"},
		{"the same day of two years", "", "Date,Details,Debit,Credit,Balance\n02.03.25,Fee of the year,12.50,,987.50\n02.03.26,Fee of the year,12.50,,975.00\n", Date, "2025-03-02 2026-03-02"},
		{"years of two digits that stand last", "", "Date,Details,Debit,Credit,Balance\n02/03/25,Tea shop,12.50,,987.50\n13/03/25,Wages,,2000.00,2987.50\n", Date, "2025-03-02 2025-03-13"},
		{"the only amount that each row has", "", "Booking Date,Value Date,Description,Abroad,Fee,Here\n2026-03-02,2026-03-03,Starbucks of Seattle,-14.90,0.20,-12.50\n2026-03-13,2026-03-13,Acme payroll March,,,2000.00\n2026-03-14,2026-03-14,Tesco in town,,,-4.00\n", Amount, openAmount},
		{"a day in three columns", "", "操作日(年),操作日(月),操作日(日),摘要,お支払金額,お預り金額,残高\n2026,2,25,振込 アオバ,,312400,496603\n2026,3,2,ＡＴＭ手数料,165,,496438\n", Date, "2026-02-25 2026-03-02"},
		{"the day of the transaction before that of the booking", "", "Abschlussdatum,Buchungsdatum,Valutadatum,Beschreibung,Belastung,Gutschrift,Saldo\n2026-02-14,2026-02-16,2026-02-14,Laden in Bern,-12.50,,987.50\n2026-02-25,2026-02-25,2026-02-25,Lohn im Februar,,900.00,1887.50\n", Date, "2026-02-14 2026-02-25"},
		{"yuan", "收入：1笔 1200.00元", "交易时间,商品说明,收/支,金额\n2026-03-09,转账,收入,1200.00\n2026-03-11,乘车码,支出,4.00\n", Currency, "CNY CNY"},
		{"the dollar of Taiwan, which is called yuan as well", "收入：1筆 1200.00元", "交易日期,摘要,支出金額,存入\n2026-03-09,轉帳,,1200.00\n2026-03-11,乘車碼,4.00,\n", Currency, "<nil> <nil>"},
		{"money out and in beside the amounts of purchases abroad", "", "Date d'achat,Texte comptable,Amount,Original currency,Currency,Debit,Credit,Ecriture\n2026-03-13,Inn of Como,50.00,EUR,CHF,48.20,,\n2026-03-12,Inn of Sion,-20.00,CHF,CHF,,20.00,2026-03-13\n2026-03-02,Your payment,,,CHF,,100.00,2026-03-02\n", Amount, "-48.2 20 100"},
		{"an amount with its sign where money out and in miss a row", "", "Booking date,Value date,Text of it,Amount,Debit,Credit\n2026-03-02,2026-03-02,Tea shop,-12.50,12.50,\n2026-03-03,2026-03-03,Fee of March,-1.00,,\n2026-03-13,2026-03-13,Wages of March,900.00,,900.00\n", Amount, "-12.5 -1 900"},
		{"an amount column for each currency", "", "Account number,Date,Description,CAD$,USD$\n11-22,3/14/2026,Tea shop,-12.50,\n11-22,3/15/2026,Wages of March,900.00,\n33-44,3/16/2026,Inn of Buffalo,,-64.19\n", Amount, "-12.5 900 -64.19"},
		{"a currency in wide brackets", "", "取引日,受入金額（円）,払出金額（円）,摘要,残高（円）\n20260401,,\"5,000\",カード,\"79,210\"\n20260402,\"1,000\",,給与,\"80,210\"\n", Currency, "JPY JPY"},
		{"a currency in a bracket above", "SUMMARY (KES)", "Date,Details,Paid in,Withdrawn,Balance\n2026-02-24,Airtime of the day,,-500.00,17342.75\n2026-02-20,Salary of Rift,600.00,,17842.75\n", Currency, "KES KES"},
		{"a currency by its word", "Mata uang : Rp", "Date,Details,Debit,Credit,Balance\n2026-02-24,Airtime of the day,500.00,,17342.75\n2026-02-20,Salary of Rift,,600.00,17842.75\n", Currency, "IDR IDR"},
		{"days without a year, of the period's", "Periode : 01/05/2026 - 31/05/2026", "Tanggal,Keterangan,Jumlah,,Saldo\n'02/05,TARIK DB TUNAI,\"150,000.00\",DB,\"850,000.00\"\n'06/05,GAJI MEI,\"500,000.00\",CR,\"1,350,000.00\"\n", Date, "2026-05-02 2026-05-06"},
		{"sides in a column without a name", "Periode : 01/05/2026 - 31/05/2026", "Tanggal,Keterangan,Jumlah,,Saldo\n'02/05,TARIK DB TUNAI,\"150,000.00\",DB,\"850,000.00\"\n'06/05,GAJI MEI,\"500,000.00\",CR,\"1,350,000.00\"\n", Amount, "-150000 500000"},
		{"days without a year in two of them", "Period: 2025-12-10 - 2026-01-09", "Date,Details,Debit,Credit,Balance\n12/31,Tea shop,12.50,,987.50\n01/02,Wages of Mill,,100.00,1087.50\n", Date, "2025-12-31 2026-01-02"},
		{"days without a year, one of them behind the period", "Period: 2026-05-01 - 2026-05-30", "Date,Details,Debit,Credit,Balance\n05/02,Tea shop,12.50,,987.50\n05/31,Wages of Mill,,100.00,1087.50\n", Date, "2026-05-02 2026-05-31"},
		{"days without a year under a head that comes again", "Period: 2026-05-01 - 2026-05-31", "Date,Details,Debit,Credit,Balance\n05/02,Tea shop,12.50,,987.50\nDate,Details,Debit,Credit,Balance\n05/03,Wages of Mill,,100.00,1087.50\n", Date, "2026-05-02 2026-05-03"},
		{"days without a year that may be months", "Period: 2026-01-01 - 2026-12-31", "Date,Details,Debit,Credit,Balance\n03/05,Tea shop,12.50,,987.50\n05/06,Wages of Mill,,100.00,1087.50\n", Date, "03/05/2026 05/06/2026"},
	} {
		table := tableOf(t, test.table)
		table.Above = [][]string{{test.above}}
		statement, why, _ := ReadMovements(table)
		if got := fieldOf(statement, why, test.field); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
		if test.name == "a name over a currency and a number" && strings.Contains(strings.Join(statement.Warnings, ""), "balances") {
			t.Errorf("%s: %q", test.name, statement.Warnings)
		}
	}
}
