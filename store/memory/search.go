package memory

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"toolkit/store/internal/query"
)

// Statistics are what is known of the rows of one source as a whole. The
// maps count the rows that hold an index term in a column; absent is 0.
type Statistics struct {
	Rows    int
	Words   int
	Body    map[string]int
	Day     map[string]int
	Sources map[string]int // dialogue that insights came from
}

// memoryTables are the table of a source's rows and its full-text tables.
type memoryTables struct{ rows, words, vocabulary string }

var tablesOf = map[Source]memoryTables{
	SourceDialogue: {"l0_raw", "memory_words_l0", "memory_vocabulary_l0"},
	SourceInsight:  {"l2_insights", "memory_words_l2", "memory_vocabulary_l2"},
	SourceEpisode:  {"episode_memory", "memory_words_episode", "memory_vocabulary_episode"},
}

// Statistics returns the statistics of a source for some terms.
func (tx Rows) Statistics(source Source, terms []string) (*Statistics, error) {
	s := &Statistics{Body: map[string]int{}, Day: map[string]int{}, Sources: map[string]int{}}
	if err := tx.sql.Row(`SELECT rows, words FROM memory_statistics WHERE source = ?`, string(source)).Scan(&s.Rows, &s.Words); err != nil {
		return nil, err
	}
	if len(terms) == 0 {
		return s, nil
	}
	columns := map[string]map[string]int{"body": s.Body, "day": s.Day, "sources": s.Sources}
	err := tx.sql.Each(func(scan query.Scan) error {
		var term, column string
		var rows int
		err := scan(&term, &column, &rows)
		if counts := columns[column]; counts != nil {
			counts[term] = rows
		}
		return err
	}, `SELECT v.term, v.col, v.doc FROM json_each(?) t CROSS JOIN `+tablesOf[source].vocabulary+` v ON v.term = t.value`, query.List(terms))
	return s, err
}

// CountIndexed counts the indexed rows of each source.
func (tx Rows) CountIndexed() (map[Source]int, error) {
	return query.Map[Source, int](tx.sql, `SELECT source, rows FROM memory_statistics`)
}

// Filter restricts a search, before ranking; zero fields do not. A source
// that cannot have what a filter asks for (the speaker of an episode) has no rows
// then.
type Filter struct {
	SessionID       string    // dialogue of the session, insights made of such
	Project         int64     // dialogue captured in its sessions, insights made of such or remembered for it
	ExcludedSession string    // a session: no dialogue of it, nor insights made of such; Restricts does not count it
	Speaker         string    // dialogue of the speaker, insights made of such
	Tags            []string  // all of them
	CreatedAfter    time.Time // inclusive
	CreatedBefore   time.Time // exclusive
	FidelityMin     *float64  // of insights; other sources are not restricted
	RewardMin       *float64  // of episodes; other sources are not restricted
	IncludeRetired  bool      // superseded and deleted insights too
	Newest          bool      // Match ranks by age, which costs nothing however many rows match
}

// Restricts reports whether the filter excludes more than retired rows of a
// source.
func (f Filter) Restricts(source Source) bool {
	return f.SessionID != "" || f.Project != 0 || f.Speaker != "" || len(f.Tags) > 0 || !f.CreatedAfter.IsZero() || !f.CreatedBefore.IsZero() ||
		f.FidelityMin != nil && source == SourceInsight || f.RewardMin != nil && source == SourceEpisode
}

// condition is the filter as SQL over a row r of memory_rows. Insights have the
// sessions, speakers and tags of the dialogue they came from.
func (f Filter) condition(source Source, a *queryArguments) string {
	parts := []string{`r.source = ` + a.add(string(source))}
	if !f.IncludeRetired {
		parts = append(parts, `r.retired = 0`)
	}
	if !f.CreatedAfter.IsZero() {
		parts = append(parts, `r.created >= `+a.add(millis(f.CreatedAfter)))
	}
	if !f.CreatedBefore.IsZero() {
		parts = append(parts, `r.created < `+a.add(millis(f.CreatedBefore)))
	}
	switch source {
	case SourceDialogue:
		parts = append(parts, f.dialogueConditions(a)...)
	case SourceInsight:
		parts = append(parts, f.insightConditions(a)...)
	case SourceEpisode:
		if f.SessionID != "" || f.Project != 0 || f.Speaker != "" || len(f.Tags) > 0 {
			parts = append(parts, `FALSE`)
		}
		if f.RewardMin != nil {
			parts = append(parts, `EXISTS (SELECT 1 FROM episode_memory e WHERE e.id = r.row_id AND e.reward >= `+a.add(*f.RewardMin)+`)`)
		}
	}
	return strings.Join(parts, " AND ")
}

func (f Filter) dialogueConditions(a *queryArguments) (parts []string) {
	if f.SessionID != "" {
		parts = append(parts, `r.session = `+a.add(f.SessionID))
	}
	if f.Project != 0 {
		of := a.add(f.Project)
		parts = append(parts, `(r.session IN (SELECT session_id FROM capture_sessions WHERE project = `+of+`) AND r.row_id NOT IN (SELECT l0_id FROM capture_turns WHERE project IS DISTINCT FROM `+of+`)
			OR r.row_id IN (SELECT l0_id FROM capture_turns WHERE project = `+of+`))`)
	}
	if f.ExcludedSession != "" {
		parts = append(parts, `r.session IS DISTINCT FROM `+a.add(f.ExcludedSession))
	}
	if f.Speaker != "" {
		parts = append(parts, `r.speaker = `+a.add(f.Speaker))
	}
	if tags := distinctTags(f.Tags); len(tags) > 0 {
		parts = append(parts, `r.row_id IN (SELECT l0_id FROM l0_tags WHERE tag IN (SELECT value FROM json_each(`+a.add(query.List(tags))+`))
			GROUP BY l0_id HAVING count(*) = `+a.add(len(tags))+`)`)
	}
	return parts
}

func (f Filter) insightConditions(a *queryArguments) (parts []string) {
	if f.SessionID != "" {
		parts = append(parts, `r.row_id IN (SELECT s.insight_id FROM l0_raw d JOIN l2_sources s ON s.l0_id = d.id WHERE d.session_id = `+a.add(f.SessionID)+`)`)
	}
	if f.Project != 0 {
		of := a.add(f.Project)
		parts = append(parts, `r.row_id IN (SELECT s.insight_id FROM capture_sessions c JOIN l0_raw d ON d.session_id = c.session_id JOIN l2_sources s ON s.l0_id = d.id
				WHERE c.project = `+of+` AND d.id NOT IN (SELECT l0_id FROM capture_turns WHERE project IS DISTINCT FROM `+of+`)
			UNION SELECT s.insight_id FROM capture_turns m JOIN l2_sources s ON s.l0_id = m.l0_id WHERE m.project = `+of+`
			UNION SELECT id FROM l2_insights WHERE iif(json_valid(metadata), metadata ->> '$.project', NULL) IN (
				WITH RECURSIVE part(id) AS (SELECT `+of+` UNION SELECT p.id FROM capture_projects p JOIN part ON p.joined = part.id) SELECT key FROM capture_projects JOIN part USING (id)))`)
	}
	if f.ExcludedSession != "" {
		parts = append(parts, `r.row_id NOT IN (SELECT s.insight_id FROM l0_raw d JOIN l2_sources s ON s.l0_id = d.id WHERE d.session_id = `+a.add(f.ExcludedSession)+`)`)
	}
	if f.Speaker != "" {
		parts = append(parts, `r.row_id IN (SELECT s.insight_id FROM l0_raw d JOIN l2_sources s ON s.l0_id = d.id WHERE d.speaker = `+a.add(f.Speaker)+`)`)
	}
	if tags := distinctTags(f.Tags); len(tags) > 0 {
		parts = append(parts, `r.row_id IN (SELECT s.insight_id FROM l0_tags t JOIN l2_sources s ON s.l0_id = t.l0_id
			WHERE t.tag IN (SELECT value FROM json_each(`+a.add(query.List(tags))+`))
			GROUP BY s.insight_id HAVING count(DISTINCT t.tag) = `+a.add(len(tags))+`)`)
	}
	if f.FidelityMin != nil {
		parts = append(parts, `EXISTS (SELECT 1 FROM l2_insights i WHERE i.id = r.row_id AND i.fidelity_score >= `+a.add(*f.FidelityMin)+`)`)
	}
	return parts
}

func distinctTags(tags []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(tags)))
}

// Filter returns up to limit ids of the indexed rows of a source that a
// filter permits, newest first.
func (tx Rows) Filter(source Source, f Filter, limit int) ([]int64, error) {
	var a queryArguments
	query := `SELECT r.id FROM memory_rows r WHERE ` + f.condition(source, &a) + ` ORDER BY r.created DESC, r.id DESC LIMIT `
	query += a.add(limit)
	return tx.sql.IDs(query, a.values...)
}

// Match returns up to limit ids of the rows of a source that match an FTS5
// expression and that a filter permits, best first by BM25, or the newest.
func (tx Rows) Match(source Source, expression string, f Filter, limit int) ([]int64, error) {
	var a queryArguments
	words := tablesOf[source].words
	statement := `SELECT w.rowid FROM ` + words + ` w`
	match := ` WHERE w.` + words + ` MATCH ` + a.add(query.Match{Words: words, Expression: expression})
	if source == SourceInsight && !f.IncludeRetired || f.ExcludedSession != "" || f.Restricts(source) {
		statement += ` CROSS JOIN memory_rows r ON r.id = w.rowid` // best first, so that the limit ends it
		match += ` AND ` + f.condition(source, &a)
	}
	if f.Newest {
		statement += match + ` ORDER BY w.rowid DESC LIMIT `
		statement += a.add(limit)
		return tx.sql.FindNewestInIndex(words, limit, statement, a.values...)
	}
	statement += match + tx.sql.ForEngine(` ORDER BY w.rank LIMIT `, ` ORDER BY w.rank, w.rowid DESC LIMIT `)
	statement += a.add(limit)
	return tx.sql.IDs(statement, a.values...)
}

// IndexedNeighbours returns the indexed rows of the given ids and up to reach rows
// before and after each in its session, by time, with their Position in it as far as
// that is known. Permitted says what a filter thinks of each.
func (tx Rows) IndexedNeighbours(source Source, ids []int64, reach int, f Filter) ([]Indexed, error) {
	var a queryArguments
	wanted, span := a.add(query.List(ids)), a.add(reach)
	permitted := `TRUE`
	if source == SourceInsight && !f.IncludeRetired || f.ExcludedSession != "" || f.Restricts(source) {
		permitted = f.condition(source, &a)
	}
	list, err := query.Select(tx.sql, func(m *Indexed) []any {
		return []any{&m.Source, &m.ID, &m.RowID, &m.SessionID, &m.Speaker, &m.Created, &m.Retired, &m.Terms, &m.Day, &m.SourceTerms, &m.Permitted}
	}, `SELECT r.source, r.id, r.row_id, coalesce(r.session, ''), r.speaker, r.created, r.retired, r.terms, r.day, r.source_terms, `+permitted+`
		FROM memory_rows r WHERE r.id IN (
			SELECT value FROM json_each(`+wanted+`)
			UNION
			SELECT n.id FROM json_each(`+wanted+`) j CROSS JOIN memory_rows h ON h.id = j.value
				CROSS JOIN memory_rows n ON n.id IN (`+neighbourQuery("<", "DESC", span)+` UNION ALL `+neighbourQuery(">", "ASC", span)+`))
		ORDER BY r.id`, a.values...)
	assignPositions(list, ids, reach)
	return list, err
}

// SourceTurns are the indexed rows of up to most turns that each of some insights came
// from, in the order of the turns; the insights by the ids of their indexed rows.
func (tx Rows) SourceTurns(insights []int64, limit int) (map[int64][]int64, error) {
	origins := map[int64][]int64{}
	err := tx.sql.Each(func(scan query.Scan) error {
		var insight, turn int64
		err := scan(&insight, &turn)
		if len(origins[insight]) < limit {
			origins[insight] = append(origins[insight], turn)
		}
		return err
	}, `SELECT i.id, d.id FROM json_each(?) j CROSS JOIN memory_rows i ON i.id = j.value AND i.source = 'l2'
		CROSS JOIN l2_sources s ON s.insight_id = i.row_id CROSS JOIN memory_rows d ON d.source = 'l0' AND d.row_id = s.l0_id
		ORDER BY i.id, d.id`, query.List(insights))
	return origins, err
}

// InsightsFromTurns are the indexed rows of up to limit insights, the newest, that came from turns,
// all by the ids of indexed rows.
func (tx Rows) InsightsFromTurns(turns []int64, limit int) ([]int64, error) {
	return tx.sql.IDs(`SELECT DISTINCT i.id FROM json_each(?) j CROSS JOIN memory_rows d ON d.id = j.value AND d.source = 'l0'
		CROSS JOIN l2_sources s ON s.l0_id = d.row_id CROSS JOIN memory_rows i ON i.source = 'l2' AND i.row_id = s.insight_id
		ORDER BY i.id DESC LIMIT ?`, query.List(turns), limit)
}

// RowsAt returns the rows behind ids of indexed rows, by those ids. What no
// longer exists is left out.
func (tx Rows) RowsAt(ids []int64) (map[int64]Row, error) {
	// Here as elsewhere CROSS JOIN makes the planner begin with the list of ids; it has no
	// statistics and would read the whole table.
	indexed, err := query.Select(tx.sql, func(m *Indexed) []any { return []any{&m.ID, &m.Source, &m.RowID} },
		`SELECT r.id, r.source, r.row_id FROM json_each(?) j CROSS JOIN memory_rows r ON r.id = j.value`, query.List(ids))
	if err != nil {
		return nil, err
	}
	rows := make(map[int64]Row, len(indexed))
	for _, source := range Sources {
		var wanted []int64
		indexedAs := map[int64]int64{}
		for _, m := range indexed {
			if m.Source == source {
				wanted, indexedAs[m.RowID] = append(wanted, m.RowID), m.ID
			}
		}
		if len(wanted) == 0 {
			continue
		}
		list, err := tx.RowsOf(source, wanted)
		if err != nil {
			return nil, err
		}
		for _, row := range list {
			rows[indexedAs[row.ID]] = row
		}
	}
	return rows, nil
}

// positionGap is how far from each other places stand of rows between which others may be.
const positionGap = 1000

// neighbourQuery are the ids of up to reach turns on one side of a turn h in its session, by
// time and, where that is equal, by arrival. Only dialogue has sessions. One query
// for each kind of comparison lets the index answer it, however many times are equal.
func neighbourQuery(side, order, reach string) string {
	some := func(condition string) string {
		return `SELECT * FROM (SELECT m.id, m.created FROM memory_rows m WHERE m.session = h.session AND ` + condition + ` ORDER BY m.created ` + order + `, m.id ` + order + ` LIMIT ` + reach + `)`
	}
	return `SELECT id FROM (SELECT * FROM (` + some(`m.created = h.created AND m.id `+side+` h.id`) + ` UNION ALL ` + some(`m.created `+side+` h.created`) + `)
		ORDER BY created ` + order + `, id ` + order + ` LIMIT ` + reach + `)`
}

// assignPositions gives rows their places in their sessions, as far as they are known: the
// rows up to reach before and after each wanted one are next to it.
func assignPositions(list []Indexed, wanted []int64, reach int) {
	order := make([]*Indexed, 0, len(list))
	for i := range list {
		if list[i].SessionID != "" {
			order = append(order, &list[i])
		}
	}
	slices.SortFunc(order, func(a, b *Indexed) int {
		return cmp.Or(cmp.Compare(a.SessionID, b.SessionID), cmp.Compare(a.Created, b.Created), cmp.Compare(a.ID, b.ID))
	})
	known := make(map[int64]bool, len(wanted))
	for _, id := range wanted {
		known[id] = true
	}
	follows := make([]bool, len(order)) // the row before directly
	for i, row := range order {
		if known[row.ID] {
			for at := max(i-reach, 0) + 1; at <= min(i+reach, len(order)-1); at++ {
				follows[at] = true
			}
		}
	}
	for i, row := range order {
		switch {
		case i == 0 || order[i-1].SessionID != row.SessionID:
			row.Position = 1
		case follows[i]:
			row.Position = order[i-1].Position + 1
		default:
			row.Position = order[i-1].Position + positionGap
		}
	}
}

// CountTurnsUpTo count the turns of a session up to each of some indexed rows, by their ids.
func (tx Rows) CountTurnsUpTo(ids []int64) (map[int64]int, error) {
	return query.Map[int64, int](tx.sql, `SELECT h.id, (SELECT count(*) FROM memory_rows m WHERE m.session = h.session AND m.created < h.created)
			+ (SELECT count(*) FROM memory_rows m WHERE m.session = h.session AND m.created = h.created AND m.id <= h.id)
		FROM json_each(?) j CROSS JOIN memory_rows h ON h.id = j.value`, query.List(ids))
}
