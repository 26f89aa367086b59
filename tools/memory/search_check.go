package memory

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
)

const (
	// checkPage is how many rows a check or a rebuild reads at once.
	checkPage = 500
	// maxReportedFaults bounds the faults that are described; all are counted.
	maxReportedFaults = 20
)

// IndexReport is what Check found.
type IndexReport struct {
	Rows     int      // dialogue, insights and episodes that search knows
	Embedded int      // of these, those with a vector of the present model
	Pending  int      // those that still wait for theirs
	Earlier  int      // rows with the terms that an earlier version derived: found, but not by what is new
	Faults   int      // contradictions between rows and indexes; 0 is sound
	Examples []string // the first of them, described
}

func (r *IndexReport) addFault(format string, args ...any) {
	if r.Faults++; len(r.Examples) < maxReportedFaults {
		r.Examples = append(r.Examples, fmt.Sprintf(format, args...))
	}
}

// CheckIndex verifies that every row is in the full-text index with the terms of its
// text, that its vector is that of its text, and that the index in memory holds
// it. It reads everything. Rebuild repairs what it finds.
func (s *Search) CheckIndex(ctx context.Context) (*IndexReport, error) {
	r := &IndexReport{}
	vectors := map[collection][]int64{}
	err := s.store.Read(ctx, func(tx *store.Tx) error {
		for _, source := range memory.Sources {
			c := checker{search: s, report: r, source: source, columns: map[string]map[string]int{"body": {}, "day": {}, "sources": {}}, vectors: vectors}
			if err := c.checkSource(ctx, memory.In(tx)); err != nil {
				return fmt.Errorf("check %s: %w", source, err)
			}
		}
		for c, ids := range vectors {
			index := s.VectorIndex(c)
			if err := index.Sync(ctx, search.NewRowFeed(collectionRows{memory.In(tx), c}, s.embedder.Model())); err != nil {
				return err
			}
			for _, id := range ids {
				if !index.Contains(id) {
					r.addFault("%s: entry %d has a vector that the index in memory lacks", c.source, id)
				}
			}
		}
		return nil
	})
	return r, err
}

// checker verifies one source.
type checker struct {
	search  *Search
	report  *IndexReport
	source  memory.Source
	rows    int
	words   int
	columns map[string]map[string]int // rows that should hold a term, by column
	vectors map[collection][]int64    // rows that should be in each index
}

func (c *checker) checkSource(ctx context.Context, tx memory.Rows) error {
	for _, fault := range []struct {
		what string
		find func(memory.Source, int) ([]int64, error)
	}{
		{"row %d is unknown to search", tx.ListUnindexed},
		{"entry %d belongs to no row", tx.ListOrphaned},
		{"entry %d is missing in the full-text index, or is there alone", tx.FindIndexMismatches},
	} {
		ids, err := fault.find(c.source, checkPage)
		if err != nil {
			return err
		}
		for _, id := range ids {
			c.report.addFault("%s: "+fault.what, c.source, id)
		}
	}
	for after := int64(0); ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		page, err := tx.IndexedAfter(c.source, after, checkPage)
		if err != nil {
			return err
		}
		if err := c.checkPage(tx, page); err != nil {
			return err
		}
		if len(page) < checkPage {
			break
		}
		after = page[len(page)-1].ID
	}
	if err := c.checkStatistics(tx); err != nil {
		return err
	}
	return c.checkVocabulary(tx)
}

func (c *checker) checkPage(tx memory.Rows, page []memory.Indexed) error {
	ids := idsOfPage(page)
	rows, err := tx.RowsAt(ids)
	if err != nil {
		return err
	}
	vectors, err := tx.Vectors(c.search.embedder.Model(), ids)
	if err != nil {
		return err
	}
	for _, m := range page {
		row, exists := rows[m.ID]
		if !exists {
			continue // reported as an orphan
		}
		c.rows++
		c.report.Rows++
		if err := c.checkTerms(tx, m, row); err != nil {
			return err
		}
		stored, embedded := vectors[m.ID]
		if embed.IsOff(c.search.embedder) {
			continue // it needs no vector
		}
		if !embedded {
			c.report.Pending++
			continue
		}
		c.checkVector(m, stored)
	}
	return nil
}

func idsOfPage(page []memory.Indexed) []int64 {
	ids := make([]int64, len(page))
	for at, m := range page {
		ids[at] = m.ID
	}
	return ids
}

// checkTerms derives again what is stored, and counts it.
func (c *checker) checkTerms(tx memory.Rows, m memory.Indexed, row memory.Row) error {
	want, _, err := newIndexEntry(tx, row)
	if err != nil {
		return err
	}
	want.ID, want.Position = m.ID, m.Position
	if m.Terms != want.Terms || m.SourceTerms != want.SourceTerms {
		plain := language.RemoveWordSigns(row.Content)
		for _, earlier := range [][]string{language.Terms(plain), language.TermsOfEarlierVersions(row.Content), language.TermsOfEarlierVersions(plain)} {
			if m.Terms == strings.Join(earlier, " ") && language.FoldText(m.SourceTerms) == language.FoldText(want.SourceTerms) {
				want.Terms, want.SourceTerms = m.Terms, m.SourceTerms
				c.report.Earlier++
				break
			}
		}
	}
	if m.Day != want.Day {
		switch m.Day {
		case strings.Join(language.DateTerms(row.At), " "): // it knew no days that a text speaks of, and English and German only
			want.Day, want.Terms, want.SourceTerms = m.Day, m.Terms, m.SourceTerms
			c.report.Earlier++
		case strings.Join(language.CalendarTerms(row.Content, row.At), " "): // a day was that of UTC
			want.Day = m.Day
			c.report.Earlier++
		}
	}
	if m != want {
		c.report.addFault("%s: entry %d does not say what row %d says", c.source, m.ID, m.RowID)
	}
	c.words += len(strings.Fields(m.Terms))
	for column, terms := range map[string]string{"body": m.Terms, "day": m.Day, "sources": m.SourceTerms} {
		for _, term := range slices.Compact(slices.Sorted(strings.FieldsSeq(terms))) {
			c.columns[column][term]++
		}
	}
	return nil
}

// checkVector does not make it again: a model may answer a little differently
// each time.
func (c *checker) checkVector(m memory.Indexed, stored []byte) {
	c.report.Embedded++
	vector, err := embed.Unpack(stored)
	if err != nil {
		c.report.addFault("%s: the vector of entry %d is damaged", c.source, m.ID)
		return
	}
	if vector != nil {
		key := collection{c.source, m.Retired}
		c.vectors[key] = append(c.vectors[key], m.ID)
	}
}

func (c *checker) checkStatistics(tx memory.Rows) error {
	known, err := tx.Statistics(c.source, nil)
	if err == nil && (known.Rows != c.rows || known.Words != c.words) {
		c.report.addFault("%s: statistics count %d rows and %d words, there are %d and %d", c.source, known.Rows, known.Words, c.rows, c.words)
	}
	return err
}

// checkVocabulary compares what the full-text index holds with what it should.
func (c *checker) checkVocabulary(tx memory.Rows) error {
	err := tx.EachVocabularyTerm(c.source, "", "", func(term, column string, rows int) {
		if want := c.columns[column][term]; want != rows {
			c.report.addFault("%s: the full-text index has %q in the %s of %d rows, it is in %d", c.source, term, column, rows, want)
		}
		delete(c.columns[column], term)
	})
	for column, terms := range c.columns {
		for term, rows := range terms {
			c.report.addFault("%s: the full-text index lacks %q, which is in the %s of %d rows", c.source, term, column, rows)
		}
	}
	return err
}

// RebuildIndex derives again what search knows of every row, in one transaction that
// holds the write lock throughout. Vectors stay, but for damaged ones.
func (s *Search) RebuildIndex(ctx context.Context, report func(done int)) (int, error) {
	defer s.Restart() // what lost its vector is embedded again
	return store.WriteValue(ctx, s.store, func(tx *store.Tx) (done int, err error) {
		for _, source := range memory.Sources {
			if err := memory.In(tx).ResetWordIndex(source); err != nil {
				return done, err
			}
			if err := s.reindexSource(memory.In(tx), source, &done, report); err != nil {
				return done, err
			}
			if err := s.indexMissing(tx, source, &done, report); err != nil {
				return done, err
			}
		}
		return done, nil
	})
}

func (s *Search) reindexSource(tx memory.Rows, source memory.Source, done *int, report func(int)) error {
	for after := int64(0); ; {
		page, err := tx.IndexedAfter(source, after, checkPage)
		if err != nil || len(page) == 0 {
			return err
		}
		ids := idsOfPage(page)
		after = ids[len(ids)-1]
		rows, err := tx.RowsAt(ids)
		if err != nil {
			return err
		}
		for _, id := range ids {
			m, words, err := newIndexEntry(tx, rows[id])
			if err != nil {
				return err
			}
			m.ID = id
			if err := tx.Reindex(m, words); err != nil {
				return err
			}
		}
		if err := s.deleteDamagedVectors(tx, ids); err != nil {
			return err
		}
		if *done += len(ids); report != nil {
			report(*done)
		}
	}
}

// deleteDamagedVectors deletes vectors that cannot be read.
func (s *Search) deleteDamagedVectors(tx memory.Rows, ids []int64) error {
	vectors, err := tx.Vectors(s.embedder.Model(), ids)
	if err != nil {
		return err
	}
	var damaged []int64
	for id, stored := range vectors {
		if _, err := embed.Unpack(stored); err != nil {
			damaged = append(damaged, id)
		}
	}
	if len(damaged) == 0 {
		return nil
	}
	return tx.ForgetVectors(s.embedder.Model(), damaged)
}

func (s *Search) indexMissing(tx *store.Tx, source memory.Source, done *int, report func(int)) error {
	for {
		ids, err := memory.In(tx).ListUnindexed(source, checkPage)
		if err != nil || len(ids) == 0 {
			return err
		}
		rows, err := memory.In(tx).RowsOf(source, ids)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if _, err := s.IndexRow(tx, row); err != nil {
				return err
			}
		}
		if *done += len(ids); report != nil {
			report(*done)
		}
	}
}
