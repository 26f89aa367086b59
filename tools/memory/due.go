package memory

import (
	"context"
	"strconv"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/tools"
)

const (
	// PromiseMemory is how long a promise is told of after its day: nobody marks it as kept.
	PromiseMemory = 30 * 24 * time.Hour
	// maxDuePromises bounds the promises that are looked through for what is due.
	maxDuePromises = 1000
)

// ListDue lists the promises that a question for what is due asks for.
func ListDue(ctx context.Context, tx *store.Tx, q *tools.Question, asked language.DueQuestion) (list []tools.DueItem, err error) {
	if asked.Invoices {
		return nil, nil
	}
	first := ""
	if !asked.NamesDays() {
		first = q.Now.Add(-PromiseMemory).Format(time.DateOnly)
	}
	plans, err := ListPlans(ctx, tx, first, "9999-12-31", maxDuePromises, q.Now)
	today := q.Now.Local().Format(time.DateOnly)
	for _, p := range plans {
		due, malformed := time.Parse(time.DateOnly, p.Day()) // imported metadata may be anything
		told := malformed == nil && IsStillDue(p.Content, p.Day(), today) && asked.AsksForDay(due)
		if asked.NamesDays() && malformed == nil {
			due, told = asked.FirstAskedDay(p.listDays(due))
		}
		if told {
			note := p.DescribeReplaced()
			if p.Due != "" {
				note = strings.TrimSuffix(tools.DescribeDueDay(due, q.Now)+"; "+note, "; ")
			}
			list = append(list, tools.DueItem{Due: due, Candidate: tools.Candidate{Kind: kinds.Insight, ID: strconv.FormatInt(p.ID, 10), Text: p.Content, At: p.Created, Note: note}})
		}
	}
	return list, err
}

// listDays returns all days of a plan that is due on a day.
func (p *Plan) listDays(due time.Time) []language.DateRange {
	if first, err := time.Parse(time.DateOnly, DueDayOf(&p.Insight)); err == nil {
		due = first
	}
	return language.ListDueDays(p.Content, p.Created.Local(), due)
}
