package document

import (
	"testing"

	"golang.org/x/text/encoding/charmap"
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
