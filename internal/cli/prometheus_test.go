package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/api"
	prometheusapi "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"

	"toolkit/internal/testenv"
	"toolkit/tools/integrations/telemetry"
)

// prometheusTimeout bounds how long a slow machine may take for a condition.
const prometheusTimeout = 90 * time.Second

// prometheusBinary finds a Prometheus, as `make prometheus` unpacks it.
func prometheusBinary(t *testing.T) string {
	t.Helper()
	unpacked, err := filepath.Abs(filepath.Join("..", "..", "bin", "prometheus", "prometheus"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(unpacked); err == nil {
		return unpacked
	}
	if path, err := exec.LookPath("prometheus"); err == nil {
		return path
	}
	if os.Getenv("CI") != "" && runtime.GOOS == "linux" {
		t.Fatal("there is no Prometheus to test against; run 'make prometheus'")
	}
	t.Skip("there is no Prometheus to test against; 'make prometheus' fetches one where the distribution has it")
	return ""
}

// freePort is a port of this machine that nobody listens on at this moment.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// startPrometheus scrapes a target ten times a second until the test ends.
func startPrometheus(t *testing.T, target string) prometheusapi.API {
	t.Helper()
	binary, dir, address := prometheusBinary(t), t.TempDir(), freePort(t)
	config := filepath.Join(dir, "prometheus.yml")
	text := fmt.Sprintf("global: {scrape_interval: 100ms, scrape_timeout: 100ms}\nscrape_configs:\n- job_name: toolkit\n  scrape_timeout: 100ms\n  static_configs: [{targets: [%q]}]\n", target)
	if runtime.GOOS == "windows" || os.Getenv("CI") != "" {
		text = strings.ReplaceAll(text, "100ms", "500ms")
	}
	testenv.Write(t, config, text)
	cmd := exec.CommandContext(t.Context(), binary, "--config.file="+config, "--storage.tsdb.path="+filepath.Join(dir, "data"), "--web.listen-address="+address)
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill() //nolint:errcheck // it may be gone already
		cmd.Wait()         //nolint:errcheck // it was killed
		if t.Failed() {
			text, _ := os.ReadFile(log.Name())
			t.Logf("Prometheus says\n%s", text)
		}
	})
	client, err := api.NewClient(api.Config{Address: "http://" + address})
	if err != nil {
		t.Fatal(err)
	}
	return prometheusapi.NewAPI(client)
}

// until asks again and again until a condition holds.
func until(t *testing.T, what string, holds func(ctx context.Context) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), prometheusTimeout)
	defer cancel()
	ticker := time.NewTicker(50 * time.Millisecond)
	defer ticker.Stop()
	for !holds(ctx) {
		select {
		case <-ctx.Done():
			t.Fatalf("waited in vain until %s", what)
		case <-ticker.C:
		}
	}
}

// serveMetrics starts `toolkit serve` with metrics over HTTP and returns their
// address, as it logs it.
func serveMetrics(t *testing.T, db string) (*client, string) {
	t.Helper()
	cmd := program(t, "serve", "--stdio", "--db", db, "--metrics-addr", "127.0.0.1:0", "--log-level", "info")
	log, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	c := attach(t, cmd)
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "serving metrics" {
			go io.Copy(io.Discard, log) //nolint:errcheck // the log must not fill up
			return c, line.Address
		}
	}
	t.Fatal("the server does not say where it serves metrics")
	return nil, ""
}

// readMetric runs `toolkit call get_technical_metrics`, perhaps with Prometheus.
func readMetric(t *testing.T, db, prometheus, aggregation string, from, to time.Time) float64 {
	t.Helper()
	arguments, err := json.Marshal(map[string]any{
		"metric_name": "neotoma_search_duration_ms", "aggregation": aggregation, "labels": map[string]string{"tool": "search_nodes"}, "step": "1d",
		"time_range": map[string]string{"start": from.Format(time.RFC3339Nano), "end": to.Format(time.RFC3339Nano)},
	})
	if err != nil {
		t.Fatal(err)
	}
	cmd := program(t, "call", "get_technical_metrics", string(arguments), "--db", db)
	cmd.Env = append(cmd.Env, "PROMETHEUS_URL="+prometheus)
	cmd.Stderr = os.Stderr
	raw, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var out struct {
		Values   []struct{ Value float64 }
		Metadata struct{ Source string }
	}
	if err := json.Unmarshal(raw, &out); err != nil || len(out.Values) != 1 || (out.Metadata.Source == "prometheus") != (prometheus != "") {
		t.Fatalf("%s: %v", raw, err)
	}
	return out.Values[0].Value
}

func TestPrometheusAndTheLocalLogAgreeOnTheSameCalls(t *testing.T) {
	prometheusBinary(t)
	db := database(t)
	server, address := serveMetrics(t, db)
	prometheus := startPrometheus(t, address)
	search := func(n int) {
		for range n {
			server.call("search_nodes", map[string]any{"query": "tea"})
		}
	}
	scraped := func(n int, since time.Time) {
		t.Helper()
		until(t, fmt.Sprintf("%d searches are scraped", n), func(ctx context.Context) bool {
			found, _, err := prometheus.Query(ctx, `neotoma_search_duration_ms_count{tool="search_nodes"} and (timestamp(neotoma_search_duration_ms_count) > `+fmt.Sprintf("%.3f", float64(since.UnixMilli())/1000)+`)`, time.Now())
			vector, ok := found.(model.Vector)
			return err == nil && ok && len(vector) == 1 && float64(vector[0].Value) == float64(n)
		})
	}
	for range 300 {
		server.call("create_entities", oneEntity(fmt.Sprint("tea ", server.next)))
	}
	search(5) // Prometheus only sees what is added to a series it knows
	scraped(5, time.Time{})
	from := time.Now()
	scraped(5, from)
	// In a dozen scrapes: at each end of the range Prometheus adds up to half of what lies
	// between two, to the sum and to the count each its own way.
	const rounds, each = 12, 20
	const n = rounds * each
	for round := range rounds {
		search(each)
		scraped(5+(round+1)*each, from)
	}
	to := time.Now()

	base := strings.TrimSuffix(fmt.Sprint(prometheusAddress(t, prometheus)), "/")
	local, remote := readMetric(t, db, "", "p95", from, to), readMetric(t, db, base, "p95", from, to)
	if width := bucketWidth(local); math.Abs(local-remote) > width {
		t.Errorf("p95 is %v ms here and %v ms in Prometheus, apart by more than the bucket's width of %v", local, remote, width)
	}
	local, remote = readMetric(t, db, "", "avg", from, to), readMetric(t, db, base, "avg", from, to)
	if math.Abs(local-remote) > local/10 {
		t.Errorf("the mean is %v ms here and %v ms in Prometheus", local, remote)
	}
	if counted := readMetric(t, db, "", "count", from, to); counted != n {
		t.Errorf("%v searches are counted here, want %d", counted, n)
	}
}

// prometheusAddress is where a Prometheus answers, as it tells in its flags.
func prometheusAddress(t *testing.T, p prometheusapi.API) string {
	t.Helper()
	flags, err := p.Flags(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + flags["web.listen-address"]
}

// bucketWidth is the width of the bucket that a duration falls into.
func bucketWidth(ms float64) float64 {
	below := 0.0
	for _, bound := range telemetry.Bounds {
		if ms <= bound {
			return bound - below
		}
		below = bound
	}
	return math.Inf(1)
}
