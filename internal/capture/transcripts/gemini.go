package transcripts

import (
	"context"
	"encoding/json"
	"errors"
	"io"
)

// geminiChat is a chat of Gemini CLI: a whole file, or the first line of one.
type geminiChat struct {
	Session  string          `json:"sessionId"`
	Kind     string          `json:"kind"`
	Messages json.RawMessage `json:"messages"`
}

// geminiLine is a later line: a message, a change of the chat, or how far back
// the user went.
type geminiLine struct {
	geminiMessage
	Set      *geminiChat `json:"$set"`
	RewindTo string      `json:"$rewindTo"`
}

type geminiMessage struct {
	ID        string          `json:"id"`
	Timestamp string          `json:"timestamp"`
	Type      string          `json:"type"`
	Content   json.RawMessage `json:"content"`
	Calls     []struct {
		Name string `json:"name"`
		Args struct {
			Command string `json:"command"`
			File    string `json:"file_path"`
		} `json:"args"`
	} `json:"toolCalls"`
}

// gemini is a chat as far as it is read. A message comes again when it changed,
// so that nothing can be said before the end.
type gemini struct {
	*transcriptReader
	base  Turn
	turns []Turn // what is kept of each message; without text where nothing was said
	at    map[string]int
}

var errNoChat = errors.New("not a chat of Gemini CLI")

// readGemini reads a chat as JSON lines, from the beginning.
func readGemini(ctx context.Context, r io.Reader, folder string, rd *transcriptReader) error {
	g := &gemini{transcriptReader: rd, base: Turn{Client: Gemini, Folder: folder}, at: map[string]int{}}
	end, err := eachLine(ctx, r, 0, &rd.Report, func(line []byte, start, _ int64) error {
		if g.base.Session == "" {
			var chat geminiChat
			if decodeTolerantly(line, &chat) && chat.Session != "" {
				g.readHead(&chat)
				return nil
			}
		}
		var l geminiLine
		if !decodeTolerantly(line, &l) {
			rd.addProblem(start, "not a line of a chat in JSON")
			return nil
		}
		switch {
		case l.Set != nil:
			g.replaceMessages(l.Set)
		case l.RewindTo != "":
			g.removeTurnsFrom(l.RewindTo)
		case l.ID != "":
			g.addMessage(&l.geminiMessage)
		default:
			rd.countSkipped("lines without a message")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return g.emitTurns(end)
}

// readGeminiWhole reads a chat that is one JSON value.
func readGeminiWhole(r io.Reader, folder string, rd *transcriptReader) error {
	raw, err := io.ReadAll(io.LimitReader(r, maxConversationBytes+1))
	if err != nil {
		return err
	}
	var chat geminiChat
	switch {
	case len(raw) > maxConversationBytes:
		rd.addProblem(0, formatTooLong("a chat", maxConversationBytes))
	case !decodeTolerantly(raw, &chat) || chat.Session == "":
		return errNoChat
	default:
		g := &gemini{transcriptReader: rd, base: Turn{Client: Gemini, Folder: folder}, at: map[string]int{}}
		g.readHead(&chat)
		return g.emitTurns(int64(len(raw)))
	}
	rd.Offset = int64(len(raw))
	return nil
}

func (g *gemini) readHead(chat *geminiChat) {
	g.base.Session, g.base.SideChain = chat.Session, chat.Kind == "subagent"
	g.replaceMessages(chat)
}

// replaceMessages replaces all messages, when it names any.
func (g *gemini) replaceMessages(chat *geminiChat) {
	var messages []json.RawMessage
	if len(chat.Messages) == 0 || json.Unmarshal(chat.Messages, &messages) != nil {
		return
	}
	g.turns, g.at = nil, map[string]int{}
	for _, raw := range messages {
		var m geminiMessage
		if decodeTolerantly(raw, &m) && m.ID != "" {
			g.addMessage(&m)
		} else {
			g.countSkipped("messages of unknown form")
		}
	}
}

// removeTurnsFrom forgets a message and all behind it.
func (g *gemini) removeTurnsFrom(id string) {
	n, known := g.at[id]
	if !known {
		return
	}
	for _, t := range g.turns[n:] {
		delete(g.at, t.ID)
	}
	g.turns = g.turns[:n]
}

func (g *gemini) addMessage(m *geminiMessage) {
	t := g.base
	t.ID, t.At = m.ID, parseTime(m.Timestamp)
	switch m.Type {
	case "user":
		t.Speaker = User
		g.setCleanText(&t, joinTexts(m.Content))
	case "gemini", "model":
		t.Speaker = Assistant
		g.setCleanText(&t, joinTexts(m.Content))
		for _, call := range m.Calls {
			t.addCommand(call.Args.Command)
			if call.Name == "write_file" || call.Name == "replace" {
				t.addFile(call.Args.File)
			}
		}
	default:
		g.countUnknown("messages of type", m.Type)
		return
	}
	if n, known := g.at[m.ID]; known {
		g.turns[n] = t
		return
	}
	g.at[m.ID] = len(g.turns)
	g.turns = append(g.turns, t)
}

// emitTurns hands on what was said.
func (g *gemini) emitTurns(end int64) error {
	if g.base.Session == "" {
		return errNoChat
	}
	pending, parent := pendingFacts{}, ""
	for _, t := range g.turns {
		t.Session, t.SideChain = g.base.Session, g.base.SideChain
		if t.Parent = parent; t.Text != "" {
			parent = t.ID
		}
		if err := pending.emitTurnWithFacts(g.transcriptReader, t, t.Text != "", 0, 0); err != nil {
			return err
		}
	}
	g.Offset = end
	return nil
}
