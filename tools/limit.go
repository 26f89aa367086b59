package tools

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// windowKey is what the calls of a tool are counted under.
func (r *RateLimit) windowKey(tool string) string {
	if r.Shared != "" {
		return "shared " + r.Shared // no name of a tool has a space
	}
	return tool
}

// maxWindows is for how many users and tools calls are counted at a time.
const maxWindows = 10_000

// window names the calls that are counted together: limits hold per user.
type window struct{ tool, user string }

// maxWindow is the longest window that can be configured.
const maxWindow = 24 * time.Hour

// RateLimits change the published limits of tools by name; nil lifts one.
type RateLimits map[string]*RateLimit

// ParseRateLimits reads limits such as
// "submit_payload=600/1m,retrieve_records=off": a tool, then calls per window,
// or off for none.
func ParseRateLimits(text string) (RateLimits, error) {
	limits := RateLimits{}
	for _, part := range SplitList(text) {
		tool, value, found := strings.Cut(part, "=")
		tool = strings.TrimSpace(tool)
		if !found || tool == "" {
			return nil, fmt.Errorf("rate limit %q is not of the form tool=calls/window, such as upload_file=10/1m, or tool=off", part)
		}
		limit, err := parseRateLimit(strings.TrimSpace(value))
		if err != nil {
			return nil, fmt.Errorf("rate limit of %s: %w", tool, err)
		}
		limits[tool] = limit
	}
	return limits, nil
}

func parseRateLimit(value string) (*RateLimit, error) {
	if value == "off" {
		return nil, nil
	}
	calls, length, found := strings.Cut(value, "/")
	n, err := strconv.Atoi(strings.TrimSpace(calls))
	if !found || err != nil || n < 1 {
		return nil, fmt.Errorf("%q is neither calls/window, such as 10/1m, nor off", value)
	}
	d, err := time.ParseDuration(strings.TrimSpace(length))
	if err != nil || d <= 0 || d > maxWindow {
		return nil, fmt.Errorf("the window %q is not a time such as 30s, 1m or 1h, up to 24h", length)
	}
	return &RateLimit{MaxCalls: n, Window: d}, nil
}

// Check reports a name that no tool has.
func (l RateLimits) Check(r *Registry) error {
	_, err := l.resolveToolNames(r)
	return err
}

// resolveToolNames maps the kebab form of names to the published one and refuses names
// that no tool has.
func (l RateLimits) resolveToolNames(r *Registry) (RateLimits, error) {
	resolved := RateLimits{}
	for name, limit := range l {
		d := r.Get(name)
		if d == nil {
			return nil, fmt.Errorf("the rate limits name the unknown tool %q", name)
		}
		resolved[d.Name] = limit
	}
	return resolved, nil
}

// rateLimitOf is the limit in force for a tool; nil: none.
func (p *Pipeline) rateLimitOf(d *Definition) *RateLimit {
	if l, changed := p.o.RateLimits[d.Name]; changed {
		return l
	}
	return d.RateLimit
}
