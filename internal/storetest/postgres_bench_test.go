package storetest_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"toolkit/store"
	"toolkit/store/graph"
)

// BenchmarkWriters prints what two servers with four writers each get through: five
// entities with two observations each in a transaction. TOOLKIT_TEST_POSTGRES names the
// database; without it the same is done on a file of SQLite.
func BenchmarkWriters(b *testing.B) {
	for _, engine := range []string{"sqlite", "postgres"} {
		b.Run(engine, func(b *testing.B) {
			var servers []*store.DB
			if engine == "postgres" {
				servers = append(servers, space(b, "writers"))
			}
			path := b.TempDir() + "/toolkit.db"
			for len(servers) < 2 {
				o := store.Options{Path: path}
				if engine == "postgres" {
					o = store.Options{Path: onServer(b), Space: "writers"}
				}
				db, err := store.Open(b.Context(), o)
				if err != nil {
					b.Fatal(err)
				}
				defer db.Close() //nolint:errcheck // a benchmark
				servers = append(servers, db)
			}
			took := make([][]time.Duration, 8)
			var writers sync.WaitGroup
			b.ResetTimer()
			for w := range took {
				writers.Go(func() {
					for n := w; n < b.N; n += len(took) {
						began := time.Now()
						err := servers[w%2].Write(b.Context(), func(tx *store.Tx) error {
							for i := range 5 {
								name := fmt.Sprintf("entity %d of transaction %d", i, n)
								_, err := graph.In(tx).InsertEntity(graph.NewEntity{Name: name, Type: "person", Observations: []string{"likes tea since " + name, "lives in the street number " + name}})
								if err != nil {
									return err
								}
							}
							return nil
						})
						if err != nil {
							b.Error(err)
							return
						}
						took[w] = append(took[w], time.Since(began))
					}
				})
			}
			writers.Wait()
			all := slices.Concat(took...)
			slices.Sort(all)
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "transactions/s")
			b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "ms/p99")
		})
	}
}
