package view

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

type pathsReply struct {
	pictureReply
	Paths [][]int64
	More  bool
	End   string
	Met   int
}

// told are the paths by the names of their entities.
func (p pathsReply) told() string {
	names := map[int64]string{}
	for _, n := range p.Nodes {
		names[n.ID] = n.Name
	}
	var all []string
	for _, path := range p.Paths {
		var one []string
		for _, id := range path {
			one = append(one, names[id])
		}
		all = append(all, strings.Join(one, " "))
	}
	return strings.Join(all, ", ")
}

func (b *bench) relate(triples ...[3]string) {
	b.t.Helper()
	var list []any
	for _, r := range triples {
		list = append(list, arguments{"from": r[0], "relationType": r[1], "to": r[2]})
	}
	b.remember("create_relations", arguments{"relations": list})
}

func TestPathsLeadFromOneEntityToAnother(t *testing.T) {
	b := newBench(t)
	long := strings.Repeat("L", 3000)
	var entities []any
	for _, name := range []string{"Anna", "Pipe works", "Berlin", "Mira", "Alone", long} {
		entities = append(entities, arguments{"name": name, "entityType": "x", "observations": []string{"known"}})
	}
	b.remember("create_entities", arguments{"entities": entities})
	b.relate([3]string{"Anna", "works at", "Pipe works"}, [3]string{"Pipe works", "located in", "Berlin"}, [3]string{"Mira", "lives in", "Berlin"}, [3]string{"Anna", "knows", "Anna"})
	r := b.reader()
	p := ask[pathsReply](r, "graph/paths?from=Anna&to=Mira")
	if p.told() != "Anna Pipe works Berlin Mira" || len(p.Edges) != 4 || p.More || p.Entities != 6 || p.Relations != 4 {
		t.Errorf("%s, %+v", p.told(), p)
	}
	if p := ask[pathsReply](r, "graph/paths?from=Anna&to=Anna"); p.told() != "Anna" || len(p.Nodes) != 1 {
		t.Errorf("to itself: %+v", p)
	}
	row := 0
	for _, n := range ask[struct {
		Nodes []struct {
			ID   int
			Name string
		}
	}](r, "graph").Nodes {
		if n.Name == long {
			row = n.ID
		}
	}
	if p := ask[pathsReply](r, fmt.Sprintf("graph/paths?from_id=%d&to=Alone", row)); p.End != "unconnected" || len(p.Nodes) != 2 || p.Nodes[0].Name != long || len(p.Paths) != 0 {
		t.Errorf("between those that nothing connects: %+v", p)
	}
	for path, status := range map[string]int{"": 404, "?from=Anna": 404, "?from=Anna&to=Nobody": 404, "?from=Nobody&to=Anna": 404, "?from=Anna&to_id=x": 400, "?from_id=99999&to=Anna": 404} {
		r.refused("graph/paths"+path, status)
	}
	if text := r.refused("graph/paths?from=Anna&to=Nobody", http.StatusNotFound); !strings.Contains(text, "To: there is no entity") {
		t.Error(text)
	}
}

func TestASearchForPathsThatTakesTooLongSaysSo(t *testing.T) {
	b := newBench(t)
	b.rememberGraph("Anna", "Mira")
	got, err := b.server.paths(t.Context(), &query{values: url.Values{"from": {"Anna"}, "to": {"Mira"}}}, 0)
	if p, ok := got.(pathsFound); err != nil || !ok || p.End != "time" || len(p.Nodes) != 2 || len(p.Paths) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestAPictureThatHasGrownKeepsWhatWasDrawn(t *testing.T) {
	b := newBench(t)
	b.rememberGraph("hub", "a", "b")
	b.remember("create_entities", arguments{"entities": []any{arguments{"name": "apart", "entityType": "x", "observations": []string{"known"}}}})
	r := b.reader()
	var apart int64
	for _, n := range ask[pictureReply](r, "graph").Nodes {
		if n.Name == "apart" {
			apart = n.ID
		}
	}
	p := ask[pictureReply](r, fmt.Sprintf("graph?around=a&with=%d,99999", apart))
	if len(p.Nodes) != 3 || p.Nodes[0].Name != "a" || p.Nodes[2].ID != apart || p.Near != 1 {
		t.Errorf("%+v", p)
	}
	for _, with := range []string{"x", "1,x", strings.Repeat("1,", maxKept) + "1"} {
		r.refused("graph?with="+with, http.StatusBadRequest)
	}
}
