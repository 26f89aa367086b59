package soak

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// liveNodes is how many entities a worker keeps; older ones are deleted, so that
// deletion is part of the load and the graph does not grow without end.
const liveNodes = 60

func nodeName(token string) string { return "node " + token }

func graphStep(ctx context.Context, w *Worker) error {
	if token, ok := oldest(&w.nodes, liveNodes); ok {
		return deleteNode(ctx, w, token)
	}
	switch {
	case w.chance(40):
		return createNode(ctx, w)
	case w.chance(30):
		return observeNode(ctx, w)
	case w.chance(40):
		return relateNodes(ctx, w)
	}
	return findNode(ctx, w)
}

func createNode(ctx context.Context, w *Worker) error {
	name, said := w.token(), w.token()
	err := w.call(ctx, nil, "create_entities", object{"entities": []any{object{
		"name": nodeName(name), "entityType": "soak", "observations": []string{"first said: " + said},
	}}})
	if err != nil {
		return err
	}
	w.Journal.Stored(name, "entities")
	w.Journal.Stored(said, "observations")
	w.nodes = append(w.nodes, name)
	w.noteOf(name, said)
	return nil
}

// noteOf remembers what goes with a node when it is deleted.
func (w *Worker) noteOf(node, token string) {
	if w.said == nil {
		w.said = map[string][]string{}
	}
	w.said[node] = append(w.said[node], token)
}

func observeNode(ctx context.Context, w *Worker) error {
	node, ok := pick(w, w.nodes)
	if !ok {
		return createNode(ctx, w)
	}
	said := w.token()
	err := w.call(ctx, nil, "add_observations", object{"observations": []any{object{"entityName": nodeName(node), "contents": []string{"later said: " + said}}}})
	if err == nil {
		w.Journal.Stored(said, "observations")
		w.noteOf(node, said)
	}
	return err
}

func relateNodes(ctx context.Context, w *Worker) error {
	from, ok := pick(w, w.nodes)
	to, _ := pick(w, w.nodes)
	if !ok || from == to {
		return createNode(ctx, w)
	}
	kind := w.token()
	err := w.call(ctx, nil, "create_relations", object{"relations": []any{object{"from": nodeName(from), "to": nodeName(to), "relationType": kind}}})
	if err == nil {
		w.Journal.Stored(kind, "relations")
		w.noteOf(from, kind)
		w.noteOf(to, kind)
	}
	return err
}

func deleteNode(ctx context.Context, w *Worker, node string) error {
	gone := append(w.said[node], node)
	err := w.call(ctx, nil, "delete_entities", object{"entityNames": []string{nodeName(node)}})
	for _, token := range gone {
		if err == nil {
			w.Journal.Removed(token, "entities", "observations", "relations")
		} else {
			w.Journal.InDoubt(token)
		}
	}
	delete(w.said, node)
	return err
}

// findNode requires that what this client stored is found at once.
func findNode(ctx context.Context, w *Worker) error {
	node, ok := pick(w, w.nodes)
	if !ok {
		return createNode(ctx, w)
	}
	raw, err := w.Call(ctx, "search_nodes", object{"query": node})
	if err != nil {
		return fmt.Errorf("search_nodes: %w", err)
	}
	return mustMention(raw, node, "search_nodes")
}

func mustMention(raw json.RawMessage, token, tool string) error {
	if !strings.Contains(string(raw), token) {
		return errors.New(tool + " does not find " + token)
	}
	return nil
}
