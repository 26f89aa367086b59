package graph

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/storetest"
	"toolkit/internal/toolstest"
	"toolkit/store"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

type args = toolstest.Args

// bench is the family over a database of its own.
type bench struct {
	*toolstest.Bench
	family family
}

func newBench(t testing.TB) *bench { return openBench(t, "", false) }

// openBench opens a database, a new one without a path.
func openBench(t testing.TB, path string, compat bool) *bench {
	t.Helper()
	b := &bench{Bench: toolstest.NewBench(t, toolstest.NewClock(noon), store.Options{Path: path})}
	b.family = family{Deps{Store: b.Store, MemoryCompat: compat}}
	b.BuildPipeline(New(b.family.Deps))
	return b
}

// text makes a call that must succeed and returns its text.
func (b *bench) text(tool string, in any) string {
	b.T.Helper()
	return b.CallAccepted(tool, in).Text
}

// graph makes a call that must succeed and returns the graph it reads.
func (b *bench) graph(tool string, in any) Graph {
	b.T.Helper()
	var g Graph
	toolstest.Decode(b.T, []byte(b.text(tool, in)), &g)
	return g
}

// names are the entities that a call finds, in order.
func (b *bench) names(tool string, in any) []string {
	b.T.Helper()
	names := []string{}
	for _, e := range b.graph(tool, in).Entities {
		names = append(names, e.Name)
	}
	return names
}

// refusal is the documented error object.
type refusal struct {
	Error   bool           `json:"error"`
	Code    string         `json:"code"`
	Message string         `json:"message"`
	Details map[string]any `json:"details"`
}

// refuse makes a call that must fail.
func (b *bench) refuse(tool string, in any) (e refusal) {
	b.T.Helper()
	b.CallRefused(tool, in, &e)
	return e
}

func (b *bench) create(entities ...NewEntity) {
	b.T.Helper()
	for i := range entities {
		if entities[i].EntityType == "" {
			entities[i].EntityType = "thing"
		}
		if entities[i].Observations == nil {
			entities[i].Observations = []string{}
		}
	}
	b.text("create_entities", CreateEntitiesInput{Entities: entities})
}

func (b *bench) relate(relations ...Relation) {
	b.T.Helper()
	b.text("create_relations", CreateRelationsInput{Relations: relations})
}

func (b *bench) write(f func(*store.Tx) error) {
	b.T.Helper()
	storetest.Write(b.T, b.Store, f)
}

func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
