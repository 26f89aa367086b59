package memory

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
)

// maxOfferedRows is how many rows of a source are offered to the search over
// everything.
const maxOfferedRows = 25

// matchesPerRank is how many rows words bring for each that is ranked, where a question says how many are.
const matchesPerRank = 2

// offeredSources are the kinds of what can be searched.
var offeredSources = []struct {
	kind   string
	source memory.Source
}{{kinds.Insight, memory.SourceInsight}, {kinds.Dialogue, memory.SourceDialogue}, {kinds.Episode, memory.SourceEpisode}}

type searchProvider struct{ search *Search }

// SearchProvider is what the family offers to the search over everything. Without a search,
// what a question means is not compared with anything.
func SearchProvider(search *Search) tools.SearchProvider { return searchProvider{search} }

func (searchProvider) Kinds() []string {
	return []string{kinds.Insight, kinds.Working, kinds.Dialogue, kinds.Episode}
}

func (searchProvider) Count(tx *store.Tx, q *tools.Question) (all search.Statistics, err error) {
	for _, s := range offeredSources {
		known, err := memory.In(tx).Statistics(s.source, q.Vocabulary())
		if err != nil {
			return all, err
		}
		q.Counted[string(s.source)] = known
		all.Add(search.Statistics{Rows: known.Rows, Words: known.Words, Body: known.Body, Day: known.Day})
	}
	return all, nil
}

func (r searchProvider) Search(ctx context.Context, tx *store.Tx, q *tools.Question) ([]tools.Candidate, error) {
	list, err := listWorkingItems(tx, q)
	if err != nil {
		return nil, err
	}
	for _, s := range offeredSources {
		c := &candidates{source: s.source, known: q.Counted[string(s.source)].(*memory.Statistics), searchState: &searchState{
			Query:    Query{Text: q.Text, Weights: search.DefaultWeights, Filter: memory.Filter{SessionID: q.Session, ExcludedSession: q.ExcludedSession, Project: q.Project}},
			analysed: q.Query, depth: cmp.Or(q.Depth, minDepth), matches: matchesPerRank * q.Depth, indexes: map[collection]*embed.Index{},
		}}
		if r.search != nil && q.Meaning.Vector != nil {
			c.vector = q.Meaning.Vector
		}
		found, err := r.search.searchAndRankSource(ctx, memory.In(tx), c, false)
		if err != nil {
			return nil, err
		}
		more, err := c.readCandidates(tx, s.kind, found.rows[:min(len(found.rows), maxOfferedRows)])
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// listWorkingItems offers the ten things of working memory.
func listWorkingItems(tx *store.Tx, q *tools.Question) (list []tools.Candidate, err error) {
	if q.IsLimitedToSessionOrProject() {
		return nil, nil
	}
	items, err := memory.In(tx).WorkingItems()
	for _, w := range items {
		list = append(list, tools.Candidate{
			Kind: kinds.Working, ID: strconv.FormatInt(w.ID, 10), Text: w.Content, At: w.Created,
			Tool: touchName, Arguments: map[string]any{"id": w.ID},
		})
	}
	return list, err
}

// readCandidates reads ranked rows with what belongs to them.
func (c *candidates) readCandidates(tx *store.Tx, kind string, best []ranked) ([]tools.Candidate, error) {
	if len(best) == 0 {
		return nil, nil
	}
	var ids, found []int64
	for _, r := range best {
		ids, found = append(ids, r.ID), append(found, r.ID)
		for _, beside := range []*candidate{c.neighbouringTurn(r.ID, -1), c.neighbouringTurn(r.ID, 1)} {
			if beside != nil {
				ids = append(ids, beside.ID)
			}
		}
	}
	rows, err := memory.In(tx).RowsAt(ids)
	if err != nil {
		return nil, err
	}
	if err := loadInsightSources(tx, rows); err != nil {
		return nil, err
	}
	turns, err := memory.In(tx).CountTurnsUpTo(found)
	if err != nil {
		return nil, err
	}
	projects, err := newProjectLookup(tx, rows)
	if err != nil {
		return nil, err
	}
	replaced, err := sessions.In(tx).FindInsightReplacements(rowIDsOfSource(rows, memory.SourceDialogue)) // by what was learned later
	if err != nil {
		return nil, err
	}
	var list []tools.Candidate
	for _, r := range best {
		if row, exists := rows[r.ID]; exists {
			o := c.toCandidate(kind, row, c.rows[r.ID], turns[r.ID], rows)
			o.Project = projects(row)
			if later, changed := replaced[row.ID]; changed && row.Source == memory.SourceDialogue {
				o.ReplacedBy, o.Note = later.Content, describeSupersededOrDeleted(later)
			}
			list = append(list, o)
		}
	}
	return list, nil
}

// rowIDsOfSource are the ids of the rows of a source.
func rowIDsOfSource(rows map[int64]memory.Row, source memory.Source) (ids []int64) {
	for _, row := range rows {
		if row.Source == source {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// loadInsightSources leaves insights only those sources that existed when they were made.
func loadInsightSources(tx *store.Tx, rows map[int64]memory.Row) error {
	sources, err := memory.In(tx).SourcesOf(rowIDsOfSource(rows, memory.SourceInsight))
	for id, row := range rows {
		if row.Source == memory.SourceInsight {
			row.SourceIDs = sources[row.ID]
			rows[id] = row
		}
	}
	return err
}

// newProjectLookup tells in which project dialogue was said, and the one that an insight was
// remembered for or else first came from; 0: none.
func newProjectLookup(tx *store.Tx, rows map[int64]memory.Row) (func(memory.Row) int64, error) {
	said := func(row memory.Row) int64 {
		switch {
		case row.Source == memory.SourceDialogue:
			return row.ID
		case len(row.SourceIDs) > 0:
			return row.SourceIDs[0]
		}
		return 0
	}
	var turns []int64
	for _, row := range rows {
		turns = append(turns, said(row))
	}
	remembered, err := sessions.In(tx).ProjectsOfInsights(rowIDsOfSource(rows, memory.SourceInsight))
	if err != nil {
		return nil, err
	}
	projects, err := sessions.In(tx).ProjectsOfTurns(turns)
	return func(row memory.Row) int64 {
		if of := remembered[row.ID]; of != 0 && row.Source == memory.SourceInsight {
			return of
		}
		if isInAllProjects(row) {
			return 0
		}
		return projects[said(row)]
	}, err
}

// everywhereKinds are the kinds of noticed insights that hold in every project: what people
// say of themselves, and how they want to be answered. Another preference is mostly one about
// the work in which it was said, and so is what is said of others.
var everywhereKinds = []string{notice.Person, notice.Style, "promise"} // the last one was noticed by earlier versions

// isInAllProjects reports whether an insight holds in every project.
func isInAllProjects(row memory.Row) bool {
	ofOthers := row.Extracted == notice.Person && !notice.IsFirstPerson(row.Content)
	return slices.Contains(everywhereKinds, row.Extracted) && !ofOthers
}

// describeSupersededOrDeleted says what became of what was learned from a turn.
func describeSupersededOrDeleted(later sessions.Replacement) string {
	switch {
	case later.Content != "":
		return "superseded, at least in part: " + later.Content
	case later.Reason != "":
		return "what was remembered of it was deleted: " + later.Reason
	}
	return "what was remembered of it was deleted"
}

// hasQueryWord reports whether a row has a word of the question itself. A turn beside one
// that has is no answer on its own; an insight may be known by its sources alone.
func (c *candidates) hasQueryWord(row *candidate) bool {
	var alone search.Window
	alone[search.Neighbours] = row.evidence
	return row.Source != memory.SourceDialogue || c.scorer.Relevance(alone, "") > 0
}

// neighbouringTurn is the turn so many turns later in a session.
func (c *candidates) neighbouringTurn(id int64, turns int) *candidate {
	row := c.rows[id]
	if row.SessionID == "" {
		return nil
	}
	return c.byPlace[place{row.SessionID, row.Position + turns}]
}

// neighbourOfOtherSpeaker is the turn so many turns after one, when somebody else spoke there.
func (c *candidates) neighbourOfOtherSpeaker(id int64, turns int, rows map[int64]memory.Row) (at *candidate, row memory.Row, known bool) {
	if at = c.neighbouringTurn(id, turns); at != nil {
		row, known = rows[at.ID]
	}
	return at, row, known && row.Speaker != rows[id].Speaker
}

func (c *candidates) toCandidate(kind string, row memory.Row, at *candidate, turn int, rows map[int64]memory.Row) tools.Candidate {
	o := tools.Candidate{
		Kind: kind, ID: strconv.FormatInt(row.ID, 10), Text: row.Content, Terms: strings.Fields(at.Terms), Day: strings.Fields(at.Day), Around: c.contextTerms(at),
		Speaker: row.Speaker, Similarity: at.similarity, Ranked: c.foundByVector[at.ID] || c.hasQueryWord(at), At: row.At, Place: tools.Place{Session: row.SessionID, Turn: turn}, Tool: hybridName,
	}
	switch row.Source {
	case memory.SourceInsight:
		o.Place.Turn = 0
		o.Tool, o.Arguments = historyName, map[string]any{"id": row.ID}
		if row.Extracted != "" {
			o.Note = "extracted"
		}
		for _, id := range row.SourceIDs {
			o.DuplicateOf = append(o.DuplicateOf, kinds.Dialogue+":"+strconv.FormatInt(id, 10))
		}
	case memory.SourceEpisode:
		o.Place = tools.Place{}
		o.Arguments = map[string]any{"query_text": c.Text, "source_types": []memory.Source{memory.SourceEpisode}}
	case memory.SourceDialogue:
		o.Arguments = map[string]any{"query_text": c.Text, "source_types": []memory.Source{memory.SourceDialogue}, "session_id": row.SessionID}
		o.Turns = []tools.DialogueTurn{{Number: turn, Speaker: row.Speaker, Text: row.Content}}
		if _, before, known := c.neighbourOfOtherSpeaker(at.ID, -1, rows); known {
			o.Reply = endsWithQuestion(before.Content)
		}
		if next, answer, known := c.neighbourOfOtherSpeaker(at.ID, 1, rows); known && endsWithQuestion(row.Content) {
			// Whoever asks again wants the answer, which seldom repeats the question.
			o.Turns = append(o.Turns, tools.DialogueTurn{Number: turn + 1, Speaker: answer.Speaker, Text: answer.Content})
			o.Text += "\n" + answer.Speaker + ": " + answer.Content
			o.Terms = append(o.Terms, strings.Fields(next.Terms)...)
			o.DuplicateOf = []string{kinds.Dialogue + ":" + strconv.FormatInt(answer.ID, 10)}
			o.Covers = o.DuplicateOf
		}
		o.Text = row.Speaker + ": " + o.Text
	}
	return o
}

// endsWithQuestion reports whether a turn ends in a question.
func endsWithQuestion(text string) bool {
	sentences := language.Sentences(text)
	return len(sentences) > 0 && language.IsQuestion(sentences[len(sentences)-1])
}

// contextTerms are the terms of the turns before and after, or of the dialogue that an
// insight came from.
func (c *candidates) contextTerms(row *candidate) (terms []string) {
	if row.SessionID == "" {
		return strings.Fields(row.SourceTerms)
	}
	for o := -search.CloseNeighbours; o <= search.CloseNeighbours; o++ {
		if n := c.byPlace[place{row.SessionID, row.Position + o}]; n != nil && o != 0 {
			terms = append(terms, strings.Fields(n.Terms)...)
		}
	}
	return terms
}
