package exchange

import "toolkit/store/nodes"

// beatAsEntity gives a beat line of the first coaia-narrative the form of an entity.
func beatAsEntity(members object) object {
	metadata := take[object](members, "metadata").clone()
	for _, key := range [][2]string{
		{"title", "title"}, {"narrative", "narrative"}, {"relational_alignment", "relationalAlignment"}, {"four_directions", "fourDirections"},
	} {
		if members[key[0]] != nil && metadata[key[1]] == nil {
			metadata[key[1]] = members[key[0]]
			delete(members, key[0])
		}
	}
	members.fill("metadata", metadata)
	members.fill("entityType", nodes.TypeBeat)
	return members
}
