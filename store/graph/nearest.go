package graph

import (
	"strings"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/internal/query"
)

// Group names what a reference may mean: a chart, a step or a beat.
type Group string

// Groups of chart nodes. A step that is a chart of its own is in both groups.
const (
	Charts Group = "charts"
	Steps  Group = "steps"
	Beats  Group = "beats"
)

func (g Group) kinds() []Kind {
	switch g {
	case Charts:
		return []Kind{KindChart}
	case Steps:
		return []Kind{KindStep, KindChart}
	}
	return []Kind{KindBeat}
}

// Title is a chart node by its two names.
type Title struct {
	ID    string
	Title string
}

const (
	maxNeighbours = 20 // candidates taken from each side of a place in an index
	maxWordHits   = 60 // candidates taken by words
	maxWords      = 8  // words of a text that are looked for
	maxTextRunes  = 200
)

// FindTitleCandidates returns a bounded set of nodes that resemble a text: those whose
// title or id stands beside it in alphabetical order and those that share a
// word or the beginning of one. Callers rank them.
func (tx Rows) FindTitleCandidates(group Group, text string) ([]Title, error) {
	text = clipTitle(text)
	folded := Fold(text)
	c := candidates{seen: map[string]bool{}}
	for _, kind := range group.kinds() {
		// kind <> 'plain' is the condition of the partial index entities_title.
		for _, query := range []string{
			`SELECT id, name, title FROM entities WHERE kind = ? AND kind <> 'plain' AND folded_title >= ? ORDER BY folded_title, id LIMIT ?`,
			`SELECT id, name, title FROM entities WHERE kind = ? AND kind <> 'plain' AND folded_title < ? ORDER BY folded_title DESC, id DESC LIMIT ?`,
		} {
			if err := tx.sql.Each(c.add, query, string(kind), folded, maxNeighbours); err != nil {
				return nil, err
			}
		}
		// Ids are neighbours within all names, so the kind is tested outside.
		for _, query := range []string{
			`SELECT id, name, title FROM (SELECT id, name, title, kind FROM entities WHERE name >= ?2 ORDER BY name LIMIT ?3) WHERE kind = ?1`,
			`SELECT id, name, title FROM (SELECT id, name, title, kind FROM entities WHERE name < ?2 ORDER BY name DESC LIMIT ?3) WHERE kind = ?1`,
		} {
			if err := tx.sql.Each(c.add, query, string(kind), strings.TrimSpace(text), maxNeighbours); err != nil {
				return nil, err
			}
		}
	}
	if match := titleMatchExpression(folded); match != "" {
		for _, kind := range group.kinds() {
			err := tx.sql.Each(c.add, `SELECT e.id, e.name, e.title FROM entity_words w JOIN entities e ON e.id = w.rowid
				WHERE w.entity_words MATCH ? AND e.kind = ? ORDER BY w.rank, e.id LIMIT ?`, query.Match{Words: "entity_words", Expression: match}, string(kind), maxWordHits)
			if err != nil {
				return nil, err
			}
		}
	}
	return tx.dropChartsThatAreNoSteps(group, c)
}

// RecentNodes returns the newest nodes of a group, newest first.
func (tx Rows) RecentNodes(group Group, limit int) ([]Title, error) {
	query := map[Group]string{
		Charts: `SELECT e.id, e.name, e.title FROM charts n JOIN entities e ON e.id = n.entity_id ORDER BY n.entity_id DESC LIMIT ?`,
		Steps:  `SELECT e.id, e.name, e.title FROM steps n JOIN entities e ON e.id = n.entity_id ORDER BY n.entity_id DESC LIMIT ?`,
		Beats:  `SELECT e.id, e.name, e.title FROM beats n JOIN entities e ON e.id = n.entity_id ORDER BY n.entity_id DESC LIMIT ?`,
	}[group]
	c := candidates{seen: map[string]bool{}}
	err := tx.sql.Each(c.add, query, limit)
	return c.nodes, err
}

// candidates collects nodes once each.
type candidates struct {
	rows  []int64
	nodes []Title
	seen  map[string]bool
}

func (c *candidates) add(scan query.Scan) error {
	var row int64
	var n Title
	if err := scan(&row, &n.ID, &n.Title); err != nil {
		return err
	}
	if !c.seen[n.ID] {
		c.seen[n.ID] = true
		c.rows, c.nodes = append(c.rows, row), append(c.nodes, n)
	}
	return nil
}

// dropChartsThatAreNoSteps drops charts that are no step when steps were asked for.
func (tx Rows) dropChartsThatAreNoSteps(group Group, c candidates) ([]Title, error) {
	if group != Steps || len(c.rows) == 0 {
		return c.nodes, nil
	}
	rows, err := tx.sql.IDs(`SELECT s.entity_id FROM json_each(?) j JOIN steps s ON s.entity_id = j.value`, query.List(c.rows))
	allSteps := make(map[int64]bool, len(rows))
	for _, row := range rows {
		allSteps[row] = true
	}
	steps, filtered := allSteps, c.nodes[:0]
	for i, n := range c.nodes {
		if steps[c.rows[i]] {
			filtered = append(filtered, n)
		}
	}
	return filtered, err
}

// titleMatchExpression returns the full-text query for titles with any word of a text or a word that
// begins like one.
func titleMatchExpression(text string) string {
	words := language.Wordings(text)
	parts := make([]string, min(len(words), maxWords))
	for i := range parts {
		parts[i] = store.MatchAnyWording(words[i], "*")
	}
	if len(parts) == 0 {
		return ""
	}
	return "title : (" + strings.Join(parts, " OR ") + ")"
}

// clipTitle shortens a text to what a title could be, and makes it valid UTF-8.
func clipTitle(text string) string {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\x00", ""), "")
	if utf8.RuneCountInString(text) <= maxTextRunes {
		return text
	}
	return string([]rune(text)[:maxTextRunes])
}
