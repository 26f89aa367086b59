package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/internal/testenv"
	"toolkit/internal/toolstest"
	"toolkit/store"
	"toolkit/store/kinds"
	memoryrows "toolkit/store/memory"
	"toolkit/tools"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

// injectedTokens is what a prompt hook may put beside a prompt.
const injectedTokens = 400

// injected is what stands beside questions that are prompts, in sums over the questions.
type injected struct {
	questions           int
	evidence, answering float64 // share of the turns that answer; without those that lost words of the answer
	something, silent   float64 // questions with at least one such turn; with nothing
	bytes               float64
}

// Each conversation is stored as sessions that were captured, with what is noticed in
// them. Beside what the hook tells stand the best whole turns, as many as the hook tells notes.
func TestQuestionsAreToldTheirEvidenceAndOtherPromptsNothing(t *testing.T) {
	if raceDetector {
		t.Skip("hundreds of searches take minutes under the race detector")
	}
	corpus := locomo(t)
	prompts := toolstest.ReadSections(t, filepath.Join("..", "..", "internal", "app", "testdata", "prompts.txt"))
	for name, list := range prompts {
		prompts[name] = testenv.Sample(list, 4)
	}
	var hook, whole injected
	needless := map[string]float64{}
	collections := corpus.Collections
	if !testenv.Full() {
		collections = collections[:1]
	}
	for _, c := range collections {
		err := withCollectionDatabase(t.Context(), embed.Off(), c, func(x *index) error {
			if err := x.learn(t.Context()); err != nil {
				return err
			}
			if err := toolstest.StoreInsightVectors(t.Context(), x.db); err != nil {
				return err
			}
			for i, q := range x.Questions {
				if i%testenv.Choose(9, 3) != 0 { // a part tells as much
					continue
				}
				text, refs, err := x.hooked(t.Context(), q.Text)
				if err != nil {
					return err
				}
				hook.add(x, q, text, refs)
				if text, refs, err = x.whole(t.Context(), q.Text); err != nil {
					return err
				}
				whole.add(x, q, text, refs)
			}
			for name, list := range prompts {
				for _, prompt := range list {
					text, _, err := x.hooked(t.Context(), prompt)
					if err != nil {
						return err
					}
					if text != "" {
						needless[name] += 1 / float64(len(list)*len(collections))
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("sums of the hook %+v, of whole turns %+v", hook, whole)
	if most := float64(4 * injectedTokens * hook.questions); hook.bytes > most || whole.bytes > most {
		t.Errorf("%.0f and %.0f bytes are told for %d questions", hook.bytes, whole.bytes, hook.questions)
	}
	// It is silent beside some, and beside the others it tells as much as whole turns.
	told := 1 - hook.silent/float64(hook.questions)
	if told < 0.9 || hook.evidence < told*whole.evidence || hook.something < told*whole.something {
		t.Errorf("the hook tells %v and %v of %.2f of the questions, whole turns %v and %v", hook.evidence, hook.something, told, whole.evidence, whole.something)
	}
	for name, list := range prompts {
		t.Logf("%s: %.3f of %d prompts are told something", name, needless[name], len(list))
		if needless[name] > 0.1 {
			t.Errorf("%s: %.3f of %d prompts that need no memory are told something", name, needless[name], len(list))
		}
	}
}

// learn stores what is noticed in a conversation. Both speakers are people, so each is
// heard as the user.
func (x *index) learn(ctx context.Context) error {
	noticed := make([][]notice.Statement, len(x.Turns))
	for i, t := range x.Turns {
		var err error
		if noticed[i], err = notice.FindStatements(ctx, t.Text); err != nil {
			return err
		}
	}
	return x.db.Write(ctx, func(tx *store.Tx) error {
		for i, list := range noticed {
			for _, s := range list {
				e := memory.Extracted{Text: s.Text, Kind: s.Kind, Score: s.Score, Source: x.turnRows[i], At: x.Turns[i].At}
				if _, err := memory.StoreExtracted(tx, x.search, e); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// hooked is what the prompt hook tells.
func (x *index) hooked(ctx context.Context, prompt string) (string, []string, error) {
	told, err := recall.FindNotesForPrompt(ctx, x.db, []tools.SearchProvider{memory.SearchProvider(nil)}, recall.PromptRequest{Prompt: prompt, Tokens: injectedTokens})
	return told.Text, told.Refs, err
}

// whole fills as many characters with whole turns, the best first.
func (x *index) whole(ctx context.Context, prompt string) (text string, refs []string, err error) {
	found, err := x.search.Search(ctx, memory.Query{Text: prompt, TopK: 50, Weights: search.DefaultWeights, Sources: []memoryrows.Source{memoryrows.SourceDialogue}})
	for _, hit := range found.Hits {
		line := hit.Row.Speaker + ": " + hit.Row.Content + "\n"
		if len(refs) == 3 || tools.EstimateTokens(len(text)+len(line)) > injectedTokens {
			break
		}
		text, refs = text+line, append(refs, fmt.Sprint(kinds.Dialogue, ":", hit.Row.ID))
	}
	return text, refs, err
}

// add counts how much of the evidence for a question stands in a text.
func (in *injected) add(x *index, q Question, text string, refs []string) {
	shown, answer := language.Terms(text), language.Terms(q.Answer)
	share, any := 1/float64(len(q.Evidence)), 0.0
	for i, turn := range x.Turns {
		if !slices.Contains(q.Evidence, turn.ID) || !slices.Contains(refs, fmt.Sprint(kinds.Dialogue, ":", x.turnRows[i])) {
			continue
		}
		in.evidence += share
		any = 1
		said := language.Terms(turn.Text)
		lost := slices.ContainsFunc(answer, func(word string) bool {
			return !language.IsStopWord(word) && slices.Contains(said, word) && !slices.Contains(shown, word)
		})
		if !lost {
			in.answering += share
		}
	}
	in.questions++
	in.something += any
	in.bytes += float64(len(text))
	if text == "" {
		in.silent++
	}
}
