package charts

import (
	"cmp"
	"context"
	"time"

	"toolkit/fixtures"
	"toolkit/tools"
)

type guidanceInput struct {
	Format string `json:"format,omitempty" jsonschema:"enum=full,enum=quick,enum=save_directive" jsonschema_description:"full (default), quick, or save_directive: a text for the project's instructions"`
}

type guidanceOutput struct {
	Format   string `json:"format"`
	Guidance string `json:"guidance"`
}

func (f *family) guidanceTool() tools.Tool[guidanceInput, guidanceOutput] {
	return tools.Tool[guidanceInput, guidanceOutput]{
		Name:  "init_llm_guidance",
		Title: "Guidance for working with charts",
		Description: "Return how to work with structural tension charts: how outcomes, realities and steps are worded, and which tool serves when. " +
			"Use it once before the first chart, or after a wording was refused. Formats: full, quick, save_directive. Example: quick at the start of a session.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		CacheTTL: time.Hour, Reads: []string{"charts"}, // the text never changes; a cached tool has to name a topic
		Tags: []string{"charts", "guidance"},
		Examples: []tools.Example[guidanceInput, guidanceOutput]{{
			Description: "The short form",
			Params:      guidanceInput{Format: "quick"},
			Result:      guidanceOutput{Format: "quick", Guidance: "Charts set a desired outcome against current reality."},
			Varies:      []string{"guidance"},
		}},
		Handle: f.readGuidance,
	}
}

func (f *family) readGuidance(_ context.Context, in guidanceInput) (tools.Result[guidanceOutput], error) {
	in.Format = cmp.Or(in.Format, "full")
	text, err := fixtures.Guidance(in.Format)
	if err != nil {
		return tools.Result[guidanceOutput]{}, err
	}
	h := tools.NewHints(tools.NewReadEvidence(1)).
		SuggestCall("list_active_charts", tools.PriorityMedium, nil, "see what the user is creating already").
		SuggestCall(createName, tools.PriorityLow, nil, "start a chart").
		Because("guidance is read once, then applied")
	if in.Format != "full" {
		h.SuggestCall("init_llm_guidance", tools.PriorityLow, map[string]any{"format": "full"}, "the whole guidance")
	}
	return tools.Result[guidanceOutput]{Data: guidanceOutput{Format: in.Format, Guidance: text}, Hints: h}, nil
}
