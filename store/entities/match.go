package entities

import (
	"encoding/json"

	"toolkit/store/internal/query"
)

// maxNewestScanned is how many of the entities observed last are looked at for a
// page before all matches are sorted.
const maxNewestScanned = 1000

// findByWords answers a search by a name or by words alone, when what was
// observed last has enough matches for the page. The general way sorts all
// matches, which takes long when a word is in every name; here they are only
// counted. Not ok means that the general way has to be gone.
func (tx Rows) findByWords(f EntityFilter, limit, offset int) (list []FoundEntity, total int, ok bool, err error) {
	named := len(f.NameKeys) > 0
	if named == (f.Text != "") || len(f.Types) > 0 || len(f.Values) > 0 || len(f.Status) > 0 {
		return nil, 0, false, nil
	}
	args := f.arguments()
	expression := args[3]
	var first []int64 // those of that very name come before all others
	if named {
		expression = args[2]
		first, err = tx.sql.IDs(`SELECT s.entity FROM (SELECT DISTINCT root FROM truth_entities WHERE name_key IN (SELECT value FROM json_each(?1))) e
			JOIN snapshots s ON s.entity = e.root ORDER BY s.last_observed_at DESC, s.entity DESC LIMIT ?2`, args[1], maxNewestScanned+1)
		if err != nil || len(first) > maxNewestScanned {
			return nil, 0, false, err
		}
	}
	newest, err := tx.sql.IDs(`SELECT entity FROM snapshots ORDER BY last_observed_at DESC, entity DESC LIMIT ?`, maxNewestScanned)
	if err != nil {
		return nil, 0, false, err
	}
	matching, total, err := tx.matchAmongEntities(expression, append(newest[:len(newest):len(newest)], first...))
	if err != nil {
		return nil, 0, false, err
	}
	exact := map[int64]bool{}
	rows := first
	for _, entity := range first {
		if exact[entity] = true; !matching[entity] {
			total++
		}
	}
	for _, entity := range newest {
		if matching[entity] && !exact[entity] {
			rows = append(rows, entity)
		}
	}
	if len(rows) < total && len(rows) < offset+limit {
		return nil, 0, false, nil
	}
	rows = rows[min(offset, len(rows)):min(offset+limit, len(rows))]
	list, err = tx.foundEntities(rows)
	return list, total, true, err
}

// matchAmongEntities counts the entities that match a full-text expression and
// says which of the given ones are among them.
func (tx Rows) matchAmongEntities(expression any, entities []int64) (matching map[int64]bool, total int, err error) {
	var text string
	// The plus sign keeps SQLite from looking up every entity in the full-text
	// index; for a word's beginning each would cost as much as reading all.
	err = tx.sql.Row(`SELECT count(*), json_group_array(rowid) FILTER (WHERE +rowid IN (SELECT value FROM json_each(?2)))
		FROM snapshot_words WHERE snapshot_words MATCH ?1`, expression, query.List(entities)).Scan(&total, &text)
	if err != nil {
		return nil, 0, err
	}
	var rows []int64
	if err := json.Unmarshal([]byte(text), &rows); err != nil {
		return nil, 0, err
	}
	known := make(map[int64]bool, len(rows))
	for _, row := range rows {
		known[row] = true
	}
	return known, total, nil
}

// foundEntities returns entities in the order of the given rows.
func (tx Rows) foundEntities(rows []int64) ([]FoundEntity, error) {
	return query.Some(tx.sql, scanFound, `SELECT `+truthColumns+`, s.observation_count, s.last_observed_at
		FROM json_each(?) j CROSS JOIN truth_entities e ON e.seq = j.value JOIN snapshots s ON s.entity = e.seq ORDER BY j.key`, query.List(rows))
}

func scanFound(scan query.Scan) (FoundEntity, error) {
	var found FoundEntity
	err := scan(&found.Seq, &found.ID, &found.Type, &found.Name, &found.Root, &found.MergedInto, &found.CreatedAt, &found.Count, &found.LastObservedAt)
	return found, err
}
