package pockets

import (
	"context"
	"encoding/json"
	"math"
	"strconv"

	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

const predictionsName = "get_pocket_predictions"

type predictionsInput struct {
	PocketID     string `json:"pocket_id,omitempty" jsonschema_description:"Only of this pocket"`
	Generator    string `json:"generator,omitempty" jsonschema_description:"Only of this generator, such as pocket-projection-60m"`
	Since        string `json:"since,omitempty" jsonschema:"enum=1h,enum=1d,enum=7d,enum=30d,enum=all,default=7d" jsonschema_description:"How far back they were sealed"`
	RevealedOnly bool   `json:"revealed_only,omitempty" jsonschema:"default=false" jsonschema_description:"Only those whose outcome is known"`
	Limit        int    `json:"limit,omitempty" jsonschema:"minimum=1,maximum=500,default=50" jsonschema_description:"At most this many entries"`
}

type generatorOutput struct {
	Generator string  `json:"generator"`
	N         int     `json:"n"`
	Accuracy  float64 `json:"accuracy"`
}

type predictionOutput struct {
	ID          string            `json:"id"`
	PocketID    string            `json:"pocket_id"`
	Generator   string            `json:"generator"`
	Key         string            `json:"prediction_key"`
	SealedAt    string            `json:"sealed_at"`
	RevealAt    string            `json:"reveal_at"`
	Revealed    bool              `json:"revealed"`
	Payload     json.RawMessage   `json:"prediction_payload"`
	Observation json.RawMessage   `json:"actual_observation" jsonschema:"oneof_type=object;null"`
	Accuracy    nullable[float64] `json:"accuracy_score"`
}

type predictionsOutput struct {
	Count    int                `json:"count" jsonschema_description:"Predictions that match, also beyond limit"`
	Window   string             `json:"window"`
	Accuracy []generatorOutput  `json:"accuracy_by_generator"`
	Entries  []predictionOutput `json:"entries"`
}

// sinceSpans are how far back since reaches; all has none.
var sinceSpans = map[string]int64{"1h": hourMillis, "1d": dayMillis, "7d": 7 * dayMillis, "30d": 30 * dayMillis}

func (f *family) predictionsTool() tools.Tool[predictionsInput, predictionsOutput] {
	return tools.Tool[predictionsInput, predictionsOutput]{
		Name:  predictionsName,
		Title: "Audit predictions",
		Description: "Audit the ledger of sealed predictions: what was forecast, when, and how true it came. Use it before quoting a forecast. " +
			"Returns entries, the newest first, and the mean accuracy by generator. Example: the revealed ones of 30 days.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "predictions"},
		Examples: []tools.Example[predictionsInput, predictionsOutput]{{
			Description: "A forecast that waits for its reveal",
			Setup: []tools.SetupCall{{Tool: recordName, Params: map[string]any{"kind": "prediction", "records": []any{map[string]any{
				"pocket_id": "cluny", "generator": "morning-guess", "reveal_at": "2099-06-06T06:00:00Z", "prediction_payload": map[string]any{"calm_probability": 0.71}}}}}},
			Params: predictionsInput{PocketID: "cluny", Since: "30d", Limit: 50},
			Result: predictionsOutput{Count: 1, Window: "30d", Accuracy: []generatorOutput{}, Entries: []predictionOutput{{
				PocketID: "cluny", Generator: "morning-guess", Key: "cluny:2099-06-06:14:00", RevealAt: "2099-06-06T06:00:00Z",
				Payload: json.RawMessage(`{"calm_probability":0.71}`), Accuracy: toNullable[float64](nil)}}},
			Varies: []string{"id", "sealed_at"},
		}},
		Handle: f.listPredictions,
	}
}

func (f *family) listPredictions(ctx context.Context, in predictionsInput) (tools.Result[predictionsOutput], error) {
	now := f.now()
	filter := pockets.PredictionFilter{Generator: in.Generator, From: math.MinInt64, To: now, RevealedOnly: in.RevealedOnly}
	if span, bounded := sinceSpans[in.Since]; bounded {
		filter.From = now - span
	}
	if in.PocketID != "" {
		p, err := resolvePlace(in.PocketID)
		if err != nil {
			return tools.Result[predictionsOutput]{}, err
		}
		filter.Pocket = p.ID
	}
	var entries []pockets.Prediction
	var datasets []pockets.Dataset
	generators, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (list []pockets.GeneratorAccuracy, err error) {
		rows := pockets.In(tx)
		if entries, err = rows.FindPredictions(filter, in.Limit); err != nil {
			return nil, err
		}
		if datasets, err = rows.Datasets(); err != nil {
			return nil, err
		}
		return rows.PredictionAccuracy(filter)
	})
	if err != nil {
		return tools.Result[predictionsOutput]{}, err
	}
	out, broken, rows := buildPredictionsOutput(in.Since, generators, entries)
	o := selectOrigin(datasets, false, rows...)
	return buildResult(predictionsName, now, out, predictionsVoice(out), o, predictionsHints(in, out, o, broken)), nil
}

// buildPredictionsOutput also names the predictions that are not what was sealed.
func buildPredictionsOutput(window string, generators []pockets.GeneratorAccuracy, entries []pockets.Prediction) (out predictionsOutput, broken []string, rows []int64) {
	out = predictionsOutput{Window: window, Accuracy: []generatorOutput{}, Entries: []predictionOutput{}}
	for _, g := range generators {
		out.Count += g.Matching
		if g.Accuracy != nil {
			out.Accuracy = append(out.Accuracy, generatorOutput{g.Generator, g.Revealed, round2(*g.Accuracy)})
		}
	}
	for _, p := range entries {
		rows = append(rows, p.Dataset)
		if sealOf(p) != p.Seal {
			broken = append(broken, p.ID)
		}
		out.Entries = append(out.Entries, predictionOutput{
			ID: p.ID, PocketID: p.Pocket, Generator: p.Generator, Key: p.Key, SealedAt: isoSeconds(p.SealedAt), RevealAt: isoSeconds(p.RevealAt),
			Revealed: p.RevealedAt != 0, Payload: p.Payload, Observation: p.Observation, Accuracy: roundOrNull(p.Accuracy),
		})
	}
	return out, broken, rows
}

func predictionsVoice(out predictionsOutput) string {
	if out.Count == 0 {
		return "no predictions sealed over " + out.Window + " — substrate may be thin."
	}
	all := []string{counted(out.Count, "prediction", "predictions") + " over " + out.Window}
	for _, g := range out.Accuracy[:min(3, len(out.Accuracy))] {
		all = append(all, joinParts(sanitizeToken(g.Generator), "accuracy "+formatNumber(g.Accuracy), "n="+strconv.Itoa(g.N)))
	}
	return joinLines(all...)
}

func predictionsHints(in predictionsInput, out predictionsOutput, o origin, broken []string) *tools.Hints {
	revealed := 0
	for _, g := range out.Accuracy {
		revealed += g.N
	}
	h := tools.NewHints(rateEvidence(o, 0, out.Count, 0))
	for _, id := range broken {
		h.Warn("conflict", tools.PriorityCritical, "prediction "+id+" does not match its seal; it was changed outside toolkit", "do not rely on it")
	}
	switch {
	case out.Count == 0 && in.Since != "all":
		h.Because("nothing was sealed in this window").SuggestCall(predictionsName, tools.PriorityMedium, map[string]any{"since": "all"}, "look back without limit")
	case out.Count == 0:
		h.Because("no prediction was sealed yet").SuggestCall(loopName, tools.PriorityMedium, nil, "seal a projection for each pocket with a fresh reading")
	case revealed < out.Count && !in.RevealedOnly:
		h.Because(counted(out.Count-revealed, "prediction has", "predictions have")+" no score yet").SuggestCall(loopName, tools.PriorityMedium, nil, "reveal those that are due")
	default:
		h.Because("accuracy is the mean of "+counted(revealed, "revealed prediction", "revealed predictions")).
			SuggestCall(silenceName, tools.PriorityLow, nil, "see what the agent does with it")
	}
	return h
}
