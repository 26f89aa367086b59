package memory

import (
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/tools"
)

// params are the query parameters of a memory:// address, in any order and any
// subset. An empty value counts as absent: clients that expand a template send
// one for each parameter they leave out. What is wrong with a parameter is looked
// at when all are read.
type params struct {
	values   url.Values
	warnings []string // what a reader of the document should know of its parameters
	fault    error    // what is wrong with the first that cannot be read
}

// addWarnings adds warnings; empty ones are none.
func (p *params) addWarnings(messages ...string) {
	for _, text := range messages {
		if text != "" {
			p.warnings = append(p.warnings, text)
		}
	}
}

// recordFault says what is wrong with a parameter.
func (p *params) recordFault(name, rule, format string, args ...any) {
	if p.fault == nil {
		p.fault = tools.Invalid(tools.CodeInvalid, name, rule, "Invalid "+name+" parameter: "+format, args...)
	}
}

// parseParams reads the query of an address. A semicolon or a # in a text means
// itself: there is nothing in these addresses it could separate.
func parseParams(u *url.URL, known []string) (*params, error) {
	raw := strings.ReplaceAll(u.RawQuery, ";", "%3B")
	if u.Fragment != "" {
		raw += "%23" + strings.ReplaceAll(u.EscapedFragment(), ";", "%3B")
	}
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, tools.Invalid(tools.CodeFormat, "uri", "URL encoding", "Invalid query string: write %%25 for a percent sign and %%26 for an ampersand inside a value")
	}
	p := &params{values: values}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(known, name) {
			if names := tools.SuggestParameters(name, known); len(names) > 0 {
				p.recordFault(name, "known parameter", "its name is %s", strings.Join(names, " or "))
			}
			p.addWarnings(unknownParamMessage(name, known))
		} else if len(values[name]) > 1 {
			p.addWarnings(name + " is given more than once; the first value counts")
		}
	}
	return p, p.fault
}

func unknownParamMessage(name string, known []string) string {
	takes := "this document takes no parameters"
	if len(known) > 0 {
		takes = "this document takes " + strings.Join(known, ", ")
	}
	return fmt.Sprintf("the parameter %q is unknown and was ignored; %s", shortenToLine(name), takes)
}

// trimmedText is a value without the white space around it.
func (p *params) trimmedText(name string) string { return strings.TrimSpace(p.values.Get(name)) }

// rawText is a value as given, for what is compared letter by letter.
func (p *params) rawText(name string) string { return p.values.Get(name) }

// parseCount reads a number of things and clamps it to 1..most.
func (p *params) parseCount(name string, fallback, maximum int) int {
	n := p.parseInteger(name, fallback)
	if n < 1 || n > maximum {
		p.addWarnings(fmt.Sprintf("%s is %d, but must be from 1 to %d; %d counts", name, n, maximum, min(max(n, 1), maximum)))
	}
	return min(max(n, 1), maximum)
}

func (p *params) parseInteger(name string, fallback int) int {
	text := p.trimmedText(name)
	if text == "" {
		return fallback
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		p.recordFault(name, "whole number", "give a whole number")
	}
	return n
}

// parseNumber reads a number between low and high; nil when absent.
func (p *params) parseNumber(name string, low, high float64) *float64 {
	text := p.trimmedText(name)
	if text == "" {
		return nil
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || x < low || x > high {
		p.recordFault(name, "number", "give a number from %v to %v", low, high)
	}
	return &x
}

// parseBoolean reads true or false.
func (p *params) parseBoolean(name string) bool {
	text := p.trimmedText(name)
	b, err := strconv.ParseBool(text)
	if err != nil && text != "" {
		p.recordFault(name, "boolean", "give true or false")
	}
	return b
}

// parseEnum reads one of a few words.
func (p *params) parseEnum(name string, known ...string) string {
	text := p.trimmedText(name)
	if text != "" && !slices.Contains(known, text) {
		p.recordFault(name, "one of "+strings.Join(known, ", "), "give one of %s", strings.Join(known, ", "))
	}
	return text
}

// maxDaysBack is the number of days from which days_back no longer restricts.
const maxDaysBack = 100 * 365

// parseDaysBack reads days_back as the instant from which things count; the zero time
// for 0, which means all.
func (p *params) parseDaysBack(now time.Time, fallback int) time.Time {
	days := p.parseInteger("days_back", fallback)
	if days < 0 {
		p.recordFault("days_back", "minimum 0", "give the number of days to look back, 0 for all")
	}
	if days <= 0 || days > maxDaysBack {
		return time.Time{}
	}
	return now.AddDate(0, 0, -days)
}

// parseCreatedRange reads created_after (inclusive, from the start of its day) and
// created_before (exclusive).
func (p *params) parseCreatedRange() (from, to time.Time) {
	for _, b := range []struct {
		name string
		at   *time.Time
	}{{"created_after", &from}, {"created_before", &to}} {
		text := p.trimmedText(b.name)
		if text == "" {
			continue
		}
		t, ok := parseISO(strings.ReplaceAll(text, " ", "+")) // + of an offset, decoded
		if !ok {
			if t, ok = parseISO(text); !ok {
				p.recordFault(b.name, "ISO date", "write YYYY-MM-DD")
			}
		}
		*b.at = t
	}
	return from, to
}

// parseDateRange reads two days, both inclusive, as a half-open interval.
func (p *params) parseDateRange(name string) (from, to time.Time) {
	text := p.trimmedText(name)
	if text == "" {
		return from, to
	}
	first, last, _ := strings.Cut(text, ",")
	from, err1 := time.Parse(time.DateOnly, strings.TrimSpace(first))
	to, err2 := time.Parse(time.DateOnly, strings.TrimSpace(last))
	switch {
	case err1 != nil || err2 != nil:
		p.recordFault(name, "two dates", "write YYYY-MM-DD,YYYY-MM-DD")
	case to.Before(from):
		p.recordFault(name, "start before end", "the end lies before the start")
	}
	return from, to.AddDate(0, 0, 1)
}
