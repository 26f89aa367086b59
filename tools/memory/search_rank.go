package memory

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"toolkit/internal/search"
	"toolkit/store/memory"
)

const (
	// matchBudget is about how many rows the full-text index may have to rank, at
	// 3 µs each.
	matchBudget = 2000
	// minMatches is how many of them are taken, with their neighbours.
	minMatches = 60
	// minInsights is how many are taken of insights, which come without.
	minInsights = 120
	// fewMatches is the number of candidates below which words like those of the query
	// are looked for, where there are no vectors. It does not follow a small top_k: the first of five results must be
	// the one result.
	fewMatches = 10
	// nearestRows is how many rows the vectors add.
	nearestRows = 40
	// maxEnumeratedRows is the number of rows up to which a filter's rows are all
	// scored: no word is too common to be found among so few.
	maxEnumeratedRows = 500
)

// ranked is a row in the fused order of its source.
type ranked struct {
	search.Fused
	keywordScore float64
	strength     float64 // of its evidence, by which rows of its source are in order
	place        int     // in that order
	relevance    float64
}

// ranking is what one source has for a query.
type ranking struct {
	rows              []ranked
	semantic, keyword int // candidates of each channel
}

// searchAndRankSource searches one source. With likeWords it also looks for rows that hold words like those of
// the query.
func (s *Search) searchAndRankSource(ctx context.Context, tx memory.Rows, c *candidates, likeWords bool) (*ranking, error) {
	if err := c.findByWords(tx); err != nil {
		return nil, err
	}
	if err := c.addInsightsOfDays(tx); err != nil {
		return nil, err
	}
	if err := c.awaitQueryVector(ctx); err != nil {
		return nil, err
	}
	few := c.vector == nil && len(c.ids) < max(fewMatches, c.TopK) // the vectors find what is like it
	if likeWords && (few || c.scorer.HasUnknownTerms()) {
		if err := c.addRowsOfSimilarWords(tx, few); err != nil {
			return nil, err
		}
	}
	if c.vector != nil && c.statistics.Rows > 0 {
		if err := s.addNearestRows(ctx, tx, c); err != nil {
			return nil, err
		}
	}
	if len(c.ids) == 0 {
		return &ranking{}, nil
	}
	if err := c.loadRowsAndNeighbours(tx); err != nil {
		return nil, err
	}
	if c.foundByVector != nil {
		if err := s.addSimilarities(ctx, tx, c); err != nil {
			return nil, err
		}
	}
	return c.fuseScores(), nil
}

// addNearestRows adds the rows whose vectors are nearest to that of the query.
func (s *Search) addNearestRows(ctx context.Context, tx memory.Rows, c *candidates) error {
	nearest, err := s.findNearestRows(ctx, tx, c.searchState, c.source, max(nearestRows, c.TopK), c.ids, c.all)
	c.foundByVector = make(map[int64]bool, len(nearest))
	for _, n := range nearest {
		c.addRow(n.ID)
		c.foundByVector[n.ID] = true
	}
	return err
}

// candidates are the rows of one source that are scored for a query.
type candidates struct {
	*searchState
	source        memory.Source
	known         *memory.Statistics // of the source, where they were read already
	statistics    search.Statistics
	scorer        *search.Scorer
	ids           []int64        // rows found, by words or by vectors
	all           bool           // ids are every row that the filter permits
	foundByVector map[int64]bool // those found by vectors; nil: there are no vectors

	rows    map[int64]*candidate
	byPlace map[place]*candidate
}

// place is where a row stands in dialogue.
type place struct {
	session  string
	position int
}

type candidate struct {
	memory.Indexed
	evidence   *search.Evidence
	sources    *search.Evidence // of the dialogue an insight came from
	origins    []*candidate     // the turns of that dialogue
	similarity float64          // of its vector to that of the query; 0: not compared
}

// findByWords looks in the full-text index by rare words, and by frequent ones that stand
// together. A filter that permits few rows makes all of them candidates.
func (c *candidates) findByWords(tx memory.Rows) (err error) {
	if c.known == nil {
		if c.known, err = tx.Statistics(c.source, c.analysed.Vocabulary()); err != nil {
			return err
		}
	}
	c.prepareScorer(c.known)
	words := c.buildWordQueries(c.known)
	if c.Filter.Restricts(c.source) {
		ids, err := tx.Filter(c.source, c.Filter, maxEnumeratedRows+1)
		if err != nil {
			return err
		}
		if len(ids) <= maxEnumeratedRows {
			c.ids, c.all = ids, true
			return nil
		}
	}
	pairs, err := c.findCharacterPairs(tx)
	if err != nil {
		return err
	}
	for _, pair := range pairs {
		words = append(words, search.WordQuery{Expression: search.BuildMatchExpression([]search.Candidate{pair}), Rows: 1})
	}
	limit := max(minMatches, c.depth)
	if c.source == memory.SourceInsight {
		limit = max(minInsights, c.depth)
	}
	if c.matches > 0 {
		limit = c.matches
	}
	c.ids, err = search.FindRowsByWords(words, matchBudget, limit, func(expression string, newest bool) ([]int64, error) {
		filter := c.Filter
		filter.Newest = newest
		return tx.Match(c.source, expression, filter, limit)
	})
	return err
}

// buildWordQueries returns the words of the query that rows hold, with all forms and in every
// column.
func (c *candidates) buildWordQueries(known *memory.Statistics) (words []search.WordQuery) {
	for _, term := range c.analysed.Terms {
		var w search.WordQuery
		var found []search.Candidate
		for _, form := range term.Forms {
			for _, in := range []struct {
				column search.Column
				rows   map[string]int
			}{{search.BodyColumn, known.Body}, {search.DayColumn, known.Day}, {sourcesColumn, known.Sources}} {
				if rows := in.rows[form]; rows > 0 && (in.column != search.DayColumn || c.analysed.CanNameDay(term)) {
					found, w.Rows = append(found, search.Candidate{Column: in.column, Term: form}), w.Rows+rows
				}
			}
		}
		if w.Expression = "(" + search.BuildMatchExpression(found) + ")"; w.Rows > 0 {
			words = append(words, w)
			c.noteSearchedWord(term.Word)
		}
	}
	return append(words, c.buildDayQueries(known)...)
}

// buildDayQueries returns the days that the query names.
func (c *candidates) buildDayQueries(known *memory.Statistics) (days []search.WordQuery) {
	for _, day := range c.analysed.Days {
		var w search.WordQuery
		var found []search.Candidate
		for _, term := range append(slices.Clone(day.Spoken), day.Said...) {
			if rows := known.Day[term]; rows > 0 {
				found, w.Rows = append(found, search.Candidate{Column: search.DayColumn, Term: term}), w.Rows+rows
			}
		}
		if w.Expression = "(" + search.BuildMatchExpression(found) + ")"; w.Rows > 0 {
			days = append(days, w)
		}
	}
	return days
}

// prepareScorer prepares the scoring of rows from how rare the terms of the query are.
func (c *candidates) prepareScorer(known *memory.Statistics) {
	c.statistics = search.Statistics{Rows: known.Rows, Words: known.Words, Body: known.Body, Day: known.Day}
	for term, rows := range known.Sources {
		if c.statistics.Body[term] == 0 { // an insight may be known by its sources' words alone
			c.statistics.Body[term] = rows
		}
	}
	c.scorer = search.NewScorer(c.analysed, c.statistics)
}

// sourcesColumn holds the terms of the dialogue that an insight came from.
const sourcesColumn search.Column = "sources"

// noteSearchedWord keeps for the explanation that a word was looked for.
func (c *candidates) noteSearchedWord(word string) {
	if c.searched == nil {
		c.searched = map[string]bool{}
	}
	c.searched[word] = true
}

func (c *candidates) addRow(id int64) {
	if !slices.Contains(c.ids, id) {
		c.ids = append(c.ids, id)
	}
}

// loadRowsAndNeighbours loads the rows found with what stands around them, and counts what each
// holds of the query.
func (c *candidates) loadRowsAndNeighbours(tx memory.Rows) error {
	reach := search.Neighbours
	if !c.all {
		reach += search.CloseNeighbours // those are candidates and have neighbours
	}
	list, err := tx.IndexedNeighbours(c.source, c.ids, reach, c.Filter)
	if err != nil {
		return err
	}
	c.byPlace = make(map[place]*candidate, len(list))
	c.rows = c.addCandidates(list)
	if c.source == memory.SourceInsight {
		return c.addSourceTurns(tx)
	}
	return nil
}

// listRowsToScore returns the permitted rows found and their permitted neighbours, in a
// fixed order.
func (c *candidates) listRowsToScore() []*candidate {
	ids := make(map[int64]bool, len(c.rows))
	for _, id := range c.ids {
		row := c.rows[id]
		if row == nil {
			continue
		}
		ids[id] = true
		if row.SessionID == "" || c.all {
			continue
		}
		for o := -search.CloseNeighbours; o <= search.CloseNeighbours; o++ {
			if n := c.byPlace[place{row.SessionID, row.Position + o}]; n != nil {
				ids[n.ID] = true
			}
		}
	}
	var list []*candidate
	for id := range ids {
		if row := c.rows[id]; row.Permitted {
			list = append(list, row)
		}
	}
	slices.SortFunc(list, func(a, b *candidate) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// contextWindow is a row with its context: its neighbours in dialogue, or the dialogue
// that an insight came from.
func (c *candidates) contextWindow(row *candidate) search.Window {
	var w search.Window
	w[search.Neighbours] = row.evidence
	if row.SessionID == "" {
		w[search.Neighbours-1] = row.sources
		return w
	}
	for o := range w {
		if n := c.byPlace[place{row.SessionID, row.Position + o - search.Neighbours}]; n != nil {
			w[o] = n.evidence
		}
	}
	return w
}

func (c *candidates) queryRelevance(row *candidate) float64 {
	return c.scorer.RelevanceForQuestion(c.contextWindow(row), row.Speaker)
}

// fuseScores scores the candidates for each channel and joins the two. The order is that of
// the weighted sum of both scores, which keeps by how much a row is better. The score
// that is reported joins the ranks, as the source has it.
func (c *candidates) fuseScores() *ranking {
	named := c.scorer.MarkSpeakerNames(c.listSpeakers())
	var semantic, keyword []search.Hit
	strengths := map[int64]float64{}
	for _, row := range c.listRowsToScore() {
		views := c.listScoringViews(row)
		byMeaning, byWords := c.bestScore(&search.Meaning, views, named), c.bestScore(&search.Keyword, views, named)
		strengths[row.ID] = c.Weights.Semantic*byMeaning + c.Weights.Keyword*byWords
		if c.Weights.Semantic > 0 {
			semantic = append(semantic, search.Hit{ID: row.ID, Time: row.Created, Score: byMeaning})
		}
		if c.Weights.Keyword > 0 {
			keyword = append(keyword, search.Hit{ID: row.ID, Time: row.Created, Score: byWords})
		}
	}
	semantic, keyword = search.RankHits(semantic, c.depth), search.RankHits(keyword, c.depth)
	scores := make(map[int64]float64, len(keyword))
	for _, hit := range keyword {
		scores[hit.ID] = hit.Score
	}
	items := search.FuseRankedHits(semantic, keyword, c.Weights)
	rows := make([]ranked, len(items))
	for i, f := range items {
		rows[i] = ranked{Fused: f, keywordScore: scores[f.ID], strength: strengths[f.ID], relevance: c.queryRelevance(c.rows[f.ID])}
	}
	slices.SortStableFunc(rows, func(a, b ranked) int { return cmp.Compare(b.strength, a.strength) })
	for i := range rows {
		rows[i].place = i
	}
	return &ranking{semantic: len(semantic), keyword: len(keyword), rows: rows}
}

// listSpeakers returns those of the rows at hand, in order.
func (c *candidates) listSpeakers() (list []string) {
	seen := map[string]bool{"": true}
	note := func(row *candidate) {
		if !seen[row.Speaker] {
			seen[row.Speaker] = true
			list = append(list, row.Speaker)
		}
	}
	for _, row := range c.rows {
		note(row)
		for _, turn := range row.origins {
			note(turn)
		}
	}
	slices.Sort(list)
	return list
}

// maxSimilarityWeight bounds what one similarity may count beside the words.
const maxSimilarityWeight = 20

// addSimilarities gives the evidence of each row what the similarity of its vector says: by
// how many standard deviations it exceeds what unrelated rows reach.
func (s *Search) addSimilarities(ctx context.Context, tx memory.Rows, c *candidates) error {
	ids := slices.Collect(maps.Keys(c.rows))
	hits, err := s.searchVectorsAmong(ctx, tx, c.searchState, c.source, len(ids), ids)
	if err != nil || len(hits) == 0 {
		return err
	}
	unrelated := s.VectorIndex(collection{c.source, false}).SampleUnrelatedSimilarity(c.vector)
	for _, hit := range hits {
		if row := c.rows[hit.ID]; row != nil {
			row.similarity = hit.Similarity
			row.evidence.Similarity = max(0, min(maxSimilarityWeight, unrelated.DeviationsAbove(hit.Similarity)))
		}
	}
	return nil
}
