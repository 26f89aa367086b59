package language

import "testing"

// Said on Sunday, 29 November 2026.
func TestAPlanNamesTheNextDayOfItsName(t *testing.T) {
	said := dayAt(t, "2026-11-29")
	for text, want := range map[string]string{
		"Call the plumber on Thursday":                "2026-12-03",
		"send it by Tuesday":                          "2026-12-01",
		"it has to be there before Sunday":            "2026-12-06",
		"Bis Freitag die Belege an den Steuerberater": "2026-12-04",
		"am Dienstag rufe ich ihn an":                 "2026-12-01",
		"tengo que llamarla el martes":                "2026-12-01",
		"rendre le dossier avant mardi":               "2026-12-01",
		"mardi je dois rappeler le notaire":           "2026-12-01",
		"pay the fee on December 3":                   "2026-12-03",
		"next Monday the parts come":                  "2026-11-30",
		"send it by Friday, December 11":              "2026-12-11",
		"à rendre avant mercredi 9 décembre":          "2026-12-09",
		"antes del jueves 10 de diciembre":            "2026-12-10",
		"bis Freitag, den 11. Dezember":               "2026-12-11",
		"by the end of the month":                     "2026-11-30",
		"die Steuer muss bis 3.12. raus":              "2026-12-03",
		"am 15.1. kommt der Heizungsbauer":            "2027-01-15",
		"bis zum 11.12.2026":                          "2026-12-11",
		"wir sind auf Python 3.12.":                   "",
		"ab 3.12.4 geht es":                           "",
		"every Tuesday we water the plants":           "",
		"we water them on Tuesdays":                   "",
		"jeden Montag gießen":                         "",
		"last Tuesday it broke":                       "",
		"ask Sunny":                                   "",
	} {
		day, named := FindPlannedDay(text, said)
		if got := day.Format("2006-01-02"); named && got != want || named != (want != "") {
			t.Errorf("%q is planned for %s, %v; not %q", text, got, named, want)
		}
	}
}
