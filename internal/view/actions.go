package view

import (
	"cmp"
	"encoding/json"
	"fmt"
)

// action is something that a person may change on the page: which thing it looks at,
// the tool that does it, and the way back.
type action struct {
	look
	label string // what was done, to be followed by the name of the thing
	call  func(t target, in formInput, before thing) move
	// undo returns the way back, from what the tool answered; nil: there is none.
	undo func(t target, in formInput, before thing, result json.RawMessage) reversal
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
	"insight.edit": {look: lookAtInsight, label: "Changed the insight",
		call: func(t target, in formInput, before thing) move {
			if in.Text == "" || in.Text == before.text("content") {
				return move{}
			}
			return move{"update_insight", arguments{"id": t.row(), "content": in.Text, "reason": cmp.Or(in.Reason, "corrected on the page")}}
		},
		undo: func(_ target, _ formInput, before thing, result json.RawMessage) reversal {
			id := resultField[int64](result, "id")
			return reversal{look: lookAtInsight, target: target{ID: fmt.Sprint(id)},
				move: move{"update_insight", arguments{"id": id, "content": before.text("content"), "reason": undoReason}}}
		}},
	"insight.pin": {look: lookToPin, label: "Pinned to working memory",
		call: func(_ target, _ formInput, before thing) move {
			return move{"update_working_memory", arguments{"content": before.text("content"), "importance": pinned}}
		},
		undo: func(_ target, _ formInput, _ thing, result json.RawMessage) reversal {
			return archive(resultField[int64](result, "added_id"))
		}},
	"working.archive": {look: lookAtWorkingItem, label: "Put away from working memory",
		call: func(t target, _ formInput, _ thing) move { return archive(t.row()).move },
		undo: func(_ target, _ formInput, before thing, _ json.RawMessage) reversal {
			return reversal{look: lookAtNothing, move: move{"update_working_memory", arguments{"content": before.text("content"), "importance": before.state["importance"]}}}
		}},

	"field.correct": {look: lookAtEntity, label: "Corrected a field of",
		call: func(t target, in formInput, _ thing) move {
			if in.Text == "" {
				return move{}
			}
			a := arguments{"entity_id": t.ID, "field": t.Field, "value": in.Text}
			return move{"correct_field", withReason(a, in)}
		},
		undo: func(t target, _ formInput, _ thing, _ json.RawMessage) reversal {
			return reversal{look: lookAtEntity, target: t, move: withdraw(t)}
		}},
	"field.withdraw": {look: lookAtEntity, label: "Took a correction back of",
		call: func(t target, _ formInput, _ thing) move { return withdraw(t) },
		undo: func(t target, in formInput, _ thing, _ json.RawMessage) reversal {
			return reversal{look: lookAtEntity, target: t, move: move{"correct_field", arguments{"entity_id": t.ID, "field": t.Field, "value": in.Text, "reason": undoReason}}}
		}},
	"entity.merge": {look: lookAtEntity, label: "Merged into another",
		call: func(t target, in formInput, _ thing) move { return merge(t.ID, in.Other) },
		undo: func(t target, _ formInput, _ thing, _ json.RawMessage) reversal {
			return reversal{look: lookAtEntity, target: t, move: move{"unmerge_entities", arguments{"entity_id": t.ID}}}
		}},
	"entity.split": {look: lookAtEntity, label: "Split",
		call: func(t target, in formInput, _ thing) move {
			return move{"split_entity", arguments{"entity_id": t.ID, "sources": in.Sources, "name": in.Name}}
		},
		undo: func(t target, _ formInput, _ thing, result json.RawMessage) reversal {
			id := resultField[string](result, "entity_id")
			return reversal{look: lookAtEntity, target: target{ID: id}, move: merge(id, t.ID)}
		}},

	"step.complete": {look: lookAtStep, label: "Completed",
		call: func(t target, _ formInput, _ thing) move { return complete(t.ID) },
		undo: func(t target, _ formInput, before thing, _ json.RawMessage) reversal {
			if before.state["completed"] == true {
				return reversal{} // it was complete before
			}
			return reversal{look: lookAtStep, target: t, move: reopen(t.ID)}
		}},
	"step.reopen": {look: lookAtStep, label: "Reopened",
		call: func(t target, _ formInput, _ thing) move { return reopen(t.ID) },
		undo: func(t target, _ formInput, before thing, _ json.RawMessage) reversal {
			if before.state["completed"] == false {
				return reversal{}
			}
			return reversal{look: lookAtStep, target: t, move: complete(t.ID)}
		}},
	"step.edit": {look: lookAtStep, label: "Changed the step",
		call: func(t target, in formInput, before thing) move {
			return editStep(t, in.Text, in.Due, before)
		},
		undo: func(t target, in formInput, before thing, _ json.RawMessage) reversal {
			now := thing{state: map[string]any{"title": cmp.Or(in.Text, before.text("title")), "due": cmp.Or(in.Due, before.text("due"))}}
			return reversal{look: lookAtStep, target: t, move: editStep(t, before.text("title"), before.text("due"), now)}
		}},
	"step.add": {look: lookAtChart, label: "Added a step to",
		call: func(t target, in formInput, _ thing) move {
			a := arguments{"parentChartId": t.ID, "actionStepTitle": in.Name, "currentReality": in.Text}
			if in.Due != "" {
				a["dueDate"] = in.Due
			}
			return move{"add_action_step", a}
		},
		undo: func(_ target, _ formInput, _ thing, result json.RawMessage) reversal {
			id := resultField[string](result, "chartId")
			return reversal{look: lookInsideStep, target: target{ID: id}, move: move{"delete_entities", arguments{"entityNames": []string{id}}}}
		}},
	"chart.reword": {look: lookAtChart, label: "Changed the outcome of",
		call: func(t target, in formInput, before thing) move {
			if in.Text == "" || in.Text == before.text("outcome") {
				return move{}
			}
			return move{"update_desired_outcome", arguments{"chartId": t.ID, "newDesiredOutcome": in.Text}}
		},
		undo: func(t target, _ formInput, before thing, _ json.RawMessage) reversal {
			return reversal{look: lookAtChart, target: t, move: move{"update_desired_outcome", arguments{"chartId": t.ID, "newDesiredOutcome": before.text("outcome")}}}
		}},
	"chart.date": {look: lookAtChart, label: "Moved the due date of", call: func(t target, in formInput, before thing) move {
		return chartMove(t, "dueDate", in.Due, before.text("due"))
	}, undo: func(t target, in formInput, before thing, _ json.RawMessage) reversal {
		return reversal{look: lookAtChart, target: t, move: chartMove(t, "dueDate", before.text("due"), in.Due)}
	}},
	"chart.close": {look: lookAtChart, label: "Closed or opened", call: func(t target, in formInput, before thing) move {
		return chartMove(t, "status", in.Status, before.text("status"))
	}, undo: func(t target, in formInput, before thing, _ json.RawMessage) reversal {
		return reversal{look: lookAtChart, target: t, move: chartMove(t, "status", before.text("status"), in.Status)}
	}},
	"fact.add": {look: lookAtFact, label: "Added a note to",
		call: func(t target, in formInput, _ thing) move { return addFact(t.ID, in.Text) },
		undo: func(t target, in formInput, _ thing, result json.RawMessage) reversal {
			added := resultField[[]struct {
				Added []string `json:"addedObservations"`
			}](result, "results")
			if len(added) == 0 || len(added[0].Added) == 0 {
				return reversal{} // it was there before
			}
			fact := added[0].Added[0]
			return reversal{look: lookAtFact, target: target{t.ID, fact}, move: deleteFact(t.ID, fact)}
		}},
	"fact.delete": {look: lookAtFact, label: "Removed",
		call: func(t target, _ formInput, _ thing) move { return deleteFact(t.ID, t.Field) },
		undo: func(t target, _ formInput, _ thing, _ json.RawMessage) reversal {
			return reversal{look: lookAtFact, target: target{ID: t.ID}, move: addFact(t.ID, t.Field)}
		}},

	// Without confirm it only shows what would go. Its own token holds it to that.
	"forget": {look: lookAtNothing, label: "Forgotten",
		call: func(_ target, in formInput, _ thing) move {
			a := arguments{"items": in.Items, "with_derived": in.Derived}
			if in.Confirm != "" {
				a["confirm"] = in.Confirm
			}
			return move{"forget", a}
		}},
}

func archive(id int64) reversal {
	return reversal{look: lookAtWorkingItem, target: target{ID: fmt.Sprint(id)}, move: move{"archive_working_memory", arguments{"id": id}}}
}

func withdraw(t target) move {
	return move{"withdraw_correction", arguments{"entity_id": t.ID, "field": t.Field, "reason": undoReason}}
}

func merge(source, target string) move {
	return move{"merge_entities", arguments{"source_entity_id": source, "target_entity_id": target}}
}

func complete(step string) move {
	return move{"mark_action_complete", arguments{"actionStepName": step}}
}

func reopen(step string) move {
	return move{"update_action_step", arguments{"actionStepName": step, "reopen": true}}
}

// editStep changes the title of a step and when it is due, as far as they differ from
// what was.
func editStep(t target, title, due string, before thing) move {
	a := arguments{"actionStepName": t.ID}
	if title != "" && title != before.text("title") {
		a["title"] = title
	}
	if due != "" && due != before.text("due") {
		a["dueDate"] = due
	}
	if len(a) == 1 {
		return move{}
	}
	return move{"update_action_step", a}
}

func chartMove(t target, key, value, before string) move {
	if value == before || value == "" {
		return move{}
	}
	return move{"update_chart", arguments{"chartId": t.ID, key: value}}
}

func addFact(name, fact string) move {
	return move{"add_observations", arguments{"observations": []arguments{{"entityName": name, "contents": []string{fact}}}}}
}

func deleteFact(name, fact string) move {
	return move{"delete_observations", arguments{"deletions": []arguments{{"entityName": name, "observations": []string{fact}}}}}
}

func withReason(a arguments, in formInput) arguments {
	if in.Reason != "" {
		a["reason"] = in.Reason
	}
	return a
}

// resultField reads one member of a tool's result.
func resultField[T any](result json.RawMessage, name string) (value T) {
	var members map[string]json.RawMessage
	if json.Unmarshal(result, &members) == nil {
		json.Unmarshal(members[name], &value) //nolint:errcheck // the tools' own tests hold their results
	}
	return value
}
