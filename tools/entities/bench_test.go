package entities

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/storetest"
	"toolkit/store"
)

// scale is how much a large store holds.
const scale = 100_000

// fill writes documents in large transactions, past the tools, as an import
// would.
func (b *bench) fill(n int, in func(i int) submitInput) {
	b.T.Helper()
	f := &family{Deps{Store: b.Store, Vectors: b.vectors}}
	const batch = 2000
	for start := 0; start < n; start += batch {
		storetest.Write(b.T, b.Store, func(tx *store.Tx) error {
			for i := start; i < min(n, start+batch); i++ {
				s, err := f.compileSubmission(in(i))
				if err != nil {
					return err
				}
				if _, err := f.storeSubmission(tx, s); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

func documentOf(capability, at string, body args) submitInput {
	raw, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return submitInput{CapabilityID: "neotoma:store_" + capability + ":v1", Body: raw,
		Provenance: provenanceInput{SourceRefs: []string{}, ExtractedAt: at, ExtractorVersion: "bench:v1"}}
}

func hourAfter2010(i int) string {
	return time.Date(2010, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour).Format(time.RFC3339)
}

// BenchmarkOneEntityWith100kObservations measures calls about a vendor that a
// hundred thousand receipts name.
func BenchmarkOneEntityWith100kObservations(b *testing.B) {
	t := openBench(b, store.Options{Path: filepath.Join(b.TempDir(), "one.db")}, withVectors(b, embed.Off()))
	t.fill(scale, func(i int) submitInput {
		return documentOf("receipt", hourAfter2010(i), args{"receipt_number": i, "vendor_name": "Acme Corp", "amount": i % 100})
	})
	acme := args{"entity_id": company("Acme")}
	measure(b, "snapshot", t, snapshotName, func(int) any { return acme })
	measure(b, "provenance", t, provenanceName, func(int) any { return args{"entity_id": company("Acme"), "field": "name"} })
	measure(b, "observations", t, observationsName, func(int) any { return args{"entity_id": company("Acme"), "limit": 10} })
	measure(b, "the_past", t, snapshotName, func(i int) any {
		return args{"entity_id": company("Acme"), "at": hourAfter2010(50_000 + i%1000)}
	})
	measure(b, "submit", t, submitName, func(i int) any {
		return documentOf("receipt", hourAfter2010(scale+i), args{"receipt_number": scale + i, "vendor_name": "ACME", "amount": i})
	})
	measure(b, "submit_again", t, submitName, func(i int) any {
		return documentOf("receipt", hourAfter2010(i), args{"receipt_number": i, "vendor_name": "Acme Corp", "amount": i % 100})
	})
	deleted := 0
	b.Run("delete_one_of_100k", func(b *testing.B) {
		for range b.N {
			found := t.Call(retrieveName, args{"properties": args{"receipt_number": deleted}})
			deleted++
			t.Call(deleteName, args{"id": ids(found)[0]})
		}
	})
	b.Run("rebuild", func(b *testing.B) {
		for range b.N {
			if _, err := RebuildSnapshots(context.Background(), t.Store, true, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	measure(b, "correct", t, correctName, func(i int) any {
		return args{"entity_id": company("Acme"), "field": "city", "value": i}
	})
}

// BenchmarkStoreWith100kEntities measures calls in a store of as many vendors
// and receipts.
func BenchmarkStoreWith100kEntities(b *testing.B) {
	t := openBench(b, store.Options{Path: filepath.Join(b.TempDir(), "many.db")}, withVectors(b, embed.Off()))
	t.fill(scale, func(i int) submitInput {
		return documentOf("receipt", hourAfter2010(i), args{"receipt_number": i, "vendor_name": fmt.Sprintf("Vendor %d Corp", i), "amount": i % 1000, "date": hourAfter2010(i)})
	})
	vendor := func(i int) string { return company(fmt.Sprint("Vendor ", i*7919%scale)) }
	measure(b, "snapshot", t, snapshotName, func(i int) any { return args{"entity_id": vendor(i)} })
	measure(b, "submit", t, submitName, func(i int) any {
		return documentOf("invoice", hourAfter2010(i), args{"invoice_number": fmt.Sprint("N", i), "vendor_name": fmt.Sprint("Vendor ", i), "amount": i, "date": "2025-01-01"})
	})
	measure(b, "find_by_name", t, findName, func(i int) any { return args{"type": "company", "name": fmt.Sprint("Vendor ", i*7919%scale)} })
	measure(b, "find_by_common_word", t, findName, func(int) any { return args{"name": "vendor"} })
	measure(b, "find_by_field", t, findName, func(i int) any { return args{"fields": args{"receipt_number": i}} })
	measure(b, "find_by_type", t, findName, func(int) any { return args{"type": "company"} })
	measure(b, "retrieve_by_type", t, retrieveName, func(int) any { return args{"type": "receipt"} })
	measure(b, "retrieve_by_value", t, retrieveName, func(i int) any { return args{"type": "receipt", "properties": args{"amount": i % 1000}} })
	measure(b, "retrieve_by_rare_word", t, retrieveName, func(i int) any {
		return args{"search": []string{fmt.Sprint(i * 7919 % scale)}, "search_mode": "keyword"}
	})
	measure(b, "retrieve_by_common_word", t, retrieveName, func(int) any { return args{"search": []string{"vendor"}, "search_mode": "keyword"} })
	semantic := func(text string) args { return args{"search": []string{text}, "search_mode": "semantic"} }
	measure(b, "retrieve_by_meaning_first", t, retrieveName, func(int) any {
		t.vectors.(*VectorSearch).forget() // as if the process had just started
		return semantic("Vendor 4711 Corp, receipt")
	})
	measure(b, "retrieve_by_meaning", t, retrieveName, func(i int) any { return semantic(fmt.Sprintf("Vendor %d Corp, receipt", i*7919%scale)) })
	measure(b, "retrieve_by_meaning_in_type", t, retrieveName, func(i int) any {
		return args{"search": []string{fmt.Sprintf("Vendor %d Corp, receipt", i*7919%scale)}, "search_mode": "semantic", "type": "receipt"}
	})
	measure(b, "retrieve_by_rare_word_and_meaning", t, retrieveName, func(i int) any { return args{"search": []string{fmt.Sprint("vendor ", i*7919%scale)}} })
	measure(b, "retrieve_by_common_word_and_meaning", t, retrieveName, func(int) any { return args{"search": []string{"vendor"}} })
	measure(b, "timeline", t, timelineName, func(i int) any { return args{"from": hourAfter2010(i), "to": hourAfter2010(i + 1000)} })
	measure(b, "relate", t, relateName, func(i int) any {
		return args{"relationship_type": "PART_OF", "source_entity_id": company(fmt.Sprint("Vendor ", i%(scale-1))), "target_entity_id": company(fmt.Sprint("Vendor ", i%(scale-1)+1))}
	})
}

// measure reports how long half of the calls, and nineteen of twenty, take at
// most.
func measure(b *testing.B, name string, t *bench, tool string, in func(i int) any) {
	b.Run(name, func(b *testing.B) {
		t := *t
		t.T = b
		calls := b.N
		if strings.HasSuffix(name, "_first") {
			calls = min(calls, 5) // each takes seconds
		}
		took := make([]time.Duration, calls)
		for i := range calls {
			arguments := in(i)
			start := time.Now()
			t.Call(tool, arguments)
			took[i] = time.Since(start)
		}
		slices.Sort(took)
		for _, p := range []int{50, 95} {
			b.ReportMetric(float64(took[(len(took)-1)*p/100].Microseconds())/1000, fmt.Sprintf("p%d-ms", p))
		}
	})
}

// forget empties the indexes in memory.
func (s *VectorSearch) forget() {
	exact := s.Exact
	s.TableIndex = embed.NewTableIndex(s.embedder, s.table, time.Now)
	s.Exact = exact
}
