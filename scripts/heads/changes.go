package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
)

// change is a line of changes.jsonl and asked.jsonl: two statements of one person.
type change struct {
	Old, New, Relation string
}

// project is a line of projects.jsonl: what one person stated of one matter, in the order of
// time, and which earlier statements each makes untrue, by their places.
type project struct {
	Statements []struct {
		Text     string
		Replaces []int
	}
}

const (
	replaces = "replaces"
	same     = "same" // in other words: the later one stands for both
)

// unrelatedCount is with how many later statements of other pairs each earlier one stands, none
// of which makes it untrue whatever they announce.
const unrelatedCount = 6

// readChangeExamples reads the pairs of a folder: single ones, and each two statements of a project. Of
// the single ones it makes pairs that have nothing to do with each other, and of what else the
// author stated pairs that are near.
func readChangeExamples(ctx context.Context, folder string) (list, unrelated []example, err error) {
	var pairs []change
	for _, name := range []string{"changes.jsonl", "asked.jsonl"} {
		err := readJSONLines(filepath.Join(folder, name), func(c change) { pairs = append(pairs, c) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, err
		}
	}
	var texts []string
	for _, c := range pairs {
		texts = append(texts, c.Old, c.New)
	}
	vectors, err := embed.EmbedSentences(ctx, texts)
	if err != nil {
		return nil, nil, err
	}
	for i, c := range pairs {
		list = append(list, changeExample(c, vectors[2*i], vectors[2*i+1]))
		for k := 1; k <= unrelatedCount; k++ {
			if other := (i + k*k*7) % len(pairs); other != i {
				unrelated = append(unrelated, changeExample(change{}, vectors[2*i], vectors[2*other+1]))
			}
		}
	}
	var projects []project
	if err := readJSONLines(filepath.Join(folder, "projects.jsonl"), func(p project) { projects = append(projects, p) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	for _, p := range projects {
		texts := make([]string, len(p.Statements))
		for i, s := range p.Statements {
			texts[i] = s.Text
		}
		vectors, err := embed.EmbedSentences(ctx, texts)
		if err != nil {
			return nil, nil, err
		}
		for later := range texts {
			for earlier := range later {
				c := change{Old: texts[earlier], New: texts[later]}
				if slices.Contains(p.Statements[later].Replaces, earlier) {
					c.Relation = replaces
				}
				list = append(list, changeExample(c, vectors[earlier], vectors[later]))
			}
		}
	}
	neighbours, err := readNeighbourExamples(ctx, folder)
	return list, append(unrelated, neighbours...), err
}

// maxNeighbourSimilarity is the likeness from which two statements of an author may say the same.
const maxNeighbourSimilarity = 0.6

// readNeighbourExamples reads what an author stated line by line, of one person or of many, and pairs each
// statement with the one most like it: near in words and topic, neither makes the other untrue.
func readNeighbourExamples(ctx context.Context, folder string) (list []example, err error) {
	var texts []string
	err = readJSONLines(filepath.Join(folder, "triples.jsonl"), func(t triple) { texts = append(texts, t.Note) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	notes := len(texts)
	err = readJSONLines(filepath.Join(folder, "utterances.jsonl"), func(u utterance) {
		if u.Keep {
			texts = append(texts, cmp.Or(u.Sentence, u.Text))
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	vectors, err := embed.EmbedSentences(ctx, texts)
	if err != nil {
		return nil, err
	}
	for _, group := range [][][]float32{vectors[:notes], vectors[notes:]} {
		for i, vector := range group {
			if nearest := findNearestVector(group, i); nearest >= 0 {
				list = append(list, changeExample(change{}, vector, group[nearest]))
			}
		}
	}
	return list, nil
}

// findNearestVector returns the place of the vector most like one, of those that say something else; -1: none.
func findNearestVector(vectors [][]float32, of int) int {
	nearest, most := -1, float32(-1)
	for i, v := range vectors {
		if like := embed.Dot(vectors[of], v); i != of && like > most && like < maxNeighbourSimilarity {
			nearest, most = i, like
		}
	}
	return nearest
}

func changeExample(c change, earlier, later []float32) example {
	return example{label: c.Relation == replaces || c.Relation == same, inputs: notice.ChangeInputs(earlier, later), line: &utterance{Text: c.Old + "\n  " + c.New, Kind: c.Relation}}
}

// changeUnits are fewer than those of other heads: each reads two statements, for many pairs a prompt.
const changeUnits = 32

// trainChangeHead makes the head that tells which statement makes which untrue.
func trainChangeHead(sets []*set) notice.Head {
	var inputs [][]float32
	var targets []target
	for _, s := range sets {
		for _, e := range slices.Concat(s.changes, s.unrelated) {
			inputs, targets = append(inputs, e.inputs), append(targets, target{e.label, -1, 1})
		}
	}
	return trainHead(inputs, targets, changeUnits, 0)
}

// scoreChanges judges the pairs of a set.
func (s *set) scoreChanges(h *notice.Heads) (list []scored) {
	for _, e := range s.changes {
		list = append(list, scored{e.line, e.label, h.JudgeLaterReplacesEarlier(e.inputs)})
	}
	return list
}

// changeFolds is by how many parts of the authors pairs are judged, each by a head that the other
// parts taught.
const changeFolds = 3

// crossValidateChanges judges the pairs of each author by a head that did not learn from them.
func crossValidateChanges(ctx context.Context) error {
	sets, err := readSets(ctx)
	if err != nil {
		return err
	}
	sets = slices.DeleteFunc(sets, func(s *set) bool { return len(s.changes) == 0 })
	var all []scored
	for fold := range changeFolds {
		var learning, judged []*set
		for i, s := range sets {
			if i%changeFolds == fold {
				judged = append(judged, s)
			} else {
				learning = append(learning, s)
			}
		}
		heads := &notice.Heads{Change: trainChangeHead(learning)}
		for _, s := range judged {
			list := s.scoreChanges(heads)
			all = append(all, list...)
			reportChanges(s.name, list)
		}
	}
	reportChanges("all", all)
	return nil
}

// reportChanges says how well pairs are told apart, and at some thresholds how many that are
// changes are found and how many of those found are some.
func reportChanges(name string, list []scored) {
	fmt.Fprintf(os.Stdout, "%s: %d pairs, area %.3f;", name, len(list), areaUnderCurve(list))
	for _, threshold := range []float64{0.5, 0.7, 0.8, 0.9, 0.95} {
		recall, precision := measureRecall(list, threshold)
		fmt.Fprintf(os.Stdout, " from %.2f %.2f at %.2f", threshold, recall, precision)
	}
	fmt.Fprintln(os.Stdout)
}
