package transcripts

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// transcriptReader is the state of one reading of a file.
type transcriptReader struct {
	Report
	emit    func(Turn) error
	forms   *codexForms               // of a rollout; nil: only its events count
	refused bool                      // nobody takes turns any more
	before  func(session string) Turn // where a session of Claude Code was before what is read; nil: nobody knows
}

// setCleanText gives a turn its text, and reports whether anything is left of it.
func (rd *transcriptReader) setCleanText(t *Turn, text string) bool {
	t.Text = strings.ToValidUTF8(rd.cleanText(text), "\uFFFD")
	if strings.HasPrefix(t.Text, continued) {
		t.Summary = true
	}
	return t.Text != ""
}

// silentLines are types of lines that hold nothing said, at Claude Code and at Codex.
var silentLines = []string{
	"agent-name", "ai-title", "api-request", "api-request-blob", "api-request-shape", "atis-latch", "attachment", "cost-state", "custom-title", "file-history-snapshot",
	"last-prompt", "mode", "permission-mode", "pr-link", "progress", "queue-operation", "summary", "system", "tools-used",
	"session_meta", "token_usage_record", "turn_context", "world_state",
}

// skipSilentLine reports whether a line holds nothing said, and counts it then.
func (rd *transcriptReader) skipSilentLine(kind string) bool {
	known := slices.Contains(silentLines, kind)
	if known {
		rd.countSkipped("lines of type " + kind)
	}
	return known
}

// cleanText is what remains of a text, and counts when something was taken away.
func (rd *transcriptReader) cleanText(text string) string {
	kept := stripInjected(text)
	if noise().MatchString(kept) {
		kept = ""
	}
	switch whole := strings.TrimSpace(text); {
	case kept == whole:
	case kept == "":
		rd.countSkipped("commands and reminders")
	default:
		rd.countSkipped("parts of messages that nobody said")
	}
	return kept
}

func (rd *transcriptReader) emitTurn(t Turn) error {
	if t.ID == "" {
		t.ID = t.contentID()
	}
	if t.SideChain { // what a subagent is asked comes from the assistant, not from the user
		t.Speaker = Assistant
	}
	rd.Turns++
	err := rd.emit(t)
	rd.refused = err != nil
	return err
}

// maxPendingBytes is how far back a file is read again for the facts of a turn that
// is not written yet.
const maxPendingBytes = 4 << 20

// pendingFacts are facts of sessions whose assistant has not spoken since, and
// where the first of them stands. A file is read again from there, so that a
// turn has the same facts wherever a reading ended.
type pendingFacts map[string]*waitingFacts

type waitingFacts struct {
	Facts
	start int64
}

// emitTurnWithFacts hands a turn on with its facts, or keeps them for the next one.
func (p pendingFacts) emitTurnWithFacts(rd *transcriptReader, t Turn, hasText bool, start, end int64) error {
	return p.emitTurnOrHoldFacts(rd, t, hasText, start, end, &promptQueue{})
}

// emitTurnOrHoldFacts is pass where prompts wait that may stand in a later message.
func (p pendingFacts) emitTurnOrHoldFacts(rd *transcriptReader, t Turn, hasText bool, start, end int64, queue *promptQueue) error {
	waiting := p[t.Session]
	if t.Speaker == Assistant && !hasText {
		if t.isEmpty() {
			return nil
		}
		if waiting == nil {
			waiting = &waitingFacts{start: start}
			p[t.Session] = waiting
		}
		waiting.merge(t.Facts)
		return nil
	}
	if !hasText {
		return nil
	}
	delete(p, t.Session)
	switch {
	case waiting != nil && t.Speaker == Assistant:
		waiting.merge(t.Facts)
		t.Facts = waiting.Facts
	case waiting != nil:
		rd.countSkipped("commands and changes that no answer followed")
	}
	t.End = queue.resumeOffset(p.resumeOffset(end), end)
	return rd.emitTurn(t)
}

// resumeOffset is where to read on when everything up to end was seen.
func (p pendingFacts) resumeOffset(end int64) int64 {
	least := end
	for _, waiting := range p {
		if end-waiting.start <= maxPendingBytes {
			least = min(least, waiting.start)
		}
	}
	return least
}

// decodeTolerantly reads JSON. A field that has another type than expected stays empty:
// the others still say what they say.
func decodeTolerantly(raw []byte, into any) bool {
	err := json.Unmarshal(raw, into)
	var other *json.UnmarshalTypeError
	return err == nil || errors.As(err, &other)
}

// joinTexts returns a string, or the texts of a list of parts.
func joinTexts(raw json.RawMessage) string { return strings.Join(textParts(raw), "\n") }

func textParts(raw json.RawMessage) (all []string) {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		return []string{one}
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return nil
	}
	for _, part := range parts {
		one = "" // which null would leave
		var p struct {
			Type string `json:"type"`
			Text string `json:"text"`
		}
		switch {
		case json.Unmarshal(part, &one) == nil:
			all = append(all, one)
		case decodeTolerantly(part, &p) && p.Text != "" && !slices.Contains(silentParts, strings.ToLower(p.Type)):
			all = append(all, p.Text)
		}
	}
	return all
}

// silentParts are types of parts of a message that are none of what was said.
var silentParts = []string{"thinking", "redacted_thinking", "tool_use", "tool_result", "image", "input_image", "reasoning"}
