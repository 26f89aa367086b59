package app

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"toolkit/internal/transfer"
)

// graphFile is a file of n entities with two observations each and n relations.
func graphFile(n int) string {
	words := strings.Fields("coffee morning Lisbon project deadline uses SQLite and Go team meets weekly likes dark roast organ pipes bellows")
	var file strings.Builder
	for i := range n {
		fmt.Fprintf(&file, `{"type":"entity","name":"Person %d","entityType":"person","observations":["%s %s %s in %d","%s %s %s since %d"]}`+"\n", i,
			words[i%18], words[i*7%18], words[i*5%18], i, words[i*11%18], words[(i+3)%18], words[(i/18)%18], i)
	}
	for i := range n {
		fmt.Fprintf(&file, `{"type":"relation","from":"Person %d","to":"Person %d","relationType":"knows"}`+"\n", i, i*31%n)
	}
	return file.String()
}

func BenchmarkImport(b *testing.B) {
	const n = 20_000
	document := read(b, graphFile(n))
	for b.Loop() {
		b.StopTimer()
		a := openApp(b, 0)
		b.StartTimer()
		if _, err := transfer.ImportExchange(b.Context(), a.Store, document, transfer.ExchangeOptions{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*2*n)/b.Elapsed().Seconds(), "lines/s")
}

func BenchmarkExport(b *testing.B) {
	const n = 20_000
	a := openApp(b, 0)
	imported(b, a, graphFile(n))
	for b.Loop() {
		if _, err := transfer.ExportExchange(b.Context(), a.Store, io.Discard, transfer.ExchangeCoaia); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*2*n)/b.Elapsed().Seconds(), "lines/s")
}
