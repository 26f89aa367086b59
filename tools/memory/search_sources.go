package memory

import (
	"slices"
	"strings"

	"toolkit/internal/search"
	"toolkit/store/memory"
)

const (
	// maxInheritingInsights bounds the insights of a search that are scored with the turns
	// they came from.
	maxInheritingInsights = 200
	// maxTurnsPerInsight bounds those turns, of each.
	maxTurnsPerInsight = 20
)

// addInsightsOfDays adds the insights from turns of the days that the query names, which may
// have been stored on another one.
func (c *candidates) addInsightsOfDays(tx memory.Rows) error {
	items := c.analysed.DayTerms()
	days := make([]search.Candidate, len(items))
	for i, term := range items {
		days[i] = search.Candidate{Column: search.DayColumn, Term: term}
	}
	if len(days) == 0 || c.source != memory.SourceInsight || c.all {
		return nil
	}
	turns, err := tx.Match(memory.SourceDialogue, search.BuildMatchExpression(days), memory.Filter{Newest: true}, minInsights)
	if err != nil {
		return err
	}
	ids, err := tx.InsightsFromTurns(turns, minInsights)
	for _, id := range ids {
		c.addRow(id)
	}
	return err
}

// addSourceTurns reads the turns that insights came from, with those around them, all at
// once: an insight is as near to a question as its source is, and has its days. Where
// no day is asked for, only insights take part that hold a word of the question, or
// whose sources do.
func (c *candidates) addSourceTurns(tx memory.Rows) error {
	var ids []int64
	for _, id := range c.ids {
		if row := c.rows[id]; row != nil && (len(c.analysed.Days) > 0 || row.evidence.HasMatch() || row.sources != nil && row.sources.HasMatch()) {
			ids = append(ids, id)
		}
	}
	origins, err := tx.SourceTurns(ids[:min(len(ids), maxInheritingInsights)], maxTurnsPerInsight)
	if err != nil || len(origins) == 0 {
		return err
	}
	var turns []int64
	for _, of := range origins {
		turns = append(turns, of...)
	}
	slices.Sort(turns)
	list, err := tx.IndexedNeighbours(memory.SourceDialogue, slices.Compact(turns), search.Neighbours, memory.Filter{})
	if err != nil {
		return err
	}
	read := c.addCandidates(list)
	for id, of := range origins {
		for _, turn := range of {
			if t := read[turn]; t != nil {
				row := c.rows[id]
				row.origins = append(row.origins, t)
				row.Day += " " + t.Day
				row.evidence.AddDayEvidence(t.evidence)
			}
		}
	}
	return c.addContextStatistics(tx)
}

// addContextStatistics learns how rare those words of the question are in dialogue that no
// insight holds.
func (c *candidates) addContextStatistics(tx memory.Rows) error {
	var terms []string
	for _, term := range c.scorer.UnknownTerms() {
		terms = append(terms, term.Forms...)
	}
	if len(terms) == 0 {
		return nil
	}
	known, err := tx.Statistics(memory.SourceDialogue, terms)
	if err == nil {
		c.scorer.AddContextStatistics(search.Statistics{Rows: known.Rows, Body: known.Body})
	}
	return err
}

// addCandidates makes candidates of rows that were read, by their ids.
func (c *candidates) addCandidates(list []memory.Indexed) map[int64]*candidate {
	rows := make(map[int64]*candidate, len(list))
	for _, m := range list {
		row := &candidate{Indexed: m, evidence: c.scorer.CountEvidence(strings.Fields(m.Terms), strings.Fields(m.Day))}
		if m.SourceTerms != "" {
			row.sources = c.scorer.CountEvidence(strings.Fields(m.SourceTerms), nil)
		}
		rows[m.ID] = row
		if m.SessionID != "" {
			c.byPlace[place{m.SessionID, m.Position}] = row
		}
	}
	return rows
}

// view is a row as it is scored: with what stands around it, and who says it.
type view struct {
	window  search.Window
	speaker string
}

// listScoringViews returns the ways to look at a row: as it stands, or at an insight once from the
// place of each turn that it came from. A turn is found by its neighbours too, an
// insight only by its own words or vector, or the words of its sources.
func (c *candidates) listScoringViews(row *candidate) (list []view) {
	if row.Source != memory.SourceInsight {
		return []view{{c.contextWindow(row), row.Speaker}}
	}
	for _, turn := range row.origins {
		w := c.contextWindow(turn)
		w[search.Neighbours] = row.evidence.Merge(turn.evidence)
		list = append(list, view{w, turn.Speaker})
	}
	if len(list) == 0 {
		list = append(list, view{c.contextWindow(row), ""})
	}
	if c.foundByVector[row.ID] {
		return list
	}
	return slices.DeleteFunc(list, func(v view) bool { return !v.window[search.Neighbours].HasMatch() })
}

// bestScore is the best that a row reaches by any of its views.
func (c *candidates) bestScore(p *search.Profile, views []view, named []string) (best float64) {
	for _, v := range views {
		best = max(best, c.scorer.Score(p, v.window, slices.Contains(named, v.speaker)))
	}
	return best
}
