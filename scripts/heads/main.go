// Command heads trains the heads of package notice from labelled sets, or judges
// them on a set. Run it from the repository's root:
//
//	go run ./scripts/heads train   # writes tools/engines/notice/heads.json
//	go run ./scripts/heads cross   # trains on all authors but one, judges on that one
//	go run ./scripts/heads judge scripts/heads/held-out/NAME
//	go run ./scripts/heads streams scripts/heads/held-out/NAME
//
// A set is a folder named after its author, with utterances.jsonl and prompts.jsonl;
// sets/ holds those to train from.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"toolkit/tools/engines/notice"
)

const (
	setsFolder = "scripts/heads/sets"
	headsPath  = "tools/engines/notice/heads.json"
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
		return train(ctx)
	case len(args) == 1 && args[0] == "cross":
		return cross(ctx)
	case len(args) == 2 && args[0] == "judge":
		return judge(ctx, args[1])
	case len(args) == 2 && args[0] == "streams":
		return judgeStreams(ctx, args[1])
	}
	return errors.New("want train, cross, judge FOLDER or streams FOLDER")
}

func train(ctx context.Context) error {
	sets, err := readSets(ctx)
	if err != nil {
		return err
	}
	heads, err := fitAll(sets)
	if err != nil {
		return err
	}
	text, err := json.Marshal(heads)
	if err != nil {
		return err
	}
	return os.WriteFile(headsPath, append(text, '\n'), 0o644)
}

// fitAll trains every head, and chooses the thresholds on lines of each author that
// the others' lines have not seen.
func fitAll(sets []*set) (*notice.Heads, error) {
	heads := &notice.Heads{Version: 1, Model: "universal-sentence-encoder-multilingual-3", Made: time.Now().Format(time.DateOnly), Kinds: map[string]notice.Head{}}
	var examples, prompts []example
	for _, s := range sets {
		heads.Sets = append(heads.Sets, s.name)
		examples = append(examples, s.sentences()...)
		prompts = append(prompts, s.prompts...)
	}
	heads.Lasting, heads.Own = fit(examples), fit(prompts)
	kept := lasting(examples)
	for _, kind := range kinds(kept) {
		heads.Kinds[kind] = fit(relabel(kept, kind))
	}
	texts, own := leaveOneOut(sets)
	heads.Sure = thresholdFor(texts, surePrecision)
	heads.Likely = thresholdFor(texts, likelyPrecision)
	heads.OwnFloor = floorFor(own, silentShare)
	return heads, nil
}

func cross(ctx context.Context) error {
	sets, err := readSets(ctx)
	if err != nil {
		return err
	}
	for i, s := range sets {
		others := append(append([]*set{}, sets[:i]...), sets[i+1:]...)
		texts, own := judgeWith(others, s)
		report(s.name, texts, own)
	}
	texts, own := leaveOneOut(sets)
	report("all, each judged by the others", texts, own)
	fmt.Fprintf(os.Stdout, "sure from %.3f, likely from %.3f, own from %.3f\n", thresholdFor(texts, surePrecision), thresholdFor(texts, likelyPrecision), floorFor(own, silentShare))
	return nil
}

// judge reports what the heads in the program make of a set.
func judge(ctx context.Context, folder string) error {
	s, err := readSet(ctx, folder)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(headsPath)
	if err != nil {
		return err
	}
	var heads notice.Heads
	if err := json.Unmarshal(text, &heads); err != nil {
		return err
	}
	texts, own := s.scoreWith(&heads.Lasting, &heads.Own)
	report(filepath.Base(folder), texts, own)
	reportAt(texts, own, &heads)
	return nil
}
