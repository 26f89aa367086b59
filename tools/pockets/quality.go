package pockets

import (
	"context"

	"toolkit/tools"
)

const qualityName = "get_pocket_moment_quality"

type qualityFactors struct {
	Usefulness  float64 `json:"usefulness"`
	Urgency     float64 `json:"urgency"`
	Calmness    float64 `json:"calmness"`
	MerchantFit float64 `json:"merchant_fit"`
	UserNeed    float64 `json:"user_need"`
}

type qualityOutput struct {
	PocketID    string            `json:"pocket_id"`
	ComputedAt  *string           `json:"computed_at,omitzero"`
	MQS         *float64          `json:"mqs,omitzero"`
	Band        *string           `json:"band,omitzero"`
	Factors     *qualityFactors   `json:"factors,omitzero"`
	PreviousMQS nullable[float64] `json:"previous_mqs,omitzero"`
	Reasons     []string          `json:"reasons,omitzero"`
	Source      *string           `json:"source,omitzero"`
	insufficientData
}

func (f *family) qualityTool() tools.Tool[pocketInput, qualityOutput] {
	return tools.Tool[pocketInput, qualityOutput]{
		Name:  qualityName,
		Title: "Score a pocket's moment quality",
		Description: "Is this moment worth breaking silence? The moment quality score of a pocket composes usefulness, urgency, calmness, merchant fit and user need. " +
			"Returns the latest score from 0 to 1, its band, factors and reasons. Example: cluny.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "moment"},
		Examples: []tools.Example[pocketInput, qualityOutput]{{
			Description: "Derived from one reading; two factors have no evidence", Setup: []tools.SetupCall{setupReading, setupLoop}, Params: pocketInput{PocketID: "cluny"},
			Result: qualityOutput{PocketID: "cluny", ComputedAt: new(""), MQS: new(0.43), Band: new(bandForming),
				Factors:     &qualityFactors{Usefulness: 0.8, Urgency: 0.39, Calmness: 0.78, MerchantFit: 0.5, UserNeed: 0.5},
				PreviousMQS: toNullable[float64](nil), Source: new("cache"),
				Reasons: []string{"usefulness leading at 0.80", "merchant_fit has no evidence, neutral 0.50", "user_need has no evidence, neutral 0.50"}},
			Varies: []string{"computed_at"},
		}},
		Handle: f.readQuality,
	}
}

func (f *family) readQuality(ctx context.Context, in pocketInput) (tools.Result[qualityOutput], error) {
	p, e, err := f.readPocket(ctx, in.PocketID)
	if err != nil {
		return tools.Result[qualityOutput]{}, err
	}
	mqs, band, ok := e.qualityScore(false)
	if !ok {
		message := "no MQS data for " + sanitizeToken(p.ID) + " yet — substrate may be thin."
		h := askForReadings(p, "no moment quality was imported or derived for it yet")
		if _, live := e.computeMoment(); live {
			h.SuggestCall(loopName, tools.PriorityHigh, map[string]any{"pocket_id": p.ID}, "derive it from the latest reading")
		}
		return buildResult(qualityName, e.now, qualityOutput{PocketID: p.ID, insufficientData: reportInsufficientData(message)}, message, origin{}, h), nil
	}
	q := *e.quality
	out := qualityOutput{
		PocketID: p.ID, ComputedAt: new(isoSeconds(q.ComputedAt)), MQS: new(round2(mqs)), Band: &band,
		Factors:     &qualityFactors{round2(q.Usefulness), round2(q.Urgency), round2(q.Calmness), round2(q.MerchantFit), round2(q.UserNeed)},
		PreviousMQS: roundOrNull(e.previousScore()), Reasons: qualityReasons(q, e.previous), Source: new("cache"),
	}
	o := selectOrigin(e.datasets, true, q.Dataset)
	voice := joinParts(append([]string{"pocket " + p.ID, "moment quality " + formatNumber(mqs) + " (" + band + ")"}, out.Reasons[:min(2, len(out.Reasons))]...)...)
	return buildResult(qualityName, e.now, out, voice, o, e.qualityHints(p, o, out)), nil
}

func (e *evidence) qualityHints(p place, o origin, out qualityOutput) *tools.Hints {
	q := *e.quality
	h := tools.NewHints(rateEvidence(o, e.now-q.ComputedAt, len(listFactors(q))-len(q.Neutral), len(listFactors(q))))
	if q.Computed {
		h.Assumes("the factors were derived on this machine from readings")
	}
	switch {
	case e.now-q.ComputedAt > hourMillis:
		return h.Because("the score is older than an hour").SuggestCall(loopName, tools.PriorityHigh, map[string]any{"pocket_id": p.ID}, "derive a fresh one from the latest reading")
	case *out.MQS >= 0.60:
		return h.Because("the window is open at band "+*out.Band).SuggestCall(legitimacyName, tools.PriorityHigh, map[string]any{"pocket_id": p.ID}, "score the action before surfacing it")
	}
	return h.Because("band "+*out.Band+" does not call for speech").SuggestCall(silenceName, tools.PriorityMedium, map[string]any{"pocket_id": p.ID}, "see when a window may form")
}
