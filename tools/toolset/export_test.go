package toolset

import (
	"context"
	"encoding/json"

	"toolkit/embed"
	"toolkit/tools"
)

// ComputeVectors returns the fixture of vectors for tools, and FindStale the names of those
// whose vectors are not of what is said of them now, or of which nobody says what they are for.
func ComputeVectors(ctx context.Context, list []*tools.Definition) ([]byte, error) {
	computed := map[string]storedVectors{}
	for _, p := range allPurposes(list) {
		s := storedVectors{Of: hashTexts(p.texts)}
		for _, text := range p.texts {
			v, err := embedCached(ctx, text)
			if err != nil {
				return nil, err
			}
			packed, err := embed.Pack(v)
			if err != nil {
				return nil, err
			}
			s.Vectors = append(s.Vectors, packed)
		}
		computed[p.name] = s
	}
	text, err := json.MarshalIndent(computed, "", " ")
	return append(text, '\n'), err
}

// FindStale returns described with ComputeVectors.
func FindStale(list []*tools.Definition) (names []string, err error) {
	stored, err := readStored()
	for _, p := range allPurposes(list) {
		if stored[p.name].Of != hashTexts(p.texts) {
			names = append(names, p.name)
		}
	}
	for _, d := range list {
		if !d.Door && len(usesByName()[d.Name]) == 0 {
			names = append(names, d.Name)
		}
	}
	return names, err
}

func allPurposes(list []*tools.Definition) []purpose {
	all := listNonToolPurposes()
	for _, d := range list {
		all = append(all, makePurpose(d))
	}
	return all
}
