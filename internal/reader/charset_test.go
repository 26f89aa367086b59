package reader

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

func TestTheEncodingFollowsTheLanguage(t *testing.T) {
	for text, in := range map[string]struct {
		name string
		in   *charmap.Charmap
	}{
		"Data;Tytuł;Kwota;Nadawca\n2025-03-01;WPŁATA własna;120,00;Zakład Mięsny Sp. z o.o.\n2025-03-04;Zapłata za fakturę 12/2025;-80,50;Księgarnia Żółta\n":           {"windows-1250", charmap.Windows1250},
		"Data;Tytuł;Kwota\n2025-03-01;Wpłata własna na rachunek bieżący;120,00\n2025-03-04;Zapłata za fakturę ze stycznia;-80,50\n2025-03-09;Opłata miesięczna;-5,00\n": {"iso-8859-2", charmap.ISO8859_2},
		"Datum;Popis;Částka;Měna\n1.3.2025;Nájemné za březen;-12 500,00;CZK\n4.3.2025;Platba kartou, pekařství;-89,00;CZK\n7.3.2025;Příchozí úhrada;30 000,00;CZK\n":    {"windows-1250", charmap.Windows1250},
		"Buchungstag;Verwendungszweck;Betrag\n01.03.2025;Miete März für die Wohnung;-900,00\n04.03.2025;Überweisung von Müller Söhne;1200,00\n":                         {"windows-1252", charmap.Windows1252},
		"Date;Libellé;Débit;Crédit\n01/03/2025;Loyer de l'appartement à Nîmes;900,00;\n04/03/2025;Virement reçu de la société Café Noël;;1200,00\n":                     {"windows-1252", charmap.Windows1252},
		"Datum;Beskrivning;Belopp\n2025-03-01;Överföring från lönekonto;12000,00\n2025-03-04;Kortköp livsmedel på torget;-230,00\n":                                     {"windows-1252", charmap.Windows1252},
		"Fecha;Concepto;Importe\n01/03/2025;Pago de la nómina del mes de marzo;1800,00\n04/03/2025;Compañía eléctrica española, recibo;-60,00\n":                        {"windows-1252", charmap.Windows1252},
		"Date:\u00a027/02/2026\nAmount:\u00a0-12.00\n\nDate:\u00a020/02/2026\nAmount:\u00a01500.00\n\nDate:\u00a013/02/2026\nAmount:\u00a0-80.00\n":                     {"windows-1252", charmap.Windows1252},
		"name,town\nJosé,Paris\nAnna,Rome\n": {"windows-1252", charmap.Windows1252},
		"Дата;Назначение платежа;Сумма\n01.03.2025;Оплата по счёту за аренду помещения;-900,00\n04.03.2025;Поступление от покупателя;1200,00\n": {"windows-1251", charmap.Windows1251},
		"Дата;Назначение;Сумма\n01.03.2025;Перевод собственных средств на счёт;900,00\n04.03.2025;Оплата услуг связи;-120,00\n":                 {"koi8-r", charmap.KOI8R},
		"Ημερομηνία;Περιγραφή;Ποσό\n01/03/2025;Πληρωμή ενοικίου για το διαμέρισμα;-900,00\n04/03/2025;Κατάθεση από την εταιρεία;1200,00\n":      {"iso-8859-7", charmap.ISO8859_7},
		"Kontoudtog for februar; Overførsel fra lønkonto; køb på torvet, Ærø færge":                                                             {"windows-1252", charmap.Windows1252},
		"Bankafschrift: coördinatie van de reünie; één keer betaald, geïnd door België":                                                         {"windows-1252", charmap.Windows1252},
		"Receipt: 20° outside, ½ price, £12 and ©2020 ® ± 3 §4 English words only":                                                              {"windows-1252", charmap.Windows1252},
		"Számlakivonat: átutalás közüzemi díj, fizetendő összeg, külső szolgáltató":                                                             {"windows-1250", charmap.Windows1250},
		"Izvadak po računu: uplata za račun, naknada za održavanje žiro računa, plaćanje":                                                       {"windows-1250", charmap.Windows1250},
		"Hesap özeti: kredi kartı ödemesi, işlem tarihi, açıklama, şirket için alışveriş":                                                       {"windows-1254", charmap.Windows1254},
		"Wyciąg z rachunku: miesięczna opłata za prowadzenie, składki, zwrot kaucji, Łódź":                                                      {"IBM Code Page 852", charmap.CodePage852},
		"Kontoauszug: Überweisung für Müller, Gebühr für Kontoführung, Rückzahlung":                                                             {"IBM Code Page 850", charmap.CodePage850},
		"תאריך,תיאור,חובה,זכות\n01/02/2026,משכורת חודשית,,100.00\n14/02/2026,סופרמרקט,20.00,\n":                                                 {"windows-1255", charmap.Windows1255},
		"التاريخ,الوصف,مدين,دائن\n01/02/2026,راتب شهر فبراير,,100.00\n14/02/2026,شراء من السوق,20.00,\n":                                        {"windows-1256", charmap.Windows1256},
		"Data;Aprašymas;Suma\n2026-02-01;Atlyginimas už sausį;100,00\n2026-02-03;Pirkinių krepšelis, Žemaitė;-20,00\n":                          {"windows-1257", charmap.Windows1257},
		"Дата;Назначение;Дебет;Кредит\n02.03.2026;Оплата аренды;500,00;\n14.03.2026;Зарплата за март;;900,00\n":                                 {"ibm866", charmap.CodePage866},
		"ДАТА;НАЗНАЧЕНИЕ ПЛАТЕЖА;СУММА;ОПЛАТА ПО СЧЕТУ ЗА АРЕНДУ ПОМЕЩЕНИЯ":                                                                     {"koi8-r", charmap.KOI8R},
	} {
		data, err := in.in.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got, name := decodeText(data); name != in.name || got != text {
			t.Errorf("%s is taken for %s:\n%s", in.name, name, got)
		}
	}
}

// listsOfEasternAsia are lists of movements of 1200 out, 250000 in and 3000 out.
var listsOfEasternAsia = map[string]encoding.Encoding{
	"取引日,摘要,出金額,入金額,残高\n2025/03/01,コンビニ,1200,,8800\n2025/03/02,給料,,250000,258800\n2025/03/03,水道代,3000,,255800\n":                                     japanese.ShiftJIS,
	"日付,摘要,内容,支払金額,預入金額,差引残高\n2025/03/01,手数料,ｶ-ﾄﾞﾃｽｳﾘﾖｳ,1200,,8800\n2025/03/02,給料,ｶ)ｱｵﾊﾞｼﾖｳｼﾞ,,250000,258800\n2025/03/03,振込,ﾔﾏﾀﾞ ﾊﾅｺ,3000,,255800\n": japanese.ShiftJIS,
	"日付,お取引内容,お引出し,お預入れ,差引残高\n2025/03/01,コンビニ,1200,,8800\n2025/03/02,お給料,,250000,258800\n2025/03/03,ガス代,3000,,255800\n":                              japanese.EUCJP,
	"交易日期,摘要,支出金额,收入金额,账户余额\n2025/03/01,超市购物,1200,,8800\n2025/03/02,公司工资,,250000,258800\n2025/03/03,交水费用,3000,,255800\n":                             simplifiedchinese.GB18030,
	"交易日期,摘要,支出金額,收入金額,帳戶餘額\n2025/03/01,超市購物,1200,,8800\n2025/03/02,公司薪資,,250000,258800\n2025/03/03,交水費用,3000,,255800\n":                             traditionalchinese.Big5,
	"거래일자,적요,출금액,입금액,잔액\n2025/03/01,편의점 식품,1200,,8800\n2025/03/02,회사 급여,,250000,258800\n2025/03/03,수도 요금,3000,,255800\n":                             korean.EUCKR,
}

func TestEncodingsOfEasternAsiaAreKnownByTheirCharacters(t *testing.T) {
	for text, in := range listsOfEasternAsia {
		data, err := in.NewEncoder().Bytes([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		content := extract(t, data, CSV)
		if content.Text != text || len(content.Warnings) > 0 {
			t.Errorf("read as %v:\n%s\n%q", content.Metadata["encoding"], content.Text, content.Warnings)
		}
		if got := movementsOf(content); got != "2025-03-01 -1200; 2025-03-02 250000; 2025-03-03 -3000" {
			t.Errorf("movements %s of\n%s", got, text)
		}
	}
}

func TestAnEncodingThatIsAGuessIsSaid(t *testing.T) {
	for _, test := range []struct {
		name string
		data string
		want string
	}{
		{"bytes that are letters of no language", "name;town\n\xa4\xe8\xf1\xf0;\xd0\xde\xfe\xa6\n", "nothing tells for sure"},
		{"a few letters that two languages share", "Datum;Popis\n1;Ko\xe8\n", "nothing tells for sure"},
		{"a few letters of one", "name,town\nJos\xe9,Paris\n", ""},
		{"signs", "Date,Text\n2025-03-01,\xa312.00 for Ann\x92s tea\n", ""},
	} {
		content := extract(t, []byte(test.data), CSV)
		if all := strings.Join(content.Warnings, "\n"); test.want == "" && all != "" || !strings.Contains(all, test.want) {
			t.Errorf("%s: warnings %q of\n%s", test.name, all, content.Text)
		}
	}
}

func TestTheEncodingThatAFileDeclaresIsTaken(t *testing.T) {
	text := "OFXHEADER:100\nCHARSET:1250\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><BANKTRANLIST><STMTTRN><TRNTYPE>DEBIT<DTPOSTED>20250301<TRNAMT>-1.00<NAME>Ko\xe8</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"
	content := extract(t, []byte(text), OFX)
	if got := content.Records[0].Fields["counterparty"]; got != "Koč" || len(content.Warnings) > 0 {
		t.Errorf("the name is %q, %q", got, content.Warnings)
	}
}
