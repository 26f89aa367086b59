package retrieval

import (
	"context"
	"path/filepath"
	"testing"

	"toolkit/embed"
	"toolkit/internal/toolstest"
)

func TestQuestionsAreToldTheirEvidenceAndOtherPromptsNothing(t *testing.T) {
	if raceDetector {
		t.Skip("hundreds of searches take minutes under the race detector")
	}
	corpus, err := Load("", locomoFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	list, err := RunPrompts(t.Context(), corpus, embed.Local())
	if err != nil {
		t.Fatal(err)
	}
	byWay := map[string]Injected{}
	for _, r := range list {
		t.Logf("%s %s: evidence %v, something %v, with the answer's words %v, silent %.3f, %.0f bytes", r.Conversation, r.Way, r.Evidence, r.Something, r.Answering, r.Silent, r.Bytes)
		if r.Conversation == "all" {
			byWay[r.Way] = r
		}
		if r.Bytes > 4*injectedTokens {
			t.Errorf("%s takes %.0f bytes", r.Way, r.Bytes)
		}
	}
	hook, whole := byWay["hook"], byWay["whole turns by rank"]
	if hook.Evidence.Mean < whole.Evidence.Mean || hook.Something.Mean < whole.Something.Mean {
		t.Errorf("the hook tells %v and %v, whole turns %v and %v", hook.Evidence, hook.Something, whole.Evidence, whole.Something)
	}
	for name, prompts := range toolstest.Sections(t, filepath.Join("..", "..", "..", "internal", "app", "testdata", "prompts.txt")) {
		share, err := needless(t.Context(), corpus, embed.Local(), prompts)
		t.Logf("%s: %.3f of %d prompts are told something", name, share, len(prompts))
		if err != nil || share > 0.1 {
			t.Errorf("%s: %.3f of %d prompts that need no memory are told something, %v", name, share, len(prompts), err)
		}
	}
}

// needless asks prompts that need no memory beside each conversation, and returns
// the share of them that were told something, over all.
func needless(ctx context.Context, corpus *Corpus, embedder embed.Embedder, prompts []string) (share float64, err error) {
	err = captured(ctx, corpus, embedder, func(in *filled) error {
		for _, prompt := range prompts {
			text, _, err := in.hooked(ctx, prompt)
			if err != nil {
				return err
			}
			if text != "" {
				share += 1 / float64(len(prompts)*len(corpus.Collections))
			}
		}
		return nil
	})
	return share, err
}
