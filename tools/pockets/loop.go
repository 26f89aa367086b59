package pockets

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/google/uuid"

	"toolkit/fixtures"
	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

// Generator of the projections that the loop seals.
const projectionGenerator = "pocket-projection-60m"

const (
	revealWithin = windowMillis // of a reading from the moment of reveal
	maxReveals   = 1000         // in one round; the next takes more
)

// Round is what one round of the loop did.
type Round struct {
	Scored   []string `json:"scored,omitempty"`   // pockets whose moment quality was derived
	Imported []string `json:"imported,omitempty"` // pockets whose imported factors stand
	Thin     []string `json:"thin,omitempty"`     // pockets without a reading of the last hour
	Sealed   int      `json:"sealed"`             // projections
	Revealed int      `json:"revealed"`           // predictions
}

// ScoreAndPredict derives moment quality of the given pockets from their latest
// readings, seals a projection for each and reveals what is due, all in one
// transaction. Pockets without a reading of the last hour are left alone.
func ScoreAndPredict(ctx context.Context, db *store.DB, pocketIDs []string) (Round, error) {
	return store.WriteValue(ctx, db, func(tx *store.Tx) (Round, error) {
		return scoreAndPredict(pockets.In(tx), pocketIDs, db.Now().UnixMilli())
	})
}

func scoreAndPredict(tx pockets.Rows, pocketIDs []string, now int64) (Round, error) {
	round := Round{}
	found, err := loadEvidence(tx, pocketIDs, now)
	if err != nil {
		return round, err
	}
	for _, id := range pocketIDs {
		e := found[id]
		m, live := e.computeMoment()
		if !live {
			round.Thin = append(round.Thin, id)
			continue
		}
		if q := e.quality; q != nil && !q.Computed && q.ComputedAt >= m.latest.CapturedAt {
			round.Imported = append(round.Imported, id)
		} else if err := deriveAndStoreQuality(tx, e, m); err != nil {
			return round, err
		} else {
			round.Scored = append(round.Scored, id)
		}
		isNew, err := sealProjection(tx, e, m)
		if err != nil {
			return round, err
		}
		if isNew {
			round.Sealed++
		}
	}
	round.Revealed, err = revealDuePredictions(tx, pocketIDs, now)
	return round, err
}

// deriveAndStoreQuality derives the five factors of a moment and stores them.
func deriveAndStoreQuality(tx pockets.Rows, e *evidence, m moment) error {
	outlets, err := tx.ActiveOutlets(e.pocket, maxOutlets)
	if err != nil {
		return err
	}
	hour := int((e.now + singaporeZoneMillis) % dayMillis / hourMillis)
	need, err := tx.AttentionAtHour(e.pocket, e.now-outlookSpan, e.now, hour, singaporeZoneMillis)
	if err != nil {
		return err
	}
	q := deriveMomentQuality(m, outlets, need, minuteOfDay(e.now))
	q.Pocket, q.ComputedAt, q.Dataset, q.Computed = e.pocket, e.now, m.latest.Dataset, true
	_, err = tx.PutQuality(q)
	return err
}

// deriveMomentQuality is the moment quality that a moment, its open outlets and the
// attention at this hour amount to. A factor without evidence is neutral.
func deriveMomentQuality(m moment, outlets []pockets.Outlet, need pockets.AttentionShare, minute int) pockets.Quality {
	q := pockets.Quality{
		Urgency: clamp(1 - float64(m.halfLife)/fullHalfLife), Calmness: (m.latest.Calm + 1 - m.latest.Stress) / 2,
		MerchantFit: neutral, UserNeed: neutral, Neutral: []string{},
	}
	best := map[string]float64{} // affinity by outlet
	bestOutlet, bestMoment := 0.0, 0.0
	features := momentFeatures(m.latest, m.saturation)
	for _, intent := range fixtures.Intents() {
		alignment, _ := intentAlignment(intent, features)
		bestMoment = math.Max(bestMoment, alignment)
		for _, o := range outlets {
			if affinity := intent.Affinities[o.Category]; affinity > 0 && isOpenAt(o, minute) {
				bestOutlet = math.Max(bestOutlet, outletAlignment(alignment, affinity))
				best[o.ID] = math.Max(best[o.ID], affinity)
			}
		}
	}
	q.Usefulness = bestMoment
	if len(best) > 0 {
		q.Usefulness = bestOutlet
		sum := 0.0
		for _, o := range outlets {
			sum += best[o.ID]
		}
		q.MerchantFit = sum / float64(len(best))
	} else {
		q.Neutral = append(q.Neutral, "merchant_fit")
	}
	if need.Events >= minAggregateSize {
		q.UserNeed = float64(need.Accepted) / float64(need.Events)
	} else {
		q.Neutral = append(q.Neutral, "user_need")
	}
	return q
}

// sealProjection seals what the calm of the pocket will be in an hour; one a minute at
// most.
func sealProjection(tx pockets.Rows, e *evidence, m moment) (bool, error) {
	revealAt := e.now - e.now%minuteMillis + hourMillis
	slots, err := tx.SlotMeans(e.pocket, e.now-outlookSpan, e.now, slotMillis, singaporeZoneMillis)
	if err != nil {
		return false, err
	}
	payload, err := json.Marshal(map[string]float64{"calm_probability": round2(projectCalm(m, slots, revealAt))})
	if err != nil {
		return false, err
	}
	local := LocalDataset
	for _, d := range e.datasets {
		if d.Seq == m.latest.Dataset && d.Name == DemoDataset.Name {
			local = d // what follows from made-up readings is made up
		}
	}
	if local, err = tx.EnsureDataset(local); err != nil {
		return false, err
	}
	p := pockets.Prediction{
		ID: uuid.NewString(), Dataset: local.Seq, Pocket: e.pocket, Generator: projectionGenerator, Key: revealKey(e.pocket, revealAt),
		SealedAt: e.now, RevealAt: revealAt, Payload: payload,
	}
	p.Seal = sealOf(p)
	_, isNew, err := tx.InsertSealedPrediction(p)
	return isNew, err
}

// projectCalm expects calm half way between what it is and what it was at this time
// of day over fourteen days; with fewer than five readings of then, as it is.
func projectCalm(m moment, slots []pockets.SlotMean, at int64) float64 {
	then := int((at + singaporeZoneMillis) % dayMillis / slotMillis)
	for _, s := range slots {
		if s.Slot == then && s.Readings >= minAggregateSize {
			return (m.calm + s.Calm) / 2
		}
	}
	return m.calm
}

// revealDuePredictions compares what is due with the reading nearest to its moment.
func revealDuePredictions(tx pockets.Rows, pocketIDs []string, now int64) (int, error) {
	due, err := tx.DuePredictions(pocketIDs, now, revealWithin, maxReveals)
	if err != nil {
		return 0, err
	}
	revealed := 0
	for _, p := range due {
		r, ok, err := tx.NearestReading(p.Pocket, p.RevealAt, revealWithin, now)
		if err != nil {
			return revealed, err
		}
		if !ok {
			continue
		}
		hour, err := tx.ReadingsBetween(p.Pocket, r.CapturedAt-hourMillis-1, r.CapturedAt, maxWindowReadings)
		if err != nil {
			return revealed, err
		}
		observation, err := observedValues(p, r, hour)
		if err != nil {
			return revealed, err
		}
		accuracy := predictionAccuracy(p.Payload, observation)
		if accuracy == nil {
			continue // it speaks of nothing that a reading tells
		}
		if err := tx.RevealPrediction(p.Seq, now, observation, accuracy); err != nil {
			return revealed, err
		}
		revealed++
	}
	return revealed, nil
}

// observedValues returns what a reading says about the numbers of a prediction.
func observedValues(p pockets.Prediction, r pockets.Reading, hour []pockets.Reading) (json.RawMessage, error) {
	predicted := payloadNumbers(p.Payload)
	seen := map[string]float64{}
	keep := func(name string, value *float64) {
		if _, isPredicted := predicted[name]; isPredicted && value != nil {
			seen[name] = round2(*value)
		}
	}
	keep("calm_probability", new(calmProbability(hour)))
	keep("calm", &r.Calm)
	keep("stress", &r.Stress)
	keep("social_energy", &r.SocialEnergy)
	keep("productive", &r.Productive)
	keep("signal_saturation", r.Saturation)
	keep("movement_friction", new(movementFriction(r)))
	raw, err := json.Marshal(seen)
	if err != nil {
		return nil, fmt.Errorf("what was observed: %w", err)
	}
	return raw, nil
}

const loopName = "run_pocket_loop"

type loopInput struct {
	PocketID string `json:"pocket_id,omitempty" jsonschema_description:"Only this pocket; else all"`
}

func (f *family) loopTool() tools.Tool[loopInput, Round] {
	return tools.Tool[loopInput, Round]{
		Name:  loopName,
		Title: "Run the pocket loop once",
		Description: "Run one round of the loop: derive moment quality from the latest readings, seal a projection for each pocket, and reveal predictions that are due. " +
			"Use it after readings came in. Returns what was scored, sealed and revealed. Example: for cluny alone.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Medium, Version: shorterVersion, Tags: []string{"pockets", "loop"},
		Examples: []tools.Example[loopInput, Round]{{
			Description: "After one reading", Setup: []tools.SetupCall{setupReading}, Params: loopInput{PocketID: "cluny"},
			Result: Round{Scored: []string{"cluny"}, Sealed: 1},
		}},
		Handle: f.runLoop,
	}
}

func (f *family) runLoop(ctx context.Context, in loopInput) (tools.Result[Round], error) {
	pocketIDs := fixtures.PocketIDs()
	if in.PocketID != "" {
		p, err := resolvePlace(in.PocketID)
		if err != nil {
			return tools.Result[Round]{}, err
		}
		if !p.Registered {
			return tools.Result[Round]{}, tools.Invalid(tools.CodeInvalid, "pocket_id", "registered pocket", "pocket_id %s is not registered; lookup_pocket_by_name finds pockets by name", sanitizeToken(p.ID))
		}
		pocketIDs = []string{p.ID}
	}
	round, err := ScoreAndPredict(ctx, f.store, pocketIDs)
	if err != nil {
		return tools.Result[Round]{}, err
	}
	h := tools.NewHints(tools.WriteEvidence())
	switch {
	case len(round.Scored) > 0:
		first := map[string]any{"pocket_id": round.Scored[0]}
		h.Because("moment quality follows from the latest readings").SuggestCall(qualityName, tools.PriorityMedium, first, "read the score").SuggestCall(silenceName, tools.PriorityLow, first, "see what it means")
	case len(round.Imported) > 0:
		h.Because("imported factors are newer than the latest readings, so they stand").SuggestCall(qualityName, tools.PriorityLow, map[string]any{"pocket_id": round.Imported[0]}, "read the score")
	default:
		h.Because("no pocket has a reading of the last hour").SuggestCall(recordName, tools.PriorityMedium, map[string]any{"kind": "atmosphere"}, "record a reading first")
	}
	if round.Revealed > 0 {
		h.SuggestCall(predictionsName, tools.PriorityLow, map[string]any{"revealed_only": true}, "see how true predictions came")
	}
	voice := joinParts(counted(len(round.Scored), "pocket scored", "pockets scored"), counted(round.Sealed, "projection sealed", "projections sealed"),
		counted(round.Revealed, "prediction revealed", "predictions revealed"))
	return buildResult(loopName, f.now(), round, voice, origin{}, h), nil
}
