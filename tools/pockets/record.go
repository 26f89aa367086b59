package pockets

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

const recordName = "record_pocket_signal"

type recordInput struct {
	Kind    string           `json:"kind" jsonschema:"required,enum=atmosphere,enum=outlet,enum=ledger,enum=attention,enum=prediction" jsonschema_description:"What the records are"`
	Records []map[string]any `json:"records" jsonschema:"required,minItems=1,maxItems=100" jsonschema_extras:"fields=pocket_id" jsonschema_description:"Objects with pocket_id and, by kind (? optional): atmosphere stress calm social_energy productive (0-1) primary_state captured_at? signal_saturation? movement_friction? anomaly_flag?; outlet outlet_id name category unit? opens_at? closes_at? active?; ledger waste_avoided_units? idle_reclaimed_hours? purposeful_trips? attention_saved_count? dollar_value_sgd? outlet_id? occurred_at?; attention event (surfaced dismissed accepted) user_id? outlet_id? occurred_at?; prediction prediction_payload generator? reveal_at? Times are ISO 8601; now if absent"`
}

type sealedOutput struct {
	ID       string `json:"id"`
	Key      string `json:"prediction_key"`
	RevealAt string `json:"reveal_at"`
	Seal     string `json:"seal" jsonschema_description:"SHA-256 of what was sealed; keep it to prove later that nothing changed"`
}

type recordOutput struct {
	Kind      string         `json:"kind"`
	Recorded  int            `json:"recorded" jsonschema_description:"Records that are new or corrected"`
	Unchanged int            `json:"unchanged" jsonschema_description:"Records that stood so already, or that another data set holds"`
	Pockets   []string       `json:"pockets,omitempty"`
	Sealed    []sealedOutput `json:"sealed,omitempty"`
}

func (f *family) recordTool() tools.Tool[recordInput, recordOutput] {
	return tools.Tool[recordInput, recordOutput]{
		Name:  recordName,
		Title: "Record what is observed",
		Description: "Record what is observed at pockets: atmosphere readings, outlets, ledger entries, attention events, or predictions to be sealed. " +
			"Use it when the user tells you what a place is like; one of the same pocket and time replaces the earlier. All go in, or none. Returns what was recorded. Example: a calm reading of cluny.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Medium, Idempotent: true, Destructive: true, Version: shorterVersion, Tags: []string{"pockets", "recording"},
		Examples: []tools.Example[recordInput, recordOutput]{{
			Description: "A reading of this moment",
			Params: recordInput{Kind: "atmosphere", Records: []map[string]any{{
				"pocket_id": "cluny", "stress": 0.18, "calm": 0.74, "social_energy": 0.42, "productive": 0.68, "primary_state": "calm-productive"}}},
			Result: recordOutput{Kind: "atmosphere", Recorded: 1, Pockets: []string{"cluny"}},
		}},
		Handle: f.recordRows,
	}
}

func (f *family) recordRows(ctx context.Context, in recordInput) (tools.Result[recordOutput], error) {
	now := f.now()
	var batch rowBatch
	checker := rowChecker{Now: now, Here: true}
	pocketIDs := map[string]bool{}
	for i, row := range in.Records {
		pocket, err := checker.checkAndAddRow(&batch, in.Kind, row)
		if err != nil {
			field := fmt.Sprintf("records[%d]", i)
			return tools.Result[recordOutput]{}, tools.Invalid(tools.CodeInvalid, field, "fields of "+in.Kind, "%s: %v; nothing was recorded", field, err)
		}
		pocketIDs[pocket] = true
	}
	changed, err := store.WriteValue(ctx, f.store, func(tx *store.Tx) (int, error) {
		local, err := pockets.In(tx).EnsureDataset(LocalDataset)
		if err != nil {
			return 0, err
		}
		return storeBatch(tx, &batch, local.Seq)
	})
	if errors.Is(err, ErrAlreadySealed) {
		return tools.Result[recordOutput]{}, tools.Refused(tools.CodeInvalid, "records", "sealed once", "%v; nothing was recorded", err)
	}
	if err != nil {
		return tools.Result[recordOutput]{}, err
	}
	out := recordOutput{Kind: in.Kind, Recorded: changed, Unchanged: batch.Rows() - changed, Pockets: slices.Sorted(maps.Keys(pocketIDs))}
	for _, p := range batch.Predictions {
		out.Sealed = append(out.Sealed, sealedOutput{p.ID, p.Key, isoSeconds(p.RevealAt), p.Seal})
	}
	voice := "recorded " + counted(changed, in.Kind+" record", in.Kind+" records") + " · " + counted(out.Unchanged, "unchanged", "unchanged")
	return buildResult(recordName, now, out, voice, origin{}, recordHints(out)), nil
}

func recordHints(out recordOutput) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence()).Because("the records are stored as this machine's own")
	if out.Unchanged > 0 {
		h.Warn("duplicate", tools.PriorityLow, counted(out.Unchanged, "record stood", "records stood")+" so already or belong to an imported data set", "")
	}
	first := map[string]any{"pocket_id": out.Pockets[0]}
	switch out.Kind {
	case KindAtmosphere:
		h.SuggestCall(loopName, tools.PriorityMedium, first, "derive moment quality and seal a projection").SuggestCall(momentName, tools.PriorityMedium, first, "read the moment")
	case KindOutlet:
		h.SuggestCall(intentName, tools.PriorityLow, first, "see which intents it serves")
	case KindLedger:
		h.SuggestCall(sustainabilityName, tools.PriorityLow, first, "see the sums")
	case KindPrediction:
		h.SuggestCall(predictionsName, tools.PriorityLow, first, "see it in the ledger")
	default:
		h.SuggestCall(legitimacyName, tools.PriorityLow, first, "it counts in the next score")
	}
	return h
}
