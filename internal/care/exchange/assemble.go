package exchange

// role says what an entity of the file became.
type role byte

const (
	rolePlain role = iota
	rolePart       // the chart entity, outcome or reality of a chart
	roleStep
	roleBeat
)

// assembly finds the charts, steps and beats among the entities of an intake.
type assembly struct {
	*intake
	document *Document
	roles    []role // of each entity

	candidates []candidate    // of each chart in the document
	chartAt    map[string]int // chart ID to its place
	partOf     map[string]int // name of a chart's file entities to the chart
	stepOwner  map[string]int // step ID to its chart

	stepsByTitle map[stepTitle][]string // step IDs; nil until asked for
}

// stepTitle is the folded title of a step of a chart.
type stepTitle struct {
	chart int
	title string
}

// assemble never fails: what fits nowhere stays a plain entity or becomes
// foreign, with a note in the report.
func (in *intake) assemble() *Document {
	a := &assembly{
		intake:    in,
		document:  &Document{},
		roles:     make([]role, len(in.entities)),
		chartAt:   map[string]int{},
		partOf:    map[string]int{},
		stepOwner: map[string]int{},
	}
	a.findCharts()
	a.findSteps()
	a.findParents()
	for i := range a.document.Charts {
		a.liftChart(&a.document.Charts[i], &a.candidates[i])
	}
	a.findBeats()
	for i, entity := range in.entities {
		if a.roles[i] == rolePlain {
			a.document.Entities = append(a.document.Entities, entity)
		}
	}
	a.connect()
	read := a.report.Relations
	a.report.Counts = a.document.counts()
	a.report.Relations = read
	return a.document
}

// liftable reports whether an entity's metadata is an object or absent. One
// with other metadata stays plain, where that can be kept.
func liftable(entity *Entity) bool {
	return entity.Extra == nil || !splitObject(entity.Extra).has("metadata")
}

// find returns the place of the liftable entity of that name and type, or -1.
func (a *assembly) find(name, entityType string) int {
	at, ok := a.index[name]
	if !ok || a.entities[at].EntityType != entityType || !liftable(&a.entities[at]) {
		return -1
	}
	return at
}

func (a *assembly) metadata(entity int) object {
	if a.entities[entity].Metadata == nil {
		return nil
	}
	return splitObject(a.entities[entity].Metadata)
}

// onCycle reports which nodes are their own ancestors; parent is -1 at a root.
func onCycle(parent []int) []bool {
	const unseen, done = 0, -1
	cycle := make([]bool, len(parent))
	walk := make([]int, len(parent)) // number of the walk that came by first
	for start := range parent {
		at := start
		for at >= 0 && walk[at] == unseen {
			walk[at] = start + 1
			at = parent[at]
		}
		if at >= 0 && walk[at] == start+1 {
			for ; !cycle[at]; at = parent[at] {
				cycle[at] = true
			}
		}
		for at = start; at >= 0 && walk[at] == start+1; at = parent[at] {
			walk[at] = done
		}
	}
	return cycle
}
