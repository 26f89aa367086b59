package entities

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"toolkit/embed"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/tools"
)

// withVectors gives a bench the real vector channel.
func withVectors(t testing.TB, embedder embed.Embedder) func(*store.DB) Vectors {
	return func(db *store.DB) Vectors {
		s := NewVectorSearch(db, embedder)
		t.Cleanup(s.Close)
		return s
	}
}

func newVectorBench(t testing.TB, embedder embed.Embedder) *bench {
	return vectorBenchAt(t, filepath.Join(t.TempDir(), "vectors.db"), embedder)
}

func vectorBenchAt(t testing.TB, path string, embedder embed.Embedder) *bench {
	return openBench(t, store.Options{Path: path}, withVectors(t, embedder))
}

// search retrieves records by a term.
func (b *bench) search(term, mode string) args {
	b.T.Helper()
	return b.Call(retrieveName, args{"search": []string{term}, "search_mode": mode})
}

// warnings are those of a call.
func (b *bench) warnings(in args) string {
	b.T.Helper()
	r := b.CallAllowingRefusal(retrieveName, in)
	if r.Hints == nil {
		return ""
	}
	return text(r.Hints.Warnings)
}

// refresh embeds what is pending and waits for it.
func (b *bench) refresh() {
	b.T.Helper()
	if _, err := b.vectors.(*VectorSearch).EmbedAll(context.Background(), nil); err != nil {
		b.T.Fatal(err)
	}
}

func TestWhatIsStoredIsFoundByWordsAndByMeaning(t *testing.T) {
	b := newVectorBench(t, toolstest.WordCounts{})
	want := b.keep("note", args{"title": "Kitchen renovation", "content": "offers for the oak worktop"})
	b.keep("note", args{"title": "Garden party", "content": "invitations and drinks"})
	payload := b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": "INV-77", "vendor_name": "Lindqvist Logistics"}))["payload_id"].(string)
	for _, mode := range []string{"keyword", "semantic", "both"} {
		out := b.search("kitchen renovation offers oak worktop", mode)
		same(t, mode, ids(out), []string{want})
		same(t, mode+": said", out["search_mode_used"], mode)
		same(t, mode+": total", out["total"], 1)
	}
	out := b.search("note title kitchen renovation oak worktop sink", "semantic")
	same(t, "by other words too", ids(out), []string{want})
	same(t, "model", out["embedding_model"], toolstest.WordCounts{}.Model())
	similarity := out["records"].([]any)[0].(args)["similarity"].(float64)
	if similarity < 0.7 || similarity >= 1 {
		t.Errorf("a similarity of %g", similarity)
	}
	same(t, "which are nowhere", ids(b.search("sink", "keyword")), []string{})
	same(t, "a payload", ids(b.search("Lindqvist Logistics invoice 77", "semantic")), []string{payload})
	same(t, "its whole text", b.search("invoice invoice number INV-77 vendor name Lindqvist Logistics", "semantic")["records"].([]any)[0].(args)["similarity"], 1)
	same(t, "nothing like it", ids(b.search("submarine telescope", "both")), []string{})
	same(t, "keyword alone compares no vectors", b.search("kitchen", "keyword")["embedding_model"], "none")
}

func TestAnUpdatedRecordIsFoundByItsNewTextAndADeletedOneNotAtAll(t *testing.T) {
	b := newVectorBench(t, toolstest.WordCounts{})
	id := b.keep("note", args{"title": "kitchen renovation oak worktop"})
	same(t, "before", ids(b.search("kitchen renovation oak worktop", "semantic")), []string{id})
	b.Call(updateName, args{"id": id, "properties": args{"title": "submarine telescope maintenance"}})
	same(t, "by the old text", ids(b.search("kitchen renovation oak worktop", "both")), []string{})
	for _, mode := range []string{"keyword", "semantic", "both"} {
		same(t, "by the new text, "+mode, ids(b.search("submarine telescope maintenance", mode)), []string{id})
	}
	b.Call(deleteName, args{"id": id})
	for _, mode := range []string{"keyword", "semantic", "both"} {
		out := b.search("submarine telescope maintenance", mode)
		same(t, "deleted, "+mode, []any{ids(out), out["total"]}, []any{[]string{}, 0})
	}
}

func TestAnotherProcessFollowsEveryChange(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	one, two := vectorBenchAt(t, path, toolstest.WordCounts{}), vectorBenchAt(t, path, toolstest.WordCounts{})
	text := "kitchen renovation oak worktop"
	same(t, "before", ids(two.search(text, "semantic")), []string{}) // the index is filled, with nothing
	id := one.keep("note", args{"title": text})
	same(t, "stored", ids(two.search(text, "semantic")), []string{id})
	two.Call(updateName, args{"id": id, "properties": args{"title": "submarine telescope maintenance"}})
	same(t, "old text", ids(one.search(text, "semantic")), []string{})
	same(t, "new text", ids(one.search("submarine telescope maintenance", "semantic")), []string{id})
	one.Call(deleteName, args{"id": id})
	same(t, "deleted", ids(two.search("submarine telescope maintenance", "semantic")), []string{})
}

func TestProcessesWithDifferentModelsEmbedWhatTheOtherWrote(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	words, meaning := vectorBenchAt(t, path, toolstest.WordCounts{}), vectorBenchAt(t, path, toolstest.NewSynonyms("remote:a"))
	id := words.keep("note", args{"title": "my automobile broke down"})
	out := meaning.search("car", "both")
	same(t, "found by meaning", ids(out), []string{id})
	same(t, "said", []any{out["search_mode_used"], out["embedding_model"]}, []any{"both", "remote:a"})
	other := meaning.keep("note", args{"title": "the physician was late"})
	same(t, "written by the other", ids(words.search("the physician was late", "semantic")), []string{other})
	words.Call(updateName, args{"id": id, "properties": args{"title": "a walk along the stream"}})
	same(t, "outdated by the other", ids(meaning.search("car", "semantic")), []string{})
	same(t, "embedded again", ids(meaning.search("river", "semantic")), []string{id})
}

func TestAnotherModelStartsWithVectorsOfItsOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	before := vectorBenchAt(t, path, toolstest.NewSynonyms("remote:a"))
	id := before.keep("note", args{"title": "my automobile broke down"})
	before.refresh()
	changed := toolstest.NewSynonyms("remote:b")
	changed.Groups = [][]string{{"automobile", "tram"}, {"x"}, {"y"}, {"z"}} // and another dimension
	after := vectorBenchAt(t, path, changed)
	out := after.search("tram", "semantic")
	same(t, "by the new model", append(ids(out), out["embedding_model"].(string)), []string{id, "remote:b"})
	same(t, "not by the old one", ids(after.search("vehicle", "semantic")), []string{})
	same(t, "which goes on beside it", ids(before.search("vehicle", "semantic")), []string{id})
	dropped, err := after.vectors.(*VectorSearch).DeleteOtherModels(context.Background())
	same(t, "vectors of other models deleted", []any{dropped, err}, []any{1, nil})
}

func TestSearchWorksByWordsWhenModelFails(t *testing.T) {
	model := toolstest.NewSynonyms("remote:a")
	b := newVectorBench(t, model)
	model.FailWith(toolstest.ErrModel)
	id := b.keep("note", args{"title": "my automobile broke down"})
	<-model.Asked // in the background, after the commit
	if _, err := b.vectors.(*VectorSearch).EmbedAll(context.Background(), nil); !errors.Is(err, toolstest.ErrModel) {
		t.Errorf("%v", err)
	}
	for _, mode := range []string{"both", "semantic"} {
		in := args{"search": []string{"automobile"}, "search_mode": mode}
		out := b.Call(retrieveName, in)
		same(t, mode, append(ids(out), out["search_mode_used"].(string), out["embedding_model"].(string)), []string{id, "keyword", "none"})
		contains(t, "the warning", b.warnings(in), "words alone were compared: the embedding model failed: "+toolstest.ErrModel.Error())
	}
	model.FailWith(nil)
	b.Clock.Advance(embed.RetryDelay)
	out := b.search("car", "both")
	same(t, "when it answers again", append(ids(out), out["search_mode_used"].(string)), []string{id, "both"})
	if w := b.warnings(args{"search": []string{"car"}}); strings.Contains(w, "model") {
		t.Errorf("it goes on warning: %s", w)
	}
}

func TestSearchByMeaningSaysThatEmbeddingIsOff(t *testing.T) {
	b := newVectorBench(t, embed.Off())
	id := b.keep("note", args{"title": "my automobile broke down"})
	for _, mode := range []string{"both", "semantic"} {
		in := args{"search": []string{"automobile"}, "search_mode": mode}
		out := b.Call(retrieveName, in)
		same(t, mode, append(ids(out), out["search_mode_used"].(string), out["embedding_model"].(string)), []string{id, "keyword", "none"})
		contains(t, "the warning", b.warnings(in), "words alone were compared: embedding is off")
	}
	pending, err := b.vectors.(*VectorSearch).CountPending(t.Context())
	same(t, "pending", []any{pending, b.vectors.(*VectorSearch).Model(), err}, []any{0, embed.OffModel, nil})
}

func TestNoModelIsAskedWhileTheWriteLockIsHeld(t *testing.T) {
	model := toolstest.NewSynonyms("remote:a")
	b := newVectorBench(t, model)
	model.Before = func() {
		ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		if err := b.Store.Write(ctx, func(*store.Tx) error { return nil }); err != nil {
			t.Errorf("the lock was held: %v", err)
		}
	}
	id := b.keep("note", args{"title": "my automobile broke down"})
	b.Call(updateName, args{"id": id, "properties": args{"title": "the car is repaired"}})
	b.refresh()
	b.search("vehicle", "both")
	if model.CallCount() < 2 {
		t.Errorf("the model was asked %d times", model.CallCount())
	}
}

func TestRecordChangedDuringEmbeddingIsEmbeddedAgain(t *testing.T) {
	for name, change := range map[string]func(b *bench, id string){
		"an update": func(b *bench, id string) {
			b.Call(updateName, args{"id": id, "properties": args{"title": "the physician was late"}})
		},
		"a deletion": func(b *bench, id string) { b.Call(deleteName, args{"id": id}) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "shared.db")
			// The first bench has no vectors at all, so that nothing is embedded
			// before the second one looks.
			plain := openBench(t, store.Options{Path: path}, nil)
			id := plain.keep("note", args{"title": "my automobile broke down"})
			model := toolstest.NewSynonyms("remote:a")
			var once sync.Once
			model.Before = func() { once.Do(func() { change(plain, id) }) }
			b := vectorBenchAt(t, path, model)
			b.refresh()
			same(t, "by the old text", ids(b.search("car", "semantic")), []string{})
			want := []string{id}
			if name == "a deletion" {
				want = []string{}
			}
			same(t, "by the new text", ids(b.search("doctor", "semantic")), want)
		})
	}
}

func TestFiltersCountWhatIsSimilar(t *testing.T) {
	b := newVectorBench(t, toolstest.WordCounts{})
	var bills []string
	for i := range 30 {
		kind, state := "note", "open"
		if i%3 == 0 {
			kind = "bill"
		}
		if i%2 == 0 {
			state = "paid"
		}
		id := b.keep(kind, args{"title": "kitchen renovation oak worktop offer", "state": args{"name": state}})
		if i%6 == 0 {
			bills = append([]string{id}, bills...)
		}
	}
	b.keep("bill", args{"title": "submarine telescope maintenance", "state": args{"name": "paid"}})
	in := args{"search": []string{"kitchen renovation oak worktop offer paid"}, "search_mode": "semantic", "type": "invoice", "properties": args{"state.name": "paid"}, "limit": 3}
	out := b.Call(retrieveName, in)
	same(t, "the newest of equals", ids(out), bills[:3])
	same(t, "total before the limit", out["total"], 5)
	in["search_mode"] = "both"
	same(t, "words add none", b.Call(retrieveName, in)["total"], 5)
	in["search"] = []string{"kitchen renovation oak worktop offer paid", "telescope"}
	out = b.Call(retrieveName, in)
	same(t, "a word adds one, after the similar ones", []any{out["total"], ids(out)}, []any{6, bills[:3]})
	in["limit"] = 10
	same(t, "which is the last", len(ids(b.Call(retrieveName, in))), 6)
}

func TestEqualSimilaritiesComeInOneOrderInEveryProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	b := vectorBenchAt(t, path, toolstest.WordCounts{})
	for range 100 { // two to a millisecond, more than the index looks at first
		b.Clock.Advance(time.Millisecond)
		for range 2 {
			b.Call(storeName, args{"type": "note", "properties": args{"title": "kitchen renovation oak worktop"}})
		}
	}
	b.refresh() // the vectors of so many are made in the background
	in := args{"search": []string{"kitchen renovation oak worktop"}, "search_mode": "semantic", "limit": 50}
	out := b.Call(retrieveName, in)
	same(t, "total", out["total"], 200)
	records := out["records"].([]any)
	for i := 1; i < len(records); i++ {
		a, c := records[i-1].(args), records[i].(args)
		first, _ := tools.ParseTime(a["created_at"].(string))
		second, _ := tools.ParseTime(c["created_at"].(string))
		if first < second || first == second && a["id"].(string) > c["id"].(string) {
			t.Fatalf("record %d comes before %d", i, i-1)
		}
	}
	for range 3 {
		same(t, "again", ids(b.Call(retrieveName, in)), ids(out))
		same(t, "in another process", ids(vectorBenchAt(t, path, toolstest.WordCounts{}).Call(retrieveName, in)), ids(out))
	}
	in["limit"] = 5
	same(t, "a shorter list begins the same", ids(b.Call(retrieveName, in)), ids(out)[:5])
}

func TestMoreSimilarRecordsThanAreComparedAreCountedWithinTheFilter(t *testing.T) {
	b := newVectorBench(t, toolstest.WordCounts{})
	s := b.vectors.(*VectorSearch)
	for i := range 30 {
		b.keep("note", args{"title": "kitchen renovation oak worktop", "n": i % 10})
	}
	q := VectorQuery{Terms: []string{"kitchen renovation oak worktop"}, Threshold: 0.5, Limit: 20, Among: func(context.Context) ([]int64, error) { return []int64{3, 1, 2}, nil }}
	found, err := s.FindSimilar(context.Background(), q)
	if err != nil || len(found.Records) != 3 || found.More {
		t.Errorf("%+v, %v", found, err)
	}
	q.Among = nil
	if found, err = s.FindSimilar(context.Background(), q); err != nil || len(found.Records) != 20 || !found.More {
		t.Errorf("%d, %v, %v", len(found.Records), found.More, err)
	}
}

func TestEmbeddingsOfCallersAreComparedWithTheirOwnKind(t *testing.T) {
	b := newVectorBench(t, toolstest.WordCounts{})
	near := b.Call(storeName, args{"type": "note", "properties": args{"title": "a"}, "embedding": []float64{1, 0.1, 0}})["id"].(string)
	far := b.Call(storeName, args{"type": "note", "properties": args{"title": "b"}, "embedding": []float64{0, 0, 7}})["id"].(string)
	b.Call(storeName, args{"type": "note", "properties": args{"title": "c"}, "embedding": []float64{1, 0}}) // of another length
	b.keep("note", args{"title": "d"})
	query := args{"query_embedding": []float64{100, 0, 0}}
	out := b.Call(retrieveName, query)
	same(t, "found", []any{ids(out), out["total"], out["search_mode_used"], out["embedding_model"]}, []any{[]string{near}, 1, "semantic", "supplied"})
	b.Call(updateName, args{"id": far, "embedding": []float64{1, 0, 0}})
	same(t, "after an update", ids(b.Call(retrieveName, query)), []string{far, near})
	b.Call(updateName, args{"id": far, "properties": args{"title": "submarine telescope"}})
	same(t, "an update of the text keeps it", ids(b.Call(retrieveName, query)), []string{far, near})
	b.Call(updateName, args{"id": far, "embedding": []float64{5, 5}})
	same(t, "another length", ids(b.Call(retrieveName, query)), []string{near})
	b.Call(updateName, args{"id": near, "embedding": []float64{}})
	same(t, "taken away", ids(b.Call(retrieveName, query)), []string{})
	same(t, "the text is found as ever", ids(b.search("submarine telescope", "semantic")), []string{far})
	same(t, "with a filter", b.Call(retrieveName, args{"query_embedding": []float64{1, 1}, "type": "contact"})["total"], 0)
	for _, c := range []struct {
		tool string
		in   args
		want string
	}{
		{retrieveName, args{"query_embedding": []float64{0, 0}}, "query_embedding"},
		{retrieveName, args{"query_embedding": make([]float64, maxEmbeddingLength+1)}, "query_embedding"},
		{storeName, args{"type": "note", "properties": args{}, "embedding": []float64{0}}, "embedding"},
		{updateName, args{"id": near, "embedding": make([]float64, maxEmbeddingLength+1)}, "embedding"},
		{retrieveName, args{"search": slices.Repeat([]string{"x"}, 65)}, "search"},
	} {
		b.refuse(c.tool, c.in, "VALIDATION_ERROR", c.want)
	}
	same(t, "of great length", ids(b.Call(retrieveName, args{"query_embedding": []float64{1e308, 1.2e308}})), []string{far})
}

func TestALongBacklogIsEmbeddedWhileSearchesGoOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "shared.db")
	plain := openBench(t, store.Options{Path: path}, nil)
	for range embed.MaxCatchUpRows + 10 {
		plain.keep("note", args{"title": "my automobile broke down"})
	}
	b := vectorBenchAt(t, path, toolstest.NewSynonyms("remote:a"))
	in := args{"search": []string{"car"}, "search_mode": "semantic"}
	same(t, "found at once", len(ids(b.Call(retrieveName, in))), 10)
	b.refresh()
	same(t, "all of them", b.Call(retrieveName, in)["total"], embed.MaxCatchUpRows+10)
	pending, err := b.vectors.(*VectorSearch).CountPending(context.Background())
	same(t, "pending", []any{pending, b.vectors.(*VectorSearch).Model(), err}, []any{0, "remote:a", nil})
}

func TestTheTextOfARecordIsItsTypeItsSubjectAndItsValues(t *testing.T) {
	properties, err := decodeObject([]byte(`{"amount": 1500.00, "due_date": "2025-01-01", "title": " Hosting ", "items": [{"name": "disk", "tags": ["a", null, true]}], "summary": "of servers"}`))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "in order", composeTextToEmbed("invoice", properties), "invoice\nsummary: of servers\ntitle: Hosting\namount: 1500\ndue date: 2025-01-01\nitems name: disk\nitems tags: a")
	long := composeTextToEmbed("note", object{"content": strings.Repeat("ü", maxEmbeddedText)})
	if len(long) > maxEmbeddedText || !strings.HasSuffix(long, "ü") {
		t.Errorf("%d bytes, ending in %q", len(long), long[len(long)-4:])
	}
	deep := any("x")
	for range 10_000 {
		deep = []any{deep}
	}
	same(t, "deep", composeTextToEmbed("note", object{"a": deep}), "note\na: x")
	same(t, "of nothing", fmt.Sprint(composeTextToEmbed("", object{})), "")
}
