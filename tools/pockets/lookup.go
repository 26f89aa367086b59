package pockets

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"toolkit/fixtures"
	"toolkit/internal/language"
	"toolkit/tools"
)

const (
	lookupName  = "lookup_pocket_by_name"
	maxQuery    = 80
	maxMatches  = 3
	minMatch    = 0.2
	bestUnequal = 0.95 // only a pocket's own names are certain
	regionMatch = 0.6  // a region's name means each of its pockets, none in particular
)

type lookupInput struct {
	Query string `json:"query" jsonschema:"required,minLength=1,maxLength=80" jsonschema_description:"Name of a place in free text"`
}

type pocketMatch struct {
	PocketID    string  `json:"pocket_id"`
	DisplayName string  `json:"display_name"`
	Lat         float64 `json:"lat"`
	Lng         float64 `json:"lng"`
	Region      string  `json:"region"`
	Confidence  float64 `json:"confidence"`
	Approximate bool    `json:"approximate,omitempty" jsonschema_description:"The coordinates are an estimate"`
}

type lookupOutput struct {
	Query   string        `json:"query"`
	Matches []pocketMatch `json:"matches,omitzero"`
	insufficientData
}

func (f *family) lookupTool() tools.Tool[lookupInput, lookupOutput] {
	return tools.Tool[lookupInput, lookupOutput]{
		Name:  lookupName,
		Title: "Find a pocket by name",
		Description: "Turn the name of a place in free text into pocket ids. Use it before any tool that takes a pocket_id, when the user names a place. " +
			"Returns up to three matches with confidence and coordinates. Example: \"Holland Village\".",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets"},
		Examples: []tools.Example[lookupInput, lookupOutput]{{
			Description: "A pocket by its own name", Params: lookupInput{Query: "Holland Village"},
			Result: lookupOutput{Query: "Holland Village", Matches: []pocketMatch{{PocketID: "holland-village", DisplayName: "Holland Village", Lat: 1.3115, Lng: 103.7956, Region: "queenstown", Confidence: 1}}},
		}},
		Handle: f.lookUpPocket,
	}
}

func (f *family) lookUpPocket(_ context.Context, in lookupInput) (tools.Result[lookupOutput], error) {
	if err := tools.RequireText("query", in.Query); err != nil {
		return tools.Result[lookupOutput]{}, err
	}
	now := f.now()
	out := lookupOutput{Query: in.Query, Matches: matchPockets(in.Query)}
	if len(out.Matches) == 0 {
		message := "no pocket matched '" + sanitizeWords(in.Query, 8) + "' — try 'holland village'."
		out.insufficientData = reportInsufficientData(message)
		h := tools.NewHints(tools.NewSearchEvidence(0)).Because("no registered name is similar enough").
			SuggestCall(listName, tools.PriorityMedium, nil, "see which pockets are observed").Needs("another name of the place")
		return buildResult(lookupName, now, out, message, origin{}, h), nil
	}
	best := out.Matches[0]
	all := make([]string, len(out.Matches))
	for i, m := range out.Matches {
		all[i] = joinParts(m.PocketID, m.DisplayName, "confidence "+formatNumber(m.Confidence))
	}
	h := tools.NewHints(tools.NewReadEvidence(len(out.Matches)))
	for _, m := range out.Matches {
		h.AddRelatedResource("pocket", m.PocketID, m.DisplayName, m.Confidence)
	}
	if best.Confidence < 1 {
		h.Because("the name is similar, not the same").Needs("the user's word that " + best.DisplayName + " is meant")
	} else {
		h.Because("the name is the pocket's own")
	}
	if best.Approximate {
		h.Assumes("coordinates marked approximate are estimates")
	}
	h.SuggestCall(momentName, tools.PriorityMedium, map[string]any{"pocket_id": best.PocketID}, "read the moment of "+best.DisplayName)
	return buildResult(lookupName, now, out, joinLines(all...), origin{}, h), nil
}

// matchPockets compares a text with all names: 1 for a pocket's own name, which
// leaves no doubt; else the mean of trigram similarity and of the share of words
// that are the same.
func matchPockets(query string) []pocketMatch {
	if p, ok := fixtures.PocketByName(query); ok {
		return []pocketMatch{makeMatch(p, 1)}
	}
	matches := []pocketMatch{}
	for _, p := range fixtures.Pockets() {
		if confidence := round2(similarity(query, p)); confidence >= minMatch {
			matches = append(matches, makeMatch(p, confidence))
		}
	}
	slices.SortFunc(matches, func(a, b pocketMatch) int {
		return cmp.Or(cmp.Compare(b.Confidence, a.Confidence), strings.Compare(a.PocketID, b.PocketID))
	})
	return matches[:min(len(matches), maxMatches)]
}

func makeMatch(p fixtures.Pocket, confidence float64) pocketMatch {
	return pocketMatch{p.ID, p.Name, p.Lat, p.Lng, p.Region, confidence, p.Approximate}
}

func similarity(query string, p fixtures.Pocket) float64 {
	wanted, pieces := splitWords(query), language.PiecesOf(query)
	best := 0.0
	for _, name := range append([]string{p.ID, p.Name}, p.Aliases...) {
		best = math.Max(best, (pieces.Likeness(language.PiecesOf(name))+coverage(wanted, splitWords(name)))/2)
	}
	if region := splitWords(p.Region); coverage(wanted, region) == 1 && coverage(region, wanted) == 1 {
		best = math.Max(best, regionMatch)
	}
	return math.Min(best, bestUnequal)
}

func splitWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// coverage is the share of the words asked for that the name has.
func coverage(wanted, name []string) float64 {
	if len(wanted) == 0 {
		return 0
	}
	n := 0
	for _, w := range wanted {
		if slices.Contains(name, w) {
			n++
		}
	}
	return float64(n) / float64(len(wanted))
}
