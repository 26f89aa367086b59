package main

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"

	"golang.org/x/sync/errgroup"

	"toolkit/internal/capture/notice"
)

const (
	// surePrecision and likelyPrecision are what the thresholds of sentences are chosen
	// for, silentShare that of prompts: of those that need no memory, so many are answered
	// with nothing.
	surePrecision   = 0.91
	likelyPrecision = 0.88
	silentShare     = 0.88
)

// scored is a line with what a head says of it.
type scored struct {
	line  *utterance
	label bool
	score float64
}

// scoreLines judges each line of a set: a turn by its best sentence.
func (s *set) scoreLines(h *notice.Heads) (texts []scored) {
	best := make([]float64, len(s.lines))
	for i := range s.parts {
		e := &s.parts[i]
		score, _ := h.JudgeSentence(e.inputs)
		if e.wasAsked {
			score = 1
		}
		best[e.text] = max(best[e.text], score)
	}
	for i, line := range s.lines {
		texts = append(texts, scored{line, line.Keep, best[i]})
	}
	return texts
}

// scorePrompts judges the prompts of a set.
func (s *set) scorePrompts(h *notice.Heads) (prompts []scored) {
	for i := range s.prompts {
		e := &s.prompts[i]
		prompts = append(prompts, scored{e.line, e.label, h.JudgePrompt(e.inputs)})
	}
	return prompts
}

// foldCount is into how many groups the sets are parted, each of which the others judge.
const foldCount = 6

// scoreByHeadsOfOthers judges each set by a head that learned from the sets of other groups, two at a time.
func scoreByHeadsOfOthers(sets []*set, train func(*notice.Heads, []*set), score func(*set, *notice.Heads) []scored) [][]scored {
	scores := make([][]scored, len(sets))
	var group errgroup.Group
	group.SetLimit(2)
	for fold := range foldCount {
		group.Go(func() error {
			var others []*set
			for i, s := range sets {
				if i%foldCount != fold {
					others = append(others, s)
				}
			}
			heads := &notice.Heads{}
			train(heads, others)
			for i := fold; i < len(sets); i += foldCount {
				scores[i] = score(sets[i], heads)
			}
			return nil
		})
	}
	group.Wait() //nolint:errcheck // none of them fails
	return scores
}

// thresholdForPrecision is the lowest score at which a share of what is kept is worth it.
func thresholdForPrecision(list []scored, precision float64) float64 {
	list = sortByScore(list)
	right, threshold := 0, 1.0
	for i, s := range list {
		if s.label {
			right++
		}
		if float64(right) >= precision*float64(i+1) {
			threshold = s.score
		}
	}
	return threshold
}

// thresholdForSilence is the score below which a share of the prompts that need no memory lies.
func thresholdForSilence(list []scored, share float64) float64 {
	other := slices.DeleteFunc(sortByScore(list), func(s scored) bool { return s.label })
	if len(other) == 0 {
		return 1
	}
	return other[int(float64(len(other))*(1-share))].score
}

func sortByScore(list []scored) []scored {
	return slices.SortedStableFunc(slices.Values(list), func(a, b scored) int { return cmp.Compare(b.score, a.score) })
}

func measureRecall(list []scored, threshold float64) (recall, precision float64) {
	right, kept, all := 0, 0, 0
	for _, s := range list {
		if s.label {
			all++
		}
		if s.score >= threshold {
			kept++
			if s.label {
				right++
			}
		}
	}
	return float64(right) / float64(max(all, 1)), float64(right) / float64(max(kept, 1))
}

// areaUnderCurve is the chance that a line worth keeping scores above one that is not.
func areaUnderCurve(list []scored) float64 {
	above, pairs := 0.0, 0.0
	for _, a := range list {
		for _, b := range list {
			if a.label && !b.label {
				pairs++
				if a.score > b.score {
					above++
				} else if a.score == b.score {
					above += 0.5
				}
			}
		}
	}
	return above / max(pairs, 1)
}

func printSummary(name string, texts, prompts []scored) {
	at90, _ := measureRecall(texts, thresholdForPrecision(texts, 0.90))
	at80, _ := measureRecall(texts, thresholdForPrecision(texts, 0.80))
	fmt.Fprintf(os.Stdout, "%s: %d lines, area %.3f, noticed at precision .90 %.2f, at .80 %.2f", name, len(texts), areaUnderCurve(texts), at90, at80)
	if len(prompts) > 0 {
		told, _ := measureRecall(prompts, thresholdForSilence(prompts, 0.85))
		fmt.Fprintf(os.Stdout, "; %d prompts, area %.3f, answered at silence .85 %.2f", len(prompts), areaUnderCurve(prompts), told)
	}
	fmt.Fprintln(os.Stdout)
}

// printThresholdReport says what the thresholds in the program make of a set, by language and
// kind.
func printThresholdReport(texts, prompts []scored, h *notice.Heads) {
	for _, level := range []struct {
		name      string
		threshold float64
	}{{"sure", h.MinBriefedScore}, {"likely", h.MinStoredScore}} {
		recall, precision := measureRecall(texts, level.threshold)
		fmt.Fprintf(os.Stdout, "%s (%.3f): noticed %.2f, precision %.2f\n", level.name, level.threshold, recall, precision)
	}
	recall, _ := measureRecall(prompts, h.MinPersonalScore)
	silent, _ := measureRecall(invertScores(prompts), -h.MinPersonalScore)
	fmt.Fprintf(os.Stdout, "own (%.3f): answered %.2f, silent %.2f\n", h.MinPersonalScore, recall, silent)
	for _, by := range []struct {
		name string
		of   func(*utterance) string
	}{{"language", func(u *utterance) string { return u.Lang }}, {"kind", func(u *utterance) string { return u.Kind }}} {
		fmt.Fprintf(os.Stdout, "| %s | lines | kept of those worth it (sure, likely) | kept of the others (sure, likely) |\n|---|---|---|---|\n", by.name)
		groups := map[string][]scored{}
		for _, s := range texts {
			groups[by.of(s.line)] = append(groups[by.of(s.line)], s)
		}
		for _, name := range slices.Sorted(maps.Keys(groups)) {
			list := groups[name]
			fmt.Fprintf(os.Stdout, "| %s | %d | %s | %s |\n", name, len(list), formatCounts(list, true, h), formatCounts(list, false, h))
		}
	}
}

func formatCounts(list []scored, label bool, h *notice.Heads) string {
	sure, likely, all := 0, 0, 0
	for _, s := range list {
		if s.label != label {
			continue
		}
		all++
		if s.score >= h.MinBriefedScore {
			sure++
		}
		if s.score >= h.MinStoredScore {
			likely++
		}
	}
	return fmt.Sprintf("%d, %d of %d", sure, likely, all)
}

// invertScores turns a question round: what scored low scores high.
func invertScores(list []scored) []scored {
	list = slices.Clone(list)
	for i := range list {
		list[i].label, list[i].score = !list[i].label, -list[i].score
	}
	return list
}

// reportMistakes prints the lines that are kept most surely and are not worth it, and
// those that are worth it and passed over most surely.
func reportMistakes(texts []scored, h *notice.Heads) {
	const shown = 10
	list := sortByScore(texts)
	fmt.Fprintln(os.Stdout, "kept and not worth it:")
	count := 0
	for _, s := range list {
		if !s.label && s.score >= h.MinStoredScore && count < shown {
			count++
			fmt.Fprintf(os.Stdout, "  %.2f %q\n", s.score, s.line.Text)
		}
	}
	fmt.Fprintln(os.Stdout, "worth it and passed over:")
	count = 0
	slices.Reverse(list)
	for _, s := range list {
		if s.label && s.score < h.MinStoredScore && count < shown {
			count++
			fmt.Fprintf(os.Stdout, "  %.2f %s %q\n", s.score, s.line.Kind, s.line.Text)
		}
	}
}
