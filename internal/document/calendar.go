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
			if moment, whole := eventTime(found); moment != "" {
				fields[name] = moment
				if whole && name == "start" {
					fields["all_day"] = true
				}
			}
		}
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

// eventTime is a date (YYYY-MM-DD) or a moment: RFC 3339 when its zone is known, else the
// local time as written.
func eventTime(property *ical.Prop) (text string, wholeDay bool) {
	if len(property.Value) == 8 {
		if day, err := time.Parse("20060102", property.Value); err == nil {
			return day.Format(time.DateOnly), true
		}
		return "", false
	}
	zone := property.Params.Get("TZID")
	if strings.HasSuffix(property.Value, "Z") {
		if moment, err := time.Parse("20060102T150405Z", property.Value); err == nil {
			return moment.Format(time.RFC3339), false
		}
		return "", false
	}
	moment, err := time.Parse("20060102T150405", property.Value)
	if err != nil {
		return "", false
	}
	if location, err := time.LoadLocation(zone); zone != "" && err == nil {
		local := time.Date(moment.Year(), moment.Month(), moment.Day(), moment.Hour(), moment.Minute(), moment.Second(), 0, location)
		return local.Format(time.RFC3339), false
	}
	return moment.Format("2006-01-02T15:04:05"), false
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
