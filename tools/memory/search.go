package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/memory"
)

const (
	// minDepth is how many rows of each channel are fused at least; a search
	// for more results goes five times as deep as it returns.
	minDepth = 50
	// snippetRunes is the length of a snippet.
	snippetRunes = 240
	// queryTimeout is how long a search waits for a remote model; without it
	// words alone are ranked.
	queryTimeout = 10 * time.Second
)

// formula explains how a score follows from ranks.
const formula = "score = semantic weight/(60 + semantic rank) + keyword weight/(60 + keyword rank)"

// Search finds what is stored, over the full-text index and vectors. It is the one road to
// a row by its content, for tools, resources, prompts and the golden test alike. It is
// safe for concurrent use. Close it before the store.
type Search struct {
	*embed.TableIndex
	store    *store.DB
	embedder embed.Embedder

	mu       sync.Mutex
	prepared map[string]preparedVector // by text
}

// preparedVector is a vector that was made before its rows are written.
type preparedVector struct {
	packed []byte // nil: the text has no content
	rows   int    // that wait for it: a turn and the insight that says all of it have one text
}

// NewSearch returns the search of a store, whose vectors come from embedder.
// Nothing is read before the first search.
func NewSearch(db *store.DB, embedder embed.Embedder) *Search {
	s := &Search{store: db, embedder: embedder, prepared: map[string]preparedVector{}}
	s.TableIndex = embed.NewTableIndex(embedder, vectorTableOf(db, collection{}), func() time.Time { return db.Now() })
	if db != nil {
		db.OnCommit(func([]store.Topic) { s.NoteCommit() })
	}
	return s
}

// Search ranks rows over both channels, each source in a list of its own. What else belongs
// to the answer is read also in the transaction of the search, so that all of it is of one moment.
func (s *Search) Search(ctx context.Context, q Query, also ...func(tx *store.Tx, found Found) error) (Found, error) {
	found := Found{Hits: []Hit{}, EmbeddingProvider: s.embedder.Model()}
	if q.Asked.IsZero() {
		q.Asked = s.store.Now()
	}
	look := &searchState{Query: q, analysed: search.AnalyseQueryAt(q.Text, q.Asked), depth: max(minDepth, 5*q.TopK), indexes: map[collection]*embed.Index{}}
	found.Dimension = s.startQueryEmbedding(ctx, look)
	if err := s.makeMissingVectors(ctx, look); err != nil {
		return found, err
	}
	err := s.store.Read(ctx, func(tx *store.Tx) error {
		if err := s.searchSources(ctx, memory.In(tx), look, &found); err != nil {
			return err
		}
		for _, read := range also {
			if err := read(tx, found); err != nil {
				return err
			}
		}
		return nil
	})
	return found, err
}

// makeMissingVectors lets rows have their vectors, as far as the model makes them, before they are compared.
func (s *Search) makeMissingVectors(ctx context.Context, l *searchState) error {
	if l.vector == nil && l.making == nil {
		return nil
	}
	_, err := s.CatchUp(ctx)
	return err
}

// IsModelFailing reports whether the model failed when it was last asked, so that rows wait for
// their vectors until it answers again.
func (s *Search) IsModelFailing() bool { return s.Failure() != nil }

// searchSources fills in what was found, source by source.
func (s *Search) searchSources(ctx context.Context, tx memory.Rows, l *searchState, found *Found) error {
	var merged []ranked
	found.SemanticCount, found.KeywordCount = 0, 0
	for _, source := range l.Sources {
		list, err := s.searchAndRankSource(ctx, tx, &candidates{searchState: l, source: source}, l.Weights.Semantic > 0)
		if err != nil {
			return fmt.Errorf("search %s: %w", source, err)
		}
		found.SemanticCount += list.semantic
		found.KeywordCount += list.keyword
		merged = append(merged, list.rows...)
	}
	slices.SortStableFunc(merged, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.place, b.place), cmp.Compare(b.strength, a.strength), cmp.Compare(b.Time, a.Time), cmp.Compare(a.ID, b.ID))
	})
	var err error
	if found.Hits, err = s.describeHits(ctx, tx, l, merged[:min(len(merged), l.TopK)]); err != nil {
		return err
	}
	if l.analysed.Cut {
		l.addNote(fmt.Sprintf("the query is long; only its first %d different words were looked for", search.MaxQueryTerms))
	}
	if l.vector != nil {
		found.Dimension = len(l.vector)
		if failure := s.Failure(); failure != nil {
			l.addNote(fmt.Sprintf("rows stored since the embedding model failed are found by words alone until it answers again: %v", failure))
		}
	}
	found.Note = l.note
	if l.Explain {
		found.Explanation = l.buildExplanation()
	}
	return nil
}

// searchState is one search on its way.
type searchState struct {
	Query
	analysed *search.Query
	depth    int
	matches  int                         // rows that words bring of a source; 0: as many as usual
	vector   []float32                   // of the query; nil: search without
	making   <-chan madeVector           // gives the vector; nil: it was awaited, or none is made
	indexes  map[collection]*embed.Index // with what has changed, as far as they were needed
	note     string
	searched map[string]bool // query words that were looked for
}

// addNote adds what a reader of the result should know, once.
func (l *searchState) addNote(note string) {
	switch {
	case l.note == "":
		l.note = note
	case !strings.Contains(l.note, note):
		l.note += "; " + note
	}
}

// madeVector is what the model made of a query.
type madeVector struct {
	vector []float32
	err    error
}

// startQueryEmbedding has the model make the vector to search with, if none was given, while the words
// are looked for. It returns how long a vector is.
func (s *Search) startQueryEmbedding(ctx context.Context, l *searchState) (dimension int) {
	switch {
	case l.Embedding != nil && embed.IsOff(s.embedder):
		l.addNote("words alone were ranked: no vectors are stored, for TOOLKIT_EMBEDDER is off")
	case l.Embedding != nil:
		l.vector = l.Embedding
	case l.Weights.Semantic > 0:
		made := make(chan madeVector, 1)
		l.making = made
		go func() {
			var m madeVector
			defer func() {
				if fault := recover(); fault != nil { // it costs the vectors, as any failure
					m.err = fmt.Errorf("it panicked: %v", fault)
				}
				made <- m
			}()
			patient, cancel := context.WithTimeout(ctx, queryTimeout)
			defer cancel()
			m.vector, m.err = s.embedder.Query(patient, l.Text)
		}()
	}
	if l.Embedding != nil {
		return len(l.Embedding)
	}
	return s.embedder.Dimension()
}

// awaitQueryVector waits for the vector that is being made. A model that fails costs the vectors, not
// the search.
func (l *searchState) awaitQueryVector(ctx context.Context) error {
	if l.making != nil {
		made := <-l.making
		l.making, l.vector = nil, made.vector
		if made.err != nil && ctx.Err() == nil {
			l.addNote("words alone were ranked, for the embedding model failed: " + made.err.Error())
		}
	}
	return ctx.Err()
}

// buildExplanation names the words that were searched and those that were not.
func (l *searchState) buildExplanation() *Explanation {
	e := &Explanation{Terms: []string{}, Dropped: []string{}, Depth: l.depth, Formula: formula}
	for _, word := range l.analysed.Words {
		list := &e.Dropped
		if l.searched[word] {
			list = &e.Terms
		}
		if !slices.Contains(*list, word) {
			*list = append(*list, word)
		}
	}
	return e
}

// describeHits reads the rows of a result and says how each was found.
func (s *Search) describeHits(ctx context.Context, tx memory.Rows, l *searchState, list []ranked) ([]Hit, error) {
	ids := make([]int64, len(list))
	for i, r := range list {
		ids[i] = r.ID
	}
	rows, err := tx.RowsAt(ids)
	if err != nil {
		return nil, err
	}
	cosines, err := s.computeSimilarities(ctx, tx, l, ids)
	if err != nil {
		return nil, err
	}
	hits := make([]Hit, 0, len(list))
	for _, r := range list {
		if err := ctx.Err(); err != nil { // the passage of a long text takes its time
			return nil, err
		}
		row, exists := rows[r.ID]
		if !exists {
			continue
		}
		hit := Hit{row, Match{
			Score: r.Score, ScoreNormalized: r.NormalizedScore(), SemanticRank: rankOrNil(r.SemanticRank), KeywordRank: rankOrNil(r.KeywordRank),
			MatchedTerms: search.FindMatchedWords(l.analysed, row.Content), Snippet: search.Snippet(l.analysed, row.Content, snippetRunes),
			Relevance: r.relevance,
		}}
		if r.KeywordRank > 0 {
			hit.KeywordScore = &r.keywordScore
		}
		if cosine, known := cosines[r.ID]; known {
			hit.Similarity = &cosine
		}
		hits = append(hits, hit)
	}
	return hits, nil
}

func rankOrNil(rank int) *int {
	if rank == 0 {
		return nil
	}
	return &rank
}
