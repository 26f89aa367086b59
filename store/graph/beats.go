package graph

import (
	"encoding/json"
	"errors"
	"strconv"

	"toolkit/store/internal/query"
)

// Beat is a narrative beat. Narrative, Alignment and Directions are JSON
// objects whose shape is the family's.
type Beat struct {
	Row        int64
	Name       string
	Title      string
	ChartID    string // id of the root chart; empty when imported without it
	ParentBeat string // name of the beat it details, or empty
	Act        float64
	Type       string // type_dramatic
	Universes  []string
	OccurredAt string // RFC 3339
	Narrative  json.RawMessage
	Alignment  json.RawMessage
	Directions json.RawMessage
	Body       string // the text of the narrative, for search; it is not read back

	ChartRow  int64 // 0 without chart
	ParentRow int64 // of the beat it details, or 0
}

// beatColumns reads a Beat; see fields.
const beatColumns = `SELECT e.id, e.name, e.title, coalesce(b.chart_id, 0), coalesce(c.name, ''), coalesce(b.parent_beat_id, 0), coalesce(p.name, ''),
	b.act, b.type_dramatic, b.universes, b.occurred_at,
	coalesce(nullif(nullif(b.narrative, ''), 'null'), '{}'), coalesce(nullif(nullif(b.alignment, ''), 'null'), '{}'), coalesce(nullif(nullif(b.directions, ''), 'null'), '{}')
	FROM beats b JOIN entities e ON e.id = b.entity_id
	LEFT JOIN entities c ON c.id = b.chart_id LEFT JOIN entities p ON p.id = b.parent_beat_id `

func (b *Beat) fields() []any {
	return []any{&b.Row, &b.Name, &b.Title, &b.ChartRow, &b.ChartID, &b.ParentRow, &b.ParentBeat, &b.Act, &b.Type, query.FromJSON(&b.Universes), &b.OccurredAt,
		query.FromJSON(&b.Narrative), query.FromJSON(&b.Alignment), query.FromJSON(&b.Directions)}
}

// Beat returns the narrative beat of a name, or nil.
func (tx Rows) Beat(name string) (*Beat, error) {
	return query.Get(tx.sql, (*Beat).fields, beatColumns+`WHERE e.name = ?`, name)
}

// BeatsByTitle returns up to limit beats whose title folds to the same text,
// oldest first.
func (tx Rows) BeatsByTitle(title string, limit int) ([]*Beat, error) {
	return query.SelectPointers(tx.sql, (*Beat).fields, beatColumns+`WHERE e.kind = 'beat' AND e.kind <> 'plain' AND e.folded_title = ? ORDER BY e.id LIMIT ?`, Fold(title), limit)
}

// BeatsAt returns the beats of the given rows, in their order.
func (tx Rows) BeatsAt(rows []int64) ([]*Beat, error) {
	return query.SelectPointers(tx.sql, (*Beat).fields, beatColumns+`JOIN json_each(?) j ON j.value = b.entity_id ORDER BY j.key`, query.List(rows))
}

// BeatFilter chooses beats of a list.
type BeatFilter struct {
	Chart     int64                         // row of the chart, 0 for all
	Universes func(universes []string) bool // nil for all
	Limit     int
	Offset    int
}

// Beats returns a page of beats by act, then time, then age; more tells that
// the list goes on.
func (tx Rows) Beats(f BeatFilter) (beats []*Beat, more bool, err error) {
	// The narratives are read for the page alone.
	var rows []int64
	matched := 0
	fields := func(b *Beat) []any { return []any{&b.Row, query.FromJSON(&b.Universes)} }
	collect := func(b Beat) error {
		if f.Universes != nil && !f.Universes(b.Universes) {
			return nil
		}
		matched++
		switch {
		case matched <= f.Offset:
		case len(rows) == f.Limit:
			more = true
			return query.ErrEnded
		default:
			rows = append(rows, b.Row)
		}
		return nil
	}
	if f.Chart != 0 {
		err = query.EachRow(tx.sql, fields, collect, `SELECT entity_id, universes FROM beats WHERE chart_id = ? ORDER BY act, occurred_at, entity_id`, f.Chart)
	} else {
		err = query.EachRow(tx.sql, fields, collect, `SELECT entity_id, universes FROM beats ORDER BY act, occurred_at, entity_id`)
	}
	if err != nil && !errors.Is(err, query.ErrEnded) {
		return nil, false, err
	}
	beats, err = tx.BeatsAt(rows)
	return beats, more, err
}

// InsertBeat adds a beat under the next free <chart>_beat_<k>, or <parent>_beat_<k> for a
// sub-beat, and ties it to its chart and parent.
func (tx Rows) InsertBeat(b Beat) (*Beat, error) {
	var err error
	if b.Row, err = tx.insertBeatEntity(b); err != nil {
		return nil, err
	}
	if err := tx.InsertBeatOfNode(b); err != nil {
		return nil, err
	}
	return query.Get(tx.sql, (*Beat).fields, beatColumns+`WHERE b.entity_id = ?`, b.Row)
}

func (tx Rows) insertBeatEntity(b Beat) (int64, error) {
	owner, row := b.ChartID, b.ChartRow
	next := `UPDATE charts SET next_beat = next_beat + 1 WHERE entity_id = ? RETURNING next_beat - 1`
	if b.ParentRow != 0 {
		owner, row = b.ParentBeat, b.ParentRow
		next = `UPDATE beats SET next_sub = next_sub + 1 WHERE entity_id = ? RETURNING next_sub - 1`
	}
	for {
		var number int
		if err := tx.sql.Row(next, row).Scan(&number); err != nil {
			return 0, err
		}
		id, err := tx.InsertEntity(NewEntity{
			Name: owner + "_beat_" + strconv.Itoa(number), Type: TypeBeat, Kind: KindBeat, Title: b.Title, Body: b.Body,
		})
		if errors.Is(err, ErrExists) {
			continue // an entity of that name came from elsewhere
		}
		return id, err
	}
}
