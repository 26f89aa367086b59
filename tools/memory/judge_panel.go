package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"unicode/utf8"
)

// Judge rates how relevant a document is to a query, from 0 to 1.
type Judge interface {
	// Model names who judges.
	Model() string
	// Rate gives a score between 0 and 1. Its errors carry no key, no address
	// and no text of the document.
	Rate(ctx context.Context, query, document string) (float64, error)
}

// JudgeMode says where scores come from.
type JudgeMode string

// Modes of a panel, and JudgeModeSupplied for scores that the caller brought along.
const (
	JudgeModeLLM      JudgeMode = "llm"
	JudgeModeOffline  JudgeMode = "offline-heuristic"
	JudgeModeSupplied JudgeMode = "caller"
)

// JudgePanel is two judges that rate how relevant documents are to a query, each by
// itself, so that their agreement can be measured, and what their scores are worth.
type JudgePanel struct {
	First, Second Judge
	Mode          JudgeMode
	Note          string // what a reader of the scores should know, may be empty
}

// JudgeScore is what both judges said of one document; nil: this judgement failed.
type JudgeScore struct{ First, Second *float64 }

// JudgeVerdict is the outcome of an evaluation.
type JudgeVerdict struct {
	Scores   []JudgeScore // one a document, in order
	Failures []string     // why judgements are absent, each reason once, sorted
	Cut      bool         // a document was too long to be judged to its end
}

// maxConcurrentJudgements is how many judgements of one judge may wait for an answer at once.
// At one request a second it keeps slow answers from adding up.
const maxConcurrentJudgements = 8

// Evaluate lets both judges rate every document, side by side. done is told how many
// judgements are complete; it may be nil. A judgement that fails, or is not made when
// ctx ends, is absent and never a guess.
func (p *JudgePanel) Evaluate(ctx context.Context, query string, documents []string, done func(judged, all int)) JudgeVerdict {
	v := JudgeVerdict{Scores: make([]JudgeScore, len(documents))}
	e := judgeEvaluation{done: done, all: 2 * len(documents), failures: map[string]bool{}}
	var both sync.WaitGroup
	both.Go(func() {
		e.rateDocuments(ctx, p.First, query, documents, func(i int, s *float64) { v.Scores[i].First = s })
	})
	both.Go(func() {
		e.rateDocuments(ctx, p.Second, query, documents, func(i int, s *float64) { v.Scores[i].Second = s })
	})
	both.Wait()
	if p.Mode == JudgeModeLLM {
		for _, document := range documents {
			v.Cut = v.Cut || utf8.RuneCountInString(document) > maxJudgedLength
		}
	}
	v.Failures = slices.Sorted(maps.Keys(e.failures))
	return v
}

// judgeEvaluation is what the goroutines of one Evaluate share.
type judgeEvaluation struct {
	mu       sync.Mutex
	done     func(judged, all int)
	judged   int
	all      int
	failures map[string]bool // reasons
}

func (e *judgeEvaluation) rateDocuments(ctx context.Context, j Judge, query string, documents []string, keep func(int, *float64)) {
	slots := make(chan struct{}, maxConcurrentJudgements)
	var waiting sync.WaitGroup
	for i := range documents {
		slots <- struct{}{}
		waiting.Go(func() {
			defer func() { <-slots }()
			score, err := rateWithRecovery(ctx, j, query, documents[i])
			if err == nil {
				keep(i, &score)
			}
			e.countJudgement(j.Model(), err)
		})
	}
	waiting.Wait()
}

// rateWithRecovery turns a panic of a judge into a failed judgement: on a goroutine of its
// own it would end the process.
func rateWithRecovery(ctx context.Context, j Judge, query, document string) (score float64, err error) {
	defer func() {
		if recover() != nil {
			err = errJudgeUnexpected
		}
	}()
	return j.Rate(ctx, query, document)
}

func (e *judgeEvaluation) countJudgement(model string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.judged++
	if e.done != nil {
		e.done(e.judged, e.all)
	}
	if err != nil {
		e.failures[fmt.Sprintf("%s: %v", model, err)] = true
	}
}
