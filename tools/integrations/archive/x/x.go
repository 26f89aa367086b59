// Package x reads the archive that X, formerly Twitter, hands to its users: posts
// and likes, as JavaScript files that assign one array.
package x

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"path"
	"regexp"
	"strings"
	"time"

	"toolkit/tools/integrations/archive"
)

// Format reads archives of X.
type Format struct{}

// Expects says what an archive consists of.
func (Format) Expects() string {
	return "the archive from X as a ZIP file, or its data folder with tweets.js and like.js"
}

var (
	postFile = regexp.MustCompile(`^tweets?(-part\d+)?\.js$`)
	likeFile = regexp.MustCompile(`^like(-part\d+)?\.js$`)
)

// Reader knows tweets.js and tweet.js, like.js, and their parts.
func (Format) Reader(name string) archive.Reader {
	switch base := path.Base(name); {
	case postFile.MatchString(base):
		return reader(post)
	case likeFile.MatchString(base):
		return reader(like)
	}
	return nil
}

// reader reads the elements of the array that a file assigns.
func reader(read func(json.RawMessage) (archive.Item, error)) archive.Reader {
	return archive.Walk(func(ctx context.Context, _ archive.Document, file io.Reader, emit archive.Emit) error {
		source := bufio.NewReader(archive.Decoded(file))
		if err := skipAssignment(source); err != nil {
			return err
		}
		return archive.NewJSON(ctx, source).Elements(func(raw json.RawMessage) error { return emit(read(raw)) })
	})
}

// maxAssignment bounds what stands before the array: window.YTD.tweets.part0 =
const maxAssignment = 1000

func skipAssignment(r *bufio.Reader) error {
	for range maxAssignment {
		b, err := r.ReadByte()
		if errors.Is(err, io.EOF) {
			return errors.New("it holds no array")
		}
		if err != nil {
			return err
		}
		if b == '[' {
			return r.UnreadByte()
		}
	}
	return errors.New("it holds no array where one is expected")
}

type entities struct {
	Hashtags []struct {
		Text string `json:"text"`
	} `json:"hashtags"`
	Mentions []struct {
		Name string `json:"screen_name"`
	} `json:"user_mentions"`
	URLs []struct {
		URL      string `json:"url"`
		Expanded string `json:"expanded_url"`
	} `json:"urls"`
}

type tweet struct {
	ID        string      `json:"id_str"`
	OtherID   string      `json:"id"`
	FullText  string      `json:"full_text"`
	Text      string      `json:"text"`
	CreatedAt string      `json:"created_at"`
	Language  string      `json:"lang"`
	Likes     json.Number `json:"favorite_count"`
	Reposts   json.Number `json:"retweet_count"`
	ReplyTo   string      `json:"in_reply_to_status_id_str"`
	ReplyName string      `json:"in_reply_to_screen_name"`
	Entities  entities    `json:"entities"`
	Extended  struct {
		Media []struct {
			Type string `json:"type"`
			URL  string `json:"media_url_https"`
		} `json:"media"`
	} `json:"extended_entities"`
}

// post reads {"tweet": {…}}; older archives lack the envelope.
func post(raw json.RawMessage) (archive.Item, error) {
	var envelope struct {
		Tweet json.RawMessage `json:"tweet"`
	}
	if err := json.Unmarshal(raw, &envelope); err != nil {
		return archive.Item{}, archive.ErrForm
	}
	if len(envelope.Tweet) > 0 {
		raw = envelope.Tweet
	}
	var t tweet
	if err := json.Unmarshal(raw, &t); err != nil {
		return archive.Item{}, archive.ErrForm
	}
	id := cmp.Or(t.ID, t.OtherID)
	if id == "" {
		return archive.Item{}, errors.New("a post has no id")
	}
	f := archive.Fields{}
	f.Put("text", t.text()).Put("url", "https://x.com/i/status/"+id).Put("language", t.Language)
	if at, err := time.Parse(time.RubyDate, t.CreatedAt); err == nil {
		f.Put("date", at)
	}
	if n, err := t.Likes.Int64(); err == nil {
		f["likes"] = n
	}
	if n, err := t.Reposts.Int64(); err == nil {
		f["reposts"] = n
	}
	f.Put("in_reply_to", t.ReplyTo).Put("in_reply_to_user", t.ReplyName)
	var tags, mentions, links, media []string
	for _, h := range t.Entities.Hashtags {
		tags = append(tags, h.Text)
	}
	for _, m := range t.Entities.Mentions {
		mentions = append(mentions, m.Name)
	}
	for _, u := range t.Entities.URLs {
		links = append(links, cmp.Or(u.Expanded, u.URL))
	}
	for _, m := range t.Extended.Media {
		media = append(media, m.URL)
	}
	f.Put("hashtags", tags).Put("mentions", mentions).Put("links", links).Put("media", media)
	return archive.Item{Type: "post", ID: "post:" + id, Fields: f}, nil
}

// text is what the author wrote: with real links, and without the escapes of HTML.
func (t tweet) text() string {
	text := cmp.Or(t.FullText, t.Text)
	for _, u := range t.Entities.URLs {
		if u.URL != "" && u.Expanded != "" {
			text = strings.ReplaceAll(text, u.URL, u.Expanded)
		}
	}
	return html.UnescapeString(text)
}

func like(raw json.RawMessage) (archive.Item, error) {
	var envelope struct {
		Like struct {
			ID   string `json:"tweetId"`
			Text string `json:"fullText"`
			URL  string `json:"expandedUrl"`
		} `json:"like"`
	}
	if err := json.Unmarshal(raw, &envelope); err != nil {
		return archive.Item{}, archive.ErrForm
	}
	l := envelope.Like
	if l.ID == "" {
		return archive.Item{}, errors.New("a like names no post")
	}
	f := archive.Fields{}
	f.Put("text", html.UnescapeString(l.Text)).Put("url", cmp.Or(l.URL, "https://x.com/i/status/"+l.ID))
	return archive.Item{Type: "like", ID: "like:" + l.ID, Fields: f}, nil
}
