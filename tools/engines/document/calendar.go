package document

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"toolkit/tools/engines/document/layout"
)

// readCalendar reads the events and tasks of an iCalendar file, each by itself: one that is
// broken costs no other.
func readCalendar(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text, encoding := decodeText(data)
	content.note("encoding", encoding)
	cards := componentReader{ctx: ctx, content: content, rest: text}
	ended, broken := false, 0
	for line, ok := cards.next(); ok && ctx.Err() == nil; line, ok = cards.next() {
		name, value, _ := strings.Cut(line, ":")
		switch name = strings.ToUpper(name); {
		case name == "END":
			ended = true
		case name == "X-WR-CALNAME" || strings.HasPrefix(name, "X-WR-CALNAME;"):
			content.note("title", value)
		case name == "BEGIN" && (strings.EqualFold(value, ical.CompEvent) || strings.EqualFold(value, ical.CompToDo)):
			body, whole := cards.component(line)
			if !whole {
				ended = false
			} else if len(content.Records) >= limits.MaxRecords {
				content.cut("events beyond the limit were left out")
			} else if event := decodeEvent(body); event != nil {
				content.Records = append(content.Records, Record{Kind: "event", Fields: eventFields(event)})
			} else {
				broken++
			}
		case name == "BEGIN" && !strings.EqualFold(value, ical.CompCalendar):
			cards.component(line)
		}
	}
	switch {
	case len(content.Records) == 0 && broken > 0:
		return errors.New("invalid calendar: its events cannot be read")
	case !ended && len(content.Records) == 0 && ctx.Err() == nil:
		return errors.New("invalid calendar: it has no end")
	case !ended:
		content.Warnings = append(content.Warnings, "the calendar's end could not be read")
	}
	if broken > 0 {
		content.Warnings = append(content.Warnings, fmt.Sprintf("%d events could not be read", broken))
	}
	content.Metadata["events"] = len(content.Records)
	content.Pages = []layout.Page{{Number: 1}}
	content.setRecords([]string{"title", "start", "end", "location", "organizer", "description"}, limits)
	return ctx.Err()
}

// decodeEvent reads the lines of one event or task; nil when they are broken.
func decodeEvent(lines string) *ical.Component {
	calendar, err := ical.NewDecoder(strings.NewReader("BEGIN:VCALENDAR\r\n" + lines + "END:VCALENDAR\r\n")).Decode()
	if err != nil || len(calendar.Children) != 1 {
		return nil
	}
	return calendar.Children[0]
}

// setRecords sets the text: the named fields of the records, a record to a paragraph.
func (content *Content) setRecords(names []string, limits Limits) {
	text := boundedText{limit: limits.MaxText}
	for _, record := range content.Records {
		for _, name := range names {
			text.WriteString(namedLine(name, record.Fields[name]))
		}
		text.WriteString("\n")
	}
	content.setBounded(&text, limits)
}

// namedLine is a line of text that names a value; "" for none.
func namedLine(name string, value any) string {
	name = strings.ToUpper(name[:1]) + name[1:] + ": "
	switch value := value.(type) {
	case string:
		return name + value + "\n"
	case []string:
		return name + strings.Join(value, ", ") + "\n"
	}
	return ""
}

func eventFields(component *ical.Component) map[string]any {
	fields := map[string]any{}
	for property, name := range map[string]string{
		"SUMMARY": "title", "DESCRIPTION": "description", "LOCATION": "location", "UID": "uid", "STATUS": "status", "RRULE": "recurrence", "URL": "url",
	} {
		if found := component.Props.Get(property); found != nil {
			value, err := found.Text()
			if err != nil {
				value = found.Value
			}
			if value = strings.TrimSpace(value); value != "" {
				fields[name] = value
			}
		}
	}
	for property, name := range map[string]string{"DTSTART": "start", "DTEND": "end", "DUE": "due", "COMPLETED": "completed"} {
		if found := component.Props.Get(property); found != nil {
			if moment, layout := eventTime(found); layout != "" {
				fields[name] = moment.Format(layout)
				if layout == time.DateOnly && name == "start" {
					fields["all_day"] = true
				}
				if zone := found.Params.Get("TZID"); layout == localTime && zone != "" {
					fields["time_zone"] = zone
				}
			}
		}
	}
	if end := endByDuration(component); end != "" {
		fields["end"] = end
	}
	if organizer := component.Props.Get("ORGANIZER"); organizer != nil {
		fields["organizer"] = participant(organizer)
	}
	var attendees []string
	for _, attendee := range component.Props.Values("ATTENDEE") {
		attendees = append(attendees, participant(&attendee))
	}
	if len(attendees) > 0 {
		fields["attendees"] = attendees
	}
	return fields
}

// localTime is how a moment is written whose zone is not known.
const localTime = "2006-01-02T15:04:05"

// eventTime is a date or a moment, and the layout to write it in: RFC 3339 when its
// zone is known, else the local time as written; empty when it cannot be read.
func eventTime(property *ical.Prop) (moment time.Time, layout string) {
	form, place := "20060102T150405", time.UTC
	layout = localTime
	zone := property.Params.Get("TZID")
	switch {
	case len(property.Value) == 8:
		form, layout = "20060102", time.DateOnly
	case strings.HasSuffix(property.Value, "Z"):
		form, layout = form+"Z", time.RFC3339
	case zone != "":
		if location, err := time.LoadLocation(zone); err == nil {
			place, layout = location, time.RFC3339
		}
	}
	moment, err := time.ParseInLocation(form, property.Value, place)
	if err != nil {
		return moment, ""
	}
	return moment, layout
}

// endByDuration is the end of an event that gives its length instead.
func endByDuration(component *ical.Component) string {
	start, length := component.Props.Get("DTSTART"), component.Props.Get("DURATION")
	if start == nil || length == nil || component.Name != ical.CompEvent || component.Props.Get("DTEND") != nil {
		return ""
	}
	moment, layout := eventTime(start)
	duration, err := length.Duration()
	if layout == "" || err != nil {
		return ""
	}
	return moment.Add(duration).Format(layout)
}

func participant(property *ical.Prop) string {
	address := property.Value
	if len(address) > 7 && strings.EqualFold(address[:7], "mailto:") {
		address = address[7:]
	}
	if name := strings.Trim(property.Params.Get("CN"), `"`); name != "" && name != address {
		return name + " <" + address + ">"
	}
	return address
}
