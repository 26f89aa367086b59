package app

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/internal/server/web"
)

// BenchmarkClients has 50 clients call a server over HTTP at the same time, each on a
// connection of its own: of five calls one creates an entity and four read. With
// scripts/postgres.sh in front of it the server is on PostgreSQL.
func BenchmarkClients(b *testing.B) {
	const clients = 50
	a, err := Open(b.Context(), Settings{DB: filepath.Join(b.TempDir(), "t.db"), TimeoutFactor: 20})
	if err != nil {
		b.Fatal(err)
	}
	defer a.Close() //nolint:errcheck // the benchmark is over
	port := httptest.NewServer(web.New(a.Server, web.Options{RateLimit: 1 << 30}))
	defer port.Close()
	transport := &http.Transport{MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	call := func(tool, arguments string) error {
		body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
		response, err := (&http.Client{Transport: transport}).Post(port.URL+web.PathMCP, "application/json", strings.NewReader(body))
		if err != nil {
			return err
		}
		defer response.Body.Close()
		answer, err := io.ReadAll(response.Body)
		if err == nil && (response.StatusCode != http.StatusOK || bytes.Contains(answer, []byte(`"isError":true`)) || !bytes.Contains(answer, []byte(`"result"`))) {
			err = fmt.Errorf("%s", answer)
		}
		return err
	}
	each := func(n int) (tool, arguments string) {
		name := fmt.Sprintf("person %d", n/5*5)
		switch n % 5 {
		case 0:
			return "create_entities", fmt.Sprintf(`{"entities":[{"name":%q,"entityType":"person","observations":["likes tea number %d","lives in house %d"]}]}`, name, n, n)
		case 1, 2:
			return "open_nodes", fmt.Sprintf(`{"names":[%q]}`, name)
		case 3:
			return "search_nodes", fmt.Sprintf(`{"query":"house %d"}`, n/5*5)
		}
		return "hybrid_search", `{"query_text":"who likes tea"}`
	}
	took := make([][]time.Duration, clients)
	var working sync.WaitGroup
	b.ResetTimer()
	for c := range clients {
		working.Go(func() {
			for n := c * 5; n < b.N*5; n += clients * 5 {
				for k := range 5 {
					began := time.Now()
					if err := call(each(n + k)); err != nil {
						b.Error(err)
						return
					}
					took[c] = append(took[c], time.Since(began))
				}
			}
		})
	}
	working.Wait()
	all := slices.Concat(took...)
	b.ReportMetric(float64(len(all))/b.Elapsed().Seconds(), "calls/s")
	reportTook(b, all)
}
