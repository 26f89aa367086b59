package view

import (
	"context"
	"encoding/json"

	"toolkit/store"
	entitiesrows "toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
	"toolkit/tools/entities"
)

const (
	entitiesPage = 30
	historyPage  = 50
	pageMax      = 100
)

// foundEntities is what is read here of the answer of find_entities.
type foundEntities struct {
	Entities []foundEntity `json:"entities"`
}

type foundEntity struct {
	ID   string `json:"entity_id"`
	Name string `json:"canonical_name"`
}

// findEntities finds what documents speak of, as find_entities does.
func (s *Server) findEntities(ctx context.Context, q *query) (any, error) {
	limit, offset := q.readLimitAndOffset(entitiesPage, pageMax)
	in := arguments{"limit": limit, "offset": offset}
	for parameter, argument := range map[string]string{"q": "text", "type": "type"} {
		if value := q.readText(parameter); value != "" {
			in[argument] = value
		}
	}
	found, err := s.callTool(ctx, q, "find_entities", in)
	if err != nil {
		return nil, err
	}
	var types []store.TypeCount
	var listed foundEntities
	if err := json.Unmarshal(found, &listed); err != nil {
		return nil, err
	}
	var figures map[string]entities.Figure
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) (err error) {
		if types, err = tx.DocumentedTypes(maxTypes); err != nil {
			return err
		}
		ids := make([]string, len(listed.Entities))
		for i, e := range listed.Entities {
			ids[i] = e.ID
		}
		figures, err = entities.ReadAmountsAndDates(tx, ids)
		return err
	})
	return map[string]any{"found": found, "types": tools.OrEmpty(types), "figures": figures}, err
}

// readEntity returns what is held to be true of an entity now.
func (s *Server) readEntity(ctx context.Context, q *query) (any, error) {
	id := q.readRequiredText("id")
	snapshot, err := s.callTool(ctx, q, "get_entity_snapshot", arguments{"entity_id": id})
	if err != nil {
		return nil, err
	}
	var name string
	var sources map[string]entities.FieldSource
	var payment *entities.PaymentStatus
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		names, err := entitiesrows.In(tx).DocumentedNames([]string{id})
		if err != nil {
			return err
		}
		name = names[id].Name
		if sources, err = entities.FieldSources(tx, id); err != nil {
			return err
		}
		payment, err = entities.FindPaymentStatus(tx, id)
		return err
	})
	return map[string]any{"snapshot": snapshot, "name": name, "sources": sources, "payment": payment}, err
}

// readEntityAt returns what was held to be true at a moment.
func (s *Server) readEntityAt(ctx context.Context, q *query) (any, error) {
	return s.callTool(ctx, q, "get_entity_snapshot", arguments{"entity_id": q.readRequiredText("id"), "at": q.readRequiredText("at")})
}

// entityHistory returns what each source said, newest first.
func (s *Server) entityHistory(ctx context.Context, q *query) (any, error) {
	id := q.readRequiredText("id")
	limit, offset := q.readLimitAndOffset(historyPage, pageMax)
	return s.callTool(ctx, q, "list_observations", arguments{"entity_id": id, "limit": limit, "offset": offset})
}

type payload struct {
	ID           string   `json:"id"`
	SubmissionID string   `json:"submission_id"`
	Capability   string   `json:"capability"`
	SourceRefs   []string `json:"source_refs"`
	ExtractedAt  string   `json:"extracted_at"`
	Extractor    string   `json:"extractor"`
	AgentID      string   `json:"agent_id,omitempty"`
}

// readFieldProvenance follows a field to its observation, its record or payload and
// the files behind that.
func (s *Server) readFieldProvenance(ctx context.Context, q *query) (any, error) {
	data, err := s.callTool(ctx, q, "get_field_provenance", arguments{"entity_id": q.readRequiredText("id"), "field": q.readRequiredText("field")})
	if err != nil {
		return nil, err
	}
	var from struct {
		Observation struct {
			Payload *string `json:"source_payload_id"`
		} `json:"source_observation"`
		Record struct {
			Files []string `json:"file_urls"`
		} `json:"source_record"`
	}
	if err := json.Unmarshal(data, &from); err != nil {
		return nil, err
	}
	out := map[string]any{"provenance": data, "payload": nil}
	if from.Observation.Payload == nil {
		out["file"], err = s.findFileName(ctx, q, from.Record.Files)
		return out, err
	}
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		p, exists, err := records.In(tx).PayloadByID(*from.Observation.Payload)
		if exists {
			out["payload"] = payload{p.ID, p.SubmissionID, p.Capability, tools.OrEmpty(p.SourceRefs), milliTimestamp(p.ExtractedAt), p.ExtractorVersion, p.AgentID}
		}
		return err
	})
	return out, err
}

// findFileName returns what the first stored file of a record is called; empty: it has none.
func (s *Server) findFileName(ctx context.Context, q *query, urls []string) (name string, err error) {
	err = s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) (err error) {
		name, err = entities.FileName(tx, urls)
		return err
	})
	return name, err
}

type connection struct {
	Relationship string `json:"relationship"`
	Outward      bool   `json:"outward"`
	EntityID     string `json:"entity_id"`
	Type         string `json:"type"`
	Name         string `json:"name"`
	Created      string `json:"created"`
	observationOutput
	entities.Figure
}

// observationOutput is what documents note with the relationships that they say.
type observationOutput struct {
	Role string `json:"role,omitempty"` // such as vendor
}

// listEntityConnections returns the typed relationships of an entity.
func (s *Server) listEntityConnections(ctx context.Context, q *query) (any, error) {
	id := q.readRequiredText("id")
	var found struct {
		Relationships []struct {
			Type    string          `json:"relationship_type"`
			Source  string          `json:"source_entity_id"`
			Target  string          `json:"target_entity_id"`
			Created string          `json:"created_at"`
			About   json.RawMessage `json:"metadata"`
		} `json:"relationships"`
		Total int `json:"total"`
	}
	if err := s.callInto(ctx, q, "list_relationships", arguments{"entity_id": id, "limit": pageMax}, &found); err != nil {
		return nil, err
	}
	ids := make([]string, len(found.Relationships))
	list := make([]connection, len(found.Relationships))
	for i, r := range found.Relationships {
		ids[i] = r.Target
		if r.Target == id {
			ids[i] = r.Source
		}
		list[i] = connection{Relationship: r.Type, Outward: r.Source == id, EntityID: ids[i], Created: r.Created}
		json.Unmarshal(r.About, &list[i].observationOutput) //nolint:errcheck // whoever relates two entities may note anything
	}
	err := s.readIfQueryIsValid(ctx, q, func(tx *store.Tx) error {
		names, err := entitiesrows.In(tx).DocumentedNames(ids)
		if err != nil {
			return err
		}
		figures, err := entities.ReadAmountsAndDates(tx, ids)
		for i := range list {
			list[i].Type, list[i].Name, list[i].Figure = names[ids[i]].Type, names[ids[i]].Name, figures[ids[i]]
		}
		return err
	})
	return map[string]any{"connections": list, "total": found.Total}, err
}
