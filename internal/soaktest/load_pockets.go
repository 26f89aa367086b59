package soaktest

import (
	"context"

	"github.com/google/uuid"
)

func pocketsStep(ctx context.Context, w *Worker) error {
	if w.chance(50) {
		return w.call(ctx, nil, "get_pocket_silence", object{"pocket_id": "cluny"})
	}
	shop := w.token()
	return w.write(ctx, shop, []string{"pocket_outlets"}, "record-pocket-signal", object{"kind": "outlet", "records": []any{object{
		"outlet_id": uuid.NewString(), "pocket_id": "cluny", "name": shop, "category": "cafe", "opens_at": "08:00", "closes_at": "20:00",
	}}})
}
