package view

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	memoryrows "toolkit/store/memory"
	"toolkit/tools"
	"toolkit/tools/memory"
)

// target is what a change is about.
type target struct {
	ID    string `json:"id"`
	Field string `json:"field,omitempty"`
}

// row is the number that an id is; 0 when it is none.
func (t target) row() int64 {
	n, err := strconv.ParseInt(t.ID, 10, 64)
	if err != nil || n < 1 {
		return 0
	}
	return n
}

// shownState is a thing as it is.
type shownState struct {
	name  string         // to tell it by
	state map[string]any // what a form shows, and what has to be the same when it is sent
}

// text is a part of the state.
func (s shownState) text(name string) string {
	text, _ := s.state[name].(string)
	return text
}

// stateReader reads a thing.
type stateReader func(tx *store.Tx, t target) (shownState, error)

// readAndEncode returns the thing, and its state to be compared.
func (look stateReader) readAndEncode(tx *store.Tx, t target) (shownState, []byte, error) {
	s, err := look(tx, t)
	if err != nil {
		return shownState{}, nil, err
	}
	s.name = tools.ShortenForMessage(s.name)
	shown, err := json.Marshal(s.state)
	return s, shown, err
}

func readInsightState(tx *store.Tx, t target) (shownState, error) {
	i, err := memoryrows.In(tx).InsightAt(t.row())
	if err != nil || i == nil {
		return shownState{}, notFoundOr(err, "insight")
	}
	return shownState{i.Content, map[string]any{"content": i.Content, "counts": i.Deleted.IsZero() && i.SupersededBy == 0}}, nil
}

// readInsightToPin looks at an insight for which there is room in working memory: what would
// be pushed out could not be brought back.
func readInsightToPin(tx *store.Tx, t target) (shownState, error) {
	s, err := readInsightState(tx, t)
	if err != nil {
		return s, err
	}
	items, err := memoryrows.In(tx).WorkingItems()
	for _, i := range items {
		if i.Content == s.text("content") {
			return shownState{}, badRequest("This is in working memory already.")
		}
	}
	if len(items) >= memory.WorkingCapacity {
		return shownState{}, badRequest("Working memory is full. Put something away first.")
	}
	return s, err
}

func readWorkingItemState(tx *store.Tx, t target) (shownState, error) {
	items, err := memoryrows.In(tx).WorkingItems()
	for _, i := range items {
		if i.ID == t.row() {
			return shownState{i.Content, map[string]any{"content": i.Content, "importance": i.Importance}}, nil
		}
	}
	return shownState{}, notFoundOr(err, "item of working memory")
}

func readStepState(tx *store.Tx, t target) (shownState, error) {
	s, err := graph.In(tx).Step(t.ID)
	if err != nil || s == nil {
		return shownState{}, notFoundOr(err, "step")
	}
	return shownState{s.Title, map[string]any{"title": s.Title, "due": s.DueDate, "completed": s.Completed, "chart": s.ChartID}}, nil
}

// readStepWithContents looks at a step with all that lives inside it: what takes the step
// away takes that too.
func readStepWithContents(tx *store.Tx, t target) (shownState, error) {
	s, err := readStepState(tx, t)
	if err != nil {
		return s, err
	}
	rows := graph.In(tx)
	refs, err := rows.EntityRefs([]string{t.ID})
	if err != nil {
		return s, err
	}
	inside, err := kinds.In(tx).FindEntitiesInside([]int64{refs[t.ID].ID})
	if err != nil {
		return s, err
	}
	for _, row := range inside {
		facts, err := rows.Facts(row)
		if err != nil {
			return s, err
		}
		s.state[fmt.Sprint("inside ", row)] = facts
	}
	return s, nil
}

func readChartState(tx *store.Tx, t target) (shownState, error) {
	c, err := graph.In(tx).Chart(t.ID)
	if err != nil || c == nil {
		return shownState{}, notFoundOr(err, "chart")
	}
	return shownState{c.Outcome, map[string]any{"outcome": c.Outcome, "due": c.DueDate, "status": c.Status}}, nil
}

// readFactState looks at an observation of a node, or a fact of a chart's reality; the
// field is its text, or empty for the node as a place for one.
func readFactState(tx *store.Tx, t target) (shownState, error) {
	rows := graph.In(tx)
	refs, err := rows.EntityRefs([]string{t.ID})
	ref, known := refs[t.ID]
	if err != nil || !known {
		return shownState{}, notFoundOr(err, "entity")
	}
	if t.Field == "" {
		list, err := rows.Nodes([]int64{ref.ID})
		if err != nil || len(list) == 0 {
			return shownState{}, notFoundOr(err, "entity")
		}
		return shownState{cmp.Or(list[0].Title, list[0].Name), map[string]any{"type": list[0].Type}}, nil
	}
	has, err := rows.HasObservation(ref.ID, t.Field)
	if err != nil || !has {
		return shownState{}, notFoundOr(err, "fact")
	}
	return shownState{t.Field, map[string]any{"fact": t.Field}}, nil
}

// readEntityState looks at what documents speak of. That it was merged, and every
// observation of it, are part of its state.
func readEntityState(tx *store.Tx, t target) (shownState, error) {
	rows := entities.In(tx)
	e, known, err := rows.ByID(t.ID)
	if err != nil || !known {
		return shownState{}, notFoundOr(err, "entity")
	}
	s, _, err := rows.SnapshotOf(e.Seq)
	return shownState{e.Name, map[string]any{"name": e.Name, "into": e.MergedInto, "known": string(s.State)}}, err
}

// readNoState reads nothing, for changes that check for themselves.
func readNoState(*store.Tx, target) (shownState, error) {
	return shownState{state: map[string]any{}}, nil
}

func notFoundOr(err error, what string) error {
	if err != nil {
		return err
	}
	return notFound("There is no such %s any more.", what)
}
