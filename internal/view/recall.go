package view

import (
	"context"
	"strings"

	"toolkit/tools/recall"
)

const (
	recallHits    = 20
	recallHitsMax = 100
	// recallTokens is the most that the tool gives: there is room on a page.
	recallTokens = 20_000
)

// recall asks everything that is remembered, as toolkit recall does in the folder in which
// the view was started.
func (s *Server) recall(ctx context.Context, q *query) (any, error) {
	in := arguments{"query": q.searchText(), "max_tokens": recallTokens, "limit": q.number("limit", recallHits, 1, recallHitsMax)}
	if kinds := q.text("kinds"); kinds != "" {
		in["kinds"] = strings.Split(kinds, ",")
	}
	return s.call(recall.WithWholeHits(recall.WithProject(ctx, s.o.Project...)), q, "recall", in)
}
