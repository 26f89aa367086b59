package transcripts

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
)

// codexLine is a line of a rollout of Codex.
type codexLine struct {
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Payload   json.RawMessage `json:"payload"`
}

// codexMeta is the head of a rollout. A fork repeats the turns of its parent, and
// its parent's head behind its own.
type codexMeta struct {
	ID           string          `json:"id"`
	Folder       string          `json:"cwd"`
	Fork         string          `json:"forked_from_id"`
	Source       json.RawMessage `json:"source"`
	ThreadSource string          `json:"thread_source"`
	Git          struct {
		Branch string `json:"branch"`
	} `json:"git"`
}

// codexPayload is what an event or an item of the model says.
type codexPayload struct {
	Type      string          `json:"type"`
	Role      string          `json:"role"`    // of an item that is a message
	Content   json.RawMessage `json:"content"` // likewise
	Message   string          `json:"message"`
	Item      *codexItem      `json:"item"`
	Name      string          `json:"name"`
	Arguments string          `json:"arguments"` // JSON
	Input     string          `json:"input"`
	Action    json.RawMessage `json:"action"`
}

type codexItem struct {
	Type    string          `json:"type"`
	ID      string          `json:"id"`
	Text    string          `json:"text"`
	Content json.RawMessage `json:"content"`
	Status  string          `json:"status"`
	Changes map[string]any  `json:"changes"` // of a file change, by path
}

// maxCodexHeadBytes bounds the head of a rollout, which holds the instructions too.
const maxCodexHeadBytes = 4 << 20

// readCodexHead reads the head of a rollout, which every later line belongs to.
func readCodexHead(r io.Reader) (meta codexMeta, ok bool) {
	line, err := bufio.NewReaderSize(io.LimitReader(r, maxCodexHeadBytes), 64<<10).ReadBytes('\n')
	var l codexLine
	if err != nil || !decodeTolerantly(line, &l) || l.Type != "session_meta" || !decodeTolerantly(l.Payload, &meta) {
		return meta, false
	}
	return meta, meta.ID != ""
}

// readCodex reads a rollout, or what was added to it, whose head was read before. What
// was said stands in events or, as rd.forms tells, in the items of the model.
func readCodex(ctx context.Context, r io.Reader, from int64, meta codexMeta, rd *transcriptReader) error {
	pending := pendingFacts{}
	base := Turn{Client: Codex, Session: meta.ID, Folder: meta.Folder, Branch: meta.Git.Branch, Fork: meta.Fork, SideChain: meta.isSubagent()}
	var last Turn
	end, err := eachLine(ctx, r, from, &rd.Report, func(line []byte, start, end int64) error {
		var l codexLine
		var p codexPayload
		if !decodeTolerantly(line, &l) {
			rd.addProblem(start, "not a line of a rollout in JSON")
			return nil
		}
		switch {
		case rd.skipSilentLine(l.Type):
			return nil
		case l.Type == "compacted":
			t := base
			t.At, t.Summary, t.End = parseTime(l.Timestamp), true, end
			return rd.emit(t)
		}
		if l.Type != "event_msg" && l.Type != "response_item" || !decodeTolerantly(l.Payload, &p) {
			rd.countUnknown("lines of unknown type", l.Type)
			return nil
		}
		t := base
		t.At = parseTime(l.Timestamp)
		said := rd.readCodexPayload(l.Type, &p, &t)
		if said && rd.forms != nil && !rd.forms.isMessageCounted(l.Type, t, start) {
			rd.countUnknown(map[string]string{"event_msg": "events", "response_item": "items of the model:"}[l.Type], p.Type)
			return nil
		}
		if said && t.Speaker == last.Speaker && t.Text == last.Text && t.At.Sub(last.At).Abs().Seconds() < 1 {
			return nil // an event in two forms
		}
		if said {
			last = t
		}
		return pending.emitTurnWithFacts(rd, t, said, start, end)
	})
	rd.Offset = pending.resumeOffset(end)
	return err
}

func (m *codexMeta) isSubagent() bool {
	return m.ThreadSource == "subagent" || strings.HasPrefix(string(m.Source), "{") && strings.Contains(string(m.Source), "subagent")
}

func (rd *transcriptReader) readCodexPayload(lineType string, p *codexPayload, t *Turn) bool {
	t.Speaker = Assistant
	if lineType == "response_item" {
		if p.Type == "message" && rd.forms != nil {
			said := p.readMessage(t)
			if !said {
				rd.countUnknown("items of the model:", p.Type)
			}
			return said
		}
		rd.readCodexFacts(p, t.Folder, &t.Facts)
		return false
	}
	return rd.readCodexEvent(p, t)
}

// readCodexEvent puts what an event says, and what it changed, into t, and reports whether
// it says something.
func (rd *transcriptReader) readCodexEvent(p *codexPayload, t *Turn) bool {
	t.Speaker = Assistant
	switch p.Type {
	case "user_message":
		t.Speaker = User
		return rd.setCleanText(t, p.Message)
	case "agent_message":
		return rd.setCleanText(t, p.Message)
	case "item_completed":
		if p.Item != nil {
			return rd.readCodexItem(p.Item, t)
		}
	}
	rd.countUnknown("events", p.Type)
	return false
}

func (rd *transcriptReader) readCodexItem(item *codexItem, t *Turn) bool {
	switch item.Type {
	case "UserMessage":
		t.Speaker = User
	case "AgentMessage":
	case "FileChange":
		if item.Status == "completed" {
			for _, file := range slices.Sorted(maps.Keys(item.Changes)) {
				t.addFile(file)
			}
		}
		return false
	default:
		rd.countUnknown("items", item.Type)
		return false
	}
	if item.Text == "" {
		item.Text = joinTexts(item.Content)
	}
	return rd.setCleanText(t, item.Text)
}

// readCodexFacts takes from an item of the model what it ran and changed, in a folder.
func (rd *transcriptReader) readCodexFacts(p *codexPayload, folder string, f *Facts) {
	switch p.Type {
	case "function_call", "local_shell_call", "custom_tool_call":
	default:
		rd.countUnknown("items of the model:", p.Type)
		return
	}
	var given struct {
		Command json.RawMessage `json:"command"`
		Cmd     json.RawMessage `json:"cmd"`
		Input   string          `json:"input"`
	}
	if decodeTolerantly([]byte(p.Arguments), &given) || decodeTolerantly(p.Action, &given) {
		for _, raw := range []json.RawMessage{given.Command, given.Cmd} {
			if command := shellCommand(raw); !strings.HasPrefix(command, "apply_patch") { // no program: the client changes the files itself
				f.addCommand(command)
			}
		}
	}
	if p.Name == "apply_patch" {
		for _, line := range strings.Split(p.Input+given.Input, "\n") {
			for _, what := range []string{"*** Update File: ", "*** Add File: ", "*** Delete File: "} {
				if file, ok := strings.CutPrefix(line, what); ok {
					if path.IsAbs(folder) && !path.IsAbs(file) { // as file changes name it
						file = path.Join(folder, file)
					}
					f.addFile(file)
				}
			}
		}
	}
}

// shellCommand is a command as a text, or as a list whose first parts call a
// shell.
func shellCommand(raw json.RawMessage) string {
	var words []string
	if json.Unmarshal(raw, &words) != nil {
		return joinTexts(raw)
	}
	if len(words) == 3 && strings.HasPrefix(words[1], "-") && strings.HasSuffix(words[1], "c") {
		return words[2]
	}
	return strings.Join(words, " ")
}
