package entities

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

const timelineName = "list_timeline_events"

type timelineInput struct {
	From     string        `json:"from,omitempty" jsonschema_description:"Start, inclusive, ISO 8601"`
	To       string        `json:"to,omitempty" jsonschema_description:"End, exclusive, ISO 8601"`
	EntityID entityIDValue `json:"entity_id,omitempty" jsonschema_description:"Only dates of this entity"`
	Type     string        `json:"type,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Only entities of this type or alias"`
	Order    string        `json:"order,omitempty" jsonschema:"enum=asc,enum=desc" jsonschema_description:"asc, the earliest first, if absent"`
	Limit    int           `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"100 if absent"`
	Offset   int           `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"Skip this many"`
}

type timelineOutput struct {
	Events []timelineEvent `json:"events,omitempty"`
	Total  int             `json:"total"`
	Limit  int             `json:"limit"`
	Offset int             `json:"offset"`

	warnings []string
}

type timelineEvent struct {
	EventType     string `json:"event_type" jsonschema_description:"Entity type and field, such as contract_start_date"`
	At            string `json:"at"`
	Field         string `json:"field"`
	EntityID      string `json:"entity_id"`
	EntityType    string `json:"entity_type"`
	CanonicalName string `json:"canonical_name"`
	Cancelled     bool   `json:"cancelled,omitempty" jsonschema_description:"It does not take place"`
}

func (f *family) timelineTool() tools.Tool[timelineInput, timelineOutput] {
	return tools.Tool[timelineInput, timelineOutput]{
		Name:  timelineName,
		Title: "List timeline events",
		Description: "List the dated facts of all entities in the order of their dates: invoices, due dates, contracts, events of calendars. " +
			"Returns events with entity and field. Example: everything due next month.",
		Permissions: []tools.Permission{mayReadEntities}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: "1.3.0",
		Tags: []string{"entities", "timeline"},
		Examples: []tools.Example[timelineInput, timelineOutput]{{
			Description: "January",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: sourceExample()}},
			Params:      timelineInput{From: "2025-01-01", To: "2025-02-01"},
			Result: timelineOutput{Events: []timelineEvent{{EventType: "invoice_date", At: "2025-01-15T00:00:00Z", Field: "date",
				EntityID: exampleInvoice, EntityType: "invoice", CanonicalName: "INV-001"}}, Total: 1, Limit: defaultPage},
		}},
		Handle: f.timeline,
	}
}

func (f *family) timeline(ctx context.Context, in timelineInput) (r tools.Result[timelineOutput], err error) {
	filter, err := timelineFilter(in)
	if err != nil {
		return r, err
	}
	in.Limit = cmp.Or(in.Limit, defaultPage)
	r.Data, err = read(ctx, f, codeQueryFailed, func(tx *store.Tx) (timelineOutput, error) {
		out := timelineOutput{Limit: in.Limit, Offset: in.Offset}
		if in.EntityID != "" {
			s, err := resolve(entities.In(tx), in.EntityID, "entity_id")
			if err != nil {
				return out, err
			}
			filter.Entity = s.Seq
		}
		out.Events, out.Total, out.warnings, err = listTimeline(ctx, tx, filter, in)
		return out, err
	})
	r.Hints = timelineHints(r.Data)
	return r, err
}

func timelineHints(out timelineOutput) *tools.Hints {
	h := tools.NewHints(tools.SearchEvidence(len(out.Events)).OutOf(out.Total)).Because(fmt.Sprintf("%d of %d dated facts", len(out.Events), out.Total))
	for _, e := range out.Events {
		h.Relate(e.EntityType, e.EntityID, e.CanonicalName, 0.7)
	}
	if out.Total == 0 {
		h.Next(findName, tools.PriorityLow, nil, "look for entities instead").Because("no dated fact matches")
	}
	for _, w := range out.warnings {
		h.Warn("completeness", tools.PriorityMedium, w, "")
	}
	hintNextPage(h, timelineName, out.Limit, out.Offset, len(out.Events), out.Total, map[string]any{}, "read on, with the same filters")
	if len(out.Events) > 0 {
		h.Next(snapshotName, tools.PriorityLow, map[string]any{"entity_id": out.Events[0].EntityID}, "see the entity of the first event")
	}
	return h
}

func timelineFilter(in timelineInput) (entities.TimelineFilter, error) {
	filter := entities.TimelineFilter{Type: commonType(in.Type)}
	var err error
	if filter.From, err = parseTimeField("from", in.From, math.MinInt64); err != nil {
		return filter, err
	}
	if filter.To, err = parseTimeField("to", in.To, math.MaxInt64); err != nil {
		return filter, err
	}
	if filter.From >= filter.To {
		return filter, tools.Invalid(tools.CodeInvalid, "to", "after from", "to must be after from")
	}
	return filter, notBlank("type", in.Type)
}
