package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"toolkit/store/memory"

	reflector "github.com/invopop/jsonschema"

	"toolkit/store"
	"toolkit/tools"
)

const judgeName = "store_dual_judge_scores"

// storeTimeout is kept back from a call's time for storing what was judged.
const storeTimeout = 5 * time.Second

type judgeInput struct {
	QueryID      int64         `json:"query_id" jsonschema:"required,minimum=1" jsonschema_description:"Ground truth query id (see add_ground_truth_query)"`
	Query        string        `json:"query" jsonschema:"required,minLength=1,maxLength=10000" jsonschema_description:"The query to judge relevance for"`
	Docs         []judgedInput `json:"docs" jsonschema:"required,minItems=1,maxItems=50" jsonschema_description:"Documents to judge"`
	Judge1Scores scoreList     `json:"judge1_scores,omitempty" jsonschema_description:"Your own scores in the order of docs, in place of judge 1; null: not judged"`
	Judge2Scores scoreList     `json:"judge2_scores,omitempty" jsonschema_description:"The same of an independent second judge; needed with judge1_scores"`
	Judge1Model  string        `json:"judge1_model,omitempty" jsonschema_description:"Who gave judge1_scores"`
	Judge2Model  string        `json:"judge2_model,omitempty" jsonschema_description:"Who gave judge2_scores"`
}

type judgedInput struct {
	ID      int64  `json:"id" jsonschema:"required" jsonschema_description:"Document identifier"`
	Content string `json:"content" jsonschema:"required,minLength=1,maxLength=1048576" jsonschema_description:"Text to judge"`
}

// scoreList are scores of which some may be missing.
type scoreList []*float64

// JSONSchema admits null where a judgement is missing.
func (scoreList) JSONSchema() *reflector.Schema {
	one := &reflector.Schema{Minimum: "0", Maximum: "1", Extras: map[string]any{"type": []string{"number", "null"}}}
	return &reflector.Schema{Type: "array", Items: one}
}

type judgeOutput struct {
	QueryID             int64               `json:"query_id"`
	Judge1Score         *float64            `json:"judge1_score" jsonschema:"oneof_type=number;null" jsonschema_description:"Mean of judge 1"`
	Judge2Score         *float64            `json:"judge2_score" jsonschema:"oneof_type=number;null"`
	Kappa               *float64            `json:"kappa" jsonschema:"oneof_type=number;null" jsonschema_description:"Cohen's kappa of scores above 0.5; null when no document has both scores"`
	Agreement           *string             `json:"agreement" jsonschema:"oneof_type=string;null"`
	EvaluatedDocuments  int                 `json:"evaluated_documents" jsonschema_description:"Documents with both scores"`
	Status              string              `json:"status" jsonschema:"enum=success,enum=partial"`
	KappaReliable       bool                `json:"kappa_reliable" jsonschema_description:"At least 10 documents"`
	JudgeMode           JudgeMode           `json:"judge_mode" jsonschema:"enum=caller,enum=llm,enum=offline-heuristic"`
	Judge1Model         string              `json:"judge1_model"`
	Judge2Model         string              `json:"judge2_model"`
	GroundTruthEligible bool                `json:"ground_truth_eligible" jsonschema_description:"Two independent judges, not heuristics"`
	Documents           []memory.JudgeScore `json:"documents"`
	Note                string              `json:"note,omitempty"`
	Failures            []string            `json:"failures,omitempty" jsonschema_description:"Why judgements are missing"`
}

func (f *family) judgeDocumentsTool() tools.Tool[judgeInput, judgeOutput] {
	high, low, one, perfect := 0.9, 0.1, 1.0, "almost perfect"
	half := 0.5
	return tools.Tool[judgeInput, judgeOutput]{
		Name:  judgeName,
		Title: "Judge documents twice",
		Description: "Let two independent judges score how relevant documents are to a ground truth query, and store scores and Cohen's kappa. Use it to build ground truth; pass your own two lists of scores, or let the configured judges work. " +
			"Example: ten search results of one query.",
		Permissions: []tools.Permission{mayUpdate}, Category: tools.Mutation, ResponseTime: tools.Slow, Idempotent: true, Destructive: true, OpenWorld: true, Version: version,
		Tags: []string{"memory", "evaluation"},
		Examples: []tools.Example[judgeInput, judgeOutput]{{
			Description: "Two documents, scored by two callers",
			Setup:       []tools.SetupCall{{Tool: groundTruthName, Params: groundTruthInput{Query: "When is the release?"}}},
			Params: judgeInput{
				QueryID: 1, Query: "When is the release?",
				Docs:         []judgedInput{{ID: 7, Content: "The release is on Monday."}, {ID: 8, Content: "Coffee grows in Ethiopia."}},
				Judge1Scores: scoreList{&high, &low}, Judge2Scores: scoreList{&one, &low}, Judge1Model: "reviewer-a", Judge2Model: "reviewer-b",
			},
			Result: judgeOutput{
				QueryID: 1, Judge1Score: &half, Judge2Score: &[]float64{0.55}[0], Kappa: &one, Agreement: &perfect, EvaluatedDocuments: 2, Status: "success",
				JudgeMode: JudgeModeSupplied, Judge1Model: "reviewer-a", Judge2Model: "reviewer-b", GroundTruthEligible: true,
				Documents: []memory.JudgeScore{{DocID: 7, Judge1: &high, Judge2: &one}, {DocID: 8, Judge1: &low, Judge2: &low}},
			},
		}},
		Handle: f.judgeAndStoreScores,
	}
}

func (f *family) judgeAndStoreScores(ctx context.Context, in judgeInput) (none tools.Result[judgeOutput], err error) {
	if err := in.validateInput(); err != nil {
		return none, err
	}
	known, err := store.ReadValue(ctx, f.Store, func(tx *store.Tx) (*memory.GroundTruth, error) {
		return findGroundTruth(memory.In(tx), in.QueryID)
	})
	if err != nil {
		return none, err
	}
	out, err := f.collectOrRequestScores(ctx, in)
	if err != nil {
		return none, err
	}
	if err := f.Store.Write(ctx, func(tx *store.Tx) error { return memory.In(tx).StoreEvaluation(out.toEvaluation()) }); err != nil {
		return none, err
	}
	return tools.Result[judgeOutput]{Data: out, Hints: judgeHints(in, out, known)}, nil
}

// validateInput enforces what the schema cannot say.
func (in judgeInput) validateInput() error {
	if err := tools.RequireText("query", in.Query); err != nil {
		return err
	}
	at := map[int64]int{}
	for i, d := range in.Docs {
		field := fmt.Sprintf("docs[%d]", i)
		if err := tools.RequireText(field+".content", d.Content); err != nil {
			return err
		}
		if first, twice := at[d.ID]; twice {
			return tools.Invalid(tools.CodeInvalid, field+".id", "unique", "%s.id repeats docs[%d].id, %d; give each document once", field, first, d.ID)
		}
		at[d.ID] = i
	}
	type list struct {
		field  string
		scores scoreList
	}
	one, two := list{"judge1_scores", in.Judge1Scores}, list{"judge2_scores", in.Judge2Scores}
	for _, pair := range [][2]list{{one, two}, {two, one}} {
		l, other := pair[0], pair[1]
		switch {
		case l.scores == nil:
		case other.scores == nil:
			return tools.Invalid(tools.CodeMissing, other.field, "both or neither", "%s is missing: agreement needs a second judge; give both lists, or neither to let the configured judges work", other.field)
		case len(l.scores) != len(in.Docs):
			return tools.Invalid(tools.CodeInvalid, l.field, fmt.Sprintf("%d items", len(in.Docs)), "%s has %d scores for %d docs; give one for each, null where there is none", l.field, len(l.scores), len(in.Docs))
		}
	}
	return nil
}

// collectOrRequestScores gathers the scores: those of the caller, else those of the panel.
func (f *family) collectOrRequestScores(ctx context.Context, in judgeInput) (judgeOutput, error) {
	out := judgeOutput{QueryID: in.QueryID, Documents: make([]memory.JudgeScore, len(in.Docs))}
	var v JudgeVerdict
	if in.Judge1Scores != nil {
		v.Scores = make([]JudgeScore, len(in.Docs))
		for i := range v.Scores {
			v.Scores[i] = JudgeScore{First: in.Judge1Scores[i], Second: in.Judge2Scores[i]}
		}
		out.JudgeMode, out.Judge1Model, out.Judge2Model = JudgeModeSupplied, cmp.Or(in.Judge1Model, "unnamed"), cmp.Or(in.Judge2Model, "unnamed")
		out.GroundTruthEligible = in.Judge1Model == "" || in.Judge1Model != in.Judge2Model
		if !out.GroundTruthEligible {
			out.Note = "both judges are the same model, so their agreement says little"
		}
	} else {
		if f.JudgesError != nil {
			return out, judgesUnavailableError(f.JudgesError)
		}
		v = f.askPanel(ctx, in)
		out.JudgeMode, out.Judge1Model, out.Judge2Model, out.Note = f.Judges.Mode, f.Judges.First.Model(), f.Judges.Second.Model(), f.Judges.Note
		if v.Cut {
			out.Note += "; long documents were judged by their beginning alone"
		}
		out.GroundTruthEligible = f.Judges.Mode == JudgeModeLLM && out.Judge1Model != out.Judge2Model
	}
	err := out.summarise(in, v)
	return out, err
}

// askPanel lets the judges work until shortly before the call has to end.
func (f *family) askPanel(ctx context.Context, in judgeInput) JudgeVerdict {
	if deadline, ok := ctx.Deadline(); ok {
		limited, cancel := context.WithDeadline(ctx, deadline.Add(-storeTimeout))
		defer cancel()
		ctx = limited
	}
	texts := make([]string, len(in.Docs))
	for i, d := range in.Docs {
		texts[i] = d.Content
	}
	return f.Judges.Evaluate(ctx, in.Query, texts, func(judged, all int) {
		tools.ReportProgress(ctx, float64(judged), float64(all), fmt.Sprintf("%d of %d judgements", judged, all))
	})
}

func judgesUnavailableError(err error) error {
	if errors.Is(err, ErrJudgeKeyMissing) {
		return tools.Refused(codeKeyMissing, "", "keys", "%v; or pass judge1_scores and judge2_scores yourself", err)
	}
	return tools.Refused("JUDGES", "", "configuration", "the judges cannot work: %v; or pass judge1_scores and judge2_scores yourself", err)
}

// summarise computes means and agreement. It fails when nothing was judged.
func (out *judgeOutput) summarise(in judgeInput, v JudgeVerdict) error {
	var first, second []float64
	for i, s := range v.Scores {
		out.Documents[i] = memory.JudgeScore{DocID: in.Docs[i].ID, Judge1: s.First, Judge2: s.Second}
		if s.First != nil {
			first = append(first, *s.First)
		}
		if s.Second != nil {
			second = append(second, *s.Second)
		}
	}
	out.Judge1Score, out.Judge2Score = average(first), average(second)
	if out.Judge1Score == nil && out.Judge2Score == nil {
		why := "all scores are null"
		if len(v.Failures) > 0 {
			why = strings.Join(v.Failures, "; ")
		}
		e := tools.Refused("NOT_JUDGED", "docs", "at least one judgement", "no document could be judged, so nothing was stored: %s", why)
		e.Retryable = out.JudgeMode == JudgeModeLLM
		return e
	}
	kappa, documents := cohenKappa(v.Scores)
	out.EvaluatedDocuments, out.KappaReliable, out.Failures = documents, documents >= reliableDocuments, v.Failures
	if documents > 0 {
		name := kappaBand(kappa)
		out.Kappa, out.Agreement = &kappa, &name
	}
	out.Status = "success"
	if documents < len(v.Scores) {
		out.Status = "partial"
	}
	return nil
}

func (out judgeOutput) toEvaluation() memory.Evaluation {
	return memory.Evaluation{
		QueryID: out.QueryID, Judge1Score: out.Judge1Score, Judge2Score: out.Judge2Score,
		Judge1Model: out.Judge1Model, Judge2Model: out.Judge2Model, Mode: string(out.JudgeMode), Kappa: out.Kappa,
		PerDocument: out.Documents,
	}
}

// usableKappa is the agreement from which judgements serve as labels.
const usableKappa = 0.40

// judgeHints says what the scores are good for.
func judgeHints(in judgeInput, out judgeOutput, known *memory.GroundTruth) *tools.Hints {
	h := tools.NewHints(tools.Evidence{
		Quality: tools.QualityMedium, Present: out.EvaluatedDocuments, Expected: len(in.Docs), Validity: tools.Indefinite,
		Samples: out.EvaluatedDocuments, Sampled: true,
	})
	if known.Query != in.Query {
		h.Warn("conflict", tools.PriorityMedium, fmt.Sprintf("ground truth query %d reads %q, not the query that was judged", in.QueryID, shortenToLine(known.Query)), "judge under the id of the query itself")
	}
	switch {
	case out.Kappa == nil:
		h.Because("no document has both scores, so agreement is unknown").
			SuggestCall(judgeName, tools.PriorityHigh, map[string]any{"query_id": in.QueryID}, "judge again")
	case !out.GroundTruthEligible:
		h.Because("the judges are not two independent raters; the scores are no ground truth").
			SuggestCall(judgeName, tools.PriorityMedium, map[string]any{"query_id": in.QueryID}, "pass judge1_scores and judge2_scores of two independent raters")
	case *out.Kappa <= usableKappa:
		disputed := selectJudgedDocs(out.Documents, func(first, second bool) bool { return first != second })
		h.Because(fmt.Sprintf("the judges agree only %s (kappa %.2f)", *out.Agreement, *out.Kappa)).
			Warn("conflict", tools.PriorityMedium, "the judges disagree about document(s) "+joinIDs(disputed), "read these documents, sharpen the query, judge again")
	default:
		agreed := selectJudgedDocs(out.Documents, func(first, second bool) bool { return first && second })
		h.Because(fmt.Sprintf("agreement is %s (kappa %.2f)", *out.Agreement, *out.Kappa)).
			SuggestCall(goldenQueryName, tools.PriorityMedium, map[string]any{"query": in.Query, "expected_docs": agreed}, "test retrieval with it every day, if these ids are insights")
	}
	if out.Kappa != nil && !out.KappaReliable {
		h.Assumes(fmt.Sprintf("%d documents are enough; below %d kappa is a rough guess", out.EvaluatedDocuments, reliableDocuments))
	}
	return h
}

// selectJudgedDocs returns the documents that both judged, where it fits which of the two found them
// relevant.
func selectJudgedDocs(documents []memory.JudgeScore, fits func(first, second bool) bool) []int64 {
	ids := []int64{}
	for _, d := range documents {
		if d.Judge1 != nil && d.Judge2 != nil && fits(*d.Judge1 > relevant, *d.Judge2 > relevant) {
			ids = append(ids, d.DocID)
		}
	}
	return ids
}

// findGroundTruth finds a query by id, before anything is judged.
func findGroundTruth(tx memory.Rows, id int64) (*memory.GroundTruth, error) {
	g, err := tx.GroundTruthAt(id)
	if err != nil || g != nil {
		return g, err
	}
	recent, err := tx.RecentGroundTruth(3)
	if err != nil {
		return nil, err
	}
	h := newRefusalHints("judgements belong to a ground truth query").SuggestCall(groundTruthName, tools.PriorityHigh, nil, "add the query first; it returns query_id")
	for _, r := range recent {
		h.AddRelatedResource("ground_truth", itoa(r.ID), shortenToLine(r.Query), 0.3)
	}
	return nil, notFoundError("query_id", "ground truth query %d does not exist; add it with %s and use the id it returns", id, groundTruthName).WithHints(h)
}
