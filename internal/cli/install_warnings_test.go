package cli

import (
	"strings"
	"testing"
)

func TestFlagsThatAnEntryLosesAreNamed(t *testing.T) {
	for name, tc := range map[string]struct{ before, after, want string }{
		"flags behind --":           {"serve --stdio --compat memory --families graph", "serve --stdio --toolset core", "--compat memory --families graph"},
		"a database":                {"serve --stdio --db=/m.db", "serve --stdio", "--db=/m.db"},
		"a switch":                  {"serve --stdio --read-only --db /m.db", "serve --stdio --db /n.db", "--read-only"},
		"families for a toolset":    {"serve --stdio --toolset core", "serve --stdio --families graph", ""},
		"a toolset for all tools":   {"serve --stdio --toolset core", "serve --stdio", "--toolset core"},
		"nothing":                   {"serve --stdio --db /m.db", "serve --stdio --db /m.db", ""},
		"no entry that was there":   {"", "serve --stdio", ""},
		"another value, shown anew": {"serve --stdio --families graph", "serve --stdio --families charts", ""},
	} {
		if got := strings.Join(findDroppedFlags(strings.Fields(tc.before), strings.Fields(tc.after)), " "); got != tc.want {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
