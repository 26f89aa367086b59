package transcripts

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/internal/lazyregexp"
)

// exportedConversation is a conversation of either export: ChatGPT writes a tree of nodes,
// Claude a list of messages, which name those that they answer.
type exportedConversation struct {
	ID             string                `json:"id"`
	ConversationID string                `json:"conversation_id"`
	Title          string                `json:"title"`
	Created        float64               `json:"create_time"` // unix seconds
	Nodes          map[string]chatNode   `json:"mapping"`
	Current        string                `json:"current_node"`
	UUID           string                `json:"uuid"`
	Name           string                `json:"name"`
	CreatedAt      string                `json:"created_at"`
	Messages       []claudeExportMessage `json:"chat_messages"`
	Leaf           string                `json:"current_leaf_message_uuid"`
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
	UUID        string            `json:"uuid"`
	Parent      string            `json:"parent_message_uuid"`
	Sender      string            `json:"sender"`
	Created     string            `json:"created_at"`
	Text        string            `json:"text"`
	Content     json.RawMessage   `json:"content"`
	Attachments []json.RawMessage `json:"attachments"`
	Files       []json.RawMessage `json:"files"`
}

// readExport reads the conversations of an export.
func readExport(ctx context.Context, r io.Reader, rd *transcriptReader) error {
	list, err := findConversationList(r)
	if err != nil {
		return err
	}
	return eachArrayElement(ctx, list, &rd.Report, func(element []byte, at int64) error {
		var c exportedConversation
		switch ok := decodeTolerantly(element, &c); {
		case !ok:
			rd.addProblem(at, "not a conversation in JSON")
		case c.Nodes != nil:
			return rd.readChatGPTExport(&c)
		case c.Messages != nil && c.UUID != "":
			return rd.readClaudeExport(&c)
		default:
			rd.addProblem(at, "not a conversation of ChatGPT or Claude")
		}
		return nil
	})
}

var inObject = lazyregexp.New(`^[^\[]*"conversations"\s*:\s*`)

// findConversationList returns the list of an export, also where an object holds it, or where there is
// only one conversation.
func findConversationList(r io.Reader) (io.Reader, error) {
	text := bufio.NewReaderSize(r, headBytes)
	head, err := text.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	value := bytes.TrimLeft(head, byteOrderMark+" \t\r\n")
	if !bytes.HasPrefix(value, []byte("{")) {
		return text, nil
	}
	if before := inObject().Find(value); before != nil {
		_, err := text.Discard(len(head) - len(value) + len(before))
		return text, err
	}
	_, err = text.Discard(len(head) - len(value))
	return io.MultiReader(strings.NewReader("["), text, strings.NewReader("]")), err
}

// node is a message in a tree of messages; what is not said only leads to others.
type node struct {
	id, parent string
	at         time.Time
	said       bool
}

// findCurrentBranch returns the branch of a tree that the user saw last, its beginning first: up from
// the current node, or else from the newest message. A parent that is missing is
// taken to be the newest message before.
func (rd *transcriptReader) findCurrentBranch(nodes []node, current string) (ids []string) {
	byID, answered, seen := map[string]node{}, map[string]bool{}, map[string]bool{}
	for _, n := range nodes {
		byID[n.id], answered[n.parent] = n, true
	}
	slices.SortStableFunc(nodes, func(a, b node) int {
		return cmp.Or(a.at.Compare(b.at), cmp.Compare(boolToInt(!answered[a.id]), boolToInt(!answered[b.id])))
	})
	left, id := nodes, current
	for later := (time.Time{}); ; {
		if _, known := byID[id]; !known {
			for len(left) > 0 && (!left[len(left)-1].said || seen[left[len(left)-1].id] || !later.IsZero() && left[len(left)-1].at.After(later)) {
				left = left[:len(left)-1]
			}
			if len(left) == 0 {
				break
			}
			id = left[len(left)-1].id
		}
		if seen[id] {
			break
		}
		n := byID[id]
		seen[id], ids = true, append(ids, id)
		if !n.at.IsZero() {
			later = n.at
		}
		if id = n.parent; id == "" {
			break
		}
	}
	for _, n := range nodes {
		if n.said && !seen[n.id] {
			rd.countSkipped("messages of other branches")
		}
	}
	slices.Reverse(ids)
	return ids
}

func boolToInt(last bool) int {
	if last {
		return 1
	}
	return 0
}

// readChatGPTExport hands on the branch that the user saw last.
func (rd *transcriptReader) readChatGPTExport(c *exportedConversation) error {
	var nodes []node
	for _, id := range slices.Sorted(maps.Keys(c.Nodes)) {
		n := node{id: id, parent: c.Nodes[id].Parent}
		if m := c.Nodes[id].Message; m != nil {
			n.said, n.at = true, timeOfUnixSeconds(m.Created)
		}
		nodes = append(nodes, n)
	}
	t := Turn{Client: ChatGPT, Session: cmp.Or(c.ConversationID, c.ID), Title: c.Title, At: timeOfUnixSeconds(c.Created)}
	for _, id := range rd.findCurrentBranch(nodes, c.Current) {
		m := c.Nodes[id].Message
		switch {
		case m == nil:
			continue
		case m.Author.Role != User && m.Author.Role != Assistant, m.Metadata.Hidden, m.Recipient != "" && m.Recipient != "all":
			rd.countSkipped("messages of the system and of tools")
			continue
		case m.Content.Type != "text" && m.Content.Type != "multimodal_text":
			rd.countUnknown("content of type", m.Content.Type)
			continue
		}
		t.ID, t.Speaker = cmp.Or(m.ID, id), m.Author.Role
		if err := rd.emitExportedTurn(&t, timeOfUnixSeconds(m.Created), joinTexts(m.Content.Parts)); err != nil {
			return err
		}
	}
	return nil
}

// emitExportedTurn hands on the next turn of a conversation. One without a time has that
// of the turn before, or of the conversation; a conversation without a name has that
// of its first message.
func (rd *transcriptReader) emitExportedTurn(t *Turn, at time.Time, text string) error {
	if !at.IsZero() {
		t.At = at
	}
	if strings.TrimSpace(text) == "" {
		rd.countSkipped("messages without text")
	}
	if !rd.setCleanText(t, text) {
		return nil
	}
	t.Session = cmp.Or(t.Session, t.ID)
	err := rd.emitTurn(*t)
	t.Parent = t.ID
	return err
}

func timeOfUnixSeconds(s float64) time.Time {
	if s <= 0 || s > 1<<37 || math.IsNaN(s) { // until the year 6325
		return time.Time{}
	}
	return time.UnixMilli(int64(s * 1000)).UTC()
}

// noMessage is what the first message of a conversation of Claude answers.
const noMessage = "00000000-0000-4000-8000-000000000000"

// readClaudeExport hands on the branch that the user saw last. A message that does not
// say what it answers follows the one before it.
func (rd *transcriptReader) readClaudeExport(c *exportedConversation) error {
	var nodes []node
	messages, before, tree := map[string]*claudeExportMessage{}, "", false
	for i := range c.Messages {
		m := &c.Messages[i]
		n := node{id: cmp.Or(m.UUID, "#"+strconv.Itoa(i)), parent: cmp.Or(m.Parent, before), at: parseTime(m.Created), said: true}
		if n.parent == noMessage {
			n.parent = ""
		}
		nodes, messages[n.id], before, tree = append(nodes, n), m, n.id, tree || m.Parent != ""
	}
	if !tree {
		c.Leaf = before
	}
	t := Turn{Client: Claude, Session: c.UUID, Title: c.Name, At: parseTime(c.CreatedAt)}
	for _, id := range rd.findCurrentBranch(nodes, c.Leaf) {
		m := messages[id]
		for range len(m.Attachments) + len(m.Files) {
			rd.countSkipped("attachments")
		}
		t.ID, t.Speaker = m.UUID, Assistant
		switch m.Sender {
		case "human", "user":
			t.Speaker = User
		case "assistant":
		default:
			rd.countUnknown("messages of", m.Sender)
			continue
		}
		if err := rd.emitExportedTurn(&t, parseTime(m.Created), cmp.Or(joinTexts(m.Content), m.Text)); err != nil {
			return err
		}
	}
	return nil
}

// ErrNoExport is an archive without conversations.
var ErrNoExport = errors.New("the archive holds no conversations.json")

// readExportArchive reads the conversations of an export as it is downloaded.
func readExportArchive(ctx context.Context, file *os.File, size int64, rd *transcriptReader) error {
	archive, err := zip.NewReader(file, size)
	if err != nil {
		return fmt.Errorf("it is not a whole archive: %w", err)
	}
	var faults []error
	found, read := false, false
	for _, entry := range archive.File {
		if !isConversationsFile(path.Base(entry.Name)) {
			continue
		}
		found = true
		if err := rd.readArchiveEntry(ctx, entry); err != nil {
			err = fmt.Errorf("%s: %w", path.Base(entry.Name), err)
			if rd.refused || ctx.Err() != nil {
				return err
			}
			faults = append(faults, err)
			continue
		}
		read = true
	}
	switch {
	case !found:
		return ErrNoExport
	case !read:
		return faults[0]
	}
	for _, fault := range faults { // keeps nobody from the other parts
		rd.addProblem(0, fault.Error())
	}
	return nil
}

func (rd *transcriptReader) readArchiveEntry(ctx context.Context, entry *zip.File) error {
	r, err := entry.Open()
	if err != nil {
		return err
	}
	defer r.Close() //nolint:errcheck // it was only read
	return readExport(ctx, r, rd)
}

// isConversationsFile tells conversations.json and its shards.
func isConversationsFile(name string) bool {
	return strings.HasPrefix(name, "conversations") && strings.HasSuffix(name, ".json")
}
