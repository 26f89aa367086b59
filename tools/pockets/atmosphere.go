package pockets

import (
	"context"
	"math"
	"strconv"

	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

const atmosphereName = "get_pocket_atmosphere"

type atmosphereInput struct {
	PocketID string  `json:"pocket_id" jsonschema:"required,minLength=1" jsonschema_description:"Pocket, such as cluny"`
	Hours    float64 `json:"hours,omitempty" jsonschema:"minimum=1,maximum=24,default=4" jsonschema_description:"Window in hours"`
}

type readingOutput struct {
	Stress       float64 `json:"stress"`
	Calm         float64 `json:"calm"`
	SocialEnergy float64 `json:"social_energy"`
	Productive   float64 `json:"productive"`
	PrimaryState string  `json:"primary_state"`
	AnomalyFlag  bool    `json:"anomaly_flag"`
	CapturedAt   string  `json:"captured_at"`
}

type trendOutput struct {
	Direction string  `json:"direction" jsonschema:"enum=rising_calm,enum=rising_stress,enum=stable,enum=mixed"`
	Magnitude float64 `json:"magnitude"`
}

type atmosphereOutput struct {
	PocketID     string         `json:"pocket_id"`
	WindowHours  *float64       `json:"window_hours,omitzero"`
	Latest       *readingOutput `json:"latest,omitzero"`
	Trend        *trendOutput   `json:"trend,omitzero"`
	ReadingCount *int           `json:"reading_count,omitzero"`
	insufficientData
}

func (f *family) atmosphereTool() tools.Tool[atmosphereInput, atmosphereOutput] {
	return tools.Tool[atmosphereInput, atmosphereOutput]{
		Name:  atmosphereName,
		Title: "Read a pocket's atmosphere",
		Description: "Read the 15-minute stream of a pocket: its latest reading, and the trend of calm and stress over some hours. " +
			"Use it for the trajectory, not just the now. Returns latest, trend and reading_count. Example: cluny over 6 hours.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "atmosphere"},
		Examples: []tools.Example[atmosphereInput, atmosphereOutput]{{
			Description: "One reading shows no trend", Setup: []tools.SetupCall{setupReading}, Params: atmosphereInput{PocketID: "cluny", Hours: 6},
			Result: atmosphereOutput{PocketID: "cluny", WindowHours: new(6.0), ReadingCount: new(1), Trend: &trendOutput{Direction: stable},
				Latest: &readingOutput{Stress: 0.18, Calm: 0.74, SocialEnergy: 0.42, Productive: 0.68, PrimaryState: "calm-productive"}},
			Varies: []string{"captured_at"},
		}},
		Handle: f.readAtmosphere,
	}
}

// maxWindowReadings bounds what is read of a window; a day of readings a second
// fits.
const maxWindowReadings = 90_000

const thinAtmosphere = "pocket has no recent atmosphere readings — atmosphere-loop cron may be stale."

func (f *family) readAtmosphere(ctx context.Context, in atmosphereInput) (tools.Result[atmosphereOutput], error) {
	p, err := resolvePlace(in.PocketID)
	if err != nil {
		return tools.Result[atmosphereOutput]{}, err
	}
	now := f.now()
	var datasets []pockets.Dataset
	readings, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (list []pockets.Reading, err error) {
		if datasets, err = pockets.In(tx).Datasets(); err != nil {
			return nil, err
		}
		return pockets.In(tx).ReadingsBetween(p.ID, now-int64(math.Round(in.Hours*hourMillis)), now, maxWindowReadings)
	})
	if err != nil {
		return tools.Result[atmosphereOutput]{}, err
	}
	out := atmosphereOutput{PocketID: p.ID, WindowHours: &in.Hours, ReadingCount: new(len(readings))}
	if len(readings) == 0 {
		out.insufficientData = reportInsufficientData(thinAtmosphere)
		return buildResult(atmosphereName, now, out, thinAtmosphere, origin{}, askForReadings(p, "the window holds no reading")), nil
	}
	last := readings[len(readings)-1]
	direction, magnitude := computeTrend(readings)
	out.Latest = &readingOutput{round2(last.Stress), round2(last.Calm), round2(last.SocialEnergy), round2(last.Productive), last.PrimaryState, last.Anomaly, isoSeconds(last.CapturedAt)}
	out.Trend = &trendOutput{direction, round2(magnitude)}
	var rows []int64
	for _, r := range readings {
		rows = append(rows, r.Dataset)
	}
	o := selectOrigin(datasets, false, rows...)
	voice := joinParts("pocket "+p.ID, last.PrimaryState, "calm "+formatNumber(last.Calm), "stress "+formatNumber(last.Stress), "trend "+direction+" "+formatNumber(magnitude),
		counted(len(readings), "reading", "readings"))
	return buildResult(atmosphereName, now, out, voice, o, f.atmosphereHints(p, in, o, now, readings)), nil
}

func (f *family) atmosphereHints(p place, in atmosphereInput, o origin, now int64, readings []pockets.Reading) *tools.Hints {
	last := readings[len(readings)-1]
	h := tools.NewHints(rateEvidence(o, now-last.CapturedAt, len(readings), int(in.Hours*4)))
	if last.Anomaly {
		h.Warn("validation", tools.PriorityMedium, "the latest reading is flagged as an anomaly", "")
	}
	if now-last.CapturedAt > hourMillis {
		return h.Because("the latest reading is older than an hour, so it is no moment any more").
			SuggestCall(recordName, tools.PriorityLow, map[string]any{"kind": "atmosphere"}, "record a newer reading, or ask the user to import some")
	}
	if len(readings) < minTrendReadings {
		return h.Because("fewer than three readings show no trend").SuggestCall(momentName, tools.PriorityMedium, map[string]any{"pocket_id": p.ID}, "read the moment")
	}
	return h.Because("the trend follows from "+strconv.Itoa(len(readings))+" readings by least squares").
		SuggestCall(momentName, tools.PriorityMedium, map[string]any{"pocket_id": p.ID}, "read the moment")
}
