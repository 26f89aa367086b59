package language

import "testing"

func TestFindPersonEvidenceTellsPersonsFromCompanies(t *testing.T) {
	for name, want := range map[string]PersonEvidence{
		"Anna Schmidt":                MaybePerson,
		"ANNA SCHMIDT":                MaybePerson,
		"Schmidt, Anna":               MaybePerson,
		"SCHMIDT ANNA":                MaybePerson,
		"Hans-Peter Müller":           MaybePerson,
		"Jörg Weiß":                   MaybePerson,
		"Joerg Weiss":                 MaybePerson,
		"Anna und Peter Schmidt":      MaybePerson,
		"John A. Smith":               MaybePerson,
		"Mary O'Brien":                MaybePerson,
		"François Lefèvre":            MaybePerson,
		"José García López":           MaybePerson,
		"Mehmet Yılmaz":               MaybePerson,
		"Ernst & Young":               MaybePerson, // open is not wrong
		"Frau Anna Schmidt":           TitledPerson,
		"Frau Nguyen":                 TitledPerson,
		"Mme Dubois":                  TitledPerson,
		"Eheleute Schmidt":            TitledPerson,
		"Anna Schmidt GmbH":           NoPerson,
		"Anna Schmidt e.K.":           NoPerson,
		"Anna":                        NoPerson,
		"Acme":                        NoPerson,
		"Acme Corp":                   NoPerson,
		"Test Customer":               NoPerson,
		"Deutsche Bahn":               NoPerson,
		"Stadtwerke München":          NoPerson,
		"Dr. Oetker":                  NoPerson,
		"Mr. Wash Autoservice":        NoPerson,
		"Herrmann Bau":                NoPerson,
		"Netflix.com":                 NoPerson,
		"REWE 1234 Anna":              NoPerson,
		"Verein der Freunde der Anna": NoPerson,
		"":                            NoPerson,
	} {
		if got := FindPersonEvidence(name); got != want {
			t.Errorf("%q says %d instead of %d", name, got, want)
		}
	}
}
