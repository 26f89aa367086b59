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

const silenceName = "get_pocket_silence"

type silenceInputs struct {
	PocketID string `json:"pocket_id,omitempty" jsonschema_description:"Pocket; without it, an overview of all"`
}

type vitalsOutput struct {
	PocketsWatched  int `json:"pockets_watched" jsonschema_description:"Pockets with a reading in the last hour"`
	ReadingsPerHour int `json:"readings_per_hour"`
	OpenPredictions int `json:"open_predictions"`
}

type pocketStatus struct {
	PocketID string `json:"pocket_id"`
	Status   string `json:"signal_status_code"`
}

type silenceOutput struct {
	PocketID      nullable[string] `json:"pocket_id"`
	Status        *string          `json:"signal_status_code,omitzero"`
	Justification *string          `json:"justification,omitzero"`
	Outlook       []string         `json:"outlook,omitzero"`
	NextWindow    nullable[string] `json:"next_possible_window,omitzero"`
	Vitals        *vitalsOutput    `json:"substrate_vitals,omitzero"`
	Pockets       []pocketStatus   `json:"pockets,omitzero" jsonschema_description:"Of the overview: each pocket's status"`
	insufficientData
}

func (f *family) silenceTool() tools.Tool[silenceInputs, silenceOutput] {
	return tools.Tool[silenceInputs, silenceOutput]{
		Name:  silenceName,
		Title: "Explain the silence",
		Description: "Explain why the agent is silent in a pocket, or why it may speak: status, justification, outlook and the next possible window. " +
			"Use it when nothing was surfaced. Returns one pocket, or without pocket_id an overview of all. Example: holland-village.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "silence"},
		Examples: []tools.Example[silenceInputs, silenceOutput]{{
			Description: "Calm holds, so nothing needs saying", Setup: []tools.SetupCall{setupReading}, Params: silenceInputs{PocketID: "cluny"},
			Result: silenceOutput{PocketID: toNullable(new("cluny")), Status: new(statusStableCalm), Justification: new("calm 0.74 holds, nothing needs saying"),
				Outlook: []string{noOutlook}, NextWindow: toNullable[string](nil), Vitals: &vitalsOutput{1, 1, 0}},
		}},
		Handle: f.readSilence,
	}
}

const noOutlook = "no window foreseen from the last 14 days"

// silenceFacts are what an answer about silence is made of.
type silenceFacts struct {
	found  map[string]*evidence
	slots  []pockets.SlotMean
	vitals vitalsOutput
}

func (f *family) readSilence(ctx context.Context, in silenceInputs) (tools.Result[silenceOutput], error) {
	now := f.now()
	wanted, p := fixtures.PocketIDs(), place{}
	if strings.TrimSpace(in.PocketID) != "" {
		var err error
		if p, err = resolvePlace(in.PocketID); err != nil {
			return tools.Result[silenceOutput]{}, err
		}
		wanted = []string{p.ID}
	}
	facts, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (s silenceFacts, err error) {
		rows := pockets.In(tx)
		if s.found, err = loadEvidence(rows, wanted, now); err != nil {
			return s, err
		}
		if p.ID != "" && len(s.found[p.ID].readings) > 0 {
			if s.slots, err = rows.SlotMeans(p.ID, now-outlookSpan, now, slotMillis, singaporeZoneMillis); err != nil {
				return s, err
			}
		}
		if s.vitals.ReadingsPerHour, s.vitals.PocketsWatched, err = rows.CountReadingsAndActive(fixtures.PocketIDs(), now-hourMillis, now); err != nil {
			return s, err
		}
		s.vitals.OpenPredictions, err = rows.OpenPredictions()
		return s, err
	})
	if err != nil {
		return tools.Result[silenceOutput]{}, err
	}
	if p.ID == "" {
		return describeNetworkSilence(now, facts), nil
	}
	return describePocketSilence(now, p, facts), nil
}

// explainSilence returns why the agent is silent in a pocket that has readings.
func (e *evidence) explainSilence() (code, justification string) {
	m, ok := e.computeMoment()
	if !ok {
		return statusWithhold, "latest reading of " + clockTime(e.latest().CapturedAt) + " SGT is older than an hour"
	}
	in := silenceInput{saturation: m.saturation, calm: m.calm, reasons: m.reasons}
	if mqs, band, ok := e.qualityScore(true); ok {
		in.mqs, in.band, in.previous = mqs, band, e.previousScore()
	}
	return silenceStatus(in)
}

func describePocketSilence(now int64, p place, facts silenceFacts) tools.Result[silenceOutput] {
	e := facts.found[p.ID]
	id := toNullable(&p.ID)
	if len(e.readings) == 0 {
		message := "no silence data for " + sanitizeToken(p.ID)
		return buildResult(silenceName, now, silenceOutput{PocketID: id, insufficientData: reportInsufficientData(message)}, message, origin{}, askForReadings(p, "the pocket has no reading"))
	}
	code, justification := e.explainSilence()
	out := silenceOutput{PocketID: id, Status: &code, Justification: &justification, Outlook: []string{noOutlook}, NextWindow: toNullable[string](nil), Vitals: &facts.vitals}
	if next := findNextQuietWindow(facts.slots, now, singaporeZoneMillis); next != 0 {
		out.Outlook = []string{"window may form by ~" + clockTime(next) + " SGT"}
		out.NextWindow = toNullable(new(isoSeconds(next)))
	}
	h := tools.NewHints(e.rateMomentEvidence()).Because("the first rule that fits decides: " + justification)
	if _, _, scored := e.qualityScore(true); !scored {
		h.Assumes("no moment quality of the last hour is known; only the atmosphere decided").
			SuggestCall(loopName, tools.PriorityLow, map[string]any{"pocket_id": p.ID}, "derive moment quality from the latest reading")
	}
	if code == statusActive {
		h.SuggestCall(legitimacyName, tools.PriorityHigh, map[string]any{"pocket_id": p.ID}, "score the action before surfacing it")
	} else {
		h.SuggestCall(momentName, tools.PriorityLow, map[string]any{"pocket_id": p.ID}, "see the numbers behind it")
	}
	voice := joinLines(append([]string{joinParts(p.ID, justification)}, out.Outlook...)...)
	return buildResult(silenceName, now, out, voice, e.origin(), h)
}

// restraint orders the codes from silence to speech, for ties.
var restraint = []string{statusWithhold, statusStableCalm, statusDecay, statusForming, statusActive}

func describeNetworkSilence(now int64, facts silenceFacts) tools.Result[silenceOutput] {
	out := silenceOutput{PocketID: toNullable[string](nil), Vitals: &facts.vitals, Pockets: []pocketStatus{}}
	count := map[string]int{}
	o := origin{computed: true}
	var rows []int64
	for _, id := range fixtures.PocketIDs() {
		e := facts.found[id]
		if len(e.readings) == 0 {
			continue
		}
		code, _ := e.explainSilence()
		count[code]++
		out.Pockets = append(out.Pockets, pocketStatus{id, code})
		rows = append(rows, e.latest().Dataset)
		o = selectOrigin(e.datasets, true, rows...)
	}
	if len(out.Pockets) == 0 {
		const message = "no silence data for the network"
		return buildResult(silenceName, now, silenceOutput{PocketID: out.PocketID, insufficientData: reportInsufficientData(message)}, message, origin{}, askForReadings(place{ID: "the network", Registered: true}, "no pocket has a reading"))
	}
	most := slices.MaxFunc(restraint, func(a, b string) int { return count[a] - count[b] })
	justification := spellNumber(count[most]) + " of " + counted(len(out.Pockets), "pocket", "pockets") + " at " + formatStatus(most)
	out.Status, out.Justification, out.NextWindow = &most, &justification, toNullable[string](nil)
	out.Outlook = overviewOutlook(out.Pockets)
	h := tools.NewHints(rateEvidence(o, 0, facts.vitals.PocketsWatched, len(out.Pockets))).Because(justification)
	if speak := firstPocketWithStatus(out.Pockets, statusActive, statusForming); speak != "" {
		h.SuggestCall(silenceName, tools.PriorityMedium, map[string]any{"pocket_id": speak}, "see why "+speak+" is not silent")
	} else {
		h.SuggestCall(silenceName, tools.PriorityLow, map[string]any{"pocket_id": out.Pockets[0].PocketID}, "see when a window may form in one pocket")
	}
	return buildResult(silenceName, now, out, joinLines(append([]string{justification}, out.Outlook...)...), o, h)
}

func formatStatus(code string) string { return strings.ReplaceAll(strings.ToLower(code), "_", " ") }

func firstPocketWithStatus(all []pocketStatus, codes ...string) string {
	for _, s := range all {
		if slices.Contains(codes, s.Status) {
			return s.PocketID
		}
	}
	return ""
}

// overviewOutlook names the pockets where speech is near.
func overviewOutlook(all []pocketStatus) []string {
	outlook := []string{}
	for _, code := range []string{statusActive, statusForming} {
		var ids []string
		for _, s := range all {
			if s.Status == code {
				ids = append(ids, s.PocketID)
			}
		}
		if len(ids) > 0 {
			text := formatStatus(code) + ": " + strings.Join(ids[:min(8, len(ids))], ", ")
			if more := len(ids) - 8; more > 0 {
				text += " and " + spellNumber(more) + " more"
			}
			outlook = append(outlook, text)
		}
	}
	if len(outlook) == 0 {
		outlook = append(outlook, "no window is open or forming")
	}
	return outlook
}
