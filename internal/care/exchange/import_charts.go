package exchange

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/store/nodes"
)

// largestNumber bounds the numbers taken over from names of steps and beats:
// coaia-narrative numbers some by the clock, and no tool should go on from there.
const largestNumber = 999_999

// numberInName is N in a name like <owner>_action_N, or 0.
func numberInName(owner, infix, name string) int {
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

// importedChart is a chart of the document, or above one, that is stored by now.
type importedChart struct {
	row      int64
	level    int
	lastStep int
	record   *nodes.ChartRecord // if it was stored before
}

// importChart adds a chart as a whole or not at all. One that is stored is not touched.
func (i *importer) importChart(c *Chart) error {
	if i.stored[c.ID].Kind == nodes.KindChart {
		return i.compareChart(c)
	}
	if fault := i.findChartFault(c); fault != "" {
		i.result.skip(c.Line, "chart %q: %s", c.ID, fault)
		i.result.Charts.Skipped++
		i.result.Steps.Skipped += len(c.Steps)
		i.skipChart(c)
		return nil
	}
	i.result.Charts.New++
	i.result.Steps.New += len(c.Steps)
	return i.addChart(c)
}

func (i *importer) skipChart(c *Chart) {
	i.skipped[c.ID] = true
	for k := range c.Steps {
		i.skipped[c.Steps[k].ID] = true
	}
}

// completeSteps finds which steps are complete: by themselves, or because the
// chart that details them is. What is stored already stays as it is.
func (i *importer) completeSteps() {
	complete := func(step string, dates ...string) {
		if _, known := i.completed[step]; !known {
			i.completed[step] = completionDate(i.now, dates...)
		}
	}
	for k := range i.document.Charts {
		for _, s := range i.document.Charts[k].Steps {
			i.stepOwner[s.ID] = i.document.Charts[k].ID
			if s.Completed {
				complete(s.ID, s.CompletedAt, s.UpdatedAt)
			}
		}
	}
	for k := range i.document.Charts {
		c := &i.document.Charts[k]
		if c.Completed && c.ParentStep != "" && i.stepOwner[c.ParentStep] == c.ParentChart {
			complete(c.ParentStep, c.CompletedAt, c.UpdatedAt)
		}
	}
}

func (i *importer) compareChart(c *Chart) error {
	stored, err := chartOf(i.charts[c.ID].record)
	if err != nil {
		return err
	}
	if difference := chartDifference(c, &stored); difference != "" {
		i.result.skip(c.Line, "chart %q is stored already with another %s; the stored one was kept", c.ID, difference)
		i.result.Charts.Skipped++
		i.result.Steps.Skipped += len(c.Steps)
		return nil
	}
	i.result.Charts.Unchanged++
	i.result.Steps.Unchanged += len(c.Steps)
	return nil
}

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
	note("list of steps", sameRecord(a.Steps, b.Steps))
	if len(names) == 0 {
		note("date of change", a.CreatedAt == b.CreatedAt && a.UpdatedAt == b.UpdatedAt)
	}
	if len(names) == 0 {
		note("metadata", sameRecord(a, b))
	}
	return strings.Join(names, ", ")
}

func sameRecord(a, b any) bool { return string(encodeValue(a)) == string(encodeValue(b)) }

func (i *importer) findChartFault(c *Chart) string {
	if fault := i.findFault(c.ID); fault != "" {
		return fault
	}
	for _, name := range reservedNames(c.ID)[1:] {
		if ref, taken := i.stored[name]; taken {
			return fmt.Sprintf("it needs the name %q in a file, which a stored %s has", name, kindNames[ref.Kind])
		}
	}
	for k := range c.Steps {
		if fault := i.findFault(c.Steps[k].ID); fault != "" {
			return "of its steps, " + fault
		}
	}
	if c.ParentChart != "" && i.charts[c.ParentChart] == nil {
		return fmt.Sprintf("its parent chart %q did not come in", c.ParentChart)
	}
	if _, found := i.findNode(c.ParentStep); c.ParentStep != "" && !found && i.stepOwner[c.ParentStep] == c.ParentChart {
		return fmt.Sprintf("its parent step %q did not come in", c.ParentStep)
	}
	return ""
}

// addChart adds a chart whose parent is stored, with its steps.
func (i *importer) addChart(c *Chart) error {
	parent := i.charts[c.ParentChart]
	// A chart below a step that is not its parent's is a step of its own there.
	foreignStep := c.ParentStep != "" && i.stepOwner[c.ParentStep] != c.ParentChart
	isStep := c.ParentChart != "" && (c.ParentStep == "" || foreignStep)
	completedAt := i.completed[c.ParentStep]
	if isStep {
		completedAt = ""
		if c.Completed {
			completedAt = completionDate(i.now, c.CompletedAt, c.UpdatedAt)
		}
	}
	place := nodes.ChartPlace{DueDate: c.DueDate}
	place.Closed, _ = closingOf(c.ChartEntity.Metadata)
	if parent != nil {
		place.Level = parent.level + 1
	}
	row, err := i.insert(nodeOfChart(c, completedAt, foreignStep, i.now))
	if err != nil {
		return err
	}
	if isStep {
		place.ParentStep = row
	} else if c.ParentStep != "" {
		place.ParentStep, _ = i.findNode(c.ParentStep)
	}
	if err := i.tx.PlaceChart(row, place); err != nil {
		return err
	}
	chart := &importedChart{row: row, level: place.Level}
	i.charts[c.ID] = chart
	if isStep {
		step := nodes.StepPlace{DueDate: c.DueDate, CompletedAt: completedAt}
		if err := i.placeStep(parent, c.ParentChart, c.ID, row, c.DesiredOutcome, step); err != nil {
			return err
		}
	}
	created := instant(c.CreatedAt, i.now)
	for k := range c.Steps {
		s := &c.Steps[k]
		step := nodes.StepPlace{DueDate: s.DueDate, CompletedAt: i.completed[s.ID]}
		row, err := i.insert(nodeOfStep(s, step.CompletedAt, created))
		if err != nil {
			return err
		}
		if err := i.placeStep(chart, c.ID, s.ID, row, s.Title, step); err != nil {
			return err
		}
	}
	return nil
}

// placeStep puts a step behind the others of its chart: by the number in its
// name, where that agrees with the order.
func (i *importer) placeStep(chart *importedChart, chartID, id string, row int64, title string, step nodes.StepPlace) error {
	chart.lastStep = max(chart.lastStep+1, numberInName(chartID, actionInfix, id))
	step.Chart, step.Number = chart.row, chart.lastStep
	if err := i.tx.PlaceStep(row, title, step); err != nil {
		return err
	}
	return i.tx.RaiseChartNumbers(chart.row, chart.lastStep+1, 1)
}

// importBeat adds a beat whose chart and parent beat are there. One that is stored is
// not touched.
func (i *importer) importBeat(b *Beat) error {
	if stored := i.beats[b.Name]; stored != nil {
		return i.compareBeat(b, stored)
	}
	if fault := i.findBeatFault(b); fault != "" {
		i.result.skip(b.Line, "narrative beat %q: %s", b.Name, fault)
		i.result.Beats.Skipped++
		i.skipped[b.Name] = true
		return nil
	}
	i.result.Beats.New++
	return i.addBeat(b)
}

func (i *importer) compareBeat(b *Beat, record *nodes.BeatRecord) error {
	stored, err := beatOf(record)
	if err != nil {
		return err
	}
	if sameRecord(b, stored) {
		i.result.Beats.Unchanged++
		return nil
	}
	i.result.skip(b.Line, "narrative beat %q is stored already with other content; the stored one was kept", b.Name)
	i.result.Beats.Skipped++
	return nil
}

func (i *importer) findBeatFault(b *Beat) string {
	if fault := i.findFault(b.Name); fault != "" {
		return fault
	}
	if i.charts[b.ParentChart] == nil {
		return fmt.Sprintf("its chart %q did not come in", b.ParentChart)
	}
	_, added := i.rows[b.ParentBeat]
	if stored := i.beats[b.ParentBeat]; b.ParentBeat != "" && !added && (stored == nil || stored.ChartID != b.ParentChart) {
		return fmt.Sprintf("its parent beat %q did not come in", b.ParentBeat)
	}
	return ""
}

func (i *importer) addBeat(b *Beat) error {
	node, place := nodeOfBeat(b, i.now)
	row, err := i.insert(node)
	if err != nil {
		return err
	}
	place.Chart = i.charts[b.ParentChart].row
	place.Parent, _ = i.findNode(b.ParentBeat)
	if err := i.tx.PlaceBeat(row, place); err != nil {
		return err
	}
	if place.Parent != 0 {
		return i.tx.RaiseSubBeatNumber(place.Parent, numberInName(b.ParentBeat, beatInfix, b.Name)+1)
	}
	return i.tx.RaiseChartNumbers(place.Chart, 1, numberInName(b.ParentChart, beatInfix, b.Name)+1)
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
