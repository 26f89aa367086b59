package pocketview

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"toolkit/fixtures"
	"toolkit/tools/pockets"
	"toolkit/tools/pockets/pocketdata"
)

// day has readings at eight, half past eight and, after a gap, at ten.
func day() pockets.Day {
	p, _ := fixtures.PocketByName("cluny")
	start := time.Date(2026, 6, 6, 0, 0, 0, 0, pocketdata.Zone)
	d := pockets.Day{Pocket: p, Start: start, Now: start.Add(10*time.Hour + 20*time.Minute), Sources: []string{"<city> & sensors"}}
	d.Slots[16] = pockets.DaySlot{Readings: 2, Calm: new(0.2), Stress: new(0.7), Saturation: new(0.5), Band: "weak"}
	d.Slots[17] = pockets.DaySlot{Readings: 2, Calm: new(0.6), Stress: new(0.3), Saturation: new(0.2), Band: "high_resonance"}
	d.Slots[20] = pockets.DaySlot{Readings: 1, Calm: new(1.0), Stress: new(0.0), Saturation: new(0.1)}
	d.Windows = []pockets.DayWindow{{From: 17, To: 18}, {From: 20, To: 21}}
	return d
}

func TestTheTerminalShowsGapsAsGaps(t *testing.T) {
	var b bytes.Buffer
	if err := Text(&b, day()); err != nil {
		t.Fatal(err)
	}
	want := `Cluny · Saturday 6 June 2026 · Singapore time
        00    03    06    09    12    15    18    21    
calm                    ▂▅  █
stress                  ▆▃  ▁
quality                 wH
window                   ━  ━

windows: 08:30–09:00, 10:00–10:30
5 readings from <city> & sensors
quality: s silent, w weak, f forming, H high resonance, P peak, d decaying
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
	b.Reset()
	if err := Text(&b, pockets.Day{Pocket: day().Pocket, Start: day().Start}); err != nil || !strings.Contains(b.String(), "no readings on this day") {
		t.Errorf("an empty day shows %s, %v", b.String(), err)
	}
}

func TestThePictureIsWellFormedAndDescribed(t *testing.T) {
	for name, d := range map[string]pockets.Day{"a day with gaps": day(), "an empty day": {Pocket: day().Pocket, Start: day().Start, Now: day().Start}} {
		var b bytes.Buffer
		if err := SVG(&b, d); err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		decoder, inside := xml.NewDecoder(bytes.NewReader(b.Bytes())), ""
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v\n%s", name, err, b.String())
			}
			switch x := token.(type) {
			case xml.StartElement:
				inside = x.Name.Local
				for _, a := range x.Attr {
					if a.Name.Local == "href" || strings.HasPrefix(a.Name.Local, "on") {
						t.Errorf("%s: the picture loads or runs something: %v", name, a)
					}
				}
			case xml.CharData:
				if texts[inside] == "" {
					texts[inside] = string(x)
				}
			}
		}
		if texts["title"] != "Cluny on Saturday 6 June 2026" || texts["desc"] != Describe(d) || !strings.Contains(b.String(), `role="img" aria-labelledby="title desc"`) {
			t.Errorf("%s is titled %q and described %q", name, texts["title"], texts["desc"])
		}
	}
	var b bytes.Buffer
	if err := SVG(&b, day()); err != nil {
		t.Fatal(err)
	}
	// One line and one lone dot for each of calm and stress: the gap is not bridged.
	if lines, dots := strings.Count(b.String(), "<polyline"), strings.Count(b.String(), "<circle"); lines != 2 || dots != 2 {
		t.Errorf("%d lines and %d dots", lines, dots)
	}
	want := "Calm and stress from 0 to 1 by half hour, from 5 readings. Calmest at 10:00 with 1.00. Most stress at 08:00 with 0.70. Windows: 08:30–09:00, 10:00–10:30."
	if got := Describe(day()); got != want {
		t.Errorf("the description is %q", got)
	}
}
