// Package telegram reads the machine-readable export of Telegram Desktop: one
// result.json with a chat, or with all chats, of any size.
package telegram

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"toolkit/tools/integrations/archive"
)

// Format reads exports of Telegram.
type Format struct{}

// Expects says what an export consists of.
func (Format) Expects() string {
	return "the export of Telegram Desktop in machine-readable JSON: result.json, or a ZIP file that holds it"
}

// Reader knows result.json.
func (Format) Reader(name string) archive.Reader {
	if path.Base(name) == "result.json" {
		return archive.Walk(read)
	}
	return nil
}

// chat is what an export says of a conversation before its messages.
type chat struct {
	Name string
	Type string
	ID   string
}

type walker struct {
	json  *archive.JSON
	emit  archive.Emit
	found bool // messages were there
}

func read(ctx context.Context, _ archive.Document, file io.Reader, emit archive.Emit) error {
	w := &walker{json: archive.NewJSON(ctx, file), emit: emit}
	if err := w.chat(); err != nil {
		return err
	}
	if !w.found {
		return archive.ErrForm
	}
	return nil
}

// chat reads an object that is a chat, or the whole export, which holds chats.
func (w *walker) chat() error {
	var c chat
	return w.json.Members(func(key string) error {
		switch key {
		case "messages":
			w.found = true
			return w.json.Elements(func(raw json.RawMessage) error { return w.message(c, raw) })
		case "chats", "left_chats":
			w.found = true
			return w.chats()
		}
		raw, err := w.json.Value()
		if err != nil {
			return err
		}
		switch key {
		case "name":
			c.Name = scalar(raw)
		case "type":
			c.Type = scalar(raw)
		case "id":
			c.ID = scalar(raw)
		}
		return nil
	})
}

// chats reads {"about": …, "list": [chat, …]}.
func (w *walker) chats() error {
	return w.json.Members(func(key string) error {
		if key != "list" {
			_, err := w.json.Value()
			return err
		}
		if err := w.json.Expect('['); err != nil {
			return err
		}
		for w.json.More() {
			if err := w.chat(); err != nil {
				return err
			}
		}
		return w.json.Expect(']')
	})
}

// scalar is the text of a string or number.
func scalar(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return strings.Trim(string(raw), `"`)
}

type message struct {
	ID        json.Number     `json:"id"`
	Type      string          `json:"type"`
	Date      string          `json:"date"`
	Unix      string          `json:"date_unixtime"`
	From      string          `json:"from"`
	FromID    string          `json:"from_id"`
	Text      json.RawMessage `json:"text"`
	Forwarded string          `json:"forwarded_from"`
	ReplyTo   json.Number     `json:"reply_to_message_id"`
	Media     string          `json:"media_type"`
	File      string          `json:"file_name"`
	Photo     string          `json:"photo"`
}

// message reads one message. What Telegram itself noted, such as a call or a new
// member, is left out.
func (w *walker) message(c chat, raw json.RawMessage) error {
	var m message
	if json.Unmarshal(raw, &m) != nil {
		return w.emit(archive.Item{}, archive.ErrForm)
	}
	if m.Type != "message" {
		return nil
	}
	if m.ID == "" {
		return w.emit(archive.Item{}, errors.New("a message has no id"))
	}
	text, err := plain(m.Text)
	if err != nil {
		return w.emit(archive.Item{}, err)
	}
	f := archive.Fields{}
	f.Put("text", text).Put("date", m.moment()).Put("from", cmp.Or(m.From, m.FromID)).Put("chat", c.Name).Put("chat_type", c.Type)
	f.Put("forwarded_from", m.Forwarded).Put("in_reply_to", m.ReplyTo.String()).Put("file", m.File)
	kind := m.Media
	if kind == "" && m.Photo != "" {
		kind = "photo"
	}
	f.Put("media", kind)
	return w.emit(archive.Item{Type: "message", ID: "message:" + cmp.Or(c.ID, c.Name) + ":" + m.ID.String(), Fields: f}, nil)
}

// moment is the time of a message; older exports have it without a zone, in that
// of the computer which made them, and it counts as UTC.
func (m message) moment() time.Time {
	if unix, err := strconv.ParseFloat(m.Unix, 64); err == nil {
		return archive.Seconds(unix)
	}
	at, err := time.Parse("2006-01-02T15:04:05", m.Date)
	if err != nil {
		return time.Time{}
	}
	return at
}

// plain joins a text that is a string, or a list of strings and of formatted
// pieces.
func plain(raw json.RawMessage) (string, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return "", nil
	}
	var whole string
	if json.Unmarshal(raw, &whole) == nil {
		return whole, nil
	}
	var parts []json.RawMessage
	if json.Unmarshal(raw, &parts) != nil {
		return "", archive.ErrForm
	}
	var b strings.Builder
	for _, part := range parts {
		var piece struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(part, &whole) == nil {
			b.WriteString(whole)
		} else if json.Unmarshal(part, &piece) == nil {
			b.WriteString(piece.Text)
		}
	}
	return b.String(), nil
}
