package exchange

import (
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// plainLabels begin the observations that hold, in the format of the official
// server, what charts, steps and beats have in their metadata.
var plainLabels = []struct{ key, label string }{
	{"dueDate", "Due date: "}, {"completedAt", "Completed on: "},
	{"title", "Title: "}, {"description", "Description: "}, {"prose", "Prose: "},
	{"lessons", "Lesson: "}, {"principles", "Principle: "}, {"north_vision", "Vision: "}, {"east_intention", "Intention: "},
	{"south_emotion", "Emotion: "}, {"west_introspection", "Introspection: "},
}

// withPlainLabels appends what the metadata says, and its nested objects.
func withPlainLabels(observations []string, metadata object) []string {
	observations = slices.Clone(observations)
	for _, m := range []object{metadata, decodeObject(metadata["narrative"]), decodeObject(metadata["relationalAlignment"]), decodeObject(metadata["fourDirections"])} {
		for _, l := range plainLabels {
			for _, text := range m.texts(l.key) {
				if !slices.Contains(observations, l.label+text) {
					observations = append(observations, l.label+text)
				}
			}
		}
	}
	return observations
}

// texts returns the value of a key that is a list of texts, or one text.
func (o object) texts(key string) []string {
	if text := o.text(key); text != "" {
		return []string{text}
	}
	var texts []string
	if json.Unmarshal(o[key], &texts) != nil {
		return nil
	}
	return texts
}

// readPlainState moves the due date and the completion from the last
// observations into the metadata, in an entity of a file that has no metadata.
func readPlainState(e *Entity) {
	if e.Metadata != nil {
		return
	}
	for _, key := range []string{"completedAt", "dueDate"} {
		last := len(e.Observations) - 1
		for _, l := range plainLabels {
			if last < 1 || l.key != key || !strings.HasPrefix(e.Observations[last], l.label) {
				continue
			}
			date := strings.TrimPrefix(e.Observations[last], l.label)
			if _, isDate := parseDate(date); !isDate {
				continue
			}
			e.Metadata = e.Metadata.clone()
			e.Metadata.setText(key, date)
			e.Observations = e.Observations[:last]
		}
	}
	if e.Metadata["completedAt"] != nil {
		e.Metadata.fill("completionStatus", true)
	}
}

// parseDate reads a date of a file; no zone means UTC.
func parseDate(text string) (t time.Time, isDate bool) {
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", time.DateOnly} {
		if t, err := time.Parse(form, text); err == nil {
			return t.UTC().Truncate(time.Millisecond), true
		}
	}
	return time.Time{}, false
}

// formatDate writes a stored date with the precision it has.
func formatDate(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z07:00") }
