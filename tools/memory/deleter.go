package memory

import (
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

// sessionKind is the kind under which the dialogue of a session is found.
const sessionKind = "session"

type deleter struct{ tools.DeletableKinds }

// Deleter is what the family keeps, for tools that work across families.
func Deleter() tools.Deleter {
	return deleter{tools.DeletableKinds{kinds.Dialogue, kinds.Insight, kinds.Episode, kinds.Working, kinds.Stale, kinds.GoldenQuery, kinds.GroundTruth,
		kinds.Session, kinds.Project, kinds.Transcript}}
}

func (k deleter) Find(tx *store.Tx, kind, id string) ([]kinds.Row, error) {
	switch kind {
	case sessionKind:
		return kinds.In(tx).FindSessionRows(id)
	case kinds.Project: // with its sessions
		p, err := tools.FindProject(tx, "items", id)
		if err != nil || p.ID == 0 {
			return nil, err
		}
		return kinds.In(tx).FindProjectRows(p.ID)
	case kinds.Insight: // any row of its history
		i, err := memory.In(tx).InsightsByID(kinds.NumericIDs([]kinds.Row{{Kind: kind, ID: id}}, kind))
		if err != nil || len(i) == 0 {
			return nil, err
		}
		return kinds.In(tx).FindInsights([]int64{i[0].RootID})
	}
	return k.DeletableKinds.Find(tx, kind, id)
}

func (deleter) Dependents(tx *store.Tx, from []kinds.Row) (parts, derived []kinds.Row, err error) {
	dialogue := kinds.NumericIDs(from, kinds.Dialogue)
	if len(dialogue) == 0 {
		return nil, nil, nil
	}
	if parts, err = kinds.In(tx).FindDialogueCopies(dialogue); err != nil {
		return nil, nil, err
	}
	own, err := kinds.In(tx).FindExtractedInsights(dialogue) // they are the words of what was said
	if err != nil {
		return nil, nil, err
	}
	derived, err = kinds.In(tx).FindDerivedInsights(dialogue)
	return append(parts, own...), derived, err
}

func (deleter) Forget(tx *store.Tx, rows []kinds.Row) error {
	if err := memory.In(tx).ForgetInsights(kinds.NumericIDs(rows, kinds.Insight)); err != nil {
		return err
	}
	if err := sessions.In(tx).RecordForgotten(kinds.NumericIDs(rows, kinds.Dialogue)); err != nil {
		return err
	}
	bereft, err := memory.In(tx).ForgetDialogue(kinds.NumericIDs(rows, kinds.Dialogue))
	if err != nil {
		return err
	}
	if err := renewSourceTerms(memory.In(tx), bereft); err != nil { // they are no longer found by what was said
		return err
	}
	if err := memory.In(tx).ForgetEpisodes(kinds.NumericIDs(rows, kinds.Episode)); err != nil {
		return err
	}
	if err := memory.In(tx).ForgetWorkingItems(kinds.NumericIDs(rows, kinds.Working), kinds.NumericIDs(rows, kinds.Stale)); err != nil {
		return err
	}
	if err := sessions.In(tx).Forget(kinds.IDs(rows, kinds.Session), kinds.NumericIDs(rows, kinds.Project), kinds.NumericIDs(rows, kinds.Transcript)); err != nil {
		return err
	}
	return memory.In(tx).ForgetQueries(kinds.NumericIDs(rows, kinds.GoldenQuery), kinds.NumericIDs(rows, kinds.GroundTruth))
}
