package soaktest

import (
	"context"

	"github.com/google/uuid"
)

// liveOutlets is how many outlets a worker keeps; then it renames them, so that
// a pocket does not grow without end.
const liveOutlets = 20

// outlet is a shop that a worker recorded.
type outlet struct{ id, name string }

func pocketsStep(ctx context.Context, w *Worker) error {
	switch {
	case w.chance(40):
		return recordOutlet(ctx, w)
	case w.chance(20):
		return w.call(ctx, nil, "run-pocket-loop", object{"pocket_id": "cluny"})
	}
	if o, ok := pick(w, w.outlets); ok && w.chance(60) {
		return w.mention(ctx, o.name, "get_observed_outlet", object{"outlet_id": o.id})
	}
	return w.call(ctx, nil, "get_pocket_silence", object{"pocket_id": "cluny"})
}

// recordOutlet records a shop, or gives the oldest one a new name.
func recordOutlet(ctx context.Context, w *Worker) error {
	o := outlet{id: uuid.NewString(), name: w.token()}
	old, renamed := oldest(&w.outlets, liveOutlets)
	if renamed {
		o.id = old.id
	}
	err := w.write(ctx, o.name, []string{"pocket_outlets"}, "record-pocket-signal", object{"kind": "outlet", "records": []any{object{
		"outlet_id": o.id, "pocket_id": "cluny", "name": o.name, "category": "cafe", "opens_at": "08:00", "closes_at": "20:00",
	}}})
	if renamed {
		w.Journal.Removed(err, old.name, "pocket_outlets")
	}
	if err == nil {
		w.outlets = append(w.outlets, o)
	}
	return err
}
