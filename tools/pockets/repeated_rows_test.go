package pockets

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestRowsThatOverwriteEachOtherAreFound(t *testing.T) {
	const (
		header  = `{"dataset":{"name":"a","source":"s","license":"CC0","attribution_required":false}}`
		other   = `{"dataset":{"name":"b","source":"s","license":"CC0","attribution_required":false}}`
		outlet  = `{"kind":"outlet","outlet_id":"5f0c5a54-6d0e-4c6c-9a6e-0d3b1f6f2a11","pocket_id":"cluny","category":"bakery","name":`
		reading = `{"kind":"atmosphere","pocket_id":"cluny","captured_at":"2025-06-06T16:00:00+08:00","stress":0.2,"social_energy":0.4,"productive":0.6,"primary_state":"calm","calm":`
		same    = `{"kind":"atmosphere","pocket_id":"cluny","captured_at":"2025-06-06T08:00:00Z","stress":0.2,"social_energy":0.4,"productive":0.6,"primary_state":"calm","calm":`
		quality = `{"kind":"quality","pocket_id":"cluny","computed_at":"2025-06-06T08:00:00Z","usefulness":0.5,"urgency":0.5,"calmness":0.5,"merchant_fit":0.5,"user_need":`
		ledger  = `{"kind":"ledger","pocket_id":"cluny","occurred_at":"2025-06-06T08:00:00Z","purposeful_trips":`
	)
	tests := map[string]struct {
		lines []string
		want  []RepeatedRow
	}{
		"other values":                    {[]string{header, reading + `0.7}`, same + `0.8}`}, []RepeatedRow{{3, 2, 3, KindAtmosphere}}},
		"the same values, respelt":        {[]string{header, reading + `0.7}`, same + `0.70}`}, nil},
		"three of them":                   {[]string{header, reading + `0.7}`, same + `0.8}`, same + `0.9}`}, []RepeatedRow{{3, 2, 3, KindAtmosphere}, {4, 3, 4, KindAtmosphere}}},
		"outlets":                         {[]string{header, outlet + `"A"}`, outlet + `"B"}`}, []RepeatedRow{{3, 2, 3, KindOutlet}}},
		"ledger entries":                  {[]string{header, ledger + `1}`, ledger + `2}`}, []RepeatedRow{{3, 2, 3, KindLedger}}},
		"kinds of the same moment":        {[]string{header, reading + `0.7}`, quality + `0.1}`, quality + `0.2}`}, []RepeatedRow{{4, 3, 4, KindQuality}}},
		"another data set comes too late": {[]string{header, reading + `0.7}`, other, same + `0.8}`}, []RepeatedRow{{4, 2, 2, KindAtmosphere}}},
		"a row that is wrong":             {[]string{header, reading + `0.7}`, same + `8}`}, nil},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			f, err := ReadFile(strings.NewReader(strings.Join(tc.lines, "\n")), FormatJSONL, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).UnixMilli(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, f.Repeats); diff != "" || f.Repeated != len(tc.want) {
				t.Errorf("%d repeated, %+v\n%s", f.Repeated, f.Problems, diff)
			}
		})
	}
}
