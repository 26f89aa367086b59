package soaktest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// memoryInterval is how often memory is noted.
const memoryInterval = time.Second

// record gathers what a run measures. It is safe for concurrent use.
type record struct {
	mu       sync.Mutex
	calls    map[string][]time.Duration // by tool
	starts   []time.Duration
	samples  []sample
	failures []string
	failed   int
}

type sample struct {
	at    time.Duration
	bytes int64
}

func newRecord() *record { return &record{calls: map[string][]time.Duration{}} }

// measured is a Caller that notes how long answers take.
func (r *record) measured(call Caller) Caller {
	return func(ctx context.Context, tool string, arguments any) (json.RawMessage, error) {
		begun := time.Now()
		result, err := call(ctx, tool, arguments)
		took := time.Since(begun)
		if err == nil {
			r.mu.Lock()
			r.calls[tool] = append(r.calls[tool], took)
			r.mu.Unlock()
		}
		return result, err
	}
}

func (r *record) start(took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starts = append(r.starts, took)
}

func (r *record) memory(at time.Duration, bytes int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.samples = append(r.samples, sample{at, bytes})
}

// fail notes a failure and returns how many there are.
func (r *record) fail(where string, err error) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed++; len(r.failures) < 20 {
		r.failures = append(r.failures, fmt.Sprintf("%s: %v", where, err))
	}
	return r.failed
}

// Latency is how long answers took, in milliseconds.
type Latency struct {
	Tool  string  `json:"tool"`
	Calls int     `json:"calls"`
	P50   float64 `json:"p50_ms"`
	P95   float64 `json:"p95_ms"`
	P99   float64 `json:"p99_ms"`
	Max   float64 `json:"max_ms"`
}

func latency(tool string, took []time.Duration) Latency {
	took = slices.Clone(took)
	slices.Sort(took)
	at := func(share float64) float64 {
		if len(took) == 0 {
			return 0
		}
		return float64(took[min(len(took)-1, int(share*float64(len(took))))].Microseconds()) / 1000
	}
	return Latency{tool, len(took), at(0.5), at(0.95), at(0.99), at(1)}
}

// Memory is how the memory of the process that was never killed went, in MB.
type Memory struct {
	Start float64 `json:"start_mb"` // mean of the second tenth of the run, when caches are warm
	End   float64 `json:"end_mb"`   // mean of the last tenth
	Most  float64 `json:"most_mb"`
	// Growth is the least-squares slope over the first half of the run, in which
	// data comes that servers keep in memory, and Slope that over the last two
	// fifths, in which none does.
	Growth float64 `json:"growth_mb_per_minute"`
	Slope  float64 `json:"slope_mb_per_minute"`
}

func memoryOf(samples []sample) *Memory {
	n := len(samples)
	if n < 10 {
		return nil
	}
	mean := func(part []sample) float64 {
		sum := 0.0
		for _, s := range part {
			sum += megabytes(s.bytes)
		}
		return sum / float64(len(part))
	}
	m := &Memory{Start: mean(samples[n/10 : n/5]), End: mean(samples[n-n/10:])}
	m.Growth, m.Slope = slope(samples[n/10:n/2]), slope(samples[n*3/5:])
	for _, s := range samples {
		m.Most = max(m.Most, megabytes(s.bytes))
	}
	return m
}

// slope is the least-squares growth in MB a minute.
func slope(samples []sample) float64 {
	var x, y, xx, xy float64
	for _, s := range samples {
		minutes := s.at.Minutes()
		x, y, xx, xy = x+minutes, y+megabytes(s.bytes), xx+minutes*minutes, xy+minutes*megabytes(s.bytes)
	}
	k := float64(len(samples))
	if k*xx == x*x {
		return 0
	}
	return (k*xy - x*y) / (k*xx - x*x)
}

func megabytes(bytes int64) float64 { return float64(bytes) / 1e6 }

// residentMemory is what a process takes of the machine's memory, in bytes.
func residentMemory(pid int) (int64, error) {
	switch runtime.GOOS {
	case "linux":
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		if err != nil {
			return 0, err
		}
		fields := strings.Fields(string(text))
		if len(fields) < 2 {
			return 0, fmt.Errorf("statm says %q", text)
		}
		pages, err := strconv.ParseInt(fields[1], 10, 64)
		return pages * int64(os.Getpagesize()), err
	case "windows":
		return 0, fmt.Errorf("memory is not measured on Windows")
	}
	text, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0, err
	}
	kilobytes, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return kilobytes << 10, err
}
