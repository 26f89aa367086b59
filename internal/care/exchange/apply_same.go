package exchange

import (
	"bytes"
	"slices"
	"strings"
)

// chartDifference names what sets two charts of one ID apart, or nothing. Where
// they were read and how deep they are does not count.
func chartDifference(a, b *Chart) string {
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
	note("list of steps", printed(func(p *printer) { p.steps(a) }) == printed(func(p *printer) { p.steps(b) }))
	if len(names) == 0 {
		note("date of change", a.CreatedAt == b.CreatedAt && a.UpdatedAt == b.UpdatedAt)
	}
	if len(names) == 0 {
		note("metadata", printed(func(p *printer) { p.flatChart(a) }) == printed(func(p *printer) { p.flatChart(b) }))
	}
	return strings.Join(names, ", ")
}

func (p *printer) flatChart(chart *Chart) {
	flat := *chart
	flat.Level = 0
	p.chart(&flat)
	p.ties(nil, chart.Ties)
}

func sameBeat(a, b *Beat) bool {
	print := func(beat *Beat) string {
		return printed(func(p *printer) {
			p.beat(beat)
			p.ties(nil, beat.Ties)
		})
	}
	return a.ParentChart == b.ParentChart && print(a) == print(b)
}

// printed is what a file says of a record; what is empty and where it was read
// makes no difference there.
func printed(print func(*printer)) string {
	var lines bytes.Buffer
	print(newPrinter(&lines, &Document{}, Coaia))
	return lines.String()
}
