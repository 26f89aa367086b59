package entities

import (
	"encoding/json"
	"strings"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// EntityFilter narrows entities down; empty fields do not.
type EntityFilter struct {
	Types    []string
	NameKeys []string // folded names or ids, one of which matches exactly
	Name     string   // words that begin words of the name; goes with NameKeys
	Text     string   // words of the snapshot
	Values   []int64  // hashes of path and value, all of them
	Status   []string // of payment, one of which an invoice has
	DueUntil int64    // unix milliseconds, when it was to be paid at the latest; 0: whenever
}

// FoundEntity is an entity with what its snapshot says about itself.
type FoundEntity struct {
	Entity
	Count          int
	LastObservedAt int64
}

// FindEntities returns entities of which something is observed and that
// pass the filter: exact names first, then the last observed, then the newest;
// and how many there are in all.
func (tx Rows) FindEntities(f EntityFilter, limit, offset int) ([]FoundEntity, int, error) {
	const exact = `SELECT root FROM truth_entities WHERE name_key IN (SELECT value FROM json_each(?2)) UNION SELECT root FROM truth_entities WHERE id IN (SELECT value FROM json_each(?2))`
	const words = `SELECT rowid FROM snapshot_words WHERE snapshot_words MATCH `
	from, conditions := `snapshots s`, []string{}
	where := func(active bool, condition string) {
		if active {
			conditions = append(conditions, condition)
		}
	}
	named := len(f.NameKeys) > 0
	ofType := `s.type`
	if named || f.Text != "" {
		ofType = `+s.type` // begin with what has the words, not with all entities of the type
	}
	where(len(f.Types) == 1, ofType+` = ?1`)
	where(len(f.Types) > 1, ofType+` IN (SELECT value FROM json_each(?1))`)
	where(named, `s.entity IN (`+exact+` UNION `+words+`?3)`)
	where(f.Text != "", `s.entity IN (`+words+`?4)`)
	where(len(f.Values) > 0, `s.entity IN (SELECT entity FROM snapshot_values WHERE key = ?5)`)
	where(len(f.Values) > 1, `NOT EXISTS (SELECT 1 FROM json_each(?6) k WHERE NOT EXISTS (SELECT 1 FROM snapshot_values v WHERE v.key = k.value AND v.entity = s.entity))`)
	where(len(f.Status) > 0, `s.entity IN (SELECT entity FROM invoice_status WHERE status IN (SELECT value FROM json_each(?7)) AND (?8 = 0 OR due <= ?8))`)
	if len(conditions) > 0 {
		from += ` WHERE ` + strings.Join(conditions, ` AND `)
	}
	var total int
	// Naming ?8 keeps the number of arguments the same whatever the conditions.
	args := f.bindArguments()
	if err := tx.sql.Row(`SELECT count(*), ?8 FROM `+from, args...).Scan(&total, new(any)); err != nil || total == 0 {
		return nil, 0, err
	}
	order := `s.last_observed_at DESC, s.entity DESC`
	if named {
		order = `s.entity IN (` + exact + `) DESC, ` + order
	}
	// Only the page is joined with the entities; its order is kept by place.
	list, err := query.Select(tx.sql, func(e *FoundEntity) []any { return append(e.fields(), &e.Count, &e.LastObservedAt) }, `SELECT `+entityColumns+`, p.observation_count, p.last_observed_at
		FROM (SELECT s.entity, s.observation_count, s.last_observed_at, row_number() OVER () AS place
			FROM (SELECT entity, observation_count, last_observed_at FROM `+from+` ORDER BY `+order+` LIMIT ?9 OFFSET ?10) s) p
		JOIN truth_entities e ON e.seq = p.entity ORDER BY p.place`, append(args, limit, offset)...)
	return list, total, err
}

func (f EntityFilter) bindArguments() []any {
	types := query.List(f.Types)
	if len(f.Types) == 1 {
		types = f.Types[0]
	}
	name := store.MatchAllWords(f.Name, "*")
	if name == "" {
		name = store.QuoteWord("") // a name without a word matches exactly or not at all
	} else {
		name = `{name} : (` + name + `)`
	}
	var first int64
	var rest []int64
	if len(f.Values) > 0 {
		first, rest = f.Values[0], f.Values[1:]
	}
	text := store.MatchAllWords(f.Text, "")
	if text == "" {
		text = store.QuoteWord("")
	}
	return []any{types, query.List(f.NameKeys), query.Match{Words: "snapshot_words", Expression: name}, query.Match{Words: "snapshot_words", Expression: text}, first, query.List(rest), query.List(f.Status), f.DueUntil}
}

// KnownEntity is an entity of which something is observed, with the state of its snapshot.
type KnownEntity struct {
	Entity
	State          json.RawMessage
	LastObservedAt int64
	Metadata       json.RawMessage // of the relationship by which it was found; nil: none
}

func (e *KnownEntity) fields() []any {
	return append(e.Entity.fields(), query.FromJSON(&e.State), &e.LastObservedAt, query.FromJSON(&e.Metadata))
}

// KnownEntities returns the entities of some rows, in that order; those of which nothing is
// observed are left out.
func (tx Rows) KnownEntities(rows []int64) ([]KnownEntity, error) {
	return query.Select(tx.sql, (*KnownEntity).fields, `SELECT `+entityColumns+`, s.state, s.last_observed_at, NULL FROM json_each(?) j
		CROSS JOIN truth_entities e ON e.seq = j.value JOIN snapshots s ON s.entity = e.seq ORDER BY j.key`, query.List(rows))
}

// TimelineFilter narrows timeline events down; empty fields do not.
type TimelineFilter struct {
	From, To int64 // unix milliseconds, from inclusive, to exclusive
	Entity   int64 // row
	Type     string
	Without  []int64 // rows of entities that are left out
}

// TimelineEvent is a dated field of an entity.
type TimelineEvent struct {
	EntityID   string
	EntityType string
	Name       string
	Event
}

// TimelineEvents returns dated fields in the order of their dates, and how many
// there are in all.
func (tx Rows) TimelineEvents(f TimelineFilter, descending bool, limit, offset int) ([]TimelineEvent, int, error) {
	from := `timeline_events t JOIN truth_entities e ON e.seq = t.entity WHERE t.at >= ?1 AND t.at < ?2 AND (?3 = 0 OR t.entity = ?3) AND (?4 = '' OR e.type = ?4) AND t.entity NOT IN (SELECT value FROM json_each(?5))`
	if f.Entity != 0 {
		from = `timeline_events t JOIN truth_entities e ON e.seq = t.entity WHERE t.entity = ?3 AND t.at >= ?1 AND t.at < ?2 AND (?4 = '' OR e.type = ?4) AND t.entity NOT IN (SELECT value FROM json_each(?5))`
	}
	args := []any{f.From, f.To, f.Entity, f.Type, query.List(f.Without)}
	total, err := query.Value[int](tx.sql, `SELECT count(*) FROM `+from, args...)
	if err != nil {
		return nil, 0, err
	}
	order := `t.at, t.entity, t.field`
	if descending {
		order = `t.at DESC, t.entity DESC, t.field DESC`
	}
	list, err := query.Select(tx.sql, func(e *TimelineEvent) []any { return []any{&e.EntityID, &e.EntityType, &e.Name, &e.Field, &e.At} }, `SELECT e.id, e.type, e.name, t.field, t.at FROM `+from+` ORDER BY `+order+` LIMIT ?6 OFFSET ?7`, append(args, limit, offset)...)
	return list, total, err
}
