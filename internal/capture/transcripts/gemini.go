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
	*reading
	base  Turn
	turns []Turn // what is kept of each message; without text where nothing was said
	at    map[string]int
}

var errNoChat = errors.New("not a chat of Gemini CLI")

// readGemini reads a chat as JSON lines, from the beginning.
func readGemini(ctx context.Context, r io.Reader, folder string, rd *reading) error {
	g := &gemini{reading: rd, base: Turn{Client: Gemini, Folder: folder}, at: map[string]int{}}
	end, err := eachLine(ctx, r, 0, &rd.Report, func(line []byte, start, _ int64) error {
		if g.base.Session == "" {
			var chat geminiChat
			if decode(line, &chat) && chat.Session != "" {
				g.head(&chat)
				return nil
			}
		}
		var l geminiLine
		if !decode(line, &l) {
			rd.bad(start, "not a line of a chat in JSON")
			return nil
		}
		switch {
		case l.Set != nil:
			g.set(l.Set)
		case l.RewindTo != "":
			g.rewind(l.RewindTo)
		case l.ID != "":
			g.take(&l.geminiMessage)
		default:
			rd.skip("lines without a message")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return g.finish(end)
}

// readGeminiWhole reads a chat that is one JSON value.
func readGeminiWhole(r io.Reader, folder string, rd *reading) error {
	raw, err := io.ReadAll(io.LimitReader(r, maxConversationBytes+1))
	if err != nil {
		return err
	}
	var chat geminiChat
	switch {
	case len(raw) > maxConversationBytes:
		rd.bad(0, tooLong("a chat", maxConversationBytes))
	case !decode(raw, &chat) || chat.Session == "":
		return errNoChat
	default:
		g := &gemini{reading: rd, base: Turn{Client: Gemini, Folder: folder}, at: map[string]int{}}
		g.head(&chat)
		return g.finish(int64(len(raw)))
	}
	rd.Offset = int64(len(raw))
	return nil
}

func (g *gemini) head(chat *geminiChat) {
	g.base.Session, g.base.SideChain = chat.Session, chat.Kind == "subagent"
	g.set(chat)
}

// set replaces all messages, when it names any.
func (g *gemini) set(chat *geminiChat) {
	var messages []json.RawMessage
	if len(chat.Messages) == 0 || json.Unmarshal(chat.Messages, &messages) != nil {
		return
	}
	g.turns, g.at = nil, map[string]int{}
	for _, raw := range messages {
		var m geminiMessage
		if decode(raw, &m) && m.ID != "" {
			g.take(&m)
		} else {
			g.skip("messages of unknown form")
		}
	}
}

// rewind forgets a message and all behind it.
func (g *gemini) rewind(id string) {
	n, known := g.at[id]
	if !known {
		return
	}
	for _, t := range g.turns[n:] {
		delete(g.at, t.ID)
	}
	g.turns = g.turns[:n]
}

func (g *gemini) take(m *geminiMessage) {
	t := g.base
	t.ID, t.At = m.ID, parseTime(m.Timestamp)
	switch m.Type {
	case "user":
		t.Speaker = User
		g.setText(&t, texts(m.Content))
	case "gemini", "model":
		t.Speaker = Assistant
		g.setText(&t, texts(m.Content))
		for _, call := range m.Calls {
			t.ran(call.Args.Command)
			if call.Name == "write_file" || call.Name == "replace" {
				t.changed(call.Args.File)
			}
		}
	default:
		g.unknown("messages of type", m.Type)
		return
	}
	if n, known := g.at[m.ID]; known {
		g.turns[n] = t
		return
	}
	g.at[m.ID] = len(g.turns)
	g.turns = append(g.turns, t)
}

// finish hands on what was said.
func (g *gemini) finish(end int64) error {
	if g.base.Session == "" {
		return errNoChat
	}
	pending, parent := pendingFacts{}, ""
	for _, t := range g.turns {
		t.Session, t.SideChain = g.base.Session, g.base.SideChain
		if t.Parent = parent; t.Text != "" {
			parent = t.ID
		}
		if err := pending.emitTurn(g.reading, t, t.Text != "", 0, 0); err != nil {
			return err
		}
	}
	g.Offset = end
	return nil
}
