package pockets

import (
	"context"
	"strconv"

	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

const sustainabilityName = "get_pocket_sustainability"

type sustainabilityInput struct {
	PocketID   string `json:"pocket_id" jsonschema:"required,minLength=1" jsonschema_description:"Pocket, such as cluny"`
	WindowDays int    `json:"window_days,omitempty" jsonschema:"minimum=1,maximum=365,default=30" jsonschema_description:"Days to look back"`
}

type sustainabilityOutput struct {
	PocketID           string            `json:"pocket_id"`
	Window             *string           `json:"window,omitzero"`
	WasteAvoidedUnits  nullable[float64] `json:"waste_avoided_units,omitzero"`
	IdleReclaimedHours nullable[float64] `json:"idle_reclaimed_hours,omitzero"`
	PurposefulTrips    nullable[float64] `json:"purposeful_trips,omitzero"`
	AttentionSaved     nullable[float64] `json:"attention_saved_count,omitzero"`
	DollarValue        nullable[float64] `json:"dollar_value_sgd,omitzero"`
	insufficientData
}

func (f *family) sustainabilityTool() tools.Tool[sustainabilityInput, sustainabilityOutput] {
	return tools.Tool[sustainabilityInput, sustainabilityOutput]{
		Name:  sustainabilityName,
		Title: "Sum up a pocket's sustainability",
		Description: "Sum up the sustainability ledger of a pocket: units kept from waste, idle hours reclaimed, trips, attention saved and dollars recovered. " +
			"Use it to tell merchants what restraint is worth. Returns sums; null is what no entry states. Example: cluny over 30 days.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "sustainability"},
		Examples: []tools.Example[sustainabilityInput, sustainabilityOutput]{{
			Description: "One entry that states three measures",
			Setup: []tools.SetupCall{{Tool: recordName, Params: map[string]any{"kind": "ledger", "records": []any{map[string]any{
				"pocket_id": "cluny", "waste_avoided_units": 340, "idle_reclaimed_hours": 14.5, "dollar_value_sgd": 1284}}}}},
			Params: sustainabilityInput{PocketID: "cluny", WindowDays: 30},
			Result: sustainabilityOutput{PocketID: "cluny", Window: new("30d"), WasteAvoidedUnits: toNullable(new(340.0)), IdleReclaimedHours: toNullable(new(14.5)),
				PurposefulTrips: toNullable[float64](nil), AttentionSaved: toNullable[float64](nil), DollarValue: toNullable(new(1284.0))},
		}},
		Handle: f.sumSustainability,
	}
}

func (f *family) sumSustainability(ctx context.Context, in sustainabilityInput) (tools.Result[sustainabilityOutput], error) {
	p, err := resolvePlace(in.PocketID)
	if err != nil {
		return tools.Result[sustainabilityOutput]{}, err
	}
	now := f.now()
	var datasets []pockets.Dataset
	total, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (t pockets.LedgerTotal, err error) {
		if datasets, err = pockets.In(tx).Datasets(); err != nil {
			return t, err
		}
		return pockets.In(tx).SumLedger(p.ID, now-int64(in.WindowDays)*dayMillis, now)
	})
	if err != nil {
		return tools.Result[sustainabilityOutput]{}, err
	}
	window := strconv.Itoa(in.WindowDays) + "d"
	if total.Entries == 0 {
		message := "no sustainability data for " + sanitizeToken(p.ID) + " over the last " + window + "."
		h := askForRecords(p, "ledger", "entries of the ledger", "the ledger holds no entry of this window")
		if p.Registered && in.WindowDays < 365 {
			h.SuggestCall(sustainabilityName, tools.PriorityLow, map[string]any{"pocket_id": p.ID, "window_days": 365}, "look back a year")
		}
		return buildResult(sustainabilityName, now, sustainabilityOutput{PocketID: p.ID, insufficientData: reportInsufficientData(message)}, message, origin{}, h), nil
	}
	out := sustainabilityOutput{
		PocketID: p.ID, Window: &window, WasteAvoidedUnits: roundOrNull(total.WasteAvoided), IdleReclaimedHours: roundOrNull(total.IdleReclaimed),
		PurposefulTrips: roundOrNull(total.Trips), AttentionSaved: roundOrNull(total.AttentionSaved), DollarValue: roundOrNull(total.Dollars),
	}
	o := selectOrigin(datasets, false, total.Datasets...)
	h := tools.NewHints(rateEvidence(o, 0, total.Entries, 0)).
		Because("sums of "+counted(total.Entries, "ledger entry", "ledger entries")).
		SuggestCall(momentName, tools.PriorityLow, map[string]any{"pocket_id": p.ID}, "read the moment of the pocket")
	if total.Outlets > 0 && total.Outlets < minAggregateSize {
		h.Assumes("fewer than five outlets stand behind these sums; do not attribute them to any")
	}
	return buildResult(sustainabilityName, now, out, sustainabilityVoice(p, window, total.LedgerSums), o, h), nil
}

// roundOrNull shows a sum, or null when no entry states the measure.
func roundOrNull(n *float64) nullable[float64] {
	if n == nil {
		return toNullable[float64](nil)
	}
	return toNullable(new(round2(*n)))
}

// sustainabilityVoice tells what is known, in the words of merchants.
func sustainabilityVoice(p place, window string, s pockets.LedgerSums) string {
	said := func(n *float64, before, after string) string {
		if n == nil {
			return ""
		}
		return before + strconv.FormatFloat(round2(*n), 'f', -1, 64) + after
	}
	return joinLines(
		joinParts("pocket "+p.ID, "last "+window, said(s.WasteAvoided, "", " units kept from waste"), said(s.IdleReclaimed, "", " idle hours reclaimed"), said(s.Trips, "", " purposeful trips")),
		joinParts(said(s.AttentionSaved, "", " interruptions spared"), said(s.Dollars, "~$", " recovered")),
	)
}
