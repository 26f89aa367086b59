package telemetry

import (
	"database/sql"
	"encoding/json"

	"toolkit/store/internal/query"
)

const (
	// chunkSpan is the longest time a chunk covers, so that a query finds every
	// chunk that reaches into its range from the start of the range alone.
	chunkSpan = 60 * 60 * 1000
	// chunkSamples keeps the chunk that grows cheap to write again.
	chunkSamples = 4096
)

// SeriesKey says what samples are of.
type SeriesKey struct {
	Name      string // "call", or the name of a gauge
	Tool      string
	Status    string // success or error; of a gauge its label
	ErrorCode string
	Cached    bool
}

// Series is a series with its totals since the database was made.
type Series struct {
	SeriesKey
	ID      int64
	Count   int64
	Sum     int64   // thousandths
	Buckets []int64 // samples in each range of values, in the recorder's bounds
}

// Totals are what samples add to a series.
type Totals struct {
	Count, Sum int64
	Buckets    []int64
}

// AppendSamples adds samples to a series, and totals, which may count more than
// the samples that are kept.
func (tx Rows) AppendSamples(key SeriesKey, samples []Sample, add Totals) error {
	id, err := tx.addTotals(key, add)
	if err != nil {
		return err
	}
	for len(samples) > 0 {
		n, err := tx.storeFittingSamples(id, samples)
		if err != nil {
			return err
		}
		samples = samples[n:]
	}
	return nil
}

func (tx Rows) addTotals(key SeriesKey, add Totals) (id int64, err error) {
	var raw string
	err = tx.sql.Row(`INSERT INTO metric_series(name, tool, status, error_code, cached, count, sum) VALUES(?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT(name, tool, status, error_code, cached) DO UPDATE SET count = metric_series.count + excluded.count, sum = metric_series.sum + excluded.sum
		RETURNING id, buckets`, key.Name, key.Tool, key.Status, key.ErrorCode, key.Cached, add.Count, add.Sum).Scan(&id, &raw)
	if err != nil || len(add.Buckets) == 0 {
		return id, err
	}
	buckets := make([]int64, len(add.Buckets))
	var stored []int64
	if err := json.Unmarshal([]byte(raw), &stored); err == nil {
		copy(buckets, stored)
	}
	for i, n := range add.Buckets {
		buckets[i] += n
	}
	text, err := json.Marshal(buckets)
	if err != nil {
		return id, err
	}
	return id, tx.sql.Exec(`UPDATE metric_series SET buckets = ? WHERE id = ?`, string(text), id)
}

// storeFittingSamples appends as many samples as fit into the newest chunk, or into a new
// one, and returns how many.
func (tx Rows) storeFittingSamples(series int64, list []Sample) (int, error) {
	c, known, err := query.Find(tx.sql, func(c *Chunk) []any {
		return []any{&c.id, &c.Started, &c.Ended, &c.last, &c.Count, &c.Sum, &c.Min, &c.Max, &c.times, &c.values}
	}, `SELECT id, started, ended, last, count, sum, least, most, times, samples FROM metric_chunks WHERE series = ? ORDER BY started DESC, id DESC LIMIT 1`, series)
	if err != nil {
		return 0, err
	}
	n := 0
	if known {
		n = c.appendFitting(list)
	}
	if n == 0 {
		first := list[0]
		c = Chunk{Started: first.At, Ended: first.At, Min: first.Value, Max: first.Value}
		n = c.appendFitting(list)
	}
	if c.id == 0 {
		return n, tx.sql.Exec(`INSERT INTO metric_chunks(series, started, ended, last, count, sum, least, most, times, samples) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			series, c.Started, c.Ended, c.last, c.Count, c.Sum, c.Min, c.Max, c.times, c.values)
	}
	return n, tx.sql.Exec(`UPDATE metric_chunks SET started = ?, ended = ?, last = ?, count = ?, sum = ?, least = ?, most = ?, times = ?, samples = ? WHERE id = ?`,
		c.Started, c.Ended, c.last, c.Count, c.Sum, c.Min, c.Max, c.times, c.values, c.id)
}

// appendFitting appends the samples that fit.
func (c *Chunk) appendFitting(list []Sample) int {
	n := 0
	last := c.last
	for n < len(list) && c.Count < chunkSamples {
		s := list[n]
		if max(c.Ended, s.At)-min(c.Started, s.At) >= chunkSpan {
			break
		}
		c.Started, c.Ended = min(c.Started, s.At), max(c.Ended, s.At)
		c.Min, c.Max = min(c.Min, s.Value), max(c.Max, s.Value)
		c.Count, c.Sum, c.last = c.Count+1, c.Sum+s.Value, s.At
		n++
	}
	c.append(last, list[:n])
	return n
}

// Series lists all series in order.
func (tx Rows) Series() ([]Series, error) {
	return query.Select(tx.sql, func(s *Series) []any {
		return []any{&s.ID, &s.Name, &s.Tool, &s.Status, &s.ErrorCode, &s.Cached, &s.Count, &s.Sum, query.FromJSON(&s.Buckets)}
	}, `SELECT id, name, tool, status, error_code, cached, count, sum, buckets FROM metric_series ORDER BY name, tool, status, error_code, cached`)
}

// Chunk is the part of a series that a chunk holds. Each decodes its samples;
// it is valid only while it is visited.
type Chunk struct {
	Series, Started, Ended, Count, Sum, Min, Max int64
	id, last                                     int64 // its row and the time of its last sample, while it still grows
	samples
}

// EachChunk visits the chunks of series that have samples from the time from to
// the time to, both included, in unix milliseconds. Samples outside may be
// among them.
func (tx Rows) EachChunk(series []int64, from, to int64, f func(*Chunk) error) error {
	ids, err := json.Marshal(series)
	if err != nil {
		return err
	}
	var times, values sql.RawBytes
	return tx.sql.Each(func(scan query.Scan) error {
		var c Chunk
		if err := scan(&c.Series, &c.Started, &c.Ended, &c.Count, &c.Sum, &c.Min, &c.Max, &times, &values); err != nil {
			return err
		}
		c.times, c.values = times, values
		return f(&c)
	}, `SELECT series, started, ended, count, sum, least, most, times, samples FROM metric_chunks
		WHERE series IN (SELECT value FROM json_each(?)) AND started > ? AND started <= ? AND ended >= ? ORDER BY series, started, id`,
		query.Numbers(ids), from-chunkSpan, to, from)
}

// PruneSamples removes at most limit chunks that ended before a time, and as
// many of the oldest as are not needed to keep most samples. It returns how many
// chunks went.
func (tx Rows) PruneSamples(before, keep int64, limit int) (int64, error) {
	removed, err := tx.sql.ExecAndCountRows(`DELETE FROM metric_chunks WHERE id IN (SELECT id FROM metric_chunks WHERE ended < ? LIMIT ?)`, before, limit)
	if err != nil {
		return 0, err
	}
	n, err := tx.sql.ExecAndCountRows(`DELETE FROM metric_chunks WHERE id IN (
		SELECT id FROM (SELECT id, sum(count) OVER (ORDER BY id DESC) - count AS newer FROM metric_chunks) WHERE newer >= ? ORDER BY id LIMIT ?)`, keep, limit)
	return removed + n, err
}
