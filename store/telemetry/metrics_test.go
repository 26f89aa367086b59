package telemetry

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"toolkit/internal/storetest"
	_ "toolkit/internal/storetest" // new databases begin as copies of one
	"toolkit/store"
)

func telemetryDB(t testing.TB) *store.DB {
	t.Helper()
	db := storetest.Open(t, filepath.Join(t.TempDir(), "t.db"))
	return db
}

func TestSamplesComeBackAsTheyWereAppended(t *testing.T) {
	db := telemetryDB(t)
	key := SeriesKey{Name: "call", Tool: "a", Status: "success"}
	base := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli()
	var all []Sample
	for i := range int64(10_000) {
		at := base + i*900
		if i%10 == 3 {
			at -= 5000 // late, from another process
		}
		all = append(all, Sample{At: at, Value: i * i % 70_000})
	}
	for part := range slices.Chunk(all, 777) {
		err := db.WriteTelemetry(context.Background(), func(tx *store.Tx) error {
			return In(tx).AppendSamples(key, part, Totals{Count: int64(len(part)), Sum: 5, Buckets: []int64{1, 2}})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	storetest.Read(t, db, func(tx *store.Tx) error {
		series, err := In(tx).Series()
		if err != nil {
			return err
		}
		if len(series) != 1 || series[0].SeriesKey != key || series[0].Count != 10_000 || series[0].Sum != 65 || fmt.Sprint(series[0].Buckets) != "[13 26]" {
			t.Errorf("the series is %+v", series)
		}
		for _, window := range [][2]int64{{base - 10_000, base + 1e8}, {base + 1_234_567, base + 2_345_678}, {base + 3_600_000, base + 3_600_000}} {
			var got, want []Sample
			for _, s := range all {
				if s.At >= window[0] && s.At <= window[1] {
					want = append(want, s)
				}
			}
			err := In(tx).EachChunk([]int64{series[0].ID}, window[0], window[1], func(c *Chunk) error {
				if c.Ended-c.Started >= chunkSpan || c.Count > chunkSamples {
					t.Errorf("a chunk spans %d ms with %d samples", c.Ended-c.Started, c.Count)
				}
				var n, sum int64
				err := c.Each(func(at, value int64) {
					n, sum = n+1, sum+value
					if at >= window[0] && at <= window[1] {
						got = append(got, Sample{at, value})
					}
				})
				if n != c.Count || sum != c.Sum {
					t.Errorf("a chunk says %d samples of %d and holds %d of %d", c.Count, c.Sum, n, sum)
				}
				return err
			})
			if err != nil {
				return err
			}
			order := func(a, b Sample) int { return int(a.At-b.At)*1_000_000 + int(a.Value-b.Value) }
			slices.SortFunc(got, order)
			slices.SortFunc(want, order)
			if !slices.Equal(got, want) {
				t.Errorf("from %d to %d there are %d samples, want %d", window[0], window[1], len(got), len(want))
			}
		}
		return nil
	})
}

func TestTheDictionaryOfNamesIsBounded(t *testing.T) {
	db := telemetryDB(t)
	err := db.WriteTelemetry(context.Background(), func(tx *store.Tx) error {
		for i := range maxTelemetryNames + 50 {
			if _, err := In(tx).FindOrAddName(fmt.Sprint("agent ", i)); err != nil {
				return err
			}
		}
		var known int
		if err := In(tx).sql.Row(`SELECT count(*) FROM telemetry_names`).Scan(&known); err != nil {
			return err
		}
		if known != maxTelemetryNames+1 {
			t.Errorf("there are %d names", known)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func FuzzSamples(f *testing.F) {
	var seed samples
	seed.append(0, []Sample{{1_700_000_000_000, 5}, {1_699_999_999_999, 0}, {1_700_000_000_000, 300}, {1_700_000_000_001, 1 << 40}})
	f.Add(seed.times, seed.values)
	f.Add([]byte{0x80}, []byte{0x80})
	f.Add([]byte{0x02}, []byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
	f.Fuzz(func(t *testing.T, times, values []byte) {
		var list, again []Sample
		err := (&samples{times, values}).Each(func(at, value int64) {
			if value < 0 {
				t.Errorf("a value is %d", value)
			}
			list = append(list, Sample{at, value})
		})
		if err != nil {
			return
		}
		var encoded samples
		encoded.append(0, list)
		if err := encoded.Each(func(at, value int64) { again = append(again, Sample{at, value}) }); err != nil || !slices.Equal(list, again) {
			t.Errorf("%v came back as %v, %v", list, again, err)
		}
	})
}
