package pockets

import (
	"context"

	"toolkit/tools"
)

const momentName = "get_pocket_moment"

// pocketInput names a pocket.
type pocketInput struct {
	PocketID string `json:"pocket_id" jsonschema:"required,minLength=1" jsonschema_description:"Pocket, such as cluny; aliases are fine"`
}

type momentOutput struct {
	PocketID         string   `json:"pocket_id"`
	PrimaryState     *string  `json:"primary_state,omitzero"`
	CalmProbability  *float64 `json:"calm_probability,omitzero"`
	SignalSaturation *float64 `json:"signal_saturation,omitzero"`
	MovementFriction *float64 `json:"movement_friction,omitzero"`
	Fragility        *float64 `json:"fragility,omitzero"`
	HalfLifeMinutes  *int     `json:"half_life_minutes,omitzero"`
	ExpiresAt        *string  `json:"expires_at,omitzero"`
	ShouldStaySilent *bool    `json:"should_stay_silent,omitzero"`
	SilenceReasons   []string `json:"silence_reasons,omitzero"`
	insufficientData
}

func (f *family) momentTool() tools.Tool[pocketInput, momentOutput] {
	return tools.Tool[pocketInput, momentOutput]{
		Name:  momentName,
		Title: "Read a pocket's moment",
		Description: "Read what a pocket is like right now: calm probability, noise, friction, fragility, how long the window lasts, and whether to stay silent. " +
			"Use it before suggesting anything there. Returns numbers from 0 to 1. Example: cluny.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "moment"},
		Examples: []tools.Example[pocketInput, momentOutput]{{
			Description: "A calm moment", Setup: []tools.SetupCall{setupReading}, Params: pocketInput{PocketID: "cluny"},
			Result: momentOutput{PocketID: "cluny", PrimaryState: new("calm-productive"), CalmProbability: new(0.74), SignalSaturation: new(0.18), MovementFriction: new(0.22),
				Fragility: new(0.3), HalfLifeMinutes: new(44), ExpiresAt: new(""), ShouldStaySilent: new(false), SilenceReasons: []string{}},
			Varies: []string{"expires_at"},
		}},
		Handle: f.readMoment,
	}
}

func noMomentMessage(p place) string {
	return "no moment composable for " + sanitizeToken(p.ID) + " — substrate may be thin."
}

func (f *family) readMoment(ctx context.Context, in pocketInput) (tools.Result[momentOutput], error) {
	p, e, err := f.readPocket(ctx, in.PocketID)
	if err != nil {
		return tools.Result[momentOutput]{}, err
	}
	m, ok := e.computeMoment()
	if !ok {
		message := noMomentMessage(p)
		h := askForReadings(p, "a moment needs a reading of the last hour")
		return buildResult(momentName, e.now, momentOutput{PocketID: p.ID, insufficientData: reportInsufficientData(message)}, message, origin{}, h), nil
	}
	out := momentOutput{
		PocketID: p.ID, PrimaryState: &m.latest.PrimaryState, CalmProbability: new(round2(m.calm)), SignalSaturation: new(round2(m.saturation)),
		MovementFriction: new(round2(m.friction)), Fragility: new(round2(m.fragility)), HalfLifeMinutes: &m.halfLife, ExpiresAt: new(isoSeconds(m.expires)),
		ShouldStaySilent: new(len(m.reasons) > 0), SilenceReasons: m.reasons,
	}
	voice := joinParts("pocket "+p.ID, "atmosphere: "+m.latest.PrimaryState, "calm: "+formatNumber(m.calm), "saturation: "+formatNumber(m.saturation),
		"movement friction: "+formatNumber(m.friction), "fragility: "+formatNumber(m.fragility), "window expires: "+isoSeconds(m.expires))
	return buildResult(momentName, e.now, out, voice, e.origin(), e.momentHints(p, m)), nil
}

func (e *evidence) momentHints(p place, m moment) *tools.Hints {
	h := tools.NewHints(e.rateMomentEvidence())
	if m.latest.Saturation == nil {
		h.Assumes("saturation is counted from recorded attention events: " + counted(e.attention, "event", "events") + " in the last hour")
	}
	if m.latest.Friction == nil {
		h.Assumes("movement friction is derived from stress and calm")
	}
	if len(m.reasons) > 0 {
		return h.Because("the moment asks for silence: "+m.reasons[0]).SuggestCall(silenceName, tools.PriorityHigh, map[string]any{"pocket_id": p.ID}, "see why, and when a window may form")
	}
	return h.Because("composed from "+counted(len(e.readings), "reading", "readings")+" of an hour").
		SuggestCall(legitimacyName, tools.PriorityHigh, map[string]any{"pocket_id": p.ID}, "before surfacing anything, score the action").
		SuggestCall(atmosphereName, tools.PriorityLow, map[string]any{"pocket_id": p.ID}, "see where it is heading")
}
