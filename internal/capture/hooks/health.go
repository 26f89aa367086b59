package hooks

import (
	"cmp"
	"slices"
	"time"

	"toolkit/store"
	"toolkit/store/sessions"
)

const (
	// healthRuns is how many runs tell how capture does.
	healthRuns = 200
	// minFailures is how many runs in a row must fail before anybody is told: one
	// that met a busy database is made good by the next.
	minFailures = 3
)

// Health is how capture does.
type Health struct {
	Runs     int       // that were to take something in, of the last ones
	Last     time.Time // when the last of them ran
	Failures int       // of the last ones, in a row
	Recent   int       // failures of the day before the last run
	Reason   string    // of the last failure
	Unhelped int       // prompts of that day for which nothing could be recalled
	Spooled  int       // turns that were heard and wait to be stored
}

// recentWindow is how long before the last run a failure is told of.
const recentWindow = 24 * time.Hour

// IsFailing reports whether capture keeps failing.
func (h Health) IsFailing() bool { return h.Failures >= minFailures }

// ReadHealth tells by the last runs of hooks how capture does.
func ReadHealth(tx *store.Tx, database string) (h Health, err error) {
	runs, err := sessions.In(tx).ListHookRuns(healthRuns)
	if err != nil {
		return h, err
	}
	for _, r := range readLog(database) {
		if r.Takes {
			runs = append(runs, r)
		}
	}
	slices.SortStableFunc(runs, func(a, b sessions.Run) int { return b.At.Compare(a.At) })
	h.Runs, h.Spooled = len(runs), len(listSpooledTurns(database))
	for i, r := range runs {
		if i == 0 {
			h.Last = r.At
		}
		if r.Error == "" || h.Last.Sub(r.At) > recentWindow && h.Failures < i {
			continue
		}
		if h.Failures == i {
			h.Failures++
		}
		h.Recent++
		h.Reason = cmp.Or(h.Reason, r.Error)
	}
	h.Unhelped, err = sessions.In(tx).CountRunsWithError(recallFailed, h.Last.Add(-recentWindow))
	return h, err
}
