package language

import (
	"strings"
	"testing"
	"time"
)

// testPlannedDays checks the planned days of texts that were said on a day; empty: none.
func testPlannedDays(t *testing.T, said string, plans map[string]string) {
	t.Helper()
	for text, want := range plans {
		got := ""
		if day, named := FindPlannedDay(text, dayAt(t, said)); named {
			got = day.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q is planned for %q, want %q", text, got, want)
		}
	}
}

// Said on Tuesday, 24 November 2026.
func TestPlanOfSeveralDaysIsDueOnItsFirst(t *testing.T) {
	testPlannedDays(t, "2026-11-24", map[string]string{
		"die kita macht vom 21.12. bis 2.1. zu":                 "2026-12-21",
		"Markt vom 3.12. bis 19.12.":                            "2026-12-03",
		"vom 5.12. bis 18.12. Kur":                              "2026-12-05",
		"kita zu 21.12.-2.1.":                                   "2026-12-21",
		"Kur 5.12. - 18.12.":                                    "2026-12-05",
		"Kur 5.12. – 18.12.2026":                                "2026-12-05",
		"Kur vom 5. – 18.12.":                                   "2026-12-05",
		"vom 4. bis 20. Dezember Urlaub":                        "2026-12-04",
		"vom 4. bis 20. Januar Urlaub":                          "2027-01-04",
		"vom 28. bis 3. Januar sind wir weg":                    "2026-12-28",
		"4.-20. Dezember Urlaub":                                "2026-12-04",
		"zwischen dem 4. und 20. Dezember wird gebaut":          "2026-12-04",
		"von Montag, den 7.12. bis Freitag, den 11.12. Messe":   "2026-12-07",
		"vom 20.11. bis 5.12. ist er weg":                       "",
		"we are away from 21 December to 2 January":             "2026-12-21",
		"we are away from December 21 to January 2":             "2026-12-21",
		"we are away December 4-20":                             "2026-12-04",
		"we are away 4–20 December":                             "2026-12-04",
		"we are away from 4 to 20 January":                      "2027-01-04",
		"closed between 4 and 20 December":                      "2026-12-04",
		"I'm away from Friday to Sunday":                        "2026-11-27",
		"l'asilo chiude dal 21 dicembre al 2 gennaio":           "2026-12-21",
		"l'asilo chiude dal 4 al 20 dicembre":                   "2026-12-04",
		"l'asilo chiude dal 21.12. al 2.1.":                     "2026-12-21",
		"la crèche ferme du 21 décembre au 2 janvier":           "2026-12-21",
		"la crèche ferme du 4 au 20 décembre":                   "2026-12-04",
		"la guardería cierra del 21 de diciembre al 2 de enero": "2026-12-21",
		"la guardería cierra del 4 al 20 de diciembre":          "2026-12-04",
		"a creche fecha de 21 de dezembro a 2 de janeiro":       "2026-12-21",
		"a creche fecha de 4 a 20 de dezembro":                  "2026-12-04",
		"de opvang is dicht van 21 december tot 2 januari":      "2026-12-21",
		"de opvang is dicht van 4 tot 20 december":              "2026-12-04",
		"przedszkole zamknięte od 21 grudnia do 2 stycznia":     "2026-12-21",
		"przedszkole zamknięte od 4 do 20 grudnia":              "2026-12-04",
		"садик закрыт с 21 декабря по 2 января":                 "2026-12-21",
		"садик закрыт с 4 по 20 декабря":                        "2026-12-04",
		"kreş 21 Aralık - 2 Ocak kapalı":                        "2026-12-21",
		"الحضانة مغلقة من 21 ديسمبر إلى 2 يناير":                "2026-12-21",
		"保育園は12月21日から1月2日まで休みです":                                "2026-12-21",
		"幼儿园12月21日至1月2日放假":                                      "2026-12-21",
		"어린이집은 12월 21일부터 1월 2일까지 쉽니다":                           "2026-12-21",
		"โรงเรียนปิดตั้งแต่ 21 ธันวาคม ถึง 2 มกราคม": "2026-12-21",
		"consegna capitolo 2 - 4 dicembre":                       "",
		"der Termin wurde vom 3. auf den 8. Dezember verschoben": "2026-12-08",
		"the workshop moved from 3 to 8 December":                "2026-12-08",
	})
}

// Said on Tuesday, 1 December 2026.
func TestDayBesideItsShortWeekdayOrDeadlineIsPlanned(t *testing.T) {
	t.Setenv("LC_ALL", "C.UTF-8")
	testPlannedDays(t, "2026-12-01", map[string]string{
		"the roofers come Mon 7 to Wed 9 December": "2026-12-07",
		"vet appointment Sat Dec 12 9am":           "2026-12-12",
		"the sun is low":                           "",
		"we sat there":                             "",
		"dentista jueves 10/12":                    "2026-12-10",
		"the vet is on thursday 10/12":             "",
		"vakantie van 19 december t/m 3 januari":   "2026-12-19",
		"1月15日前交报告":                                "2027-01-15",
	})
}

// Said on Tuesday, 24 November 2026.
func TestBareDayBesideFeastOrRangeIsNoDayOfAnotherMonth(t *testing.T) {
	testPlannedDays(t, "2026-11-24", map[string]string{
		"wir fahren weihnachten zu meiner schwester Karin nach Lübeck, 23. bis 27.": "",
		"silvester feiern wir bei Oma, 30. bis 1.":                                  "",
		"ostern fahren wir nach Wien, 3. bis 6.":                                    "",
		"an Weihnachten kommt Karin am 24.":                                         "",
		"we visit Karin at christmas, until the 27th":                               "",
		"à Noël nous partons le 23":                                                 "",
		"vom 23. bis 27. sind wir weg":                                              "",
		"vom 26. bis 28. sind wir weg":                                              "2026-11-26",
		"am 27. kommt der Heizungsbauer":                                            "2026-11-27",
		"wir fahren vom 23.12. bis 27.12. an Weihnachten weg":                       "2026-12-23",
	})
}

// Said on Tuesday, 24 November 2026.
func TestWrittenDateIsPlannedInSixteenLanguages(t *testing.T) {
	testPlannedDays(t, "2026-11-24", map[string]string{
		"consegna del capitolo 2 venerdì 4 dicembre":               "2026-12-04",
		"incontro con la Bentivoglio mercoledì 2 dicembre alle 11": "2026-12-02",
		"devo consegnare il capitolo 2 entro il 4 dicembre 2026":   "2026-12-04",
		"riunione il 4.12. alle 11":                                "2026-12-04",
		"riunione il 4/12 alle 11":                                 "2026-12-04",
		"devo pagare entro venerdì":                                "2026-11-27",
		"pranzo con Anna venerdì":                                  "2026-11-27",
		"ogni venerdì palestra":                                    "",
		"domani chiamo l'idraulico":                                "2026-11-25",
		"doctor on Friday, December 4":                             "2026-12-04",
		"Zahnarzt Freitag 4.12. 10:30":                             "2026-12-04",
		"Zahnarzt am 4.12 um 10":                                   "2026-12-04",
		"Zahnarzt am Fr., den 4. Dez.":                             "2026-12-04",
		"Zahnarzt am 4.12.26":                                      "2026-12-04",
		"Zahnarzt 4.12. um 10 Uhr":                                 "2026-12-04",
		"rendez-vous vendredi 4 décembre à 11 h":                   "2026-12-04",
		"rendez-vous le 4 déc. 2026":                               "2026-12-04",
		"cita el viernes 4 de diciembre":                           "2026-12-04",
		"reunião na sexta-feira, 4 de dezembro":                    "2026-12-04",
		"entregar o capítulo até 4 de dezembro de 2026":            "2026-12-04",
		"reunião na segunda às 10":                                 "2026-11-30",
		"reunião dia 4/12 às 10":                                   "2026-12-04",
		"afspraak met de tandarts op vrijdag 4 december":           "2026-12-04",
		"tandarts vrijdag om 10 uur":                               "2026-11-27",
		"elke vrijdag sporten":                                     "",
		"dentysta w piątek 4 grudnia o 11":                         "2026-12-04",
		"muszę oddać rozdział do piątku":                           "2026-11-27",
		"dentysta 4.12. o 10:30":                                   "2026-12-04",
		"стоматолог в пятницу 4 декабря в 11":                      "2026-12-04",
		"сдать главу до пятницы":                                   "2026-11-27",
		"завтра позвонить сантехнику":                              "2026-11-25",
		"dişçi randevusu 4 Aralık Cuma saat 11":                    "2026-12-04",
		"raporu cumaya kadar teslim etmeliyim":                     "2026-11-27",
		"موعد طبيب الأسنان يوم الجمعة 4 ديسمبر":                    "2026-12-04",
		"موعد الطبيب يوم الجمعة":                                   "2026-11-27",
		"12月4日金曜日に歯医者":                                             "2026-12-04",
		"金曜日に歯医者":                                                  "2026-11-27",
		"12月4日星期五看牙医":                                              "2026-12-04",
		"星期五看牙医":                                                   "2026-11-27",
		"12月4日星期五看牙醫":                                              "2026-12-04",
		"下周五看牙医":                                                   "2026-12-04",
		"每周五开会":                                                    "",
		"毎週金曜日は会議":                                                 "",
		"12월 4일 금요일에 치과":                                           "2026-12-04",
		"금요일까지 보고서를 내야 해":                                          "2026-11-27",
		"매주 금요일 회의":                                                "",
		"นัดหมอฟันวันศุกร์ที่ 4 ธันวาคม": "2026-12-04",
		"นัดหมอฟันวันศุกร์":              "2026-11-27",
	})
}

// Said on Tuesday, 24 November 2026.
func TestNumberThatIsNoDayIsNotPlanned(t *testing.T) {
	testPlannedDays(t, "2026-11-24", map[string]string{
		"support is open 24/7":                   "",
		"add the 1/2 cup of sugar":               "",
		"we upgrade to 3.12.":                    "",
		"we have to depend on 3.12 by default":   "",
		"Python 3.11 bis 3.12 muss laufen":       "",
		"passare alla versione 3.12":             "",
		"leggere la quarta parte e la quinta":    "",
		"leer la segunda parte":                  "",
		"he salido de la ruta, salí tarde":       "",
		"rispondere a sei persone":               "",
		"the open house for our 3 mar students":  "",
		"set the 5 set points and out the 3 out": "",
		"chapters 3 to 4 are to be written":      "",
	})
}

// Said on Monday, 30 November 2026.
func TestWeekdayOfAMovedAppointmentIsDue(t *testing.T) {
	for text, want := range map[string]string{
		"der elternabend ist jetzt mittwoch, gleiche zeit":      "2026-12-02",
		"parents evening is on wednesday now, same time":        "2026-12-02",
		"zahnarzt von emil verschoben auf freitag 27.11. 10:30": "",
		"zahnarzt von emil verschoben auf freitag 4.12. 10:30":  "2026-12-04",
		"emil's dentist moved to friday":                        "2026-12-04",
		"la riunione è spostata a venerdì":                      "2026-12-04",
		"la réunion est déplacée à vendredi":                    "2026-12-04",
		"la reunión se ha aplazado al viernes":                  "2026-12-04",
		"de vergadering is verplaatst naar vrijdag":             "2026-12-04",
		"a reunião foi adiada para sexta-feira":                 "2026-12-04",
		"spotkanie przełożone na piątek":                        "2026-12-04",
		"встреча перенесена на пятницу":                         "2026-12-04",
		"toplantı cumaya ertelendi":                             "2026-12-04",
		"I do that on wednesday":                                "2026-12-02",
		"die Steuer mache ich am Freitag":                       "2026-12-04",
		"la dichiarazione la faccio venerdì":                    "2026-12-04",
		"je le fais vendredi":                                   "2026-12-04",
		"lo hago el viernes":                                    "2026-12-04",
		"ik doe dat vrijdag":                                    "2026-12-04",
		"faço isso na sexta-feira":                              "2026-12-04",
		"я сделаю это в пятницу":                                "2026-12-04",
		"the market is on Thursday":                             "",
		"der Markt ist am Donnerstag":                           "",
		"we moved the releases from Friday to Tuesday":          "",
		"we do the releases on Tuesdays":                        "",
		"I did that on Wednesday":                               "",
	} {
		got := ""
		if day, named := FindDueDay(text, dayAt(t, "2026-11-30"), true); named {
			got = day.Format(time.DateOnly)
		}
		if got != want {
			t.Errorf("%q is due on %q, want %q", text, got, want)
		}
	}
}

// Said on Monday, 30 November 2026.
func TestComingWeekdayOfAPlanIsTheNextOne(t *testing.T) {
	testPlannedDays(t, "2026-11-30", map[string]string{
		"elternabend emil kommenden dienstag 19:30 in der kita": "2026-12-01",
		"parents evening this coming tuesday":                   "2026-12-01",
		"parents evening is next tuesday 7:30pm":                "2026-12-08",
	})
}

// Said on Tuesday, 1 December 2026.
func TestPlanOfSeveralWeekdaysIsDueOnTheNextOfThem(t *testing.T) {
	for _, plan := range []string{
		"monday i do the books, tuesday flour order, wednesday stocktaking, friday payroll", "montag mache ich die bücher, mittwoch inventur, freitag löhne",
		"lundi je fais la compta, mercredi inventaire, vendredi paye", "lunes hago las cuentas, miércoles inventario, viernes nóminas",
		"lunedì faccio la contabilità, mercoledì inventario, venerdì paghe", "maandag doe ik de boeken, woensdag inventaris, vrijdag lonen",
		"na segunda faço as contas, na quarta inventário, na sexta salários", "w poniedziałek robię księgi, w środę inwentaryzacja, w piątek wypłaty",
		"в понедельник бухгалтерия, в среду инвентаризация, в пятницу зарплата", "pazartesi günü muhasebe, çarşamba günü sayım, cuma günü maaşlar",
		"يوم الاثنين المحاسبة، يوم الأربعاء الجرد، يوم الجمعة الرواتب", "星期一记账，星期三盘点，星期五发工资", "星期一記帳，星期三盤點，星期五發工資",
		"月曜日は帳簿、水曜日は棚卸し、金曜日は給与", "월요일 장부, 수요일 재고 조사, 금요일 급여", "วันจันทร์ทำบัญชี วันพุธตรวจสต็อก วันศุกร์จ่ายเงินเดือน",
	} {
		said := dayAt(t, "2026-12-01")
		due, _ := FindPlannedDay(plan, said)
		days := ""
		for _, n := range ListDueDays(plan, said, due) {
			days += n.From.Format("Mon ")
		}
		if days = strings.Replace(days, "Tue ", "", 1); due.Format(time.DateOnly) != "2026-12-02" || days != "Wed Fri Mon " {
			t.Errorf("%q is due on %s, of %s", plan, due.Format(time.DateOnly), days)
		}
	}
	testPlannedDays(t, "2026-12-01", map[string]string{
		"on friday we discuss what was done on wednesday": "2026-12-04",
		"we meet on friday and on wednesday":              "2026-12-04",
		"the books by friday, stocktaking on wednesday":   "2026-12-04",
	})
	for text, want := range map[string]bool{
		"monday i do the books, wednesday stocktaking, friday payroll": true,
		"I work monday, wednesday, and friday":                         false,
		"monday pizza, wednesday pasta, friday fish":                   false,
	} {
		if day, named := FindDueDay(text, dayAt(t, "2026-12-01"), true); named != want {
			t.Errorf("%q is due on %v, %v", text, day, named)
		}
	}
}

func TestPlanIsNextDueOnTheNextOfItsDays(t *testing.T) {
	const books, holiday = "monday i do the books, wednesday stocktaking, friday payroll", "Priya is on holiday from 30 nov till 11 dec"
	for _, c := range [][4]string{ // said, due first, asked on, due then
		{books, "2026-12-01", "2026-12-02", "2026-12-02"}, {books, "2026-12-01", "2026-12-03", "2026-12-04"},
		{books, "2026-12-01", "2026-12-05", "2026-12-07"}, {books, "2026-12-01", "2026-12-08", "2026-12-07"},
		{holiday, "2026-11-24", "2026-11-29", "2026-11-30"}, {holiday, "2026-11-24", "2026-11-30", "2026-11-30"},
		{holiday, "2026-11-24", "2026-12-01", "2026-12-11"}, {holiday, "2026-11-24", "2026-12-12", "2026-12-11"},
		{"send Ana the list by friday, the fair is on 20 december", "2026-12-01", "2026-12-05", "2026-12-04"},
		{"urlaub vom 30.11. bis 11.12.", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"congés du 30 novembre au 11 décembre", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"ferie dal 30 novembre all'11 dicembre", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"vacaciones del 30 de noviembre al 11 de diciembre", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"vakantie van 30 november tot 11 december", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"férias de 30 de novembro a 11 de dezembro", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"urlop od 30 listopada do 11 grudnia", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"отпуск с 30 ноября по 11 декабря", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"izin 30 Kasım - 11 Aralık", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"إجازة من 30 نوفمبر إلى 11 ديسمبر", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"11月30日から12月11日まで休暇", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"11月30日至12月11日休假", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"11월 30일부터 12월 11일까지 휴가", "2026-11-24", "2026-12-01", "2026-12-11"},
		{"ลาพักตั้งแต่ 30 พฤศจิกายน ถึง 11 ธันวาคม", "2026-11-24", "2026-12-01", "2026-12-11"},
	} {
		said, today := dayAt(t, c[1]), dayAt(t, c[2])
		due, _ := FindPlannedDay(c[0], said)
		if got := FindNextDueDay(c[0], said, due, today).Format(time.DateOnly); got != c[3] {
			t.Errorf("%q is due on %s on %s, want %s", c[0], got, c[2], c[3])
		}
	}
}
