package pockets

import (
	"context"

	"toolkit/tools"
)

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
		Handle: f.loop,
	}
}

func (f *family) loop(ctx context.Context, in loopInput) (tools.Result[Round], error) {
	pocketIDs := allPockets()
	if in.PocketID != "" {
		p, err := placeOf(in.PocketID)
		if err != nil {
			return tools.Result[Round]{}, err
		}
		if !p.Registered {
			return tools.Result[Round]{}, tools.Invalid(tools.CodeInvalid, "pocket_id", "registered pocket", "pocket_id %s is not registered; lookup_pocket_by_name finds pockets by name", spoken(p.ID))
		}
		pocketIDs = []string{p.ID}
	}
	round, err := RunRound(ctx, f.store, pocketIDs)
	if err != nil {
		return tools.Result[Round]{}, err
	}
	h := tools.NewHints(tools.WriteEvidence())
	switch {
	case len(round.Scored) > 0:
		first := map[string]any{"pocket_id": round.Scored[0]}
		h.Because("moment quality follows from the latest readings").Next(qualityName, tools.PriorityMedium, first, "read the score").Next(silenceName, tools.PriorityLow, first, "see what it means")
	case len(round.Imported) > 0:
		h.Because("imported factors are newer than the latest readings, so they stand").Next(qualityName, tools.PriorityLow, map[string]any{"pocket_id": round.Imported[0]}, "read the score")
	default:
		h.Because("no pocket has a reading of the last hour").Next(recordName, tools.PriorityMedium, map[string]any{"kind": "atmosphere"}, "record a reading first")
	}
	if round.Revealed > 0 {
		h.Next(predictionsName, tools.PriorityLow, map[string]any{"revealed_only": true}, "see how true predictions came")
	}
	voice := line(counted(len(round.Scored), "pocket scored", "pockets scored"), counted(round.Sealed, "projection sealed", "projections sealed"),
		counted(round.Revealed, "prediction revealed", "predictions revealed"))
	return answer(loopName, f.now(), round, voice, origin{}, h), nil
}
