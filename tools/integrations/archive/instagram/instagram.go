// Package instagram reads the JSON export of Instagram: posts, stories, reels,
// likes, comments, saved posts and messages.
//
// The export writes each byte of a UTF-8 text as an escaped character of its
// own (é as \u00c3\u00a9); such texts are put together again.
package instagram

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"toolkit/tools/integrations/archive"
)

// Format reads exports of Instagram.
type Format struct{}

// Expects says what an export consists of.
func (Format) Expects() string {
	return "the export of Instagram in JSON, as a ZIP file or its folder with your_instagram_activity"
}

// files are the documents of an export, by the end of their names.
var files = []struct {
	name *regexp.Regexp
	read func(string, json.RawMessage) ([]archive.Item, error)
	keys []string // of the list, where the document is an object
}{
	{regexp.MustCompile(`(^|/)posts_\d+\.json$`), media("post"), nil},
	{regexp.MustCompile(`(^|/)stories\.json$`), media("story"), []string{"ig_stories"}},
	{regexp.MustCompile(`(^|/)reels\.json$`), media("reel"), []string{"ig_reels_media"}},
	{regexp.MustCompile(`(^|/)liked_posts\.json$`), like("like"), []string{"likes_media_likes"}},
	{regexp.MustCompile(`(^|/)liked_comments\.json$`), like("comment_like"), []string{"likes_comment_likes"}},
	{regexp.MustCompile(`(^|/)(post_comments(_\d+)?|reels_comments)\.json$`), comment, []string{"comments_reels_comments", "comments_media_comments"}},
	{regexp.MustCompile(`(^|/)saved_posts\.json$`), saved, []string{"saved_saved_media"}},
	{regexp.MustCompile(`(^|/)message_\d+\.json$`), nil, nil},
}

// Reader knows the documents listed above, in folders of any name.
func (Format) Reader(name string) archive.Reader {
	for _, f := range files {
		if !f.name.MatchString(name) {
			continue
		}
		if f.read == nil {
			return thread
		}
		return list(f.keys, f.read)
	}
	return nil
}

// list reads a document that is a list, or has one under a key.
func list(keys []string, read func(string, json.RawMessage) ([]archive.Item, error)) archive.Reader {
	return func(ctx context.Context, d archive.Document, from int64) iter.Seq2[archive.Entry, error] {
		return archive.Steps(from, func(emit archive.Emit) error {
			elements, err := elementsOf(ctx, d, keys)
			if err != nil {
				return err
			}
			for _, raw := range elements {
				if err := ctx.Err(); err != nil {
					return err
				}
				items, reason := read(d.Name, raw)
				if reason != nil {
					items = []archive.Item{{}}
				}
				for _, item := range items {
					if err := emit(item, reason); err != nil {
						return err
					}
				}
			}
			return nil
		})
	}
}

func elementsOf(ctx context.Context, d archive.Document, keys []string) ([]json.RawMessage, error) {
	var whole json.RawMessage
	if err := archive.Whole(ctx, d, &whole); err != nil {
		return nil, err
	}
	var elements []json.RawMessage
	if json.Unmarshal(whole, &elements) == nil {
		return elements, nil
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(whole, &object) != nil {
		return nil, archive.ErrForm
	}
	for _, key := range keys {
		if raw, ok := object[key]; ok {
			if json.Unmarshal(raw, &elements) != nil {
				return nil, archive.ErrForm
			}
			return elements, nil
		}
	}
	// Older exports of one post are the post itself.
	if _, post := object["media"]; post {
		return []json.RawMessage{whole}, nil
	}
	return nil, archive.ErrForm
}

type medium struct {
	URI   string  `json:"uri"`
	Time  float64 `json:"creation_timestamp"`
	Title text    `json:"title"`
}

// media reads posts, stories and reels. A caption stands at the post, or at its
// only picture.
func media(kind string) func(string, json.RawMessage) ([]archive.Item, error) {
	return func(_ string, raw json.RawMessage) ([]archive.Item, error) {
		var p struct {
			medium
			Media []medium `json:"media"`
		}
		if json.Unmarshal(raw, &p) != nil {
			return nil, archive.ErrForm
		}
		if len(p.Media) == 0 {
			p.Media = []medium{p.medium}
		}
		first := p.Media[0]
		at := cmp.Or(p.Time, first.Time)
		if first.URI == "" && at == 0 {
			return nil, errors.New("an entry has neither picture nor time")
		}
		var pictures []string
		for _, m := range p.Media {
			if m.URI != "" {
				pictures = append(pictures, m.URI)
			}
		}
		f := archive.Fields{}
		f.Put("text", string(cmp.Or(p.Title, first.Title))).Put("date", archive.Seconds(at)).Put("media", pictures)
		return []archive.Item{{Type: kind, ID: identity(kind, cmp.Or(path.Base(first.URI), "-"), at), Fields: f}}, nil
	}
}

func identity(kind, what string, at float64) string {
	return kind + ":" + what + ":" + strconv.FormatFloat(at, 'f', -1, 64)
}

// like reads likes, of which one entry may hold several.
func like(kind string) func(string, json.RawMessage) ([]archive.Item, error) {
	return func(_ string, raw json.RawMessage) ([]archive.Item, error) {
		var l struct {
			Title text `json:"title"`
			List  []struct {
				Href string  `json:"href"`
				Time float64 `json:"timestamp"`
			} `json:"string_list_data"`
		}
		if json.Unmarshal(raw, &l) != nil {
			return nil, archive.ErrForm
		}
		var items []archive.Item
		for _, e := range l.List {
			f := archive.Fields{}
			f.Put("author", string(l.Title)).Put("url", e.Href).Put("date", archive.Seconds(e.Time))
			items = append(items, archive.Item{Type: kind, ID: identity(kind, e.Href, e.Time), Fields: f})
		}
		if len(items) == 0 {
			return nil, errors.New("a like names no post")
		}
		return items, nil
	}
}

type entry struct {
	Value text    `json:"value"`
	Href  string  `json:"href"`
	Time  float64 `json:"timestamp"`
}

// entries are the members of a string_map_data in their order. Their names are in
// the language of the account, so what an entry is shows in its shape and place.
type entries []namedEntry

type namedEntry struct {
	name string
	entry
}

// UnmarshalJSON keeps the order.
func (list *entries) UnmarshalJSON(raw []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	if start, err := decoder.Token(); err != nil || start != json.Delim('{') {
		return archive.ErrForm
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		e := namedEntry{}
		if e.name, _ = name.(string); decoder.Decode(&e.entry) != nil {
			return archive.ErrForm
		}
		*list = append(*list, e)
	}
	return nil
}

// first is the entry of a name, else the first of a shape.
func (list entries) first(name string, shape func(entry) bool) entry {
	for _, e := range list {
		if e.name == name {
			return e.entry
		}
	}
	for _, e := range list {
		if shape(e.entry) {
			return e.entry
		}
	}
	return entry{}
}

func comment(_ string, raw json.RawMessage) ([]archive.Item, error) {
	var c struct {
		Data entries `json:"string_map_data"`
	}
	if json.Unmarshal(raw, &c) != nil {
		return nil, archive.ErrForm
	}
	written := func(e entry) bool { return e.Value != "" && e.Time == 0 }
	said := c.Data.first("Comment", written)
	owner := c.Data.first("Media Owner", func(e entry) bool { return written(e) && e != said })
	at := c.Data.first("Time", func(e entry) bool { return e.Time != 0 })
	if said.Value == "" {
		return nil, errors.New("a comment has no text")
	}
	f := archive.Fields{}
	f.Put("text", string(said.Value)).Put("author", string(owner.Value)).Put("date", archive.Seconds(at.Time))
	return []archive.Item{{Type: "comment", ID: identity("comment", string(owner.Value)+":"+string(said.Value), at.Time), Fields: f}}, nil
}

func saved(_ string, raw json.RawMessage) ([]archive.Item, error) {
	var s struct {
		Title text    `json:"title"`
		Data  entries `json:"string_map_data"`
	}
	if json.Unmarshal(raw, &s) != nil {
		return nil, archive.ErrForm
	}
	on := s.Data.first("Saved on", func(e entry) bool { return e.Href != "" })
	if on.Href == "" {
		return nil, errors.New("a saved post has no address")
	}
	f := archive.Fields{}
	f.Put("author", string(s.Title)).Put("url", on.Href).Put("date", archive.Seconds(on.Time))
	return []archive.Item{{Type: "saved_post", ID: identity("saved_post", on.Href, 0), Fields: f}}, nil
}

type conversation struct {
	Title        text `json:"title"`
	Participants []struct {
		Name text `json:"name"`
	} `json:"participants"`
	Messages []json.RawMessage `json:"messages"`
}

type message struct {
	Sender  text    `json:"sender_name"`
	Time    float64 `json:"timestamp_ms"`
	Content text    `json:"content"`
	Photos  []struct {
		URI string `json:"uri"`
	} `json:"photos"`
	Share struct {
		Link string `json:"link"`
		Text text   `json:"share_text"`
	} `json:"share"`
}

// thread reads one file of a conversation; its folder is the conversation's id.
func thread(ctx context.Context, d archive.Document, from int64) iter.Seq2[archive.Entry, error] {
	return archive.Steps(from, func(emit archive.Emit) error {
		var c conversation
		if err := archive.Whole(ctx, d, &c); err != nil {
			return err
		}
		if c.Messages == nil {
			return archive.ErrForm
		}
		var members []string
		for _, p := range c.Participants {
			members = append(members, string(p.Name))
		}
		for _, raw := range c.Messages {
			if err := ctx.Err(); err != nil {
				return err
			}
			var m message
			if json.Unmarshal(raw, &m) != nil || m.Time == 0 {
				if err := emit(archive.Item{}, errors.New("a message has no time, or another form")); err != nil {
					return err
				}
				continue
			}
			if err := emit(m.item(path.Base(path.Dir(d.Name)), string(c.Title), members), nil); err != nil {
				return err
			}
		}
		return nil
	})
}

func (m message) item(thread, title string, members []string) archive.Item {
	f := archive.Fields{}
	f.Put("text", string(cmp.Or(m.Content, m.Share.Text))).Put("from", string(m.Sender)).Put("date", archive.Seconds(m.Time/1000))
	f.Put("chat", title).Put("members", members).Put("link", m.Share.Link)
	var photos []string
	for _, p := range m.Photos {
		photos = append(photos, p.URI)
	}
	f.Put("media", photos)
	return archive.Item{Type: "message", ID: identity("message", thread+":"+string(m.Sender)+":"+string(m.Content), m.Time), Fields: f}
}

// text is a string whose bytes were escaped one by one.
type text string

// UnmarshalJSON reads and repairs a string.
func (t *text) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	*t = text(repair(s))
	return nil
}

// repair puts a text together of which every byte became a character. A text
// with characters beyond a byte, or whose bytes are no UTF-8, was not spoilt.
func repair(s string) string {
	var b strings.Builder
	wide := false
	for _, r := range s {
		if r > 0xff {
			return s
		}
		wide = wide || r >= 0x80
		b.WriteByte(byte(r))
	}
	if !wide || !utf8.ValidString(b.String()) {
		return s
	}
	return b.String()
}
