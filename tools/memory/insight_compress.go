package memory

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"toolkit/store"
	"toolkit/store/memory"
	"toolkit/tools"
)

const compressName = "compress_to_l2_insight"

type compressInput struct {
	Content   string  `json:"content" jsonschema:"required,maxLength=1048576" jsonschema_description:"The insight, dense and complete in itself"`
	SourceIDs []int64 `json:"source_ids" jsonschema:"required" jsonschema_description:"Ids of the dialogue turns (L0) it was made of; may be empty"`
}

// insightQuality is what every tool that stores an insight says about it.
type insightQuality struct {
	FidelityScore float64 `json:"fidelity_score" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Information density"`
	Warning       string  `json:"warning,omitempty" jsonschema_description:"When the density is low"`
	// Present when sources exist.
	Grounding        *float64 `json:"grounding,omitempty" jsonschema:"minimum=0,maximum=1" jsonschema_description:"Share of the insight's words, names and numbers that its sources carry"`
	GroundingWarning string   `json:"grounding_warning,omitempty" jsonschema_description:"When the sources carry too little of it, or not a name or number"`
	SourceCoverage   *float64 `json:"source_coverage,omitempty" jsonschema_description:"Share of the sources' terms kept, rare ones weighing more"`
	NovelTerms       []string `json:"novel_terms,omitempty" jsonschema_description:"Words that no source has: check that they are not invented"`
	CompressionRatio *float64 `json:"compression_ratio,omitempty" jsonschema_description:"Length of the insight / length of its sources"`
	MissingSourceIDs []int64  `json:"missing_source_ids,omitempty" jsonschema_description:"Source ids that do not exist"`
}

type compressOutput struct {
	ID              int64           `json:"id"`
	EmbeddingStatus EmbeddingStatus `json:"embedding_status" jsonschema:"enum=success,enum=pending"`
	Timestamp       string          `json:"timestamp"`
	insightQuality
}

func (f *family) compressInsightTool() tools.Tool[compressInput, compressOutput] {
	return tools.Tool[compressInput, compressOutput]{
		Name:  compressName,
		Title: "Compress dialogue to an insight",
		Description: "Store an insight (L2): what a stretch of dialogue means, compressed, embedded and checked for information density. Use it for what should outlive the session. " +
			"Returns its id, fidelity_score (density) and grounding (what its sources carry). Example: a decision with its reason.",
		Permissions: []tools.Permission{mayCreate}, Category: tools.Mutation, ResponseTime: tools.Medium, Version: qualityVersion,
		Tags: []string{"memory", "insights"},
		Examples: []tools.Example[compressInput, compressOutput]{{
			Description: "An insight of five dense words in six",
			Params:      compressInput{Content: "the machine learning algorithm processes data", SourceIDs: []int64{}},
			Result:      compressOutput{ID: 1, EmbeddingStatus: Embedded, Timestamp: "2025-01-15T10:35:00Z", insightQuality: insightQuality{FidelityScore: 5.0 / 6}},
			Varies:      []string{"timestamp", "embedding_status"},
		}},
		Handle: f.storeCompressedInsight,
	}
}

// stored is an insight that was just written.
type stored struct {
	insight *memory.Insight
	status  EmbeddingStatus
	failing bool // the model that is to make the vector
	weighed insightQuality
}

func (f *family) storeCompressedInsight(ctx context.Context, in compressInput) (tools.Result[compressOutput], error) {
	if err := cmp.Or(tools.RequireText("content", in.Content), checkSourceCount(in.SourceIDs)); err != nil {
		return tools.Result[compressOutput]{}, err
	}
	f.Search.PrepareVector(ctx, in.Content)
	s, err := store.WriteValue(ctx, f.Store, func(tx *store.Tx) (*stored, error) {
		about := insightMetadata{Project: projectKeyFrom(ctx), Client: callingClientName(ctx)}
		if len(in.SourceIDs) == 0 && about.Client != "" { // else the sources say in which session it was
			var err error
			if about.Session, err = findOnlyRunningSession(tx, about.Client, 0, f.Store.Now()); err != nil {
				return nil, err
			}
		}
		return f.insertMeasuredInsight(tx, in.Content, in.SourceIDs, about, memory.In(tx).InsertInsight)
	})
	if err != nil {
		return tools.Result[compressOutput]{}, err
	}
	h := insightHints(tools.NewHints(tools.WriteEvidence()), s)
	return tools.Result[compressOutput]{Hints: h, Data: compressOutput{
		ID: s.insight.ID, EmbeddingStatus: s.status, Timestamp: formatTimestamp(s.insight.Created), insightQuality: s.weighed,
	}}, nil
}

// insertMeasuredInsight weighs an insight against its sources, writes it by insert and
// enters it into the indexes.
func (f *family) insertMeasuredInsight(tx *store.Tx, content string, sourceIDs []int64, inherited insightMetadata, insert func(memory.NewInsight) (*memory.Insight, error)) (*stored, error) {
	sourceIDs = tools.OrEmpty(sourceIDs)
	score := measureWordDensity(content)
	s := &stored{weighed: insightQuality{FidelityScore: score, Warning: fidelityWarning(score, *f.FidelityThreshold)}}
	var err error
	if s.weighed.MissingSourceIDs, err = memory.In(tx).MissingDialogue(sourceIDs); err != nil {
		return nil, err
	}
	if err := s.weighed.measureAgainstSources(memory.In(tx), content, sourceIDs); err != nil {
		return nil, err
	}
	if s.insight, err = insert(memory.NewInsight{Content: content, SourceIDs: sourceIDs, Fidelity: score, Metadata: encodeMetadata(s.weighed, inherited)}); err != nil {
		return nil, err
	}
	s.status, err = f.Search.IndexRow(tx, s.insight.Row())
	s.failing = f.Search.IsModelFailing()
	return s, err
}

// maxNamedSources bounds the turns that one insight names: every search that finds it
// reads what it came from.
const maxNamedSources = 1000

func checkSourceCount(ids []int64) error {
	if len(ids) <= maxNamedSources {
		return nil
	}
	return tools.Invalid(tools.CodeInvalid, "source_ids", fmt.Sprintf("at most %d", maxNamedSources),
		"source_ids names %d turns, too many for one insight; name at most %d, or store several insights", len(ids), maxNamedSources)
}

func round4(x float64) float64 { return math.Round(x*1e4) / 1e4 }

const (
	// lowCoverage is the coverage below which most of what makes the sources
	// different from other dialogue is lost.
	lowCoverage = 0.25
	// looseCompression is the ratio above which hardly anything was compressed.
	looseCompression = 0.9
)

// insightHints says what is doubtful about a stored insight and how to mend it.
func insightHints(h *tools.Hints, s *stored) *tools.Hints {
	w, i := s.weighed, s.insight
	fix := map[string]any{"id": i.ID}
	reason := "the insight is stored and can be found"
	if w.Warning != "" {
		h.Warn("validation", tools.PriorityMedium, w.Warning, "name who, what, when and why; leave out filler words")
		h.SuggestCall(updateName, tools.PriorityHigh, fix, "replace it by a denser text: names, numbers, the decision and its reason")
		reason = "the insight is stored, but few of its words carry content"
	}
	if w.GroundingWarning != "" {
		h.Warn("validation", tools.PriorityMedium, w.GroundingWarning, "keep words that only rephrase; remove or correct what was not said")
		h.SuggestCall(updateName, tools.PriorityHigh, fix, "correct what the sources do not say")
	}
	if c := w.SourceCoverage; c != nil && *c < lowCoverage {
		h.Warn("validation", tools.PriorityLow, fmt.Sprintf("only %.0f %% of what is particular to the sources is kept", *c*100), "add the names, numbers and decisions that matter")
	}
	if r := w.CompressionRatio; r != nil && *r > looseCompression {
		h.Warn("validation", tools.PriorityLow, "the insight is about as long as its sources", "say what it means in fewer words")
	}
	if len(w.MissingSourceIDs) > 0 {
		h.Warn("validation", tools.PriorityMedium, fmt.Sprintf("no dialogue has the source id(s) %s; they were kept, and ground nothing", joinIDs(w.MissingSourceIDs[:min(10, len(w.MissingSourceIDs))])), "store the dialogue with store_raw_dialogue and use the ids it returns")
	}
	if s.status == Pending && s.failing {
		h.Warn("performance", tools.PriorityLow, "its embedding is pending: until then it is found by words alone", "")
	}
	return h.SuggestCall(hybridName, tools.PriorityLow, map[string]any{"query_text": shortenToLine(i.Content)}, "see what else is known about it").
		Because(reason)
}
