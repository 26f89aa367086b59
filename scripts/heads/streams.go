package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"toolkit/internal/capture/notice"
)

// prompt is a line of a stream: what one person types at work in order.
type prompt struct {
	Text            string
	Memorable, Keep bool // the same, as two authors name it
}

// evaluateStreams reports, for each stream of a folder, how many of its memorable prompts
// are among the surest, and what the thresholds of the program keep.
func evaluateStreams(ctx context.Context, folder string) error {
	paths, err := filepath.Glob(filepath.Join(folder, "stream-*.jsonl"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		list, err := scoreStream(ctx, path)
		if err != nil {
			return err
		}
		const surest = 15
		among := 0
		for _, s := range sortByScore(list)[:min(surest, len(list))] {
			if s.label {
				among++
			}
		}
		sureRight, sureAll := countAbove(list, notice.MinBriefedScore())
		likelyRight, likelyAll := countAbove(list, notice.MinStoredScore())
		fmt.Fprintf(os.Stdout, "%s: %d memorable among the %d surest; sure %d right of %d, likely %d right of %d\n", filepath.Base(path), among, surest, sureRight, sureAll, likelyRight, likelyAll)
	}
	return nil
}

// scoreStream judges each prompt of a stream by its best sentence.
func scoreStream(ctx context.Context, path string) ([]scored, error) {
	var list []scored
	var failure error
	err := readJSONLines(path, func(p prompt) {
		score := 0.0
		parts, err := notice.ScoreSentences(ctx, p.Text)
		failure = errors.Join(failure, err)
		for _, s := range parts {
			score = max(score, s.Score)
		}
		list = append(list, scored{&utterance{Text: p.Text}, p.Memorable || p.Keep, score})
	})
	return list, errors.Join(err, failure)
}

func countAbove(list []scored, threshold float64) (right, all int) {
	for _, s := range list {
		if s.score >= threshold {
			all++
			if s.label {
				right++
			}
		}
	}
	return right, all
}
