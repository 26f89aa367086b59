package app

import (
	_ "embed"
	"slices"
	"strings"
	"testing"

	"toolkit/internal/toolstest"
	"toolkit/tools"
)

// findRequests are what people ask an assistant for, with the tools that do it, or - where
// none does: half of them to write the uses of tools by, half kept aside to measure them.
//
//go:embed testdata/find_requests.tsv
var findRequests string

type findRequest struct {
	half, query string
	tools       []string // none: no tool does it
}

func readFindRequests(t *testing.T) (requests []findRequest) {
	t.Helper()
	for line := range strings.Lines(findRequests) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 4 {
			t.Fatalf("%q has not half, language, request and tools", line)
		}
		r := findRequest{half: fields[0], query: fields[2]}
		if fields[3] != "-" {
			r.tools = strings.Split(fields[3], ",")
		}
		requests = append(requests, r)
	}
	return requests
}

func TestFindToolsNamesTheToolForRequestsOfPeople(t *testing.T) {
	a := openCore(t, tools.Access{}, "")
	requests := readFindRequests(t)
	for half, least := range map[string]struct{ first, three float64 }{"dev": {0.85, 0.95}, "held": {0.8, 0.9}} {
		var first, three, none, fitted, asked int
		for _, r := range requests {
			if r.half != half {
				continue
			}
			var out struct {
				Tools   []struct{ Name string }
				Message string
			}
			toolstest.Decode(t, call(t, a, "find_tools", toolstest.EncodeJSON(arguments{"query": r.query})), &out)
			if r.tools == nil {
				none++
				if out.Message == "" {
					fitted++
					t.Logf("%s %q gets %v, and no tool does it", half, r.query, out.Tools)
				}
				continue
			}
			asked++
			at := slices.IndexFunc(out.Tools, func(f struct{ Name string }) bool { return slices.Contains(r.tools, f.Name) })
			switch {
			case at == 0:
				first++
				three++
			case at > 0 && at < 3:
				three++
			}
			if at != 0 {
				t.Logf("%s %q: %v is at %d of %v %s", half, r.query, r.tools, at, out.Tools, out.Message)
			}
		}
		t.Logf("%s: first %d, among three %d of %d; of %d that no tool does %d seem to fit", half, first, three, asked, none, fitted)
		if float64(first) < least.first*float64(asked) || float64(three) < least.three*float64(asked) || fitted > 0 {
			t.Errorf("%s: first %d, among three %d of %d; of %d that no tool does %d seem to fit", half, first, three, asked, none, fitted)
		}
	}
}

func TestFindToolsNamesTheCommandForWhatNoToolDoes(t *testing.T) {
	a := openCore(t, tools.Access{}, "")
	for query, command := range map[string]string{"make a backup": "toolkit backup", "mach bitte eine Sicherung": "toolkit backup", "restaurer une sauvegarde": "toolkit restore"} {
		var out struct{ Message string }
		toolstest.Decode(t, call(t, a, "find_tools", toolstest.EncodeJSON(arguments{"query": query})), &out)
		if !strings.Contains(out.Message, command+".") {
			t.Errorf("%q: %s", query, out.Message)
		}
	}
}
