package memory

import (
	"context"
	"fmt"
	"slices"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const workingName = "update_working_memory"

const (
	// WorkingCapacity is how many items working memory holds.
	WorkingCapacity = 10
	// criticalImportance protects an item from eviction when its importance is
	// strictly greater.
	criticalImportance = 0.8
)

// Reasons for which an item is in stale memory.
const (
	reasonEvicted  = "LRU_EVICTION"
	reasonArchived = "MANUAL_ARCHIVE"
)

type workingInput struct {
	Content    string   `json:"content" jsonschema:"required,maxLength=1048576" jsonschema_description:"What to keep in hand"`
	Importance *float64 `json:"importance,omitempty" jsonschema:"minimum=0,maximum=1,default=0.5" jsonschema_description:"0.0 to 1.0; above 0.8 it is protected from eviction"`
}

type workingOutput struct {
	AddedID    int64  `json:"added_id"`
	EvictedID  *int64 `json:"evicted_id" jsonschema:"oneof_type=integer;null" jsonschema_description:"Item that had to leave; may be the added one"`
	ArchivedID *int64 `json:"archived_id" jsonschema:"oneof_type=integer;null" jsonschema_description:"Its id in stale memory"`
	Status     string `json:"status"`
}

func (f *family) addWorkingItemTool() tools.Tool[workingInput, workingOutput] {
	half := 0.5
	return tools.Tool[workingInput, workingOutput]{
		Name:  workingName,
		Title: "Add to working memory",
		Description: "Keep something in hand for the current work. Working memory holds ten items: the least recently used one of importance 0.8 or less makes room and is archived. " +
			"Returns added_id and what was evicted. Example: the branch being worked on.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: version,
		Tags: []string{"memory", "working-memory"},
		Examples: []tools.Example[workingInput, workingOutput]{{
			Description: "The first item",
			Params:      workingInput{Content: "Refactoring the payment module", Importance: &half},
			Result:      workingOutput{AddedID: 1, Status: "success"},
		}},
		Handle: f.addWorkingItem,
	}
}

// eviction is what an addition did to working memory.
type eviction struct {
	added    int64
	evicted  *memory.WorkingItem
	archived int64
	items    []memory.WorkingItem // afterwards, most recently used first
}

func (f *family) addWorkingItem(ctx context.Context, in workingInput) (none tools.Result[workingOutput], err error) {
	if err := tools.RequireText("content", in.Content); err != nil {
		return none, err
	}
	importance := 0.5
	if in.Importance != nil {
		importance = *in.Importance
	}
	r, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (*eviction, error) {
		return addAndEvict(memory.In(tx), in.Content, importance)
	})
	if err != nil {
		return none, err
	}
	out := workingOutput{AddedID: r.added, Status: "success"}
	if r.evicted != nil {
		out.EvictedID, out.ArchivedID = &r.evicted.ID, &r.archived
	}
	return tools.Result[workingOutput]{Data: out, Hints: evictionHints(r)}, nil
}

// addAndEvict adds an item and, when that is one too many, archives another.
func addAndEvict(tx memory.Rows, content string, importance float64) (*eviction, error) {
	added, err := tx.InsertWorkingItem(content, importance)
	if err != nil {
		return nil, err
	}
	r := &eviction{added: added}
	if r.items, err = tx.WorkingItems(); err != nil {
		return nil, err
	}
	if len(r.items) <= WorkingCapacity {
		return r, nil
	}
	i := evictedIndex(r.items)
	leaver := r.items[i]
	r.evicted = &leaver
	r.items = slices.Delete(r.items, i, i+1)
	r.archived, _, err = tx.ArchiveWorkingItem(leaver.ID, reasonEvicted)
	return r, err
}

// evictedIndex is the index of the item that makes room: of items ordered by last
// use, newest first, the last that is not critical; when all are, the last.
func evictedIndex(items []memory.WorkingItem) int {
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Importance <= criticalImportance {
			return i
		}
	}
	return len(items) - 1
}

// evictionHints says what left, and what will leave next.
func evictionHints(r *eviction) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence())
	for _, w := range r.items[:min(3, len(r.items))] {
		h.AddRelatedResource("working_memory", itoa(w.ID), shortenToLine(w.Content), 0.5)
	}
	if e := r.evicted; e != nil {
		h.SuggestCall(compressName, tools.PriorityMedium, map[string]any{"content": e.Content, "source_ids": []int64{}}, "if what left should outlive this session")
		if e.ID == r.added {
			h.Warn("conflict", tools.PriorityHigh, "the new item left at once: all others are critical (importance above 0.8)", "archive one that is done with "+archiveName+", then add it again")
			h.SuggestCall(archiveName, tools.PriorityHigh, map[string]any{"id": r.items[len(r.items)-1].ID}, fmt.Sprintf("let %q go", shortenToLine(r.items[len(r.items)-1].Content)))
		}
		return h.Because(fmt.Sprintf("%q was archived to make room", shortenToLine(e.Content)))
	}
	h.Because(fmt.Sprintf("%d of %d places are taken", len(r.items), WorkingCapacity))
	if len(r.items) == WorkingCapacity {
		next := r.items[evictedIndex(r.items)]
		h.SuggestCall(touchName, tools.PriorityMedium, map[string]any{"id": next.ID}, fmt.Sprintf("%q leaves next; touch it if it is still in use", shortenToLine(next.Content)))
	}
	return h
}
