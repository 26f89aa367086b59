package transcripts

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

// fuzzed reads arbitrary bytes: no reader may fail, hang, or hand on what is no
// turn or holds what was injected.
func fuzzed(f *testing.F, seed string, read func(ctx context.Context, content string, rd *transcriptReader) error) {
	f.Add(seed)
	f.Add(seed[:len(seed)/2])
	f.Add(strings.ReplaceAll(seed, `"`, `\"`))
	f.Fuzz(func(t *testing.T, content string) {
		rd := &transcriptReader{emit: func(turn Turn) error {
			switch {
			case turn.Speaker != User && turn.Speaker != Assistant, turn.ID == "", turn.Text == "", !utf8.ValidString(turn.Text):
				t.Errorf("no turn: %+v", turn)
			case turn.End < 0 || turn.End > int64(len(content)):
				t.Errorf("read on at %d of %d", turn.End, len(content))
			case stripInjected(turn.Text) != turn.Text && !strings.Contains(turn.Text, "\uFFFD"):
				t.Errorf("not only what was said: %q", turn.Text)
			}
			return nil
		}}
		read(t.Context(), content, rd) //nolint:errcheck // a file of another form is refused
		if rd.Offset < 0 || rd.Offset > int64(len(content)) || len(rd.Skipped) > maxProblemNames+1 || len(rd.Problems) > maxProblems {
			t.Errorf("%+v", rd.Report)
		}
	})
}

func FuzzClaudeCode(f *testing.F) {
	fuzzed(f, claudeSession, func(ctx context.Context, content string, rd *transcriptReader) error {
		return readClaudeCode(ctx, strings.NewReader(content), 0, rd)
	})
}

func FuzzCodex(f *testing.F) {
	fuzzed(f, codexSession, func(ctx context.Context, content string, rd *transcriptReader) error {
		meta, _ := readCodexHead(strings.NewReader(content))
		return readCodex(ctx, strings.NewReader(content), 0, meta, rd)
	})
}

func FuzzGemini(f *testing.F) {
	fuzzed(f, geminiLog, func(ctx context.Context, content string, rd *transcriptReader) error {
		return readGemini(ctx, strings.NewReader(content), "", rd)
	})
}

func FuzzGeminiWhole(f *testing.F) {
	fuzzed(f, `{"sessionId":"g","messages":[{"id":"1","type":"user","content":"hi"}]}`, func(_ context.Context, content string, rd *transcriptReader) error {
		return readGeminiWhole(strings.NewReader(content), "", rd)
	})
}

func FuzzExports(f *testing.F) {
	f.Add(claudeExport)
	fuzzed(f, chatGPTExport, func(ctx context.Context, content string, rd *transcriptReader) error {
		return readExport(ctx, strings.NewReader(content), rd)
	})
}
