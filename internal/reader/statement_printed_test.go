package reader

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A statement's movements stand only where they lead from one balance to the other.
func TestMovementsOfAPrintedStatementLeadFromBalanceToBalance(t *testing.T) {
	for name, c := range map[string]struct{ page, want string }{
		"a minus behind the amount, the year from the statement's number":      {"Kontoauszug 2/2025\n\nBuchungstag   Verwendungszweck   Betrag EUR\n              Alter Kontostand   2.310,44\n03.02.        Strom              96,00-\n27.02.        Lohn               2.412,77+\nNeuer Kontostand                 4.627,21\n", "2025-02-03 Strom -96; 2025-02-27 Lohn 2412.77"},
		"letters for the two sides":                                            {"Kontoauszug 2/2025\n\nDatum    Erläuterung         Betrag EUR\n         Alter Kontostand    1.500,00 H\n03.02.   Miete               650,00 S\n27.02.   Lohn                2.100,00 H\n         Neuer Kontostand    2.950,00 H\n", "2025-02-03 Miete -650; 2025-02-27 Lohn 2100"},
		"sides that only the balances tell":                                    {"Extracto de cuenta\n\nFecha        Concepto         Importe     Saldo\n             SALDO ANTERIOR               1.020,00\n03/06/2025   RECIBO LUZ         64,10       955,90\n27/06/2025   NOMINA          1.350,00     2.305,90\n             SALDO FINAL                  2.305,90\n", "2025-06-03 RECIBO LUZ -64.1; 2025-06-27 NOMINA 1350"},
		"the newest first":                                                     {"Lista movimenti\nSaldo iniziale: 300,00 EUR\nSaldo finale: 1.455,50 EUR\n\nData         Causale       Importo     Saldo\n28/05/2025   Stipendio   +1.200,00   1.455,50\n02/05/2025   Gas            -44,50     255,50\n", "2025-05-28 Stipendio 1200; 2025-05-02 Gas -44.5"},
		"balances that only their days tell apart":                             {"Relevé de compte\n\nDate         Opération              Débit      Crédit\n             Solde au 30/04/2025               240,10\n05/05/2025   CARTE                  6,40\n30/05/2025   SALAIRE                           640,00\n             Solde au 31/05/2025               873,70\n", "2025-05-05 CARTE -6.4; 2025-05-30 SALAIRE 640"},
		"lines under their day, without a table":                               {"Statement of account\n\nOpening balance   310.05 EUR\n2 July 2025\nSpar Ranelagh   -12.40\n9 July 2025\nFrom Declan   +100.00\nClosing balance   397.65 EUR\n", "2025-07-02 Spar Ranelagh -12.4; 2025-07-09 From Declan 100"},
		"an amount on the last line of a movement":                             {"Statement\n\nDate        Payment type and details     Paid out   Paid in   Balance\n31 Jan 26   BALANCE BROUGHT FORWARD                             642.17\n03 Feb 26   DD  OCTOPUS ENERGY             118.40\n06 Feb 26   CR  MERIDIAN DESIGN\n            INV 218                                  460.00     983.77\n            Transaction Fee                  1.95\n            BALANCE CARRIED FORWARD                             981.82\n", "2026-02-03 DD OCTOPUS ENERGY -118.4; 2026-02-06 CR MERIDIAN DESIGN INV 218 460; 2026-02-06 Transaction Fee -1.95"},
		"points between thousands, heads of other things, days without a year": {"Cartola\nDESDE: 31/01/2026\nHASTA: 27/02/2026\n\nFECHA   SUCURSAL       DESCRIPCION      CARGOS    ABONOS      SALDO DIARIO\n                       SALDO INICIAL                          612.905\n02/02   CASA MATRIZ    TRASPASO                   450.000\n05/02   INTERNET       CHEQUE           20.000                1.042.905\n", "2026-02-02 TRASPASO 450000; 2026-02-05 CHEQUE -20000"},
		"a day under a head that may be what was booked":                       {"Kontoauszug 2/2026\n\nBuchung   Valuta    Verwendungszweck                  Soll        Haben\n                    Alter Kontostand vom 30.01.2026               1.250,00 H\n03.02.    03.02.    Lastschrift Stadtwerke            84,00\n15.02.    16.02.    Lohn Muster GmbH                              2.300,00\n                    Neuer Kontostand vom 27.02.2026               3.466,00 H\n", "2026-02-03 Lastschrift Stadtwerke -84; 2026-02-15 Lohn Muster GmbH 2300"},
		"sides in the titles of tables":                                        {"Statement\nStatement period: 02/01/2026 - 02/28/2026\n\nBeginning balance   1,000.00\nEnding balance      2,450.00\n\nDeposits and other credits\nDate     Description      Amount\n02/15    ACME PAYROLL     1,500.00\nTotal deposits            1,500.00\n\nWithdrawals and other debits\nDate     Description      Amount\n02/03    TEA SHOP         50.00\nTotal withdrawals         50.00\n", "2026-02-15 ACME PAYROLL 1500; 2026-02-03 TEA SHOP -50"},
		"a card, whose bill was paid":                                          {"Credit card statement\nStatement date: 02/28/2026\nPrevious balance   300.00\nNew balance        12.50\n\nDate     Description             Amount\n02/03    TEA SHOP                12.50\n02/10    PAYMENT - THANK YOU     -300.00\n", "2026-02-03 TEA SHOP -12.5; 2026-02-10 PAYMENT - THANK YOU 300"},
		"heads that exports of banks have":                                     {"Výpis z účtu\n\nDatum provedení   Popis          Odchozí   Příchozí   Zůstatek po\n                  Počáteční zůstatek                    1 000,00\n03.02.2026        Nájemné        500,00                 500,00\n27.02.2026        Mzda                     900,00     1 400,00\n", "2026-02-03 Nájemné -500; 2026-02-27 Mzda 900"},
		"a balance before the first day":                                       {"Kreditkartenabrechnung\n\nBelegdatum   Verwendungszweck           Betrag EUR\n             Saldo letzte Abrechnung    -300,00\n03.02.2026   TEELADEN BERLIN            -12,50\n10.02.2026   EINZUG VOM GIROKONTO       300,00\n             Neuer Saldo                -12,50\n", "2026-02-03 TEELADEN BERLIN -12.5; 2026-02-10 EINZUG VOM GIROKONTO 300"},
		"signs in tables whose titles speak of sides":                          {"Prairie Rewards Card\nPrevious Balance      $300.00\nNew Balance           $12.50\nMinimum Payment Due   $10.00\n\nPayments and Credits\nDate       Description                  Amount\n02/10/26   MOBILE PAYMENT - THANK YOU   -$300.00\n\nNew Charges\nDate       Description   Amount\n02/13/26   TEA SHOP      $12.50\n", "2026-02-10 MOBILE PAYMENT - THANK YOU 300; 2026-02-13 TEA SHOP -12.5"},
		"balances that name their day without its year":                        {"Statement\nStatement period: 02/01/2026 - 02/28/2026\nBeginning balance on 2/1   $1,000.00\nEnding balance on 2/28     $2,450.00\n\n                       Deposits/   Withdrawals/   Ending daily\nDate   Description     Additions   Subtractions   balance\n2/3    TEA SHOP                    50.00          950.00\n2/15   ACME Payroll    1,500.00                   2,450.00\n", "2026-02-03 TEA SHOP -50; 2026-02-15 ACME Payroll 1500"},
		"an amount under a head that may be a day, its side behind it":         {"Extrato de Conta Corrente\nPeríodo: 01/02/2026 a 28/02/2026\n\nData         Histórico         Documento   Valor (R$)   Saldo (R$)\n             SALDO ANTERIOR                             1.000,00\n03/02/2026   PIX ENVIADO       000123      50,00 D      950,00 C\n27/02/2026   CREDITO SALARIO   000124      2.500,00 C   3.450,00 C\n", "2026-02-03 PIX ENVIADO -50; 2026-02-27 CREDITO SALARIO 2500"},
		"sums of both sides below the movements":                               {"RELEVE ET INFORMATIONS BANCAIRES\n\nDate         Opération                       Débit EUROS   Crédit EUROS\n             SOLDE CREDITEUR AU 31/01/2026                 500,00\n04/02/2026   PRLV SEPA ORANGE                39,99\n20/02/2026   VIR CAF DU RHONE                              120,00\n             Total des mouvements            39,99         120,00\n             SOLDE CREDITEUR AU 28/02/2026                 580,01\n", "2026-02-04 PRLV SEPA ORANGE -39.99; 2026-02-20 VIR CAF DU RHONE 120"},
		"balances called as exports of banks call them":                        {"Kontoauszug 2/2026\n\nBuchungstag   Verwendungszweck    Betrag EUR\n              Eröffnungssaldo     2.310,44\n03.02.        Strom               96,00-\n27.02.        Lohn                2.412,77+\n              Abschlusssaldo      4.627,21\n", "2026-02-03 Strom -96; 2026-02-27 Lohn 2412.77"},
		"a salary among the movements":                                         {"Extracto de cuenta   ES91 2100 0418 4502 0005 1332\nPeriodo: 01/02/2026 - 28/02/2026\n\nFecha         Concepto         Importe     Saldo\n              Saldo anterior               1.000,00\n03/02/2026    Recibo luz       -64,10        935,90\n27/02/2026    Nómina         1.350,00      2.285,90\n", "2026-02-03 Recibo luz -64.1; 2026-02-27 Nómina 1350"},
		"a balance in credit on its day":                                       {"Relevé de compte n° 2 - du 01/02/2026 au 28/02/2026\n\nDate     Nature des opérations            Débit     Crédit\n         SOLDE CREDITEUR AU 31/01/2026              500,00\n04.02    PRLV ORANGE                      39,99\n20.02    VIR CAF                                    120,00\n         SOLDE CREDITEUR AU 28/02/2026              580,01\n", "2026-02-04 PRLV ORANGE -39.99; 2026-02-20 VIR CAF 120"},
		"a card whose payments alone have a mark":                              {"Store Card\nStatement 13 Feb 2026 - 12 Mar 2026\n\nOpening balance   100.00\nClosing balance   62.50\n\nPurchases\n14 Feb   TEA SHOP   12.50\n18 Feb   BOOK SHOP   20.00\n\nPayments\n20 Feb   BANK TRANSFER   70.00 CR\n", "2026-02-14 TEA SHOP -12.5; 2026-02-18 BOOK SHOP -20; 2026-02-20 BANK TRANSFER 70"},
		"an account whose deposits alone have a mark":                          {"Account statement\nStatement period: 02/01/2026 - 02/28/2026\n\nOpening balance   100.00\nClosing balance   137.50\n\n02/14/2026   TEA SHOP   12.50\n02/18/2026   BOOK SHOP   20.00\n02/20/2026   WAGES OF MILL   70.00 CR\n", "2026-02-14 TEA SHOP -12.5; 2026-02-18 BOOK SHOP -20; 2026-02-20 WAGES OF MILL 70"},
		"the balance of a loan below the table":                                {"Credit Union statement\nStatement period: 15 December 2025 to 14 January 2026\n\nDate     Details                   Withdrawn   Lodged   Balance\n         Balance brought forward                        871.06\n18 Dec   Cash                         120.00             751.06\n02 Jan   Payroll                                300.00   1,051.06\n         Balance carried forward                        1,051.06\n\nLoan Account 02\nBalance at 14 January 2026: 3,250.00\n", "2025-12-18 Cash -120; 2026-01-02 Payroll 300"},
		"days of booking beside those of the purchase, in sections":            {"Prairie Credit Card\nBilling period: 12/16/2025 - 01/15/2026\nPrevious Balance      $300.00\nNew Balance           $12.50\n\nTran     Post     Description                     Amount\nPAYMENTS AND CREDITS\n12/22    12/23    PAYMENT - THANK YOU             $300.00-\n                  TOTAL PAYMENTS FOR THIS PERIOD  $300.00-\n\nPURCHASES\n01/02    01/03    TEA SHOP                        $12.50\n                  TOTAL PURCHASES FOR THIS PERIOD $12.50\n", "2025-12-22 PAYMENT - THANK YOU 300; 2026-01-02 TEA SHOP -12.5"},
		"a card whose purchases have a minus and whose balances are owed":      {"Credit card statement\nStatement date: 02/28/2026\nPrevious balance   300.00\nNew balance        32.50\n\nDate     Description         Amount\n02/03    TEA SHOP            -12.50\n02/05    BOOK SHOP           -20.00\n02/10    PAYMENT THANK YOU   300.00\n", "2026-02-03 TEA SHOP -12.5; 2026-02-05 BOOK SHOP -20; 2026-02-10 PAYMENT THANK YOU 300"},
		"a reversal in the column of money out":                                {"Kontoauszug 2/2026\n\nDatum     Verwendungszweck                  Soll        Haben\n          Alter Kontostand                              1.250,00 H\n03.02.    Stadtwerke                        84,00\n05.02.    Storno Stadtwerke                -84,00\n10.02.    Miete                            700,00\n          Neuer Kontostand                                550,00 H\n", "2026-02-03 Stadtwerke -84; 2026-02-05 Storno Stadtwerke 84; 2026-02-10 Miete -700"},
		"days behind the period, in the next year":                             {"Statement of account\nStatement period: 12/05/2025 - 12/31/2025\n\nOpening balance   310.05\nClosing balance   397.65\n\nDate     Description      Amount\n12/30    SPAR RANELAGH    -12.40\n01/02    FROM DECLAN      100.00\n", "2025-12-30 SPAR RANELAGH -12.4; 2026-01-02 FROM DECLAN 100"},
		"days before the period, in the year before":                           {"Statement of account\nStatement period: 01/15/2026 - 02/13/2026\n\nOpening balance   310.05\nClosing balance   397.65\n\nDate     Description      Amount\n12/30    SPAR RANELAGH    -12.40\n01/30    FROM DECLAN      100.00\n", "2025-12-30 SPAR RANELAGH -12.4; 2026-01-30 FROM DECLAN 100"},
		"two tables side by side under one head":                               {"Statement\nStatement period: 02/01/2026 - 02/28/2026\n\nBeginning balance 02/01/2026   1,000.00\nEnding balance 02/28/2026      885.00\n\nChecks paid\nDate     Check no.   Amount     Date     Check no.   Amount\n02/03    1187        50.00      02/15    1190        25.00\n02/05    1188        30.00      02/25    1191        10.00\n", "2026-02-03 1187 -50; 2026-02-05 1188 -30; 2026-02-15 1190 -25; 2026-02-25 1191 -10"},
		"none where one was not read":                                          {"Relevé de compte\n\nDate         Libellé         Débit      Crédit\n             Ancien solde               500,00\n04/02/2025   PRLV ORANGE     39,99\n20/02/2025   VIREMENT CAF               120,00\n             Nouveau solde              600,01\n", ""},
		"none in lines that do not add up":                                     {"Statement of account\n\nOpening balance   310.05 EUR\n2 July 2025\nSpar Ranelagh   -12.40\nClosing balance   397.65 EUR\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			content := extract(t, []byte(c.page), Text)
			if kind, _, _ := Classify(content); kind != KindStatement && kind != KindNote { // of a plain text
				t.Errorf("it is taken for a %s", kind)
			}
			values, _ := Fields(content, KindStatement)
			movements, _ := values["transactions"].([]map[string]any)
			var got []string
			for _, movement := range movements {
				got = append(got, fmt.Sprint(movement["date"], " ", cmp.Or(movement["description"], movement["reference"]), " ", movement["amount"]))
			}
			if strings.Join(got, "; ") != c.want {
				t.Errorf("movements %q, want %q; fields %v", strings.Join(got, "; "), c.want, values)
			}
			warned := slices.ContainsFunc(content.Warnings, func(warning string) bool { return strings.Contains(warning, "do not add up") })
			if warned != (c.want == "") {
				t.Errorf("warnings %v", content.Warnings)
			}
		})
	}
}

func TestMovementsWithoutSidesAreLeftOut(t *testing.T) {
	content := extract(t, []byte("Account statement\nStatement period: 02/01/2026 - 02/28/2026\n\nDate         Description   Amount\n02/03/2026   TEA SHOP      12.50\n02/10/2026   WAGES         300.00\n"), Text)
	values, _ := Fields(content, KindStatement)
	if values["transactions"] != nil || !slices.ContainsFunc(content.Warnings, func(warning string) bool { return strings.Contains(warning, "no signs") }) {
		t.Errorf("%v, warnings %q", values, content.Warnings)
	}
}

func TestTheOwnerOfAnAccountIsNotItsBank(t *testing.T) {
	const rest = "\nDate         Details   Amount\n02/05/2025   Gas       -44.50\n14/05/2025   Pay       100.00\n20/05/2025   Rent      -10.00\n"
	for name, c := range map[string]struct{ head, field, want string }{
		"beside the number in one line":     {"Volksbank Allgäu eG\nKontoauszug 2/2025 · IBAN DE02 1203 0000 0000 2020 51 · Jutta Riedmüller\n", "account_holder", "Jutta Riedmüller"},
		"above the number":                  {"Great Lakes Credit Union\n\n                                   Dolores M. Kane\n                                   000118844\n", "account_holder", "Dolores M. Kane"},
		"not the bank above the number":     {"Caisse Populaire du Lac\nFR14 2004 1010 0505 0001 3M02 606\n", "account_holder", ""},
		"under its head in a row of heads":  {"Harbour Building Society\n\nAccount Name          Sortcode     Account Number\nMs P R Lindqvist      40-11-76     12345678\n", "account_holder", "Ms P R Lindqvist"},
		"no bank from the head of a number": {"International Bank Account Number    GB36HBUK40117612345678\n", "institution", ""},
		"the bank by its name":              {"Dolores M. Kane\nBank Spółdzielczy w Limanowej\n", "institution", "Bank Spółdzielczy w Limanowej"},
		"the name above an address":         {"Harbour Building Society\n\nMr Owen Pryce\n7 Quay Street\nCARDIFF\nCF10 1AB\n", "account_holder", "Mr Owen Pryce"},
		"no bank where two stand there":     {"Caisse du Lac\nBanque du Mont\n", "institution", ""},
		"the account with its check digits": {"Caisse du Lac\nIBAN FR14 2004 1010 0505 0001 3M02 606\n", "iban", "FR1420041010050500013M02606"},
	} {
		t.Run(name, func(t *testing.T) {
			values, _ := Fields(extract(t, []byte(c.head+rest), Text), KindStatement)
			if got, _ := values[c.field].(string); got != c.want {
				t.Errorf("%s = %q, want %q", c.field, got, c.want)
			}
		})
	}
}
