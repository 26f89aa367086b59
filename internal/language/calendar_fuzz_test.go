package language

import (
	"testing"
	"time"
)

func FuzzDayOfAPlanIsFoundInAnyText(f *testing.F) {
	for _, text := range []string{
		"wir fahren weihnachten nach Lübeck, 23. bis 27.", "die kita macht vom 21.12.-2.1. zu", "consegna venerdì 4/12, ore 9", "4-20 dicembre",
		"parents evening is on wednesday now", "12月4日に提出", "le 3. — 6 avril", "Sa 12.12. 16:30", "3.12., 16 Uhr", "по средам 4.12.26",
	} {
		f.Add(text, true)
	}
	said := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, text string, each bool) {
		day, named := FindDueDay(text, said, each)
		if named && day.IsZero() || !named && !day.IsZero() {
			t.Errorf("%q: %s, named %v", text, day, named)
		}
		AnnouncesMove(text)
		TermsOfMoved(text, said)
	})
}
