package exchange

import (
	"slices"
	"strings"
)

// The official format has nothing but observations, so what charts, steps and
// beats hold elsewhere is appended there as labelled text, once.

// labelled collects observations and adds text that is not among them yet.
type labelled struct {
	observations []string
	known        map[string]bool
}

func newLabelled(observations []string) *labelled {
	l := &labelled{observations: slices.Clone(observations), known: make(map[string]bool, len(observations))}
	for _, text := range observations {
		l.known[text] = true
	}
	return l
}

func (l *labelled) add(label, text string) {
	if text == "" {
		return
	}
	observation := label + ": " + text
	if !l.known[observation] {
		l.known[observation] = true
		l.observations = append(l.observations, observation)
	}
}

func withBeatText(observations []string, beat *Beat) []string {
	l := newLabelled(observations)
	if len(observations) == 0 {
		act := ""
		if beat.Act != 0 {
			act = "Act " + string(numberValue(beat.Act))
		}
		if text := strings.TrimSpace(act + " " + beat.TypeDramatic); text != "" {
			l.observations = append(l.observations, text)
		}
		l.add("Universe", strings.Join(beat.Universes, ", "))
		l.add("Timestamp", beat.Timestamp)
	}
	l.add("Title", beat.Title)
	l.add("Description", beat.Narrative.Description)
	l.add("Prose", beat.Narrative.Prose)
	for _, lesson := range beat.Narrative.Lessons {
		l.add("Lesson", lesson)
	}
	for _, principle := range beat.RelationalAlignment.Principles {
		l.add("Principle", principle)
	}
	for _, direction := range []struct {
		label string
		text  *string
	}{
		{"Vision", beat.FourDirections.NorthVision},
		{"Intention", beat.FourDirections.EastIntention},
		{"Emotion", beat.FourDirections.SouthEmotion},
		{"Introspection", beat.FourDirections.WestIntrospection},
	} {
		if direction.text != nil {
			l.add(direction.label, *direction.text)
		}
	}
	return l.observations
}
