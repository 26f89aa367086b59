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
}

type timelineEvent struct {
	EventType     string `json:"event_type" jsonschema_description:"Entity type and field, such as contract_start_date"`
	At            string `json:"at"`
	Field         string `json:"field"`
	EntityID      string `json:"entity_id"`
	EntityType    string `json:"entity_type"`
	CanonicalName string `json:"canonical_name"`
}

func (f *family) timelineTool() tools.Tool[timelineInput, timelineOutput] {
	return tools.Tool[timelineInput, timelineOutput]{
		Name:  timelineName,
		Title: "List timeline events",
		Description: "List the dated facts of all entities in the order of their dates: invoice dates, due dates, starts and ends of contracts. " +
			"Returns events with entity and field. Example: everything due next month.",
		Permissions: []tools.Permission{mayReadEntities}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: "1.1.0",
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

// timelinePage is a page of events.
type timelinePage struct {
	list  []entities.TimelineEvent
	total int
}

func (f *family) timeline(ctx context.Context, in timelineInput) (tools.Result[timelineOutput], error) {
	filter, err := timelineFilter(in)
	if err != nil {
		return tools.Result[timelineOutput]{}, err
	}
	in.Limit = cmp.Or(in.Limit, defaultPage)
	found, err := read(ctx, f, codeQueryFailed, func(tx *store.Tx) (timelinePage, error) {
		if in.EntityID != "" {
			s, err := resolve(entities.In(tx), in.EntityID, "entity_id")
			if err != nil {
				return timelinePage{}, err
			}
			filter.Entity = s.Seq
		}
		list, total, err := entities.In(tx).TimelineEvents(filter, in.Order == "desc", in.Limit, in.Offset)
		return timelinePage{list, total}, err
	})
	if err != nil {
		return tools.Result[timelineOutput]{}, err
	}
	out := timelineOutput{Events: make([]timelineEvent, 0, len(found.list)), Total: found.total, Limit: in.Limit, Offset: in.Offset}
	h := tools.NewHints(tools.SearchEvidence(len(found.list)).OutOf(found.total)).Because(fmt.Sprintf("%d of %d dated facts", len(found.list), found.total))
	for _, e := range found.list {
		out.Events = append(out.Events, timelineEvent{e.EntityType + "_" + e.Field, tools.Timestamp(e.At), e.Field, e.EntityID, e.EntityType, e.Name})
		h.Relate(e.EntityType, e.EntityID, e.Name, 0.7)
	}
	switch next := in.Offset + len(found.list); {
	case found.total == 0:
		h.Next(findName, tools.PriorityLow, nil, "look for entities instead").Because("no dated fact matches")
	case next < found.total && len(found.list) > 0:
		h.Next(timelineName, tools.PriorityLow, map[string]any{"offset": next, "limit": in.Limit}, "read on, with the same filters")
	}
	if len(out.Events) > 0 {
		h.Next(snapshotName, tools.PriorityLow, map[string]any{"entity_id": out.Events[0].EntityID}, "see the entity of the first event")
	}
	return tools.Result[timelineOutput]{Data: out, Hints: h}, nil
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
