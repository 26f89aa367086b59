package capture

import (
	"strings"

	"toolkit/store"
	"toolkit/store/captures"
)

// ended reports whether the user forgot the session of a turn, or the one that it
// is a side chain of: of that nothing is taken in any more.
func ended(tx *store.Tx, t turn) (bool, error) {
	over, err := captures.In(tx).Ended(Session(t.Client, t.Session))
	if parent, _, chained := strings.Cut(t.Session, "/"); err == nil && !over && chained {
		over, err = captures.In(tx).Ended(Session(t.Client, parent))
	}
	return over, err
}

// forgotten reports whether a turn of a file must not come back: its session was
// forgotten, or it is a copy of a forgotten turn, as a client makes it when it
// resumes a session under other ids, or forks it, with times of its own.
func forgotten(tx *store.Tx, t turn) (bool, error) {
	over, err := ended(tx, t)
	if err != nil || over {
		return over, err
	}
	unsaid, err := captures.In(tx).Unsaid(Session(t.Client, t.Fork), t.Speaker, t.Text, t.At)
	if err == nil && !unsaid && t.bare != t.Text {
		return captures.In(tx).Unsaid(Session(t.Client, t.Fork), t.Speaker, t.bare, t.At)
	}
	return unsaid, err
}
