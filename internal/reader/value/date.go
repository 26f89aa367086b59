package value

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"toolkit/fixtures"
	"toolkit/internal/lazyregexp"
)

// DateOrder is how a document writes dates of digits.
type DateOrder int

// Orders of day and month. With UnknownOrder, 03/04/2025 is no date but a text.
const (
	UnknownOrder DateOrder = iota
	DayFirst
	MonthFirst
)

// monthNames are the names of the months, from January on, and months is their number by name.
var (
	monthNames = sync.OnceValue(func() []string { return fixtures.WordLists("dates")["months"] })
	months     = sync.OnceValue(func() map[string]int {
		index := map[string]int{}
		for month, names := range monthNames() {
			for name := range strings.SplitSeq(names, "|") {
				index[name] = month + 1
			}
		}
		return index
	})
)

var weekdays = lazyregexp.New(`(?i)^(mon|tues?|wed(nes)?|thu(rs)?|fri|sat(ur)?|sun|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|mo|di|mi|do|fr|sa|so|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo|luned[iì]|marted[iì]|mercoled[iì]|gioved[iì]|venerd[iì]|sabato|domenica|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag)(day)?[.,]?,?\s+`)

var (
	yearFirst  = lazyregexp.New(`^(\d{4})([-/.])\s?(\d{1,2})([-/.])\s?(\d{1,2})(?:\.|Z|\s?\(\pL{1,3}\))?$`)
	digitsOnly = lazyregexp.New(`^(\d{1,2})(\s?[-/.]\s?)(\d{1,2})(\s?[-/.]\s?)(\d{4}\b|\d{2}$)\.?(?: r\.)?$`)
	compact    = lazyregexp.New(`^((?:19|20)\d{2})(\d{2})(\d{2})(?:[01]\d[0-5]\d(?:[0-5]\d)?|2[0-3][0-5]\d(?:[0-5]\d)?)?$`)
	yearName   = lazyregexp.New(`^(\d{4})[\s\-/]+(\pL{3,})[\s\-/.]+(\d{1,2})$`)
	dayName    = lazyregexp.New(`^(\d{1,2})(?:st|nd|rd|th|er|\.|º)?[\s\-/.]*(?:de\s+|of\s+|day\s+of\s+)?(\pL{3,})[.,]?[\s\-/.]*(?:de[l]?\s+)?(\d{4}|'?\d{2})$`)
	nameDay    = lazyregexp.New(`^(\pL{3,})[.]?[\s\-/]*(\d{1,2})(?:st|nd|rd|th)?[\s,\-/.]+(\d{4}|'\d{2})$`)
	japanese   = lazyregexp.New(`^(令和|平成|昭和)?\s?(\d{1,4}|元)\s?年\s?(\d{1,2})\s?月\s?(\d{1,2})\s?日$`)
	timeOfDay  = lazyregexp.New(`(?i)[t,\s-]\s*(at\s+|um\s+|à\s+)?\d{1,2}[:.h]\d{2}([:.]\d{2}(\.\d+)?)?\s*(am|pm|a\.m\.|p\.m\.|uhr|z|utc|gmt|[ecmp][ds]t|cet|cest|bst|[+-]\d{2}:?\d{2})?\.?$`)
)

// Date is a calendar day as read. Ambiguous means the text is a date whose day and month
// cannot be told apart; ISO is empty then.
type Date struct {
	ISO       string // YYYY-MM-DD
	Text      string // as written
	Ambiguous bool
}

// String is the day, or the text where day and month cannot be told apart.
func (date Date) String() string {
	if date.Ambiguous {
		return date.Text
	}
	return date.ISO
}

// ParseDate reads a whole string as a date, a time of day after it allowed.
func ParseDate(text string, order DateOrder) (Date, bool) {
	written := strings.Join(strings.Fields(foldSpacesAndDigits(text)), " ")
	date := Date{Text: written}
	rest := strings.Trim(weekdays().ReplaceAllString(written, ""), " ,;")
	if len(rest) < 6 || len(rest) > 48 {
		return date, false
	}
	rest = strings.TrimSpace(timeOfDay().ReplaceAllString(rest, ""))
	for _, year := range []string{" r.", " r", " г.", " г", " р."} { // "1 maja 2025 r."
		rest = strings.TrimSuffix(rest, year)
	}
	lower := strings.ToLower(rest)
	if match := yearFirst().FindStringSubmatch(rest); match != nil && match[2] == match[4] {
		return date.withDay(match[1], match[3], match[5])
	}
	if match := compact().FindStringSubmatch(rest); match != nil {
		return date.withDay(match[1], match[2], match[3])
	}
	if match := japanese().FindStringSubmatch(rest); match != nil {
		return date.withDay(yearOfEra(match[1], match[2]), match[3], match[4])
	}
	if match := digitsOnly().FindStringSubmatch(rest); match != nil && match[2] == match[4] {
		return date.resolveDayAndMonth(match[1], match[3], match[5], strings.TrimSpace(match[2]), order)
	}
	for _, named := range []struct {
		by               lazyregexp.Pattern
		year, month, day int
	}{{dayName, 3, 2, 1}, {yearName, 1, 2, 3}, {nameDay, 3, 1, 2}} {
		if match := named.by().FindStringSubmatch(lower); match != nil {
			if month, known := months()[match[named.month]]; known {
				return date.withDay(match[named.year], strconv.Itoa(month), match[named.day])
			}
		}
	}
	return date, false
}

// erasBegin is the year before the first one of an era of Japan.
var erasBegin = map[string]int{"令和": 2018, "平成": 1988, "昭和": 1925}

// yearOfEra is the year of the calendar for one of an era, whose first is called 元; without an
// era it is the year as written.
func yearOfEra(era, year string) string {
	if era == "" {
		return year
	}
	of, _ := strconv.Atoi(strings.Replace(year, "元", "1", 1))
	return strconv.Itoa(erasBegin[era] + of)
}

// ISO is a date as YYYY-MM-DD, "" when the text is none or its order is not known.
func ISO(text string, order DateOrder) string {
	date, _ := ParseDate(text, order)
	return date.ISO
}

// IsDate tells whether a whole string is a date, also one whose order is not known.
func IsDate(text string) bool {
	_, ok := ParseDate(text, UnknownOrder)
	return ok
}

// resolveDayAndMonth decides between day and month: by the numbers, by the dots of the countries
// that write the day first, by the document's order, or not at all.
func (date Date) resolveDayAndMonth(first, second, year, separator string, order DateOrder) (Date, bool) {
	a, _ := strconv.Atoi(first)
	b, _ := strconv.Atoi(second)
	switch {
	case separator == "." || (a > 12 && b <= 12) || (order == DayFirst && b <= 12) || a == b:
		return date.withDay(year, second, first)
	case (b > 12 && a <= 12) || (order == MonthFirst && a <= 12):
		return date.withDay(year, first, second)
	case a >= 1 && b >= 1 && a <= 12 && b <= 12:
		_, date.Ambiguous = date.withDay(year, first, second)
		return date, date.Ambiguous // but a day of the year 1445 is one of another calendar
	}
	return date, false
}

func (date Date) withDay(year, month, day string) (Date, bool) {
	y, _ := strconv.Atoi(strings.TrimPrefix(year, "'"))
	m, _ := strconv.Atoi(month)
	d, _ := strconv.Atoi(day)
	if len(strings.TrimPrefix(year, "'")) == 2 {
		y += 2000
		if y >= 2070 {
			y -= 100
		}
	}
	iso, ok := formatCalendarDay(y, m, d)
	date.ISO = iso
	return date, ok
}

func formatCalendarDay(year, month, day int) (string, bool) {
	moment := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if year < 1900 || year > 2199 || moment.Day() != day || int(moment.Month()) != month {
		return "", false
	}
	return moment.Format(time.DateOnly), true
}

// shortDate is a date without its year: the day and the month in digits, or the month by name.
var shortDate = lazyregexp.New(`^(?:\d{1,2}([/.\-])\d{1,2}|\d{1,2}[.\s\-/]*\pL{3,}|\pL{3,}\.?[\s\-]*\d{1,2})\.?$`)

// ParseDayMonth reads a date without a year, as statements print them; year gives the
// year of a month.
func ParseDayMonth(text string, order DateOrder, year func(month int) int) (Date, bool) {
	text = strings.TrimSpace(text)
	match := shortDate().FindStringSubmatch(text)
	if match == nil {
		return Date{Text: text}, false
	}
	const leap = "2024" // which has all days
	date, ok := ParseDate(strings.TrimSuffix(text, ".")+cmp.Or(match[1], " ")+leap, order)
	if date.Text = text; ok && !date.Ambiguous {
		month, _ := strconv.Atoi(date.ISO[5:7])
		day, _ := strconv.Atoi(date.ISO[8:])
		date.ISO, ok = formatCalendarDay(year(month), month, day)
	}
	return date, ok
}

var (
	written = lazyregexp.NewFrom(func() string {
		names := strings.Join(monthNames(), "|")
		return `(?i)\b\d{4}-\d{1,2}-\d{1,2}\b|\b\d{4}/\d{1,2}/\d{1,2}\b|\b\d{1,2}\s?[./-]\s?\d{1,2}\s?[./-]\s?(?:\d{4}|\d{2})\b` +
			`|\b\d{1,2}(?:st|nd|rd|th|er|\.|º)?[ -]*(?:de |of |day of )?(?:` + names + `)[.,]?[ -]+(?:del? )?\d{4}\b` +
			`|\b(?:` + names + `)\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}\b` +
			`|(?:令和|平成|昭和)?\s?(?:\d{1,4}|元)年\s?\d{1,2}月\s?\d{1,2}日`
	})
	slashed = lazyregexp.New(`\b(\d{1,2})([/-])(\d{1,2})[/-](?:\d{4}|\d{2})\b`)
)

// Found is a date inside a text.
type Found struct {
	Date
	Start, End int
}

// FindDates returns the dates written in a running text, in order.
func FindDates(text string, order DateOrder) []Found {
	var found []Found
	for _, span := range written().FindAllStringIndex(text, -1) {
		if date, ok := ParseDate(text[span[0]:span[1]], order); ok {
			found = append(found, Found{Date: date, Start: span[0], End: span[1]})
		}
	}
	return found
}

// OrderOf looks for dates that can only be read one way; UnknownOrder when there are none
// or the texts contradict each other.
func OrderOf(texts []string) DateOrder {
	day, month := false, false
	for _, text := range texts {
		for _, match := range slashed().FindAllStringSubmatch(text, -1) {
			a, _ := strconv.Atoi(match[1])
			b, _ := strconv.Atoi(match[3])
			day = day || (a > 12 && a <= 31 && b <= 12)
			month = month || (b > 12 && b <= 31 && a <= 12)
		}
	}
	return chooseDateOrder(day, month)
}

// USAddress is how addresses of the United States end: "Denver, CO 80202".
var USAddress = lazyregexp.New(`\b[A-Z]{2},? \d{5}(-\d{4})?\b`)

// countrySigns are what only texts of countries have that write the day first, or the month.
var countrySigns = sync.OnceValue(func() map[string][]string {
	signs := map[string][]string{}
	for name, lines := range fixtures.WordLists("dates") {
		signs[name] = strings.Split(strings.Join(lines, "|"), "|")
	}
	return signs
})

// OrderOfCountry is the order in which the country or the language of a text writes dates;
// UnknownOrder when nothing tells which it is, or both are told.
func OrderOfCountry(texts []string) DateOrder {
	day, month := false, false
	for _, text := range texts {
		words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), isCountrySignSeparator), " ") + " "
		isPart := func(sign string) bool { return strings.Contains(words, sign) }
		isWord := func(sign string) bool { return isPart(" " + sign + " ") }
		signs := countrySigns()
		day = day || slices.ContainsFunc(signs["day first"], isWord) || slices.ContainsFunc(signs["day first in words"], isPart)
		month = month || USAddress().MatchString(text) || slices.ContainsFunc(signs["month first"], isWord)
	}
	return chooseDateOrder(day, month)
}

// isCountrySignSeparator tells what parts the words among which signs of countries are looked for.
func isCountrySignSeparator(character rune) bool {
	return !unicode.IsLetter(character) && !unicode.IsDigit(character) && character != '-' && character != '£'
}

func chooseDateOrder(day, month bool) DateOrder {
	switch {
	case day && !month:
		return DayFirst
	case month && !day:
		return MonthFirst
	}
	return UnknownOrder
}

var clock = lazyregexp.New(`(?i)(?:^|[t,\s-])\s*(?:at\s+|um\s+|à\s+)?(\d{1,2})([:.h])(\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?\s*(am|pm|a\.m\.|p\.m\.)?\s*(?:uhr)?\s*(z|utc|gmt|[ecmp][ds]t|cet|cest|bst|[+-]\d{2}:?\d{2})?\.?$`)

// TimeOf is the time of day at the end of a text, alone or behind a date, as HH:MM or
// HH:MM:SS with the zone as written; "" when there is none.
func TimeOf(text string) string {
	text = strings.TrimSpace(foldSpacesAndDigits(text))
	match := clock().FindStringSubmatch(text)
	if match == nil || (match[2] == "." && len(match[0]) == len(text)) { // 14.05 alone is a number
		return ""
	}
	hour, _ := strconv.Atoi(match[1])
	if half := strings.ToLower(match[5]); half != "" {
		if hour < 1 || hour > 12 {
			return ""
		}
		if hour %= 12; half[0] == 'p' {
			hour += 12
		}
	}
	if hour > 23 || match[3] > "59" || match[4] > "59" {
		return ""
	}
	moment := fmt.Sprintf("%02d:%s", hour, match[3])
	if match[4] != "" {
		moment += ":" + match[4]
	}
	switch zone := strings.ToUpper(match[6]); zone {
	case "UTC", "GMT", "Z":
		moment += "Z"
	default:
		moment += zone
	}
	return moment
}
