package orientation

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestProbe(t *testing.T) {
	f := os.Getenv("PROBE")
	if f == "" {
		t.Skip()
	}
	kind := os.Getenv("KIND")
	want := os.Getenv("WANT")
	b, _ := os.ReadFile(f)
	for _, l := range strings.Split(strings.TrimRight(string(b), "\n"), "\n") {
		var g *Finding
		switch kind {
		case "step":
			g = Step(l)
		case "reality":
			g = Reality(l)
		case "lesson":
			g = Lesson(l)
		default:
			g = Outcome(l, Standard)
		}
		if want == "ok" && g != nil {
			fmt.Printf("REFUSED %q %s %q -> %q\n", l, g.Rule, g.Words, g.Suggestions)
		}
		if want == "bad" && g == nil {
			fmt.Printf("ACCEPTED %q\n", l)
		}
		if want == "show" {
			if g == nil {
				fmt.Printf("ok   %q\n", l)
			} else {
				fmt.Printf("%s %q %q -> %q\n", g.Rule, l, g.Words, g.Suggestions)
			}
		}
	}
}
