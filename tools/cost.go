package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// bytesPerToken is what a token of JSON and English is taken to hold. Models
// differ; the figure only serves to compare.
const bytesPerToken = 4

// Cost is what offering a tool to a model takes of its context, in bytes.
type Cost struct {
	Tool   string `json:"tool"`
	Family string `json:"family"`
	// Input is what a model reads to choose and call the tool: its name,
	// description and input schema.
	Input int `json:"inputBytes"`
	// Listing is the whole entry in tools/list, with the output schema,
	// annotations and the contract's fields, of which most clients show a model
	// nothing.
	Listing int `json:"listingBytes"`
	// Results are the sizes of the results of the tool's examples without
	// agentHints, and Hints the sizes of their agentHints.
	Results []int `json:"resultBytes"`
	Hints   []int `json:"hintBytes"`
}

// Tokens estimates how many tokens so many bytes are.
func Tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// FamilyCost is what offering the tools of a family takes of a model's context.
type FamilyCost struct {
	Name  string
	Tools int
	Input int // bytes, in every request
}

// FamilyCosts weighs the definitions of each family, in the order of the list.
func FamilyCosts(r *Registry) ([]FamilyCost, error) {
	var costs []FamilyCost
	for _, d := range r.All() {
		c, err := d.cost()
		if err != nil {
			return nil, fmt.Errorf("weighing %s: %w", d.Name, err)
		}
		i := slices.IndexFunc(costs, func(f FamilyCost) bool { return f.Name == d.Family })
		if i < 0 {
			i, costs = len(costs), append(costs, FamilyCost{Name: d.Family})
		}
		costs[i].Tools++
		costs[i].Input += c.Input
	}
	return costs, nil
}

// Costs weighs every tool: its definition, and the results of its examples, each
// on a fresh database.
func Costs(ctx context.Context, r *Registry, g Ground) ([]Cost, error) {
	var costs []Cost
	for _, d := range r.All() {
		c, err := d.cost()
		if err != nil {
			return nil, fmt.Errorf("weighing %s: %w", d.Name, err)
		}
		seen, err := g.observe(ctx, d)
		if err != nil {
			return nil, fmt.Errorf("weighing %s: %w", d.Name, err)
		}
		for _, result := range seen.results {
			hints, err := json.Marshal(result.Hints)
			if err != nil {
				return nil, err
			}
			c.Results = append(c.Results, len(result.Data))
			c.Hints = append(c.Hints, len(hints))
		}
		costs = append(costs, c)
	}
	return costs, nil
}

func (d *Definition) cost() (Cost, error) {
	entry, err := d.listing(false)
	if err != nil {
		return Cost{}, err
	}
	whole, err := json.Marshal(entry)
	if err != nil {
		return Cost{}, err
	}
	input, err := encode(map[string]any{"name": entry.Name, "description": entry.Description, "inputSchema": entry.RawInputSchema})
	return Cost{
		Tool: d.Name, Family: d.Family, Input: len(input), Listing: len(whole),
		Results: []int{}, Hints: []int{},
	}, err
}

// Median is the middle of the sizes, 0 of none.
func Median(sizes []int) int {
	if len(sizes) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(sizes))
	return sorted[len(sorted)/2]
}
