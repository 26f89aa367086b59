package judge

import (
	"context"
	"fmt"
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

// Mode says where scores come from.
type Mode string

// Modes of a panel, and Supplied for scores that the caller brought along.
const (
	LLM      Mode = "llm"
	Offline  Mode = "offline-heuristic"
	Supplied Mode = "caller"
)

// Panel is two judges.
type Panel struct {
	First, Second Judge
	Mode          Mode
	Note          string // what a reader of the scores should know, may be empty
}

// Score is what both judges said of one document; nil: this judgement failed.
type Score struct{ First, Second *float64 }

// Verdict is the outcome of an evaluation.
type Verdict struct {
	Scores   []Score  // one a document, in order
	Failures []string // why judgements are absent, each reason once, sorted
	Cut      bool     // a document was too long to be judged to its end
}

// maxConcurrent is how many judgements of one judge may wait for an answer at once.
// At one request a second it keeps slow answers from adding up.
const maxConcurrent = 8

// Evaluate lets both judges rate every document. done is told how many
// judgements are complete; it may be nil. When ctx ends, what is not judged yet
// is absent.
func (p *Panel) Evaluate(ctx context.Context, query string, documents []string, done func(judged, all int)) Verdict {
	v := Verdict{Scores: make([]Score, len(documents))}
	e := evaluation{done: done, all: 2 * len(documents), reasons: map[string]bool{}}
	var both sync.WaitGroup
	both.Go(func() {
		e.run(ctx, p.First, query, documents, func(i int, s *float64) { v.Scores[i].First = s })
	})
	both.Go(func() {
		e.run(ctx, p.Second, query, documents, func(i int, s *float64) { v.Scores[i].Second = s })
	})
	both.Wait()
	if p.Mode == LLM {
		for _, document := range documents {
			v.Cut = v.Cut || utf8.RuneCountInString(document) > maxDocument
		}
	}
	slices.Sort(e.failures)
	v.Failures = e.failures
	return v
}

// evaluation is what the goroutines of one Evaluate share.
type evaluation struct {
	mu       sync.Mutex
	done     func(judged, all int)
	judged   int
	all      int
	reasons  map[string]bool
	failures []string
}

func (e *evaluation) run(ctx context.Context, j Judge, query string, documents []string, keep func(int, *float64)) {
	slots := make(chan struct{}, maxConcurrent)
	var waiting sync.WaitGroup
	for i := range documents {
		slots <- struct{}{}
		waiting.Go(func() {
			defer func() { <-slots }()
			score, err := rate(ctx, j, query, documents[i])
			if err == nil {
				keep(i, &score)
			}
			e.note(j.Model(), err)
		})
	}
	waiting.Wait()
}

// rate turns a panic of a judge into a failed judgement: on a goroutine of its
// own it would end the process.
func rate(ctx context.Context, j Judge, query, document string) (score float64, err error) {
	defer func() {
		if recover() != nil {
			err = errUnexpected
		}
	}()
	return j.Rate(ctx, query, document)
}

func (e *evaluation) note(model string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.judged++
	if e.done != nil {
		e.done(e.judged, e.all)
	}
	if err == nil {
		return
	}
	reason := fmt.Sprintf("%s: %v", model, err)
	if !e.reasons[reason] {
		e.reasons[reason] = true
		e.failures = append(e.failures, reason)
	}
}
