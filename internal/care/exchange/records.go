package exchange

import "bytes"

// entity takes in an entity. What it cannot read as expected it keeps in
// Extra; only without a name there is nothing to keep it under.
func (in *intake) entity(members object, line int) {
	name := members.takeText("name")
	if name == "" {
		in.report.skip(line, "an entity without a name")
		return
	}
	entity := Entity{Name: name, Line: line}
	entity.EntityType = members.text("entityType")
	switch value := members.value("entityType"); {
	case isString(value), isNull(value):
		members.remove("entityType")
	}
	if entity.EntityType == "" {
		in.report.note(line, "entity %q has no entityType", name)
	}
	entity.Observations = in.observations(&members, name, line)
	entity.Metadata, entity.Extra = in.rest(members, line)
	in.add(entity)
}

// add keeps the last entity of a name, at the place of the first.
func (in *intake) add(entity Entity) {
	at, known := in.index[entity.Name]
	if !known {
		in.index[entity.Name] = len(in.entities)
		in.entities = append(in.entities, entity)
		return
	}
	in.report.skip(in.entities[at].Line, "entity %q comes again on line %d, which is the one used", entity.Name, entity.Line)
	in.entities[at] = entity
}

func (in *intake) observations(members *object, name string, line int) []string {
	value := members.value("observations")
	members.remove("observations")
	switch {
	case value == nil, isNull(value):
		return nil
	case !isArray(value):
		in.report.note(line, "the observations of %q are not a list; they became one observation", name)
		if isString(value) {
			return []string{decodeString(value)}
		}
		return []string{string(value)}
	}
	var texts []string
	converted := 0
	for _, e := range splitArray(value) {
		if isString(e.value) {
			texts = append(texts, decodeString(e.value))
			continue
		}
		texts = append(texts, string(e.value))
		converted++
	}
	if converted > 0 {
		in.report.note(line, "%d observations of %q are not strings; their JSON text was kept", converted, name)
	}
	return texts
}

func (in *intake) relation(members object, line int) {
	relation := Relation{From: members.takeText("from"), To: members.takeText("to"), Line: line}
	if relation.From == "" || relation.To == "" {
		in.report.skip(line, "a relation without both ends")
		return
	}
	relation.RelationType = members.text("relationType")
	switch value := members.value("relationType"); {
	case isString(value), isNull(value):
		members.remove("relationType")
	}
	if relation.RelationType == "" {
		in.report.note(line, "the relation from %q to %q has no relationType", relation.From, relation.To)
	}
	relation.Metadata, relation.Extra = in.rest(members, line)
	in.relations = append(in.relations, relation)
	in.relationOrder = append(in.relationOrder, in.arrived)
	in.arrived++
}

// rest parts what is not lifted into metadata and unknown keys. Metadata that
// is no object is an unknown key.
func (in *intake) rest(members object, line int) (metadata, extra []byte) {
	switch value := members.value("metadata"); {
	case isObject(value):
		metadata = bytes.Clone(value)
		members.remove("metadata")
	case isNull(value):
		members.remove("metadata")
	case value != nil:
		in.report.note(line, "the metadata is not an object; it is kept as an unknown field")
	}
	return metadata, members.raw()
}

// beatFields are the top-level keys of an old beat line and where the later
// form has them in the metadata.
var beatFields = []struct {
	key, metadataKey string
	fits             func([]byte) bool
}{
	{"title", "title", func(value []byte) bool { return isString(value) }},
	{"narrative", "narrative", func(value []byte) bool { return isObject(value) }},
	{"relational_alignment", "relationalAlignment", func(value []byte) bool { return isObject(value) }},
	{"four_directions", "fourDirections", func(value []byte) bool { return isObject(value) }},
}

// beatLineAsEntity gives an old beat line the form of an entity, so that all
// else sees one kind of beat. Fields that do not fit stay where they are.
func beatLineAsEntity(members object) object {
	members = append(members, field("entityType", stringValue(typeBeat)))
	var metadata object
	switch value := members.value("metadata"); {
	case isObject(value):
		metadata = splitObject(value)
	case value != nil && !isNull(value):
		return members
	}
	for _, f := range beatFields {
		if value := members.value(f.key); f.fits(value) && !metadata.has(f.metadataKey) {
			metadata = append(metadata, field(f.metadataKey, value))
			members.remove(f.key)
		}
	}
	members.remove("metadata")
	if len(metadata) > 0 {
		members = append(members, field("metadata", metadata.raw()))
	}
	return members
}
