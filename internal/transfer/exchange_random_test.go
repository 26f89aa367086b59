package transfer

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store/graph"
)

// Every text and key of these files carries a token of its own, so that losing
// anything at all is seen.
func TestExportHoldsEverythingOfAnImportedFile(t *testing.T) {
	for seed := range testenv.Choose[uint64](10, 60) {
		f := &exchangeFileMaker{random: rand.New(rand.NewPCG(seed, 3))}
		text := f.coaiaFile()
		first := storetest.Open(t)
		importText(t, first, text)
		export := exportText(t, first, ExchangeCoaia)
		requireTokens(t, seed, text, export)
		second := storetest.Open(t)
		importText(t, second, export)
		requireTokens(t, seed, text, exportText(t, second, ExchangeCoaia))
	}
}

var tokenPattern = regexp.MustCompile(`q\d+q`)

func requireTokens(t *testing.T, seed uint64, file, export string) {
	t.Helper()
	tokens := tokenPattern.FindAllString(file, -1)
	if len(tokens) == 0 {
		t.Fatalf("seed %d: the file holds no token", seed)
	}
	for _, token := range tokens {
		if !strings.Contains(export, token) {
			t.Fatalf("seed %d: %s is lost\nfile:\n%s\nexport:\n%s", seed, token, file, export)
		}
	}
}

// exchangeFileMaker writes files of all kinds of lines, complete and incomplete.
type exchangeFileMaker struct {
	random *rand.Rand
	tokens int
	names  []string
	lines  []string
}

func (f *exchangeFileMaker) token() string {
	f.tokens++
	return fmt.Sprintf("q%dq", f.tokens)
}

func (f *exchangeFileMaker) chance(percent int) bool { return f.random.IntN(100) < percent }

func (f *exchangeFileMaker) name(format string, args ...any) string {
	name := fmt.Sprintf(format, args...)
	f.names = append(f.names, name)
	return name
}

func (f *exchangeFileMaker) list() string {
	items := []string{}
	for range f.random.IntN(3) {
		items = append(items, `"`+f.token()+`"`)
	}
	return "[" + strings.Join(items, ",") + "]"
}

func (f *exchangeFileMaker) entity(name, entityType, metadata string) {
	if f.chance(40) {
		metadata += fmt.Sprintf(`,"%s":{"deep":"%s"}`, f.token(), f.token())
	}
	body := fmt.Sprintf(`"name":"%s","entityType":"%s","observations":["%s"]`, name, entityType, f.token())
	if metadata = strings.TrimPrefix(metadata, ","); metadata != "" {
		body += `,"metadata":{` + metadata + `}`
	}
	if f.chance(30) {
		body += fmt.Sprintf(`,"%s":["%s"]`, f.token(), f.token())
	}
	f.lines = append(f.lines, `{ "type" : "entity",`+body+`}`)
}

func (f *exchangeFileMaker) chart(n int) {
	id := fmt.Sprintf("chart_%d", n)
	own := fmt.Sprintf(`,"chartId":"%s"`, id)
	dates := ""
	if f.chance(60) {
		dates = fmt.Sprintf(`,"dueDate":"%s","createdAt":"%s"`, f.token(), f.token())
	}
	parent := ""
	if n > 0 && f.chance(60) {
		parent = fmt.Sprintf(`,"parentChart":"chart_%d"`, f.random.IntN(n+1))
	}
	if f.chance(90) {
		f.entity(f.name("%s_chart", id), graph.TypeChart, own+dates+parent+`,"level":4,"completionStatus":true`)
	}
	if f.chance(90) {
		f.entity(f.name("%s_desired_outcome", id), typeOutcome, own+`,"updatedAt":"`+f.token()+`"`)
	}
	if f.chance(90) {
		f.entity(f.name("%s_current_reality", id), typeReality, own)
	}
	for step := range f.random.IntN(4) {
		metadata := fmt.Sprintf(`,"completionStatus":%v,"dueDate":"%s"`, f.chance(50), f.token())
		if f.chance(70) {
			metadata += own
		}
		f.entity(f.name("%s_action_%d", id, step+1), graph.TypeStep, metadata)
	}
	for beat := range f.random.IntN(3) {
		f.beat(id, beat)
	}
}

func (f *exchangeFileMaker) beat(chart string, n int) {
	name := f.name("%s_beat_%d", chart, n)
	narrative := fmt.Sprintf(`{"description":"%s","prose":"%s","lessons":%s,"%s":1}`, f.token(), f.token(), f.list(), f.token())
	if f.chance(50) {
		f.entity(name, graph.TypeBeat, fmt.Sprintf(`,"chartId":"%s","act":2,"narrative":%s,"fourDirections":{"north_vision":"%s"}`, chart, narrative, f.token()))
		return
	}
	f.lines = append(f.lines, fmt.Sprintf(
		`{"type":"narrative_beat","name":"%s","title":"%s","metadata":{"parentChart":"%s","act":"%s","universes":%s},"narrative":%s,"relational_alignment":{"score":"%s"},"four_directions":{"east_intention":"%s"},"%s":null}`,
		name, f.token(), chart, f.token(), f.list(), narrative, f.token(), f.token(), f.token()))
}

func (f *exchangeFileMaker) relations() {
	for range f.random.IntN(12) {
		from, to := f.names[f.random.IntN(len(f.names))], f.names[f.random.IntN(len(f.names))]
		if f.chance(20) {
			to = f.token()
		}
		rest := ""
		if f.chance(50) {
			rest = fmt.Sprintf(`,"metadata":{"strength":"%s"},"%s":0`, f.token(), f.token())
		}
		f.lines = append(f.lines, fmt.Sprintf(`{"type":"relation","from":"%s","to":"%s","relationType":"%s"%s}`, from, to, f.token(), rest))
	}
}

func (f *exchangeFileMaker) coaiaFile() string {
	for n := range f.random.IntN(4) {
		f.chart(n)
	}
	for range 1 + f.random.IntN(5) {
		f.entity(f.name("entity %s", f.token()), f.token(), "")
	}
	f.relations()
	for range f.random.IntN(3) {
		f.lines = append(f.lines, fmt.Sprintf(`{"type":"%s","%s":["%s"]}`, f.token(), f.token(), f.token()))
	}
	f.random.Shuffle(len(f.lines), func(i, j int) { f.lines[i], f.lines[j] = f.lines[j], f.lines[i] })
	return strings.Join(f.lines, "\n")
}
