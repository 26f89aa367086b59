package telemetry

import (
	"context"
	"runtime/metrics"
	"time"

	"toolkit/store"
)

const (
	// gaugesEvery spaces readings that look at every node of the graphs.
	gaugesEvery = 5 * time.Minute
	// pruneEvery spaces the search for what is too old.
	pruneEvery = time.Hour
	// prunedChunks and prunedRows keep one write short; the rest follows in the
	// next ones.
	prunedChunks = 200
	prunedRows   = 5000
	// maxActors bounds the actors, whose ids clients choose.
	maxActors = 200_000
)

// Reading is the state of a gauge at this moment.
type Reading struct {
	Metric string
	Label  string // "", or which graph
	Value  float64
}

// Readings takes the gauges that come from the database and the process.
func (r *Recorder) Readings(ctx context.Context) ([]Reading, error) {
	list := []Reading{{poolUsage, "", r.store.PoolUsage()}, {dropped, "", float64(r.Dropped())}, {memoryBytes, "", usedMemory()}}
	err := r.store.Read(ctx, func(tx *store.Tx) error {
		graph, documents, err := tx.CountOrphans()
		if err != nil {
			return err
		}
		size, err := tx.SizeBytes()
		list = append(list, Reading{orphanNodes, "knowledge", float64(graph)}, Reading{orphanNodes, "documents", float64(documents)}, Reading{sizeBytes, "", float64(size)})
		return err
	})
	return list, err
}

// readGauges adds what Readings tells, unless some process did so of late.
func (r *Recorder) readGauges(ctx context.Context, b *batch, now int64) error {
	if !r.config.Metrics {
		return nil
	}
	var last int64
	err := r.store.Read(ctx, func(tx *store.Tx) (err error) {
		last, err = tx.TelemetryState("gauges_read_at")
		return err
	})
	if err != nil || now-last < gaugesEvery.Milliseconds() {
		return err
	}
	list, err := r.Readings(ctx)
	if err != nil {
		return err
	}
	for _, g := range list {
		if g.Metric == orphanNodes || g.Metric == sizeBytes {
			b.gauge(g.Metric, g.Label, now, g.Value)
		}
	}
	b.state("gauges_read_at", now)
	return nil
}

// usedMemory is what live objects take, in bytes.
func usedMemory() float64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return float64(sample[0].Value.Uint64())
}

// prune removes what is too old or too much, a little at a time.
func prune(tx *store.Tx, c Config, now int64) error {
	last, err := tx.TelemetryState("pruned_at")
	if err != nil || now-last < pruneEvery.Milliseconds() && now >= last {
		return err
	}
	chunks, err := tx.PruneSamples(now-c.MetricsRetention.Milliseconds(), c.MaxSamples, prunedChunks)
	if err != nil {
		return err
	}
	old := now - c.AnalyticsRetention.Milliseconds()
	rows, err := tx.PruneCallEvents(old, c.MaxEvents, prunedRows)
	if err != nil {
		return err
	}
	if err := tx.PruneActors(old, maxActors, prunedRows); err != nil {
		return err
	}
	if chunks >= prunedChunks || rows >= prunedRows {
		return nil // there may be more: go on with the next write
	}
	return tx.SetTelemetryState("pruned_at", now)
}
