// Package kinds finds what is remembered across families, by its kind and id, by its
// text, and by what hangs together, and deletes it; and finds it by its words, so that
// it can be recalled. What there is of each kind stands in registry.go.
package kinds

import (
	"cmp"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"toolkit/store"
	"toolkit/store/internal/query"
)

// Rows are what a transaction sees of all this.
type Rows struct{ sql *query.Tx }

// In returns the rows of a transaction.
func In(tx *store.Tx) Rows { return Rows{(*query.Tx)(tx)} }

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
	PocketQuality   = "pocket_quality"
)

// Document is what people and searches call a Record that came from a file.
const Document = "document"

// maxTextLength bounds what is read of a row's text, in bytes (on PostgreSQL in characters).
const maxTextLength = 2000

// Names are the names of all kinds, in the order in which they are shown.
func Names() []string {
	names := make([]string, len(registry))
	for i := range registry {
		names[i] = registry[i].name
	}
	return names
}

func findKind(name string) *kind {
	for i := range registry {
		if registry[i].name == name {
			return &registry[i]
		}
	}
	panic("kinds: there is no kind " + name)
}

// FindableNames are the words that Find knows: of kinds, and those that mean more than a row.
func FindableNames() []string {
	return append([]string{GroupSession, GroupChart, GroupPocket}, Names()...)
}

// Find returns the rows that a kind and an id, or another word and name, mean: none when
// nothing is stored under it. A session, project or pocket means all that belongs to it.
func (tx Rows) Find(kind, id string) ([]Row, error) {
	links, grouped := groups[kind]
	switch {
	case !grouped && !slices.Contains(Names(), kind):
		return nil, nil
	case !grouped:
		k := findKind(kind)
		links = []link{{kind, k.id + ` IN ` + listed}}
	}
	numbered := slices.Contains(Names(), kind) && findKind(kind).numbered
	return tx.followLinks(links, idListArgument(numbered, []string{id}))
}

// FindSessions returns up to limit sessions, without side chains, whose id begins with a text,
// or whose id behind the name of its client does.
func (tx Rows) FindSessions(beginning string, limit int) ([]string, error) {
	return tx.sql.Texts(`WITH known(id) AS (SELECT session_id FROM capture_sessions WHERE side_chain = 0
			UNION SELECT d.session_id FROM l0_raw d WHERE NOT EXISTS (SELECT 1 FROM capture_sessions c WHERE c.session_id = d.session_id))
		SELECT id FROM known WHERE substr(id, 1, length(?1)) = ?1 OR substr(id, instr(id, '/') + 1, length(?1)) = ?1 ORDER BY id LIMIT ?2`, beginning, limit)
}

// Dependents returns the rows that go wherever some rows go, and those that were made
// from them and can do without.
func (tx Rows) Dependents(from []Row) (parts, derived []Row, err error) {
	for _, k := range registry {
		ids := IDs(from, k.name)
		if len(ids) == 0 || len(k.parts)+len(k.derived) == 0 {
			continue
		}
		of := idListArgument(k.numbered, ids)
		if k.name == Entity {
			if of, err = tx.insideListArgument(ids); err != nil {
				return nil, nil, err
			}
		}
		goes, err := tx.followLinks(k.parts, of)
		if err != nil {
			return nil, nil, err
		}
		made, err := tx.followLinks(k.derived, of)
		if err != nil {
			return nil, nil, err
		}
		parts, derived = append(parts, goes...), append(derived, made...)
	}
	return parts, derived, nil
}

// followLinks returns the rows that links lead to.
func (tx Rows) followLinks(links []link, of any) (rows []Row, err error) {
	for _, l := range links {
		found, err := tx.readWhere(l.kind, l.where, of)
		if err != nil {
			return nil, err
		}
		rows = append(rows, found...)
	}
	return rows, nil
}

// Delete removes rows of a kind by their ids, with nothing else: what goes with them
// and what their family knows of them is the caller's.
func (tx Rows) Delete(kind string, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	k := findKind(kind)
	if k.topic != "" {
		tx.sql.Touch(k.topic)
	}
	table, _, _ := strings.Cut(k.from, " ")
	statements := []string{`DELETE FROM ` + table + ` AS t WHERE ` + k.id + ` IN ` + listed}
	if k.clean != "" {
		statements = append([]string{k.clean}, statements...)
	}
	return tx.sql.ExecAll(statements, idListArgument(k.numbered, ids))
}

// idListArgument returns the argument of a list of ids. What is no number is the id of no row where
// ids are numbers.
func idListArgument(numbered bool, ids []string) any {
	if numbered {
		return query.List(ParseNumbers(ids))
	}
	return query.List(ids)
}

// ParseNumbers returns ids as numbers, without those that are none.
func ParseNumbers(ids []string) []int64 {
	numbers := []int64{}
	for _, id := range ids {
		if n, err := strconv.ParseInt(id, 10, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// FindContaining returns up to limit rows of a kind that contain one of some
// texts, as Fold compares them, in the order of their ids. A text that is a word must stand for itself.
func (tx Rows) FindContaining(kind string, texts []string, limit int) ([]Row, error) {
	return tx.findContaining(kind, newNeedles(texts), limit)
}

// FindInsideWords returns likewise those that contain one of the words among some texts, inside another word too.
func (tx Rows) FindInsideWords(kind string, texts []string, limit int) ([]Row, error) {
	return tx.findContaining(kind, newInnerNeedles(texts), limit)
}

func (tx Rows) findContaining(kind string, wanted needles, limit int) ([]Row, error) {
	list, err := tx.readRows(kind, "TRUE", limit, &wanted)
	if err != nil || kind != Record {
		return list, err
	}
	files, err := tx.idsContaining(wanted, `SELECT sha256, name || ' | ' || text FROM blobs ORDER BY sha256`)
	if err != nil {
		return nil, err
	}
	holding, err := tx.FindRecordsWithBlobs(files)
	list = append(list, holding...)
	return list[:min(len(list), limit)], err
}

// CountPredictionsContaining counts the sealed predictions that contain one of some
// texts: they never go.
func (tx Rows) CountPredictionsContaining(texts []string) (int, error) {
	found, err := tx.idsContaining(newNeedles(texts), `SELECT prediction_key, generator || ' | ' || prediction_key || ' | ' || payload || ' | ' || coalesce(observation, '') FROM pocket_predictions`)
	return len(found), err
}

// CountPredictionsOf counts the sealed predictions of a pocket: they never go.
func (tx Rows) CountPredictionsOf(pocket string) (int, error) {
	return query.Value[int](tx.sql, `SELECT count(*) FROM pocket_predictions WHERE pocket = ?`, pocket)
}

// idsContaining returns those of some ids and texts whose text contains what is wanted.
func (tx Rows) idsContaining(wanted needles, statement string) (ids []string, err error) {
	return ids, tx.sql.Each(func(scan query.Scan) error {
		var id, text string
		err := scan(&id, &text)
		if err == nil && wanted.matchText(text) {
			ids = append(ids, id)
		}
		return err
	}, statement)
}

// readWhere reads all rows of a kind on a condition over its tables, of which ?1 is
// the argument.
func (tx Rows) readWhere(kind, condition string, argument any) ([]Row, error) {
	return tx.readRows(kind, condition, -1, nil, argument)
}

// readRows reads up to limit rows on a condition, of those that contain what is wanted, if
// that is not nil.
func (tx Rows) readRows(name, condition string, limit int, wanted *needles, arguments ...any) ([]Row, error) {
	k, row := findKind(name), Row{Kind: name}
	columns := []string{`CAST(` + k.id + ` AS TEXT)`, tx.beginningExpression(k.text), tx.beginningExpression(k.mention), k.at}
	into := []any{&row.ID, &row.Text, &row.Name, &row.At}
	var searched []sql.NullString
	if wanted != nil {
		columns = append(columns, k.searched...)
		searched = make([]sql.NullString, len(k.searched))
		for i := range searched {
			into = append(into, &searched[i])
		}
	}
	holds := func(s sql.NullString) bool { return wanted.matchRow(s.String) }
	list := []Row{}
	seen := map[string]bool{} // an insight has several rows
	err := tx.sql.Each(func(scan query.Scan) error {
		if err := scan(into...); err != nil {
			return err
		}
		row.Text, row.Name = strings.ToValidUTF8(row.Text, ""), strings.ToValidUTF8(row.Name, "") // they may be cut in a character
		if seen[row.ID] || wanted != nil && !slices.ContainsFunc(searched, holds) {
			return nil
		}
		seen[row.ID] = true
		if list = append(list, row); len(list) == limit {
			return query.ErrEnded
		}
		return nil
	}, fmt.Sprintf(`SELECT %s FROM %s WHERE %s ORDER BY %s`, strings.Join(columns, ", "), k.from, condition, cmp.Or(k.order, k.id)), arguments...)
	if errors.Is(err, query.ErrEnded) {
		err = nil
	}
	return list, err
}

// beginningExpression returns the SQL for the beginning of a text. SQLite would end one at a zero character; its bytes
// it does not.
func (tx Rows) beginningExpression(expression string) string {
	return tx.sql.ForEngine(fmt.Sprintf(`coalesce(CAST(substr(CAST(%s AS BLOB), 1, %d) AS TEXT), '')`, expression, maxTextLength), fmt.Sprintf(`coalesce(substr(%s, 1, %d), '')`, expression, maxTextLength))
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

// FindEntitiesInside returns entities and everything that lives inside them, by their rows: a
// chart's steps, sub-charts and beats, a step's sub-chart, a beat's sub-beats.
func (tx Rows) FindEntitiesInside(entities []int64) ([]int64, error) {
	return tx.sql.IDs(tx.sql.ForEngine(`WITH RECURSIVE inside(id) AS (
			SELECT value FROM json_each(?)
			UNION SELECT s.entity_id FROM inside i JOIN steps s ON s.chart_id = i.id
			UNION SELECT c.entity_id FROM inside i JOIN charts c ON c.parent_step_id = i.id
			UNION SELECT b.entity_id FROM inside i JOIN beats b ON b.chart_id = i.id
			UNION SELECT b.entity_id FROM inside i JOIN beats b ON b.parent_beat_id = i.id)
		SELECT id FROM inside`, `WITH RECURSIVE inside(id) AS (
			SELECT value FROM json_each(?)
			UNION SELECT b.id FROM inside i CROSS JOIN LATERAL (SELECT entity_id FROM steps WHERE chart_id = i.id
				UNION ALL SELECT entity_id FROM charts WHERE parent_step_id = i.id
				UNION ALL SELECT entity_id FROM beats WHERE chart_id = i.id
				UNION ALL SELECT entity_id FROM beats WHERE parent_beat_id = i.id) AS b(id))
		SELECT id FROM inside`), query.List(entities))
}

// insideListArgument returns the list of named entities and all that lives inside them.
func (tx Rows) insideListArgument(names []string) (any, error) {
	rows, err := tx.sql.IDs(`SELECT id FROM entities WHERE name IN (SELECT value FROM json_each(?)) ORDER BY name`, query.List(names))
	if err != nil {
		return nil, err
	}
	inside, err := tx.FindEntitiesInside(rows)
	return query.List(inside), err
}
