package memory

import (
	"context"
	"strings"

	"toolkit/embed"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/memory"
)

const (
	// maxSources bounds the dialogue whose words stand for an insight.
	maxSources = 200
	// maxSourceTerms bounds those words; more would drown the insight's own.
	maxSourceTerms = 300
	// maxPreparedVectors bounds the vectors that wait for their row.
	maxPreparedVectors = 256
)

// IndexRow enters a row into the full-text index in the transaction that writes the row. No
// model is asked here. The vector of a remote one is there if Prepare was called before,
// else it is made after the commit, as that of the model in the program always is.
func (s *Search) IndexRow(tx *store.Tx, row memory.Row) (EmbeddingStatus, error) {
	rows := memory.In(tx)
	entry, words, err := newIndexEntry(rows, row)
	if err != nil {
		return "", err
	}
	id, known, err := rows.IndexRow(entry, words)
	if err != nil || known {
		return Embedded, err
	}
	if row.Source == memory.SourceDialogue { // which may have been written anew
		insights, err := rows.InsightsFrom(row.ID)
		if err != nil {
			return "", err
		}
		if err := updateSourceTerms(rows, insights); err != nil {
			return "", err
		}
	}
	if embed.IsOff(s.embedder) {
		return Embedded, nil
	}
	vector, ok := s.takePreparedVector(row.EmbeddedText())
	if !ok {
		s.ExpectRows()
		return Pending, nil
	}
	return Embedded, rows.InsertVectors(s.embedder.Model(), []store.Vector{{ID: id, Vector: vector}})
}

// newIndexEntry derives from a row what search needs to know of it, and the number of
// its terms.
func newIndexEntry(tx memory.Rows, row memory.Row) (memory.Indexed, int, error) {
	terms := language.Terms(row.Content)
	m := memory.Indexed{
		Source: row.Source, RowID: row.ID, SessionID: row.SessionID, Speaker: row.Speaker, Created: row.At.UnixMilli(), Retired: row.Retired,
		Terms: strings.Join(terms, " "), Day: strings.Join(language.CalendarTerms(row.Content, localTimeOfTurn(row)), " "),
	}
	if len(row.SourceIDs) == 0 {
		return m, len(terms), nil
	}
	sources, err := sourceTermsOf(tx, row.ID)
	m.SourceTerms = strings.Join(sources, " ")
	return m, len(terms), err
}

// sourceTermsOf are the words of content in the dialogue that an insight came from,
// each once.
func sourceTermsOf(tx memory.Rows, insight int64) ([]string, error) {
	sources, err := tx.SourcesOf([]int64{insight})
	if err != nil {
		return nil, err
	}
	ids := sources[insight]
	rows, err := tx.DialoguesByID(ids[:min(len(ids), maxSources)])
	if err != nil {
		return nil, err
	}
	var terms []string
	seen := map[string]bool{}
	for _, row := range rows {
		for line := range strings.Lines(row.Content) { // of a long text the first lines are enough
			for _, stem := range contentTerms(line) {
				if seen[stem] {
					continue
				}
				if len(terms) == maxSourceTerms {
					return terms, nil
				}
				seen[stem] = true
				terms = append(terms, stem)
			}
		}
	}
	return terms, nil
}

// updateSourceTerms gives insights the words of their sources, where these changed.
func updateSourceTerms(tx memory.Rows, insights []int64) error {
	for _, insight := range insights {
		terms, err := sourceTermsOf(tx, insight)
		if err != nil {
			return err
		}
		if err := tx.ReplaceSourceTerms(insight, strings.Join(terms, " ")); err != nil {
			return err
		}
	}
	return nil
}

// takePreparedVector returns the packed vector of a text that was made before, nil when the
// text has no content; not ok when the model has to make it.
func (s *Search) takePreparedVector(text string) (vector []byte, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.prepared[text]
	if found.rows--; found.rows > 0 {
		s.prepared[text] = found
	} else {
		delete(s.prepared, text)
	}
	return found.packed, ok
}

// PrepareVector asks a remote model for the vector of a text that is about to be
// stored. The model in the program makes it after the commit: no write waits for it.
func (s *Search) PrepareVector(ctx context.Context, text string) {
	if embed.IsOff(s.embedder) || embed.EmbedsInBackground(s.embedder) || s.IsPausedAfterFailure() {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	vectors, err := embed.RedactEmbedAndPack(ctx, s.embedder, []string{text})
	s.RecordResult(err)
	if err != nil {
		return
	}
	s.storePreparedVector(text, vectors[0])
}

// PrepareKnownVector keeps a vector of the built-in model for the row that is about to be stored,
// where that model is the one in use.
func (s *Search) PrepareKnownVector(text string, vector []float32) {
	if s.embedder.Model() != embed.BuiltInModel {
		return
	}
	if packed, err := embed.Pack(vector); err == nil { // else it is made in the background
		s.storePreparedVector(text, packed)
	}
}

func (s *Search) storePreparedVector(text string, vector []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.prepared) >= maxPreparedVectors { // of transactions that never came
		clear(s.prepared)
	}
	s.prepared[text] = preparedVector{vector, s.prepared[text].rows + 1}
}
