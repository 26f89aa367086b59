package transfer

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"toolkit/store/graph"
)

// convertBeatLine gives a beat line of the first coaia-narrative the form of an entity.
func convertBeatLine(members jsonObject) jsonObject {
	metadata := takeMember[jsonObject](members, "metadata").clone()
	moved := map[string]string{"title": "title", "narrative": "narrative", "relational_alignment": "relationalAlignment", "four_directions": "fourDirections"}
	for from, to := range moved {
		if members[from] != nil && metadata[to] == nil {
			metadata[to] = members[from]
			delete(members, from)
		}
	}
	members.setIfMissing("metadata", metadata)
	members.setIfMissing("entityType", graph.TypeBeat)
	return members
}

// findOwnersByRelations finds what the parts without metadata belong to. Earlier builds wrote
// them so in the format Memory, with their relations and with labelled observations.
func (r *exchangeReader) findOwnersByRelations() {
	for _, x := range r.relations {
		part, owner := r.byName[graph.ComposeAccents(x.From)], r.byName[graph.ComposeAccents(x.To)]
		if x.Type == graph.RelationContains || x.Type == graph.RelationTelescopes {
			part, owner = owner, part
		}
		if part == nil || owner == nil || part.Metadata != nil {
			continue
		}
		switch [3]string{part.Type, x.Type, owner.Type} {
		case [3]string{graph.TypeStep, graph.RelationContains, graph.TypeChart}, [3]string{typeOutcome, graph.RelationTelescopes, graph.TypeStep},
			[3]string{typeOutcome, relationAdvances, typeOutcome}, [3]string{graph.TypeBeat, graph.RelationDocuments, graph.TypeChart}:
			r.owners[part.Name] = strings.TrimSuffix(strings.TrimSuffix(owner.Name, graph.PartChart), graph.PartOutcome)
		}
	}
}

// These labels tell which member of the metadata an observation holds: the object
// that it is in, if any, and its key. Charts and steps have dates alone.
var (
	dateLabels = map[string][2]string{"Due date": {"", "dueDate"}, "Completed on": {"", "completedAt"}}
	beatLabels = map[string][2]string{
		"Title": {"", "title"}, "Universe": {"", "universes"}, "Timestamp": {"", "timestamp"},
		"Description": {"narrative", "description"}, "Prose": {"narrative", "prose"}, "Lesson": {"narrative", "lessons"},
		"Principle": {"relationalAlignment", "principles"}, "Vision": {"fourDirections", "north_vision"}, "Intention": {"fourDirections", "east_intention"},
		"Emotion": {"fourDirections", "south_emotion"}, "Introspection": {"fourDirections", "west_introspection"},
	}
	actPattern = regexp.MustCompile(`^Act (\d(?:\.\d+)?) \[?(.*?)\]?$`)
)

// parseMetadataFromLabels moves labelled observations into the metadata of an entity without any.
// The first observation has no label, but may hold the act and type of a beat. Of
// several with one label the last one counts.
func (e *ExchangeEntity) parseMetadataFromLabels(labels map[string][2]string) {
	if e.Metadata != nil {
		return
	}
	e.Metadata = jsonObject{}
	parts := map[string]jsonObject{"": e.Metadata, "narrative": {}, "relationalAlignment": {}, "fourDirections": {}}
	for k := len(e.Observations) - 1; k > 0; k-- {
		label, text, _ := strings.Cut(e.Observations[k], ": ")
		place := labels[label]
		part, key := parts[place[0]], place[1]
		switch {
		case key == "lessons" || key == "principles":
			part[key] = encodeExchangeValue(append([]string{text}, takeMember[[]string](part, key)...))
		case key == "" || part[key] != nil:
			continue
		case key == "universes":
			part[key] = encodeExchangeValue(strings.Split(text, ", "))
		default:
			part[key] = encodeExchangeValue(text)
		}
		e.Observations = slices.Delete(e.Observations, k, k+1)
		if place[0] != "" {
			e.Metadata[place[0]] = part.encode()
		}
	}
	if e.Metadata["completedAt"] != nil {
		e.Metadata.setIfMissing("completionStatus", true)
	}
	if e.Type == graph.TypeBeat && len(e.Observations) > 0 {
		if act := actPattern.FindStringSubmatch(e.Observations[0]); act != nil {
			e.Metadata["act"], e.Metadata["type_dramatic"] = json.RawMessage(act[1]), encodeExchangeValue(act[2])
		}
	}
}
