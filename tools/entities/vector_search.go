package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync/atomic"
	"time"

	"toolkit/embed"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/records"
)

const (
	// queryTimeout is how long a search waits for a remote model; without it
	// words alone are compared.
	queryTimeout = 10 * time.Second
	// firstDepth is how many records a search by vectors looks at first. While
	// all of them are similar enough it looks at deepening times as many.
	firstDepth = 64
	deepening  = 8
	// depthMargin is how far the order of the index may be off the exact one.
	depthMargin = 0.01
	// maxEmbeddingLength bounds an embedding that a caller supplies. Any length up to it
	// will do; embeddings are compared with those of the same length.
	maxEmbeddingLength = 4096
	// defaultThreshold is the source document's.
	defaultThreshold = 0.7
	// suppliedModel names embeddings that callers supply.
	suppliedModel = "supplied"
)

// errOff says that the user chose words alone.
var errOff = errors.New("embedding is off (TOOLKIT_EMBEDDER)")

// VectorSearch is Vectors over an embedder and the vectors in the store. The
// index in memory is filled at the first search and follows the store from then
// on. It is safe for concurrent use. Close it before the store.
type VectorSearch struct {
	*embed.TableIndex
	store    *store.DB
	embedder embed.Embedder
	table    *recordTable
}

var _ Vectors = (*VectorSearch)(nil)

// NewVectorSearch returns the search of a store, whose vectors come from the
// embedder and, in spaces of their own, from callers. Nothing is read before the
// first search.
func NewVectorSearch(db *store.DB, embedder embed.Embedder) *VectorSearch {
	s := &VectorSearch{store: db, embedder: embedder, table: newRecordTable(db)}
	s.TableIndex = embed.NewTableIndex(embedder, s.table, func() time.Time { return db.Now() })
	s.Exact = func(space any) embed.Exact {
		return func(ctx context.Context, list []int64) (map[int64][]float32, error) {
			return loadVectors(ctx, db, space.(string), list)
		}
	}
	if db != nil {
		db.OnCommit(func([]store.Topic) { s.NoteCommit() })
	}
	return s
}

// FindSimilar compares stored vectors with those of the terms, or with an embedding: one that came from a
// caller with those that came with records and, as far as the caller may have used the same
// model, with those of the model.
func (s *VectorSearch) FindSimilar(ctx context.Context, q VectorQuery) (Similar, error) {
	found := Similar{Model: s.Model(), Records: map[int64]float64{}}
	spaces, byModel := []string{s.Model()}, true
	var vectors [][]float32
	switch {
	case len(q.Embedding) > 0:
		vector, _ := normalizeVector(q.Embedding)
		vectors, spaces = [][]float32{vector}, []string{suppliedVectorSpace(len(vector))}
		if byModel = s.embedder.Dimension() == len(vector); byModel {
			spaces = append(spaces, s.Model())
		} else {
			found.Model = suppliedModel
		}
	case s.IsOff():
		return Similar{Failure: errOff}, nil
	default:
		var err error
		vectors, err = s.embedTerms(ctx, q.Terms)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if err != nil {
			return Similar{Failure: fmt.Errorf("the embedding model failed: %w", err)}, nil
		}
	}
	if byModel {
		if err := s.embedMissingRecords(ctx, &found); err != nil {
			return found, err
		}
	}
	for _, space := range spaces {
		for _, vector := range vectors {
			if err := s.addSimilarRecords(ctx, &found, space, vector, q); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// embedTerms asks the embedder for the vectors of terms; a term without content
// has none.
func (s *VectorSearch) embedTerms(ctx context.Context, terms []string) ([][]float32, error) {
	if s.IsPausedAfterFailure() {
		return nil, s.Failure()
	}
	patient, cancel := context.WithTimeout(ctx, queryTimeout)
	defer cancel()
	var vectors [][]float32
	for _, term := range terms {
		vector, err := s.embedder.Query(patient, term)
		if err != nil {
			s.RecordResult(err)
			return nil, err
		}
		if vector != nil {
			vectors = append(vectors, vector)
		}
	}
	return vectors, nil
}

// embedMissingRecords embeds records that came without a vector.
func (s *VectorSearch) embedMissingRecords(ctx context.Context, found *Similar) error {
	complete, err := s.CatchUp(ctx)
	if err == nil && !complete {
		found.Note = "some records have no vector yet and are found by words alone; they are being embedded"
		if failure := s.Failure(); failure != nil {
			found.Note = fmt.Sprintf("records stored since the embedding model failed are found by words alone until it answers again: %v", failure)
		}
	}
	return err
}

// addSimilarRecords adds the records of a space that are similar to a vector.
func (s *VectorSearch) addSimilarRecords(ctx context.Context, found *Similar, space string, vector []float32, q VectorQuery) error {
	feed := s.table.Feed(space)
	index, err := s.UpdateIndex(ctx, space, feed, feed)
	if err != nil {
		return err
	}
	if index == nil {
		found.Note = "the vectors of records are still being read from the database; words alone were compared"
		return nil
	}
	hits, more, err := s.searchDeeper(q, func(k int) ([]embed.Hit, error) { return index.Search(ctx, vector, k, nil) })
	if err == nil && more && q.Among != nil {
		var among []int64
		if among, err = q.Among(ctx); err == nil {
			among = slices.Concat([]int64{}, among) // none are not all
			hits, more, err = s.searchDeeper(q, func(k int) ([]embed.Hit, error) { return index.Search(ctx, vector, k, among) })
		}
	}
	if _, changed := errors.AsType[*embed.DimensionError](err); changed { // the model, under its name
		return nil
	}
	for _, h := range hits {
		if similarity := roundSimilarity(h.Similarity); similarity >= q.Threshold {
			found.Records[h.ID] = max(found.Records[h.ID], similarity)
		}
	}
	found.More = found.More || more
	return err
}

// searchDeeper searches for more until one is found that is not similar enough.
func (s *VectorSearch) searchDeeper(q VectorQuery, nearest func(k int) ([]embed.Hit, error)) (hits []embed.Hit, more bool, err error) {
	for k := firstDepth; ; k *= deepening {
		k = min(k, q.Limit+1)
		hits, err = nearest(k)
		if err != nil || len(hits) < k || roundSimilarity(hits[k-1].Similarity) < q.Threshold-depthMargin {
			return hits, false, err
		}
		if k > q.Limit {
			return hits[:q.Limit], roundSimilarity(hits[k-1].Similarity) >= q.Threshold, nil
		}
	}
}

// FindNearest returns the likeness of up to k records whose meaning is nearest to a vector of
// the model, by their rows. complete is false where some have no vector yet.
func (s *VectorSearch) FindNearest(ctx context.Context, vector []float32, k int) (near map[int64]float64, complete bool, err error) {
	return search.FindNearestRows(ctx, s.TableIndex, s.table.VectorTable, vector, k)
}

// roundSimilarity is the similarity, 0 to 1, of two vectors of a model by their cosine. It
// drops what stored vectors cannot tell, so that equal texts have a similarity of 1
// and what is printed is what was compared with the threshold.
func roundSimilarity(similarity float64) float64 {
	return max(0, min(1, math.Round(similarity*1e4)/1e4))
}

// UpdateRecord stores the vector that came with a record which is written in this transaction.
// That of the model is made after the commit.
func (s *VectorSearch) UpdateRecord(tx *store.Tx, r records.Record) error {
	supplied, space, err := packSuppliedVector(r.Embedding)
	if err != nil {
		return err
	}
	if err := records.In(tx).ReplaceSuppliedVector(space, r.Seq, supplied); err != nil {
		return err
	}
	if !s.IsOff() {
		s.ExpectRows()
	}
	return nil
}

// packSuppliedVector is the packed form of an embedding that came with a record and
// the space it belongs to: vectors of another length cannot be compared with it.
func packSuppliedVector(embedding json.RawMessage) (vector []byte, space string, err error) {
	if len(embedding) == 0 {
		return nil, "", nil
	}
	var numbers []float64
	if err := json.Unmarshal(embedding, &numbers); err != nil {
		return nil, "", fmt.Errorf("reading the embedding of a record: %w", err)
	}
	unit, ok := normalizeVector(numbers)
	if !ok {
		return nil, "", nil
	}
	vector, err = embed.PackHalf(unit)
	return vector, suppliedVectorSpace(len(unit)), err
}

func suppliedVectorSpace(dimension int) string { return fmt.Sprintf("%s:%d", suppliedModel, dimension) }

// normalizeVector scales an embedding to length 1, which single precision can hold
// whatever the numbers are; not ok when it has no direction.
func normalizeVector(numbers []float64) ([]float32, bool) {
	largest := 0.0
	for _, x := range numbers {
		largest = max(largest, math.Abs(x))
	}
	if !(largest > 0) || math.IsInf(largest, 0) || len(numbers) > maxEmbeddingLength {
		return nil, false
	}
	unit := make([]float32, len(numbers))
	for i, x := range numbers {
		unit[i] = float32(x / largest)
	}
	return unit, embed.Normalize(unit)
}

// recordTable are the records as a keeper of their vectors takes them.
type recordTable struct {
	search.VectorTable
	known atomic.Bool // the vector space is
}

func newRecordTable(db *store.DB) *recordTable {
	return &recordTable{VectorTable: search.VectorTable{Store: db, Rows: func(tx *store.Tx) search.VectorRows { return recordRows{records.In(tx)} }}}
}

// Unembedded makes the vector space known first, so that a record which changes
// while the model thinks is seen to have changed.
func (u *recordTable) Unembedded(ctx context.Context, model string, after int64, limit int) (rows []embed.Row, last int64, err error) {
	if err := u.ensureVectorSpace(ctx, model); err != nil {
		return nil, 0, err
	}
	return u.VectorTable.Unembedded(ctx, model, after, limit)
}

func (u *recordTable) ensureVectorSpace(ctx context.Context, model string) error {
	if u.known.Load() {
		return nil
	}
	known, err := store.ReadValue(ctx, u.Store, func(tx *store.Tx) (bool, error) { return records.In(tx).HasSpace(model) })
	if err == nil && !known {
		err = u.Store.Write(ctx, func(tx *store.Tx) error { return records.In(tx).EnsureSpace(model) })
	}
	u.known.Store(err == nil)
	return err
}

// recordRows are records with the texts that stand for them in a vector space.
type recordRows struct{ records.Rows }

// ListUnembedded returns records that have no vector of their present text.
func (r recordRows) ListUnembedded(model string, after int64, limit int) (list []store.Unembedded, last int64, err error) {
	return r.Rows.ListUnembedded(model, after, limit, func(record records.Record) (string, error) {
		properties, err := decodeObject(record.Properties)
		if err != nil {
			return "", err
		}
		delete(properties, warningsField) // they say how it was read, and not what it says
		return composeTextToEmbed(record.Type, properties), nil
	})
}

// loadVectors returns the vectors of records in a space as they are stored.
func loadVectors(ctx context.Context, db *store.DB, space string, list []int64) (map[int64][]float32, error) {
	vectors := make(map[int64][]float32, len(list))
	err := db.Read(ctx, func(tx *store.Tx) error {
		packed, err := records.In(tx).Vectors(space, list)
		for record, data := range packed {
			if vector, err := embed.Unpack(data); err == nil {
				vectors[record] = vector
			}
		}
		return err
	})
	return vectors, err
}

// Vectors finds records by meaning. It follows the changes of every process, so
// a record that was just written is found.
type Vectors interface {
	// Enter takes note of a record in the transaction that writes it.
	UpdateRecord(tx *store.Tx, r records.Record) error
	// FindSimilar returns the records whose similarity to one of the terms, or to the
	// given embedding when there is one, is at least the threshold. That the
	// embedder fails is no error, for words can still be compared: see Failure.
	FindSimilar(ctx context.Context, q VectorQuery) (Similar, error)
}

// VectorQuery is what to look for.
type VectorQuery struct {
	Terms     []string
	Embedding []float64
	Threshold float64 // 0 to 1
	// Limit is how many records are compared exactly and returned at most.
	Limit int
	// Among lists the rows of the records that count. It is asked only when more
	// than Limit records are similar, for the caller filters anyway.
	Among func(ctx context.Context) ([]int64, error)
}

// Similar is what was found by meaning.
type Similar struct {
	Records map[int64]float64 // the greatest similarity, 0 to 1, by row
	Model   string            // whose vectors were compared
	More    bool              // there are more than the limit
	Failure error             // of the embedder: nothing was compared
	Note    string            // why some records could not be compared; mostly empty
}

// maxSimilar bounds what the vector channel may contribute to one answer.
const maxSimilar = 10_000

// rankSimilar cuts what was found by meaning to the best: by similarity, then
// the newest, then by id.
func rankSimilar(matches []records.Match, similarity map[int64]float64, limit int) []int64 {
	slices.SortFunc(matches, func(a, b records.Match) int {
		return cmp.Or(cmp.Compare(similarity[b.Seq], similarity[a.Seq]), cmp.Compare(b.CreatedAt, a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	rows := make([]int64, min(limit, len(matches)))
	for i := range rows {
		rows[i] = matches[i].Seq
	}
	return rows
}
