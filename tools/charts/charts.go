// Package charts is the family of structural tension charts: what somebody
// wants to create, what is so today, and the action steps in between.
//
// A chart is a node of the knowledge graph. Its steps are ordered, have titles
// unique within the chart, and may become charts of their own: a step made by
// add_action_step is one from the start, telescope_action_step makes one of any
// step. Completing a step appends a fact to the reality of the chart that owns
// it, and when everything below a step is done its parent chart hears of it.
// Narrative beats tell the story of a chart in acts.
//
// Each tool has its own file with input, output, handler and definition. A handler
// is a function of a transaction and the input, and checks in the documented order:
// form, reference, wording, uniqueness. What they share: resolve.go finds what a name means, date.go reads due dates,
// schedule.go makes them, refuse.go prints refusals, hints.go suggests what to
// do next. Rules of wording are those of package orientation.
package charts

import (
	"context"

	"toolkit/store"
	"toolkit/tools"
	"toolkit/tools/engines/orientation"
)

// Name is the family's name.
const Name = "charts"

// Deps are what the family works with. The clock is the store's.
type Deps struct {
	Store *store.DB
	// Orientation is how much a desired outcome must show.
	Orientation orientation.Level
}

// Permissions of the family.
const (
	mayCreate tools.Permission = "charts:create"
	mayRead   tools.Permission = "charts:read"
	mayUpdate tools.Permission = "charts:update"
	mayDelete tools.Permission = "charts:delete"
)

// Versions of the tools: as published, and with optional additions.
const (
	version  = "1.0.0"
	additive = "1.1.0"
)

// family is the receiver of the handlers.
type family struct {
	store *store.DB
	level orientation.Level
}

// handler is what a tool does within a transaction, of which an error leaves nothing.
type handler[In, Out any] func(*store.Tx, In) (Out, *tools.Hints, error)

// writing makes a tool of a handler that may write.
func writing[In, Out any](f *family, handle handler[In, Out]) func(context.Context, In) (tools.Result[Out], error) {
	return func(ctx context.Context, in In) (tools.Result[Out], error) {
		return store.WriteValue(ctx, f.store, handle.result(in))
	}
}

// reading makes a tool of a handler that only reads.
func reading[In, Out any](f *family, handle handler[In, Out]) func(context.Context, In) (tools.Result[Out], error) {
	return func(ctx context.Context, in In) (tools.Result[Out], error) {
		return store.ReadValue(ctx, f.store, handle.result(in))
	}
}

func (handle handler[In, Out]) result(in In) func(*store.Tx) (tools.Result[Out], error) {
	return func(tx *store.Tx) (tools.Result[Out], error) {
		out, h, err := handle(tx, in)
		return tools.Result[Out]{Data: out, Hints: h}, err
	}
}

// New returns the family with its sixteen tools, four unlisted ones, two prompts and the
// completions of chart and step arguments.
func New(d Deps) tools.Family {
	f := &family{store: d.Store, level: d.Orientation}
	return tools.Family{
		Name:    Name,
		Subject: "structural tension charts",
		Dialect: tools.StandardDialect,
		Advice: []tools.Advice{
			{Tool: "list_active_charts", Text: "When the user speaks of something they are creating, look at list_active_charts first."},
			{Tool: "create_structural_tension_chart", Text: "Make a chart of what they want to bring about; record progress and completed steps as you hear of them."},
		},
		Tools: []*tools.Definition{
			tools.Define(f.createTool()),
			tools.Define(f.listTool()),
			tools.Define(f.addTool()),
			tools.Define(f.telescopeTool()),
			tools.Define(f.completeTool()),
			tools.Define(f.progressTool()),
			tools.Define(f.realityTool()),
			tools.Define(f.outcomeTool()),
			tools.Define(f.updateStepTool()),
			tools.Define(f.updateChartTool()),
			tools.Define(f.statusTool()),
			tools.Define(f.createBeatTool()),
			tools.Define(f.telescopeBeatTool()),
			tools.Define(f.listBeatsTool()),
			tools.Define(f.momentTool()),
			tools.Define(f.guidanceTool()),
			tools.Define(f.getChartTool()),
			tools.Define(f.getStepTool()),
			tools.Define(f.manageStepTool()),
			tools.Define(f.removeStepTool()),
		},
		Prompts:     []tools.ServedPrompt{f.startPrompt(), f.reviewPrompt()},
		Completions: f.completions(),
	}
}
