// Package pocketview draws a pocket's day: as lines for a terminal, and as an
// SVG picture. It draws what it is given; a gap stays a gap.
package pocketview

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/tools/pockets"
)

// sparks are the heights of a sparkline.
var sparks = []rune("▁▂▃▄▅▆▇█")

// bandMarks are the bands of moment quality, one letter each.
var bandMarks = map[string]rune{"silent": 's', "weak": 'w', "forming": 'f', "high_resonance": 'H', "peak": 'P', "decaying": 'd'}

// Text writes the day for a terminal of 60 columns or more.
func Text(w io.Writer, d pockets.Day) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "%s · %s · Singapore time\n", d.Pocket.Name, d.Start.Format("Monday 2 January 2006"))
	if d.Readings() == 0 {
		fmt.Fprintln(out, "no readings on this day")
		return out.Flush()
	}
	fmt.Fprintf(out, "%8s", "")
	for hour := 0; hour < 24; hour += 3 {
		fmt.Fprintf(out, "%-6s", fmt.Sprintf("%02d", hour))
	}
	fmt.Fprintln(out)
	row := func(name string, mark func(int, pockets.DaySlot) rune) {
		var b strings.Builder
		for i, s := range d.Slots {
			b.WriteRune(mark(i, s))
		}
		fmt.Fprintf(out, "%-8s%s\n", name, strings.TrimRight(b.String(), " "))
	}
	row("calm", func(_ int, s pockets.DaySlot) rune { return spark(s.Calm) })
	row("stress", func(_ int, s pockets.DaySlot) rune { return spark(s.Stress) })
	row("quality", func(_ int, s pockets.DaySlot) rune {
		if mark, ok := bandMarks[s.Band]; ok {
			return mark
		}
		return ' '
	})
	row("window", func(i int, _ pockets.DaySlot) rune {
		if slices.ContainsFunc(d.Windows, func(w pockets.DayWindow) bool { return w.From <= i && i < w.To }) {
			return '━'
		}
		return ' '
	})
	fmt.Fprintf(out, "\nwindows: %s\n", cmp.Or(spans(d), "none"))
	fmt.Fprintf(out, "%s from %s%s\n", readings(d), strings.Join(d.Sources, ", "), madeUp(d))
	fmt.Fprintln(out, "quality: s silent, w weak, f forming, H high resonance, P peak, d decaying")
	return out.Flush()
}

func madeUp(d pockets.Day) string {
	if d.Synthetic {
		return " (made up for demonstration)"
	}
	return ""
}

// spark is the height of a value from 0 to 1; nothing known leaves a blank.
func spark(value *float64) rune {
	if value == nil {
		return ' '
	}
	return sparks[min(len(sparks)-1, max(0, int(*value*float64(len(sparks)))))]
}

// Span is a window as times of day.
func Span(w pockets.DayWindow) string { return clock(w.From) + "–" + clock(w.To) }

// spans are the windows of a day.
func spans(d pockets.Day) string {
	var list []string
	for _, w := range d.Windows {
		list = append(list, Span(w))
	}
	return strings.Join(list, ", ")
}

func clock(slot int) string { return fmt.Sprintf("%02d:%02d", slot/2, slot%2*30) }

// readings is how many readings a day has.
func readings(d pockets.Day) string { return language.Count(d.Readings(), "reading", "readings") }
