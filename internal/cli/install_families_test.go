package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"toolkit/tools"
)

func TestAClientGetsTheFamiliesItCanCarry(t *testing.T) {
	costs := []tools.FamilyCost{{Name: "a", Tools: 14}, {Name: "b", Tools: 30}, {Name: "c", Tools: 9}, {Name: "d", Tools: 17}}
	for limit, want := range map[int][]string{0: {"a", "b", "c", "d"}, 40: {"a", "c", "d"}, 100: {"a", "b", "c", "d"}, 10: {"c"}, 1: nil} {
		if got := carried(costs, limit); !slices.Equal(got, want) {
			t.Errorf("of %d: %v, want %v", limit, got, want)
		}
	}
}

func TestAPersonChoosesTheFamiliesToInstall(t *testing.T) {
	for line, want := range map[string][]string{
		"\n": {"charts"}, "": {"charts"}, "memory, graph\r\n": {"memory", "graph"}, "all\n": {"all"},
	} {
		var out bytes.Buffer
		o := &settings{streams: Streams{In: strings.NewReader(line), Out: &out}}
		got, err := o.askFamilies([]string{"charts"})
		if err != nil || !slices.Equal(got, want) || !strings.Contains(out.String(), "[charts]") {
			t.Errorf("%q chooses %v, %v after %q", line, got, err, out.String())
		}
	}
	for _, c := range []struct{ families, want string }{{"all", ""}, {"graph,memory", "--families graph,memory"}} {
		if got := strings.Join(familiesFlag(strings.Split(c.families, ",")), " "); got != c.want {
			t.Errorf("%s becomes %q", c.families, got)
		}
	}
}
