package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

// add adds an item and returns the added, the evicted and the archived id; 0 is
// null.
func (b *bench) add(content string, importance float64) (added, evicted, archived int64) {
	b.T.Helper()
	out := b.Call(workingName, args{"content": content, "importance": importance})
	id := func(key string) int64 {
		x, _ := out[key].(float64)
		return int64(x)
	}
	if out["status"] != "success" {
		b.T.Fatalf("result is %v", out)
	}
	return id("added_id"), id("evicted_id"), id("archived_id")
}

// Design, update_working_memory. Each line of a script is an importance; "t3"
// touches item 3. The last addition is judged.
func TestEviction(t *testing.T) {
	tests := map[string]struct {
		importances []float64
		touched     []int64 // before the last addition
		evicted     int64   // 0: none
	}{
		"ten fit":                       {[]float64{.5, .5, .5, .5, .5, .5, .5, .5, .5, .5}, nil, 0},
		"the eleventh evicts the first": {[]float64{.5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5}, nil, 1},
		"0.8 is not critical":           {[]float64{.8, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5}, nil, 1},
		"0.81 is critical":              {[]float64{.81, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5}, nil, 2},
		"just above 0.8 is critical":    {[]float64{0.8000000000000002, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5}, nil, 2},
		"importance does not order the others": {
			[]float64{.7, .1, .1, .1, .1, .1, .1, .1, .1, .1, .1}, nil, 1},
		"ten critical ones: the normal newcomer leaves": {
			[]float64{.9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .5}, nil, 11},
		"ten critical ones: a newcomer of 0.8 leaves": {
			[]float64{.9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .8}, nil, 11},
		"eleven critical ones: the oldest leaves": {
			[]float64{.9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .9}, nil, 1},
		"eleven critical ones: least recently used, not first added": {
			[]float64{.9, .9, .9, .9, .9, .9, .9, .9, .9, .9, .9}, []int64{1, 2}, 3},
		"one normal among critical ones": {
			[]float64{.9, .9, .9, .9, .2, .9, .9, .9, .9, .9, .9}, nil, 5},
		"a touched item stays": {
			[]float64{.5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5}, []int64{1}, 2},
		"touches count in their order": {
			[]float64{.5, .5, .5, .5, .5, .5, .5, .5, .5, .5, .5}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 1}, 3},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t) // its clock stands still: order must not come from it
			last := len(tc.importances) - 1
			for i, importance := range tc.importances[:last] {
				if _, gone, _ := b.add(fmt.Sprint("item ", i+1), importance); gone != 0 {
					t.Fatalf("item %d evicted %d", i+1, gone)
				}
			}
			for _, id := range tc.touched {
				b.Call(touchName, args{"id": id})
			}
			added, gone, archive := b.add(fmt.Sprint("item ", last+1), tc.importances[last])
			if added != int64(last+1) || gone != tc.evicted || (archive != 0) != (gone != 0) {
				t.Fatalf("added %d, evicted %d, archived %d; want %d evicted", added, gone, archive, tc.evicted)
			}
			stale := b.contents(staleURI)
			if tc.evicted == 0 {
				if len(stale) != 0 {
					t.Errorf("stale memory holds %v", stale)
				}
				return
			}
			if len(stale) != 1 || stale[0]["reason"] != "LRU_EVICTION" || stale[0]["id"] != float64(archive) ||
				stale[0]["original_content"] != fmt.Sprint("item ", tc.evicted) || stale[0]["importance"] != tc.importances[tc.evicted-1] {
				t.Errorf("stale memory holds %v", stale)
			}
			if n := len(b.contents(workingURI)); n != WorkingCapacity {
				t.Errorf("working memory holds %d items", n)
			}
		})
	}
}

func TestTheClockDoesNotDecideWhatIsOldest(t *testing.T) {
	b := newBench(t)
	for i := range 10 {
		b.Clock.Set(noon.Add(-time.Duration(i) * time.Hour)) // runs backwards
		b.add("item", 0.5)
	}
	if _, gone, _ := b.add("one more", 0.5); gone != 1 {
		t.Errorf("evicted is %d", gone)
	}
}

func TestWorkingMemoryIsShownMostRecentlyUsedFirst(t *testing.T) {
	b := newBench(t)
	for i := range 3 {
		b.add(fmt.Sprint("item ", i+1), 0.5)
		b.Clock.Advance(time.Minute)
	}
	b.Call(touchName, args{"id": 1})
	list := b.contents(workingURI)
	if values(list, "id") != "1 3 2" || values(list, "last_accessed") != "2026-01-15T12:03:00Z 2026-01-15T12:02:00Z 2026-01-15T12:01:00Z" {
		t.Errorf("shown are %v", list)
	}
	again := b.contents(workingURI)
	if fmt.Sprint(again) != fmt.Sprint(list) {
		t.Error("reading changed something")
	}
}

func TestImportanceIsOptional(t *testing.T) {
	b := newBench(t)
	b.Call(workingName, args{"content": "x"})
	b.Call(workingName, args{"content": "x", "importance": nil})
	b.Call(workingName, args{"content": "x", "importance": 0})
	if got := values(b.contents(workingURI), "importance"); got != "0 0.5 0.5" {
		t.Errorf("importances are %s", got)
	}
}

func TestArchivingIsManual(t *testing.T) {
	b := newBench(t)
	b.add("keep", 0.5)
	b.add("done", 0.9)
	out := b.Call(archiveName, args{"id": 2})
	if out["archived_id"] != 1.0 || out["reason"] != "MANUAL_ARCHIVE" {
		t.Errorf("result is %v", out)
	}
	if got := values(b.contents(workingURI), "content"); got != "keep" {
		t.Errorf("working memory holds %s", got)
	}
	b.refuse(archiveName, args{"id": 2}, unknown, `no item 2; it holds 1 "keep"`)
	b.refuse(touchName, args{"id": 2}, unknown, `no item 2`)
	b.Call(archiveName, args{"id": 1})
	b.refuse(touchName, args{"id": 1}, unknown, "it is empty")
	if added, _, _ := b.add("new", 0.5); added != 3 {
		t.Errorf("an id was used again: %d", added)
	}
}

// Two handles on one file, many callers each: never more than ten items, and
// every item that left is in stale memory exactly once.
func TestEvictionIsAtomicAcrossHandles(t *testing.T) {
	const callers, each = 8, 15
	path := filepath.Join(t.TempDir(), "shared.db")
	handles := []*bench{openBench(t, path), openBench(t, path)}
	var mu sync.Mutex
	gone := map[int64]bool{}
	var wg sync.WaitGroup
	for c := range callers {
		wg.Go(func() {
			b := handles[c%2]
			for i := range each {
				raw, _ := json.Marshal(args{"content": fmt.Sprint(c, " ", i), "importance": 0.5})
				r, err := b.Pipeline.Call(context.Background(), tools.Request{Tool: workingName, Arguments: raw})
				if err != nil || r.IsError {
					t.Errorf("%v %v", err, r)
					return
				}
				var out workingOutput
				if err := json.Unmarshal(r.Data, &out); err != nil {
					t.Error(err)
					return
				}
				if out.EvictedID != nil {
					mu.Lock()
					if gone[*out.EvictedID] {
						t.Errorf("%d was evicted twice", *out.EvictedID)
					}
					gone[*out.EvictedID] = true
					mu.Unlock()
				}
				var n int
				if err := b.Store.Read(context.Background(), func(tx *store.Tx) error {
					items, err := memory.In(tx).WorkingItems()
					n = len(items)
					return err
				}); err != nil || n > WorkingCapacity {
					t.Errorf("%d items, %v", n, err)
				}
			}
		})
	}
	wg.Wait()
	if len(gone) != callers*each-WorkingCapacity {
		t.Errorf("%d were evicted, want %d", len(gone), callers*each-WorkingCapacity)
	}
	stale := handles[0].contents(staleURI + "?limit=1000")
	if len(stale) != len(gone) || len(handles[1].contents(workingURI)) != WorkingCapacity {
		t.Errorf("stale memory holds %d, working memory %d", len(stale), len(handles[1].contents(workingURI)))
	}
}
