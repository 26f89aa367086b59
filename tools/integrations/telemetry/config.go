package telemetry

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/prometheus/common/model"

	"toolkit/tools"
)

// Config says what is measured and how much of it is kept.
type Config struct {
	Metrics   bool // record technical metrics
	Analytics bool // record the log of calls and what is counted from it

	MetricsRetention   time.Duration // samples older than this go
	MaxSamples         int64         // and the oldest beyond this many
	Sampling           float64       // share of durations that is kept, above 0 up to 1
	AnalyticsRetention time.Duration // rows and actors not seen for this long go
	MaxEvents          int64         // and the oldest rows beyond this many
}

// Defaults of the configuration: a busy day of an assistant is some thousand
// calls, a sample takes 3 bytes, a row of the log about 30.
const (
	defaultMetricsRetention   = 30 * 24 * time.Hour
	defaultMaxSamples         = 5_000_000
	minKept                   = 1000 // samples, or events, that a setting may bound them to
	defaultAnalyticsRetention = 400 * 24 * time.Hour
	defaultMaxEvents          = 1_000_000
)

// DefaultConfig measures everything within the default bounds.
func DefaultConfig() Config {
	return Config{
		Metrics: true, Analytics: true, Sampling: 1,
		MetricsRetention: defaultMetricsRetention, MaxSamples: defaultMaxSamples,
		AnalyticsRetention: defaultAnalyticsRetention, MaxEvents: defaultMaxEvents,
	}
}

// ReadConfig reads the environment; an error names the variable.
func ReadConfig(getenv func(string) string) (Config, error) {
	c := DefaultConfig()
	var problem error
	read := func(name string, parse func(string) error) {
		text := strings.TrimSpace(getenv(name))
		if text == "" || problem != nil {
			return
		}
		if err := parse(text); err != nil {
			problem = fmt.Errorf("%s=%s %w", name, text, err)
		}
	}
	read("TOOLKIT_METRICS", parseSwitch(&c.Metrics))
	read("TOOLKIT_ANALYTICS", parseSwitch(&c.Analytics))
	read("TOOLKIT_METRICS_RETENTION", parseRetention(&c.MetricsRetention))
	read("TOOLKIT_METRICS_SAMPLES", parseCountFrom(minKept, &c.MaxSamples))
	read("TOOLKIT_METRICS_SAMPLING", func(text string) (err error) {
		c.Sampling, err = strconv.ParseFloat(text, 64)
		if err != nil || !(c.Sampling > 0 && c.Sampling <= 1) {
			return fmt.Errorf("is not a share above 0, up to 1")
		}
		return nil
	})
	read("TOOLKIT_ANALYTICS_RETENTION", parseRetention(&c.AnalyticsRetention))
	read("TOOLKIT_ANALYTICS_EVENTS", parseCountFrom(minKept, &c.MaxEvents))
	return c, problem
}

func parseSwitch(to *bool) func(string) error {
	return func(text string) error {
		on, known := tools.ParseSwitch(text)
		if !known {
			return fmt.Errorf("is neither on nor off")
		}
		*to = on
		return nil
	}
}

func parseRetention(to *time.Duration) func(string) error {
	return func(text string) error {
		d, err := model.ParseDuration(text)
		if err != nil || time.Duration(d) < time.Hour {
			return fmt.Errorf("is not a time of at least 1h, such as 30d or 12h")
		}
		*to = time.Duration(d)
		return nil
	}
}

func parseCountFrom(least int64, to *int64) func(string) error {
	return func(text string) error {
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil || n < least {
			return fmt.Errorf("is not a whole number from %d", least)
		}
		*to = n
		return nil
	}
}
