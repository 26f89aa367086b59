package reader

import (
	"context"
	"errors"
	"fmt"
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

// Bounds of the lines of calendars and contacts. Nothing real is longer or deeper.
const (
	longestParameters = 4 << 10
	maxComponentDepth = 8
)

// cutUnfoldedLine takes the next line off a text, its continuations joined to it.
func cutUnfoldedLine(text string) (line, rest string) {
	line, rest, _ = strings.Cut(text, "\n")
	line = strings.TrimRight(line, "\r")
	if rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return line, rest
	}
	var joined strings.Builder
	joined.WriteString(line)
	for rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
		line, rest, _ = strings.Cut(rest[1:], "\n")
		joined.WriteString(strings.TrimRight(line, "\r"))
	}
	return joined.String(), rest
}

// property is a line of a calendar or a contact: NAME;PARAMETER=VALUE:value.
type property struct {
	name       string // in capital letters
	parameters map[string]string
	value      string
}

// parseProperty reads a line, and tells whether it has a value.
func parseProperty(line string) (found property, ok bool) {
	head, value, ok := cutUnquoted(line, ':')
	name, rest, more := cutUnquoted(head, ';')
	name = name[strings.LastIndexByte(name, '.')+1:] // "item1.EMAIL": the group ties a label to it
	found = property{name: strings.ToUpper(name), value: value, parameters: map[string]string{}}
	for more {
		var parameter string
		parameter, rest, more = cutUnquoted(rest, ';')
		key, text, _ := strings.Cut(parameter, "=")
		found.parameters[strings.ToUpper(key)] = strings.Trim(text, `"`)
	}
	return found, ok
}

// cutUnquoted cuts a text at the first separator that is outside of quotation marks.
func cutUnquoted(text string, separator byte) (before, after string, found bool) {
	quoted := false
	for index := range len(text) {
		switch {
		case text[index] == '"':
			quoted = !quoted
		case text[index] == separator && !quoted:
			return text[:index], text[index+1:], true
		}
	}
	return text, "", false
}

// text is the value without its escapes.
func (found property) text() string { return unescape.Replace(found.value) }

var unescape = strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\N`, "\n", `\,`, ",", `\;`, ";", `\:`, ":")

// propertyReader reads the properties of a file, and bounds what it takes.
type propertyReader struct {
	ctx     context.Context
	content *Content
	rest    string
}

// next is the next property. A line whose parameters are longer than any is passed over.
func (reader *propertyReader) next() (property, bool) {
	for reader.rest != "" && reader.ctx.Err() == nil {
		var line string
		line, reader.rest = cutUnfoldedLine(reader.rest)
		if len(line) > longestParameters {
			if _, _, found := cutUnquoted(line[:longestParameters], ':'); !found {
				reader.content.markTruncated(fmt.Sprintf("lines with more than %d bytes of parameters were left out", longestParameters))
				continue
			}
		}
		if found, ok := parseProperty(line); ok {
			return found, true
		}
	}
	return property{}, false
}

// readComponent collects the properties of the component that has begun by their names, and tells
// whether it has an end. What components within it say is left out.
func (reader *propertyReader) readComponent() (properties map[string][]property, whole bool) {
	properties = map[string][]property{}
	depth := 1
	for depth > 0 {
		found, ok := reader.next()
		switch {
		case !ok:
			return properties, false
		case found.name == "BEGIN":
			depth++
			if depth > maxComponentDepth {
				reader.content.markTruncated(fmt.Sprintf("components nested deeper than %d were left out", maxComponentDepth))
			}
		case found.name == "END":
			depth--
		case depth == 1:
			properties[found.name] = append(properties[found.name], found)
		}
	}
	return properties, true
}
