package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
)

// example is one thing to learn from: what a head reads, and what it should say.
type example struct {
	text     int // of which line of its file it is a part
	label    bool
	unclear  bool // part of a line worth keeping, and not what is kept of it
	inputs   []float32
	line     *utterance
	wasAsked bool
	weight   float64 // of what was added
}

// utterance is a line of utterances.jsonl.
type utterance struct {
	Text, Sentence, Kind, Lang string
	Keep                       bool
	Style                      bool // a preference about how to answer
}

// set is what one author wrote.
type set struct {
	name    string
	lines   []*utterance
	parts   []example
	prompts []example
	wholes  []example
	added   []example // for the head of sentences, beside parts
	// changes are pairs of statements of one person, of which the later may make the earlier
	// untrue, and pairs that have nothing to do with each other.
	changes, unrelated []example
}

func readSets(ctx context.Context) ([]*set, error) {
	folders, err := filepath.Glob(filepath.Join(setsFolder, "*"))
	if err != nil || len(folders) == 0 {
		return nil, errors.Join(err, fmt.Errorf("no sets in %s", setsFolder))
	}
	var sets []*set
	for _, folder := range folders {
		s, err := readSet(ctx, folder)
		if err != nil {
			return nil, err
		}
		if s.added, err = readAddedExamples(ctx, folder); err != nil {
			return nil, err
		}
		sets = append(sets, s)
	}
	return sets, nil
}

func readSet(ctx context.Context, folder string) (*set, error) {
	s := &set{name: filepath.Base(folder)}
	if err := readJSONLines(filepath.Join(folder, "utterances.jsonl"), func(u utterance) { s.lines = append(s.lines, &u) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	prompts, err := readPrompts(folder)
	if err != nil {
		return nil, err
	}
	for i, line := range s.lines {
		parts, inputs, err := splitAndEmbedSentences(ctx, line.Text)
		if err != nil {
			return nil, err
		}
		for j, part := range parts {
			isKept := line.Keep && (strings.Contains(line.Sentence, part.Text) || strings.Contains(part.Text, line.Sentence))
			s.parts = append(s.parts, example{text: i, label: isKept, unclear: line.Keep && !isKept, inputs: inputs[j], line: line, wasAsked: notice.AsksToRemember(part.Text)})
		}
	}
	for i, p := range prompts {
		vectors, err := embed.EmbedSentences(ctx, []string{p.Text})
		if err != nil {
			return nil, err
		}
		s.prompts = append(s.prompts, example{text: i, label: p.Own, inputs: notice.PromptInputs(p.Text, vectors[0]), line: &utterance{Text: p.Text, Lang: p.Lang, Keep: p.Own}})
	}
	if s.wholes, err = readSummaryQuestions(ctx, folder); err != nil {
		return nil, err
	}
	s.changes, s.unrelated, err = readChangeExamples(ctx, folder)
	return s, err
}

// personalPrompt is a prompt, and whether it concerns the person's own work and world.
type personalPrompt struct {
	Text, Lang string
	Own        bool
}

// readPrompts reads prompts.jsonl, of triples.jsonl the prompt that needs a note and the
// one that does not, and plain.jsonl, the ordinary business of weeks of work, which needs
// none. A set may lack any of them.
func readPrompts(folder string) ([]personalPrompt, error) {
	var prompts []personalPrompt
	err := readJSONLines(filepath.Join(folder, "prompts.jsonl"), func(p personalPrompt) { prompts = append(prompts, p) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	err = readJSONLines(filepath.Join(folder, "triples.jsonl"), func(t triple) {
		prompts = append(prompts, personalPrompt{t.Prompt, t.PromptLang, true}, personalPrompt{t.General, t.PromptLang, false})
		if t.Command != "" {
			prompts = append(prompts, personalPrompt{t.Command, t.PromptLang, false})
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	err = readJSONLines(filepath.Join(folder, "plain.jsonl"), func(p personalPrompt) { prompts = append(prompts, p) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return prompts, nil
}

// What teaches the head of sentences beside lines that were written for it, and what that counts: of a
// prompt that concerns the own world some state a fact in passing, and what is said amid ordinary work
// is most like what is worth keeping.
const statementWeight, requestWeight, personalRequestWeight, plainWeight = 0.2, 0.2, 0.1, 1

// readAddedExamples reads what was written for other heads: statements of pairs and notes,
// which hold beyond today, and prompts, which ask for something.
func readAddedExamples(ctx context.Context, folder string) (list []example, err error) {
	weights, labels := map[string]float64{}, map[string]bool{}
	err = readJSONLines(filepath.Join(folder, "triples.jsonl"), func(t triple) { weights[t.Note], labels[t.Note] = statementWeight, true })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	err = readJSONLines(filepath.Join(folder, "changes.jsonl"), func(c change) {
		for _, text := range []string{c.Old, c.New} {
			weights[text], labels[text] = statementWeight, true
		}
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	prompts, err := readPrompts(folder)
	if err != nil {
		return nil, err
	}
	for _, p := range prompts {
		weights[p.Text] = requestWeight
		if p.Own {
			weights[p.Text] = personalRequestWeight
		}
	}
	err = readJSONLines(filepath.Join(folder, "plain.jsonl"), func(p personalPrompt) { weights[p.Text] = plainWeight })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, text := range slices.Sorted(maps.Keys(weights)) {
		parts, inputs, err := splitAndEmbedSentences(ctx, text)
		if err != nil {
			return nil, err
		}
		if labels[text] && len(parts) > 1 {
			continue // which of them holds is not known
		}
		for _, in := range inputs {
			list = append(list, example{label: labels[text], inputs: in, weight: weights[text]})
		}
	}
	return list, nil
}

// splitAndEmbedSentences returns the sentences of a text, and what a head reads of each.
func splitAndEmbedSentences(ctx context.Context, text string) (parts []notice.Part, inputs [][]float32, err error) {
	parts = notice.SplitSentences(text)
	texts := make([]string, len(parts))
	for i, part := range parts {
		texts[i] = part.Text
	}
	vectors, err := embed.EmbedSentences(ctx, texts)
	if err != nil {
		return nil, nil, err
	}
	others := notice.MeanOfOthers(vectors)
	for i := range parts {
		inputs = append(inputs, notice.SentenceInputs(&parts[i], vectors[i], others[i]))
	}
	return parts, inputs, nil
}

// triple is a note, a prompt that needs it and shares no word with it, and two prompts of
// the same field for which it is of no use: a question of general knowledge, and in some
// sets a command of the moment.
type triple struct {
	Note, Prompt, General, Command string
	PromptLang                     string `json:"prompt_lang"`
}

// clearExamples are the examples whose label is clear.
func (s *set) clearExamples() []example {
	return slices.DeleteFunc(slices.Clone(s.parts), func(e example) bool { return e.unclear })
}

func readJSONLines[T any](path string, f func(T)) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // it was only read
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for number := 1; lines.Scan(); number++ {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return fmt.Errorf("%s, line %d: %w", path, number, err)
		}
		f(one)
	}
	return lines.Err()
}
