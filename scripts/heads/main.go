// Command heads trains the heads of package notice from labelled sets, or judges
// them on a set. Run it from the repository's root:
//
//	go run ./scripts/heads train   # writes internal/capture/notice/heads.json
//	go run ./scripts/heads sentence # writes the head of sentences anew, and its thresholds
//	go run ./scripts/heads prompt  # the head of prompts, and its threshold
//	go run ./scripts/heads style   # writes the head that tells preferences about answers anew
//	go run ./scripts/heads change  # the one that tells which statement makes which untrue
//	go run ./scripts/heads wholes  # those that tell questions for a session, or for all that is known
//	go run ./scripts/heads cross   # trains on most authors, judges on the others
//	go run ./scripts/heads changes # the same for pairs of statements
//	go run ./scripts/heads notes   # the same for which notes a prompt needs
//	go run ./scripts/heads judge scripts/heads/held-out/NAME
//	go run ./scripts/heads streams scripts/heads/held-out/NAME
//	go run ./scripts/heads kept scripts/heads/held-out/NAME          # what becomes an insight
//	go run ./scripts/heads told scripts/heads/held-out/NAME [each]  # what is told beside prompts
//
// A set is a folder named after its author, with utterances.jsonl and prompts.jsonl;
// sets/ holds those to train from.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"toolkit/internal/capture/notice"
)

const (
	setsFolder  = "scripts/heads/sets"
	headsPath   = "internal/capture/notice/heads.json"
	weightsPath = "internal/capture/notice/heads.weights"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "heads:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "train":
		return trainAndWriteHeads(ctx)
	case len(args) == 1 && args[0] == "cross":
		return crossValidate(ctx)
	case len(args) == 1 && args[0] == "sentence":
		return retrainOneHead(ctx, trainSentenceHead)
	case len(args) == 1 && args[0] == "prompt":
		return retrainOneHead(ctx, trainPromptHead)
	case len(args) == 1 && args[0] == "style":
		return retrainOneHead(ctx, func(heads *notice.Heads, sets []*set) { heads.Style = trainStyleHead(sets) })
	case len(args) == 1 && args[0] == "wholes":
		return retrainOneHead(ctx, trainSummaryHeads)
	case len(args) == 1 && args[0] == "change":
		return retrainOneHead(ctx, func(heads *notice.Heads, sets []*set) { heads.Change = trainChangeHead(sets) })
	case len(args) == 1 && args[0] == "changes":
		return crossValidateChanges(ctx)
	case len(args) == 1 && args[0] == "notes":
		return evaluateNotes(ctx)
	case len(args) == 2 && args[0] == "judge":
		return evaluateHeads(ctx, args[1])
	case len(args) == 2 && args[0] == "streams":
		return evaluateStreams(ctx, args[1])
	case len(args) == 2 && args[0] == "kept":
		return evaluateStoredInsights(ctx, args[1])
	case len(args) >= 2 && args[0] == "told":
		return evaluatePrompts(ctx, args[1], len(args) > 2)
	}
	return errors.New("want train, cross, judge FOLDER, streams FOLDER, kept FOLDER or told FOLDER [each]")
}

func trainAndWriteHeads(ctx context.Context) error {
	sets, err := readSets(ctx)
	if err != nil {
		return err
	}
	heads := &notice.Heads{}
	trainSentenceHead(heads, sets)
	trainPromptHead(heads, sets)
	heads.Style, heads.Change = trainStyleHead(sets), trainChangeHead(sets)
	trainSummaryHeads(heads, sets)
	heads.Version, heads.Model = 2, "universal-sentence-encoder-multilingual-3"
	recordTrainingSets(heads, sets)
	noteSets, plain, err := readNoteSets(ctx)
	if err != nil {
		return err
	}
	heads.Notes = trainNoteMap(noteSets, plain)
	return writeHeads(heads)
}

func writeHeads(heads *notice.Heads) error {
	text, weights, err := notice.EncodeHeads(heads)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(headsPath, text, 0o644), os.WriteFile(weightsPath, weights, 0o644))
}

// retrainOneHead trains one of the heads and leaves the others.
func retrainOneHead(ctx context.Context, learn func(*notice.Heads, []*set)) error {
	sets, err := readSets(ctx)
	if err != nil {
		return err
	}
	heads, err := readHeads(".")
	if err != nil {
		return err
	}
	learn(heads, sets)
	recordTrainingSets(heads, sets)
	return writeHeads(heads)
}

// recordTrainingSets notes of what, and when, heads were made.
func recordTrainingSets(heads *notice.Heads, sets []*set) {
	heads.Made, heads.Sets = time.Now().Format(time.DateOnly), nil
	for _, s := range sets {
		heads.Sets = append(heads.Sets, s.name)
	}
}

// trainSentences makes the head of sentences, without thresholds.
func trainSentences(heads *notice.Heads, sets []*set) {
	heads.Kinds = listKinds(sets)
	var inputs [][]float32
	var targets []target
	for _, s := range sets {
		for _, e := range s.clearExamples() {
			kind := -1
			if e.label {
				kind = slices.Index(heads.Kinds, e.line.Kind)
			}
			inputs, targets = append(inputs, e.inputs), append(targets, target{e.label, kind, 1})
		}
		for _, e := range s.added {
			inputs, targets = append(inputs, e.inputs), append(targets, target{e.label, -1, e.weight})
		}
	}
	heads.Sentence = trainHead(inputs, targets, sentenceUnitCount, len(heads.Kinds))
}

// trainSentenceHead makes the head of sentences with its thresholds.
func trainSentenceHead(heads *notice.Heads, sets []*set) {
	trainSentences(heads, sets)
	all := slices.Concat(scoreByHeadsOfOthers(sets, trainSentences, (*set).scoreLines)...)
	heads.MinBriefedScore, heads.MinStoredScore = thresholdForPrecision(all, surePrecision), thresholdForPrecision(all, likelyPrecision)
}

// trainPrompts makes the head of prompts, without its threshold.
func trainPrompts(heads *notice.Heads, sets []*set) {
	var inputs [][]float32
	var targets []target
	for _, s := range sets {
		for _, e := range s.prompts {
			inputs, targets = append(inputs, e.inputs), append(targets, target{e.label, -1, 1})
		}
	}
	heads.Prompt = trainHead(inputs, targets, unitCount, 0)
}

// trainPromptHead makes the head of prompts with its threshold.
func trainPromptHead(heads *notice.Heads, sets []*set) {
	trainPrompts(heads, sets)
	asked := slices.Concat(scoreByHeadsOfOthers(sets, trainPrompts, (*set).scorePrompts)...)
	heads.MinPersonalScore = thresholdForSilence(asked, silentShare)
}

// trainStyleHead makes the head that tells preferences about answers from those about the work.
func trainStyleHead(sets []*set) notice.Head {
	var inputs [][]float32
	var targets []target
	for _, s := range sets {
		for _, e := range s.preferenceExamples() {
			inputs, targets = append(inputs, e.inputs), append(targets, target{e.line.Style, -1, 1})
		}
	}
	return trainHead(inputs, targets, unitCount, 0)
}

// preferenceExamples are the sentences of a set that state a preference.
func (s *set) preferenceExamples() (list []example) {
	for _, e := range s.parts {
		if e.label && e.line.Kind == notice.Preference {
			list = append(list, e)
		}
	}
	return list
}

// crossValidateStyle says how many preferences of each author the others tell right.
func crossValidateStyle(sets []*set) {
	right, count, taken := 0, 0, 0
	for i, s := range sets {
		heads := notice.Heads{Style: trainStyleHead(slices.Delete(slices.Clone(sets), i, i+1))}
		for _, e := range s.preferenceExamples() {
			if heads.IsStyle(e.inputs) {
				taken++
				if e.line.Style {
					right++
				}
			}
			if e.line.Style {
				count++
			}
		}
	}
	fmt.Fprintf(os.Stdout, "preferences about answers: %d of %d found by the other authors, and %d of the work taken for such\n", right, count, taken-right)
}

func listKinds(sets []*set) []string {
	var names []string
	for _, s := range sets {
		for _, line := range s.lines {
			if line.Keep && !slices.Contains(names, line.Kind) {
				names = append(names, line.Kind)
			}
		}
	}
	slices.Sort(names)
	return names
}

func crossValidate(ctx context.Context) error {
	sets, err := readSets(ctx)
	if err != nil {
		return err
	}
	texts, prompts := scoreByHeadsOfOthers(sets, trainSentences, (*set).scoreLines), scoreByHeadsOfOthers(sets, trainPrompts, (*set).scorePrompts)
	for i, s := range sets {
		printSummary(s.name, texts[i], prompts[i])
	}
	all, asked := slices.Concat(texts...), slices.Concat(prompts...)
	printSummary("all, each judged by the others", all, asked)
	crossValidateStyle(sets)
	for _, precision := range []float64{0.95, 0.92, 0.90, 0.88, 0.86, 0.84, 0.80, 0.75, 0.70} {
		threshold := thresholdForPrecision(all, precision)
		recall, _ := measureRecall(all, threshold)
		fmt.Fprintf(os.Stdout, "precision %.2f from %.3f: noticed %.2f\n", precision, threshold, recall)
	}
	for _, share := range []float64{0.80, 0.85, 0.90, 0.95} {
		floor := thresholdForSilence(asked, share)
		answered, _ := measureRecall(asked, floor)
		fmt.Fprintf(os.Stdout, "silence %.2f from %.3f: answered %.2f\n", share, floor, answered)
	}
	return nil
}

// evaluateHeads reports what the heads in the program make of a set.
func evaluateHeads(ctx context.Context, folder string) error {
	s, err := readSet(ctx, folder)
	if err != nil {
		return err
	}
	heads, err := readHeads(".")
	if err != nil {
		return err
	}
	texts, own := s.scoreLines(heads), s.scorePrompts(heads)
	printSummary(filepath.Base(folder), texts, own)
	printThresholdReport(texts, own, heads)
	reportMistakes(texts, heads)
	for _, kind := range wholeKinds {
		fmt.Fprintf(os.Stdout, "%s: %s\n", kind, s.countSummaryQuestions(heads, kind))
	}
	reportChanges("pairs", s.scoreChanges(heads))
	return nil
}

// readHeads reads the heads in the program, from the repository at a place.
func readHeads(root string) (*notice.Heads, error) {
	text, err := os.ReadFile(filepath.Join(root, headsPath))
	if err != nil {
		return nil, err
	}
	weights, err := os.ReadFile(filepath.Join(root, weightsPath))
	if err != nil {
		return nil, err
	}
	return notice.DecodeHeads(text, weights)
}
