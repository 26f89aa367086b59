package app

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"toolkit/internal/exchange"
)

// chartDifference names what sets two charts of one ID apart, or nothing. Where
// they were read and how deep they are does not count.
func chartDifference(a, b *exchange.Chart) string {
	var names []string
	note := func(name string, same bool) {
		if !same {
			names = append(names, name)
		}
	}
	note("desired outcome", a.DesiredOutcome == b.DesiredOutcome)
	note("current reality", slices.Equal(a.CurrentReality, b.CurrentReality))
	note("due date", a.DueDate == b.DueDate)
	note("parent", a.ParentChart == b.ParentChart && a.ParentStep == b.ParentStep)
	note("completion", a.Completed == b.Completed && a.CompletedAt == b.CompletedAt)
	note("list of steps", slices.EqualFunc(a.Steps, b.Steps, func(x, y exchange.Step) bool { return same(plainStep(x), plainStep(y)) }))
	if len(names) == 0 {
		note("date of change", a.CreatedAt == b.CreatedAt && a.UpdatedAt == b.UpdatedAt)
	}
	if len(names) == 0 {
		note("metadata", same(plainPart(a.ChartEntity), plainPart(b.ChartEntity)) && same(plainPart(a.OutcomeEntity), plainPart(b.OutcomeEntity)) &&
			same(plainPart(a.RealityEntity), plainPart(b.RealityEntity)) && slices.EqualFunc(a.Ties, b.Ties, sameRelation))
	}
	return strings.Join(names, ", ")
}

func sameBeat(a, b *exchange.Beat) bool { return same(plainBeat(*a), plainBeat(*b)) }

func sameRelation(x, y exchange.Relation) bool {
	x.Line, y.Line = 0, 0
	return same(x, y)
}

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// What is empty and where it was read makes no difference.

func plainPart(p exchange.Part) exchange.Part {
	p.Observations = plain(p.Observations)
	return p
}

func plainStep(s exchange.Step) exchange.Step {
	s.Observations, s.Line = plain(s.Observations), 0
	return s
}

func plainBeat(b exchange.Beat) exchange.Beat {
	b.Universes, b.Observations, b.Line = plain(b.Universes), plain(b.Observations), 0
	b.Narrative.Lessons = plain(b.Narrative.Lessons)
	b.RelationalAlignment.Principles = plain(b.RelationalAlignment.Principles)
	var ties []exchange.Relation
	for _, t := range b.Ties {
		t.Line = 0
		ties = append(ties, t)
	}
	b.Ties = ties
	for _, raw := range []*json.RawMessage{&b.Metadata, &b.Extra, &b.Narrative.Extra, &b.RelationalAlignment.Extra, &b.FourDirections.Extra} {
		if len(*raw) == 0 {
			*raw = nil
		}
	}
	return b
}

func plain(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	return texts
}
