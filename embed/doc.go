// Package embed turns texts into vectors and finds the closest ones.
//
// An Embedder maps texts into one named vector space. Local needs nothing and
// is lexical; Static reads a model2vec-style folder; OpenAI and Ollama ask a
// service. FromEnvironment chooses. Accumulate is the lower level of Local, for
// callers that mix a text with its context or weigh terms by their rarity.
//
// An Index holds the vectors of one collection in one vector space in memory
// and follows a Source, the database that all processes share:
//
//	index := embed.NewIndex("l2", embedder.Model(), embed.Options{Source: rows, Exact: rows.Vectors})
//	query, err := embedder.Query(ctx, "what did we decide about the harbour?")
//	hits, err := index.Search(ctx, query, 10, nil)
//
// A Backlog gives rows their vectors that were stored without one, and knows
// whether the model has failed; Pack is how a database keeps a vector.
//
// The vector search is chromem-go's. It compares a query with every document,
// and each document costs it about 0.3 µs before the first multiplication, so
// the index gives it documents that are worth it: up to 2048 rows, the rows
// themselves; beyond, one document for 8 or 16 rows, the direction of their sum
// in a projection to 384 dimensions. The rows of the groups it ranks best are
// scored by 8-bit codes, first of the projection, then of the whole vector, and
// the last few dozen by their stored vectors. Everything but chromem-go's
// ranking of groups is integer arithmetic or unfused floating point, so that
// all platforms and processes give the same answer.
package embed
