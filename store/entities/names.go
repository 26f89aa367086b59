package entities

import "toolkit/store/internal/query"

// DocumentedName is what an entity of the payload store is called.
type DocumentedName struct{ Type, Name string }

// DocumentedNames returns type and name by entity id; unknown ids are absent. An
// entity that was merged goes by the name of the one it is part of.
func (tx Rows) DocumentedNames(ids []string) (map[string]DocumentedName, error) {
	names := make(map[string]DocumentedName, len(ids))
	err := tx.sql.Each(func(scan query.Scan) error {
		var id string
		var n DocumentedName
		err := scan(&id, &n.Type, &n.Name)
		names[id] = n
		return err
	}, `SELECT e.id, r.type, r.name FROM json_each(?1) j JOIN truth_entities e ON e.id = j.value JOIN truth_entities r ON r.seq = e.root`, query.List(ids))
	return names, err
}
