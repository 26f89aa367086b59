package telemetry

import (
	"context"
	"runtime/metrics"
	"time"

	"toolkit/store"
	"toolkit/store/telemetry"
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

// gaugesRead is the state that holds when a process last read the gauges.
const gaugesRead = "gauges_read_at"

// readable are the gauges in the order they are read.
var readable = []string{poolUsage, dropped, memoryBytes, orphanNodes, sizeBytes}

// ReadGauge takes a gauge at this moment.
func (r *Recorder) ReadGauge(ctx context.Context, gauge string) (value float64, err error) {
	switch gauge {
	case poolUsage:
		return r.o.Store.PoolUsage(), nil
	case dropped:
		return float64(r.Dropped()), nil
	case memoryBytes:
		return usedMemory(), nil
	}
	err = r.o.Store.Read(ctx, func(tx *store.Tx) error {
		if gauge == sizeBytes {
			n, err := tx.SizeBytes()
			value = float64(n)
			return err
		}
		graph, documents, err := tx.CountOrphans()
		value = float64(graph + documents)
		return err
	})
	return value, err
}

// readAllGauges takes all gauges.
func (r *Recorder) readAllGauges(ctx context.Context) (map[string]float64, error) {
	all := map[string]float64{}
	for _, gauge := range readable {
		value, err := r.ReadGauge(ctx, gauge)
		if err != nil {
			return nil, err
		}
		all[gauge] = value
	}
	return all, nil
}

// addDatabaseGaugesIfDue adds the gauges that are read from the database, unless some process did so of late.
func (r *Recorder) addDatabaseGaugesIfDue(ctx context.Context, b *batch, now int64) error {
	if !r.o.Config.Metrics {
		return nil
	}
	var last int64
	err := r.o.Store.Read(ctx, func(tx *store.Tx) (err error) {
		last, err = telemetry.In(tx).State(gaugesRead)
		return err
	})
	if err != nil || now-last < gaugesEvery.Milliseconds() {
		return err
	}
	for _, gauge := range []string{orphanNodes, sizeBytes} {
		value, err := r.ReadGauge(ctx, gauge)
		if err != nil {
			return err
		}
		b.addGauge(gauge, now, value)
	}
	b.read = now
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

// pruneTelemetryIfDue removes what is too old or too much, a little at a time.
func pruneTelemetryIfDue(tx telemetry.Rows, c Config, now int64) error {
	last, err := tx.State("pruned_at")
	if err != nil || now-last < pruneEvery.Milliseconds() && now >= last {
		return err
	}
	chunks, err := tx.PruneSamples(now-c.MetricsRetention.Milliseconds(), c.MaxSamples, prunedChunks)
	if err != nil {
		return err
	}
	old := now - c.AnalyticsRetention.Milliseconds()
	rows, err := tx.PruneCalls(old, c.MaxEvents, prunedRows)
	if err != nil {
		return err
	}
	if err := tx.PruneActors(old, maxActors, prunedRows); err != nil {
		return err
	}
	if chunks >= prunedChunks || rows >= prunedRows {
		return nil // there may be more: go on with the next write
	}
	return tx.SetState("pruned_at", now)
}
