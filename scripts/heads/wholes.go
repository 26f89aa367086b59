package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
)

// Questions that ask not for one thing but for a whole: an earlier session, or all that is known
// of a matter or of the person. Each kind has a file of its name.
const (
	sessionQuestions  = "sessions"
	overviewQuestions = "overviews"
)

var wholeKinds = []string{sessionQuestions, overviewQuestions}

// wholePrompt is a line of such a file: a question for a whole, or one that is near to such.
type wholePrompt struct {
	Text, Lang string
	Asks       bool
}

// readSummaryQuestions reads such files of a folder; the kind of each line is that of its file.
func readSummaryQuestions(ctx context.Context, folder string) (list []example, err error) {
	for _, kind := range wholeKinds {
		var prompts []wholePrompt
		err := readJSONLines(filepath.Join(folder, kind+".jsonl"), func(p wholePrompt) { prompts = append(prompts, p) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		for i, p := range prompts {
			vectors, err := embed.EmbedSentences(ctx, []string{p.Text})
			if err != nil {
				return nil, err
			}
			list = append(list, example{text: i, label: p.Asks, inputs: notice.PromptInputs(p.Text, vectors[0]), line: &utterance{Text: p.Text, Lang: p.Lang, Kind: kind}})
		}
	}
	return list, nil
}

// trainSummaryHeads makes the heads that tell such questions.
func trainSummaryHeads(heads *notice.Heads, sets []*set) {
	heads.Session, heads.Overview = trainSummaryHead(sets, sessionQuestions), trainSummaryHead(sets, overviewQuestions)
}

// trainSummaryHead makes the head for one kind. Neither a question of another kind nor any other prompt
// is one.
func trainSummaryHead(sets []*set, kind string) notice.Head {
	var inputs [][]float32
	var targets []target
	for _, s := range sets {
		for _, e := range slices.Concat(s.wholes, s.prompts) {
			inputs, targets = append(inputs, e.inputs), append(targets, target{e.isOfKind(kind), -1, 1})
		}
		for _, e := range s.clearExamples() { // what somebody states asks for nothing
			if size := (len(e.inputs) - notice.FeatureCount) / 2; e.label {
				inputs, targets = append(inputs, slices.Concat(e.inputs[:size], e.inputs[2*size:])), append(targets, target{false, -1, 1})
			}
		}
	}
	return trainHead(inputs, targets, unitCount, 0)
}

func (e *example) isOfKind(kind string) bool { return e.label && e.line.Kind == kind }

// wholeCount counts the questions for a whole of one kind that a head knows, and the other prompts
// that it takes for such.
type wholeCount struct{ found, asking, wrong, others int }

func (c wholeCount) String() string {
	return fmt.Sprintf("%d of %d known, %d of %d others taken for such", c.found, c.asking, c.wrong, c.others)
}

func (s *set) countSummaryQuestions(heads *notice.Heads, kind string) (c wholeCount) {
	head := &heads.Session
	if kind == overviewQuestions {
		head = &heads.Overview
	}
	for _, e := range slices.Concat(s.wholes, s.prompts) {
		asks := notice.AsksForSummary(head, e.line.Text, e.inputs)
		if e.isOfKind(kind) {
			c.asking++
			if asks {
				c.found++
			}
			continue
		}
		c.others++
		if asks {
			c.wrong++
		}
	}
	return c
}
