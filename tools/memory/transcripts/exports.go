package transcripts

import (
	"archive/zip"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"slices"
	"strings"
	"time"
)

// exported is a conversation of either export: ChatGPT writes a tree of nodes,
// Claude a list of messages.
type exported struct {
	ID             string                `json:"id"`
	ConversationID string                `json:"conversation_id"`
	Title          string                `json:"title"`
	Nodes          map[string]chatNode   `json:"mapping"`
	Current        string                `json:"current_node"`
	UUID           string                `json:"uuid"`
	Name           string                `json:"name"`
	Messages       []claudeExportMessage `json:"chat_messages"`
}

type chatNode struct {
	Parent  string `json:"parent"`
	Message *struct {
		ID     string `json:"id"`
		Author struct {
			Role string `json:"role"`
		} `json:"author"`
		Created   float64 `json:"create_time"` // unix seconds
		Recipient string  `json:"recipient"`
		Content   struct {
			Type  string          `json:"content_type"`
			Parts json.RawMessage `json:"parts"`
		} `json:"content"`
		Metadata struct {
			Hidden bool `json:"is_visually_hidden_from_conversation"`
		} `json:"metadata"`
	} `json:"message"`
}

type claudeExportMessage struct {
	UUID    string          `json:"uuid"`
	Parent  string          `json:"parent_message_uuid"`
	Sender  string          `json:"sender"`
	Created string          `json:"created_at"`
	Text    string          `json:"text"`
	Content json.RawMessage `json:"content"`
}

// readExport reads the conversations of an export.
func readExport(ctx context.Context, r io.Reader, rd *reading) error {
	return eachElement(ctx, r, &rd.Report, func(element []byte, at int64) error {
		var c exported
		switch ok := decode(element, &c); {
		case !ok:
			rd.bad(at, "not a conversation in JSON")
		case c.Nodes != nil:
			return rd.chatGPT(&c)
		case c.Messages != nil && c.UUID != "":
			return rd.claudeExport(&c)
		default:
			rd.bad(at, "not a conversation of ChatGPT or Claude")
		}
		return nil
	})
}

// chatGPT hands on the branch that the user saw last.
func (rd *reading) chatGPT(c *exported) error {
	var branch []chatNode
	seen := map[string]bool{}
	for id := c.Current; id != "" && !seen[id]; id = c.Nodes[id].Parent {
		seen[id] = true
		branch = append(branch, c.Nodes[id])
	}
	for id, node := range c.Nodes {
		if !seen[id] && node.Message != nil {
			rd.skip("messages of other branches")
		}
	}
	parent := ""
	for _, node := range slices.Backward(branch) {
		m := node.Message
		switch {
		case m == nil:
			continue
		case m.Author.Role != User && m.Author.Role != Assistant, m.Metadata.Hidden, m.Recipient != "" && m.Recipient != "all":
			rd.skip("messages of the system and of tools")
			continue
		case m.Content.Type != "text" && m.Content.Type != "multimodal_text":
			rd.unknown("content of type", m.Content.Type)
			continue
		}
		t := Turn{Client: ChatGPT, Session: cmp.Or(c.ConversationID, c.ID), Title: c.Title, ID: m.ID, Parent: parent, Speaker: m.Author.Role, At: unixSeconds(m.Created)}
		if !rd.said(&t, texts(m.Content.Parts)) {
			continue
		}
		parent = t.ID
		if err := rd.pass(t); err != nil {
			return err
		}
	}
	return nil
}

func unixSeconds(s float64) time.Time {
	if s <= 0 || s > 1<<37 || math.IsNaN(s) { // until the year 6325
		return time.Time{}
	}
	return time.UnixMilli(int64(s * 1000)).UTC()
}

func (rd *reading) claudeExport(c *exported) error {
	for _, m := range c.Messages {
		t := Turn{Client: Claude, Session: c.UUID, Title: c.Name, ID: m.UUID, Parent: m.Parent, At: parseTime(m.Created), Speaker: User}
		switch m.Sender {
		case "human":
		case "assistant":
			t.Speaker = Assistant
		default:
			rd.unknown("messages of", m.Sender)
			continue
		}
		if !rd.said(&t, cmp.Or(texts(m.Content), m.Text)) {
			continue
		}
		if err := rd.pass(t); err != nil {
			return err
		}
	}
	return nil
}

// ErrNoExport is an archive without conversations.
var ErrNoExport = errors.New("the archive holds no conversations.json")

// readArchive reads the conversations of an export as it is downloaded.
func readArchive(ctx context.Context, file *os.File, size int64, rd *reading) error {
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return fmt.Errorf("it is not a whole archive: %w", err)
	}
	found := false
	for _, entry := range archive.File {
		if !isConversations(path.Base(entry.Name)) {
			continue
		}
		found = true
		if err := rd.readEntry(ctx, entry); err != nil {
			return fmt.Errorf("%s: %w", path.Base(entry.Name), err)
		}
	}
	if !found {
		return ErrNoExport
	}
	return nil
}

func (rd *reading) readEntry(ctx context.Context, entry *zip.File) error {
	r, err := entry.Open()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // it was only read
	return readExport(ctx, r, rd)
}

// isConversations tells conversations.json and its shards.
func isConversations(name string) bool {
	return strings.HasPrefix(name, "conversations") && strings.HasSuffix(name, ".json")
}
