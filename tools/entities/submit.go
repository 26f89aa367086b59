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

	"toolkit/fixtures"
	"toolkit/store"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

const submitName = "submit_payload"

type submitInput struct {
	CapabilityID    string          `json:"capability_id" jsonschema:"required,minLength=1" jsonschema_description:"Versioned capability: neotoma:store_invoice:v1, store_transaction, store_receipt, store_contract or store_note"`
	Body            json.RawMessage `json:"body" jsonschema:"required" jsonschema_extras:"fields=invoice_number vendor_name date title" jsonschema_description:"What the document says, as fields, such as invoice_number, amount, vendor_name, date"`
	Provenance      provenanceInput `json:"provenance" jsonschema:"required" jsonschema_description:"Where the body comes from"`
	ClientRequestID string          `json:"client_request_id,omitempty" jsonschema_description:"Retry id: the same id never asserts a payload twice"`
}

type provenanceInput struct {
	SourceRefs       []string `json:"source_refs" jsonschema:"required,maxLength=1000" jsonschema_description:"Ids of the payloads it was made from, empty for none"`
	ExtractedAt      string   `json:"extracted_at" jsonschema:"required,minLength=1" jsonschema_description:"When it was extracted, ISO 8601"`
	ExtractorVersion string   `json:"extractor_version" jsonschema:"required,minLength=1" jsonschema_description:"What extracted it, such as neotoma-mcp:v0.2.1"`
	AgentID          string   `json:"agent_id,omitempty" jsonschema_description:"Agent that submits it"`
}

type submitOutput struct {
	PayloadID           string      `json:"payload_id"`
	PayloadContentID    string      `json:"payload_content_id"`
	PayloadSubmissionID string      `json:"payload_submission_id"`
	Created             bool        `json:"created"`
	Message             string      `json:"message"`
	Entities            []entityRef `json:"entities" jsonschema_description:"The document itself first, then what it speaks of"`
	Warnings            []string    `json:"warnings,omitempty"`

	Suggestions []suggestion `json:"suggestions,omitempty" jsonschema_description:"What the document may settle or be settled by; nothing was written"`

	// The warnings are of three kinds: how a resubmission differs, what is not
	// plain, and what stands against it.
	differing, fieldWarnings, overruled []string
}

// entityRef names an entity that a document speaks of.
type entityRef struct {
	EntityID      string `json:"entity_id"`
	EntityType    string `json:"entity_type"`
	CanonicalName string `json:"canonical_name"`
	Role          string `json:"role" jsonschema_description:"self, or the field it was found in"`
}

// exampleSubmission is the request that the source document prints.
func exampleSubmission() submitInput {
	return submitInput{
		CapabilityID: "neotoma:store_invoice:v1",
		Body:         json.RawMessage(`{"invoice_number":"INV-001","amount":1500.00,"vendor_name":"Acme Corp","customer_name":"Test Customer","date":"2025-01-15"}`),
		Provenance: provenanceInput{SourceRefs: []string{}, ExtractedAt: "2025-01-15T10:30:00Z",
			ExtractorVersion: "neotoma-mcp:v0.2.1", AgentID: "invoice-reader"},
	}
}

// Ids in the example.
const (
	examplePayload = "fa73dc97-08e7-57b6-bf6f-736b004ce45a"

	exampleInvoice = "ent_50dec6b48df7b9e05629e5bb"
	exampleAcme    = "ent_af939bedafbd1838b259772a"
	exampleOther   = "ent_dd5326ef521f711668aac6fb"
)

func (f *family) submitTool() tools.Tool[submitInput, submitOutput] {
	return tools.Tool[submitInput, submitOutput]{
		Name:  submitName,
		Title: "Submit a payload",
		Description: "Store what a document says (invoice, transaction, receipt, contract, note) once, and take it into the entities it speaks of. " +
			"Use it for every fact with a source. Returns the payload's ids, whether it is new, and the entity ids. Example: an invoice you just read.",
		Permissions: []tools.Permission{mayCreatePayloads}, Category: tools.Mutation, ResponseTime: tools.Medium, Idempotent: true, Version: version,
		Tags: []string{"payloads", "ingest"},
		Examples: []tools.Example[submitInput, submitOutput]{{
			Description: "An invoice",
			Params:      exampleSubmission(),
			Result: submitOutput{
				PayloadID: "550e8400-e29b-41d4-a716-446655440000", PayloadContentID: "payload_0a8d4d865a87aebbf6c3638b",
				PayloadSubmissionID: "sub_01234567-89ab-cdef-0123-456789abcdef", Created: true, Message: messageCreated,
				Entities: []entityRef{
					{exampleInvoice, "invoice", "INV-001", selfRole},
					{exampleAcme, "company", "Acme Corp", "vendor_name"},
					{exampleOther, "company", "Test Customer", "customer_name"},
				},
			},
			Varies: []string{"payload_id", "payload_submission_id"},
		}},
		Handle: f.submitPayload,
	}
}

// Messages of a submission.
const (
	messageCreated    = "Payload created and observations extracted"
	messageDuplicate  = "Payload was already stored; nothing changed"
	messageAppended   = "Payload was already stored; its other content was added as an observation"
	messageRestored   = "Payload was already stored; what it says of an entity that was not there was stored anew"
	messageReasserted = "Payload was already stored; it was asserted again and stands over what came in between"
)

// submission is a payload after validation and compilation.
type submission struct {
	payload       records.Payload
	document      document
	clamped       bool // extracted_at lies in the future
	fieldWarnings []string
}

func (f *family) submitPayload(ctx context.Context, in submitInput) (tools.Result[submitOutput], error) {
	s, err := f.compileSubmission(in)
	if err != nil {
		return tools.Result[submitOutput]{}, err
	}
	out, err := runWrite(ctx, f, codeInsertFailed, func(tx *store.Tx) (submitOutput, error) { return f.storeSubmission(tx, s) })
	if err != nil {
		return tools.Result[submitOutput]{}, err
	}
	return tools.Result[submitOutput]{Data: out, Hints: submitHints(out, s.clamped)}, nil
}

func (f *family) compileSubmission(in submitInput) (submission, error) {
	capability, err := checkAndFindCapability(in)
	if err != nil {
		return submission{}, err
	}
	extracted, err := parseTimeField("provenance.extracted_at", in.Provenance.ExtractedAt, 0)
	if err != nil {
		return submission{}, err
	}
	full, err := decodeObject(in.Body)
	if err != nil {
		return submission{}, err
	}
	body := dropNulls(full)
	if len(body) == 0 {
		return submission{}, tools.Invalid(tools.CodeInvalid, "body", "at least one field", "body has no field with a value; put in what the document says, such as %s", strings.Join(capability.Hashed, ", "))
	}
	now := f.nowMillis()
	content := computePayloadID(capability, body, in.Provenance.SourceRefs, in.Provenance.ExtractorVersion)
	p := records.Payload{
		ID: payloadID(content), ContentID: content,
		SubmissionID: "sub_" + uuid.Must(uuid.NewV7()).String(), Capability: capability.ID, Body: in.Body, SourceRefs: in.Provenance.SourceRefs,
		ExtractedAt: extracted, ExtractorVersion: in.Provenance.ExtractorVersion, AgentID: in.Provenance.AgentID, ClientRequestID: in.ClientRequestID, CreatedAt: now,
	}
	from := newDocumentSource(p.ContentID, fromPayload, min(extracted, now))
	from.Request = in.ClientRequestID
	return submission{payload: p, clamped: extracted > now, fieldWarnings: listBodyWarnings(capability, body), document: document{
		source:     from,
		Record:     records.Record{ID: p.ID, Type: capability.EntityType, Properties: in.Body, CreatedAt: now, UpdatedAt: now},
		Properties: full, Statements: compileStatements(capability, body, p.ContentID),
	}}, nil
}

// payloadSpace is the UUID namespace of payloads.
var payloadSpace = uuid.NewSHA1(uuid.NameSpaceURL, []byte("toolkit:payloads"))

// payloadID follows from the content id, so that a payload which was deleted
// and submitted again is found under its id.
func payloadID(contentID string) string {
	return uuid.NewSHA1(payloadSpace, []byte(contentID)).String()
}

func checkAndFindCapability(in submitInput) (fixtures.Capability, error) {
	err := cmp.Or(checkNotBlank("capability_id", in.CapabilityID), checkNotBlank("provenance.extractor_version", in.Provenance.ExtractorVersion))
	if err != nil {
		return fixtures.Capability{}, err
	}
	for i, ref := range in.Provenance.SourceRefs {
		if tools.IsBlank(ref) {
			return fixtures.Capability{}, blankFieldError(fmt.Sprintf("provenance.source_refs[%d]", i))
		}
	}
	c, known := capabilityByID(in.CapabilityID)
	if !known {
		var ids []string
		for _, one := range fixtures.Payloads().Capabilities {
			ids = append(ids, one.ID)
		}
		return c, tools.Refused(codeUnknownCapability, "capability_id", "known capability", "capability_id is not known; use one of %s", strings.Join(ids, ", ")).
			WithDetail("available", ids).
			WithHints(tools.NewRefusalHints().Because("a document of another kind can be kept as a note, or as a record of any type").
				SuggestCall(submitName, tools.PriorityHigh, map[string]any{"capability_id": "neotoma:store_note:v1"}, "submit it as a note").
				SuggestCall(storeName, tools.PriorityLow, nil, "keep it as a record of a type of your own"))
	}
	return c, nil
}

func (f *family) storeSubmission(tx *store.Tx, s submission) (submitOutput, error) {
	stands, created, err := records.In(tx).InsertPayload(s.payload)
	if err != nil {
		return submitOutput{}, err
	}
	out := submitOutput{PayloadID: stands.ID, PayloadContentID: stands.ContentID, PayloadSubmissionID: stands.SubmissionID, Created: created, Message: messageCreated}
	out.fieldWarnings = s.fieldWarnings
	var overruled []string
	if created {
		_, overruled, err = f.ingestDocument(tx, s.document, s.payload.CreatedAt)
	} else {
		overruled, err = f.storeResubmission(tx, s, stands, &out)
	}
	if err != nil {
		return submitOutput{}, err
	}
	var unlinked []string
	if out.Suggestions, unlinked, err = findOpenLinks(entities.In(tx), []entities.Entity{s.document.Statements[0].entity}); err != nil {
		return submitOutput{}, err
	}
	out.fieldWarnings = append(out.fieldWarnings, unlinked...)
	out.differing, out.overruled = out.Warnings, distinctLines(overruled)
	out.Warnings = slices.Concat(out.differing, out.fieldWarnings, out.overruled)
	out.Entities, err = entityRefsOfStatements(entities.In(tx), s.document.Statements)
	return out, err
}

// storeResubmission decides what a payload that is already there still has to say. Other
// content under the same content id becomes an observation. Known content is
// asserted again only if that changes the truth: when something else was
// observed in between, and this later still (A, B, A again is A). So repeating
// earlier submissions changes nothing.
func (f *family) storeResubmission(tx *store.Tx, s submission, stands records.Payload, out *submitOutput) (overruled []string, err error) {
	out.Message = messageDuplicate
	record, known, err := records.In(tx).ByID(stands.ID)
	if err != nil {
		return nil, err
	}
	if !known {
		return nil, fmt.Errorf("the record of payload %s is missing", stands.ID)
	}
	if err := resolveOrAddEntities(entities.In(tx), s.document.Statements, record.ID); err != nil {
		return nil, err
	}
	overruled, err = s.document.storeObservations(entities.In(tx), record.Seq, s.payload.CreatedAt, func(a *entityState, st statement, c claim, earlier []entities.Observation) (bool, error) {
		known := c.isRepeated(earlier)
		if known {
			changes, err := a.wouldChange(c)
			if err != nil || !changes || isRepeatedRequest(earlier, c.Request) {
				return true, err
			}
		}
		out.noteResubmission(st, earlier, known)
		return false, nil
	})
	if err != nil {
		return nil, err
	}
	return overruled, linkDocument(entities.In(tx), record.Seq, s.document.Statements)
}

// isRepeatedRequest reports whether a request was already answered.
func isRepeatedRequest(earlier []entities.Observation, request string) bool {
	return request != "" && slices.ContainsFunc(earlier, func(o entities.Observation) bool { return o.Request == request })
}

// noteResubmission says what a resubmission added.
func (out *submitOutput) noteResubmission(s statement, earlier []entities.Observation, known bool) {
	if s.Role != selfRole && len(earlier) == 0 {
		out.Warnings = append(out.Warnings, "an entity found in "+s.Role+" is new under this content id")
		if out.Message == messageDuplicate {
			out.Message = messageRestored
		}
		return
	}
	if known {
		if out.Message == messageDuplicate {
			out.Message = messageReasserted
		}
		return
	}
	out.Message = messageAppended
	changed := differingFields(s.Fields, earlier)
	if s.Role != selfRole {
		out.Warnings = append(out.Warnings, fmt.Sprintf("same content id, but %s differs in: %s", s.Role, strings.Join(changed, ", ")))
		return
	}
	out.Warnings = append(out.Warnings, "same content id, but the body differs in: "+strings.Join(changed, ", ")+"; added as an observation, the stored body stays as it was")
}

// differingFields names the fields that differ from the newest of the earlier
// observations, those it alone has included.
func differingFields(fields object, earlier []entities.Observation) []string {
	last := object{}
	if len(earlier) > 0 {
		if o, err := decodeObject(earlier[0].Fields); err == nil {
			last = o
		}
	}
	var names []string
	for name, value := range fields {
		before, known := last[name]
		if !known || string(encodeCanonicalJSON(before, normalised)) != string(encodeCanonicalJSON(value, normalised)) {
			names = append(names, name)
		}
	}
	for name := range maps.Keys(last) {
		if _, stated := fields[name]; !stated {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// entityRefsOfStatements names the entities of statements as they are known now.
func entityRefsOfStatements(tx entities.Rows, statements []statement) ([]entityRef, error) {
	rows := make([]int64, len(statements))
	for i, s := range statements {
		rows[i] = s.entity.Seq
	}
	known, err := tx.ByRows(rows)
	refs := make([]entityRef, 0, len(statements))
	for i, e := range known {
		s := statements[i]
		refs = append(refs, entityRef{e.ID, e.Type, cmp.Or(e.Name, s.Name), s.Role})
	}
	return refs, err
}

func submitHints(out submitOutput, clamped bool) *tools.Hints {
	h := tools.NewHints(tools.WriteEvidence()).Because(out.Message)
	self := out.Entities[0]
	h.SuggestCall(snapshotName, tools.PriorityMedium, map[string]any{"entity_id": self.EntityID}, "see what is now known of the "+self.EntityType)
	for _, e := range out.Entities[1:min(3, len(out.Entities))] {
		h.SuggestCall(observationsName, tools.PriorityLow, map[string]any{"entity_id": e.EntityID}, "see what else is known of the "+e.EntityType+" in "+e.Role)
	}
	hintSuggestions(h, out.Suggestions)
	for _, w := range out.differing {
		h.Warn("duplicate", tools.PriorityMedium, w, "if the difference is wrong, use "+correctName)
	}
	addFieldWarnings(h, out.fieldWarnings)
	addConflictWarnings(h, out.overruled)
	if clamped {
		h.Warn("validation", tools.PriorityLow, "provenance.extracted_at lies in the future and counts as now", "check the clock of the extractor")
	}
	return h
}
