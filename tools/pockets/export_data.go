package pockets

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"toolkit/store"
	"toolkit/store/pockets"
)

// ExportData writes the rows of data sets as JSON lines that ImportData reads: all of
// them, or those of one by name. Factors that were derived here are left out;
// the loop derives them again.
func ExportData(ctx context.Context, db *store.DB, dataset string, w io.Writer) (rows int, err error) {
	out := &exportWriter{w: bufio.NewWriterSize(w, 1<<16)}
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
			if err := out.writeDataset(pockets.In(tx), d); err != nil {
				return err
			}
		}
		if !found {
			names := make([]string, len(all))
			for i, d := range all {
				names[i] = d.Name
			}
			return fmt.Errorf("there is no data set %q; there are %s", dataset, strings.Join(names, ", "))
		}
		return nil
	})
	if err == nil {
		err = out.w.Flush()
	}
	return out.rows, err
}

type exportWriter struct {
	w       *bufio.Writer
	encoder *json.Encoder
	rows    int
}

func (x *exportWriter) write(row any) error {
	x.rows++
	return x.encoder.Encode(row)
}

func (x *exportWriter) writeDataset(tx pockets.Rows, d pockets.Dataset) error {
	if err := x.encoder.Encode(map[string]pockets.Dataset{"dataset": d}); err != nil {
		return err
	}
	for _, step := range []error{
		tx.EachOutlet(d.Seq, func(o pockets.Outlet) error { return x.write(outletRow{KindOutlet, o, &o.Active}) }),
		tx.EachReading(d.Seq, func(r pockets.Reading) error { return x.write(readingRow{KindAtmosphere, r, fileTime(r.CapturedAt)}) }),
		tx.EachLedgerEntry(d.Seq, func(e pockets.LedgerEntry) error { return x.write(ledgerRow{KindLedger, e, fileTime(e.OccurredAt)}) }),
		tx.EachAttention(d.Seq, func(a pockets.Attention) error {
			return x.write(attentionRow{KindAttention, a, fileTime(a.OccurredAt)})
		}),
		tx.EachImportedQuality(d.Seq, func(q pockets.Quality) error { return x.write(qualityRow{KindQuality, q, fileTime(q.ComputedAt)}) }),
		tx.EachPrediction(d.Seq, func(p pockets.Prediction) error {
			return x.write(predictionRow{KindPrediction, p, fileTime(p.SealedAt), fileTime(p.RevealAt), fileTime(p.RevealedAt)})
		}),
	} {
		if step != nil {
			return step
		}
	}
	return nil
}
