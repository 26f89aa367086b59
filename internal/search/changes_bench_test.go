package search

import (
	"fmt"
	"testing"
	"time"
)

// BenchmarkFindChanges compares as many statements as a briefing looks at.
func BenchmarkFindChanges(b *testing.B) {
	const count = 400
	list, all := make([]Statement, count), make([]*Statement, count)
	what := []string{"the release is on %s", "we deploy with %s", "%s signs off the design", "invoices of %s are due in 14 days", "the price of %s is 4.40 EUR"}
	whom := []string{"Fridays", "Mondays", "Jenkins", "Mara", "the bakery", "Keller", "rye bread", "Netlify"}
	for i := range list {
		text := fmt.Sprintf(what[i%len(what)], whom[i/len(what)%len(whom)])
		list[i] = Statement{Text: fmt.Sprintf("%s, as of note %d", text, i), At: time.Unix(int64(i), 0)}
		all[i] = &list[i]
	}
	if err := EmbedStatements(b.Context(), all); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		FindChanges(list, MinChangeScore)
	}
}
