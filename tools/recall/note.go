package recall

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"toolkit/internal/search"
)

// nearInMeaning begins the note of what is told without a word of the question that fits.
// How much of the question's words such a hit has says nothing of it and is not told.
const nearInMeaning = "near in meaning"

// noteSeparator stands between the parts of a note.
const noteSeparator = "; "

// importedThen is the note of a hit whose day is that of an import.
const importedThen = "imported then; its own day is not known"

// shownTime is when a candidate was said or changed, or else when it was imported.
func (r ranked) shownTime() time.Time {
	if r.At.IsZero() {
		return r.ImportedAt
	}
	return r.At
}

// formatNote returns what is noted of a hit: that it is only near in meaning, that its day is not known, what its
// family notes, and what was stated later on its topic.
func (r ranked) formatNote() string {
	var parts []string
	if r.near {
		parts = append(parts, nearInMeaning)
	}
	if !r.ImportedAt.IsZero() {
		parts = append(parts, importedThen)
	}
	for _, part := range []string{r.Note, r.newer} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, noteSeparator)
}

// matchedWordsToShow are the words of the question that a hit's own text has; of what is only near
// in meaning none, for none of them makes it a hit.
func (r ranked) matchedWordsToShow() []string {
	if r.near {
		return nil
	}
	return r.stated
}

// describeLater returns the note of what a later statement may have replaced.
func describeLater(later search.Later) string {
	return fmt.Sprintf("earlier; %s of %s may replace it", later.Ref, later.At.Local().Format(time.DateOnly))
}

// later finds what describeLater wrote at the end of a note.
var later = regexp.MustCompile(`^(?:(.*); )?earlier; (\w+:\d+) of (\d{4}-\d{2}-\d{2}) may replace it$`)

// Marks are the parts of a hit's note.
type Marks struct {
	Near     bool   `json:"near"`                // only near in meaning: its relevance says nothing
	Later    string `json:"later,omitempty"`     // kind:id of a later statement that may replace it
	LaterDay string `json:"later_day,omitempty"` // when that was said
	Note     string `json:"note,omitempty"`      // what else is noted
}

// ParseNote takes the note of a hit apart.
func (h Hit) ParseNote() Marks {
	near, note := h.splitNearMark()
	m := Marks{Near: near, Note: note}
	if parts := later.FindStringSubmatch(note); parts != nil {
		m.Note, m.Later, m.LaterDay = parts[1], parts[2], parts[3]
	}
	return m
}

// splitNearMark reports whether a hit is only near in meaning, and what else its note says.
func (h Hit) splitNearMark() (near bool, note string) {
	note, near = strings.CutPrefix(h.Note, nearInMeaning)
	return near, strings.TrimPrefix(note, noteSeparator)
}
