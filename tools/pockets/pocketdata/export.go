package pocketdata

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"toolkit/store"
	"toolkit/store/pockets"
)

// Export writes the rows of data sets as JSON lines that Import reads: all of
// them, or those of one by name. Factors that were derived here are left out;
// the loop derives them again.
func Export(ctx context.Context, db *store.DB, dataset string, w io.Writer) (rows int, err error) {
	out := &exporting{w: bufio.NewWriterSize(w, 1<<16)}
	out.encoder = json.NewEncoder(out.w)
	out.encoder.SetEscapeHTML(false)
	err = db.Read(ctx, func(tx *store.Tx) error {
		all, err := pockets.In(tx).Datasets()
		if err != nil {
			return err
		}
		found := dataset == ""
		for _, d := range all {
			if dataset != "" && d.Name != dataset {
				continue
			}
			found = true
			if err := out.dataset(pockets.In(tx), d); err != nil {
				return err
			}
		}
		if !found {
			names := make([]string, len(all))
			for i, d := range all {
				names[i] = d.Name
			}
			return fmt.Errorf("there is no data set %q; there are %s", dataset, quoted(names))
		}
		return nil
	})
	if err == nil {
		err = out.w.Flush()
	}
	return out.rows, err
}

type exporting struct {
	w       *bufio.Writer
	encoder *json.Encoder
	rows    int
}

// row is a line of an export. The order of its keys is the alphabet's.
type row map[string]any

func (x *exporting) write(kind string, r row) error {
	for key, value := range r {
		if value == nil || value == "" {
			delete(r, key)
		}
	}
	r["kind"] = kind
	x.rows++
	return x.encoder.Encode(r)
}

func stamp(ms int64) string { return Instant(ms).Format(time.RFC3339Nano) }

// given is a number, or nothing to write when there is none.
func given(n *float64) any {
	if n == nil {
		return nil
	}
	return *n
}

func (x *exporting) dataset(tx pockets.Rows, d pockets.Dataset) error {
	if err := x.encoder.Encode(map[string]pockets.Dataset{"dataset": d}); err != nil {
		return err
	}
	for _, step := range []error{
		tx.EachOutlet(d.Seq, func(o pockets.Outlet) error {
			r := row{"outlet_id": o.ID, "pocket_id": o.Pocket, "name": o.Name, "category": o.Category, "unit": o.Unit, "opens_at": o.OpensAt, "closes_at": o.ClosesAt,
				"active": o.Active, "rain_sensitivity": given(o.RainSensitivity)}
			if len(o.DNA) > 0 {
				r["dna"] = o.DNA
			}
			return x.write(Outlet, r)
		}),
		tx.EachReading(d.Seq, func(r pockets.Reading) error {
			return x.write(Atmosphere, row{"pocket_id": r.Pocket, "captured_at": stamp(r.CapturedAt), "stress": r.Stress, "calm": r.Calm, "social_energy": r.SocialEnergy,
				"productive": r.Productive, "primary_state": r.PrimaryState, "anomaly_flag": r.Anomaly, "signal_saturation": given(r.Saturation), "movement_friction": given(r.Friction)})
		}),
		tx.EachLedgerEntry(d.Seq, func(e pockets.LedgerEntry) error {
			return x.write(Ledger, row{"pocket_id": e.Pocket, "occurred_at": stamp(e.OccurredAt), "outlet_id": e.Outlet, "entry_id": e.Entry,
				"waste_avoided_units": given(e.WasteAvoided), "idle_reclaimed_hours": given(e.IdleReclaimed), "purposeful_trips": given(e.Trips),
				"attention_saved_count": given(e.AttentionSaved), "dollar_value_sgd": given(e.Dollars)})
		}),
		tx.EachAttention(d.Seq, func(a pockets.Attention) error {
			return x.write(Attention, row{"pocket_id": a.Pocket, "occurred_at": stamp(a.OccurredAt), "event": a.Kind, "user_id": a.User, "outlet_id": a.Outlet, "event_id": a.Event})
		}),
		tx.EachImportedQuality(d.Seq, func(q pockets.Quality) error {
			return x.write(Quality, row{"pocket_id": q.Pocket, "computed_at": stamp(q.ComputedAt), "usefulness": q.Usefulness, "urgency": q.Urgency, "calmness": q.Calmness,
				"merchant_fit": q.MerchantFit, "user_need": q.UserNeed})
		}),
		tx.EachPrediction(d.Seq, func(p pockets.Prediction) error {
			r := row{"pocket_id": p.Pocket, "generator": p.Generator, "prediction_key": p.Key, "prediction_id": p.ID, "sealed_at": stamp(p.SealedAt),
				"reveal_at": stamp(p.RevealAt), "prediction_payload": p.Payload, "seal": p.Seal}
			if p.RevealedAt != 0 {
				r["revealed_at"], r["actual_observation"] = stamp(p.RevealedAt), p.Observation
			}
			return x.write(Prediction, r)
		}),
	} {
		if step != nil {
			return step
		}
	}
	return nil
}
