package memory

import (
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

// Deleters remove what search has an index of beside its rows, and sessions, which are
// over for good when nothing of them is left.
func Deleters() tools.Deleters {
	return tools.Deleters{
		kinds.Dialogue: deleteDialogue,
		kinds.Insight: func(tx *store.Tx, ids []string) error {
			return memory.In(tx).DeleteInsightHistories(kinds.ParseNumbers(ids))
		},
		kinds.Episode: func(tx *store.Tx, ids []string) error {
			return memory.In(tx).DeleteEpisodes(kinds.ParseNumbers(ids))
		},
		kinds.Session: func(tx *store.Tx, ids []string) error {
			if err := sessions.In(tx).MarkSessionsForgotten(ids); err != nil {
				return err
			}
			return kinds.In(tx).Delete(kinds.Session, ids)
		},
	}
}

// deleteDialogue removes turns, which are not captured again, and what insights were
// found by of what was said.
func deleteDialogue(tx *store.Tx, ids []string) error {
	turns := kinds.ParseNumbers(ids)
	if err := sessions.In(tx).RecordForgottenTurns(turns); err != nil {
		return err
	}
	bereft, err := memory.In(tx).DeleteDialogue(turns)
	if err != nil {
		return err
	}
	return updateSourceTerms(memory.In(tx), bereft)
}
