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
	barInterval   = 100 * time.Millisecond
	barWidth      = 30
)

// progress shows how far a long command is: as a bar on a terminal. Elsewhere it would fill
// a log, and one line at the end says how long it took.
type progress struct {
	out    io.Writer
	what   string
	unit   string // what is counted
	bar    bool
	now    func() time.Time
	start  time.Time
	last   time.Time
	isLong bool // it took long enough to be told of
	width  int  // of the longest line drawn, in bytes
}

// progress reports on standard error.
func (o *settings) progress(what, unit string) *progress {
	p := newProgress(o.streams.Err, what, unit)
	p.bar = p.bar && o.streams.Getenv("TERM") != "dumb" // such a terminal cannot go back in a line
	return p
}

func newProgress(out io.Writer, what, unit string) *progress {
	p := &progress{out: out, what: what, unit: unit, bar: isTerminal(out), now: time.Now}
	p.start = p.now()
	return p
}

// update is cheap enough to be called often.
func (p *progress) update(done, all int) {
	if !p.markDrawIfDue() {
		return
	}
	percent := 100 * min(done, all) / max(all, 1)
	filled := barWidth * percent / 100
	p.draw("%s [%s%s] %d%% ", p.what, strings.Repeat("#", filled), strings.Repeat(" ", barWidth-filled), percent)
}

// updateBytes is update for bytes.
func (p *progress) updateBytes(done, all int64) { p.update(int(done>>10), int(all>>10)) }

// updateCount shows how much is done of work whose size is not known.
func (p *progress) updateCount(done int) {
	if p.markDrawIfDue() {
		p.draw("%s: %d %s ", p.what, done, p.unit)
	}
}

// markDrawIfDue reports whether it is time to draw the bar.
func (p *progress) markDrawIfDue() bool {
	now := p.now()
	if now.Sub(p.start) < progressDelay || now.Sub(p.last) < barInterval {
		return false
	}
	p.last, p.isLong = now, true
	return p.bar
}

// draw writes over what stands in the line of a terminal.
func (p *progress) draw(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	p.width = max(p.width, len(text))
	fmt.Fprint(p.out, protectColourCode(p.out, "\r"), text)
}

// clear removes what was drawn on a terminal.
func (p *progress) clear() {
	if p.width > 0 {
		p.draw("%s", strings.Repeat(" ", p.width))
		fmt.Fprint(p.out, protectColourCode(p.out, "\r"))
	}
}

// clearAndReportIfLong clears the bar and, when it took long, tells how long it took.
func (p *progress) clearAndReportIfLong(done int) {
	if !p.isLong {
		return
	}
	p.clear()
	took := p.now().Sub(p.start)
	fmt.Fprintf(p.out, "%s: %d %s took %.1f s, %.0f a second\n", p.what, done, p.unit, took.Seconds(), float64(done)/took.Seconds())
}
