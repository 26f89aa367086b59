package store

import (
	"fmt"
	"slices"
	"strings"
)

// StagedPockets is everything about pockets.
var StagedPockets = Staged{
	tables: []stagedTable{
		{name: "pocket_datasets", key: "seq"},
		{name: "pocket_outlets", refers: ofDataset},
		{name: "pocket_readings", refers: ofDataset},
		{name: "pocket_ledger", refers: ofDataset},
		{name: "pocket_attention", refers: ofDataset},
		{name: "pocket_quality", refers: ofDataset},
		{name: "pocket_predictions", key: "seq", refers: ofDataset},
	},
	move: (*stage).movePockets,
}

var ofDataset = map[string]string{"dataset": "pocket_datasets"}

func (s *stage) movePockets(tx *Tx) error {
	for _, t := range s.tables {
		move := s.moveAdded
		if t.key == "" {
			move = s.moveWritten
		}
		if err := move(tx, t); err != nil {
			return err
		}
	}
	return tx.sql().Exec(fmt.Sprintf(`UPDATE main.pocket_predictions SET (revealed_at, observation, accuracy) = (s.revealed_at, s.observation, s.accuracy) FROM staged.pocket_predictions s
		WHERE s.seq = pocket_predictions.seq AND s.seq <= %d AND s.revealed_at IS NOT NULL AND pocket_predictions.revealed_at IS NULL`, s.last["pocket_predictions"]))
}

func (s *stage) moveAdded(tx *Tx, t stagedTable) error {
	if err := s.number(tx, t); err != nil {
		return err
	}
	return tx.sql().Exec(s.additions(t))
}

// moveWritten moves the rows that were written, new or not. A row that is another
// data set's by now is not overwritten.
func (s *stage) moveWritten(tx *Tx, t stagedTable) error {
	columns, key := s.catalog[t.name].Columns, quoteNames(s.catalog[t.name].Key)
	sets := make([]string, len(columns))
	for i, c := range columns {
		sets[i] = quoteName(c) + " = excluded." + quoteName(c)
	}
	moved, err := tx.sql().Change(fmt.Sprintf(`INSERT INTO main.%[1]s(%[2]s) SELECT %[3]s FROM staged.%[1]s WHERE (%[4]s) IN (SELECT %[4]s FROM staged.made_%[1]s)
		ORDER BY %[4]s ON CONFLICT(%[4]s) DO UPDATE SET %[5]s WHERE dataset = excluded.dataset`,
		t.name, quoteNames(columns), strings.Join(s.values(t), ", "), key, strings.Join(sets, ", ")))
	if err != nil {
		return err
	}
	var written int64
	if err := tx.sql().Row(`SELECT count(*) FROM staged.made_` + t.name).Scan(&written); err != nil {
		return err
	}
	if moved < written {
		return errCollision
	}
	return nil
}

// StagedGolden is the golden queries, and insights that are added.
var StagedGolden = Staged{
	tables: []stagedTable{
		{name: "l2_insights", key: "id", refers: map[string]string{"root_id": "l2_insights"}},
		{name: "memory_rows", key: "id", refers: map[string]string{"row_id": "l2_insights"}, fresh: true},
		{name: "memory_spaces", key: "id"},
		{name: "memory_vectors", key: "seq", refers: map[string]string{"memory_id": "memory_rows", "space": "memory_spaces"}, fresh: true},
		{name: "golden_queries", key: "id", lists: map[string]string{"expected_docs": "l2_insights"}},
	},
	move: (*stage).moveGolden,
}

// moveGolden moves what was made, unless the golden queries changed meanwhile or
// an insight that they name is gone.
func (s *stage) moveGolden(tx *Tx) error {
	var changed, missing bool
	err := tx.sql().Row(`SELECT EXISTS (SELECT 1 FROM main.change_sequence m JOIN staged.change_sequence s ON s.topic = m.topic WHERE m.topic = ?1 AND m.seq >= s.seq),
		EXISTS (SELECT 1 FROM staged.golden_queries q, json_each(q.expected_docs) d WHERE d.value <= ?2
			AND (q.id > ?3 OR EXISTS (SELECT 1 FROM main.golden_queries o WHERE o.id = q.id AND o.expected_docs IS NULL))
			AND NOT EXISTS (SELECT 1 FROM main.l2_insights i WHERE i.id = d.value AND i.deleted_at IS NULL))`,
		string(TopicGolden), s.last["l2_insights"], s.last["golden_queries"]).Scan(&changed, &missing)
	if err != nil {
		return err
	}
	if slices.Contains(s.touched, TopicGolden) && (changed || missing) {
		return errCollision
	}
	for _, t := range s.tables {
		if err := s.moveAdded(tx, t); err != nil {
			return err
		}
	}
	return tx.sql().ExecAll(s.goldenMoves())
}

// goldenMoves are the statements that move what belongs to the rows of search,
// and labels of queries that were there.
func (s *stage) goldenMoves() []string {
	return []string{
		fmt.Sprintf(`INSERT INTO main.memory_words_l2(rowid, body, day, sources) SELECT id + %d, terms, day, source_terms FROM staged.memory_rows ORDER BY id`, s.shift["memory_rows"]),
		`UPDATE main.memory_statistics SET rows = memory_statistics.rows + s.rows, words = memory_statistics.words + s.words FROM staged.memory_statistics s WHERE s.source = memory_statistics.source`,
		fmt.Sprintf(`UPDATE main.golden_queries SET expected_docs = %s FROM staged.golden_queries s
			WHERE s.id = golden_queries.id AND s.id <= %d AND s.expected_docs IS NOT NULL AND golden_queries.expected_docs IS NULL`, s.movedList("s.expected_docs", "l2_insights"), s.last["golden_queries"]),
	}
}
