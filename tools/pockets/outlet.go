package pockets

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/google/uuid"

	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

const outletName = "get_observed_outlet"

type outletInput struct {
	OutletID string `json:"outlet_id" jsonschema:"required,minLength=1" jsonschema_description:"UUID of the outlet, such as get_intent_substrate returns"`
}

type outletShape struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	PocketID string `json:"pocket_id"`
	Unit     string `json:"unit"`
	OpensAt  string `json:"opens_at" jsonschema_description:"HH:MM in Singapore; empty when not known"`
	ClosesAt string `json:"closes_at"`
	Category string `json:"category"`
}

type outletOutput struct {
	OutletID        string       `json:"outlet_id,omitzero" jsonschema_description:"What was asked for, when nothing is known of it"`
	Outlet          *outletShape `json:"outlet,omitzero"`
	Patterns        []string     `json:"patterns,omitzero"`
	DecisionSupport []string     `json:"decision_support,omitzero"`
	insufficientData
}

// exampleOutlet is an outlet of examples.
const exampleOutlet = "5f0c5a54-6d0e-4c6c-9a6e-0d3b1f6f2a11"

var setupOutlet = tools.SetupCall{Tool: recordName, Params: map[string]any{"kind": "outlet", "records": []any{map[string]any{
	"outlet_id": exampleOutlet, "pocket_id": "cluny", "name": "Plain Vanilla", "unit": "#01-15", "opens_at": "00:00", "closes_at": "00:00", "category": "bakery",
}}}}

func (f *family) outletTool() tools.Tool[outletInput, outletOutput] {
	return tools.Tool[outletInput, outletOutput]{
		Name:  outletName,
		Title: "Look at an outlet",
		Description: "Look at one outlet: what it is, patterns observed around it, and aggregate facts of its pocket that support a decision. " +
			"Aggregates stand on five or more; competitors are never named. Returns outlet, patterns, decision_support. Example: by its UUID.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "outlets"},
		Examples: []tools.Example[outletInput, outletOutput]{{
			Description: "An outlet of a pocket with too few readings for a pattern", Setup: []tools.SetupCall{setupOutlet, setupReading}, Params: outletInput{OutletID: exampleOutlet},
			Result: outletOutput{Outlet: &outletShape{exampleOutlet, "Plain Vanilla", "cluny", "#01-15", "00:00", "00:00", "bakery"}, Patterns: []string{}, DecisionSupport: []string{}},
		}},
		Handle: f.readOutlet,
	}
}

// outletFacts is what an outlet's answer is made of.
type outletFacts struct {
	outlet    pockets.Outlet
	known     bool
	hours     []pockets.SlotMean
	ledger    pockets.LedgerTotal
	attention pockets.AttentionShare
	datasets  []pockets.Dataset
}

const (
	patternSpan = 14 * dayMillis
	ledgerSpan  = 30 * dayMillis
)

func (f *family) readOutlet(ctx context.Context, in outletInput) (tools.Result[outletOutput], error) {
	if err := tools.RequireText("outlet_id", in.OutletID); err != nil {
		return tools.Result[outletOutput]{}, err
	}
	now := f.now()
	id := in.OutletID
	if parsed, err := uuid.Parse(id); err == nil {
		id = parsed.String()
	}
	o, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (outletFacts, error) { return loadOutletFacts(pockets.In(tx), id, now) })
	if err != nil {
		return tools.Result[outletOutput]{}, err
	}
	if !o.known || !o.outlet.Active {
		const message = "outlet not found or inactive."
		h := tools.NewHints(tools.NewSearchEvidence(0)).Because("no active outlet has this id").
			SuggestCall(intentName, tools.PriorityMedium, nil, "outlets of a pocket that serve an intent come with their ids")
		return buildResult(outletName, now, outletOutput{OutletID: in.OutletID, insufficientData: reportInsufficientData(message)}, message, origin{}, h), nil
	}
	s := o.outlet
	out := outletOutput{
		Outlet:   &outletShape{s.ID, s.Name, s.Pocket, s.Unit, s.OpensAt, s.ClosesAt, s.Category},
		Patterns: o.describePatterns(), DecisionSupport: o.describePocketAggregates(),
	}
	hours := ""
	if s.OpensAt != "" {
		hours = s.OpensAt + "–" + s.ClosesAt
	}
	voice := joinLines(append(append([]string{joinParts(sanitizeName(s.Name), s.Pocket, s.Category, hours)}, out.Patterns...), out.DecisionSupport...)...)
	from := selectOrigin(o.datasets, false, append(o.ledger.Datasets, s.Dataset)...)
	h := tools.NewHints(rateEvidence(from, 0, 1+len(out.Patterns)+len(out.DecisionSupport), 3)).AddRelatedResource("pocket", s.Pocket, s.Pocket, 0.9).
		Because(counted(len(out.Patterns), "pattern stands", "patterns stand")+" on enough rows").
		SuggestCall(momentName, tools.PriorityMedium, map[string]any{"pocket_id": s.Pocket}, "read the moment of its pocket")
	if !slices.ContainsFunc(o.hours, func(m pockets.SlotMean) bool { return m.Readings >= minAggregateSize }) {
		h.Needs("five readings of the same hour within 14 days, for a pattern")
	}
	return buildResult(outletName, now, out, voice, from, h), nil
}

func loadOutletFacts(tx pockets.Rows, id string, now int64) (o outletFacts, err error) {
	if o.outlet, o.known, err = tx.OutletByID(id); err != nil || !o.known || !o.outlet.Active {
		return o, err
	}
	pocket := o.outlet.Pocket
	if o.hours, err = tx.SlotMeans(pocket, now-patternSpan, now, hourMillis, singaporeZoneMillis); err != nil {
		return o, err
	}
	if o.ledger, err = tx.SumLedger(pocket, now-ledgerSpan, now); err != nil {
		return o, err
	}
	if o.attention, err = tx.AttentionAtHour(pocket, now-patternSpan, now, -1, singaporeZoneMillis); err != nil {
		return o, err
	}
	o.datasets, err = tx.Datasets()
	return o, err
}

// describePatterns returns what is observed around the outlet while it is open.
func (o outletFacts) describePatterns() []string {
	found := []string{}
	calmest := pockets.SlotMean{Calm: -1}
	for _, h := range o.hours {
		if h.Readings >= minAggregateSize && h.Calm > calmest.Calm && (o.outlet.OpensAt == "" || isOpenAt(o.outlet, h.Slot*60)) {
			calmest = h
		}
	}
	if calmest.Calm >= 0 {
		found = append(found, "calmest hour: "+formatHour(calmest.Slot)+"–"+formatHour(calmest.Slot+1)+" (n="+strconv.Itoa(calmest.Readings)+" atmosphere readings)")
	}
	if len(o.outlet.DNA) > 0 {
		traits := slices.SortedFunc(maps.Keys(o.outlet.DNA), func(a, b string) int {
			return cmp.Or(cmp.Compare(o.outlet.DNA[b], o.outlet.DNA[a]), cmp.Compare(a, b))
		})
		found = append(found, "dna leans "+traits[0]+" at "+formatNumber(o.outlet.DNA[traits[0]]))
	}
	if rain := o.outlet.RainSensitivity; rain != nil {
		found = append(found, "rain sensitivity "+formatNumber(*rain)+", "+describeLevel(*rain))
	}
	return found
}

// describePocketAggregates returns aggregates of the pocket that five or more outlets stand
// behind.
func (o outletFacts) describePocketAggregates() []string {
	found := []string{}
	if o.ledger.Dollars != nil && o.ledger.Outlets >= minAggregateSize {
		found = append(found, "the pocket's recovery ledger shows ~$"+formatWhole(*o.ledger.Dollars)+" over 30d across "+blurCount(o.ledger.Outlets)+" outlets")
	}
	if a := o.attention; a.Outlets >= minAggregateSize {
		share := float64(a.Accepted) / float64(a.Events)
		found = append(found, "accepted share of attention is "+formatNumber(share)+" over 14d across "+blurCount(a.Outlets)+" outlets")
	}
	return found
}

// blurCount blurs a number of outlets: none can be told from another.
func blurCount(n int) string { return strconv.Itoa(n-n%minAggregateSize) + "+" }

// formatWhole returns an amount without its cents.
func formatWhole(x float64) string { return strconv.FormatFloat(math.Round(x), 'f', 0, 64) }

func describeLevel(x float64) string {
	switch {
	case x < 1.0/3:
		return "low"
	case x < 2.0/3:
		return "medium"
	}
	return "high"
}

func formatHour(hour int) string { return fmt.Sprintf("%02d:00", hour%24) }
