package view

import (
	"regexp"
	"strings"
	"testing"
)

// A document that loads something else shows nothing: its policy allows no origin.
var foreign = regexp.MustCompile(`(?m)^\s*(import|export)\b|\bsrc=|<link|url\(|@import`)

func TestEveryAppIsOneDocumentThatLoadsNothing(t *testing.T) {
	seen := map[string]bool{}
	for _, app := range Apps() {
		page, err := app.HTML()
		if err != nil {
			t.Errorf("%s: %v", app.URI, err)
			continue
		}
		if seen[app.URI] || seen[app.Tool] || !strings.HasPrefix(app.URI, "ui://toolkit/") {
			t.Errorf("%s for %s: the address or the tool is taken, or of another server", app.URI, app.Tool)
		}
		seen[app.URI], seen[app.Tool] = true, true
		if found := foreign.FindString(page); found != "" {
			t.Errorf("%s holds %q", app.URI, found)
		}
		if strings.Count(page, "<script") != 1 || strings.Count(page, "</script>") != 1 || strings.Count(page, "<style>") != 1 {
			t.Errorf("%s has more than one script or style, or a text in it ends one early", app.URI)
		}
		if size := len(page); size > 64<<10 {
			t.Errorf("%s has %d bytes; a host holds it for every result", app.URI, size)
		}
	}
}

// The views wear what sections of the page wear, wherever its rules stand.
func TestAppsAreDressed(t *testing.T) {
	page, err := Apps()[0].HTML()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{".chart", ".step-line", ".tick", ".reality", ".due", ".meter", ".score", ".hits", ".dialogue", ".timeline", ".neighbours", ".whereabouts", ".problem", ".folded"} {
		if !strings.Contains(page, part+" ") && !strings.Contains(page, part+".") {
			t.Errorf("no style is given to %s; the sheet that has it belongs into appStyles", part)
		}
	}
}

func TestAModuleIsPlacedOnceAfterWhatItImports(t *testing.T) {
	b := bundle{placed: map[string]bool{}}
	if err := b.add("results.js"); err != nil {
		t.Fatal(err)
	}
	last := -1
	for _, file := range []string{"format.js", "dom.js", "app.js", "steps.js", "results.js"} {
		begin := "const " + scope(file) + " = "
		at := strings.Index(b.text.String(), begin)
		if strings.Count(b.text.String(), begin) != 1 || at < last {
			t.Errorf("%s stands %d times, or before what it needs", file, strings.Count(b.text.String(), begin))
		}
		last = at
	}
	if err := b.add("nothing.js"); err == nil {
		t.Error("a module that is not there was placed")
	}
}
