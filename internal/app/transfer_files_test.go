package app

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// fileMaker writes memory files of coaia-narrative's kind: charts below charts,
// steps, beats below beats, unknown keys and lines, odd dates, repeated
// observations. Files of neighbouring seeds share many names.
type fileMaker struct {
	random *rand.Rand
	words  int
	names  []string
	steps  map[string][]string // of each chart
	beats  map[string][]string
	charts []string
	lines  []string
}

func newFileMaker(seed uint64) *fileMaker {
	return &fileMaker{random: rand.New(rand.NewPCG(seed, 11)), steps: map[string][]string{}, beats: map[string][]string{}}
}

func (f *fileMaker) chance(percent int) bool { return f.random.IntN(100) < percent }

func (f *fileMaker) word() string {
	samples := []string{"plain", `with \"quotes\" & <tags>`, "Größe 木製", `two\nlines\t`, `line\u2028separator`, `back\\slash`, "; semi", `nul\u0000`}
	f.words++
	return fmt.Sprintf("%s %d", samples[f.random.IntN(len(samples))], f.words)
}

func (f *fileMaker) list(most int) string {
	var items []string
	for range f.random.IntN(most + 1) {
		item := `"` + f.word() + `"`
		items = append(items, item)
		if f.chance(10) {
			items = append(items, item)
		}
	}
	return strings.Join(items, ",")
}

func (f *fileMaker) date() string {
	dates := []string{"2026-01-%02dT09:00:00.000Z", "2026-01-%02dT09:00:00Z", "2026-01-%02d", "2026-01-%02dT09:00:00.123456+02:00", "early %d", "2026-01-%02d 10:11:12"}
	return fmt.Sprintf(dates[f.random.IntN(len(dates))], f.random.IntN(28)+1)
}

// some returns the members that chance picks, each with a comma before it.
func (f *fileMaker) some(percent int, members ...string) string {
	var b strings.Builder
	for _, m := range members {
		if f.chance(percent) {
			b.WriteString("," + m)
		}
	}
	return b.String()
}

func (f *fileMaker) unknown() string {
	f.words++
	values := []string{"null", "9007199254740993", `{"b":[1,2.50,{"c":"<é>"}],"a":1e400}`, `"text"`, "[]", "true"}
	return fmt.Sprintf(`"x%d":%s`, f.words%7, values[f.random.IntN(len(values))])
}

func (f *fileMaker) entity(name, entityType, observations, metadata string) {
	f.names = append(f.names, name)
	f.lines = append(f.lines, fmt.Sprintf(`{"type":"entity","name":"%s","entityType":"%s","observations":[%s],"metadata":{"chartless":%d%s}%s}`,
		name, entityType, observations, len(f.names), metadata+f.some(30, f.unknown()), f.some(20, f.unknown())))
}

func (f *fileMaker) chart(n int) {
	id := fmt.Sprintf("chart_%d", n)
	own := fmt.Sprintf(`,"chartId":"%s"`, id)
	if f.chance(30) {
		own = ""
	}
	dates := f.some(60, `"dueDate":"`+f.date()+`"`, `"createdAt":"`+f.date()+`"`, `"updatedAt":"`+f.date()+`"`)
	parent := ""
	if len(f.charts) > 0 && f.chance(70) {
		above := f.charts[f.random.IntN(len(f.charts))]
		parent = `,"parentChart":"` + above + `"`
		if f.chance(50) {
			from := above
			if f.chance(20) { // a step of some other chart
				from = f.charts[f.random.IntN(len(f.charts))]
			}
			if steps := f.steps[from]; len(steps) > 0 {
				parent += `,"parentActionStep":"` + steps[f.random.IntN(len(steps))] + `"`
			}
		} else if f.chance(50) {
			id = fmt.Sprintf("%s_action_%d", above, 20+n)
			own = fmt.Sprintf(`,"chartId":"%s"`, id)
		}
	}
	done := f.some(40, `"completionStatus":true`, `"completedAt":"`+f.date()+`"`)
	f.entity(id+"_chart", "structural_tension_chart", f.list(1), own+dates+parent+`,"level":7`)
	f.entity(id+"_desired_outcome", "desired_outcome", `"`+f.word()+`",`+`"`+f.word()+`"`, own+dates+done)
	f.entity(id+"_current_reality", "current_reality", f.list(3), own)
	for range f.random.IntN(4) {
		name := fmt.Sprintf("%s_action_%d", id, f.random.IntN(9)+1)
		if f.chance(20) {
			name = fmt.Sprintf("step %d", f.words)
		}
		f.entity(name, "action_step", f.list(3), `,"chartId":"`+id+`"`+f.some(50, `"completionStatus":true`, `"completedAt":"`+f.date()+`"`, `"dueDate":"`+f.date()+`"`, `"createdAt":"`+f.date()+`"`, `"updatedAt":"`+f.date()+`"`))
		f.steps[id] = append(f.steps[id], name)
	}
	for range f.random.IntN(3) {
		f.beat(id)
	}
	f.charts = append(f.charts, id)
}

func (f *fileMaker) beat(chart string) {
	owner, parent := chart, ""
	if beats := f.beats[chart]; len(beats) > 0 && f.chance(50) {
		owner = beats[f.random.IntN(len(beats))]
		parent = `,"parentBeat":"` + owner + `"`
	}
	name := fmt.Sprintf("%s_beat_%d", owner, f.random.IntN(6)+1)
	f.beats[chart] = append(f.beats[chart], name)
	f.entity(name, "narrative_beat", f.list(3), `,"chartId":"`+chart+`"`+parent+f.some(60,
		`"title":"`+f.word()+`"`, fmt.Sprintf(`"act":%v`, float64(f.random.IntN(9))/2), `"type_dramatic":"`+f.word()+`"`,
		`"universes":[`+f.list(2)+`]`, `"timestamp":"`+f.date()+`"`, `"createdAt":"`+f.date()+`"`,
		`"narrative":{"description":"`+f.word()+`","prose":"","lessons":[`+f.list(2)+`]`+f.some(40, f.unknown(), `"Prose":"other"`)+`}`,
		`"relationalAlignment":{"assessed":true,"score":7.5,"principles":[`+f.list(2)+`]`+f.some(40, f.unknown())+`}`,
		`"fourDirections":{"north_vision":"`+f.word()+`","east_intention":null`+f.some(40, f.unknown(), `"south_emotion":[7]`)+`}`))
}

func (f *fileMaker) relations() {
	for range f.random.IntN(15) {
		from, to := f.names[f.random.IntN(len(f.names))], f.names[f.random.IntN(len(f.names))]
		if f.chance(20) {
			to = fmt.Sprintf("person %d", f.random.IntN(30))
		}
		kinds := []string{"contains", "advances_toward", "telescopes_into", "documents", "knows", "knows"}
		f.lines = append(f.lines, fmt.Sprintf(`{"type":"relation","from":"%s","to":"%s","relationType":"%s"%s}`, from, to, kinds[f.random.IntN(len(kinds))],
			f.some(40, `"metadata":{"strength":0.50`+f.some(50, f.unknown())+`}`, f.unknown())))
	}
	for _, chart := range f.charts {
		for _, step := range f.steps[chart] {
			f.lines = append(f.lines, fmt.Sprintf(`{"type":"relation","from":"%s_chart","to":"%s","relationType":"contains"%s}`, chart, step, f.some(50, `"metadata":{"strength":1}`)))
		}
	}
}

func (f *fileMaker) file() string {
	for range 1 + f.random.IntN(5) {
		f.entity(fmt.Sprintf("person %d", f.random.IntN(12)), "person", f.list(3), "")
	}
	for n := range f.random.IntN(6) {
		f.chart(n)
	}
	f.relations()
	for range f.random.IntN(4) {
		f.lines = append(f.lines, fmt.Sprintf(`{"type":"session","id":%d, "note" : "<%d>"}`, f.random.IntN(3), f.words))
	}
	f.random.Shuffle(len(f.lines), func(x, y int) { f.lines[x], f.lines[y] = f.lines[y], f.lines[x] })
	return strings.Join(f.lines, "\n") + "\n"
}
