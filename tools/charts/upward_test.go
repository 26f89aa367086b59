package charts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
)

// A model of charts as the documentation describes them, simple enough to be
// seen right, against which the tools are compared.
type modelChart struct {
	id     string
	level  int
	facts  []string
	steps  []*modelStep
	parent *modelStep // nil for a master chart
}

type modelStep struct {
	id, title string
	owner     *modelChart
	done      bool
	charts    []*modelChart // that detail it
	opened    bool          // telescoped
}

func (c *modelChart) learn(fact string) {
	if !slices.Contains(c.facts, fact) {
		c.facts = append(c.facts, fact)
	}
}

func (c *modelChart) completed() (n int) {
	for _, s := range c.steps {
		if s.done {
			n++
		}
	}
	return n
}

func (c *modelChart) unlearn(fact string) {
	c.facts = slices.DeleteFunc(c.facts, func(known string) bool { return known == fact })
}

// complete marks a step and lets the news flow upward as far as it goes.
func (s *modelStep) complete() {
	if s.done {
		return
	}
	s.done = true
	s.owner.learn("Completed: " + s.title)
	s.owner.reconcile()
}

func (s *modelStep) reopen() {
	s.done = false
	s.owner.unlearn("Completed: " + s.title)
	s.owner.reconcile()
}

// reconcile tells the charts above whether all steps below theirs are complete.
func (c *modelChart) reconcile() {
	for p := c.parent; p != nil; p = p.owner.parent {
		fact := "All action steps complete: " + p.title
		for _, c := range p.charts {
			if c.completed() < len(c.steps) || len(c.steps) == 0 {
				p.owner.unlearn(fact)
				return
			}
		}
		p.owner.learn(fact)
	}
}

func (s *modelStep) rename(title string) {
	for i, fact := range s.owner.facts {
		for _, words := range [][2]string{{"Completed: ", ""}, {"All action steps complete: ", ""}} {
			if fact == words[0]+s.title+words[1] {
				s.owner.facts[i] = words[0] + title + words[1]
			}
		}
	}
	s.title = title
}

func (c *modelChart) active(list []string) []string {
	list = append(list, c.id)
	for _, s := range c.steps {
		for _, below := range s.charts {
			if !s.done || below.open() {
				list = below.active(list)
			}
		}
	}
	return list
}

// open reports whether a step in the chart or below it is open.
func (c *modelChart) open() bool {
	for _, s := range c.steps {
		if !s.done || slices.ContainsFunc(s.charts, (*modelChart).open) {
			return true
		}
	}
	return false
}

type model struct {
	masters []*modelChart
	charts  []*modelChart
	steps   []*modelStep
}

func (m *model) add(c *modelChart) *modelChart {
	m.charts = append(m.charts, c)
	if c.parent == nil {
		m.masters = append(m.masters, c)
	} else {
		c.parent.charts = append(c.parent.charts, c)
	}
	return c
}

func (m *model) addStep(c *modelChart, title string) *modelStep {
	s := &modelStep{id: fmt.Sprintf("%s_action_%d", c.id, len(c.steps)+1), title: title, owner: c}
	c.steps, m.steps = append(c.steps, s), append(m.steps, s)
	return s
}

const maxDepth = 6

func TestRandomTreesBehaveLikeTheModel(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	for seed := range toolstest.RoundCount(testenv.Choose[uint64](1, 2)) {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			b, m := newBench(t), &model{}
			reached := 0
			for i := range 60 {
				b.step(m, random, i)
				b.compare(m)
			}
			for _, c := range m.charts {
				reached = max(reached, c.level)
			}
			if reached < 3 {
				t.Errorf("the tree reached level %d only", reached)
			}
		})
	}
}

// step does one random thing to the tools and to the model.
func (b *bench) step(m *model, random *rand.Rand, i int) {
	b.T.Helper()
	titles := []string{fmt.Sprintf("Part %d made", i), fmt.Sprintf("Piece %d made", i)}
	switch n := random.IntN(10); {
	case n == 0 || len(m.steps) == 0:
		c := m.add(&modelChart{id: b.chart(fmt.Sprintf("Create thing %d", i), titles...), facts: []string{"Have a desk"}})
		m.addStep(c, titles[0])
		m.addStep(c, titles[1])
	case n <= 2:
		c := m.charts[random.IntN(len(m.charts))]
		if c.level == maxDepth {
			return
		}
		out := b.Call(addName, addArgs(c.id, titles[0]))
		s := m.addStep(c, titles[0])
		same(b.T, "id of the added step", out["chartId"], s.id)
		m.add(&modelChart{id: s.id, level: c.level + 1, facts: []string{"Nothing exists yet"}, parent: s})
		c.reconcile()
	case n <= 6:
		s := m.newest(random)
		if s.opened || s.owner.level == maxDepth {
			return
		}
		in := args{"actionStepName": s.id, "newCurrentReality": "Nothing", "initialActionSteps": titles}
		if s.done {
			b.refuse(telescopeName, in, "VALIDATION_ERROR", "actionStepName")
			return
		}
		if len(s.charts) > 0 && len(s.charts[0].steps) > 0 {
			b.refuse(telescopeName, in, "DUPLICATE_KEY", "actionStepName")
			return
		}
		out := b.Call(telescopeName, in)
		s.opened = true
		if len(s.charts) == 0 {
			m.add(&modelChart{id: s.id + "_sub", level: s.owner.level + 1, parent: s})
		}
		c := s.charts[0]
		c.learn("Nothing")
		same(b.T, "id of the sub-chart", out["chartId"], c.id)
		m.addStep(c, titles[0])
		m.addStep(c, titles[1])
	case n == 7:
		s := m.newest(random)
		title := fmt.Sprintf("Thing %d made", i)
		b.Call(updateStepName, args{"actionStepName": s.id, "reopen": true, "title": title})
		s.rename(title)
		s.reopen()
	default:
		s := m.newest(random)
		out := b.complete(s.id)
		s.complete()
		same(b.T, "owner", out["parentChartId"], s.owner.id)
	}
}

// newest prefers late steps, so that trees grow deep.
func (m *model) newest(random *rand.Rand) *modelStep {
	return m.steps[len(m.steps)-1-random.IntN(min(len(m.steps), 6))]
}

// compare checks every chart and the active list against the model.
func (b *bench) compare(m *model) {
	b.T.Helper()
	var active []string
	for _, master := range m.masters {
		active = master.active(active)
	}
	same(b.T, "active charts", b.active(), active)
	levels := map[string]any{}
	for _, c := range b.Call("list_active_charts", args{})["charts"].([]any) {
		levels[c.(args)["chartId"].(string)] = c.(args)["level"]
	}
	for _, c := range m.charts {
		got := b.progressOf(c.id)
		same(b.T, "counts of "+c.id, []any{got["completedActions"], got["totalActions"]}, []int{c.completed(), len(c.steps)})
		same(b.T, "reality of "+c.id, b.facts(c.id), c.facts)
		if level, ok := levels[c.id]; ok {
			same(b.T, "level of "+c.id, level, c.level)
		}
	}
}

func TestCompletionFactsPropagateSixLevels(t *testing.T) {
	b := newBench(t)
	charts := []string{b.chart("Create a podcast", "Step 0 made")}
	for level := 1; level <= maxDepth; level++ {
		out := b.Call(telescopeName, args{"actionStepName": fmt.Sprintf("Step %d made", level-1), "newCurrentReality": "Nothing", "initialActionSteps": []string{fmt.Sprintf("Step %d made", level)}})
		charts = append(charts, out["chartId"].(string))
	}
	for level := maxDepth; level >= 0; level-- {
		title := fmt.Sprintf("Step %d made", level)
		b.complete(title)
		contains(t, "its chart's reality", b.realityOf(charts[level]), "Completed: "+title)
		if level > 0 {
			same(t, "the parent's reality", b.realityOf(charts[level-1]), map[bool]string{true: "Have a desk", false: "Nothing"}[level == 1]+fmt.Sprintf("; All action steps complete: Step %d made", level-1))
			same(t, "the parent's progress", b.progressOf(charts[level-1])["progress"], 0)
		}
	}
	same(t, "the master's progress", b.progressOf(charts[0])["progress"], 1)
	same(t, "active charts", b.active(), charts[:1])
}

func TestCompletionFactsPropagateThroughCompletedLevel(t *testing.T) {
	b := newBench(t)
	top := b.chart("Create a podcast", "Pilot recorded", "Site online")
	mid := b.Call(telescopeName, args{"actionStepName": "Pilot recorded", "newCurrentReality": "Nothing", "initialActionSteps": []string{"Script written", "Guest invited"}})["chartId"].(string)
	b.Call(telescopeName, args{"actionStepName": "Script written", "newCurrentReality": "Nothing", "initialActionSteps": []string{"Outline drawn"}})
	b.complete("Script written")
	b.complete("Guest invited")
	same(t, "the top's reality", b.realityOf(top), "Have a desk; All action steps complete: Pilot recorded")
	b.complete("Outline drawn")
	same(t, "the middle's reality", b.realityOf(mid), "Nothing; Completed: Script written; Completed: Guest invited; All action steps complete: Script written")
	same(t, "the top's reality, not repeated", b.realityOf(top), "Have a desk; All action steps complete: Pilot recorded")
}
