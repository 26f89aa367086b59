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
	Message          struct {
		Model   string          `json:"model"`
		Content json.RawMessage `json:"content"`
	} `json:"message"`
}

// claudeBlock is a part of a message.
type claudeBlock struct {
	Type  string `json:"type"`
	Text  string `json:"text"`
	Name  string `json:"name"`
	Input struct {
		File     string `json:"file_path"`
		Notebook string `json:"notebook_path"`
		Command  string `json:"command"`
	} `json:"input"`
}

// readClaudeCode reads a session, or what was added to it. One file may hold
// several sessions, interleaved.
func readClaudeCode(ctx context.Context, r io.Reader, from int64, rd *reading) error {
	pending, queue := pendingFacts{}, &promptQueue{}
	last, err := eachLine(ctx, r, from, &rd.Report, func(line []byte, start, end int64) error {
		var l claudeLine
		if !decode(line, &l) {
			rd.bad(start, "not a line of a session in JSON")
			return nil
		}
		queue.noteFolder(&l)
		switch {
		case l.Type == "queue-operation" && l.Session != "":
			if _, known := queue.places[l.Session]; !known && l.Folder == "" && l.Operation == "enqueue" && rd.before != nil {
				queue.remember(l.Session, rd.before(l.Session))
			}
			rd.updateQueue(queue, &l, start)
			return nil
		case l.Type == "attachment" && l.Attachment.Type == "queued_command" && l.Session != "":
			t, said := rd.readQueuedCommand(&l)
			if !said || queue.takeMatching(&t) {
				return nil
			}
			t.End = queue.offset(pending.offset(end), end)
			return rd.emitTurn(t) // in the middle of an answer: what was done before it belongs to that
		case rd.isSilent(l.Type):
			return nil
		case l.Type != User && l.Type != Assistant:
			rd.unknown("lines of unknown type", l.Type)
			return nil
		case l.Session == "":
			rd.bad(start, "a message without its session")
			return nil
		case l.Meta, l.Message.Model == "<synthetic>", l.APIError:
			rd.skip("messages of the client itself")
			return nil
		case l.Type == User && l.Origin.isForeign():
			rd.skip("messages of other sessions")
			return nil
		}
		t := l.turn()
		said := rd.readClaudeText(l.Message.Content, &t)
		if l.Type == User {
			t.Facts = Facts{} // the user's own shell
		}
		switch {
		case said && t.Speaker == User && queue.takeMatching(&t):
			return nil
		case said && t.Speaker == Assistant:
			if err := queue.emit(rd, t.Session, func() int64 { return queue.offset(pending.offset(start), end) }); err != nil {
				return err
			}
		}
		return pending.emitTurnBefore(rd, t, said, start, end, queue)
	})
	rd.Offset = queue.offset(pending.offset(last), last)
	if err != nil {
		return err
	}
	return queue.emit(rd, "", func() int64 { return rd.Offset })
}

// readQueuedCommand is what the user typed while Claude Code worked and what it was given in
// the middle of its answer.
func (rd *reading) readQueuedCommand(l *claudeLine) (t Turn, said bool) {
	a := l.Attachment
	if l.Meta || a.Origin.isForeign() || a.Mode != "" && a.Mode != "prompt" {
		rd.skip("messages of the client itself")
		return t, false
	}
	t = l.turn()
	t.Speaker = User
	return t, rd.setText(&t, texts(a.Prompt))
}

func (l *claudeLine) turn() Turn {
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

// readClaudeText puts text and facts of a message into t, and reports whether
// something was said.
func (rd *reading) readClaudeText(content json.RawMessage, t *Turn) bool {
	var text string
	if json.Unmarshal(content, &text) != nil {
		var blocks []json.RawMessage
		if json.Unmarshal(content, &blocks) != nil {
			rd.unknown("messages of unknown form", "")
			return false
		}
		text = rd.readClaudeBlocks(blocks, &t.Facts)
	}
	return rd.setText(t, text)
}

func (rd *reading) readClaudeBlocks(blocks []json.RawMessage, facts *Facts) string {
	var texts []string
	for _, raw := range blocks {
		var b claudeBlock
		if !decode(raw, &b) {
			rd.skip("parts of unknown form")
			continue
		}
		switch b.Type {
		case "text":
			texts = append(texts, rd.cleanText(b.Text))
		case "tool_use", "server_tool_use":
			b.facts(facts)
		case "tool_result":
			rd.skip("tool results")
		case "thinking", "redacted_thinking":
			rd.skip("thinking")
		case "image", "document":
			rd.skip("images and documents")
		default:
			rd.unknown("parts of unknown type", b.Type)
		}
	}
	return strings.Join(texts, "\n")
}

func (b *claudeBlock) facts(f *Facts) {
	switch b.Name {
	case "Edit", "MultiEdit", "Write", "NotebookEdit":
		f.changed(b.Input.File)
		f.changed(b.Input.Notebook)
	case "Bash":
		f.ran(b.Input.Command)
	}
}
