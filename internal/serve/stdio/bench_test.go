package stdio

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// BenchmarkCall measures one call there and back, and beside it what the library alone needs for it.
func BenchmarkCall(b *testing.B) {
	for name, line := range map[string]string{
		"write": toolCall(1, "echo", "a"),
		"10kB":  toolCall(1, "echo", strings.Repeat("x", 10_000)),
		"ping":  request(1, "ping", nil),
	} {
		b.Run(name, func(b *testing.B) {
			input, in := io.Pipe()
			out, output := io.Pipe()
			go func() {
				New(newTestServer().MCPServer, Options{}).Serve(b.Context(), input, output)
				output.Close()
			}()
			answers := bufio.NewReaderSize(out, 1<<16)
			b.ReportAllocs()
			for b.Loop() {
				io.WriteString(in, line+"\n")
				if _, err := answers.ReadSlice('\n'); err != nil {
					b.Fatal(err)
				}
			}
			in.Close()
		})
		b.Run(name+"/library alone", func(b *testing.B) {
			s := newTestServer()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := json.Marshal(s.HandleMessage(b.Context(), json.RawMessage(line))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
