package charts

import "time"

// spreadDueDates returns due dates for n steps, evenly between now and the chart's due
// date, or the chart's own when that is past.
func spreadDueDates(now time.Time, due string, n int) []string {
	dates := make([]string, n)
	for i := range dates {
		dates[i] = dateBetween(now, due, int64(i+1), int64(n+1))
	}
	return dates
}

// midpoint is the due date of a step added without one.
func midpoint(now time.Time, due string) string { return dateBetween(now, due, 1, 2) }

// dateBetween is the date at part/whole of the way from now to due. It counts whole
// seconds: a time.Duration ends after 292 years.
func dateBetween(now time.Time, due string, part, whole int64) string {
	end, ok := ParseDueDate(due)
	if !ok || !end.After(now) {
		return due
	}
	seconds := end.Unix() - now.Unix()
	return timestamp(time.Unix(now.Unix()+seconds/whole*part+seconds%whole*part/whole, 0))
}
