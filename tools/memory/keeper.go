package memory

import (
	"strings"

	"toolkit/store"
	"toolkit/tools"
)

// keptSession is the kind under which the dialogue of a session is found.
const keptSession = "session"

type keeper struct{ tools.KeptKinds }

// Keeper is what the family keeps, for tools that work across families.
func Keeper() tools.Keeper {
	return keeper{tools.KeptKinds{store.KeptDialogue, store.KeptInsight, store.KeptEpisode, store.KeptWorking, store.KeptStale, store.KeptGoldenQuery, store.KeptGroundTruth}}
}

func (k keeper) Find(tx *store.Tx, kind, id string) ([]store.Kept, error) {
	switch kind {
	case keptSession:
		return tx.KeptOfSession(id)
	case store.KeptInsight: // any row of its history
		i, err := tx.InsightsByID(store.RowsOf([]store.Kept{{Kind: kind, ID: id}}, kind))
		if err != nil || len(i) == 0 {
			return nil, err
		}
		return tx.KeptInsights([]int64{i[0].RootID})
	}
	return k.KeptKinds.Find(tx, kind, id)
}

func (keeper) Follow(tx *store.Tx, from []store.Kept) (parts, derived []store.Kept, err error) {
	dialogue := store.RowsOf(from, store.KeptDialogue)
	if len(dialogue) == 0 {
		return nil, nil, nil
	}
	if parts, err = tx.CopiesOfDialogue(dialogue); err != nil {
		return nil, nil, err
	}
	derived, err = tx.KeptFromDialogue(dialogue)
	return parts, derived, err
}

func (keeper) Forget(tx *store.Tx, rows []store.Kept) error {
	if err := tx.ForgetInsights(store.RowsOf(rows, store.KeptInsight)); err != nil {
		return err
	}
	bereft, err := tx.ForgetDialogue(store.RowsOf(rows, store.KeptDialogue))
	if err != nil {
		return err
	}
	insights, err := tx.InsightsByID(bereft)
	if err != nil {
		return err
	}
	for _, i := range insights { // they are no longer found by what was said
		terms, err := sourceTerms(tx, i.SourceIDs)
		if err != nil {
			return err
		}
		if err := tx.ReplaceSourceTerms(i.ID, strings.Join(terms, " ")); err != nil {
			return err
		}
	}
	if err := tx.ForgetEpisodes(store.RowsOf(rows, store.KeptEpisode)); err != nil {
		return err
	}
	if err := tx.ForgetInHand(store.RowsOf(rows, store.KeptWorking), store.RowsOf(rows, store.KeptStale)); err != nil {
		return err
	}
	return tx.ForgetQueries(store.RowsOf(rows, store.KeptGoldenQuery), store.RowsOf(rows, store.KeptGroundTruth))
}
