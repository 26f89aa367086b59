package transcripts

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"strings"
)

// claudeLine is a line of a session of Claude Code.
type claudeLine struct {
	Type             string           `json:"type"`
	UUID             string           `json:"uuid"`
	Parent           string           `json:"parentUuid"`
	LogicalParent    string           `json:"logicalParentUuid"`
	Session          string           `json:"sessionId"`
	Agent            string           `json:"agentId"`
	Timestamp        string           `json:"timestamp"`
	Folder           string           `json:"cwd"`
	Branch           string           `json:"gitBranch"`
	SideChain        bool             `json:"isSidechain"`
	Meta             bool             `json:"isMeta"`
	CompactSummary   bool             `json:"isCompactSummary"`
	OnlyInTranscript bool             `json:"isVisibleInTranscriptOnly"`
	APIError         bool             `json:"isApiErrorMessage"`
	Operation        string           `json:"operation"` // on the queue of prompts
	Content          json.RawMessage  `json:"content"`   // likewise: a prompt
	Attachment       claudeAttachment `json:"attachment"`
	Origin           claudeOrigin     `json:"origin"`
	ToolResult       json.RawMessage  `json:"toolUseResult"`  // what the result of a tool means, in the client's own form
	Denial           string           `json:"toolDenialKind"` // who denied a call of a tool
	Message          struct {
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// claudeBlock is a part of a message.
type claudeBlock struct {
	Type    string          `json:"type"`
	Text    string          `json:"text"`
	ID      string          `json:"id"` // of a call
	Name    string          `json:"name"`
	Call    string          `json:"tool_use_id"` // of a result
	Content json.RawMessage `json:"content"`     // likewise
	Failed  bool            `json:"is_error"`    // likewise
	Input   struct {
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
		Command  string `json:"command"`
	} `json:"input"`
}

// readClaudeCode reads a session, or what was added to it. One file may hold
// several sessions, interleaved.
func readClaudeCode(ctx context.Context, r io.Reader, from int64, rd *transcriptReader) error {
	pending, queue := pendingFacts{}, &promptQueue{calls: openCalls{}}
	last, err := eachLine(ctx, r, from, &rd.Report, func(line []byte, start, end int64) error {
		var l claudeLine
		if !decodeTolerantly(line, &l) {
			rd.addProblem(start, "not a line of a session in JSON")
			return nil
		}
		queue.rememberSessionFolder(&l)
		switch {
		case l.Type == "queue-operation" && l.Session != "":
			if _, known := queue.places[l.Session]; !known && l.Folder == "" && l.Operation == "enqueue" && rd.before != nil {
				queue.rememberSessionPlace(l.Session, rd.before(l.Session))
			}
			rd.applyQueueOperation(queue, &l, start)
			return nil
		case l.Type == "attachment" && l.Attachment.Type == "queued_command" && l.Session != "":
			t, said := rd.readQueuedCommand(&l)
			if !said || queue.takeMatchingPrompts(&t) {
				return nil
			}
			t.End = queue.resumeOffset(pending.resumeOffset(end), end)
			return rd.emitTurn(t) // in the middle of an answer: what was done before it belongs to that
		case rd.skipSilentLine(l.Type):
			return nil
		case l.Type != User && l.Type != Assistant:
			rd.countUnknown("lines of unknown type", l.Type)
			return nil
		case l.Session == "":
			rd.addProblem(start, "a message without its session")
			return nil
		case l.Meta, l.Message.Model == "<synthetic>", l.APIError:
			rd.countSkipped("messages of the client itself")
			return nil
		case l.Type == User && l.Origin.isNotFromUser():
			rd.countSkipped("messages of other sessions")
			return nil
		}
		return rd.readClaudeMessage(&l, pending, queue, start, end)
	})
	rd.Offset = queue.resumeOffset(pending.resumeOffset(last), last)
	if err != nil {
		return err
	}
	return queue.emitWaitingPrompts(rd, "", func() int64 { return rd.Offset })
}

// readClaudeMessage hands on what a message says, and keeps what it did for the next one.
func (rd *transcriptReader) readClaudeMessage(l *claudeLine, pending pendingFacts, queue *promptQueue, start, end int64) error {
	t := l.toTurn()
	said, answered := rd.readClaudeText(l, queue.calls, start, &t)
	if l.Type == User {
		t.Facts = Facts{} // the user's own shell
	}
	if said && !answered && t.Speaker == User && !t.SideChain {
		queue.calls.deleteSession(l.Session)
	}
	switch {
	case answered:
		t.Session, t.SideChain = l.Session, false // the user himself, also where a subagent asked
		t.End = queue.resumeOffset(pending.resumeOffset(end), end)
		return rd.emitTurn(t) // in the middle of an answer, too
	case said && t.Speaker == User && queue.takeMatchingPrompts(&t):
		return nil
	case said && t.Speaker == Assistant:
		if err := queue.emitWaitingPrompts(rd, t.Session, func() int64 { return queue.resumeOffset(pending.resumeOffset(start), end) }); err != nil {
			return err
		}
	}
	return pending.emitTurnOrHoldFacts(rd, t, said, start, end, queue)
}

// readQueuedCommand returns what the user typed while Claude Code worked and what it was given in
// the middle of its answer.
func (rd *transcriptReader) readQueuedCommand(l *claudeLine) (t Turn, found bool) {
	a := l.Attachment
	if l.Meta || a.Origin.isNotFromUser() || a.Mode != "" && a.Mode != "prompt" {
		rd.countSkipped("messages of the client itself")
		return t, false
	}
	t = l.toTurn()
	t.Speaker = User
	return t, rd.setCleanText(&t, joinTexts(a.Prompt))
}

func (l *claudeLine) toTurn() Turn {
	t := Turn{
		Client: ClaudeCode, Session: l.Session, ID: l.UUID, Parent: cmp.Or(l.Parent, l.LogicalParent), At: parseTime(l.Timestamp), Speaker: l.Type,
		Folder: l.Folder, Branch: l.Branch, SideChain: l.SideChain, Summary: l.CompactSummary || l.OnlyInTranscript,
	}
	if t.SideChain {
		t.Session += "/side"
		if l.Agent != "" {
			t.Session = l.Session + "/" + l.Agent
		}
	}
	return t
}

// readClaudeText puts text and facts of a message into t, and reports whether something was said,
// and whether that answers what a call asked.
func (rd *transcriptReader) readClaudeText(l *claudeLine, calls openCalls, start int64, t *Turn) (hasText, answered bool) {
	var text string
	if json.Unmarshal(l.Message.Content, &text) != nil {
		var blocks []json.RawMessage
		if json.Unmarshal(l.Message.Content, &blocks) != nil {
			rd.countUnknown("messages of unknown form", "")
			return false, false
		}
		text, answered = rd.readClaudeBlocks(l, blocks, calls, start, &t.Facts)
	}
	hasText = rd.setCleanText(t, text)
	return hasText, hasText && answered
}

func (rd *transcriptReader) readClaudeBlocks(l *claudeLine, blocks []json.RawMessage, calls openCalls, start int64, facts *Facts) (text string, answered bool) {
	var texts []string
	for _, raw := range blocks {
		var b claudeBlock
		if !decodeTolerantly(raw, &b) {
			rd.countSkipped("parts of unknown form")
			continue
		}
		switch b.Type {
		case "text":
			texts = append(texts, rd.cleanText(b.Text))
		case "tool_use", "server_tool_use":
			b.addFactsTo(facts)
			calls.addCall(&b, l.Session, start)
		case "tool_result":
			words := rd.cleanText(l.findDialogWords(calls.takeTool(b.Call), &b))
			if words == "" {
				rd.countSkipped("tool results")
				continue
			}
			texts, answered = append(texts, words), true
		case "thinking", "redacted_thinking":
			rd.countSkipped("thinking")
		case "image", "document":
			rd.countSkipped("images and documents")
		default:
			rd.countUnknown("parts of unknown type", b.Type)
		}
	}
	return strings.Join(texts, "\n"), answered
}

func (b *claudeBlock) addFactsTo(f *Facts) {
	switch b.Name {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		f.addFile(b.Input.File)
		f.addFile(b.Input.Notebook)
	case "Bash":
		f.addCommand(b.Input.Command)
	}
}
