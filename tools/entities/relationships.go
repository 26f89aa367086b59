package entities

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/tools"
)

const (
	relateName        = "create_relationship"
	relationshipsName = "list_relationships"
)

// refersToType is the one type whose relationships may form a circle.
const refersToType = "REFERS_TO"

// relationshipTypes are the types of the source document, in its order.
var relationshipTypes = []string{"PART_OF", "CORRECTS", refersToType, "SETTLES", "DUPLICATE_OF", "DEPENDS_ON", "SUPERSEDES"}

// relationshipSpace is the UUID namespace of relationships.
var relationshipSpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("toolkit:relationships"))

// relationshipID is the same for the same type, source and target everywhere.
func relationshipID(relationshipType, source, target string) string {
	return uuid.NewSHA1(relationshipSpace, []byte(relationshipType+":"+source+":"+target)).String()
}

type relateInput struct {
	RelationshipType string          `json:"relationship_type" jsonschema:"required,enum=PART_OF,enum=CORRECTS,enum=REFERS_TO,enum=SETTLES,enum=DUPLICATE_OF,enum=DEPENDS_ON,enum=SUPERSEDES" jsonschema_description:"What the source is to the target"`
	SourceEntityID   entityIDValue   `json:"source_entity_id" jsonschema:"required" jsonschema_description:"Source entity id"`
	TargetEntityID   entityIDValue   `json:"target_entity_id" jsonschema:"required" jsonschema_description:"Target entity id"`
	Metadata         json.RawMessage `json:"metadata,omitempty" jsonschema_extras:"fields=note" jsonschema_description:"Facts about the relationship"`
}

type relationshipOutput struct {
	ID               string          `json:"id"`
	RelationshipType string          `json:"relationship_type"`
	SourceEntityID   string          `json:"source_entity_id"`
	TargetEntityID   string          `json:"target_entity_id"`
	Metadata         json.RawMessage `json:"metadata,omitempty"`
	CreatedAt        string          `json:"created_at"`
}

// examplePayment is an example: a transaction that pays an invoice.
func examplePayment() []tools.SetupCall {
	payment := exampleSubmission()
	payment.CapabilityID = "neotoma:store_transaction:v1"
	payment.Body = json.RawMessage(`{"transaction_id":"T-1","amount":1500,"date":"2025-01-20"}`)
	return []tools.SetupCall{{Tool: submitName, Params: exampleSubmission()}, {Tool: submitName, Params: payment}}
}

// exampleTransaction is the entity of the payment in settled.
var exampleTransaction = entityID("transaction", "t-1")

func (f *family) relateTool() tools.Tool[relateInput, relationshipOutput] {
	return tools.Tool[relateInput, relationshipOutput]{
		Name:  relateName,
		Title: "Relate two entities",
		Description: "Relate two entities. Creating it again merges the metadata; cycles are refused. " +
			"Returns the relationship. Example: a payment SETTLES an invoice, in part with metadata.amount.",
		Permissions: []tools.Permission{mayCreateRelationships}, Category: tools.Mutation, ResponseTime: tools.Fast, Idempotent: true, Destructive: true, Version: version,
		Tags: []string{"relationships"},
		Examples: []tools.Example[relateInput, relationshipOutput]{{
			Description: "A payment settles an invoice",
			Setup:       examplePayment(),
			Params:      relateInput{RelationshipType: "SETTLES", SourceEntityID: entityIDValue(exampleTransaction), TargetEntityID: exampleInvoice, Metadata: json.RawMessage(`{"share":1}`)},
			Result: relationshipOutput{ID: relationshipID("SETTLES", exampleTransaction, exampleInvoice), RelationshipType: "SETTLES",
				SourceEntityID: exampleTransaction, TargetEntityID: exampleInvoice, Metadata: json.RawMessage(`{"share":1}`)},
			Varies: []string{"created_at"},
		}},
		Handle: f.relate,
	}
}

func (f *family) relate(ctx context.Context, in relateInput) (r tools.Result[relationshipOutput], err error) {
	made, err := runWrite(ctx, f, codeInsertFailed, func(tx *store.Tx) (relation, error) { return relateEntities(entities.In(tx), in) })
	because := "the relationship is new"
	if !made.created {
		because = "the relationship existed; metadata was merged"
	}
	r.Data = made.relationshipOutput
	r.Hints = tools.NewHints(tools.WriteEvidence()).Because(because).
		SuggestCall(relationshipsName, tools.PriorityLow, map[string]any{"entity_id": r.Data.TargetEntityID, "direction": "inbound"}, "see what else points at the target")
	if in.RelationshipType == settlesType && made.sourceType != transactionType {
		r.Hints.Warn("validation", tools.PriorityHigh, "what settles an invoice is a payment; the source is of the type "+made.sourceType+", so nothing tells how much was paid", "relate the transaction instead")
	}
	if made.sums != "" {
		r.Hints.Warn("validation", tools.PriorityHigh, made.sums, "say in metadata.amount how much of the payment is for this invoice, if not all of it is")
	}
	if in.RelationshipType == duplicateOfType {
		r.Hints.SuggestCall(mergeName, tools.PriorityMedium, map[string]any{"source_entity_id": r.Data.SourceEntityID, "target_entity_id": r.Data.TargetEntityID}, "make one entity of the two; it can be undone")
	}
	return r, err
}

// relation is a relationship that a caller made.
type relation struct {
	relationshipOutput
	created    bool
	sourceType string
	sums       string // what is wrong with the sums of a payment; empty: nothing
}

func relateEntities(tx entities.Rows, in relateInput) (made relation, err error) {
	from, err := resolveEntity(tx, in.SourceEntityID, "source_entity_id")
	if err != nil {
		return made, err
	}
	to, err := resolveEntity(tx, in.TargetEntityID, "target_entity_id")
	if err != nil {
		return made, err
	}
	source, target := from.Asked, to.Asked // as they were named: merges may be undone
	if err := checkNoCycle(tx, in.RelationshipType, source, target); err != nil {
		return made, err
	}
	id := relationshipID(in.RelationshipType, source.ID, target.ID)
	metadata, err := mergeRelationshipMetadata(tx, id, in.Metadata)
	if err == nil && in.RelationshipType == settlesType {
		err = checkMetadataAmounts(in.Metadata)
	}
	if err != nil {
		return made, err
	}
	at, created, err := tx.SaveRelationship(entities.Relationship{ID: id, Type: in.RelationshipType, Source: source, Target: target, Metadata: metadata})
	if err == nil {
		err = updateStatusAfterRelating(tx, in.RelationshipType, source, target)
	}
	made = relation{relationshipOutput{id, in.RelationshipType, source.ID, target.ID, metadata, tools.FormatTimestamp(at)}, created, source.Type, ""}
	if err == nil && in.RelationshipType == settlesType {
		made.sums, err = describeOverpayment(tx, target)
	}
	return made, err
}

// updateStatusAfterRelating computes what is to be paid of an invoice to which a payment or a credit note
// was related, and of the others that the payment settles: it may no longer be plain how
// much is for which. It refuses a payment that would settle more than it holds.
func updateStatusAfterRelating(tx entities.Rows, relationshipType string, source, target entities.Entity) error {
	if relationshipType != settlesType && relationshipType != correctsType {
		return nil
	}
	if relationshipType == settlesType {
		if err := checkPaymentNotOverspent(tx, source); err != nil {
			return err
		}
	}
	if err := updateInvoiceStatuses(tx, []int64{target.Root}); err != nil {
		return err
	}
	return updateTargetInvoiceStatus(tx, source.Root, settlesType)
}

// checkNoCycle refuses a relationship that leads back to its source, for every
// type but REFERS_TO, and one from an entity to itself for every type.
func checkNoCycle(tx entities.Rows, relationshipType string, source, target entities.Entity) error {
	if source.Root == target.Root {
		return cycleError([]string{source.ID, target.ID}, "an entity cannot be related to itself; name two different entities")
	}
	if relationshipType == refersToType {
		return nil
	}
	path, err := tx.RelationshipPath(relationshipType, target.Root, source.Root)
	if err != nil || path == nil {
		return err
	}
	ids, err := tx.EntityIDs(append([]int64{source.Root}, path...))
	if err != nil {
		return err
	}
	return cycleError(ids, "the relationship would close a cycle of "+relationshipType+"; details.cycle is the way back")
}

func cycleError(path []string, message string) *tools.Error {
	return tools.Refused(codeCycle, "target_entity_id", "no cycle", "%s", message).WithDetail("cycle", path).
		WithHints(tools.NewRefusalHints().Because("the target leads to the source already").
			SuggestCall(relationshipsName, tools.PriorityMedium, map[string]any{"entity_id": path[0]}, "see how the two are related"))
}

func mergeRelationshipMetadata(tx entities.Rows, id string, given json.RawMessage) (json.RawMessage, error) {
	stored, _, err := tx.RelationshipMetadata(id)
	if err != nil || len(stored) == 0 {
		return given, err
	}
	merged, err := decodeObject(stored)
	if err != nil {
		return nil, err
	}
	more, err := decodeObject(given)
	maps.Copy(merged, more)
	return encodeJSON(merged), err
}

type relationshipsInput struct {
	EntityID         entityIDValue `json:"entity_id" jsonschema:"required" jsonschema_description:"Entity id"`
	Direction        string        `json:"direction,omitempty" jsonschema:"enum=inbound,enum=outbound,enum=both" jsonschema_description:"both if absent"`
	RelationshipType string        `json:"relationship_type,omitempty" jsonschema_description:"Only this type; SUGGESTED: what may be related, and why"`
	Limit            int           `json:"limit,omitempty" jsonschema:"minimum=1,maximum=1000" jsonschema_description:"100 if absent"`
	Offset           int           `json:"offset,omitempty" jsonschema:"minimum=0" jsonschema_description:"Skip this many"`
}

type relationshipsOutput struct {
	Relationships []relationshipOutput `json:"relationships"`
	Suggestions   []suggestion         `json:"suggestions,omitempty"`
	Total         int                  `json:"total"`
	Limit         int                  `json:"limit"`
	Offset        int                  `json:"offset"`
}

func (f *family) relationshipsTool() tools.Tool[relationshipsInput, relationshipsOutput] {
	return tools.Tool[relationshipsInput, relationshipsOutput]{
		Name:  relationshipsName,
		Title: "List an entity's relationships",
		Description: "List the typed relationships of an entity, inbound, outbound or both, newest first. " +
			"Returns relationships and total. Example: which payments settle an invoice.",
		Permissions: []tools.Permission{mayReadRelationships}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version,
		Tags: []string{"relationships"},
		Examples: []tools.Example[relationshipsInput, relationshipsOutput]{{
			Description: "What settles an invoice",
			Setup: append(examplePayment(), tools.SetupCall{Tool: relateName, Params: relateInput{
				RelationshipType: "SETTLES", SourceEntityID: entityIDValue(exampleTransaction), TargetEntityID: exampleInvoice}}),
			Params: relationshipsInput{EntityID: exampleInvoice, Direction: "inbound"},
			Result: relationshipsOutput{Relationships: []relationshipOutput{{ID: relationshipID("SETTLES", exampleTransaction, exampleInvoice),
				RelationshipType: "SETTLES", SourceEntityID: exampleTransaction, TargetEntityID: exampleInvoice}}, Total: 1, Limit: defaultPage},
			Varies: []string{"created_at"},
		}},
		Handle: f.listRelationships,
	}
}

// suggestedOnly asks for relationships that nobody said, but documents give reason for.
const suggestedOnly = "SUGGESTED"

func (f *family) listRelationships(ctx context.Context, in relationshipsInput) (r tools.Result[relationshipsOutput], err error) {
	in.Limit = cmp.Or(in.Limit, defaultPage)
	if in.RelationshipType != "" && in.RelationshipType != suggestedOnly && !slices.Contains(relationshipTypes, in.RelationshipType) {
		return r, tools.Invalid(tools.CodeInvalid, "relationship_type", "known type", "relationship_type must be one of %s", strings.Join(relationshipTypes, ", "))
	}
	return runRead(ctx, f, codeQueryFailed, func(tx *store.Tx) (r tools.Result[relationshipsOutput], err error) {
		s, err := resolveEntity(entities.In(tx), in.EntityID, "entity_id")
		if err != nil {
			return r, err
		}
		r.Data = relationshipsOutput{Relationships: []relationshipOutput{}, Limit: in.Limit, Offset: in.Offset}
		if in.RelationshipType == suggestedOnly {
			r.Data.Suggestions, err = suggestLinks(tx, s.Entity)
			r.Data.Total = len(r.Data.Suggestions)
			r.Hints = tools.NewHints(tools.NewReadEvidence(r.Data.Total)).Because(fmt.Sprintf("%d suggestion(s); nothing of it is written", r.Data.Total))
			hintSuggestions(r.Hints, r.Data.Suggestions)
		} else {
			var list []entities.Relationship
			list, r.Data.Total, err = entities.In(tx).Relationships(s.Seq, in.Direction, in.RelationshipType, in.Limit, in.Offset)
			for _, one := range list {
				r.Data.Relationships = append(r.Data.Relationships, relationshipOutput{one.ID, one.Type, one.SourceID, one.TargetID, one.Metadata, tools.FormatTimestamp(one.CreatedAt)})
			}
			r.Hints = relationshipHints(s, r.Data)
		}
		s.warnOfMerge(r.Hints)
		return r, err
	})
}

func relationshipHints(s *entityState, out relationshipsOutput) *tools.Hints {
	shown := len(out.Relationships)
	h := tools.NewHints(tools.NewReadEvidence(shown).WithTotal(out.Total)).Because(fmt.Sprintf("%d of %d relationship(s)", shown, out.Total))
	for _, one := range out.Relationships {
		other := one.TargetEntityID
		if other == s.ID {
			other = one.SourceEntityID
		}
		h.AddRelatedResource("entity", other, one.RelationshipType, 0.8)
	}
	hintNextPage(h, relationshipsName, out.Limit, out.Offset, shown, out.Total, map[string]any{"entity_id": s.ID}, "read on")
	switch {
	case out.Total == 0:
		h.SuggestCall(relateName, tools.PriorityLow, map[string]any{"source_entity_id": s.ID}, "relate it to another entity")
	case shown == 0:
		h.SuggestCall(relationshipsName, tools.PriorityLow, map[string]any{"entity_id": s.ID}, "this page lies behind the last; begin with the first")
	default:
		h.SuggestCall(snapshotName, tools.PriorityLow, map[string]any{"entity_id": h.RelatedResources[0].ID}, "see the entity at the other end")
	}
	return h
}
