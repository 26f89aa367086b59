package value

import (
	"slices"
	"strconv"
	"strings"
)

// ColumnConvention is how the numbers of a column are written, decided by those that can be
// read in one way only: "1.234" beside "12,5" is a thousand. Unknown when there are none or
// they contradict each other.
func ColumnConvention(cells []string) NumberConvention {
	found := map[NumberConvention]bool{}
	for _, cell := range cells {
		found[conventionOf(cell)] = true
	}
	switch {
	case found[Point] && !found[Comma]:
		return Point
	case found[Comma] && !found[Point]:
		return Comma
	}
	return Unknown
}

// outsideNumber are the signs and letters before and behind a number.
const outsideNumber = " \u00a0\u202f+-−–()€$£¥ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'"

// conventionOf is what one number tells: by both separators, by one that comes twice and
// parts thousands, by decimals that are not three.
func conventionOf(cell string) NumberConvention {
	digits := strings.Trim(cell, outsideNumber)
	point, comma := strings.LastIndexByte(digits, '.'), strings.LastIndexByte(digits, ',')
	switch {
	case point < 0 && comma < 0:
		return Unknown
	case point >= 0 && comma >= 0:
		if point > comma {
			return Point
		}
		return Comma
	case point >= 0:
		return judgeSeparator(digits, ".", point, Point, Comma)
	}
	return judgeSeparator(digits, ",", comma, Comma, Point)
}

func judgeSeparator(digits, separator string, at int, decimal, grouped NumberConvention) NumberConvention {
	switch behind := len(digits) - at - 1; {
	case strings.Count(digits, separator) > 1:
		return grouped
	case behind == 1, behind == 2, behind == 3 && strings.HasPrefix(digits, "0"+separator):
		return decimal
	case behind == 3 && at > 3 && strings.Trim(digits[:at], "0123456789") == "": // 1250.500 parts no thousands
		return decimal
	}
	return Unknown
}

// IsAmbiguousNumber tells whether a number alone can be read in two ways: 1.650 and 1,650.
func IsAmbiguousNumber(cell string) bool {
	digits := strings.Trim(cell, outsideNumber)
	at := strings.IndexAny(digits, ".,")
	return at >= 0 && len(digits)-at-1 == 3 && conventionOf(cell) == Unknown
}

// DescribeBothReadings says how such a number can be read.
func DescribeBothReadings(cell string) string {
	return cell + " is " + strings.NewReplacer(".", "", ",", "").Replace(cell) + ", or has three decimals"
}

// IsZeroPaddedCode tells codes ("00123", a postcode, a telephone number) from numbers: they open with a zero.
func IsZeroPaddedCode(cell string) bool {
	return len(cell) > 1 && cell[0] == '0' && cell[1] >= '0' && cell[1] <= '9'
}

// Span is the days of a statement; empty ends are open.
type Span struct{ Start, End string }

func (span Span) holds(day string) bool {
	return (span.Start == "" || day >= span.Start) && (span.End == "" || day <= span.End)
}

// RunningDays is how many days of a column tell the order of day and month by running up or
// down, when nothing else says that its rows are sorted: of three days in any order every third
// runs, of seven one in 2520.
const RunningDays = 7

// ColumnOrder decides for a column of dates whether the day or the month comes first: by the
// dates that can be read in one way only, else by the order that makes the column run up or
// down, else by the days it has to lie in. UnknownOrder when nothing decides. Running counts
// from so many days on: of few, any order may run.
func ColumnOrder(cells []string, within Span, running int) DateOrder {
	if order := OrderOf(cells); order != UnknownOrder {
		return order
	}
	day, month := parseAllDaysOrNone(cells, DayFirst), parseAllDaysOrNone(cells, MonthFirst)
	if day == nil || month == nil {
		return UnknownOrder
	}
	if len(slices.Compact(slices.Clone(day))) >= running && isSortedEitherWay(day) != isSortedEitherWay(month) {
		return chooseDateOrder(isSortedEitherWay(day), isSortedEitherWay(month))
	}
	outside := func(day string) bool { return !within.holds(day) }
	return chooseDateOrder(!slices.ContainsFunc(day, outside), !slices.ContainsFunc(month, outside))
}

// parseAllDaysOrNone reads the dates in an order; nil when one of them is none in it.
func parseAllDaysOrNone(cells []string, order DateOrder) []string {
	days := []string{}
	for _, cell := range cells {
		if strings.TrimSpace(cell) == "" {
			continue
		}
		date, ok := ParseDate(cell, order)
		if !ok || date.Ambiguous {
			return nil
		}
		days = append(days, date.ISO)
	}
	return days
}

// isSortedEitherWay tells whether days run up or down.
func isSortedEitherWay(days []string) bool {
	return slices.IsSorted(days) || slices.IsSortedFunc(days, compareDescending)
}

func compareDescending(a, b string) int { return strings.Compare(b, a) }

// DateDirection is 1 where the days of a column that can be read run up, -1 where they run down, and
// 0 where they do neither or are all the same.
func DateDirection(cells []string, order DateOrder) int {
	if order == UnknownOrder {
		if direction := DateDirection(cells, DayFirst); direction == DateDirection(cells, MonthFirst) {
			return direction
		}
		return 0
	}
	var days []string
	for _, cell := range cells {
		if date, ok := ParseDate(cell, order); ok && !date.Ambiguous {
			days = append(days, date.ISO)
		}
	}
	switch up, down := slices.IsSorted(days), slices.IsSortedFunc(days, compareDescending); {
	case up && !down:
		return 1
	case down && !up:
		return -1
	}
	return 0
}

// AddYears gives the days of a column that are written without a year the one in which they lie in the
// span or next to it, in the order of day and month in which all lie in it. Where nothing tells the
// order they keep theirs. Other cells stay as they are.
func (span Span) AddYears(cells []string) []string {
	isHeld := func(order DateOrder) bool {
		return !slices.ContainsFunc(cells, func(cell string) bool {
			day, ok := ParseDayMonth(cell, order, span.YearOf)
			return ok && !span.holds(day.ISO)
		})
	}
	order := chooseDateOrder(isHeld(DayFirst), isHeld(MonthFirst))
	dated := slices.Clone(cells)
	for index, cell := range cells {
		day, ok := ParseDayMonth(cell, order, span.YearOf)
		separator := strings.Trim(cell, "0123456789")
		switch {
		case ok && order == UnknownOrder && len(separator) == 1 && span.Start[:4] == span.End[:4]:
			dated[index] = cell + separator + span.End[:4]
		case ok && !day.Ambiguous:
			dated[index] = day.ISO
		}
	}
	return dated
}

// YearOf is the year of a month that lies in the span or next to it.
func (span Span) YearOf(month int) (nearest int) {
	months := func(day string) int {
		year, _ := strconv.Atoi(day[:4])
		month, _ := strconv.Atoi(day[5:7])
		return 12*year + month
	}
	last := months(span.End)
	first := last
	if len(span.Start) == len(span.End) && span.Start[4] == '-' {
		first = months(span.Start)
	}
	for year, least := last/12-1, 12; year <= last/12+1; year++ {
		if away := max(first-12*year-month, 12*year+month-last, 0); away < least {
			nearest, least = year, away
		}
	}
	return nearest
}
