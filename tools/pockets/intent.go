package pockets

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"toolkit/fixtures"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/pockets"
	"toolkit/tools"
)

const intentName = "get_intent_substrate"

// Limits of the outlets that are read and shown.
const (
	maxOutlets = 1000
	maxMatched = 10
)

type intentInput struct {
	PocketID string `json:"pocket_id" jsonschema:"required,minLength=1" jsonschema_description:"Pocket, such as cluny"`
	Slug     string `json:"slug" jsonschema:"required,minLength=1" jsonschema_description:"Intent, such as calm-work, rain-shelter or quiet-now"`
}

type matchedOutlet struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"`
	Alignment float64  `json:"alignment"`
	Reasons   []string `json:"reasons"`
}

type intentOutput struct {
	PocketID    string          `json:"pocket_id"`
	Slug        string          `json:"slug"`
	Description *string         `json:"intent_description,omitzero"`
	Matched     []matchedOutlet `json:"matched_outlets,omitzero"`
	Alignment   *float64        `json:"current_moment_alignment,omitzero"`
	Narrative   *string         `json:"narrative_line,omitzero"`
	insufficientData
}

func (f *family) intentTool() tools.Tool[intentInput, intentOutput] {
	return tools.Tool[intentInput, intentOutput]{
		Name:  intentName,
		Title: "Match an intent with a pocket",
		Description: "I want X in Y: how well a pocket serves an intent at this moment, and which open outlets do best. " +
			"Use it when the user says what they want. Returns alignment from 0 to 1 and matched outlets. Example: calm-work in cluny.",
		Permissions: []tools.Permission{mayRead}, Category: tools.Query, ResponseTime: tools.Fast, Idempotent: true, Version: version, Tags: []string{"pockets", "intents"},
		Examples: []tools.Example[intentInput, intentOutput]{{
			Description: "Calm work at a bakery", Setup: []tools.SetupCall{setupOutlet, setupReading}, Params: intentInput{PocketID: "cluny", Slug: "calm-work"},
			Result: intentOutput{PocketID: "cluny", Slug: "calm-work", Description: new("a quiet seat with power for focused work"), Alignment: new(0.74),
				Matched:   []matchedOutlet{{exampleOutlet, "Plain Vanilla", 0.81, []string{"productive 0.68", "low stress 0.18"}}},
				Narrative: new("one calm-work option at Cluny right now; alignment 0.74.")},
		}},
		Handle: f.matchIntent,
	}
}

func (f *family) matchIntent(ctx context.Context, in intentInput) (tools.Result[intentOutput], error) {
	p, err := resolvePlace(in.PocketID)
	if err != nil {
		return tools.Result[intentOutput]{}, err
	}
	if err := tools.RequireText("slug", in.Slug); err != nil {
		return tools.Result[intentOutput]{}, err
	}
	now := f.now()
	slug := strings.ToLower(strings.TrimSpace(in.Slug))
	intent, ok := fixtures.IntentBySlug(slug)
	if !ok {
		return unknownIntent(now, p, slug), nil
	}
	var outlets []pockets.Outlet
	e, err := store.ReadValue(ctx, f.store, func(tx *store.Tx) (*evidence, error) {
		var err error
		if outlets, err = pockets.In(tx).ActiveOutlets(p.ID, maxOutlets); err != nil {
			return nil, err
		}
		return loadPocketEvidence(pockets.In(tx), p.ID, now)
	})
	if err != nil {
		return tools.Result[intentOutput]{}, err
	}
	m, live := e.computeMoment()
	if !live {
		message := noMomentMessage(p)
		out := intentOutput{PocketID: p.ID, Slug: slug, Description: &intent.Description, insufficientData: reportInsufficientData(message)}
		return buildResult(intentName, now, out, message, origin{}, askForReadings(p, "an alignment needs a reading of the last hour")), nil
	}
	alignment, reasons := intentAlignment(intent, momentFeatures(m.latest, m.saturation))
	matched, total := matchOutlets(intent, outlets, alignment, reasons, now)
	narrative := spellNumber(total) + " " + slug + " " + optionWord(total) + " at " + sanitizeName(p.Name) + " right now; alignment " + formatNumber(alignment) + "."
	out := intentOutput{PocketID: p.ID, Slug: slug, Description: &intent.Description, Alignment: new(round2(alignment)), Matched: matched, Narrative: &narrative}
	h := tools.NewHints(e.rateMomentEvidence())
	for _, o := range matched {
		h.AddRelatedResource("outlet", o.ID, o.Name, o.Alignment)
	}
	if len(matched) > 0 {
		h.Because("the moment's features weigh in, then each open outlet's category").
			SuggestCall(outletName, tools.PriorityMedium, map[string]any{"outlet_id": matched[0].ID}, "look at the best match").
			SuggestCall(legitimacyName, tools.PriorityMedium, map[string]any{"pocket_id": p.ID}, "before suggesting it unasked, score the action")
	} else {
		h.Because("no outlet that is open now serves this intent: "+counted(len(outlets), "active outlet is", "active outlets are")+" known").
			SuggestCall(recordName, tools.PriorityLow, map[string]any{"kind": "outlet"}, "record an outlet that does")
	}
	return buildResult(intentName, now, out, narrative, e.origin(), h), nil
}

func optionWord(n int) string {
	if n == 1 {
		return "option"
	}
	return "options"
}

// matchOutlets ranks the outlets that are open and serve the intent; total also
// counts those beyond the list.
func matchOutlets(intent fixtures.Intent, outlets []pockets.Outlet, alignment float64, reasons []string, now int64) (matched []matchedOutlet, total int) {
	matched = []matchedOutlet{}
	minute := minuteOfDay(now)
	for _, o := range outlets {
		if affinity := intent.Affinities[o.Category]; affinity > 0 && isOpenAt(o, minute) {
			matched = append(matched, matchedOutlet{o.ID, o.Name, round2(outletAlignment(alignment, affinity)), reasons})
		}
	}
	slices.SortFunc(matched, func(a, b matchedOutlet) int {
		return cmp.Or(cmp.Compare(b.Alignment, a.Alignment), strings.Compare(a.ID, b.ID))
	})
	return matched[:min(len(matched), maxMatched)], len(matched)
}

// minuteOfDay is the minute of the day in Singapore.
func minuteOfDay(ms int64) int { return int((ms + singaporeZoneMillis) % dayMillis / minuteMillis) }

func unknownIntent(now int64, p place, slug string) tools.Result[intentOutput] {
	message := "unknown intent slug: " + sanitizeToken(slug)
	h := tools.NewHints(tools.NewSearchEvidence(0)).Because("the registry has no such intent")
	for _, near := range findSimilarIntents(slug) {
		h.SuggestCall(intentName, tools.PriorityMedium, map[string]any{"pocket_id": p.ID, "slug": near.Slug}, near.Description)
	}
	return buildResult(intentName, now, intentOutput{PocketID: p.ID, Slug: slug, insufficientData: reportInsufficientData(message)}, message, origin{}, h)
}

// findSimilarIntents returns the three intents whose slugs and descriptions are most like a
// text.
func findSimilarIntents(text string) []fixtures.Intent {
	wanted, pieces := splitWords(text), language.PiecesOf(text)
	likeness := func(i fixtures.Intent) float64 {
		return pieces.Likeness(language.PiecesOf(i.Slug)) + coverage(wanted, splitWords(i.Slug+" "+i.Description))
	}
	all := slices.Clone(fixtures.Intents())
	slices.SortStableFunc(all, func(a, b fixtures.Intent) int { return cmp.Compare(likeness(b), likeness(a)) })
	return all[:3]
}
