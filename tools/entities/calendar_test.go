package entities

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
)

// uploadCalendar uploads a calendar of events, each as its lines.
func (b *bench) uploadCalendar(name string, events ...string) {
	b.T.Helper()
	text := "BEGIN:VCALENDAR\nVERSION:2.0\n"
	for _, e := range events {
		text += "BEGIN:VEVENT\n" + e + "\nEND:VEVENT\n"
	}
	testenv.Write(b.T, filepath.Join(b.folder, name), text+"END:VCALENDAR\n")
	b.Call(uploadName, args{"file_path": name})
}

// timelineLines are the events of a timeline: time, name and whether it is cancelled.
func (b *bench) timelineLines(in args) (lines []string, out args) {
	b.T.Helper()
	out = b.Call(timelineName, in)
	list, _ := out["events"].([]any)
	for _, e := range list {
		e := e.(args)
		line := e["at"].(string) + " " + e["canonical_name"].(string)
		if e["cancelled"] == true {
			line += " cancelled"
		}
		lines = append(lines, line)
	}
	return lines, out
}

func TestTimelineGivesEachDayOfWhatRecursAndMarksWhatIsCancelled(t *testing.T) {
	b := newBench(t)
	b.uploadCalendar("team.ics",
		"UID:a\nSUMMARY:Jour fixe\nDTSTART;TZID=Europe/Berlin:20260908T090000\nRRULE:FREQ=WEEKLY;INTERVAL=2\nEXDATE;TZID=Europe/Berlin:20261103T090000",
		"UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261020T090000\nSUMMARY:Jour fixe moved\nDTSTART;TZID=Europe/Berlin:20261021T140000",
		"UID:a\nRECURRENCE-ID;TZID=Europe/Berlin:20261117T090000\nSUMMARY:Jour fixe off\nSTATUS:CANCELLED\nDTSTART;TZID=Europe/Berlin:20261117T090000",
		"UID:b\nSUMMARY:Fair\nSTATUS:CANCELLED\nDTSTART;VALUE=DATE:20261022",
		"UID:c\nSUMMARY:Rent\nDTSTART;VALUE=DATE:20260105\nRRULE:FREQ=MONTHLY;BYMONTHDAY=5;COUNT=11")
	want := []string{
		"2026-10-05T00:00:00Z Rent",
		"2026-10-06T07:00:00Z Jour fixe",
		"2026-10-21T12:00:00Z Jour fixe moved",
		"2026-10-22T00:00:00Z Fair cancelled",
		"2026-11-03T08:00:00Z Jour fixe cancelled",
		"2026-11-05T00:00:00Z Rent",
		"2026-11-17T08:00:00Z Jour fixe off cancelled",
		"2026-12-01T08:00:00Z Jour fixe",
	}
	window := args{"from": "2026-10-01", "to": "2026-12-15"}
	got, out := b.timelineLines(window)
	same(t, "the days", got, want)
	same(t, "all", int(out["total"].(float64)), len(want))
	for offset := range want { // whatever the page
		page, _ := b.timelineLines(args{"from": "2026-10-01", "to": "2026-12-15", "limit": 2, "offset": offset})
		same(t, "a page", page, want[offset:min(offset+2, len(want))])
	}
	page, _ := b.timelineLines(args{"from": "2026-10-01", "to": "2026-12-15", "order": "desc", "limit": 3, "offset": 1})
	slices.Reverse(page)
	same(t, "backwards", page, want[len(want)-4:len(want)-1])

	got, _ = b.timelineLines(args{"from": "2026-01-01"})
	same(t, "without an end", got, []string{"2026-01-05T00:00:00Z Rent", "2026-09-08T07:00:00Z Jour fixe", want[2], want[3], want[6]})
	contains(t, "it says so", text(b.CallAccepted(timelineName, args{"from": "2026-01-01"}).Hints), "2 of the events recur and are listed with their first day only")
}

func TestTimelineBoundsTheDaysOfWhatRecurs(t *testing.T) {
	b := newBench(t)
	b.uploadCalendar("daily.ics", "UID:a\nSUMMARY:Stretch\nDTSTART;VALUE=DATE:20000101\nRRULE:FREQ=DAILY", "UID:b\nSUMMARY:Tick\nDTSTART:20260101T000000Z\nRRULE:FREQ=SECONDLY")
	_, out := b.timelineLines(args{"to": "2026-01-10", "limit": 1})
	same(t, "all", int(out["total"].(float64)), maxOccurrences+1)
	contains(t, "it says so", text(b.CallAccepted(timelineName, args{"to": "2026-01-10"}).Hints), "beyond 2000 are left out")
}

// A calendar is exported again and again: its last form counts.
func TestACalendarThatIsExportedAgainReplacesItsEvents(t *testing.T) {
	b := newBench(t)
	b.uploadCalendar("first.ics", "UID:a\nSUMMARY:Dentist\nDTSTART:20261202T090000Z", "UID:b\nSUMMARY:Choir\nDTSTART:20261203T190000Z")
	b.Clock.Advance(time.Hour)
	b.uploadCalendar("second.ics", "UID:a\nSUMMARY:Dentist\nDTSTART:20261204T090000Z", "UID:b\nSUMMARY:Choir\nSTATUS:CANCELLED\nDTSTART:20261203T190000Z")
	got, _ := b.timelineLines(args{"from": "2026-12-01", "to": "2026-12-31"})
	same(t, "the timeline", got, []string{"2026-12-03T19:00:00Z Choir cancelled", "2026-12-04T09:00:00Z Dentist"})
	from := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	storetest.Read(t, b.Store, func(tx *store.Tx) error {
		list, err := ListAppointments(t.Context(), tx, from, from.AddDate(0, 0, 7))
		var titles []string
		for _, a := range list {
			titles = append(titles, a.At.Format(time.DateOnly)+" "+a.Title)
		}
		same(t, "the next days", strings.Join(titles, "|"), "2026-12-04 Dentist")
		return err
	})
}
