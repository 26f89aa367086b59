package toolset

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"toolkit/embed"
	"toolkit/fixtures"
	"toolkit/tools"
)

// storedVectors are the vectors of what a tool is for, computed beforehand.
type storedVectors struct {
	Of      string   `json:"of"` // the beginning of the hash of the texts
	Vectors [][]byte `json:"vectors"`
}

// usesByName are the words of people for what tools do, for what commands do, and for what
// nothing here does.
var usesByName = sync.OnceValue(func() map[string][]string {
	uses := map[string][]string{}
	for _, lines := range fixtures.WordLists("tools") {
		for _, line := range lines {
			name, list, _ := strings.Cut(line, ": ")
			uses[name] = strings.Split(list, "; ")
		}
	}
	return uses
})

// purpose is the texts by which the sentence model knows what a tool is for, or something
// that no tool does.
type purpose struct {
	name     string
	texts    []string
	tags     string // further words
	replaced bool   // by another tool
}

// makePurpose returns what a tool says of itself, and what people say.
func makePurpose(d *tools.Definition) purpose {
	return purpose{
		name: d.Name, texts: append([]string{d.Title + ". " + d.Description}, usesByName()[d.Name]...), tags: strings.Join(d.Tags, " "),
		replaced: d.Deprecated != nil || strings.HasPrefix(d.Description, "Deprecated"),
	}
}

// listNonToolPurposes are what no tool does: what commands do, by their names, and nothing.
func listNonToolPurposes() (list []purpose) {
	for _, name := range slices.Sorted(maps.Keys(usesByName())) {
		if name == nothing || strings.Contains(name, " ") {
			list = append(list, purpose{name: name, texts: usesByName()[name]})
		}
	}
	return list
}

// nothing stands for what neither a tool nor a command does.
const nothing = "nothing"

func hashTexts(texts []string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\n")))
	return hex.EncodeToString(sum[:8])
}

var readStored = sync.OnceValues(func() (stored map[string]storedVectors, err error) {
	return stored, json.Unmarshal(fixtures.ToolVectors(), &stored)
})

// made are vectors that were not computed beforehand, by their text.
var made sync.Map

// loadPurposeVectors returns the vectors of what each of some tools is for. To compute all of them takes
// seconds, so those of the fixtures are taken where they are of the same texts.
func loadPurposeVectors(ctx context.Context, list []purpose) ([][][]float32, error) {
	stored, err := readStored()
	if err != nil {
		return nil, err
	}
	vectors := make([][][]float32, len(list))
	for i, p := range list {
		s := stored[p.name]
		for at, text := range p.texts {
			var v []float32
			if s.Of == hashTexts(p.texts) {
				v, err = embed.Unpack(s.Vectors[at])
			} else {
				v, err = embedCached(ctx, text)
			}
			if err != nil {
				return nil, err
			}
			vectors[i] = append(vectors[i], v)
		}
	}
	return vectors, nil
}

func embedCached(ctx context.Context, text string) ([]float32, error) {
	if v, known := made.Load(text); known {
		return v.([]float32), nil
	}
	v, err := embed.BuiltIn().Query(ctx, text)
	if err == nil {
		made.Store(text, v)
	}
	return v, err
}
