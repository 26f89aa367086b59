package view

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func TestTakingBackANewStepTakesNothingThatCameIntoItSince(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	out := e.do("step.add", w.chart, formInput{Name: "Seeds ordered", Text: "No catalogue is here yet"})
	result := out["result"].(map[string]any)
	e.remember("add_observations", arguments{"observations": []arguments{{"entityName": result["chartId"], "contents": []string{"The catalogue came"}}}})
	e.post("undo", fmt.Sprintf(`{"undo":%q}`, out["undo"]), http.StatusConflict)
	if e.state("step.edit", target{ID: result["chartId"].(string)}) == nil {
		t.Error("the step is gone with what came into it")
	}
}

func TestPinIsRefusedWhenWorkingMemoryIsFull(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	e.do("insight.pin", w.insight, formInput{})
	refused := func(why string) {
		t.Helper()
		if out := e.post("form", asJSON(t, openRequest{"insight.pin", w.insight}), http.StatusBadRequest); !strings.Contains(asJSON(t, out), why) {
			t.Errorf("it says %v", out)
		}
	}
	refused("already")
	for i := range 10 {
		e.remember("update_working_memory", arguments{"content": fmt.Sprint("item ", i), "importance": 0.95})
	}
	refused("full")
}

func TestForgettingDropsUndo(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	pinned := e.do("insight.pin", w.insight, formInput{})
	items := arguments{"items": []string{"insight:" + w.insight.ID}}
	shown := e.do("forget", target{}, formInput{Items: items["items"].([]string), Derived: true})
	confirm, _ := shown["result"].(map[string]any)["confirm"].(string)
	if confirm == "" {
		t.Fatalf("the preview has no token: %v", shown)
	}
	e.do("forget", target{}, formInput{Items: items["items"].([]string), Derived: true, Confirm: confirm})
	e.post("undo", fmt.Sprintf(`{"undo":%q}`, pinned["undo"]), http.StatusConflict)
}

func TestForgettingInAnotherProcessDropsUndo(t *testing.T) {
	e := newEditor(t)
	w := e.world()
	pinned := e.do("insight.pin", w.insight, formInput{})
	if list := ask[map[string]any](e.viewReader, "changes")["changes"].([]any); len(list) != 1 {
		t.Fatalf("the changes are %v", list)
	}
	items := arguments{"items": []string{"insight:" + w.insight.ID}, "with_derived": true}
	items["confirm"] = e.remember("forget", items)["confirm"]
	e.remember("forget", items)
	if list := ask[map[string]any](e.viewReader, "changes")["changes"].([]any); len(list) != 0 {
		t.Errorf("the page still lists %v", list)
	}
	e.post("undo", fmt.Sprintf(`{"undo":%q}`, pinned["undo"]), http.StatusConflict)
}
