package exchange

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toolkit/store/nodes"
)

// largestNumber bounds the numbers taken over from names of steps and beats:
// coaia-narrative numbers some by the clock, and no tool should go on from there.
const largestNumber = 999_999

// numberOf is N in a name like <owner>_action_N, or 0.
func numberOf(owner, infix, name string) int {
	digits, ok := strings.CutPrefix(name, owner+infix)
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n < 1 || n > largestNumber || strconv.Itoa(n) != digits {
		return 0
	}
	return n
}

// chartPlan is what is to happen to a chart of the document.
type chartPlan struct {
	chart    *Chart
	accepted bool
	stored   *nodes.ChartRecord // the chart of this ID that was there before, or nil
	level    int

	// Of an accepted chart below another one.
	asStep      bool   // it is a step of its parent chart itself
	foreignStep bool   // it names a step of another chart than its parent
	completedAt string // of the step it details
	number      int    // as a step

	steps    []nodes.StepPlace // of each step, but for the row of the chart
	lastStep int
	lastBeat int
}

func (p *chartPlan) row(i *importer) int64 {
	if p.stored != nil {
		return p.stored.Row
	}
	return i.rows[p.chart.ID]
}

// present reports whether the chart will be in the store.
func (p *chartPlan) present() bool { return p.accepted || p.stored != nil }

// planCharts decides for each chart, parents first: a chart comes in as a whole
// or not at all, and one that is stored is not touched.
func (i *importer) planCharts() error {
	for k := range i.document.Charts {
		c := &i.document.Charts[k]
		p := &chartPlan{chart: c, stored: i.charts[c.ID]}
		i.byID[c.ID] = p
		i.chartPlans = append(i.chartPlans, p)
	}
	order := slices.Clone(i.chartPlans)
	slices.SortStableFunc(order, func(a, b *chartPlan) int { return cmp.Compare(a.chart.Level, b.chart.Level) })
	for _, p := range order {
		if err := i.planChart(p); err != nil {
			return err
		}
	}
	i.numberSteps()
	i.completeSteps()
	return nil
}

func (i *importer) planChart(p *chartPlan) error {
	c, r := p.chart, i.result
	if p.stored != nil {
		stored, err := chartOf(p.stored)
		if err != nil {
			return err
		}
		if difference := chartDifference(c, &stored); difference != "" {
			i.result.skip(c.Line, "chart %q is stored already with another %s; the stored one was kept", c.ID, difference)
			r.Charts.Skipped++
			r.Steps.Skipped += len(c.Steps)
		} else {
			r.Charts.Unchanged++
			r.Steps.Unchanged += len(c.Steps)
		}
		return nil
	}
	fault := i.chartFault(c)
	if fault == "" {
		fault = i.placeBelow(p)
	}
	if fault != "" {
		i.result.skip(c.Line, "chart %q: %s", c.ID, fault)
		r.Charts.Skipped++
		r.Steps.Skipped += len(c.Steps)
		return nil
	}
	p.accepted = true
	r.Charts.New++
	r.Steps.New += len(c.Steps)
	return nil
}

func (i *importer) chartFault(c *Chart) string {
	if fault := i.fault(c.ID); fault != "" {
		return fault
	}
	for _, name := range reservedNames(c.ID)[1:] {
		if ref, taken := i.there[name]; taken {
			return fmt.Sprintf("it needs the name %q in a file, which a stored %s has", name, kindNames[ref.Kind])
		}
	}
	for k := range c.Steps {
		if fault := i.fault(c.Steps[k].ID); fault != "" {
			return "of its steps, " + fault
		}
	}
	return ""
}

// placeBelow finds the place of a chart below its parent, or tells why there is
// none.
func (i *importer) placeBelow(p *chartPlan) string {
	c := p.chart
	if c.ParentChart == "" {
		return ""
	}
	parent := i.byID[c.ParentChart]
	if parent == nil || !parent.present() {
		return fmt.Sprintf("its parent chart %q did not come in", c.ParentChart)
	}
	p.level = parent.level + 1
	if parent.stored != nil {
		p.level = parent.stored.Level + 1
	}
	if c.ParentStep == "" {
		p.asStep = true
		return ""
	}
	if !slices.ContainsFunc(parent.chart.Steps, func(s Step) bool { return s.ID == c.ParentStep }) {
		p.asStep, p.foreignStep = true, true
		return ""
	}
	if parent.stored == nil {
		return ""
	}
	for k := range parent.stored.Steps {
		if s := &parent.stored.Steps[k]; s.Name == c.ParentStep {
			p.completedAt = s.CompletedAt
			return ""
		}
	}
	return fmt.Sprintf("its parent step %q did not come in", c.ParentStep)
}

// numberSteps gives steps their places within their charts: in the order of the
// file, by the numbers in their names where these agree with it.
func (i *importer) numberSteps() {
	for _, p := range i.chartPlans {
		if p.stored != nil {
			p.lastStep = p.stored.NextStep - 1
		}
		if !p.accepted {
			continue
		}
		p.steps = make([]nodes.StepPlace, len(p.chart.Steps))
		for n := range p.chart.Steps {
			s := &p.chart.Steps[n]
			p.lastStep = max(p.lastStep+1, numberOf(p.chart.ID, "_action_", s.ID))
			p.steps[n] = nodes.StepPlace{Number: p.lastStep, DueDate: s.DueDate}
		}
	}
	for _, named := range []bool{true, false} {
		for _, p := range i.chartPlans {
			if !p.accepted || !p.asStep {
				continue
			}
			parent := i.byID[p.chart.ParentChart]
			switch n := numberOf(parent.chart.ID, "_action_", p.chart.ID); {
			case named && n > 0:
				p.number, parent.lastStep = n, max(parent.lastStep, n)
			case !named && n == 0:
				parent.lastStep++
				p.number = parent.lastStep
			}
		}
	}
}

// completeSteps finds which steps are complete: by themselves, or because the
// chart that details them is.
func (i *importer) completeSteps() {
	place := map[string]*nodes.StepPlace{}
	for _, p := range i.chartPlans {
		for n := range p.steps {
			s := &p.chart.Steps[n]
			place[s.ID] = &p.steps[n]
			if s.Completed {
				p.steps[n].CompletedAt = completionDate(i.now, s.CompletedAt, s.UpdatedAt)
			}
		}
	}
	for _, p := range i.chartPlans {
		at := ""
		if p.chart.Completed {
			at = completionDate(i.now, p.chart.CompletedAt, p.chart.UpdatedAt)
		}
		step := place[p.chart.ParentStep]
		switch {
		case !p.accepted:
		case p.asStep:
			p.completedAt = at
		case step != nil && step.CompletedAt == "":
			step.CompletedAt = at
		}
	}
	for _, p := range i.chartPlans {
		if step := place[p.chart.ParentStep]; p.accepted && !p.asStep && step != nil {
			p.completedAt = step.CompletedAt
		}
	}
}

func (i *importer) addChartNodes() error {
	for _, p := range i.chartPlans {
		if !p.accepted {
			i.step(1 + len(p.chart.Steps))
			continue
		}
		if err := i.insert(nodeOfChart(p.chart, completed(p.completedAt), p.foreignStep, i.now)); err != nil {
			return err
		}
		for n := range p.chart.Steps {
			created := instant(p.chart.CreatedAt, i.now)
			if err := i.insert(nodeOfStep(&p.chart.Steps[n], completed(p.steps[n].CompletedAt), created)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (i *importer) placeCharts() error {
	for _, p := range i.chartPlans {
		i.step(1 + len(p.chart.Steps))
		if !p.accepted {
			continue
		}
		if err := i.placeChart(p); err != nil {
			return err
		}
	}
	for _, p := range i.chartPlans {
		if p.stored != nil && p.lastStep == p.stored.NextStep-1 || !p.present() {
			continue
		}
		if err := i.tx.RaiseChartNumbers(p.row(i), p.lastStep+1, 1); err != nil {
			return err
		}
	}
	return nil
}

func (i *importer) placeChart(p *chartPlan) error {
	row := i.rows[p.chart.ID]
	place := nodes.ChartPlace{Level: p.level, DueDate: p.chart.DueDate}
	place.Closed, _ = closingOf(p.chart.ChartEntity.Metadata)
	switch {
	case p.asStep:
		place.ParentStep = row
	case p.chart.ParentStep != "":
		place.ParentStep, _ = i.node(p.chart.ParentStep)
	}
	if err := i.tx.PlaceChart(row, place); err != nil {
		return err
	}
	if p.asStep {
		parent := i.byID[p.chart.ParentChart]
		err := i.tx.PlaceStep(row, p.chart.DesiredOutcome, nodes.StepPlace{
			Chart: parent.row(i), Number: p.number, DueDate: p.chart.DueDate, CompletedAt: p.completedAt,
		})
		if err != nil {
			return err
		}
	}
	for n := range p.steps {
		p.steps[n].Chart = row
		if err := i.tx.PlaceStep(i.rows[p.chart.Steps[n].ID], p.chart.Steps[n].Title, p.steps[n]); err != nil {
			return err
		}
	}
	return nil
}
