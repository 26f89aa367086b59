package view

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// action is something that a person may change on the page: which thing it looks at,
// the tool that does it, and the way back.
type action struct {
	stateReader
	label string // what was done, to be followed by the name of the thing
	call  func(t target, in formInput, before shownState) toolCall
	// undo returns the way back, from what the tool answered; nil: there is none.
	undo func(t target, in formInput, before shownState, result json.RawMessage) reversal
}

// formInput is what a form was filled in with.
type formInput struct {
	Text    string   `json:"text,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Name    string   `json:"name,omitempty"`
	Due     string   `json:"due,omitempty"`
	Status  string   `json:"status,omitempty"`
	Other   string   `json:"other,omitempty"`   // id of another thing
	Sources []string `json:"sources,omitempty"` // of a split
	Items   []string `json:"items,omitempty"`   // to forget
	Derived bool     `json:"derived,omitempty"`
	Confirm string   `json:"confirm,omitempty"`
}

const (
	// undoReason is what the history says of a change that was taken back.
	undoReason = "taken back on the page"
	// pinned is the importance that no newer item makes leave working memory.
	pinned = 0.9
)

// actions are named after the thing and what is done to it.
var actions = map[string]action{
	"insight.edit": {stateReader: readInsightState, label: "Changed the insight",
		call: func(t target, in formInput, before shownState) toolCall {
			if in.Text == "" || in.Text == before.text("content") {
				return toolCall{}
			}
			return toolCall{"update_insight", arguments{"id": t.row(), "content": in.Text, "reason": cmp.Or(in.Reason, "corrected on the page")}}
		},
		undo: func(_ target, _ formInput, before shownState, result json.RawMessage) reversal {
			id := readResultField[int64](result, "id")
			return reversal{stateReader: readInsightState, target: target{ID: fmt.Sprint(id)},
				toolCall: toolCall{"update_insight", arguments{"id": id, "content": before.text("content"), "reason": undoReason}}}
		}},
	"insight.pin": {stateReader: readInsightToPin, label: "Pinned to working memory",
		call: func(_ target, _ formInput, before shownState) toolCall {
			return toolCall{"update_working_memory", arguments{"content": before.text("content"), "importance": pinned}}
		},
		undo: func(_ target, _ formInput, _ shownState, result json.RawMessage) reversal {
			return reversalByArchiving(readResultField[int64](result, "added_id"))
		}},
	"working.archive": {stateReader: readWorkingItemState, label: "Put away from working memory",
		call: func(t target, _ formInput, _ shownState) toolCall { return reversalByArchiving(t.row()).toolCall },
		undo: func(_ target, _ formInput, before shownState, _ json.RawMessage) reversal {
			return reversal{stateReader: readNoState, toolCall: toolCall{"update_working_memory", arguments{"content": before.text("content"), "importance": before.state["importance"]}}}
		}},

	"field.correct": {stateReader: readEntityState, label: "Corrected a field of",
		call: func(t target, in formInput, _ shownState) toolCall {
			if in.Text == "" {
				return toolCall{}
			}
			a := arguments{"entity_id": t.ID, "field": t.Field, "value": in.Text}
			return toolCall{"correct_field", withReason(a, in)}
		},
		undo: func(t target, _ formInput, _ shownState, _ json.RawMessage) reversal {
			return reversal{stateReader: readEntityState, target: t, toolCall: withdrawCorrectionCall(t)}
		}},
	"field.withdraw": {stateReader: readEntityState, label: "Took a correction back of",
		call: func(t target, _ formInput, _ shownState) toolCall { return withdrawCorrectionCall(t) },
		undo: func(t target, in formInput, _ shownState, _ json.RawMessage) reversal {
			return reversal{stateReader: readEntityState, target: t, toolCall: toolCall{"correct_field", arguments{"entity_id": t.ID, "field": t.Field, "value": in.Text, "reason": undoReason}}}
		}},
	"entity.merge": {stateReader: readEntityState, label: "Merged into another",
		call: func(t target, in formInput, _ shownState) toolCall { return mergeEntitiesCall(t.ID, in.Other) },
		undo: func(t target, _ formInput, _ shownState, _ json.RawMessage) reversal {
			return reversal{stateReader: readEntityState, target: t, toolCall: toolCall{"unmerge_entities", arguments{"entity_id": t.ID}}}
		}},
	"entity.split": {stateReader: readEntityState, label: "Split",
		call: func(t target, in formInput, _ shownState) toolCall {
			return toolCall{"split_entity", arguments{"entity_id": t.ID, "sources": in.Sources, "name": in.Name}}
		},
		undo: func(t target, _ formInput, _ shownState, result json.RawMessage) reversal {
			id := readResultField[string](result, "entity_id")
			return reversal{stateReader: readEntityState, target: target{ID: id}, toolCall: mergeEntitiesCall(id, t.ID)}
		}},

	"step.complete": {stateReader: readStepState, label: "Completed",
		call: func(t target, _ formInput, _ shownState) toolCall { return completeStepCall(t.ID) },
		undo: func(t target, _ formInput, before shownState, _ json.RawMessage) reversal {
			if before.state["completed"] == true {
				return reversal{} // it was complete before
			}
			return reversal{stateReader: readStepState, target: t, toolCall: reopenStepCall(t.ID)}
		}},
	"step.reopen": {stateReader: readStepState, label: "Reopened",
		call: func(t target, _ formInput, _ shownState) toolCall { return reopenStepCall(t.ID) },
		undo: func(t target, _ formInput, before shownState, _ json.RawMessage) reversal {
			if before.state["completed"] == false {
				return reversal{}
			}
			return reversal{stateReader: readStepState, target: t, toolCall: completeStepCall(t.ID)}
		}},
	"step.edit": {stateReader: readStepState, label: "Changed the step",
		call: func(t target, in formInput, before shownState) toolCall {
			return editStepCall(t, in.Text, in.Due, before)
		},
		undo: func(t target, in formInput, before shownState, _ json.RawMessage) reversal {
			now := shownState{state: map[string]any{"title": cmp.Or(in.Text, before.text("title")), "due": cmp.Or(in.Due, before.text("due"))}}
			return reversal{stateReader: readStepState, target: t, toolCall: editStepCall(t, before.text("title"), before.text("due"), now)}
		}},
	"step.add": {stateReader: readChartState, label: "Added a step to",
		call: func(t target, in formInput, _ shownState) toolCall {
			a := arguments{"parentChartId": t.ID, "actionStepTitle": in.Name, "currentReality": in.Text}
			if in.Due != "" {
				a["dueDate"] = in.Due
			}
			return toolCall{"add_action_step", a}
		},
		undo: func(_ target, _ formInput, _ shownState, result json.RawMessage) reversal {
			id := readResultField[string](result, "chartId")
			return reversal{stateReader: readStepWithContents, target: target{ID: id}, toolCall: toolCall{"delete_entities", arguments{"entityNames": []string{id}}}}
		}},
	"chart.reword": {stateReader: readChartState, label: "Changed the outcome of",
		call: func(t target, in formInput, before shownState) toolCall {
			if in.Text == "" || in.Text == before.text("outcome") {
				return toolCall{}
			}
			return toolCall{"update_desired_outcome", arguments{"chartId": t.ID, "newDesiredOutcome": in.Text}}
		},
		undo: func(t target, _ formInput, before shownState, _ json.RawMessage) reversal {
			return reversal{stateReader: readChartState, target: t, toolCall: toolCall{"update_desired_outcome", arguments{"chartId": t.ID, "newDesiredOutcome": before.text("outcome")}}}
		}},
	"chart.date": {stateReader: readChartState, label: "Moved the due date of", call: func(t target, in formInput, before shownState) toolCall {
		return updateChartCall(t, "dueDate", in.Due, before.text("due"))
	}, undo: func(t target, in formInput, before shownState, _ json.RawMessage) reversal {
		return reversal{stateReader: readChartState, target: t, toolCall: updateChartCall(t, "dueDate", before.text("due"), in.Due)}
	}},
	"chart.close": {stateReader: readChartState, label: "Closed or opened", call: func(t target, in formInput, before shownState) toolCall {
		return updateChartCall(t, "status", in.Status, before.text("status"))
	}, undo: func(t target, in formInput, before shownState, _ json.RawMessage) reversal {
		return reversal{stateReader: readChartState, target: t, toolCall: updateChartCall(t, "status", before.text("status"), in.Status)}
	}},
	"fact.add": {stateReader: readFactState, label: "Added a note to",
		call: func(t target, in formInput, _ shownState) toolCall { return addFactCall(t.ID, in.Text) },
		undo: func(t target, in formInput, _ shownState, result json.RawMessage) reversal {
			added := readResultField[[]struct {
				Added []string `json:"addedObservations"`
			}](result, "results")
			if len(added) == 0 || len(added[0].Added) == 0 {
				return reversal{} // it was there before
			}
			fact := added[0].Added[0]
			return reversal{stateReader: readFactState, target: target{t.ID, fact}, toolCall: deleteFactCall(t.ID, fact)}
		}},
	"fact.delete": {stateReader: readFactState, label: "Removed",
		call: func(t target, _ formInput, _ shownState) toolCall { return deleteFactCall(t.ID, t.Field) },
		undo: func(t target, _ formInput, _ shownState, _ json.RawMessage) reversal {
			return reversal{stateReader: readFactState, target: target{ID: t.ID}, toolCall: addFactCall(t.ID, t.Field)}
		}},

	// Without confirm it only shows what would go. Its own token holds it to that.
	"forget": {stateReader: readNoState, label: "Forgotten",
		call: func(_ target, in formInput, _ shownState) toolCall {
			a := arguments{"items": in.Items, "with_derived": in.Derived}
			if in.Confirm != "" {
				a["confirm"] = in.Confirm
			}
			return toolCall{"forget", a}
		}},
}

func reversalByArchiving(id int64) reversal {
	return reversal{stateReader: readWorkingItemState, target: target{ID: fmt.Sprint(id)}, toolCall: toolCall{"archive_working_memory", arguments{"id": id}}}
}

func withdrawCorrectionCall(t target) toolCall {
	return toolCall{"withdraw_correction", arguments{"entity_id": t.ID, "field": t.Field, "reason": undoReason}}
}

func mergeEntitiesCall(source, target string) toolCall {
	return toolCall{"merge_entities", arguments{"source_entity_id": source, "target_entity_id": target}}
}

func completeStepCall(step string) toolCall {
	return toolCall{"mark_action_complete", arguments{"actionStepName": step}}
}

func reopenStepCall(step string) toolCall {
	return toolCall{"update_action_step", arguments{"actionStepName": step, "reopen": true}}
}

// editStepCall changes the title of a step and when it is due, as far as they differ from
// what was.
func editStepCall(t target, title, due string, before shownState) toolCall {
	a := arguments{"actionStepName": t.ID}
	if title != "" && title != before.text("title") {
		a["title"] = title
	}
	if due != "" && due != before.text("due") {
		a["dueDate"] = due
	}
	if len(a) == 1 {
		return toolCall{}
	}
	return toolCall{"update_action_step", a}
}

func updateChartCall(t target, key, value, before string) toolCall {
	if value == before || value == "" {
		return toolCall{}
	}
	return toolCall{"update_chart", arguments{"chartId": t.ID, key: value}}
}

func addFactCall(name, fact string) toolCall {
	return toolCall{"add_observations", arguments{"observations": []arguments{{"entityName": name, "contents": []string{fact}}}}}
}

func deleteFactCall(name, fact string) toolCall {
	return toolCall{"delete_observations", arguments{"deletions": []arguments{{"entityName": name, "observations": []string{fact}}}}}
}

func withReason(a arguments, in formInput) arguments {
	if in.Reason != "" {
		a["reason"] = in.Reason
	}
	return a
}

// readResultField reads one member of a tool's result.
func readResultField[T any](result json.RawMessage, name string) (value T) {
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) == nil {
		json.Unmarshal(members[name], &value) //nolint:errcheck // the tools' own tests hold their results
	}
	return value
}
