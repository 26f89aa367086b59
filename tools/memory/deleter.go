package memory

import (
	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/store/kept"
	"toolkit/store/memories"
	"toolkit/tools"
)

// sessionKind is the kind under which the dialogue of a session is found.
const sessionKind = "session"

type deleter struct{ tools.DeletableKinds }

// Deleter is what the family keeps, for tools that work across families.
func Deleter() tools.Deleter {
	return deleter{tools.DeletableKinds{kept.Dialogue, kept.Insight, kept.Episode, kept.Working, kept.Stale, kept.GoldenQuery, kept.GroundTruth,
		kept.Session, kept.Project, kept.Transcript}}
}

func (k deleter) Find(tx *store.Tx, kind, id string) ([]kept.Row, error) {
	switch kind {
	case sessionKind:
		return kept.In(tx).FindSessionRows(id)
	case kept.Project: // with its sessions
		p, err := tools.FindProject(tx, "items", id)
		if err != nil || p.ID == 0 {
			return nil, err
		}
		return kept.In(tx).FindProjectRows(p.ID)
	case kept.Insight: // any row of its history
		i, err := memories.In(tx).InsightsByID(kept.NumericIDs([]kept.Row{{Kind: kind, ID: id}}, kind))
		if err != nil || len(i) == 0 {
			return nil, err
		}
		return kept.In(tx).FindInsights([]int64{i[0].RootID})
	}
	return k.DeletableKinds.Find(tx, kind, id)
}

func (deleter) Dependents(tx *store.Tx, from []kept.Row) (parts, derived []kept.Row, err error) {
	dialogue := kept.NumericIDs(from, kept.Dialogue)
	if len(dialogue) == 0 {
		return nil, nil, nil
	}
	if parts, err = kept.In(tx).FindDialogueCopies(dialogue); err != nil {
		return nil, nil, err
	}
	own, err := kept.In(tx).FindExtractedInsights(dialogue) // they are the words of what was said
	if err != nil {
		return nil, nil, err
	}
	derived, err = kept.In(tx).FindDerivedInsights(dialogue)
	return append(parts, own...), derived, err
}

func (deleter) Forget(tx *store.Tx, rows []kept.Row) error {
	if err := memories.In(tx).ForgetInsights(kept.NumericIDs(rows, kept.Insight)); err != nil {
		return err
	}
	if err := captures.In(tx).RecordForgotten(kept.NumericIDs(rows, kept.Dialogue)); err != nil {
		return err
	}
	bereft, err := memories.In(tx).ForgetDialogue(kept.NumericIDs(rows, kept.Dialogue))
	if err != nil {
		return err
	}
	if err := renewSourceTerms(memories.In(tx), bereft); err != nil { // they are no longer found by what was said
		return err
	}
	if err := memories.In(tx).ForgetEpisodes(kept.NumericIDs(rows, kept.Episode)); err != nil {
		return err
	}
	if err := memories.In(tx).ForgetWorkingItems(kept.NumericIDs(rows, kept.Working), kept.NumericIDs(rows, kept.Stale)); err != nil {
		return err
	}
	if err := captures.In(tx).Forget(kept.IDs(rows, kept.Session), kept.NumericIDs(rows, kept.Project), kept.NumericIDs(rows, kept.Transcript)); err != nil {
		return err
	}
	return memories.In(tx).ForgetQueries(kept.NumericIDs(rows, kept.GoldenQuery), kept.NumericIDs(rows, kept.GroundTruth))
}
