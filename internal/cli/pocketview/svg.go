package pocketview

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"

	"toolkit/tools/pockets"
)

// Measures of the picture, in pixels.
const (
	width, height = 960, 420
	left, right   = 72, 128 // the right margin holds the names of the lines
	top, bottom   = 84, 300 // of the plot
	stripTop      = 322
	stripHeight   = 22
	plotWidth     = width - left - right
)

// bandColours go from grey over blue to green; decaying stands out. Each cell
// also carries its letter, so nothing is told by colour alone.
var bandColours = map[string]string{
	"silent": "#9aa0a6", "weak": "#8fb3d9", "forming": "#4d8fd1", "high_resonance": "#2a9d74", "peak": "#157a53", "decaying": "#d9822b",
}

const style = `<style>
:root{color-scheme:light dark}
text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;fill:#2b2f36}
.paper{fill:#fff}.head{font-size:20px;font-weight:600}.faint{fill:#6b7280}.grid{stroke:#e3e6ea}
.calm{stroke:#157a53}.stress{stroke:#c0392b;stroke-dasharray:6 4}.line{fill:none;stroke-width:2.5;stroke-linejoin:round;stroke-linecap:round}
.dot-calm{fill:#157a53}.dot-stress{fill:#c0392b}.window{fill:#2a9d74;opacity:.13}.now{stroke:#6b7280;stroke-dasharray:2 3}.mark{fill:#fff;font-size:11px;text-anchor:middle}
@media (prefers-color-scheme:dark){.paper{fill:#15181d}text{fill:#e6e8eb}.faint{fill:#9aa3af}.grid{stroke:#2c3138}
.calm{stroke:#4cc495}.stress{stroke:#f08a7c}.dot-calm{fill:#4cc495}.dot-stress{fill:#f08a7c}.window{opacity:.22}.mark{fill:#fff}}
</style>
`

func x(slot float64) float64 { return left + plotWidth*slot/pockets.DaySlots }

func y(value float64) float64 { return bottom - (bottom-top)*value }

// SVG writes the day as a picture of its own, with a title and a description
// for those who cannot see it. It loads nothing.
func SVG(w io.Writer, d pockets.Day) error {
	out := bufio.NewWriter(w)
	date := d.Start.Format("Monday 2 January 2006")
	fmt.Fprintf(out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-labelledby="title desc">`+"\n", width, height, width, height)
	fmt.Fprintf(out, `<title id="title">%s on %s</title>`+"\n", html.EscapeString(d.Pocket.Name), date)
	fmt.Fprintf(out, `<desc id="desc">%s</desc>`+"\n", html.EscapeString(Describe(d)))
	fmt.Fprint(out, style)
	fmt.Fprintf(out, `<rect class="paper" width="%d" height="%d"/>`+"\n", width, height)
	fmt.Fprintf(out, `<text class="head" x="%d" y="38">%s</text><text class="faint" x="%d" y="60">%s, Singapore time%s</text>`+"\n",
		left, html.EscapeString(d.Pocket.Name), left, date, madeUp(d))
	drawAxes(out)
	for _, win := range d.Windows {
		from, to := x(float64(win.From)), x(float64(win.To))
		fmt.Fprintf(out, `<rect class="window" x="%.1f" y="%d" width="%.1f" height="%d"><title>window %s</title></rect>`+"\n", from, top, to-from, bottom-top, Span(win))
	}
	drawLine(out, "stress", d, func(s pockets.DaySlot) *float64 { return s.Stress })
	drawLine(out, "calm", d, func(s pockets.DaySlot) *float64 { return s.Calm })
	drawNames(out, d)
	drawBands(out, d)
	if now := d.Now.Sub(d.Start).Minutes() / 30; now >= 0 && now < pockets.DaySlots {
		fmt.Fprintf(out, `<line class="now" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/><text class="faint" x="%.1f" y="%d" text-anchor="middle">now %s</text>`+"\n",
			x(now), top-6, x(now), stripTop+stripHeight, x(now), top-10, d.Now.Format("15:04"))
	}
	fmt.Fprintf(out, `<text class="faint" x="%d" y="%d">%s</text>`+"\n</svg>\n", left, height-14, html.EscapeString(footer(d)))
	return out.Flush()
}

// Describe tells the day in sentences.
func Describe(d pockets.Day) string {
	if d.Readings() == 0 {
		return "There are no readings on this day."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Calm and stress from 0 to 1 by half hour, from %s%s. ", readings(d), madeUp(d))
	if calmest := extreme(d, func(s pockets.DaySlot) *float64 { return s.Calm }); calmest >= 0 {
		fmt.Fprintf(&b, "Calmest at %s with %.2f. ", clock(calmest), *d.Slots[calmest].Calm)
	}
	if tense := extreme(d, func(s pockets.DaySlot) *float64 { return s.Stress }); tense >= 0 {
		fmt.Fprintf(&b, "Most stress at %s with %.2f. ", clock(tense), *d.Slots[tense].Stress)
	}
	if len(d.Windows) == 0 {
		return b.String() + "No window was open."
	}
	return b.String() + "Windows: " + spans(d) + "."
}

// extreme is the slot with the largest value, or -1.
func extreme(d pockets.Day, value func(pockets.DaySlot) *float64) int {
	best := -1
	for i, s := range d.Slots {
		if v := value(s); v != nil && (best < 0 || *v > *value(d.Slots[best])) {
			best = i
		}
	}
	return best
}

func drawAxes(out io.Writer) {
	for _, value := range []float64{0, 0.25, 0.5, 0.75, 1} {
		fmt.Fprintf(out, `<line class="grid" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/><text class="faint" x="%d" y="%.1f" text-anchor="end">%.2f</text>`+"\n",
			left, y(value), width-right, y(value), left-10, y(value)+4, value)
	}
	for hour := 0; hour <= 24; hour += 3 {
		fmt.Fprintf(out, `<text class="faint" x="%.1f" y="%d" text-anchor="middle">%02d:00</text>`+"\n", x(float64(2*hour)), stripTop+stripHeight+20, hour)
	}
}

// drawLine draws a line for each run of half hours with readings, and a dot for
// one that stands alone.
func drawLine(out io.Writer, class string, d pockets.Day, value func(pockets.DaySlot) *float64) {
	var run []string
	flush := func() {
		switch len(run) {
		case 0:
		case 1:
			cx, cy, _ := strings.Cut(run[0], ",")
			fmt.Fprintf(out, `<circle class="dot-%s" cx="%s" cy="%s" r="3"/>`+"\n", class, cx, cy)
		default:
			fmt.Fprintf(out, `<polyline class="line %s" points="%s"/>`+"\n", class, strings.Join(run, " "))
		}
		run = nil
	}
	for i, s := range d.Slots {
		v := value(s)
		if v == nil {
			flush()
			continue
		}
		run = append(run, fmt.Sprintf("%.1f,%.1f", x(float64(i)+0.5), y(*v)))
	}
	flush()
}

// drawNames names the lines at their ends, apart from each other.
func drawNames(out io.Writer, d pockets.Day) {
	const apart = 16
	last := -1
	for i, s := range d.Slots {
		if s.Calm != nil {
			last = i
		}
	}
	if last < 0 {
		return
	}
	calm, stress := y(*d.Slots[last].Calm)+4, y(*d.Slots[last].Stress)+4
	if gap := stress - calm; gap > -apart && gap < apart {
		middle := (calm + stress) / 2
		if calm <= stress {
			calm, stress = middle-apart/2, middle+apart/2
		} else {
			calm, stress = middle+apart/2, middle-apart/2
		}
	}
	at := x(float64(last)+0.5) + 8
	fmt.Fprintf(out, `<text class="dot-calm" x="%.1f" y="%.1f">calm %.2f</text><text class="dot-stress" x="%.1f" y="%.1f">stress %.2f</text>`+"\n",
		at, calm, *d.Slots[last].Calm, at, stress, *d.Slots[last].Stress)
}

func drawBands(out io.Writer, d pockets.Day) {
	fmt.Fprintf(out, `<text class="faint" x="%d" y="%d" text-anchor="end">quality</text>`+"\n", left-10, stripTop+15)
	fmt.Fprintf(out, `<rect class="grid" fill="none" x="%d" y="%d" width="%d" height="%d"/>`+"\n", left, stripTop, plotWidth, stripHeight)
	cell := float64(plotWidth) / pockets.DaySlots
	for i, s := range d.Slots {
		colour, ok := bandColours[s.Band]
		if !ok {
			continue
		}
		fmt.Fprintf(out, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"><title>%s %s</title></rect><text class="mark" x="%.1f" y="%d">%c</text>`+"\n",
			x(float64(i)), stripTop, cell, stripHeight, colour, clock(i), strings.ReplaceAll(s.Band, "_", " "), x(float64(i)+0.5), stripTop+15, bandMarks[s.Band])
	}
}

func footer(d pockets.Day) string {
	if d.Readings() == 0 {
		return "no readings on this day"
	}
	return fmt.Sprintf("%s from %s · shaded: windows · quality: s silent, w weak, f forming, H high resonance, P peak, d decaying", readings(d), strings.Join(d.Sources, ", "))
}
