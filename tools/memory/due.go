package memory

import (
	"context"
	"strconv"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/tools"
)

const (
	// PromiseMemory is how long a promise is told of after its day: nobody marks it as kept.
	PromiseMemory = 30 * 24 * time.Hour
	// maxDuePromises bounds the promises that are looked through for what is due.
	maxDuePromises = 1000
)

// ListDue lists the promises that a question for what is due asks for.
func ListDue(_ context.Context, tx *store.Tx, q *tools.Question, asked language.DueQuestion) (list []tools.DueItem, err error) {
	if asked.Invoices {
		return nil, nil
	}
	first := ""
	if !asked.NamesDays() {
		first = q.Now.Add(-PromiseMemory).Format(time.DateOnly)
	}
	promises, err := memory.In(tx).InsightsDue(first, "9999-12-31", maxDuePromises)
	for _, i := range promises {
		due, malformed := time.Parse(time.DateOnly, DueDayOf(&i)) // imported metadata may be anything
		told := asked.NamesDays() || IsStillDue(i.Content, DueDayOf(&i), q.Now.Local().Format(time.DateOnly))
		if malformed == nil && told && asked.AsksForDay(due) {
			list = append(list, tools.DueItem{Due: due, Candidate: tools.Candidate{
				Kind: kinds.Insight, ID: strconv.FormatInt(i.ID, 10), Text: i.Content, At: i.Created, Note: tools.DescribeDueDay(due, q.Now)}})
		}
	}
	return list, err
}
