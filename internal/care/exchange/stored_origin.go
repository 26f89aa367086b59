package exchange

import (
	"encoding/json"
	"fmt"
	"time"

	"toolkit/store/plainjson"
)

// origin is what an imported record said beyond the columns of its node, kept
// so that an export says it again. A field that the store keeps in another form
// is restated only while the stored value is still the one that was imported.
type origin struct {
	CreatedAt  *restated[string]     `json:"createdAt,omitempty"`
	UpdatedAt  *restated[string]     `json:"updatedAt,omitempty"`
	Timestamp  *restated[string]     `json:"timestamp,omitempty"`
	Completion *restated[completion] `json:"completion,omitempty"`

	// Of a chart.
	ParentStep string     `json:"parentStep,omitempty"` // a step of another chart than its parent
	Own        []string   `json:"own,omitempty"`        // observations of the chart's own entity
	Outcome    Part       `json:"outcome,omitzero"`
	Reality    Part       `json:"reality,omitzero"`
	Ties       []Relation `json:"ties,omitempty"` // of a beat as well

	// Of a beat: its observations are stored as the file had them, and its
	// nested objects had these unknown keys.
	Verbatim   bool            `json:"verbatim,omitempty"`
	Narrative  json.RawMessage `json:"narrative,omitempty"`
	Alignment  json.RawMessage `json:"alignment,omitempty"`
	Directions json.RawMessage `json:"directions,omitempty"`
}

// restated is a value in the words of the file, beside the stored value that
// stands for it.
type restated[T comparable] struct {
	File   T `json:"file"`
	Stored T `json:"stored"`
}

// restate returns nil when the stored value says it all.
func restate[T comparable](file, stored T) *restated[T] {
	if file == stored {
		return nil
	}
	return &restated[T]{file, stored}
}

// value is what an export says when the store holds this value now.
func (r *restated[T]) value(stored T) T {
	if r != nil && r.Stored == stored {
		return r.File
	}
	return stored
}

type completion struct {
	Done bool   `json:"done,omitempty"`
	At   string `json:"at,omitempty"`
}

// completed is the completion of a step with that date, empty while it is open.
func completed(at string) completion { return completion{Done: at != "", At: at} }

// encode returns nil when there is nothing to keep.
func (o *origin) encode() (json.RawMessage, error) {
	raw, err := plainjson.Encode(o)
	if string(raw) == "{}" {
		return nil, err
	}
	return raw, err
}

func decodeOrigin(name string, raw json.RawMessage) (*origin, error) {
	o := &origin{}
	if raw == nil {
		return o, nil
	}
	if err := json.Unmarshal(raw, o); err != nil {
		return nil, fmt.Errorf("what was kept of the file of %q: %w", name, err)
	}
	return o, nil
}

// dateLayout writes a stored date with the precision it has.
const dateLayout = "2006-01-02T15:04:05.000Z07:00"

func dateText(t time.Time) string { return t.UTC().Format(dateLayout) }

// dateForms are the dates that files hold; no zone means UTC.
var dateForms = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly}

// instant reads a date of a file as far as it can be understood.
func instant(text string, fallback time.Time) time.Time {
	for _, form := range dateForms {
		if t, err := time.Parse(form, text); err == nil {
			return t.Truncate(time.Millisecond)
		}
	}
	return fallback
}

// completionDate is the date under which the completion of a record is stored:
// the first one that is a date, in the words of the file when these are exact.
func completionDate(now time.Time, dates ...string) string {
	for _, text := range dates {
		if _, err := time.Parse(time.RFC3339, text); err == nil {
			return text
		}
		if t := instant(text, time.Time{}); !t.IsZero() {
			return t.UTC().Format(time.RFC3339)
		}
	}
	return now.UTC().Format(time.RFC3339)
}
