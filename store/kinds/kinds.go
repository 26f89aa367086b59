package kinds

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

// Row is a row of what is remembered, as tools that work across families name
// it: by its kind and its id there.
type Row struct {
	Kind string
	ID   string
	Text string // what it says
	Name string // how others may mention it; empty: by nothing short of its text
	At   int64  // unix milliseconds
}

// Ref names the row for a caller.
func (k Row) Ref() string { return k.Kind + ":" + k.ID }

// Kinds of rows.
const (
	Dialogue     = "dialogue"
	Insight      = "insight" // by the first row of its history
	Episode      = "episode"
	Working      = "working"
	Stale        = "stale"
	GoldenQuery  = "golden_query"
	GroundTruth  = "ground_truth"
	Session      = "captured_session" // what is known of it besides what was said
	Project      = "project"          // of sessions
	Transcript   = "transcript"       // a file that sessions were read from
	Entity       = "entity"           // of the graph: also charts, steps and beats
	Observation  = "observation"
	Relation     = "relation"
	Line         = "line" // of an imported file
	Record       = "record"
	TruthEntity  = "truth_entity" // what documents speak of
	Relationship = "relationship" // between such

	PocketOutlet    = "pocket_outlet"
	PocketReading   = "pocket_reading"
	PocketLedger    = "pocket_ledger"
	PocketAttention = "pocket_attention"
)

// table says how rows of a kind are read. All texts of a row, in whichever
// table, are in searched.
type table struct {
	from, id, text, name, at string
	order                    string // the id, if empty
	searched                 []string
}

var tables = map[string]table{
	Dialogue: {from: `l0_raw t`, id: `t.id`, text: `t.speaker || ': ' || t.content`, name: `t.content`, at: `t.occurred_at`,
		searched: []string{`t.content`, `t.metadata`, `t.session_id`, `t.speaker`}},
	Insight: {from: `l2_insights t`, id: `t.root_id`, text: `t.content`, name: `t.content`, at: `t.created_at`, searched: []string{`t.content`, `t.metadata`, `t.reason`}},
	Episode: {from: `episode_memory t`, id: `t.id`, text: `t.query || ' ' || t.reflection`, name: `t.reflection`, at: `t.created_at`, searched: []string{`t.query`, `t.reflection`}},
	Working: {from: `working_memory t`, id: `t.id`, text: `t.content`, name: `t.content`, at: `t.created_at`, searched: []string{`t.content`}},
	Stale:   {from: `stale_memory t`, id: `t.id`, text: `t.original_content`, name: `t.original_content`, at: `t.archived_at`, searched: []string{`t.original_content`}},
	GoldenQuery: {from: `golden_queries t`, id: `t.id`, text: `t.query`, name: `t.query`, at: `t.created_at`,
		searched: []string{`t.query`, `t.session_id`}},
	GroundTruth: {from: `ground_truth t`, id: `t.id`, text: `t.query`, name: `t.query`, at: `t.created_at`, searched: []string{`t.query`}},
	Session: {from: `capture_sessions t`, order: `t.started_at, t.session_id`, id: `t.session_id`, text: `t.session_id || ' ' || t.title`, name: `t.title`, at: `t.ended_at`,
		searched: []string{`t.session_id`, `t.title`, `t.branch`}},
	Project: {from: `capture_projects t`, id: `t.id`, text: `t.name || ' (' || t.root || ')'`, name: `''`, at: `t.created_at`,
		searched: []string{`t.name`, `t.root`, `t.remote`, `t.key`}},
	Transcript: {from: `capture_sources t`, id: `t.id`, text: `t.path`, name: `''`, at: `t.last_run`, searched: []string{`t.path`, `t.last_error`}},
	Entity: {from: `entities t LEFT JOIN beats b ON b.entity_id = t.id`, id: `t.name`, text: `t.name || ' (' || t.type || ') ' || t.title`,
		name: `CASE t.title WHEN '' THEN t.name ELSE t.title END`, at: `t.created_at`,
		searched: []string{`t.name`, `t.type`, `t.title`, `t.body`, `t.metadata`, `t.extra`, `t.origin`,
			`b.type_dramatic`, `b.universes`, `b.narrative`, `b.alignment`, `b.directions`}},
	Observation: {from: `observations t JOIN entities e ON e.id = t.entity_id`, id: `t.id`, text: `CASE e.title WHEN '' THEN e.name ELSE e.title END || ': ' || t.content`,
		name: `t.content`, at: `t.created_at`, searched: []string{`t.content`}},
	Relation: {from: `relations t JOIN entities a ON a.id = t.from_id JOIN entities z ON z.id = t.to_id`, id: `t.id`, text: `a.name || ' ' || t.type || ' ' || z.name`,
		name: `''`, at: `t.created_at`, searched: []string{`t.type`, `t.metadata`, `t.extra`}},
	Line: {from: `foreign_lines t`, id: `t.id`, text: `t.raw`, name: `''`, at: `0`, searched: []string{`t.raw`}},
	Record: {from: `records t LEFT JOIN payloads p ON p.id = t.id`, order: `t.seq`, id: `t.id`,
		text: `t.type || ' ' || coalesce(t.properties ->> '$.title', t.properties ->> '$.name', t.properties ->> '$.filename', t.properties ->> '$.summary', t.properties ->> '$.content', t.properties)`,
		name: `coalesce(t.properties ->> '$.title', t.properties ->> '$.filename', '')`, at: `t.created_at`,
		searched: []string{`t.type`, `t.properties`, `t.file_urls`, `p.body`, `p.source_refs`, `p.extractor_version`, `p.agent_id`, `p.client_request_id`,
			`(SELECT group_concat(o.fields || ' ' || o.request, ' | ') FROM truth_observations o WHERE o.record = t.seq)`,
			`(SELECT group_concat(h.type || ' ' || h.properties || ' ' || h.file_urls, ' | ') FROM record_history h WHERE h.record = t.seq)`}},
	TruthEntity: {from: `truth_entities t`, order: `t.seq`, id: `t.id`, text: `t.name || ' (' || t.type || ')'`, name: `t.name`, at: `t.created_at`, searched: []string{`t.name`, `t.type`}},
	Relationship: {from: `typed_relationships t JOIN truth_entities a ON a.seq = t.source JOIN truth_entities z ON z.seq = t.target`, id: `t.id`, order: `t.created_at, t.id`,
		text: `a.name || ' ' || t.type || ' ' || z.name`, name: `''`, at: `t.created_at`, searched: []string{`t.type`, `t.metadata`}},
	// Of pockets, what was brought in; a pocket itself is one of a published list.
	PocketOutlet: {from: `pocket_outlets t`, id: `t.id`, text: `t.name || ' ' || t.unit || ' in ' || t.pocket`, name: `t.name`, at: `0`, order: `t.id`,
		searched: []string{`t.name`, `t.unit`, `t.category`, `t.dna`}},
	PocketReading: {from: `pocket_readings t`, id: `t.pocket || ' ' || t.captured_at`, text: `t.pocket || ': ' || t.primary_state`, name: `''`, at: `t.captured_at`,
		order: `t.pocket, t.captured_at`, searched: []string{`t.primary_state`}},
	PocketLedger: {from: `pocket_ledger t`, id: `json_array(t.pocket, t.occurred_at, t.outlet, t.entry)`, text: `t.pocket || ' ' || t.outlet || ' ' || t.entry`, name: `''`, at: `t.occurred_at`,
		order: `t.pocket, t.occurred_at, t.outlet, t.entry`, searched: []string{`t.outlet`, `t.entry`}},
	PocketAttention: {from: `pocket_attention t`, id: `json_array(t.pocket, t.occurred_at, t.kind, t.user, t.outlet, t.event)`, text: `t.pocket || ': ' || t.kind || ' ' || t.user || ' ' || t.outlet`, name: `''`, at: `t.occurred_at`,
		order: `t.pocket, t.occurred_at, t.kind, t.user, t.outlet, t.event`, searched: []string{`t.user`, `t.outlet`, `t.event`}},
}

// maxTextLength bounds what is read of a row's text.
const maxTextLength = 2000

// FindContaining returns up to limit rows of a kind that contain one of some
// texts, as Fold compares them, in the order of their ids.
func (tx Rows) FindContaining(kind string, texts []string, limit int) ([]Row, error) {
	wanted := newNeedles(texts)
	searched := make([]sql.NullString, len(tables[kind].searched))
	into := make([]any, len(searched))
	for i := range searched {
		into[i] = &searched[i]
	}
	holds := func() bool {
		return slices.ContainsFunc(searched, func(s sql.NullString) bool { return wanted.matchText(s.String) })
	}
	list, err := tx.read(kind, "TRUE", limit, into, holds)
	if err != nil || kind != Record {
		return list, err
	}
	files, err := tx.findBlobsByText(wanted)
	if err != nil {
		return nil, err
	}
	holding, err := tx.FindRecordsWithBlobs(files)
	list = append(list, holding...)
	return list[:min(len(list), limit)], err
}

// ByID returns the rows of a kind that have one of some ids.
func (tx Rows) ByID(kind string, ids []string) ([]Row, error) {
	return tx.where(kind, `CAST(`+tables[kind].id+` AS TEXT) IN (SELECT value FROM json_each(?1))`, query.List(ids))
}

// where reads all rows of a kind on a condition over its tables, of which ?1 is
// the argument.
func (tx Rows) where(kind, condition string, argument any) ([]Row, error) {
	return tx.read(kind, condition, -1, nil, nil, argument)
}

// read reads up to limit rows; into is where it puts what is searched of a
// row, and holds then says whether to take it. Without them it takes every row.
func (tx Rows) read(kind, condition string, limit int, into []any, holds func() bool, arguments ...any) ([]Row, error) {
	rows, known := tables[kind]
	if !known {
		return nil, fmt.Errorf("there is no kind %q of what is kept", kind)
	}
	columns := []string{`CAST(` + rows.id + ` AS TEXT)`, beginning(rows.text), beginning(rows.name), rows.at}
	if holds != nil {
		columns = append(columns, rows.searched...)
	}
	list := []Row{}
	seen := map[string]bool{}
	err := tx.sql.Each(func(scan query.Scan) error {
		k := Row{Kind: kind}
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
	}, fmt.Sprintf(`SELECT %s FROM %s WHERE %s ORDER BY %s`, strings.Join(columns, ", "), rows.from, condition, cmp.Or(rows.order, "t.id")), arguments...)
	if errors.Is(err, query.ErrEnded) {
		err = nil
	}
	return list, err
}

func beginning(expression string) string {
	return fmt.Sprintf(`coalesce(substr(%s, 1, %d), '')`, expression, maxTextLength)
}

// NumericIDs are the row ids of those of a kind whose ids are numbers.
func NumericIDs(list []Row, kind string) []int64 {
	rows := []int64{}
	for _, k := range list {
		if row, err := strconv.ParseInt(k.ID, 10, 64); err == nil && k.Kind == kind {
			rows = append(rows, row)
		}
	}
	return rows
}

// IDs are the ids of those of a kind.
func IDs(list []Row, kind string) []string {
	ids := []string{}
	for _, k := range list {
		if k.Kind == kind {
			ids = append(ids, k.ID)
		}
	}
	return ids
}
