package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/store"
	"toolkit/store/graph"
	"toolkit/store/kinds"
	memoryrows "toolkit/store/memory"
	"toolkit/store/records"
	"toolkit/store/sessions"
	"toolkit/tools/charts"
	"toolkit/tools/entities"
	"toolkit/tools/memory"
)

const (
	// ahead is how far due dates are looked for.
	ahead = 7 * 24 * time.Hour
	// untouched is how long nothing was done in a chart that counts as forgotten.
	untouched = 30 * 24 * time.Hour
	// maxCharts bounds the charts that are looked through.
	maxCharts = 1000
	// payAhead is how far invoices to pay are looked for, in days, and maxInvoices how many are shown.
	payAhead    = 14
	maxInvoices = 5
	// maxShown bounds each list; the counts are of all, up to maxCounted.
	maxShown   = 20
	maxCounted = 1000
)

// Day is what a day begins with. Times are RFC 3339.
type Day struct {
	Date      string        `json:"date"`
	Since     string        `json:"since"`    // of what is new: the beginning of yesterday
	Due       List[Step]    `json:"due"`      // open steps and promises of the next seven days, the first first
	Overdue   List[Step]    `json:"overdue"`  // those whose day is over, the last first
	Events    List[Event]   `json:"events"`   // of calendars, of the next seven days, the first first
	Invoices  List[Invoice] `json:"invoices"` // to be paid within two weeks, or overdue, the first due first
	Owed      List[Invoice] `json:"owed"`     // likewise, to be paid to the user
	Unsided   List[Invoice] `json:"unsided"`  // likewise, and nothing tells whether by the user or to him
	Untouched List[Chart]   `json:"untouched"`
	Sessions  List[Session] `json:"sessions"` // captured, with something new
	Insights  List[Note]    `json:"insights"` // new ones that stand
	Documents List[Note]    `json:"documents"`
	Empty     bool          `json:"empty"` // nothing is remembered at all
}

// List is the first of some things and how many there are.
type List[T any] struct {
	Count int `json:"count"`
	First []T `json:"first"`
}

func (l *List[T]) add(one T) {
	if l.Count++; len(l.First) < maxShown {
		l.First = append(l.First, one)
	}
}

// Step is an open action step, a chart in which none is open, or a promise.
type Step struct {
	ID      string `json:"id"`
	Kind    string `json:"kind"` // step, chart or promise, which is an insight
	Title   string `json:"title"`
	Due     string `json:"due"` // empty: it stands in the place of something due, and names no day
	ChartID string `json:"chartId,omitempty"`
	Chart   string `json:"chart,omitempty"` // its desired outcome
	Note    string `json:"note,omitempty"`  // such as in whose place it stands
}

// Event is a day on which an event of a calendar takes place.
type Event struct {
	ID         string `json:"id"` // of its entity
	Title      string `json:"title"`
	Day        string `json:"day"`
	Time       string `json:"time,omitempty"`       // none: all day
	Recurrence string `json:"recurrence,omitempty"` // the rule, as the calendar writes it
}

// Invoice is one that is to be paid.
type Invoice entities.UnpaidInvoice

// Kinds of what is due.
const (
	step    = "step"
	chart   = "chart"
	promise = "promise"
)

// Chart is an active chart in which nothing was done.
type Chart struct {
	ID      string `json:"id"`
	Outcome string `json:"outcome"`
	Last    string `json:"last"` // when something was
}

// Session is a captured session.
type Session struct {
	ID      string `json:"id"`
	Client  string `json:"client"`
	Project string `json:"project,omitempty"`
	Title   string `json:"title,omitempty"`
	Begins  string `json:"begins"` // what was said first
	Ended   string `json:"ended"`
}

// Note is something that was learned or stored.
type Note struct {
	ID   string `json:"id"`
	Kind string `json:"kind"`
	Text string `json:"text"`
	At   string `json:"at"`
}

// ReadDay reads the day of a moment, in its time zone.
func ReadDay(ctx context.Context, db *store.DB, now time.Time) (Day, error) {
	morning := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	since := morning.AddDate(0, 0, -1)
	d := Day{
		Date: now.Format(time.DateOnly), Since: since.Format(time.RFC3339),
		Due: List[Step]{First: []Step{}}, Overdue: List[Step]{First: []Step{}},
		Events: List[Event]{First: []Event{}}, Invoices: List[Invoice]{First: []Invoice{}},
		Owed: List[Invoice]{First: []Invoice{}}, Unsided: List[Invoice]{First: []Invoice{}}, Untouched: List[Chart]{First: []Chart{}},
		Sessions: List[Session]{First: []Session{}}, Insights: List[Note]{First: []Note{}}, Documents: List[Note]{First: []Note{}},
	}
	err := db.Read(ctx, func(tx *store.Tx) error {
		open, err := d.addUntouchedCharts(tx, now)
		if err != nil {
			return err
		}
		promised, err := readPromises(ctx, tx, now)
		if err != nil {
			return err
		}
		d.addDueAndOverdue(append(open, promised...), now, morning)
		for _, read := range []func(*store.Tx) error{
			func(tx *store.Tx) error { return d.addEvents(ctx, tx, morning) },
			func(tx *store.Tx) error { return d.addDueInvoices(tx, morning) },
			func(tx *store.Tx) error { return d.addSessions(tx, since) },
			func(tx *store.Tx) error { return d.addInsights(tx, since) },
			func(tx *store.Tx) error { return d.addDocuments(tx, since) },
		} {
			if err := read(tx); err != nil {
				return err
			}
		}
		all, err := tx.CountInventory()
		d.Empty = all == store.Inventory{}
		return err
	})
	return d, err
}

// datedStep is something with the moment it is due.
type datedStep struct {
	Step
	at time.Time
}

// addUntouchedCharts notes those that are forgotten, and returns the open steps of all, and the charts
// in which none is open: whether their outcome exists is still to be said. A chart of a step is
// due with its step.
func (d *Day) addUntouchedCharts(tx *store.Tx, now time.Time) (open []datedStep, err error) {
	rows, _, err := graph.In(tx).ActiveCharts(maxCharts, 0)
	if err != nil {
		return nil, err
	}
	states, err := graph.In(tx).ReadChartsWithSteps(rows)
	if err != nil {
		return nil, err
	}
	for _, s := range charts.ListOpenDatedSteps(states, now.Location()) {
		open = append(open, datedStep{Step{ID: s.ID, Kind: step, Title: s.Title, Due: s.DueDate, ChartID: s.Chart.ID, Chart: s.Chart.Outcome}, s.Due})
	}
	isOpen := charts.FindChartsWithOpenSteps(states)
	for _, c := range states {
		if at, ok := charts.ParseDueDateIn(c.DueDate, now.Location()); ok && c.ParentChart == "" && !isOpen[c.Row] {
			open = append(open, datedStep{Step{ID: c.ID, Kind: chart, Title: c.Outcome, Due: c.DueDate}, at})
		}
		if now.Sub(c.Updated) > untouched {
			d.Untouched.add(Chart{ID: c.ID, Outcome: c.Outcome, Last: c.Updated.Format(time.RFC3339)})
		}
	}
	return open, nil
}

// readPromises returns those of the last and of the next days. What took place on a day that is past is over. A plan
// that replaces one of these days is told of, also where it names no day or a later one.
func readPromises(ctx context.Context, tx *store.Tx, now time.Time) (open []datedStep, err error) {
	today, last := now.Format(time.DateOnly), now.Add(ahead).Format(time.DateOnly)
	plans, err := memory.ListPlans(ctx, tx, now.Add(-memory.PromiseMemory).Format(time.DateOnly), last, maxCounted, now)
	for _, p := range plans {
		due := Step{ID: strconv.FormatInt(p.ID, 10), Kind: promise, Title: p.Content, Due: p.Due, Note: p.DescribeReplaced()}
		place := p.Day()
		if place > last && p.Replaced != nil {
			place = memory.DueDayOf(p.Replaced)
		}
		if p.Due > last && place < today {
			continue
		}
		day, malformed := time.ParseInLocation(time.DateOnly, place, now.Location())
		if malformed == nil && memory.IsStillDue(due.Title, place, today) { // imported metadata may be anything
			open = append(open, datedStep{due, day})
		}
	}
	return open, err
}

// addDueAndOverdue notes what is due and what is overdue.
func (d *Day) addDueAndOverdue(open []datedStep, now, morning time.Time) {
	slices.SortStableFunc(open, func(a, b datedStep) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.ID, b.ID)) })
	for _, s := range open {
		if !s.at.Before(morning) && s.at.Before(now.Add(ahead)) {
			d.Due.add(s.Step)
		}
	}
	for _, s := range slices.Backward(open) {
		if s.at.Before(morning) {
			d.Overdue.add(s.Step)
		}
	}
}

func (d *Day) addEvents(ctx context.Context, tx *store.Tx, morning time.Time) error {
	list, err := entities.ListAppointments(ctx, tx, morning, morning.Add(ahead))
	for _, a := range list {
		e := Event{ID: a.ID, Title: a.Title, Day: a.At.Format(time.DateOnly), Recurrence: a.Recurrence}
		if !a.AllDay {
			e.Time = a.At.Format("15:04")
		}
		d.Events.add(e)
	}
	return err
}

func (d *Day) addDueInvoices(tx *store.Tx, morning time.Time) error {
	today, until := morning.Format(time.DateOnly), morning.AddDate(0, 0, payAhead).Format(time.DateOnly)
	due, counts, err := entities.ListDueInvoices(tx, func(day time.Time) bool { return day.Format(time.DateOnly) <= until }, maxInvoices, maxCounted)
	for side, list := range map[entities.Side]*List[Invoice]{entities.SidePays: &d.Invoices, entities.SideIsPaid: &d.Owed, entities.SideUnknown: &d.Unsided} {
		for _, i := range due[side] {
			i.Overdue = i.Due < today
			list.add(Invoice(i))
		}
		list.Count = counts[side]
	}
	return err
}

func (d *Day) addSessions(tx *store.Tx, since time.Time) error {
	all, err := sessions.In(tx).ListSessions(0, maxCounted)
	if err != nil {
		return err
	}
	shown, err := sessions.In(tx).ListSessionSummaries(sessions.SessionFilter{Captured: true, Limit: maxShown})
	if err != nil {
		return err
	}
	for _, s := range all {
		if !s.Ended.Before(since) {
			d.Sessions.Count++
		}
	}
	for _, s := range shown[:min(len(shown), d.Sessions.Count)] { // both lists have the last in front
		d.Sessions.First = append(d.Sessions.First, Session{ID: s.ID, Client: s.Client, Project: s.ProjectName, Title: s.Title, Begins: s.Begins, Ended: s.Ended.In(since.Location()).Format(time.RFC3339)})
	}
	return nil
}

func (d *Day) addInsights(tx *store.Tx, since time.Time) error {
	list, err := memoryrows.In(tx).Insights(memoryrows.InsightFilter{From: since, Limit: maxCounted})
	for _, i := range list {
		d.Insights.add(Note{ID: strconv.FormatInt(i.ID, 10), Kind: kinds.Insight, Text: i.Content, At: i.Created.In(since.Location()).Format(time.RFC3339)})
	}
	return err
}

func (d *Day) addDocuments(tx *store.Tx, since time.Time) error {
	list, _, err := records.In(tx).Find(records.Filter{}, maxCounted)
	for _, r := range list {
		at := time.UnixMilli(r.CreatedAt).In(since.Location())
		if at.Before(since) {
			break
		}
		d.Documents.add(Note{ID: r.ID, Kind: entities.RecordDisplayType(r), Text: recordTitle(r), At: at.Format(time.RFC3339)})
	}
	return err
}

// recordTitle is by what a person knows a record; of a movement of money with its amount.
func recordTitle(r records.Record) string {
	var properties map[string]any
	json.Unmarshal(r.Properties, &properties) //nolint:errcheck // then it has no title
	for _, name := range []string{"title", "name", "file_name", "filename", "summary", "content", "description", "counterparty", "vendor_name", "merchant_name"} {
		text, ok := properties[name].(string)
		if !ok || text == "" {
			continue
		}
		if file, ok := properties["file_name"].(string); ok && file != "" && file != text { // titles of letters and notes are alike
			text += ", " + file
		}
		if amount, ok := properties["amount"].(float64); ok {
			currency, _ := properties["currency"].(string)
			text = strings.TrimSpace(text + ", " + entities.FormatMoney(strconv.FormatFloat(amount, 'f', -1, 64)) + " " + currency)
		}
		return text
	}
	if r.Type == "row" {
		return cmp.Or(firstRowTexts(properties), r.Type)
	}
	return r.Type
}

// maxRowTexts is how many of its texts name a row of a table.
const maxRowTexts = 2

// firstRowTexts are the first texts of a row, by the names of its columns; empty: it has none.
func firstRowTexts(properties map[string]any) string {
	var texts []string
	for _, column := range slices.Sorted(maps.Keys(properties)) {
		if text, ok := properties[column].(string); ok && text != "" && len(texts) < maxRowTexts {
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, ", ")
}
