package soaktest

import "context"

// maxNodes is how many entities a worker keeps; older ones are deleted, so that
// deletion is part of the load and the graph does not grow without end.
const maxNodes = 60

func nodeName(token string) string { return "node " + token }

func graphStep(ctx context.Context, w *Worker) error {
	token := w.token()
	node, ok := pick(w, w.nodes)
	switch {
	case len(w.nodes) > maxNodes:
		return deleteNode(ctx, w, w.nodes[0])
	case !ok || w.chance(40):
		err := w.write(ctx, token, []string{"entities"}, "create_entities", object{"entities": []any{object{
			"name": nodeName(token), "entityType": "soak", "observations": []string{"created by the load"},
		}}})
		if err == nil {
			w.nodes = append(w.nodes, token)
		}
		return err
	case w.chance(30):
		w.said[node] = append(w.said[node], token)
		return w.write(ctx, token, []string{"observations"}, "add_observations", object{"observations": []any{object{"entityName": nodeName(node), "contents": []string{"later said: " + token}}}})
	case w.chance(40) && node != w.nodes[0]:
		w.said[node] = append(w.said[node], token)
		w.said[w.nodes[0]] = append(w.said[w.nodes[0]], token)
		return w.write(ctx, token, []string{"relations"}, "create_relations", object{"relations": []any{object{"from": nodeName(node), "to": nodeName(w.nodes[0]), "relationType": token}}})
	}
	return w.mention(ctx, node, "search_nodes", object{"query": node})
}

// deleteNode deletes an entity with what was said of it.
func deleteNode(ctx context.Context, w *Worker, node string) error {
	err := w.call(ctx, nil, "delete_entities", object{"entityNames": []string{nodeName(node)}})
	w.nodes = w.nodes[1:]
	for _, token := range append(w.said[node], node) {
		w.Journal.Removed(err, token, "entities", "observations", "relations")
	}
	delete(w.said, node)
	return err
}
