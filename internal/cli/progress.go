package cli

import (
	"fmt"
	"io"
	"strings"
	"time"
)

const (
	// A command that ends sooner shows nothing.
	progressDelay = time.Second
	// A bar moves, lines elsewhere would fill a log.
	barInterval  = 100 * time.Millisecond
	lineInterval = 5 * time.Second
	barWidth     = 30
)

// progress shows how far a long command is: as a bar on a terminal, as lines
// elsewhere.
type progress struct {
	out   io.Writer
	what  string
	unit  string // what is counted
	bar   bool
	now   func() time.Time
	start time.Time
	last  time.Time
	shown bool
}

// progress reports on standard error.
func (o *settings) progress(what string) *progress {
	p := newProgress(o.streams.Err, what)
	p.bar = p.bar && o.streams.Getenv("TERM") != "dumb" // such a terminal cannot go back in a line
	return p
}

func newProgress(out io.Writer, what string) *progress {
	p := &progress{out: out, what: what, unit: "lines", bar: terminal(out), now: time.Now}
	p.start = p.now()
	return p
}

// update is cheap enough to be called often.
func (p *progress) update(done, all int) {
	interval := lineInterval
	if p.bar {
		interval = barInterval
	}
	now := p.now()
	if now.Sub(p.start) < progressDelay || now.Sub(p.last) < interval {
		return
	}
	p.last, p.shown = now, true
	percent := 100 * min(done, all) / max(all, 1)
	if !p.bar {
		fmt.Fprintf(p.out, "%s: %d%%\n", p.what, percent)
		return
	}
	filled := barWidth * percent / 100
	fmt.Fprintf(p.out, codeFor(p.out, "\r")+"%s [%s%s] %d%% ", p.what, strings.Repeat("#", filled), strings.Repeat(" ", barWidth-filled), percent)
}

// count shows how much is done of work whose size is not known.
func (p *progress) count(done int) {
	now := p.now()
	if now.Sub(p.start) < progressDelay || now.Sub(p.last) < lineInterval && !(p.bar && now.Sub(p.last) >= barInterval) {
		return
	}
	p.last, p.shown = now, true
	if p.bar {
		fmt.Fprintf(p.out, codeFor(p.out, "\r")+"%s: %d %s ", p.what, done, p.unit)
	} else {
		fmt.Fprintf(p.out, "%s: %d %s\n", p.what, done, p.unit)
	}
}

// clear removes what count left on a terminal.
func (p *progress) clear() {
	if p.shown && p.bar {
		fmt.Fprintf(p.out, codeFor(p.out, "\r")+"%s"+codeFor(p.out, "\r"), strings.Repeat(" ", len(p.what)+len(p.unit)+14))
	}
}

// end clears the bar and, when it took long, tells how long it took.
func (p *progress) end(lines int) {
	if !p.shown {
		return
	}
	if p.bar {
		fmt.Fprintf(p.out, codeFor(p.out, "\r")+"%s"+codeFor(p.out, "\r"), strings.Repeat(" ", len(p.what)+barWidth+8))
	}
	took := p.now().Sub(p.start)
	fmt.Fprintf(p.out, "%s: %d %s took %.1f s, %.0f a second\n", p.what, lines, p.unit, took.Seconds(), float64(lines)/took.Seconds())
}
