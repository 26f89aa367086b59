package entities

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// searchUnpaid answers a question for unpaid invoices with them, the first due first. The
// words that such a question has stand on none of them, so words alone do not find them.
func searchUnpaid(tx *store.Tx, q *tools.Question) (list []tools.Candidate, err error) {
	asked := matchUnpaidQuestion(q)
	if asked == nil || !slices.Contains(q.Kinds, kinds.TruthEntity) {
		return nil, nil
	}
	unpaid, err := entities.In(tx).UnpaidInvoices(maxCandidatesPerKind)
	if err != nil {
		return nil, err
	}
	rows := make([]int64, len(unpaid))
	for i, s := range unpaid {
		rows[i] = s.Entity
	}
	entityList, snapshots, err := entities.In(tx).SnapshotsFound(rows)
	if err != nil {
		return nil, err
	}
	for i, e := range entityList {
		c, err := entityCandidate(q, e, snapshots[i])
		if err != nil {
			return nil, err
		}
		values, err := readValues(snapshots[i])
		if err != nil {
			return nil, err
		}
		currency := cmp.Or(textOf(values, "currency"), "(it states no currency)")
		c.Text = "unpaid invoice, left to pay: " + unpaid[i].Unpaid + " " + currency + dueText(unpaid[i]) + "\n" + c.Text
		c.Terms, c.Ranked = append(language.Terms(c.Text), asked...), true // it is what is asked for, in whatever language
		list = append(list, c)
	}
	return list, nil
}

func dueText(s entities.InvoiceStatus) string {
	if s.Due == 0 {
		return ""
	}
	return ", due on " + time.UnixMilli(s.Due).UTC().Format(time.DateOnly)
}

// matchUnpaidQuestion are the index terms by which a question asks for invoices that are not paid;
// nil: it does not.
func matchUnpaidQuestion(q *tools.Question) (terms []string) {
	found := map[string]bool{}
	for _, term := range q.Terms {
		for _, list := range []string{"invoices", "unpaid"} {
			if slices.ContainsFunc(payWords()[list], func(start string) bool { return strings.HasPrefix(term.Word, start) }) {
				found[list] = true
				terms = append(terms, term.Forms...)
			}
		}
	}
	if len(found) < 2 {
		return nil
	}
	return terms
}
