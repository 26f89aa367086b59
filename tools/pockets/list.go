package pockets

import (
	"context"
	"slices"
	"strings"

	"toolkit/fixtures"
	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

const listName = "list_pockets"

type listInput struct{}

type listOutput struct {
	Pockets []string `json:"pockets" jsonschema_description:"Ids of the pockets whose moment quality is known"`
}

// setupReading is the reading that examples record first; recorded without a
// time it is of this moment.
var setupReading = tools.SetupCall{Tool: recordName, Params: map[string]any{"kind": "atmosphere", "records": []any{map[string]any{
	"pocket_id": "cluny", "stress": 0.18, "calm": 0.74, "social_energy": 0.42, "productive": 0.68, "primary_state": "calm-productive", "signal_saturation": 0.18,
}}}}

// setupLoop derives moment quality from it.
var setupLoop = tools.SetupCall{Tool: loopName, Params: map[string]any{}}

func (f *family) listTool() tools.Tool[listInput, listOutput] {
	return tools.Tool[listInput, listOutput]{
		Name:  listName,
		Title: "List observed pockets",
		Description: "List the neighbourhood pockets that are observed, those with a moment quality. Use it first, when no place was named. " +
			"Returns their ids. Example: before comparing moments of several places.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets"},
		Examples: []tools.Example[listInput, listOutput]{{
			Description: "One pocket was observed", Setup: []tools.SetupCall{setupReading, setupLoop}, Result: listOutput{Pockets: []string{"cluny"}},
		}},
		Handle: f.listPockets,
	}
}

// pocketsALine keeps a line of pockets within its words.
const pocketsALine = 14

func (f *family) listPockets(ctx context.Context, _ listInput) (tools.Result[listOutput], error) {
	now := f.now()
	found, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (map[string]*evidence, error) {
		return loadEvidence(pockets.In(tx), fixtures.PocketIDs(), now)
	})
	if err != nil {
		return tools.Result[listOutput]{}, err
	}
	out := listOutput{Pockets: []string{}}
	var o origin
	var newest int64
	var rows []int64
	for _, id := range fixtures.PocketIDs() {
		e := found[id]
		if e.quality == nil {
			continue
		}
		out.Pockets = append(out.Pockets, id)
		rows = append(rows, e.quality.Dataset)
		o.computed = o.computed || e.quality.Computed
		newest = max(newest, e.quality.ComputedAt)
		o = selectOrigin(e.datasets, o.computed, rows...)
	}
	if len(out.Pockets) == 0 {
		h := tools.NewHints(tools.NewSearchEvidence(0)).Because("no moment quality is known yet").
			SuggestCall(loopName, tools.PriorityHigh, nil, "derive moment quality, if there are readings").
			SuggestCall(recordName, tools.PriorityMedium, map[string]any{"kind": "atmosphere"}, "record a reading")
		return buildResult(listName, now, out, "no pockets observed yet — substrate may be thin.", o, h), nil
	}
	h := tools.NewHints(rateEvidence(o, now-newest, len(out.Pockets), 0)).Because(counted(len(out.Pockets), "pocket has", "pockets have")+" a moment quality").
		SuggestCall(momentName, tools.PriorityMedium, map[string]any{"pocket_id": out.Pockets[0]}, "read the moment of a pocket").
		SuggestCall(silenceName, tools.PriorityLow, nil, "see all pockets at a glance")
	return buildResult(listName, now, out, listVoice(out.Pockets), o, h), nil
}

func listVoice(ids []string) string {
	var all []string
	for chunk := range slices.Chunk(ids, pocketsALine) {
		all = append(all, strings.Join(chunk, ", "))
	}
	return "observed pockets: " + strings.Join(all, ",\n") + "."
}
