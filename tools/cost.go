package tools

import (
	"fmt"
	"slices"
)

// bytesPerToken is what a token of JSON and English is taken to hold. Models
// differ; the figure only serves to compare.
const bytesPerToken = 4

// EstimateTokens estimates how many tokens so many bytes are.
func EstimateTokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// FamilyCost is what offering the tools of a family takes of a model's context.
type FamilyCost struct {
	Name  string
	Tools int
	Input int // bytes, in every request
}

// MeasureFamilyCosts weighs the definitions of each family, in the order of the list.
func MeasureFamilyCosts(r *Registry) ([]FamilyCost, error) {
	var costs []FamilyCost
	for _, d := range r.All() {
		input, err := d.countListingBytes()
		if err != nil {
			return nil, fmt.Errorf("weighing %s: %w", d.Name, err)
		}
		i := slices.IndexFunc(costs, func(f FamilyCost) bool { return f.Name == d.Family })
		if i < 0 {
			i, costs = len(costs), append(costs, FamilyCost{Name: d.Family})
		}
		costs[i].Tools++
		costs[i].Input += input
	}
	return costs, nil
}

// countListingBytes returns how much a model reads to choose and call the tool: its name,
// description and input schema.
func (d *Definition) countListingBytes() (int, error) {
	entry, err := d.buildListing(false)
	if err != nil {
		return 0, err
	}
	input, err := encodeJSON(map[string]any{"name": entry.Name, "description": entry.Description, "inputSchema": entry.RawInputSchema})
	return len(input), err
}
