package exchange

import (
	"bytes"
	"fmt"
	"io"
	"testing"
)

// largeFile holds charts, entities and relations in equal parts.
func largeFile(lines int) []byte {
	var text bytes.Buffer
	for n := range lines / 10 {
		id := fmt.Sprintf("chart_%d", n)
		for _, part := range []struct{ name, entityType string }{
			{ChartEntityName(id), typeChart}, {OutcomeEntityName(id), typeOutcome}, {RealityEntityName(id), typeReality}, {id + "_action_1", typeStep},
		} {
			fmt.Fprintf(&text, `{"type":"entity","name":"%s","entityType":"%s","observations":["A fact that is about as long as facts are"],"metadata":{"chartId":"%s","dueDate":"2026-06-30T00:00:00.000Z","parentChart":"chart_%d"}}`+"\n",
				part.name, part.entityType, id, n-1)
		}
		for k := range 3 {
			fmt.Fprintf(&text, `{"type":"entity","name":"entity %d.%d","entityType":"person","observations":["A fact that is about as long as facts are","Another"]}`+"\n", n, k)
			fmt.Fprintf(&text, `{"type":"relation","from":"entity %d.%d","to":"%s_chart","relationType":"knows"}`+"\n", n, k, id)
		}
	}
	return text.Bytes()
}

func BenchmarkRead(b *testing.B) {
	for _, lines := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(lines), func(b *testing.B) {
			text := largeFile(lines)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, _, err := Read(bytes.NewReader(text)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkWrite(b *testing.B) {
	document, _, err := Read(bytes.NewReader(largeFile(100_000)))
	if err != nil {
		b.Fatal(err)
	}
	for _, format := range []Format{Memory, Coaia} {
		b.Run(string(format), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Write(io.Discard, document, format); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
