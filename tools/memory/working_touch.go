package memory

import (
	"context"
	"fmt"
	"strings"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const (
	touchName   = "touch_working_memory"
	archiveName = "archive_working_memory"
)

type workingIDInput struct {
	ID int64 `json:"id" jsonschema:"required,minimum=1" jsonschema_description:"Item of working memory"`
}

type touchOutput struct {
	ID           int64  `json:"id"`
	LastAccessed string `json:"last_accessed"`
	Status       string `json:"status"`
}

func (f *family) touchWorkingItemTool() tools.Tool[workingIDInput, touchOutput] {
	half := 0.5
	return tools.Tool[workingIDInput, touchOutput]{
		Name:  touchName,
		Title: "Touch a working memory item",
		Description: "Mark an item of working memory as used just now, so that others make room before it. Use it when an old item matters again. " +
			"Returns when it was last accessed. Example: the item that update_working_memory says leaves next.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"memory", "working-memory"},
		Examples: []tools.Example[workingIDInput, touchOutput]{{
			Description: "The one item there is",
			Setup:       []tools.SetupCall{{Tool: workingName, Params: workingInput{Content: "Refactoring the payment module", Importance: &half}}},
			Params:      workingIDInput{ID: 1},
			Result:      touchOutput{ID: 1, LastAccessed: "2025-01-15T10:45:00Z", Status: "success"},
			Varies:      []string{"last_accessed"},
		}},
		Handle: f.touchWorkingItem,
	}
}

func (f *family) touchWorkingItem(ctx context.Context, in workingIDInput) (tools.Result[touchOutput], error) {
	items, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) ([]memory.WorkingItem, error) {
		rows := memory.In(tx)
		ok, err := rows.TouchWorkingItem(in.ID)
		if err == nil && !ok {
			err = workingItemNotFoundError(rows, in.ID)
		}
		if err != nil {
			return nil, err
		}
		return rows.WorkingItems()
	})
	if err != nil {
		return tools.Result[touchOutput]{}, err
	}
	h := tools.NewHints(tools.WriteEvidence()).Because("it is the most recently used item now")
	if next := items[evictedIndex(items)]; next.ID != in.ID && len(items) == WorkingCapacity {
		h.SuggestCall(archiveName, tools.PriorityLow, map[string]any{"id": next.ID}, fmt.Sprintf("%q leaves next; archive it if it is done", shortenToLine(next.Content)))
	}
	return tools.Result[touchOutput]{Hints: h, Data: touchOutput{ID: in.ID, LastAccessed: formatTimestamp(items[0].LastAccessed), Status: "success"}}, nil
}

type archiveOutput struct {
	ID         int64  `json:"id"`
	ArchivedID int64  `json:"archived_id" jsonschema_description:"Its id in stale memory"`
	Reason     string `json:"reason"`
	Status     string `json:"status"`
}

func (f *family) archiveWorkingItemTool() tools.Tool[workingIDInput, archiveOutput] {
	half := 0.5
	return tools.Tool[workingIDInput, archiveOutput]{
		Name:  archiveName,
		Title: "Archive a working memory item",
		Description: "Move an item from working memory to stale memory, where it stays for the record. Use it when a piece of work is done, to make room before something else has to leave. " +
			"Returns its id there. Example: a task that was finished.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Fast, Version: version,
		Tags: []string{"memory", "working-memory"},
		Examples: []tools.Example[workingIDInput, archiveOutput]{{
			Description: "The one item there is",
			Setup:       []tools.SetupCall{{Tool: workingName, Params: workingInput{Content: "Refactoring the payment module", Importance: &half}}},
			Params:      workingIDInput{ID: 1},
			Result:      archiveOutput{ID: 1, ArchivedID: 1, Reason: reasonArchived, Status: "success"},
		}},
		Handle: f.archiveWorkingItem,
	}
}

func (f *family) archiveWorkingItem(ctx context.Context, in workingIDInput) (tools.Result[archiveOutput], error) {
	var left []memory.WorkingItem
	id, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (int64, error) {
		rows := memory.In(tx)
		id, ok, err := rows.ArchiveWorkingItem(in.ID, reasonArchived)
		if err == nil && !ok {
			err = workingItemNotFoundError(rows, in.ID)
		}
		if err != nil {
			return 0, err
		}
		left, err = rows.WorkingItems()
		return id, err
	})
	if err != nil {
		return tools.Result[archiveOutput]{}, err
	}
	h := tools.NewHints(tools.WriteEvidence()).
		Because(fmt.Sprintf("%d of %d places are taken", len(left), WorkingCapacity)).
		SuggestCall(episodeName, tools.PriorityLow, nil, "if the work taught something, keep the lesson")
	return tools.Result[archiveOutput]{Hints: h, Data: archiveOutput{ID: in.ID, ArchivedID: id, Reason: reasonArchived, Status: "success"}}, nil
}

// workingItemNotFoundError refuses an id and names the items there are: no tool lists them.
func workingItemNotFoundError(tx memory.Rows, id int64) error {
	items, err := tx.WorkingItems()
	if err != nil {
		return err
	}
	if len(items) == 0 {
		return notFoundError("id", "working memory has no item %d: it is empty; add something with %s", id, workingName).
			WithHints(newRefusalHints("working memory is empty").SuggestCall(workingName, tools.PriorityMedium, nil, "add an item"))
	}
	h := newRefusalHints("the item is not in working memory; it may have been evicted")
	known := make([]string, 0, len(items))
	for _, w := range items {
		known = append(known, fmt.Sprintf("%d %q", w.ID, shortenToLine(w.Content)))
		h.AddRelatedResource("working_memory", itoa(w.ID), shortenToLine(w.Content), 0.5)
	}
	return notFoundError("id", "working memory has no item %d; it holds %s", id, strings.Join(known, ", ")).WithHints(h)
}
