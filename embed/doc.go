// Package embed turns texts into vectors and finds the closest ones.
//
// An Embedder maps texts into one named vector space. BuiltIn is the sentence model
// of the program, OpenAI asks a compatible service, Off makes no vectors.
// FromEnvironment chooses.
//
// An Index holds the vectors of one collection in one vector space in memory
// and follows a Source, the database that all processes share:
//
//	index := embed.NewIndex(rows.Vectors)
//	err := index.Sync(ctx, rows)
//	query, err := embedder.Query(ctx, "what did we decide about the harbour?")
//	hits, err := index.Search(ctx, query, 10, nil)
//
// A Backlog gives rows their vectors that were stored without one, and knows
// whether the model has failed; Pack is how a database keeps a vector.
//
// Up to 2048 rows chromem-go searches the vectors themselves, where it is exact
// and fast. It hands every document through a channel and a lock, so beyond that
// the index scans codes of 8 bits a component: of a projection to 384 dimensions
// first, then of the whole vectors of the best, and the last few dozen rows are
// ranked by their stored vectors. Everything but chromem-go's part is integer
// arithmetic or unfused floating point, so that all platforms and processes give
// the same answer.
package embed
