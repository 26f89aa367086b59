package document

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/emersion/go-ical"

	"toolkit/internal/document/layout"
)

// readCalendar reads the events and tasks of an iCalendar file.
func readCalendar(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text, encoding := decodeText(data)
	content.note("encoding", encoding)
	decoder := ical.NewDecoder(strings.NewReader(withLineBreaks(text)))
	calendars := 0
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		calendar, err := decoder.Decode()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if len(content.Records) == 0 {
				return fmt.Errorf("invalid calendar: %w", err)
			}
			content.Warnings = append(content.Warnings, "the calendar's end could not be read")
			break
		}
		calendars++
		if name := calendar.Props.Get("X-WR-CALNAME"); name != nil {
			content.note("title", name.Value)
		}
		for _, component := range calendar.Children {
			if component.Name != ical.CompEvent && component.Name != ical.CompToDo {
				continue
			}
			if len(content.Records) >= limits.MaxRecords {
				content.cut("events beyond the limit were left out")
				break
			}
			content.Records = append(content.Records, Record{Kind: "event", Fields: eventFields(component)})
		}
	}
	if calendars == 0 {
		return errors.New("invalid calendar: it has no end")
	}
	content.setText(recordsText(content.Records, []string{"title", "start", "end", "location", "organizer", "description"}), limits)
	content.Metadata["events"] = len(content.Records)
	content.Pages = []layout.Page{{Number: 1}}
	return nil
}

// withLineBreaks gives every line the CRLF that the format demands and many files lack.
func withLineBreaks(text string) string {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	return strings.ReplaceAll(strings.TrimRight(text, "\n")+"\n", "\n", "\r\n")
}

// recordsText writes the named fields of records, a record to a paragraph.
func recordsText(records []Record, names []string) string {
	var text strings.Builder
	for _, record := range records {
		for _, name := range names {
			switch value := record.Fields[name].(type) {
			case string:
				text.WriteString(strings.ToUpper(name[:1]) + name[1:] + ": " + value + "\n")
			case []string:
				text.WriteString(strings.ToUpper(name[:1]) + name[1:] + ": " + strings.Join(value, ", ") + "\n")
			}
		}
		text.WriteByte('\n')
	}
	return text.String()
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
	switch {
	case len(property.Value) == 8:
		moment, err := time.Parse("20060102", property.Value)
		return moment, written(time.DateOnly, err)
	case strings.HasSuffix(property.Value, "Z"):
		moment, err := time.Parse("20060102T150405Z", property.Value)
		return moment, written(time.RFC3339, err)
	}
	const form = "20060102T150405"
	if zone := property.Params.Get("TZID"); zone != "" {
		if location, err := time.LoadLocation(zone); err == nil {
			moment, err := time.ParseInLocation(form, property.Value, location)
			return moment, written(time.RFC3339, err)
		}
	}
	moment, err := time.Parse(form, property.Value)
	return moment, written(localTime, err)
}

// written is layout, unless the time it is for could not be read.
func written(layout string, err error) string {
	if err != nil {
		return ""
	}
	return layout
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
