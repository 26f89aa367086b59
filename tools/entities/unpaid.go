package entities

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"toolkit/internal/language"
	documents "toolkit/internal/reader"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// maxPaidInvoices is how many paid invoices answer a question for unpaid ones where there is none.
const maxPaidInvoices = 3

// maxUnpaidRows bounds the unpaid invoices among which those are sought that are due.
const maxUnpaidRows = 1000

// maxNextDays is within how many days appointments come next.
const maxNextDays = 7

// searchUnpaid answers a question for unpaid invoices with them, the first due first, and
// where all are paid with the last of those. The words that such a question has stand on
// none of them, so words alone do not find them.
func searchUnpaid(ctx context.Context, tx *store.Tx, q *tools.Question) (list []tools.Candidate, err error) {
	if !asksForUnpaid(q) || !slices.Contains(q.Kinds, kinds.TruthEntity) {
		return nil, nil
	}
	if _, is := language.ParseDueQuestion(q.Text, q.Now.Local()); is {
		return nil, nil // see ListDue
	}
	rows, err := listUnpaidElsePaidInvoices(entities.In(tx))
	if err != nil {
		return nil, err
	}
	invoices, err := invoiceCandidates(ctx, tx, q, rows)
	for _, i := range invoices {
		list = append(list, i.Candidate)
	}
	return list, err
}

// invoiceCandidates offers invoices, but for a question what the user owes, or who owes the user, those
// that are certainly the other way round.
func invoiceCandidates(ctx context.Context, tx *store.Tx, q *tools.Question, rows []int64) (list []tools.DueItem, err error) {
	invoices, err := parseKnownEntities(entities.In(tx).KnownEntities(rows))
	if err != nil || len(invoices) == 0 {
		return nil, err
	}
	user, err := inferOwnerOnce(tx, q)
	if err != nil {
		return nil, err
	}
	other := SideUnknown
	if language.AsksWhoOwes(q.Text) {
		other = SidePays
	} else if hasPayWord(q, "owed") || hasPayWord(q, "to pay") {
		other = SideIsPaid
	}
	for _, e := range invoices {
		if side := user.invoiceSide(e.values); side != SideUnknown && side == other {
			continue
		}
		c, err := entityCandidate(ctx, tx, q, e)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// inferOwnerOnce finds out once for a question who the user is.
func inferOwnerOnce(tx *store.Tx, q *tools.Question) (*owner, error) {
	const key = "owner"
	if known, is := q.Counted[key].(*owner); is {
		return known, nil
	}
	user, err := inferOwner(tx)
	q.Counted[key] = user
	return user, err
}

// setSideAndCustomer says in a candidate who has to pay the invoice that it is.
func (p *invoicePayment) setSideAndCustomer(tx *store.Tx, q *tools.Question, values object) error {
	if p.Left == "" {
		return nil
	}
	user, err := inferOwnerOnce(tx, q)
	if err != nil {
		return err
	}
	p.Side, p.Customer = user.invoiceSide(values), firstText(values, "customer_name")
	return nil
}

// ListDue lists the invoices that a question for what is due asks for, and for what comes next the
// appointments of the next days.
func ListDue(ctx context.Context, tx *store.Tx, q *tools.Question, asked language.DueQuestion) (list []tools.DueItem, err error) {
	if asked.Steps || !slices.Contains(q.Kinds, kinds.TruthEntity) {
		return nil, nil
	}
	var rows []int64
	if asked.Owed { // also those without a day
		rows, err = listUnpaidElsePaidInvoices(entities.In(tx))
	} else {
		rows, err = listDueInvoiceRows(tx, asked.AsksForDay, maxUnpaidRows)
	}
	if err != nil {
		return nil, err
	}
	if list, err = invoiceCandidates(ctx, tx, q, rows[:min(len(rows), maxCandidatesPerKind)]); err != nil {
		return nil, err
	}
	for i := range list {
		if c := &list[i]; !c.Due.IsZero() {
			c.Note = strings.TrimPrefix(c.Note+"; "+tools.DescribeDueDay(c.Due, q.Now), "; ")
		}
	}
	if !asked.Next {
		return list, nil
	}
	from, until := asked.Bounds(maxNextDays)
	events, err := ListAppointments(ctx, tx, toLocalMidnight(from), toLocalMidnight(until))
	for _, a := range events {
		if !asked.AsksForDay(a.At) {
			continue
		}
		list = append(list, tools.DueItem{Due: a.At, Candidate: tools.Candidate{
			Kind: kinds.TruthEntity, ID: a.ID, Text: a.Title + " (" + documents.KindEvent + ") on " + formatDayAndTime(a.At, a.AllDay), At: a.At, Tool: snapshotName, Arguments: map[string]any{"entity_id": a.ID}}})
	}
	return list, err
}

func toLocalMidnight(day time.Time) time.Time {
	return time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, time.Local)
}

func listUnpaidElsePaidInvoices(tx entities.Rows) (rows []int64, err error) {
	unpaid, err := tx.UnpaidInvoices(maxCandidatesPerKind)
	for _, s := range unpaid {
		rows = append(rows, s.Entity)
	}
	if err != nil || len(rows) > 0 {
		return rows, err
	}
	paid, _, err := tx.FindEntities(entities.EntityFilter{Types: []string{invoiceType}, Status: []string{statusPaid}}, maxPaidInvoices, 0)
	for _, e := range paid {
		rows = append(rows, e.Seq)
	}
	return rows, err
}

// invoicePayment is what is known of the payment of an invoice.
type invoicePayment struct {
	entities.InvoiceStatus
	Left     string // amount and currency of what is left to pay
	Side     Side
	Customer string
	Settled  string // a payment that seems to settle it, or a part of it, and that nobody confirmed
}

// loadInvoicePayment reads what is known of the payment of an invoice; of other entities its status
// is empty.
func loadInvoicePayment(tx entities.Rows, e knownEntity) (p invoicePayment, err error) {
	if e.Type != invoiceType {
		return p, nil
	}
	states, err := tx.InvoiceStatusOf([]int64{e.Seq})
	if err != nil {
		return p, err
	}
	p.InvoiceStatus = states[e.Seq]
	if p.Status != statusOpen && p.Status != statusPart {
		return p, nil
	}
	p.Left = FormatMoney(p.Unpaid) + " " + cmp.Or(firstText(e.values, "currency"), "(it states no currency)")
	p.Settled, err = findSuggestedPaymentText(tx, e)
	return p, err
}

// findSuggestedPaymentText tells of the payment that is suggested to settle an invoice, or a part of it; empty where
// none is, or one of several.
func findSuggestedPaymentText(tx entities.Rows, invoice knownEntity) (string, error) {
	list, err := suggestSettlements(tx, invoice.Entity)
	if err != nil || len(list) == 0 || list[0].OneOf > 0 {
		return "", err
	}
	e, known, err := tx.ByID(list[0].SourceEntityID)
	if err != nil || !known {
		return "", err
	}
	paid, _, err := loadKnownEntity(tx, e)
	text := "a payment of " + cmp.Or(firstText(paid.values, "date", "booking_date", "value_date"), "an unknown day")
	if list[0].paid != "" {
		return text + " over " + list[0].paid + " names it", err
	}
	return text + " seems to settle it", err
}

// describePaidOrUnpaid says in a line whether an invoice is paid; empty where nothing tells.
func (p invoicePayment) describePaidOrUnpaid() string {
	switch p.Status {
	case statusPaid:
		return "paid invoice\n"
	case statusOpen, statusPart:
		line := "unpaid invoice, left to pay: " + p.Left
		if p.Side == SideIsPaid {
			line = "unpaid invoice, " + cmp.Or(p.Customer, "its customer") + " owes the user: " + p.Left
		}
		if p.Due != 0 {
			line += ", due on " + time.UnixMilli(p.Due).UTC().Format(time.DateOnly)
		}
		return line + p.describeSuggestedPayment() + "\n"
	}
	return ""
}

// describeSuggestedPayment says that a payment seems to settle the invoice, to be read after what is left to pay.
func (p invoicePayment) describeSuggestedPayment() string {
	if p.Settled == "" {
		return ""
	}
	return "; " + p.Settled + " and is not confirmed yet"
}

// asksForUnpaid reports whether a question asks for invoices that are to be paid.
func asksForUnpaid(q *tools.Question) bool {
	return hasPayWord(q, "owed") || language.AsksWhoOwes(q.Text) || hasPayWord(q, "invoices") && (hasPayWord(q, "unpaid") || hasPayWord(q, "to pay") || deniesPayment(q.Text))
}

// How many words before and behind a word for paid may deny it: "not yet all been paid".
const maxWordsFromNot, maxWordsToNot = 4, 8

// deniesPayment reports whether a text says that something is not paid.
func deniesPayment(text string) bool {
	words := language.Words(text)
	hasWord := func(list string, words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return isPayWord(list, word) })
	}
	for i, word := range words {
		if isPayWord("paid", word) && (hasWord("not", words[max(0, i-maxWordsFromNot):i]) || hasWord("not behind", words[i:min(len(words), i+maxWordsToNot)])) {
			return true
		}
	}
	return false
}

func hasPayWord(q *tools.Question, list string) bool {
	return slices.ContainsFunc(q.Terms, func(t search.Term) bool { return isPayWord(list, t.Word) })
}

// listPaymentSearchTerms are the index terms of the words of a question that an invoice answers by what
// it says of its payment, in whatever language.
func listPaymentSearchTerms(q *tools.Question) (terms []string) {
	owed := language.AsksWhoOwes(q.Text)
	for _, term := range q.Terms {
		if owed && language.IsDebtWord(term.Word) || slices.ContainsFunc([]string{"invoices", "unpaid", "paid", "to pay", "owed"}, func(list string) bool { return isPayWord(list, term.Word) }) {
			terms = append(terms, term.Forms...)
		}
	}
	return terms
}

// isPayWord reports whether a word is in a list: of some lists are the beginnings of words.
func isPayWord(list, word string) bool {
	if slices.Contains([]string{"to pay", "owed", "not", "not behind"}, list) {
		return slices.Contains(payWords()[list], word)
	}
	return slices.ContainsFunc(payWords()[list], func(start string) bool { return strings.HasPrefix(word, start) })
}

// FormatMoney writes an amount as money is written, with both digits of its cents if it has any.
func FormatMoney(number string) string {
	if at := strings.IndexByte(number, '.'); at >= 0 && at == len(number)-2 {
		return number + "0"
	}
	return number
}

// UnpaidInvoice is an invoice of which something is left to pay.
type UnpaidInvoice struct {
	ID       string `json:"id"` // of its entity
	Name     string `json:"name"`
	Vendor   string `json:"vendor,omitempty"`
	Customer string `json:"customer,omitempty"`
	Left     string `json:"left"` // amount and currency
	Due      string `json:"due"`
	Overdue  bool   `json:"overdue,omitempty"`
	Hint     string `json:"hint,omitempty"` // that a payment seems to settle it, to be read after the rest
}

// ListDueInvoices lists by the user's side up to limit invoices of which something is to be paid on certain
// days, the first due first, and counts all, up to most.
func ListDueInvoices(tx *store.Tx, isDue func(day time.Time) bool, limit, most int) (first map[Side][]UnpaidInvoice, counts map[Side]int, err error) {
	rows, err := listDueInvoiceRows(tx, isDue, most)
	if err != nil || len(rows) == 0 {
		return nil, nil, err
	}
	user, err := inferOwner(tx)
	if err != nil {
		return nil, nil, err
	}
	invoices, err := parseKnownEntities(entities.In(tx).KnownEntities(rows))
	first, counts = map[Side][]UnpaidInvoice{}, map[Side]int{}
	for _, e := range invoices {
		side := user.invoiceSide(e.values)
		if counts[side]++; counts[side] > limit {
			continue
		}
		p, err := loadInvoicePayment(entities.In(tx), e)
		if err != nil {
			return nil, nil, err
		}
		first[side] = append(first[side], UnpaidInvoice{e.ID, e.Name, firstText(e.values, "vendor_name"), firstText(e.values, "customer_name"),
			p.Left, time.UnixMilli(p.Due).UTC().Format(time.DateOnly), false, p.describeSuggestedPayment()})
	}
	return first, counts, err
}

// listDueInvoiceRows returns the rows of the invoices of which something is to be paid on certain days, the first due first.
func listDueInvoiceRows(tx *store.Tx, isDue func(day time.Time) bool, most int) (rows []int64, err error) {
	unpaid, err := entities.In(tx).UnpaidInvoices(most)
	for _, s := range unpaid {
		if s.Due != 0 && isDue(time.UnixMilli(s.Due).UTC()) {
			rows = append(rows, s.Entity)
		}
	}
	return rows, err
}
