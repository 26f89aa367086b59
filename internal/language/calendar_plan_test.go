package language

import "testing"

// Said on Sunday, 29 November 2026.
func TestAPlanNamesTheNextDayOfItsName(t *testing.T) {
	reference := dayAt(t, "2026-11-29")
	for text, want := range map[string]string{
		"Call the plumber on Thursday":                            "2026-12-03",
		"send it by Tuesday":                                      "2026-12-01",
		"it has to be there before Sunday":                        "2026-12-06",
		"Bis Freitag die Belege an den Steuerberater":             "2026-12-04",
		"am Dienstag rufe ich ihn an":                             "2026-12-01",
		"tengo que llamarla el martes":                            "2026-12-01",
		"rendre le dossier avant mardi":                           "2026-12-01",
		"mardi je dois rappeler le notaire":                       "2026-12-01",
		"pay the fee on December 3":                               "2026-12-03",
		"next Monday the parts come":                              "2026-11-30",
		"send it by Friday, December 11":                          "2026-12-11",
		"à rendre avant mercredi 9 décembre":                      "2026-12-09",
		"antes del jueves 10 de diciembre":                        "2026-12-10",
		"bis Freitag, den 11. Dezember":                           "2026-12-11",
		"by the end of the month":                                 "2026-11-30",
		"die Steuer muss bis 3.12. raus":                          "2026-12-03",
		"am 15.1. kommt der Heizungsbauer":                        "2027-01-15",
		"bis zum 11.12.2026":                                      "2026-12-11",
		"wir sind auf Python 3.12.":                               "",
		"ab 3.12.4 geht es":                                       "",
		"every Tuesday we water the plants":                       "",
		"we water them on Tuesdays":                               "",
		"jeden Montag gießen":                                     "",
		"last Tuesday it broke":                                   "",
		"ask Sunny":                                               "",
		"We moved the releases from Friday to Tuesday":            "",
		"wir haben die Releases von Freitag auf Dienstag verlegt": "",
		"from now on we release on Tuesday":                       "",
		"we always release on Tuesday":                            "",
		"the deadline moved from December 11 to December 18":      "2026-12-18",
		"vacation from December 20 to January 3":                  "2026-12-20",
		"I continue on Monday":                                    "2026-11-30",
		"no not Thursday, Holloway can only do Friday at 2":       "2026-12-04",
		"ne doch nicht am Freitag, der Wessel kann erst Montag":   "2026-11-30",
		"pas vendredi, plutôt lundi":                              "2026-11-30",
		"not on Friday":                                           "",
	} {
		day, named := FindPlannedDay(text, reference)
		if got := day.Format("2006-01-02"); named && got != want || named != (want != "") {
			t.Errorf("%q is planned for %s, %v; not %q", text, got, named, want)
		}
	}
}

// Said on Sunday, 29 November 2026.
func TestWhatIsNoPlanIsDueWhereItSaysSo(t *testing.T) {
	reference := dayAt(t, "2026-11-29")
	for text, want := range map[string]string{
		"The customer pays by the end of the month":           "2026-11-30",
		"Der Kunde zahlt bis Ende des Monats":                 "2026-11-30",
		"Send the price list to Ana by 3 December":            "2026-12-03",
		"I continue on Monday":                                "2026-11-30",
		"The deadline moved from December 11 to December 18":  "2026-12-18",
		"The fair is on December 5, not on December 3":        "2026-12-05",
		"The fair is not on December 3 but on December 5":     "2026-12-05",
		"From December 1, 2026 on prices are gross":           "",
		"We moved the releases from Friday to Tuesday":        "",
		"The market is on Thursday":                           "",
		"We always send the invoices by the end of the month": "",
		"The lease ends in 2027":                              "",
	} {
		day, named := FindDueDay(text, reference, true)
		if got := day.Format("2006-01-02"); named && got != want || named != (want != "") {
			t.Errorf("%q is due on %s, %v; not %q", text, got, named, want)
		}
	}
}

// Said on Sunday, 29 November 2026.
func TestAStatementHoldsLaterWhereItsDayHasNotCome(t *testing.T) {
	reference := dayAt(t, "2026-11-29")
	for text, want := range map[string]bool{
		"From January on we bill monthly":                    true,
		"Ab Januar rechnen wir monatlich ab":                 true,
		"starting next month the office is in Bonn":          true,
		"as of now, and from 1 February on, we use Mollie":   true,
		"À partir du 1er janvier nous facturons au mois":     true,
		"from Monday on we deploy twice a day":               true,
		"from now on we bill monthly":                        false,
		"from November on we bill monthly":                   false,
		"the deadline moved from December 11 to December 18": false,
		"we moved away from Stripe":                          false,
	} {
		if got := TakesEffectAfter(text, reference, reference); got != want {
			t.Errorf("%q holds later: %v", text, got)
		}
	}
	if TakesEffectAfter("From January on we bill monthly", reference, dayAt(t, "2027-01-01")) {
		t.Error("it does not hold on its day")
	}
}
