package toolset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"

	"toolkit/embed"
	"toolkit/fixtures"
	"toolkit/tools"
)

// storedVector is the vector of what a tool is for, computed beforehand.
type storedVector struct {
	Of     string `json:"of"` // the beginning of the hash of the text
	Vector []byte `json:"vector"`
}

// purposeOf is the text by which the sentence model knows a tool.
func purposeOf(d *tools.Definition) string { return d.Title + ". " + d.Description }

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

var storedVectors = sync.OnceValues(func() (stored map[string]storedVector, err error) {
	return stored, json.Unmarshal(fixtures.ToolVectors(), &stored)
})

// made are vectors that were not computed beforehand, by their text.
var made sync.Map

// vectorsOf are the vectors of what tools are for. To compute all of them takes half a
// second, so those of the fixtures are taken where they are of the same text.
func vectorsOf(ctx context.Context, list []*tools.Definition) ([][]float32, error) {
	stored, err := storedVectors()
	if err != nil {
		return nil, err
	}
	vectors := make([][]float32, len(list))
	for i, d := range list {
		text := purposeOf(d)
		if s := stored[d.Name]; s.Of == hashOf(text) {
			vectors[i], err = embed.Unpack(s.Vector)
		} else {
			vectors[i], err = vectorOf(ctx, text)
		}
		if err != nil {
			return nil, err
		}
	}
	return vectors, nil
}

func vectorOf(ctx context.Context, text string) ([]float32, error) {
	if v, known := made.Load(text); known {
		return v.([]float32), nil
	}
	v, err := embed.BuiltIn().Query(ctx, text)
	if err == nil {
		made.Store(text, v)
	}
	return v, err
}

// ComputeVectors returns the fixture of vectors for tools, and Stale the names of those
// whose vectors are not of what they say now.
func ComputeVectors(ctx context.Context, list []*tools.Definition) ([]byte, error) {
	computed := map[string]storedVector{}
	for _, d := range list {
		v, err := vectorOf(ctx, purposeOf(d))
		if err != nil {
			return nil, err
		}
		packed, err := embed.Pack(v)
		if err != nil {
			return nil, err
		}
		computed[d.Name] = storedVector{hashOf(purposeOf(d)), packed}
	}
	text, err := json.MarshalIndent(computed, "", " ")
	return append(text, '\n'), err
}

// Stale returns the names of tools whose vectors were not computed of what they say now.
func Stale(list []*tools.Definition) (names []string, err error) {
	stored, err := storedVectors()
	for _, d := range list {
		if stored[d.Name].Of != hashOf(purposeOf(d)) {
			names = append(names, d.Name)
		}
	}
	return names, err
}
