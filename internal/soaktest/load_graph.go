package soaktest

import "context"

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
	w.said[node] = append(w.said[node], token)
}

func observeNode(ctx context.Context, w *Worker) error {
	node, ok := pick(w, w.nodes)
	if !ok {
		return createNode(ctx, w)
	}
	said := w.token()
	err := w.write(ctx, said, []string{"observations"}, "add_observations", object{"observations": []any{object{"entityName": nodeName(node), "contents": []string{"later said: " + said}}}})
	if err == nil {
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
	err := w.write(ctx, kind, []string{"relations"}, "create_relations", object{"relations": []any{object{"from": nodeName(from), "to": nodeName(to), "relationType": kind}}})
	if err == nil {
		w.noteOf(from, kind)
		w.noteOf(to, kind)
	}
	return err
}

func deleteNode(ctx context.Context, w *Worker, node string) error {
	gone := append(w.said[node], node)
	delete(w.said, node)
	return w.remove(ctx, gone, []string{"entities", "observations", "relations"}, "delete_entities", object{"entityNames": []string{nodeName(node)}})
}

// findNode requires that what this client stored is found at once.
func findNode(ctx context.Context, w *Worker) error {
	node, ok := pick(w, w.nodes)
	if !ok {
		return createNode(ctx, w)
	}
	return w.mention(ctx, node, "search_nodes", object{"query": node})
}
