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
	"cmp"
	"context"

	"toolkit/internal/orientation"
	"toolkit/store"
	"toolkit/tools"
)

// Name is the family's name.
const Name = "charts"

// Deps are what the family works with. The clock is the store's.
type Deps struct {
	Store *store.DB
	// Orientation is how much a desired outcome must show.
	Orientation orientation.Level
	// Folder is where a server was started, in whose project charts are made; empty: it is not
	// known.
	Folder string
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
	version         = "1.0.0"
	additiveVersion = "1.1.0"
)

// family is the receiver of the handlers.
type family struct{ Deps }

// handler is what a tool does within a transaction, of which an error leaves nothing.
type handler[In, Out any] func(*store.Tx, In) (Out, *tools.Hints, error)

// defineWriter defines a tool by its handler, which may write.
func defineWriter[In, Out any](f *family, may tools.Permission, handle handler[In, Out], t tools.Tool[In, Out]) *tools.Definition {
	t.Category = tools.Mutation
	return define(may, t, func(ctx context.Context, in In) (r tools.Result[Out], err error) {
		err = f.Store.Write(ctx, func(tx *store.Tx) (err error) {
			r.Data, r.Hints, err = handle(tx, in)
			return err
		})
		return r, err
	})
}

// defineReader defines a tool by its handler, which only reads.
func defineReader[In, Out any](f *family, may tools.Permission, handle handler[In, Out], t tools.Tool[In, Out]) *tools.Definition {
	t.Category = cmp.Or(t.Category, tools.Query)
	return define(may, t, func(ctx context.Context, in In) (r tools.Result[Out], err error) {
		err = f.Store.Read(ctx, func(tx *store.Tx) (err error) {
			r.Data, r.Hints, err = handle(tx, in)
			return err
		})
		return r, err
	})
}

// define adds what all tools of the family are.
func define[In, Out any](may tools.Permission, t tools.Tool[In, Out], handle func(context.Context, In) (tools.Result[Out], error)) *tools.Definition {
	t.Permissions, t.ResponseTime, t.Handle = []tools.Permission{may}, tools.Fast, handle
	return tools.Define(t)
}

// New returns the family with its sixteen tools, and four unlisted ones.
func New(d Deps) tools.Family {
	f := &family{d}
	return tools.Family{
		Name:    Name,
		Subject: "structural tension charts",
		Dialect: tools.FormatStandardError,
		Tools: []*tools.Definition{
			f.createChartTool(),
			f.listChartsTool(),
			f.addStepTool(),
			f.telescopeStepTool(),
			f.completeStepTool(),
			f.recordProgressTool(),
			f.updateRealityTool(),
			f.updateOutcomeTool(),
			f.updateStepTool(),
			f.updateChartTool(),
			f.chartProgressTool(),
			f.createBeatTool(),
			f.telescopeBeatTool(),
			f.listBeatsTool(),
			f.momentOfTruthTool(),
			tools.Define(f.guidanceTool()),
			f.getChartTool(),
			f.getStepTool(),
			f.manageStepTool(),
			f.removeStepTool(),
		},
	}
}
