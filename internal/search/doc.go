// Package search finds what is remembered, whichever family keeps it: by words, by
// meaning, and by topic.
//
// Words: short texts are ranked for a question by evidence that is weighed and ranks that
// are fused. Whoever holds the rows brings them; how words are read is in
// internal/language. A search goes in five steps.
//
//  1. [AnalyseQuery] reads the query: its content words and their stems.
//  2. The store looks up how many rows hold each term of [Query.EachVocabularyTerm] and
//     hands that to [NewScorer] as [Statistics].
//  3. [FindRowsByWords] looks for rare words in the full-text index, and behind them for
//     frequent ones that stand together; [BuildMatchExpression] writes terms in FTS5's
//     language. Hits of a vector index join them, and the neighbours of both in their
//     sessions.
//  4. [Scorer.Evidence] counts what each row holds, and [Scorer.Score] weighs a
//     row with its neighbours, once by the [Keyword] profile and once by
//     [Meaning].
//  5. [RankHits] sorts each list, [FuseRankedHits] joins them by reciprocal rank, [FindMatchedWords]
//     and [Snippet] explain a hit.
//
// Rows are indexed by [language.Terms] and [language.CalendarTerms]; both sides of a comparison pass
// through the same stemmers. Nothing here depends on the clock, on the machine
// or on the order of a map: the same rows and query give the same ranks.
//
// Meaning: [RowSearch] keeps the vectors of the knowledge graph, or of passages of files, and finds the nearest; other
// families keep their own.
//
// Topics: [Changes] decides which later statement makes which earlier one untrue,
// [FindOutdatedInsights] decides it of insights for all that tell of them, and [GroupOutdated] puts behind
// what holds what was true before it. Nothing is left out for it:
// whoever is told both with their days can see for themselves.
package search
