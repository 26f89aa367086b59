package capture

import (
	"strings"

	"toolkit/store"
	"toolkit/store/sessions"
)

// isSessionForgotten reports whether the user forgot the session of a turn, or the one that it
// is a side chain of: of that nothing is taken in any more.
func isSessionForgotten(tx *store.Tx, t turn) (bool, error) {
	over, err := sessions.In(tx).IsSessionForgotten(DialogueSessionID(t.Client, t.Session))
	if parent, _, chained := strings.Cut(t.Session, "/"); err == nil && !over && chained {
		over, err = sessions.In(tx).IsSessionForgotten(DialogueSessionID(t.Client, parent))
	}
	return over, err
}

// isTurnForgotten reports whether a turn of a file must not come back: its session was
// forgotten, or it is a copy of a forgotten turn, as a client makes it when it
// resumes a session under other ids, or forks it, with times of its own.
func isTurnForgotten(tx *store.Tx, t turn) (bool, error) {
	over, err := isSessionForgotten(tx, t)
	if err != nil || over {
		return over, err
	}
	unsaid, err := sessions.In(tx).IsTurnForgotten(DialogueSessionID(t.Client, t.Fork), t.Speaker, t.Text, t.At)
	if err == nil && !unsaid && t.locallyRedacted != t.Text {
		return sessions.In(tx).IsTurnForgotten(DialogueSessionID(t.Client, t.Fork), t.Speaker, t.locallyRedacted, t.At)
	}
	return unsaid, err
}
