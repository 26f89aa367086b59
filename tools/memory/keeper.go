package memory

import (
	"toolkit/store"
	"toolkit/store/captures"
	"toolkit/store/kept"
	"toolkit/store/memories"
	"toolkit/tools"
)

// keptSession is the kind under which the dialogue of a session is found.
const keptSession = "session"

type keeper struct{ tools.KeptKinds }

// Keeper is what the family keeps, for tools that work across families.
func Keeper() tools.Keeper {
	return keeper{tools.KeptKinds{kept.Dialogue, kept.Insight, kept.Episode, kept.Working, kept.Stale, kept.GoldenQuery, kept.GroundTruth,
		kept.Session, kept.Project, kept.Transcript}}
}

func (k keeper) Find(tx *store.Tx, kind, id string) ([]kept.Row, error) {
	switch kind {
	case keptSession:
		return kept.In(tx).OfSession(id)
	case kept.Project: // with its sessions
		p, err := tools.ProjectMeant(tx, "items", id)
		if err != nil || p.ID == 0 {
			return nil, err
		}
		return kept.In(tx).OfProject(p.ID)
	case kept.Insight: // any row of its history
		i, err := memories.In(tx).InsightsByID(kept.RowsOf([]kept.Row{{Kind: kind, ID: id}}, kind))
		if err != nil || len(i) == 0 {
			return nil, err
		}
		return kept.In(tx).Insights([]int64{i[0].RootID})
	}
	return k.KeptKinds.Find(tx, kind, id)
}

func (keeper) Follow(tx *store.Tx, from []kept.Row) (parts, derived []kept.Row, err error) {
	dialogue := kept.RowsOf(from, kept.Dialogue)
	if len(dialogue) == 0 {
		return nil, nil, nil
	}
	if parts, err = kept.In(tx).CopiesOfDialogue(dialogue); err != nil {
		return nil, nil, err
	}
	own, err := kept.In(tx).ExtractedFrom(dialogue) // they are the words of what was said
	if err != nil {
		return nil, nil, err
	}
	derived, err = kept.In(tx).FromDialogue(dialogue)
	return append(parts, own...), derived, err
}

func (keeper) Forget(tx *store.Tx, rows []kept.Row) error {
	if err := memories.In(tx).ForgetInsights(kept.RowsOf(rows, kept.Insight)); err != nil {
		return err
	}
	if err := captures.In(tx).Unsay(kept.RowsOf(rows, kept.Dialogue)); err != nil {
		return err
	}
	bereft, err := memories.In(tx).ForgetDialogue(kept.RowsOf(rows, kept.Dialogue))
	if err != nil {
		return err
	}
	if err := renewSourceTerms(memories.In(tx), bereft); err != nil { // they are no longer found by what was said
		return err
	}
	if err := memories.In(tx).ForgetEpisodes(kept.RowsOf(rows, kept.Episode)); err != nil {
		return err
	}
	if err := memories.In(tx).ForgetInHand(kept.RowsOf(rows, kept.Working), kept.RowsOf(rows, kept.Stale)); err != nil {
		return err
	}
	if err := captures.In(tx).Forget(kept.IDsOf(rows, kept.Session), kept.RowsOf(rows, kept.Project), kept.RowsOf(rows, kept.Transcript)); err != nil {
		return err
	}
	return memories.In(tx).ForgetQueries(kept.RowsOf(rows, kept.GoldenQuery), kept.RowsOf(rows, kept.GroundTruth))
}
