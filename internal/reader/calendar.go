package reader

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"time"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
)

// readCalendar reads the events and tasks of an iCalendar file.
func readCalendar(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text := content.decodeToUTF8(data)
	reader := propertyReader{ctx: ctx, content: content, rest: text}
	ended := false
	for line, ok := reader.next(); ok && ctx.Err() == nil; line, ok = reader.next() {
		kind := strings.ToUpper(line.value)
		switch {
		case line.name == "END":
			ended = true
		case line.name == "X-WR-CALNAME":
			content.setMetadata("title", line.text())
		case line.name == "BEGIN" && kind != "VCALENDAR":
			properties, whole := reader.readComponent()
			switch {
			case componentKinds[kind] == "":
			case !whole:
				ended = false
			case len(content.Records) >= limits.MaxRecords:
				content.markTruncated("events beyond the limit were left out")
			default:
				content.Records = append(content.Records, Record{Kind: componentKinds[kind], Fields: eventFields(properties)})
			}
		}
	}
	switch {
	case !ended && len(content.Records) == 0 && ctx.Err() == nil:
		return errors.New("invalid calendar: it has no end")
	case !ended:
		content.Warnings = append(content.Warnings, "the calendar's end could not be read")
	}
	content.Metadata["events"] = len(content.Records)
	content.Pages = []layout.Page{{Number: 1}}
	content.setTextFromRecords([]string{"title", "start", "end", "location", "organizer", "description"}, limits)
	return ctx.Err()
}

// componentKinds are the kinds of the records that components of a calendar become.
var componentKinds = map[string]string{"VEVENT": KindEvent, "VTODO": "task"}

// setTextFromRecords sets the text: the named fields of the records, a record to a paragraph.
func (content *Content) setTextFromRecords(names []string, limits Limits) {
	text := boundedText{limit: limits.MaxText}
	for _, record := range content.Records {
		for _, name := range names {
			text.WriteString(formatNamedLine(name, record.Fields[name]))
		}
		text.WriteString("\n")
	}
	content.setBoundedText(&text, limits)
}

// formatNamedLine is a line of text that names a value; "" for none.
func formatNamedLine(name string, value any) string {
	name = strings.ToUpper(name[:1]) + name[1:] + ": "
	switch value := value.(type) {
	case string:
		return name + value + "\n"
	case []string:
		return name + strings.Join(value, ", ") + "\n"
	}
	return ""
}

func eventFields(properties map[string][]property) map[string]any {
	fields := map[string]any{}
	for name, key := range map[string]string{
		"SUMMARY": "title", "DESCRIPTION": "description", "LOCATION": "location", "UID": "uid", "STATUS": "status", "RRULE": "recurrence", "RECURRENCE-ID": "recurrence_id", "URL": "url",
	} {
		for _, found := range properties[name] {
			if text := strings.TrimSpace(found.text()); text != "" && fields[key] == nil {
				fields[key] = text
			}
		}
	}
	for name, key := range map[string]string{"DTSTART": "start", "DTEND": "end", "DUE": "due", "COMPLETED": "completed"} {
		for _, found := range properties[name] {
			moment, layout := parseEventTime(found)
			if layout == "" {
				continue
			}
			fields[key] = moment.Format(layout)
			if layout == time.DateOnly && key == "start" {
				fields["all_day"] = true
			}
			// A zone says at which hour what recurs begins when the clocks are changed.
			if zone := found.parameters["TZID"]; zone != "" && (layout == localTime || layout == time.RFC3339 && len(properties["RRULE"]) > 0) {
				fields["time_zone"] = zone
			}
		}
	}
	if end := computeEventEnd(properties); end != "" {
		fields["end"] = end
	}
	if days := excludedDates(properties["EXDATE"], properties["DTSTART"]); len(days) > 0 {
		fields["excluded_dates"] = days
	}
	for _, organizer := range properties["ORGANIZER"] {
		fields["organizer"] = formatParticipant(organizer)
	}
	var attendees []string
	for _, attendee := range properties["ATTENDEE"] {
		attendees = append(attendees, formatParticipant(attendee))
	}
	if len(attendees) > 0 {
		fields["attendees"] = attendees
	}
	return fields
}

// excludedDates are the days on which an event that recurs does not take place, in the zone of its start.
func excludedDates(list, starts []property) (days []string) {
	place := time.UTC
	for _, found := range starts {
		if zone, err := time.LoadLocation(found.parameters["TZID"]); err == nil {
			place = zone
		}
	}
	for _, found := range list {
		for value := range strings.SplitSeq(found.value, ",") {
			moment, layout := parseEventTime(property{parameters: found.parameters, value: value})
			if layout == time.RFC3339 {
				moment = moment.In(place)
			}
			if layout != "" {
				days = append(days, moment.Format(time.DateOnly))
			}
		}
	}
	return days
}

// localTime is how a moment is written whose zone is not known.
const localTime = "2006-01-02T15:04:05"

// parseEventTime is a date or a moment, and the layout to write it in: RFC 3339 when its
// zone is known, else the local time as written; empty when it cannot be read.
func parseEventTime(found property) (moment time.Time, layout string) {
	form, place := "20060102T150405", time.UTC
	layout = localTime
	zone := found.parameters["TZID"]
	switch {
	case len(found.value) == 8:
		form, layout = "20060102", time.DateOnly
	case strings.HasSuffix(found.value, "Z"):
		form, layout = form+"Z", time.RFC3339
	case zone != "":
		if location, err := time.LoadLocation(zone); err == nil {
			place, layout = location, time.RFC3339
		}
	}
	moment, err := time.ParseInLocation(form, found.value, place)
	if err != nil {
		return moment, ""
	}
	return moment, layout
}

// computeEventEnd returns the end of an event that gives its length instead.
func computeEventEnd(properties map[string][]property) string {
	starts, lengths := properties["DTSTART"], properties["DURATION"]
	if len(starts) == 0 || len(lengths) == 0 || len(properties["DTEND"]) > 0 {
		return ""
	}
	moment, layout := parseEventTime(starts[0])
	length, ok := parseDuration(lengths[0].value)
	if layout == "" || !ok {
		return ""
	}
	return moment.Add(length).Format(layout)
}

var durationForm = lazyregexp.New(`^\+?P(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$`)

// parseDuration reads a length such as P1DT2H30M.
func parseDuration(text string) (length time.Duration, ok bool) {
	parts := durationForm().FindStringSubmatch(strings.ToUpper(text))
	if parts == nil {
		return 0, false
	}
	const day = 24 * time.Hour
	for index, unit := range []time.Duration{7 * day, day, time.Hour, time.Minute, time.Second} {
		count, _ := strconv.Atoi(parts[index+1]) // none: 0
		length += time.Duration(count) * unit
	}
	return length, true
}

func formatParticipant(found property) string {
	address := found.value
	if len(address) > 7 && strings.EqualFold(address[:7], "mailto:") {
		address = address[7:]
	}
	if name := found.parameters["CN"]; name != "" && name != address {
		return name + " <" + address + ">"
	}
	return address
}
