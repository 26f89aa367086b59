package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"

	words "toolkit/internal/search"
)

const findName = "find_entities"

// defaultFound is how many entities a search shows when nobody says.
const defaultFound = 20

type findInput struct {
	Type   string          `json:"type,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Entity type, alias or family, such as company, bill or FinancialRecord"`
	Name   string          `json:"name,omitempty" jsonschema:"maxLength=500" jsonschema_description:"Name, or how its words begin"`
	Fields json.RawMessage `json:"fields,omitempty" jsonschema_extras:"fields=vendor_name" jsonschema_description:"Values of the snapshot that must be equal, by field or dotted path"`
	Text   string          `json:"text,omitempty" jsonschema:"maxLength=500" jsonschema_description:"Words anywhere in the snapshot, all of them"`
	Status string          `json:"payment_status,omitempty" jsonschema:"enum=unpaid,enum=overdue,enum=open,enum=part,enum=paid,enum=unknown" jsonschema_description:"Of invoices; unpaid is open, part or overdue"`
	Limit  int             `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"20 if absent"`
	Offset int             `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"Skip this many"`
}

type findOutput struct {
	Entities []foundEntity `json:"entities"`
	Total    int           `json:"total"`
	Limit    int           `json:"limit"`
	Offset   int           `json:"offset"`
}

type foundEntity struct {
	EntityID          string `json:"entity_id"`
	EntityType        string `json:"entity_type"`
	CanonicalName     string `json:"canonical_name"`
	ObservationCount  int    `json:"observation_count"`
	LastObservationAt string `json:"last_observation_at"`
	PaymentStatus     string `json:"payment_status,omitempty" jsonschema_description:"Of an invoice: open, part, overdue, paid or unknown"`
	Unpaid            string `json:"unpaid,omitempty" jsonschema_description:"What is left to pay of an invoice"`
	Currency          string `json:"currency,omitempty" jsonschema_description:"Of unpaid; absent: the invoice states none"`
}

func (f *family) findTool() tools.Tool[findInput, findOutput] {
	return tools.Tool[findInput, findOutput]{
		Name:  findName,
		Title: "Find entities",
		Description: "Find entities that documents speak of, by type, name, equal fields or words; exact names first, then the last observed. Use it to get an entity_id. " +
			"Returns ids, names and what is unpaid. Example: overdue invoices.",
		Permissions: []tools.Permission{mayReadEntities}, Category: tools.Query, ResponseTime: tools.Medium, Idempotent: true, Version: "1.1.0",
		Tags: []string{"entities", "search"},
		Examples: []tools.Example[findInput, findOutput]{{
			Description: "A company under another legal form",
			Setup:       []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}},
			Params:      findInput{Type: "company", Name: "ACME, Inc."},
			Result: findOutput{Entities: []foundEntity{{EntityID: exampleAcme, EntityType: "company", CanonicalName: "Acme Corp",
				ObservationCount: 1, LastObservationAt: "2025-01-15T10:30:00Z"}}, Total: 1, Limit: defaultFound},
		}},
		Handle: f.findEntities,
	}
}

func (f *family) findEntities(ctx context.Context, in findInput) (r tools.Result[findOutput], err error) {
	filter, err := newEntityFilter(in, f.nowMillis())
	if err != nil {
		return r, err
	}
	in.Limit = cmp.Or(in.Limit, defaultFound)
	r.Data, err = runRead(ctx, f, codeSearchFailed, func(tx *store.Tx) (findOutput, error) {
		rows := entities.In(tx)
		list, total, err := rows.FindEntities(filter, in.Limit, in.Offset)
		if err == nil && total == 0 && in.Text != "" { // the words of a day may stand nowhere
			filter.Text = words.ContentWords(words.RemoveDates(in.Text, f.Store.Now()))
			list, total, err = rows.FindEntities(filter, in.Limit, in.Offset)
		}
		if err != nil {
			return findOutput{}, err
		}
		status, currencies, err := readInvoiceStatusAndCurrency(rows, list)
		if err != nil {
			return findOutput{}, err
		}
		out := findOutput{Entities: make([]foundEntity, 0, len(list)), Total: total, Limit: in.Limit, Offset: in.Offset}
		for _, e := range list {
			shown := foundEntity{EntityID: e.ID, EntityType: e.Type, CanonicalName: e.Name, ObservationCount: e.Count, LastObservationAt: tools.FormatTimestamp(e.LastObservedAt)}
			if s, known := status[e.Seq]; known {
				shown.PaymentStatus, shown.Unpaid, shown.Currency = paymentStatus(s, f.nowMillis()), s.Unpaid, currencies[e.Seq]
			}
			out.Entities = append(out.Entities, shown)
		}
		return out, nil
	})
	r.Hints = foundEntitiesHints(in, r.Data)
	return r, err
}

// readInvoiceStatusAndCurrency is what is to be paid of those of some entities that are invoices, and in which
// currency.
func readInvoiceStatusAndCurrency(tx entities.Rows, list []entities.FoundEntity) (map[int64]entities.InvoiceStatus, map[int64]string, error) {
	var rows []int64
	for _, e := range list {
		if e.Type == invoiceType {
			rows = append(rows, e.Seq)
		}
	}
	invoices, err := parseKnownEntities(tx.KnownEntities(rows))
	if err != nil || len(invoices) == 0 {
		return nil, nil, err
	}
	currencies := map[int64]string{}
	for _, invoice := range invoices {
		currencies[invoice.Seq] = firstText(invoice.values, "currency")
	}
	status, err := tx.InvoiceStatusOf(rows)
	return status, currencies, err
}

func newEntityFilter(in findInput, now int64) (entities.EntityFilter, error) {
	var filter entities.EntityFilter
	if err := cmp.Or(checkNotBlank("type", in.Type), checkNotBlank("name", in.Name)); err != nil {
		return filter, err
	}
	if in.Type != "" {
		filter.Types = listTypesOfFamily(resolveTypeAlias(in.Type))
	}
	if in.Name != "" {
		// Without a legal form that documents write or leave out.
		filter.Name = in.Name
		if stem, form := language.SplitLegalForm(in.Name); form != nil && form.Silent {
			filter.Name = stem
		}
		filter.NameKeys = []string{foldName(in.Name), normalizeEntityName(companyType, in.Name)}
		// A corrected name does not change the id, which follows from the old one.
		types := filter.Types
		if len(types) == 0 {
			types = []string{companyType, openType, "person", contactType}
		}
		for _, t := range types {
			filter.NameKeys = append(filter.NameKeys, entityID(t, normalizeEntityName(t, in.Name)))
		}
	}
	if in.Text != "" {
		if len(language.Wordings(in.Text)) == 0 {
			return filter, tools.Invalid(tools.CodeInvalid, "text", "a word", "text has no word to look for; leave it out or give letters or digits")
		}
		filter.Text = words.ContentWords(in.Text)
	}
	filter.Status, filter.DueUntil = statusFilter(in.Status, now)
	var err error
	filter.Values, err = hashFilterValues("fields", in.Fields)
	return filter, err
}

func foundEntitiesHints(in findInput, out findOutput) *tools.Hints {
	h := tools.NewHints(tools.NewSearchEvidence(len(out.Entities)).WithTotal(out.Total)).Because(fmt.Sprintf("%d of %d matching entities", len(out.Entities), out.Total))
	if out.Total == 0 {
		h.Because("no entity matches").Warn("completeness", tools.PriorityLow, "nothing matches"+phraseUnmatchedFilters(map[string]bool{"payment_status": in.Status != "", "type": in.Type != "", "name": in.Name != "", "fields": len(in.Fields) > 0, "text": in.Text != ""}), "leave a filter out, or submit the document that speaks of it")
		if in.Name != "" {
			h.SuggestCall(findName, tools.PriorityMedium, map[string]any{"text": in.Name}, "look for the words anywhere in what is known")
		} else if in.Type != "" {
			h.SuggestCall(findName, tools.PriorityMedium, nil, "look at entities of every type")
		}
		return h.SuggestCall(submitName, tools.PriorityLow, nil, "submit the document that speaks of it").Needs("a document that speaks of the entity")
	}
	for _, e := range out.Entities {
		h.AddRelatedResource(e.EntityType, e.EntityID, e.CanonicalName, 0.8)
	}
	if len(out.Entities) > 0 {
		h.SuggestCall(snapshotName, tools.PriorityHigh, map[string]any{"entity_id": out.Entities[0].EntityID}, "see what is known of the first")
	}
	hintNextPage(h, findName, out.Limit, out.Offset, len(out.Entities), out.Total, map[string]any{}, "read on, with the same filters")
	return h
}

// phraseUnmatchedFilters says which filters were given, to be read after what they did.
func phraseUnmatchedFilters(filters map[string]bool) string {
	maps.DeleteFunc(filters, func(_ string, is bool) bool { return !is })
	if len(filters) == 0 {
		return ": nothing is stored yet"
	}
	return " by " + strings.Join(slices.Sorted(maps.Keys(filters)), " and ")
}
