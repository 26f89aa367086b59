package store

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toolkit/store/internal/query"
)

// Kept is a row of what is remembered, as tools that work across families name
// it: by its kind and its id there.
type Kept struct {
	Kind string
	ID   string
	Text string // what it says
	Name string // how others may mention it; empty: by nothing short of its text
	At   int64  // unix milliseconds
}

// Ref names the row for a caller.
func (k Kept) Ref() string { return k.Kind + ":" + k.ID }

// Kinds of rows.
const (
	KeptDialogue     = "dialogue"
	KeptInsight      = "insight" // by the first row of its history
	KeptEpisode      = "episode"
	KeptWorking      = "working"
	KeptStale        = "stale"
	KeptGoldenQuery  = "golden_query"
	KeptGroundTruth  = "ground_truth"
	KeptEntity       = "entity" // of the graph: also charts, steps and beats
	KeptObservation  = "observation"
	KeptRelation     = "relation"
	KeptLine         = "line" // of an imported file
	KeptRecord       = "record"
	KeptTruthEntity  = "truth_entity" // what documents speak of
	KeptRelationship = "relationship" // between such

	KeptPocketOutlet    = "pocket_outlet"
	KeptPocketReading   = "pocket_reading"
	KeptPocketLedger    = "pocket_ledger"
	KeptPocketAttention = "pocket_attention"
)

// keptRows says how rows of a kind are read. All texts of a row, in whichever
// table, are in searched.
type keptRows struct {
	from, id, text, name, at string
	order                    string // the row id, if empty
	searched                 []string
}

var keptOf = map[string]keptRows{
	KeptDialogue: {from: `l0_raw t`, id: `t.id`, text: `t.speaker || ': ' || t.content`, name: `t.content`, at: `t.occurred_at`,
		searched: []string{`t.content`, `t.metadata`, `t.session_id`, `t.speaker`}},
	KeptInsight: {from: `l2_insights t`, id: `t.root_id`, text: `t.content`, name: `t.content`, at: `t.created_at`, searched: []string{`t.content`, `t.metadata`, `t.reason`}},
	KeptEpisode: {from: `episode_memory t`, id: `t.id`, text: `t.query || ' ' || t.reflection`, name: `t.reflection`, at: `t.created_at`, searched: []string{`t.query`, `t.reflection`}},
	KeptWorking: {from: `working_memory t`, id: `t.id`, text: `t.content`, name: `t.content`, at: `t.created_at`, searched: []string{`t.content`}},
	KeptStale:   {from: `stale_memory t`, id: `t.id`, text: `t.original_content`, name: `t.original_content`, at: `t.archived_at`, searched: []string{`t.original_content`}},
	KeptGoldenQuery: {from: `golden_queries t`, id: `t.id`, text: `t.query`, name: `t.query`, at: `t.created_at`,
		searched: []string{`t.query`, `t.session_id`}},
	KeptGroundTruth: {from: `ground_truth t`, id: `t.id`, text: `t.query`, name: `t.query`, at: `t.created_at`, searched: []string{`t.query`}},
	KeptEntity: {from: `entities t LEFT JOIN beats b ON b.entity_id = t.id`, id: `t.name`, text: `t.name || ' (' || t.type || ') ' || t.title`,
		name: `CASE t.title WHEN '' THEN t.name ELSE t.title END`, at: `t.created_at`,
		searched: []string{`t.name`, `t.type`, `t.title`, `t.body`, `t.metadata`, `t.extra`, `t.origin`,
			`b.type_dramatic`, `b.universes`, `b.narrative`, `b.alignment`, `b.directions`}},
	KeptObservation: {from: `observations t JOIN entities e ON e.id = t.entity_id`, id: `t.id`, text: `CASE e.title WHEN '' THEN e.name ELSE e.title END || ': ' || t.content`,
		name: `t.content`, at: `t.created_at`, searched: []string{`t.content`}},
	KeptRelation: {from: `relations t JOIN entities a ON a.id = t.from_id JOIN entities z ON z.id = t.to_id`, id: `t.id`, text: `a.name || ' ' || t.type || ' ' || z.name`,
		name: `''`, at: `t.created_at`, searched: []string{`t.type`, `t.metadata`, `t.extra`}},
	KeptLine: {from: `foreign_lines t`, id: `t.id`, text: `t.raw`, name: `''`, at: `0`, searched: []string{`t.raw`}},
	KeptRecord: {from: `records t LEFT JOIN payloads p ON p.id = t.id`, id: `t.id`,
		text: `t.type || ' ' || coalesce(t.properties ->> '$.title', t.properties ->> '$.name', t.properties ->> '$.filename', t.properties ->> '$.summary', t.properties ->> '$.content', t.properties)`,
		name: `coalesce(t.properties ->> '$.title', t.properties ->> '$.filename', '')`, at: `t.created_at`,
		searched: []string{`t.type`, `t.properties`, `t.file_urls`, `p.body`, `p.source_refs`, `p.extractor_version`, `p.agent_id`, `p.client_request_id`,
			`(SELECT group_concat(o.fields || ' ' || o.request, char(10)) FROM truth_observations o WHERE o.record = t.seq)`,
			`(SELECT group_concat(h.type || ' ' || h.properties || ' ' || h.file_urls, char(10)) FROM record_history h WHERE h.record = t.seq)`}},
	KeptTruthEntity: {from: `truth_entities t`, id: `t.id`, text: `t.name || ' (' || t.type || ')'`, name: `t.name`, at: `t.created_at`, searched: []string{`t.name`, `t.type`}},
	KeptRelationship: {from: `typed_relationships t JOIN truth_entities a ON a.seq = t.source JOIN truth_entities z ON z.seq = t.target`, id: `t.id`,
		text: `a.name || ' ' || t.type || ' ' || z.name`, name: `''`, at: `t.created_at`, searched: []string{`t.type`, `t.metadata`}},
	// Of pockets, what was brought in; a pocket itself is one of a published list.
	KeptPocketOutlet: {from: `pocket_outlets t`, id: `t.id`, text: `t.name || ' ' || t.unit || ' in ' || t.pocket`, name: `t.name`, at: `0`, order: `t.id`,
		searched: []string{`t.name`, `t.unit`, `t.category`, `t.dna`}},
	KeptPocketReading: {from: `pocket_readings t`, id: `t.pocket || ' ' || t.captured_at`, text: `t.pocket || ': ' || t.primary_state`, name: `''`, at: `t.captured_at`,
		order: `t.pocket, t.captured_at`, searched: []string{`t.primary_state`}},
	KeptPocketLedger: {from: `pocket_ledger t`, id: `json_array(t.pocket, t.occurred_at, t.outlet, t.entry)`, text: `t.pocket || ' ' || t.outlet || ' ' || t.entry`, name: `''`, at: `t.occurred_at`,
		order: `t.pocket, t.occurred_at, t.outlet, t.entry`, searched: []string{`t.outlet`, `t.entry`}},
	KeptPocketAttention: {from: `pocket_attention t`, id: `json_array(t.pocket, t.occurred_at, t.kind, t.user, t.outlet, t.event)`, text: `t.pocket || ': ' || t.kind || ' ' || t.user || ' ' || t.outlet`, name: `''`, at: `t.occurred_at`,
		order: `t.pocket, t.occurred_at, t.kind, t.user, t.outlet, t.event`, searched: []string{`t.user`, `t.outlet`, `t.event`}},
}

// mostKeptText bounds what is read of a row's text.
const mostKeptText = 2000

// KeptContaining returns up to limit rows of a kind that contain one of some
// texts, as FoldKept compares them, in the order of their ids.
func (tx *Tx) KeptContaining(kind string, texts []string, limit int) ([]Kept, error) {
	wanted := newNeedles(texts)
	searched := make([]sql.NullString, len(keptOf[kind].searched))
	into := make([]any, len(searched))
	for i := range searched {
		into[i] = &searched[i]
	}
	holds := func() bool {
		return slices.ContainsFunc(searched, func(s sql.NullString) bool { return wanted.in(s.String) })
	}
	list, err := tx.keptThat(kind, "1", limit, into, holds)
	if err != nil || kind != KeptRecord {
		return list, err
	}
	files, err := tx.blobsSaying(wanted)
	if err != nil {
		return nil, err
	}
	holding, err := tx.KeptHolding(files)
	list = append(list, holding...)
	return list[:min(len(list), limit)], err
}

// KeptByID returns the rows of a kind that have one of some ids.
func (tx *Tx) KeptByID(kind string, ids []string) ([]Kept, error) {
	return tx.kept(kind, `CAST(`+keptOf[kind].id+` AS TEXT) IN (SELECT value FROM json_each(?1))`, query.List(ids))
}

// kept reads all rows of a kind on a condition over its tables, of which ?1 is
// the argument.
func (tx *Tx) kept(kind, condition string, argument any) ([]Kept, error) {
	return tx.keptThat(kind, condition, -1, nil, nil, argument)
}

// keptThat reads up to limit rows; into is where it puts what is searched of a
// row, and holds then says whether to take it. Without them it takes every row.
func (tx *Tx) keptThat(kind, condition string, limit int, into []any, holds func() bool, arguments ...any) ([]Kept, error) {
	rows, known := keptOf[kind]
	if !known {
		return nil, fmt.Errorf("there is no kind %q of what is kept", kind)
	}
	columns := []string{`CAST(` + rows.id + ` AS TEXT)`, beginning(rows.text), beginning(rows.name), rows.at}
	if holds != nil {
		columns = append(columns, rows.searched...)
	}
	list := []Kept{}
	seen := map[string]bool{}
	err := tx.each(func(scan func(...any) error) error {
		k := Kept{Kind: kind}
		if err := scan(append([]any{&k.ID, &k.Text, &k.Name, &k.At}, into...)...); err != nil {
			return err
		}
		if seen[k.ID] || holds != nil && !holds() { // an insight has several rows
			return nil
		}
		seen[k.ID] = true
		if list = append(list, k); len(list) == limit {
			return query.ErrEnded
		}
		return nil
	}, fmt.Sprintf(`SELECT %s FROM %s WHERE %s ORDER BY %s`, strings.Join(columns, ", "), rows.from, condition, cmp.Or(rows.order, "t.rowid")), arguments...)
	if errors.Is(err, query.ErrEnded) {
		err = nil
	}
	return list, err
}

func beginning(expression string) string {
	return fmt.Sprintf(`coalesce(substr(%s, 1, %d), '')`, expression, mostKeptText)
}

// RowsOf are the row ids of those of a kind whose ids are numbers.
func RowsOf(list []Kept, kind string) []int64 {
	rows := []int64{}
	for _, k := range list {
		if row, err := strconv.ParseInt(k.ID, 10, 64); err == nil && k.Kind == kind {
			rows = append(rows, row)
		}
	}
	return rows
}

// IDsOf are the ids of those of a kind.
func IDsOf(list []Kept, kind string) []string {
	ids := []string{}
	for _, k := range list {
		if k.Kind == kind {
			ids = append(ids, k.ID)
		}
	}
	return ids
}
