package charts

import (
	"testing"
	"time"
)

func TestParseDateRejectsTrailingText(t *testing.T) {
	cases := []struct {
		text string
		want string // RFC 3339 in UTC; empty when refused
	}{
		{"2026-05-01T12:00:00Z", "2026-05-01T12:00:00Z"},
		{"2026-05-01T12:00:00", "2026-05-01T12:00:00Z"},
		{"2026-05-01T12:00:00.5Z", "2026-05-01T12:00:00.5Z"},
		{"2026-05-01T12:00:00,25", "2026-05-01T12:00:00.25Z"},
		{"2026-05-01T12:00:00.123456789012Z", "2026-05-01T12:00:00.123456789Z"},
		{"2026-05-01T12:00:00+02:00", "2026-05-01T10:00:00Z"},
		{"2026-05-01T12:00:00-0730", "2026-05-01T19:30:00Z"},
		{"2026-05-01T12:00:00+05", "2026-05-01T07:00:00Z"},
		{"2024-02-29T00:00:00Z", "2024-02-29T00:00:00Z"},
		{"0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"},
		{"2026-05-01", "2026-05-01T23:59:59Z"},
		{"2024-02-29", "2024-02-29T23:59:59Z"},
		{"2026-02-29", ""},
		{"2026-05-01Z", ""},
		{"2026-5-1", ""},
		{"01.05.2026", ""},
		{"2026-05-01T12:00Z", "2026-05-01T12:00:00Z"},
		{"2026-05-01 12:00:00Z", "2026-05-01T12:00:00Z"},
		{"2026-05-01 12:00", "2026-05-01T12:00:00Z"},
		{"2026-13-01T00:00:00Z", ""},
		{"2026-00-10T00:00:00Z", ""},
		{"2026-02-30T00:00:00Z", ""},
		{"2026-02-29T00:00:00Z", ""},
		{"2026-04-31T00:00:00Z", ""},
		{"2026-05-01T24:00:00Z", ""},
		{"2026-05-01T12:60:00Z", ""},
		{"2026-05-01T12:00:60Z", ""},
		{"2026-05-01T12:00:00Zulu", ""},
		{"2026-05-01T12:00:00Z ", ""},
		{"2026-05-01T12:00:00.Z", ""},
		{"2026-05-01T12:00:00+24:00", ""},
		{"2026-05-01T12:00:00+02:60", ""},
		{"2026-05-01T12:00:00+02:", ""},
		{"2026-05-01T12:00:00+2", ""},
		{"2026-05-01T12:00:00z", ""},
		{"2026-05-01T12:00:00\n", ""},
		{"12026-05-01T12:00:00Z", ""},
		{"２０２６-05-01T12:00:00Z", ""},
		{"", ""},
	}
	for _, c := range cases {
		got, err := parseDateIn(c.text, time.Local)
		switch {
		case c.want == "" && err == nil:
			t.Errorf("%q is accepted as %s", c.text, got)
		case c.want != "" && err != nil:
			t.Errorf("%q is refused: %v", c.text, err)
		case c.want != "" && got.UTC().Format(time.RFC3339Nano) != c.want:
			t.Errorf("%q is %s, want %s", c.text, got.UTC().Format(time.RFC3339Nano), c.want)
		}
	}
}

func TestStoredDatesOfImportsAreReadLeniently(t *testing.T) {
	day, ok := ParseDueDate("2026-05-01")
	same(t, "a date alone", []any{formatTimestamp(day), ok}, "[2026-05-01T23:59:59Z true]")
	if _, ok := ParseDueDate("soon"); ok {
		t.Error("soon is a date")
	}
	same(t, "halfway to no date", middleDate(noon, "soon"), "soon")
	same(t, "halfway to a date alone", middleDate(noon, "2026-01-03"), "2026-01-02T17:59:59Z")
}

// FuzzDate looks for a text that panics, that is accepted and not the instant
// it prints as, or that is accepted with anything around it.
func FuzzDate(f *testing.F) {
	for _, seed := range []string{"2026-05-01T12:00:00Z", "2026-05-01T12:00:00.123+02:00", "2026-05-01T12:00:00,5-07", "2024-02-29T23:59:59+2359", "0000-01-01T00:00:00+14:00", "9999-12-31T23:59:59-23:59", "2026-13-40T99:99:99Z", ""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		at, err := parseDateIn(text, time.Local)
		if err != nil {
			return
		}
		again, err := parseDateIn(at.Format(time.RFC3339Nano), time.Local)
		if err != nil || !again.Equal(at) {
			t.Errorf("%q is %s, which reads as %s (%v)", text, at.Format(time.RFC3339Nano), again, err)
		}
		if _, err := parseDateIn(text+"x", time.Local); err == nil {
			t.Errorf("%q is accepted with text after it", text)
		}
		for _, due := range spreadDueDates(noon, text, 3) {
			if _, err := parseDateIn(due, time.Local); err != nil {
				t.Errorf("a step of a chart due %q is due %q: %v", text, due, err)
			}
		}
	})
}
