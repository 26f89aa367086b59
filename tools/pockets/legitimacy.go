package pockets

import (
	"context"
	"math"
	"strconv"
	"time"

	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

const legitimacyName = "score_legitimacy"

type userContext struct {
	UserID          string   `json:"user_id,omitempty" jsonschema_description:"Whose attention events count"`
	FatigueScore    *float64 `json:"fatigue_score,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Takes precedence over what is computed"`
	LastDismissalAt string   `json:"last_dismissal_at,omitempty" jsonschema:"format=date-time" jsonschema_description:"When they last dismissed something"`
}

type merchantContext struct {
	ID           string   `json:"id,omitempty" jsonschema_description:"Outlet that would profit"`
	IdlePressure *float64 `json:"idle_pressure,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"How idle it is; 0.5 when not given"`
}

type legitimacyInput struct {
	PocketID string           `json:"pocket_id" jsonschema:"required,minLength=1" jsonschema_description:"Pocket, such as cluny"`
	Action   string           `json:"candidate_action" jsonschema:"required,minLength=1" jsonschema_description:"Short name of the action, such as surface_deal"`
	User     *userContext     `json:"user_context,omitempty" jsonschema_description:"Who would be interrupted"`
	Merchant *merchantContext `json:"merchant_context,omitempty" jsonschema_description:"On whose behalf"`
	Channel  string           `json:"channel,omitempty" jsonschema_description:"How: push, email, sms; none if absent"`
}

type legitimacyFactorsOutput struct {
	Environment float64 `json:"environmental_alignment"`
	Fatigue     float64 `json:"fatigue"`
	Saturation  float64 `json:"saturation"`
	Pressure    float64 `json:"merchant_pressure"`
	Value       float64 `json:"expected_value"`
}

type gateOutput struct {
	Passed bool    `json:"passed"`
	Score  float64 `json:"score"`
}

type gatesOutput struct {
	Resonance         gateOutput `json:"resonance"`
	MomentSilence     gateOutput `json:"moment_silence"`
	WhyThisPlace      gateOutput `json:"why_this_place"`
	WhyNow            gateOutput `json:"why_now"`
	WhyThisPerson     gateOutput `json:"why_this_person"`
	WhyWorthAttention gateOutput `json:"why_worth_attention"`
	WhyLowEffort      gateOutput `json:"why_low_effort"`
}

type legitimacyOutput struct {
	PocketID       string                   `json:"pocket_id"`
	Action         string                   `json:"candidate_action"`
	Channel        nullable[string]         `json:"channel,omitzero"`
	Score          *int                     `json:"legitimacy_score,omitzero"`
	Band           *string                  `json:"band,omitzero"`
	Recommendation *string                  `json:"recommendation,omitzero"`
	Reasoning      []string                 `json:"reasoning,omitzero"`
	Factors        *legitimacyFactorsOutput `json:"factors,omitzero"`
	Gates          *gatesOutput             `json:"gates,omitzero"`
	WindowEnd      *string                  `json:"vindication_window_end,omitzero"`
	ComputedAt     *string                  `json:"computed_at,omitzero"`
}

func (f *family) legitimacyTool() tools.Tool[legitimacyInput, legitimacyOutput] {
	return tools.Tool[legitimacyInput, legitimacyOutput]{
		Name:  legitimacyName,
		Title: "Score the legitimacy of an interruption",
		Description: "Ask before interrupting: would this action be legitimate at this pocket now? Composes the moment, its quality, fatigue, noise and merchant pressure " +
			"into 0 to 100. Returns score, band, recommendation, reasons and gates; writes nothing. Example: surface_deal at cluny.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Analysis, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "restraint"},
		Examples: []tools.Example[legitimacyInput, legitimacyOutput]{{
			Description: "A deal in a calm moment of unknown quality", Setup: []tools.SetupCall{setupReading},
			Params: legitimacyInput{PocketID: "cluny", Action: "surface_deal", User: &userContext{FatigueScore: new(0.3)}},
			Result: legitimacyOutput{PocketID: "cluny", Action: "surface_deal", Channel: toNullable[string](nil), Score: new(63), Band: new(bandBorderline), Recommendation: new(recommendBorderline),
				Reasoning: []string{"dominant factor expected value 0.50.", "borderline · agent defaults to silence at band borderline.", "expected value has no evidence, neutral 0.50."},
				Factors:   &legitimacyFactorsOutput{0.74, 0.3, 0.18, 0.5, 0.5},
				Gates: &gatesOutput{gateOutput{true, 0.74}, gateOutput{true, 1}, gateOutput{true, 1}, gateOutput{true, 0.5}, gateOutput{true, 0.7},
					gateOutput{true, 0.43}, gateOutput{true, 1}},
				WindowEnd: new(""), ComputedAt: new("")},
			Varies: []string{"vindication_window_end", "computed_at"},
		}},
		Handle: f.scoreLegitimacy,
	}
}

// fatigueSpan is how far back attention is remembered: after two weeks less than
// a ten-thousandth is left of it.
const fatigueSpan = 14 * dayMillis

func (f *family) scoreLegitimacy(ctx context.Context, in legitimacyInput) (tools.Result[legitimacyOutput], error) {
	p, err := resolvePlace(in.PocketID)
	if err != nil {
		return tools.Result[legitimacyOutput]{}, err
	}
	if err := tools.RequireText("candidate_action", in.Action); err != nil {
		return tools.Result[legitimacyOutput]{}, err
	}
	user := userContext{}
	if in.User != nil {
		user = *in.User
	}
	var dismissed *int64
	if user.LastDismissalAt != "" {
		t, err := time.Parse(time.RFC3339Nano, user.LastDismissalAt)
		if err != nil {
			return tools.Result[legitimacyOutput]{}, tools.Invalid(tools.CodeFormat, "user_context.last_dismissal_at", "format date-time", "user_context.last_dismissal_at must be a time with its zone, such as 2026-06-06T08:00:00Z")
		}
		dismissed = new(t.UnixMilli())
	}
	now := f.now()
	var events map[string]float64
	e, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (*evidence, error) {
		var err error
		if user.UserID != "" && user.FatigueScore == nil {
			if events, err = pockets.In(tx).DecayedAttention(user.UserID, now-fatigueSpan, now, fatigueHalfLife); err != nil {
				return nil, err
			}
		}
		return loadPocketEvidence(pockets.In(tx), p.ID, now)
	})
	if err != nil {
		return tools.Result[legitimacyOutput]{}, err
	}
	j := judgeEvidence(e)
	j.fatigue = computeFatigue(events, dismissed, now)
	if user.FatigueScore != nil {
		j.fatigue = *user.FatigueScore
	}
	if in.Merchant != nil && in.Merchant.IdlePressure != nil {
		j.pressure = *in.Merchant.IdlePressure
	}
	out := j.output(p, in, now)
	voice := joinParts("pocket "+sanitizeToken(p.ID), "candidate "+sanitizeToken(in.Action), "score "+strconv.Itoa(*out.Score)+" ("+*out.Band+")",
		"recommendation "+*out.Recommendation, "dominant factor "+findMostLimitingFactor(j.legitimacyFactors))
	return buildResult(legitimacyName, now, out, voice, e.origin(), j.hints(p, in, e, out)), nil
}

// judgement is what the scales show.
type judgement struct {
	legitimacyFactors
	silent  bool
	live    bool     // there is a moment
	unknown []string // factors without evidence
}

// judgeEvidence takes from the evidence what it gives; the rest is neutral and said so.
func judgeEvidence(e *evidence) judgement {
	j := judgement{legitimacyFactors: legitimacyFactors{environment: neutral, saturation: neutral, pressure: neutral, value: neutral, urgency: neutral}}
	m, live := e.computeMoment()
	if j.live = live; live {
		j.environment = environmentalAlignment(m.calm, m.friction, m.fragility)
		j.saturation, j.silent = m.saturation, len(m.reasons) > 0
		j.urgency = clamp(1 - float64(m.halfLife)/fullHalfLife)
	} else {
		j.unknown = append(j.unknown, "environmental alignment", "saturation")
	}
	if mqs, _, ok := e.qualityScore(true); ok {
		j.value, j.urgency = mqs, e.quality.Urgency
	} else {
		j.unknown = append(j.unknown, "expected value")
	}
	return j
}

func (j judgement) output(p place, in legitimacyInput, now int64) legitimacyOutput {
	score := legitimacyScore(j.legitimacyFactors)
	band := legitimacyBand(score)
	overrides := findHardOverrides(j.legitimacyFactors, j.silent)
	recommendation := recommend(band, len(overrides) > 0)
	reasoning := []string{"dominant factor " + findMostLimitingFactor(j.legitimacyFactors) + ".", explainBand(band, len(overrides) > 0)}
	reasoning = append(reasoning, overrides...)
	for _, name := range j.unknown {
		reasoning = append(reasoning, name+" has no evidence, neutral 0.50.")
	}
	if !p.Registered {
		reasoning = append(reasoning, "the pocket is not registered.")
	}
	out := legitimacyOutput{
		PocketID: p.ID, Action: in.Action, Channel: toNullable[string](nil), Score: &score, Band: &band, Recommendation: &recommendation, Reasoning: reasoning,
		Factors: &legitimacyFactorsOutput{round2(j.environment), round2(j.fatigue), round2(j.saturation), round2(j.pressure), round2(j.value)},
		Gates:   j.gates(p, in.Channel), WindowEnd: new(isoMillis(now + hourMillis)), ComputedAt: new(isoMillis(now)),
	}
	if in.Channel != "" {
		out.Channel = toNullable(&in.Channel)
	}
	return out
}

func explainBand(band string, overridden bool) string {
	switch {
	case overridden:
		return band + " · a hard override keeps the agent silent."
	case band == bandBorderline:
		return "borderline · agent defaults to silence at band borderline."
	case band == bandLegitimate:
		return "legitimate · agent may speak at band legitimate."
	}
	return "remain_silent · agent stays silent at band remain_silent."
}

// gates are advisory: they explain the score and change nothing.
func (j judgement) gates(p place, channel string) *gatesOutput {
	gate := func(score, pass float64) gateOutput { return gateOutput{score >= pass-tiny, round2(score)} }
	flag := func(ok bool) gateOutput {
		if ok {
			return gateOutput{true, 1}
		}
		return gateOutput{false, 0}
	}
	return &gatesOutput{
		Resonance: gate(j.environment, gatePass), MomentSilence: flag(!j.silent), WhyThisPlace: flag(p.Registered && j.live),
		WhyNow: gate(math.Max(j.urgency, j.pressure), gatePass), WhyThisPerson: gate(1-j.fatigue, gatePass),
		WhyWorthAttention: gate(worthAttention(j.value, j.saturation), worthAttentionPass), WhyLowEffort: gate(rateChannelEase(channel), gatePass),
	}
}

func (j judgement) hints(p place, in legitimacyInput, e *evidence, out legitimacyOutput) *tools.Hints {
	evidence := e.rateMomentEvidence()
	evidence.Expected += len(j.unknown) // each factor without evidence makes the score less certain
	h := tools.NewHints(evidence)
	if in.User == nil || (in.User.UserID == "" && in.User.FatigueScore == nil && in.User.LastDismissalAt == "") {
		h.Assumes("nobody in particular is asked, so fatigue is 0").Needs("user_context, to know how tired the user is of messages")
	}
	if in.Merchant == nil || in.Merchant.IdlePressure == nil {
		h.Assumes("merchant pressure is the default 0.50")
	}
	switch {
	case !p.Registered:
		h.Because("the pocket is not registered").SuggestCall(lookupName, tools.PriorityHigh, map[string]any{"query": truncateQuery(p.ID)}, "find the pocket that is meant")
	case *out.Recommendation == recommendEmit:
		h.Because("no rule forbids it and the score is in the legitimate band").
			SuggestCall(recordName, tools.PriorityMedium, map[string]any{"kind": "attention"}, "once surfaced, record it and how it was taken")
	default:
		h.Because("the recommendation is silence: "+out.Reasoning[0]).
			SuggestCall(silenceName, tools.PriorityMedium, map[string]any{"pocket_id": p.ID}, "see when a window may form")
	}
	if len(j.unknown) > 0 && j.live {
		h.SuggestCall(loopName, tools.PriorityLow, map[string]any{"pocket_id": p.ID}, "derive moment quality, then score again")
	}
	return h
}
