package reader

import (
	"strings"
	"testing"
)

// TestOtherTablesStayTables: a list of goods, of measurements or of people is none of an
// account, however many days and numbers it has.
func TestOtherTablesStayTables(t *testing.T) {
	for name, table := range map[string]string{
		"invoices":      "Invoice no,Date,Customer,Net amount,VAT,Total\nR-1,2026-03-01,Smith & Sons,100.00,19.00,119.00\nR-2,2026-03-02,Jones Ltd,50.00,9.50,59.50\n",
		"orders":        "Date,Product,Quantity,Unit price,Amount\n2026-03-01,Green tea,2,4.50,9.00\n2026-03-02,Black tea,1,3.00,3.00\n",
		"returns":       "Date,Description,Quantity,Unit price,Amount\n2026-03-01,Green tea,2,4.50,9.00\n2026-03-02,Black tea,-1,3.00,-3.00\n",
		"prices":        "Date,Open,High,Low,Close,Volume\n2026-03-01,10.10,11.00,9.90,10.50,1000\n2026-03-02,10.50,11.20,10.20,11.00,1200\n2026-03-03,11.00,11.50,10.80,11.20,900\n",
		"temperatures":  "Day,Station,Minimum,Maximum\n2026-01-01,North Hill,-5.25,1.50\n2026-01-02,North Hill,-3.50,2.75\n",
		"people":        "Name,Born,Salary\nAnn Lee,1980-02-03,1000.00\nBob Ray,1975-04-05,1200.00\n",
		"expenses":      "Date,Description,Amount\n2026-03-01,Paper for the office,12.50\n2026-03-02,Train to Bonn,45.00\n",
		"time sheet":    "Date,Employee,Hours,Amount\n2026-03-01,Ann,8,400.00\n2026-03-02,Bob,7,350.00\n",
		"one deviation": "Date,City,Change\n2026-03-01,Bonn,-1.25\n2026-03-02,Paris,2.50\n2026-03-03,Rome,-0.75\n",
		"a journal":     "Date,Account,Description,Debit,Credit\n2026-03-01,Cash at hand,Sale of tea,100.00,\n2026-03-01,Revenue,Sale of tea,,100.00\n",
		"weights":       "Day,Change,Weight\n2026-03-01,0.50,80.50\n2026-03-02,-0.25,80.25\n2026-03-03,0.75,81.00\n2026-03-04,-1.00,80.00\n",
		"a warehouse":   "Datum;Eingang;Ausgang;Bestand\n2026-03-01;5;;5\n2026-03-02;;2;3\n2026-03-03;4;;7\n",
		"open invoices": "Date,Invoice no,Customer name,Amount,Balance,Due date\n2026-03-01,R-1,Smith & Sons,100.00,100.00,2026-03-31\n2026-03-02,R-2,Jones Ltd,50.00,25.00,2026-03-31\n",
		"holdings":      "Date,ISIN,Shares,Price,Amount\n2026-03-01,US0378331005,2,100.00,-200.00\n",
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte(table), CSV)
			if kind, _ := Classify(content); kind != KindDataset || len(content.Records) > 0 {
				t.Errorf("read as %s with %d movements", kind, len(content.Records))
			}
			if len(content.Warnings) > 0 {
				t.Errorf("warnings %q", content.Warnings)
			}
			if rows := content.FirstDataset(0); len(rows.Rows) != strings.Count(table, "\n")-1 {
				t.Errorf("%d rows", len(rows.Rows))
			}
		})
	}
}

// movementsOf are the dates, times and amounts that were read, a row to a line.
func movementsOf(content *Content) string {
	var lines []string
	for _, record := range content.Records {
		var parts []string
		for _, name := range []string{"date", "time", "amount"} {
			if text := shownValue(record.Fields[name]); text != "" {
				parts = append(parts, text)
			}
		}
		lines = append(lines, strings.Join(parts, " "))
	}
	return strings.Join(lines, "; ")
}

func TestAListIsReadAsAWhole(t *testing.T) {
	for _, test := range []struct{ name, table, want, warning string }{
		{"one date that is plain decides for all", "Date,Description,Amount,Balance\n25/03/2026,Tea shop,-1.00,9.00\n04/03/2026,Tea shop,-2.00,10.00\n03/03/2026,Tea shop,-3.00,12.00\n", "2026-03-25 -1; 2026-03-04 -2; 2026-03-03 -3", ""},
		{"the order of the rows decides", "Date,Description,Amount,Balance\n03/01/2026,Tea shop,-1.00,9.00\n03/02/2026,Tea shop,-2.00,7.00\n04/01/2026,Tea shop,-3.00,4.00\n", "2026-03-01 -1; 2026-03-02 -2; 2026-04-01 -3", ""},
		{"another column decides", "Date,Value Date,Description,Amount\n03/04/2026,25/03/2026,Tea shop,-1.00\n03/04/2026,03/04/2026,Tea shop,-2.00\n", "2026-04-03 -1; 2026-04-03 -2", ""},
		{"the period decides", "Period: 01.04.2026 - 30.04.2026\nAccount: 123\n\nDate,Description,Amount,Balance\n03/04/2026,Tea shop,-1.00,9.00\n03/04/2026,Tea shop,-2.00,7.00\n", "2026-04-03 -1; 2026-04-03 -2", ""},
		{"nothing decides", "Date,Description,Amount,Balance\n03/04/2026,Tea shop,-1.00,9.00\n03/04/2026,Tea shop,-2.00,7.00\n", "03/04/2026 -1; 03/04/2026 -2", "2 dates can be read with the day or the month first, and nothing in the file decides; they are kept as written"},
		{"the dates contradict each other", "Date,Description,Amount,Balance\n25/03/2026,Tea shop,-1.00,9.00\n03/25/2026,Tea shop,-2.00,7.00\n03/04/2026,Tea shop,-2.00,5.00\n", "2026-03-25 -1; 2026-03-25 -2; 03/04/2026 -2", "1 dates can be read"},
		{"times of day are kept, in their column or behind the day", "Date,Time,Description,Amount,Balance\n2026-03-01,14:05,Tea shop,-1.00,9.00\n2026-03-02,2:05 PM,Tea shop,-2.00,7.00\n", "2026-03-01 14:05 -1; 2026-03-02 14:05 -2", ""},
		{"a day and a time", "When,What it was,Sum,Balance\n2026-03-01 14:05:33,Tea shop,-1.00,9.00\n2026-03-02 09:00:01,Tea shop,-2.00,7.00\n2026-03-02 09:30:00,Tea shop,-2.00,5.00\n", "2026-03-01 14:05:33 -1; 2026-03-02 09:00:01 -2; 2026-03-02 09:30:00 -2", ""},
		{"thousands and decimals are a column's", "Datum;Text;Betrag;Saldo\n2026-03-01;Tee im Laden;-1.234;5.000,00\n2026-03-02;Tee im Laden;-12,50;4.987,50\n", "2026-03-01 -1234; 2026-03-02 -12.5", ""},
		{"a side beside amounts", "Date,Text,Sum,Side\n2026-03-01,Tea shop,12.50,D\n2026-03-02,Wages of March,100.00,C\n", "2026-03-01 -12.5; 2026-03-02 100", ""},
		{"sides behind the amounts", "Datum;Text;Betrag;Saldo\n2026-03-01;Tee im Laden;12,50 S;100,00 H\n2026-03-02;Lohn vom Werk;10,00 H;110,00 H\n", "2026-03-01 -12.5; 2026-03-02 10", ""},
		{"days without a year over New Year, sides behind amounts, and rows without a day that balances have", "Periode : 27/12/2025 - 10/01/2026\nSaldo Awal : 1,000.00\n\nTanggal Transaksi,Keterangan,Jumlah,Saldo\n'31/12,KARTU DEBIT 01/04,\"100.00 DB\",\"900.00\"\n'02/01,SETORAN TUNAI,\"1,500.00 CR\",\"2,400.00\"\n'PEND,GAJI BULAN INI,\"600.00 CR\",\"3,000.00\"\n\nSaldo Akhir : 3,000.00\n", "2025-12-31 -100; 2026-01-02 1500; 600", "1 movements are still to come"},
		{"what a broker buys is paid", "Activity Date,Instrument,Description,Quantity,Price,Amount\n3/28/2026,VTI,\"Total market\nCUSIP: 922908769\",2,$258.40,($516.80)\n3/15/2026,AAPL,Apple Inc,15,$172.62,\"$2,589.28\"\n3/11/2026,QBTX,Reverse Split of it,18S,,\n3/5/2026,,Monthly fee,,,($5.00)\n,,,,,The data is for information only.\n", "2026-03-28 -516.8; 2026-03-15 2589.28; 2026-03-05 -5", "1 rows have a day without an amount"},
		{"digits of Arabic, and days of another calendar beside ours", "العملة,ريال سعودي\n\nالتاريخ الهجري,التاريخ الميلادي,تفاصيل العملية,مدين,دائن,الرصيد\n٠٢/٠٩/١٤٤٥,١٢/٠٣/٢٠٢٤,سوق الرياض,١٨٦٫٣٥,٠٫٠٠,٣٬٧١٩٫٤٢\n٠٤/٠٩/١٤٤٥,١٤/٠٣/٢٠٢٤,حوالة واردة,٠٫٠٠,١٬٥٠٠٫٠٠,٥٬٢١٩٫٤٢\n", "2024-03-12 -186.35; 2024-03-14 1500", ""},
		{"a list far below other tables", strings.Repeat("Report,Header,Field,Total\nReport,Data,Cash,4.00\n", 20) + "Fees,Header,Currency,Date,Description,Amount\nFees,Data,USD,2026-02-05,Data for March,-1.50\n", "", "a list that may be one of movements begins in line 41"},
		{"balances tell the sides", "Date,Details,Amount,Balance\n2026-03-01,Wages of March,50.00,150.00\n2026-03-02,Tea shop,12.50,137.50\n2026-03-03,Tea shop,7.50,130.00\n2026-03-04,Gift from Ann,20.00,150.00\n", "2026-03-01; 2026-03-02 -12.5; 2026-03-03 -7.5; 2026-03-04 20", "1 of 4 movements have no amount that can be read"},
		{"a card's purchases are positive, its payments negative", "Trans. Date,Post Date,Description,Amount,Category\n03/14/2026,03/15/2026,TEA SHOP,12.50,Food\n03/15/2026,03/16/2026,BOOK SHOP,20.00,Books\n03/16/2026,03/16/2026,AUTOPAY - THANK YOU,-100.00,Payments\n", "2026-03-14 -12.5; 2026-03-15 -20; 2026-03-16 100", ""},
		{"an address is not what it was for", "Posted Date,Reference Number,Payee,Address,Amount\n03/14/2026,2449,TEA SHOP,SEATTLE WA,-12.50\n03/16/2026,2450,REFUND,,100.00\n", "2026-03-14 -12.5; 2026-03-16 100", ""},
		{"two amounts that nothing tells apart", "Date,Booking date,Description,Sum A,Sum B\n2026-03-01,2026-03-01,Tea shop,-12.50,-13.75\n2026-03-02,2026-03-02,Book shop,-20.00,-22.00\n", "", "which of its columns is the amount cannot be told"},
		{"amounts without a side", "Date,Value date,Description,Amount\n2026-03-01,2026-03-01,Tea shop,12.50\n", "", "its amounts have no signs"},
		{"columns of unknown names are known by the balances", "kolA;kolB;kolC;kolD\n2026-03-01;Baker;-12,50;87,50\n2026-03-02;Wages;100,00;187,50\n2026-03-03;Home;-7,50;180,00\n", "2026-03-01 -12.5; 2026-03-02 100; 2026-03-03 -7.5", ""},
		{"sums below the list are none of its cells", "Datum;Text;Kwota;Saldo\n2026-03-01;Sklep z herbata;-1,00;9,00\n2026-03-02;Ksiegarnia mala;-2,00;7,00\n;;#Saldo koncowe;7,00 PLN\n", "2026-03-01 -1; 2026-03-02 -2", ""},
		{"a text with a delimiter in it", "Date,Narration,Debit Amount,Credit Amount,Closing Balance\n2026-03-01,Tea shop,1.00,0.00,9.00\n2026-03-02,SMITH LTD, PUNE,2.00,0.00,7.00\n2026-03-03,Wages,0.00,3.00,10.00\n", "2026-03-01 -1; 2026-03-02 -2; 2026-03-03 3", ""},
		{"the newest rows have no balance yet", "Date,Description,Amount,Balance\n2026-03-04,Tea shop,-1.00, \n2026-03-03,Book shop,-2.00,7.00\n2026-03-02,Book shop,-3.00,9.00\n2026-03-01,Wages,4.00,12.00\n", "2026-03-04 -1; 2026-03-03 -2; 2026-03-02 -3; 2026-03-01 4", "the 1 newest movements have no balance yet"},
		{"whole numbers in columns of money that the balances prove", "日付,摘要,支払い金額,預かり金額,差引残高\n2026/2/2,ｺﾝﾋﾞﾆ,\"20,000\",,\"221,066\"\n2026/2/5,利息,,87,\"221,153\"\n2026/2/9,ｶﾞｽ,154,,\"220,999\"\n", "2026-02-02 -20000; 2026-02-05 87; 2026-02-09 -154", ""},
		{"the amount in the currency of the account", "Compte tenu en;euros\nSolde (EUROS);3140,27\n\nDate;Libelle;Montant(EUROS);Montant(FRANCS)\n14/03/2016;ACHAT CARREFOUR MARKET;-87,42;-573,44\n11/03/2016;VIREMENT DE MAIRIE;1642,18;10771,99\n", "2016-03-14 -87.42; 2016-03-11 1642.18", ""},
		{"the amount in the currency of the account, both named by codes", "Currency,EUR\n\nDate,Description,Amount (EUR),Amount (USD)\n2026-03-01,Tea shop,-1.00,-1.10\n2026-03-02,Wages of March,2.00,2.20\n", "2026-03-01 -1; 2026-03-02 2", ""},
		{"a side does not turn what has its sign, though a balance fits both", "Date,Amount,Description,Balance,Type\n2026-03-02,500.00,Money from ACME,612.40,CREDIT\n2026-03-01,-12.60,Card in a cafe,112.40,DEBIT\n", "2026-03-02 500; 2026-03-01 -12.6", ""},
		{"two columns of money whose names nobody knows", "Date,Details,Funds this way,Funds that way,Balance\n2026-03-04,Salary of March,,1234.56,2000.00\n2026-03-03,Tea shop,50.00,,765.44\n2026-03-02,Machine in town,900.00,,815.44\n2026-03-01,Gift from Ann,,100.00,1715.44\n", "2026-03-04 1234.56; 2026-03-03 -50; 2026-03-02 -900; 2026-03-01 100", ""},
		{"rules drawn with characters", "Date,Narration,Withdrawal Amt.,Deposit Amt.,Closing Balance\n****,****,****,****,****\n2026-03-01,Tea shop,1.00,,9.00\n2026-03-02,Wages,,2.00,11.00\n****,****,****,****,****\nSUMMARY :-\n", "2026-03-01 -1; 2026-03-02 2", ""},
		{"remarks in brackets behind names", "거래일시,적요,출금액(원),입금액(원),잔액(원)\n2026.02.27 10:11:12,급여 이체,0,\"2,500,000\",\"3,100,000\"\n2026.02.20 09:00:00,체크 카드,\"4,500\",0,\"600,000\"\n", "2026-02-27 10:11:12 2500000; 2026-02-20 09:00:00 -4500", ""},
		{"sides in Chinese", "交易时间,交易对方,收/支,金额,交易状态\n2026-02-27 10:11:12,肯德基,支出,35.00,交易成功\n2026-02-20 10:11:12,张三,收入,200.00,交易成功\n", "2026-02-27 10:11:12 -35; 2026-02-20 10:11:12 200", ""},
		{"a row of sums above a list without heads", "Compte;Compte;****1234;2026-02-28;;2 150,20\n2026-02-27;VIR SEPA RECU;VIR SEPA DE ACME;1 800,00\n2026-02-20;PAIEMENT CB;FACTURE MONOPRIX;-45,30\n2026-02-18;PRLV SEPA;PRLV SEPA EDF;-64,00\n", "2026-02-27 1800; 2026-02-20 -45.3; 2026-02-18 -64", ""},
		{"whole numbers without heads that balances prove", "2026-02-03;TEA SHOP;-5000;100000\n2026-02-13;BOOK SHOP;-10000;90000\n2026-02-27;ACME PAYROLL;350000;440000\n", "2026-02-03 -5000; 2026-02-13 -10000; 2026-02-27 350000", ""},
		{"months of more languages", "Data,Detalii tranzactie,Debit,Credit,Balanta\n03 februarie 2026,Cumparare TEA SHOP,\"12,50\",,\"987,50\"\n27 lipca 2026,Incasare ACME,,\"2.500,00\",\"3.487,50\"\n", "2026-02-03 -12.5; 2026-07-27 2500", ""},
		{"balances on the last row of each day alone", "Posted Date,Description,Debit,Credit,Balance\n2026-03-01,Tea shop,1.00,,9.00\n2026-03-02,Wages,,5.00,\n2026-03-02,Book shop,2.00,,12.00\n2026-03-03,Tea shop,3.00,,\n2026-03-03,Rent,4.00,,5.00\n", "2026-03-01 -1; 2026-03-02 5; 2026-03-02 -2; 2026-03-03 -3; 2026-03-03 -4", ""},
		{"fees that the balances take off besides", "Date,Description,Amount,Fee,Balance\n2026-03-01,Wages,50.00,0.00,150.00\n2026-03-02,Machine in town,-20.00,2.00,128.00\n2026-03-03,Plan,0.00,3.00,125.00\n", "2026-03-01 50; 2026-03-02 -20; 2026-03-03 -3", ""},
		{"fees that the amounts hold", "Date,Description,Amount,Fee,Balance\n2026-03-01,Wages,50.00,0.00,150.00\n2026-03-02,Machine in town,-20.00,2.00,130.00\n2026-03-03,Tea shop,-5.00,0.00,125.00\n", "2026-03-01 50; 2026-03-02 -20; 2026-03-03 -5", ""},
		{"the head again on each page", "Data;Descricao;Credito;Debito;Saldo\n01/03/2026;Cafe da esquina;;-1,00;9,00\nData;Descricao;Credito;Debito;Saldo\n14/03/2026;Salario;5,00;;14,00\n", "2026-03-01 -1; 2026-03-14 5", ""},
		{"another account below a title", "Date;Text;Debit;Credit;Balance\n2026-03-01;Tea shop;1.00;;9.00\n2026-03-02;Wages;;5.00;14.00\nSavings account\nDate;Text;Debit;Credit;Balance\n2026-03-01;Interest;;7.00;107.00\n", "2026-03-01 -1; 2026-03-02 5; 2026-03-01 7", ""},
		{"what is still to come below a title", "Date;Text;Debit;Credit;Balance\n2026-03-01;Tea shop;1.00;;9.00\n2026-03-02;Wages;;5.00;14.00\nPending\nDate;Text;Debit;Credit;Balance\n2026-03-03;Book shop;7.00;;\n", "2026-03-01 -1; 2026-03-02 5", "1 rows with a day stand below another head or a title"},
		{"another head below", "Date;Text;Amount;Balance\n2026-03-01;Tea shop;-1.00;9.00\n2026-03-02;Wages;5.00;14.00\nDate;Description;Amount\n2026-03-02;Fund;100.00\n", "2026-03-01 -1; 2026-03-02 5", "1 rows with a day stand below another head"},
		{"rows of the balances are no movements", "Date,Description,Amount\n2026-03-01,Opening balance,10.00\n2026-03-02,Tea shop,-1.00\n2026-03-14,Wages,5.00\n2026-03-31,Closing balance,14.00\n", "2026-03-02 -1; 2026-03-14 5", ""},
		{"rows of the balances prove a list without heads", "H,,ACC 123,0\nOPEN,20260301,10.00,OPEN BALANCE\nTX,20260302,-1.00,TEA SHOP\nTX,20260314,5.00,WAGES OF MARCH\nCLOSE,20260331,14.00,CLOSE BALANCE\n", "2026-03-02 -1; 2026-03-14 5", ""},
		{"the rest of a text in a row of its own", "Data;Historico;Docto.;Credito;Debito;Saldo\n01/03/2026;PIX;12;;-1,00;9,00\n;DES: CAFE;;;;\n14/03/2026;PIX;13;5,00;;14,00\n;REM: ANA;;;;\n", "2026-03-01 -1; 2026-03-14 5", ""},
		{"heads in Hebrew", "תאריך,תיאור,חובה,זכות,\"היתרה בש\"\"ח\"\n01/02/2026,משכורת,,100.00,100.00\n14/02/2026,סופר,20.00,,80.00\n", "2026-02-01 100; 2026-02-14 -20", ""},
		{"heads in Arabic", "التاريخ,البيان,مدين,دائن,الرصيد\n01/02/2026,راتب,,100.00,100.00\n14/02/2026,سوق,20.00,,80.00\n", "2026-02-01 100; 2026-02-14 -20", ""},
		{"sides of most rows", "交易时间,交易对方,商品说明,收/支,金额,交易状态\n2026-02-27 10:11:12,肯德基,餐,支出,35.00,交易成功\n2026-02-20 10:11:12,张三,转账,收入,200.00,交易成功\n2026-02-19 10:11:12,超市,退款,不计收支,5.00,退款成功\n2026-02-18 10:11:12,超市,牛奶,支出,5.00,交易成功\n", "2026-02-27 10:11:12 -35; 2026-02-20 10:11:12 200; 2026-02-19 10:11:12 5; 2026-02-18 10:11:12 -5", ""},
		{"more rows of neither side than of both", "交易时间,商品说明,收/支,金额,交易状态\n2026-02-27 10:11:12,餐,支出,35.00,交易成功\n2026-02-20 10:11:12,转账,收入,200.00,交易成功\n2026-02-19 10:11:12,退款,不计收支,5.00,退款成功\n2026-02-18 10:11:12,提现,不计收支,80.00,交易成功\n2026-02-17 10:11:12,转入,不计收支,20.00,交易成功\n", "2026-02-27 10:11:12 -35; 2026-02-20 10:11:12 200; 2026-02-19 10:11:12 5; 2026-02-18 10:11:12; 2026-02-17 10:11:12", "2 of 5 movements have no amount"},
		{"accounts of a ledger one below the other", ",Date,Type,Description,Amount,Balance\nChecking,,,,,\n,,,Beginning balance,,100.00\n,2026-03-01,Deposit,Invoice of March,50.00,150.00\n,2026-03-02,Check,Rent of March,-30.00,120.00\nTotal for Checking,,,,20.00,\nVisa,,,,,\n,,,Beginning balance,,10.00\n,2026-03-03,Expense,Paper in town,5.00,15.00\n,2026-03-04,Expense,Ink in town,2.00,17.00\nTotal for Visa,,,,7.00,\n", "", "it lists several accounts one below the other"},
		{"balances brought forward on each page", "Date,Description,Amount,Balance\n,Balance brought forward,,100.00\n2026-03-01,Tea shop,-1.00,99.00\n2026-03-02,Wages of March,5.00,104.00\n,Balance brought forward,,104.00\n2026-03-03,Book shop,-2.00,102.00\n", "2026-03-01 -1; 2026-03-02 5; 2026-03-03 -2", ""},
		{"another account whose movements are still to come", "Date;Text;Debit;Credit;Balance\n2026-03-01;Tea shop;1.00;;9.00\n2026-03-02;Wages;;5.00;14.00\nSavings account\nPending transactions\nDate;Text;Debit;Credit;Balance\n2026-03-03;Book shop;7.00;;\n", "2026-03-01 -1; 2026-03-02 5", "1 rows with a day stand below another head or a title"},
		{"days with a point behind the year", "Datum,Opis,Isplata,Uplata,Stanje\n01.03.2026.,Prethodno stanje,,,\"1.000,00\"\n02.03.2026.,Konzum Zagreb,\"12,50\",,\"987,50\"\n14.03.2026.,Placa,,\"2.000,00\",\"2.987,50\"\n", "2026-03-02 -12.5; 2026-03-14 2000", ""},
		{"thousands that another column of money tells", "Date,Description,Debit,Credit\n2026-03-01,Tea shop,\"50,000\",\n2026-03-02,Wages,,\"20,000,000\"\n", "2026-03-01 -50000; 2026-03-02 20000000", ""},
		{"a shop called New Balance", "Date,Description,Amount\n2026-03-01,Wages of March,10.00\n2026-03-02,NEW BALANCE,-1.00\n", "2026-03-01 10; 2026-03-02 -1", ""},
		{"fees beside money out and in", "Date,Description,Money In,Money Out,Fee,Balance\n2026-03-02,Cash at ATM,,-20.00,-1.50,78.50\n2026-03-03,Card shop,,-8.50,-1.00,69.00\n2026-03-04,Pay,50.00,,0.00,119.00\n", "2026-03-02 -20; 2026-03-03 -8.5; 2026-03-04 50", ""},
		{"the language of the heads tells the order of days", "Datum,Omschrijving,Bedrag\n03/04/2026,Theewinkel,-1.00\n03/05/2026,Loon,2.00\n", "2026-04-03 -1; 2026-05-03 2", ""},
		{"an account with an IBAN tells the order of days", "03/04/2026,NL91ABNA0417164300,-1.00,9.00,Tea shop\n03/05/2026,NL91ABNA0417164300,-2.00,7.00,Tea shop\n03/06/2026,NL91ABNA0417164300,3.00,10.00,Wages\n", "2026-04-03 -1; 2026-05-03 -2; 2026-06-03 3", ""},
		{"signs of an American bank tell the order of days", "Account,123\nRouting number,456\n\nDate,Description,Amount,Balance\n03/04/2026,Tea shop,-1.00,9.00\n03/05/2026,Tea shop,-2.00,7.00\n", "2026-03-04 -1; 2026-03-05 -2", ""},
		{"a kind that is no side leaves its amount open", "Date,Type,Shop,Amount\n2026-03-01,Credit,Employer,10.00\n2026-03-02,Debit,Tea shop,1.00\n2026-03-03,Debit,Book shop,2.00\n2026-03-04,Correction,Book shop,2.00\n", "2026-03-01 10; 2026-03-02 -1; 2026-03-03 -2; 2026-03-04", "1 of 4 movements have no amount"},
		{"balances before their movements", "2026-03-02,9.00,EUR,-1.00,Tea shop\n2026-03-03,8.00,EUR,-2.00,Book shop\n2026-03-04,6.00,EUR,5.00,Wages of March\n2026-03-05,11.00,EUR,-3.00,Tea shop\n", "2026-03-02 -1; 2026-03-03 -2; 2026-03-04 5; 2026-03-05 -3", ""},
		{"a bill of a card whose amount abroad is nought in most rows", "Data de Compra;Final do Cartão;Descrição;Valor (em US$);Valor (em R$)\n2026-03-01;0469;LOJA DA ESQUINA;0;10.00\n2026-03-02;0469;LIVRARIA DO MES;2.00;11.40\n2026-03-03;0469;Inclusao de Pagamento;0;-30.00\n2026-03-04;0469;MERCADO DO BAIRRO;0;5.00\n", "", "which of its columns is the amount cannot be told"},
		{"a kind that is no side beside amounts with signs", "Date,Type,Shop,Amount\n2026-03-01,Credit,Employer,10.00\n2026-03-02,Credit,Tea shop,1.00\n2026-03-03,Credit,Book shop,2.00\n2026-03-04,Fee,Bank,-2.00\n", "2026-03-01 10; 2026-03-02 1; 2026-03-03 2; 2026-03-04 -2", ""},
		{"of two days of one name the later one is that of the booking", "Buchungsdatum;Text;Betrag;Buchungsdatum;Saldo\n2026-03-01;Tee im Laden;-1,00;2026-03-02;9,00\n2026-03-03;Tee im Laden;-2,00;2026-03-03;7,00\n", "2026-03-01 -1; 2026-03-03 -2", ""},
		{"thousands of eastern Asia", "日付,摘要,支払い金額,預かり金額,差引残高\n2026/2/3,電気,\"8,500\",,\"91,500\"\n2026/2/25,給料,,\"250,000\",\"341,500\"\n", "2026-02-03 -8500; 2026-02-25 250000", ""},
		{"whole numbers with a minus and no heads", "27/02/2026,-12.5,TEA SHOP OF SYDNEY\n20/02/2026,1500,WAGES OF ACME\n13/02/2026,-80,POWER AND LIGHT\n", "2026-02-27 -12.5; 2026-02-20 1500; 2026-02-13 -80", ""},
		{"texts that name a state are none", "\"02/27/2026\",\"-12.50\",\"*\",\"\",\"PURCHASE AUTHORIZED ON 02/26 TEA\"\n\"02/20/2026\",\"1500.00\",\"*\",\"\",\"ACME INC PAYROLL\"\n", "2026-02-27 -12.5; 2026-02-20 1500", ""},
		{"what is left behind fees is the amount", "id,Type,Amount,Fee,Net,Currency,Created,Description\nt1,charge,100.00,3.20,96.80,eur,2026-02-03 10:11,Invoice one\nt2,refund,-20.00,0.00,-20.00,eur,2026-02-13 10:11,Refund of two\n", "2026-02-03 10:11 96.8; 2026-02-13 10:11 -20", ""},
		{"two columns of the same amounts", "Date,Description,Amount,Net amount\n2026-03-01,Tea shop,-1.00,-1.00\n2026-03-02,Wages of March,2.00,2.00\n", "2026-03-01 -1; 2026-03-02 2", ""},
		{"a first row without heads that writes its day in another way", "2026-03-01,28-02-2026,ACC 1,1000.00,2443.22,2\n27-02-2026,26-02-2026,TEA SHOP,-56.78,2443.22,3\n20-02-2026,20-02-2026,WAGES,1500.00,2500.00,2\n19-02-2026,18-02-2026,BOOK SHOP,-50.00,1000.00,1\n", "2026-02-27 -56.78; 2026-02-20 1500; 2026-02-19 -50", ""},
		{"a last row without heads of a day and a balance", "27/02/2026;-23,45;Carte;;CB TEA SHOP;0\n20/02/2026;1500,00;Virement;;VIR ACME;0\n28/02/2026;2408,00;;;;\n", "2026-02-27 -23.45; 2026-02-20 1500", "1 rows have a day without an amount"},
		{"rows of turnover", "Date;Description;Amount;D/C\n01.02.2026;Opening balance;10,00;C\n03.02.2026;Tea shop;1,00;D\n20.02.2026;Wages;5,00;C\n28.02.2026;Turnover;1,00;D\n28.02.2026;Turnover;5,00;C\n28.02.2026;Closing balance;14,00;C\n", "2026-02-03 -1; 2026-02-20 5", ""},
		{"a tax rate that is nought", "ID,Datetime,Note,Amount (total),Tax Rate\n,,,,\n1,2026-02-03T10:11:12,Pizza,- $20.00,0\n2,2026-02-20T10:11:12,Rent,+ $50.00,0\n", "2026-02-03 10:11:12 -20; 2026-02-20 10:11:12 50", ""},
		{"a day and a time divided by a dash", "Tarih/Saat;Kanal;İşlem Tutarı*;Bakiye;Açıklama\n27/02/2026-18:22:11;Mobil;-234,50;2.408,00;MIGROS\n20/02/2026-10:00:00;Mobil;1.500,00;2.642,50;ACME\n", "2026-02-27 18:22:11 -234.5; 2026-02-20 10:00:00 1500", ""},
		{"apostrophes that mark texts", "\"Cuenta\",\"Fecha\",\"Descripcion\",\"Cargo/Abono\",\"Importe\",\"Saldo\"\n\"'123'\",\"'27022026'\",\"TIENDA\",\"-\",\"123.45\",\"2408.00\"\n\"'123'\",\"'20022026'\",\"NOMINA\",\"+\",\"1500.00\",\"2531.45\"\n", "2026-02-27 -123.45; 2026-02-20 1500", ""},
		{"an amount in another currency that is nought", "Data;Descricao;Valor (em US$);Valor (em R$)\n27/02/2026;PADARIA DA ESQUINA;0;-23.45\n20/02/2026;SALARIO DO MES;0;300.00\n", "2026-02-27 -23.45; 2026-02-20 300", ""},
		{"what is left behind fees in a column that nobody knows", "Date,Type,Text,Total,Fee,Payout\n2026-02-03,Sales,Order of Ann,10.00,0.17,9.83\n2026-02-05,Refund,Order of Bob,-10.00,0.00,-10.00\n", "2026-02-03 9.83; 2026-02-05 -10", ""},
		{"rows of balances in other languages", "Date,Description,Amount\n2026-03-01,Saldo awal,10.00\n2026-03-02,Tea shop,-1.00\n2026-03-14,Wages,5.00\n2026-03-31,Saldo akhir,14.00\n", "2026-03-02 -1; 2026-03-14 5", ""},
		{"a closed order without a side", "交易时间,交易对方,收/支,金额,交易状态\n2026-02-27 10:11:12,肯德基,支出,35.00,交易成功\n2026-02-20 10:11:12,张三,收入,200.00,交易成功\n2026-02-19 10:11:12,超市,不计收支,5.00,交易关闭\n2026-02-18 10:11:12,超市,支出,5.00,交易成功\n", "2026-02-27 10:11:12 -35; 2026-02-20 10:11:12 200; 2026-02-18 10:11:12 -5", "1 rows say that they moved no money"},
		{"balances of each day and one whose letters are spaced", "Data,Lançamento,Valor,Tipo\n02/03/2026,Pix enviado ao Bob,-1.00,Saída\n00/00/0000,Saldo do dia,9.00,\n14/03/2026,Salário do mês,5.00,Entrada\n14/03/2026,S A L D O,14.00,\n", "2026-03-02 -1; 2026-03-14 5", ""},
		{"a balance of the last day beside numbers that are nought", "Data,Agência,Histórico,Documento,Valor\n27/02/2026,0000-0,Saldo Anterior,0,10.00\n02/03/2026,0000-0,Pix enviado ao Bob,30,-1.00\n14/03/2026,12-0,Salário do mês,31,5.00\n14/03/2026,0000-0,S A L D O,0,14.00\n", "2026-03-02 -1; 2026-03-14 5", ""},
		{"the first money of an account in a budget", "Account,Date,Payee,Category,Outflow,Inflow\nCash,05/20/2026,Tea shop,Fun,$1.00,$0.00\nCash,05/14/2026,Employer of Ann,Income,$0.00,$5.00\nSavings,05/01/2026,Starting Balance,Income,$0.00,$12.00\n", "2026-05-20 -1; 2026-05-14 5; 2026-05-01 12", ""},
		{"an opening balance in the place of who was paid", "Account,Date,Payee,Category,Outflow,Inflow\nCash,05/20/2026,Tea shop,Fun,1.00,\nCash,05/14/2026,Employer of Ann,Income,,5.00\nCash,05/01/2026,Opening balance,,,12.00\n", "2026-05-20 -1; 2026-05-14 5", ""},
		{"parts of an account with balances of their own", "Pocket,Date,Description,Amount,Balance\nMain,2026-03-01,Wages of March,50.00,150.00\nTrip,2026-03-02,Put aside for June,20.00,25.00\nMain,2026-03-02,Put aside for June,-20.00,130.00\nMain,2026-03-03,Tea shop,-1.00,129.00\nTrip,2026-03-04,Train to Bonn,-5.00,20.00\n", "2026-03-01 50; 2026-03-02 20; 2026-03-02 -20; 2026-03-03 -1; 2026-03-04 -5", ""},
		{"a word in the place of the day of what is still to come", "Buchungstag;Text;Betrag\noffen;Tee im Laden;-1,00\n14.03.2026;Lohn vom Werk;5,00\n", "-1; 2026-03-14 5", "1 movements are still to come"},
		{"a settlement that is paid out whole", "Creation Date,Type,Reference,Net Currency,Net Debit (NC),Net Credit (NC)\n2026-03-01,Settled,A-1,EUR,,12.00\n2026-03-02,Refunded,A-2,EUR,2.00,\n2026-03-14,Payout,B-1,EUR,10.00,\n", "2026-03-01 12; 2026-03-02 -2; 2026-03-14 -10", ""},
		{"rows that are no movements are told", "Date,Description,Amount,Balance\n2026-03-01,Tea shop,-1.00,9.00\n2026-03-02,Book shop,-2.00,7.00\n2026-03-03,Nothing,,7.00\nTotal,,-3.00,\n", "2026-03-01 -1; 2026-03-02 -2", "2 rows have a day without an amount or an amount without a day"},
	} {
		t.Run(test.name, func(t *testing.T) {
			content := extract(t, []byte(test.table), CSV)
			if got := movementsOf(content); got != test.want {
				t.Errorf("movements %q, want %q; %q", got, test.want, content.Warnings)
			}
			if all := strings.Join(content.Warnings, "\n"); test.warning == "" && all != "" || !strings.Contains(all, test.warning) {
				t.Errorf("warnings %q, want %q", all, test.warning)
			}
		})
	}
}

func TestAListOfMovementsIsKnownWhateverItsName(t *testing.T) {
	list := "\n  Date     ,Narration       ,Value Dat,Debit Amount,Credit Amount,Closing Balance\n 01/02/26  ,Tea shop  , 01/02/26  ,  1.00,  0.00,  9.00\n 13/02/26  ,Wages  , 13/02/26  ,  0.00,  2.00,  11.00\n"
	letter := "Dear Ann,\n\nthe date, the description, the amount: I know none of them.\n"
	for _, test := range []struct {
		name, text string
		want       Type
	}{{"a.txt", list, CSV}, {"a.txt", letter, Text}, {"a.txt", "Date,Description,Amount\nis what the list needs.\nPlease, add it, Bob, soon.\n", Text}, {"a", list, CSV}, {"a.txt", strings.Repeat("Date: 2026-03-01\nInvoice number: A-1\nDescription: Tea\nAmount: 12.00\n\n", 3), Text}, {"a.txt", "27/02/2026|TEA SHOP|27/02/2026|-23,40|2.408,10\n20/02/2026|WAGES|20/02/2026|1.500,00|2.431,50\n", CSV}} {
		if got, err := Sniff([]byte(test.text), test.name); err != nil || got != test.want {
			t.Errorf("%q is %s, %v", test.text, got, err)
		}
	}
}

func TestAColumnOfStatesIsKnownByItsCells(t *testing.T) {
	content := extract(t, []byte("Account;EUR - Current account\n\nBuchungstag;Verwendungszweck;Betrag;Saldo;Info\n2026-03-02;Strom im Maerz;-84,00;16,00;Umsatz vorgemerkt\n2026-03-01;Lohn im Maerz;100,00;100,00;Umsatz gebucht\n"), CSV)
	first, second := content.Records[0].Fields, content.Records[1].Fields
	if first["status"] != "Umsatz vorgemerkt" || second["status"] != "Umsatz gebucht" || first["currency"] != "EUR" {
		t.Errorf("%v, %v", first, second)
	}
}

func TestTheCurrencyOfAMovementStandsInManyPlaces(t *testing.T) {
	const rows = "2026-02-13,TEA SHOP,-12.50,987.50\n2026-02-17,ACME PAYROLL,2500.00,3487.50\n"
	for head, want := range map[string]any{
		"Date,Description,CAD$,Balance\n":                                  "CAD",
		"Date,Description,Amount (EUROS),Balance\n":                        "EUR",
		"Cinsi,TL\n\nDate,Description,Amount,Balance\n":                    "TRY",
		"Date,Description,Amount,\"היתרה בש\"\"ח\"\n":                      "ILS",
		"Held in,euros\n\nDate,Description,Amount,Balance\n":               "EUR",
		"Account,123 - CHF - Savings\n\nDate,Description,Amount,Balance\n": "CHF",
		"Limit,500 USD\nSaved,20 EUR\n\nDate,Description,Amount,Balance\n": nil,
		"Date,Description,Amount,Balance\n":                                nil,
	} {
		content := extract(t, []byte(head+rows), CSV)
		if len(content.Records) != 2 || content.Records[0].Fields["currency"] != want {
			t.Errorf("%q: %v, want %v", head, content.Records, want)
		}
	}
}

func TestMovementsWithoutABalanceYetArePending(t *testing.T) {
	content := extract(t, []byte("Date,Description,Amount,Balance\n2026-03-03,Tea shop,-1.00, \n2026-03-02,Book shop,-3.00,9.00\n2026-03-01,Wages,4.00,12.00\n"), CSV)
	values, _ := ExtractFields(content, KindStatement)
	if content.Records[0].Fields["status"] != "pending" || content.Records[1].Fields["status"] != nil || values["closing_balance"] != 9.0 {
		t.Errorf("%v, closing at %v", content.Records, values["closing_balance"])
	}
}

func TestMovementsBelowATitleAreThoseOfItsAccount(t *testing.T) {
	head := "Date;Text;Debit;Credit;Balance\n"
	content := extract(t, []byte("IBAN: DE89370400440532013000\nBalance on 31/03/2026: 14.00\n\n"+head+"13/03/2026;Tea shop;1.00;;9.00\n14/03/2026;Wages;;5.00;14.00\n\nSavings book no. 71234567\nBalance on 31/03/2026: 107.00\n\n"+head+"15/03/2026;Interest;;7.00;107.00\n16/03/2026;Fee;2.00;;105.00\n"), CSV)
	var accounts []string
	for _, record := range content.Records {
		accounts = append(accounts, shownValue(record.Fields["account"]))
	}
	if got := strings.Join(accounts, "; "); got != "DE89370400440532013000; DE89370400440532013000; Savings book no. 71234567; Savings book no. 71234567" {
		t.Errorf("accounts %q", got)
	}
	values, _ := ExtractFields(content, KindStatement)
	for _, name := range []string{"iban", "opening_balance", "closing_balance"} {
		if values[name] != nil {
			t.Errorf("%s of two accounts is %v", name, values[name])
		}
	}
	if len(content.Warnings) > 0 {
		t.Errorf("warnings %q", content.Warnings)
	}
}

func TestTheBalancesAboveAListMayStandInOneCell(t *testing.T) {
	content := extract(t, []byte("Conto: 12\nSaldo Iniziale: 1.000,00 EUR Saldo Finale: 1.290,00 EUR\n\nData;Descrizione;Importo\n02/03/2026;Affitto;-700,00\n14/03/2026;Stipendio;990,00\n"), CSV)
	values, _ := ExtractFields(content, KindStatement)
	if values["opening_balance"] != 1000.0 || values["closing_balance"] != 1290.0 || values["currency"] != "EUR" {
		t.Errorf("%v", values)
	}
}

func TestNothingOfARowIsLost(t *testing.T) {
	content := extract(t, []byte("Date,Description,Amount,Balance,Category,Tag,amount note\n2026-03-01,Tea shop,-1.00,9.00,Food,blue,x\n2026-03-02,Book shop,-2.00,7.00,Books,,\n"), CSV)
	fields := content.Records[0].Fields
	for name, want := range map[string]any{"Category": "Food", "Tag": "blue", "amount note": "x", "balance": 9.0, "description": "Tea shop"} {
		if fields[name] != want {
			t.Errorf("%s is %v, want %v", name, fields[name], want)
		}
	}
	if place := content.Records[1].Source; place != (Source{Page: 1, Line: 3}) {
		t.Errorf("the second movement stands at %v", place)
	}
}

func TestASheetOfMovementsIsAList(t *testing.T) {
	row := func(cells ...string) string {
		var xml strings.Builder
		for _, cell := range cells {
			xml.WriteString(`<c t="inlineStr"><is><t>` + cell + `</t></is></c>`)
		}
		return "<row>" + xml.String() + "</row>"
	}
	sheet := row("Kontoauszug") + row("IBAN", "DE89370400440532013000") + row("Buchungstag", "Wertstellung", "Empfänger", "Verwendungszweck", "Betrag", "Saldo") +
		row("01.03.2026", "02.03.2026", "Stadtwerke", "Strom im März", "-84,00", "916,00") + row("03.03.2026", "03.03.2026", "Muster AG", "Lohn im März", "1.000,00", "1.916,00")
	content := extract(t, zipped(t, workbookParts(sheet)), XLSX)
	if kind, _ := Classify(content); kind != KindStatement || movementsOf(content) != "2026-03-01 -84; 2026-03-03 1000" {
		t.Errorf("read as %s: %s %q", kind, movementsOf(content), content.Warnings)
	}
	values, _ := ExtractFields(content, KindStatement)
	if values["iban"] != "DE89370400440532013000" || values["opening_balance"] != 1000.0 || values["closing_balance"] != 1916.0 {
		t.Errorf("the account is %v", values)
	}
}

func TestTheCurrencyOfASheetIsThatOfItsNumbers(t *testing.T) {
	for format, want := range map[string]any{`#,##0.00 &quot;€&quot;`: "EUR", `[$€-407] #,##0.00`: "EUR", `&quot;$&quot;#,##0.00`: nil, `#,##0.00`: nil} {
		text := func(cell string) string { return `<c t="inlineStr"><is><t>` + cell + `</t></is></c>` }
		parts := workbookParts("<row>" + text("Data") + text("Descrizione") + text("Importo") + "</row><row>" + text("2026-03-01") + text("Spesa al mercato") + `<c s="1"><v>-38.4</v></c></row>`)
		parts["xl/styles.xml"] = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="` + format + `"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`
		content := extract(t, zipped(t, parts), XLSX)
		if len(content.Records) != 1 || content.Records[0].Fields["amount"] != -38.4 || content.Records[0].Fields["currency"] != want {
			t.Errorf("%s: %v", format, content.Records)
		}
	}
}

func TestAHeadIsFoundByItsPlaceWhereNoNameIsKnown(t *testing.T) {
	content := extract(t, []byte("Sample Bank,Branch,Export\nAnna,Muster,x\n\nAaa,Bbb,Ccc\n2026-03-02,Tea shop in town,-12.50\n2026-03-13,Wages of March,2000.00\nZzz,,1987.50\n"), CSV)
	if got := movementsOf(content); got != "2026-03-02 -12.5; 2026-03-13 2000" {
		t.Errorf("%s, tables %v, warnings %q", got, content.Tables, content.Warnings)
	}
}
