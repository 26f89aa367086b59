// Package slack reads the export of a Slack workspace: a folder for each channel
// with a file for each day, and lists of users and channels at the top.
package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"toolkit/tools/integrations/archive"
)

// Format reads exports of Slack. It remembers the lists of users and channels of
// the exports it met, so a value serves one run.
type Format struct{ known map[string]*workspace }

// New returns a Format for one run.
func New() *Format { return &Format{known: map[string]*workspace{}} }

// Expects says what an export consists of.
func (*Format) Expects() string {
	return "the ZIP file of the workspace export, or its folder with users.json and a folder for each channel"
}

var dayFile = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}\.json$`)

// Reader knows the files of days, CHANNEL/YYYY-MM-DD.json.
func (f *Format) Reader(name string) archive.Reader {
	if !dayFile.MatchString(path.Base(name)) || path.Dir(name) == "." {
		return nil
	}
	return archive.Walk(f.day)
}

// workspace is what the lists at the top of an export say.
type workspace struct {
	people   map[string]string // id to name
	channels map[string]channel
}

type channel struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Members []string `json:"members"`
}

type user struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Real    string `json:"real_name"`
	Profile struct {
		Real    string `json:"real_name"`
		Display string `json:"display_name"`
	} `json:"profile"`
}

// workspaceOf reads the lists beside a day's file. Lists that are missing or
// broken leave ids in place of names.
func (f *Format) workspaceOf(ctx context.Context, d archive.Document, root string) *workspace {
	key := strings.TrimSuffix(d.Shown, d.Name) + "\x00" + root
	if w := f.known[key]; w != nil {
		return w
	}
	w := &workspace{people: map[string]string{}, channels: map[string]channel{}}
	var users []user
	if list, ok := d.Beside(path.Join(root, "users.json")); ok && archive.Whole(ctx, list, &users) == nil {
		for _, u := range users {
			w.people[u.ID] = cmp.Or(u.Profile.Real, u.Real, u.Profile.Display, u.Name)
		}
	}
	for _, name := range []string{"channels.json", "groups.json", "dms.json", "mpims.json"} {
		var channels []channel
		if list, ok := d.Beside(path.Join(root, name)); ok && archive.Whole(ctx, list, &channels) == nil {
			for _, c := range channels {
				w.channels[cmp.Or(c.Name, c.ID)] = c
			}
		}
	}
	f.known[key] = w
	return w
}

type message struct {
	Type    string `json:"type"`
	Subtype string `json:"subtype"`
	User    string `json:"user"`
	Bot     string `json:"bot_id"`
	Name    string `json:"username"`
	Text    string `json:"text"`
	Time    string `json:"ts"`
	Thread  string `json:"thread_ts"`
	Profile struct {
		Real    string `json:"real_name"`
		Display string `json:"display_name"`
	} `json:"user_profile"`
	Files []struct {
		Name  string `json:"name"`
		Title string `json:"title"`
	} `json:"files"`
	Reactions []struct {
		Name  string `json:"name"`
		Count int    `json:"count"`
	} `json:"reactions"`
}

func (f *Format) day(ctx context.Context, d archive.Document, file io.Reader, emit archive.Emit) error {
	folder := path.Dir(d.Name)
	w := f.workspaceOf(ctx, d, path.Dir(folder))
	return archive.NewJSON(ctx, file).Elements(func(raw json.RawMessage) error {
		var m message
		if json.Unmarshal(raw, &m) != nil {
			return emit(archive.Item{}, archive.ErrForm)
		}
		if m.noise() {
			return nil
		}
		return emit(w.item(path.Base(folder), m))
	})
}

// noise are the notes of Slack itself: who joined, what was renamed.
func (m message) noise() bool {
	switch m.Subtype {
	case "", "thread_broadcast", "bot_message", "me_message", "file_share", "reply_broadcast":
		return m.Type != "message"
	}
	return true
}

func (w *workspace) item(folder string, m message) (archive.Item, error) {
	at, err := strconv.ParseFloat(m.Time, 64)
	if err != nil {
		return archive.Item{}, errors.New("a message has no time")
	}
	c := w.channels[folder]
	f := archive.Fields{}
	f.Put("text", w.plain(m.Text)).Put("date", archive.Seconds(at)).Put("channel", folder)
	f.Put("from", cmp.Or(w.people[m.User], m.Profile.Real, m.Profile.Display, m.Name, m.User, m.Bot))
	if c.Name == "" { // a conversation between people has no name of its own
		value := make([]string, len(c.Members))
		for i, id := range c.Members {
			value[i] = cmp.Or(w.people[id], id)
		}
		f.Put("members", value)
	}
	if m.Thread != "" && m.Thread != m.Time {
		f.Put("in_reply_to", m.Thread)
	}
	var files, reactions []string
	for _, file := range m.Files {
		if name := cmp.Or(file.Name, file.Title); name != "" {
			files = append(files, name)
		}
	}
	for _, r := range m.Reactions {
		reactions = append(reactions, r.Name+" "+strconv.Itoa(r.Count))
	}
	f.Put("files", files).Put("reactions", reactions)
	author := cmp.Or(m.User, m.Bot, m.Name)
	return archive.Item{Type: "message", ID: "message:" + cmp.Or(c.ID, folder) + ":" + m.Time + ":" + author, Fields: f}, nil
}

// markup is <@U1>, <#C1|general>, <!here> or <https://…|label>.
var markup = regexp.MustCompile(`<([@#!]?)([^<>|]*)(?:\|([^<>]*))?>`)

// plain is a message as its readers saw it.
func (w *workspace) plain(text string) string {
	text = markup.ReplaceAllStringFunc(text, func(found string) string {
		part := markup.FindStringSubmatch(found)
		switch kind, target, label := part[1], part[2], part[3]; kind {
		case "@":
			return "@" + cmp.Or(w.people[target], label, target)
		case "#":
			return "#" + cmp.Or(label, target)
		case "!":
			return cmp.Or(label, "@"+target)
		default:
			if label != "" && label != target {
				return label + " (" + target + ")"
			}
			return target
		}
	})
	return html.UnescapeString(text)
}
