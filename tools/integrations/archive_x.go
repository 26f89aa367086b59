package integrations

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"

	"github.com/tidwall/gjson"
)

// xAddress is the address of a post, behind which its id stands.
const xAddress = "https://x.com/i/status/"

// xFiles reads the archive that X, formerly Twitter, hands to its users: posts and likes, as
// JavaScript files that assign one array.
var xFiles = jsonTable{
	{
		name: regexp.MustCompile(`(^|/)tweets?(-part\d+)?\.js$`), kind: "post", stream: true, inside: "tweet", // older archives lack the envelope
		fields: []jsonField{
			{"url", "text", "id_str; id"}, {"language", "text", "lang"}, {"date", "moment", "created_at"}, {"likes", "count", "favorite_count"}, {"reposts", "count", "retweet_count"},
			{"in_reply_to", "text", "in_reply_to_status_id_str"}, {"in_reply_to_user", "text", "in_reply_to_screen_name"},
			{"hashtags", "list", "entities.hashtags.#.text"}, {"mentions", "list", "entities.user_mentions.#.screen_name"}, {"media", "list", "extended_entities.media.#.media_url_https"},
		},
		needs: []string{"url"}, lacks: "a post has no id", id: []string{"id_str; id"}, finish: addPostFields,
	},
	{
		name: regexp.MustCompile(`(^|/)like(-part\d+)?\.js$`), kind: "like", stream: true, inside: "like",
		fields: []jsonField{{"url", "text", "tweetId"}},
		needs:  []string{"url"}, lacks: "a like names no post", id: []string{"tweetId"}, finish: addLikeFields,
	},
}

// addPostFields sets what the author wrote, with real links and without the escapes of HTML.
func addPostFields(from jsonScope, fields ItemFields) {
	fields["url"] = xAddress + from.readText("id_str; id")
	text, links := from.readText("full_text; text"), []string{}
	for _, address := range from.item.Get("entities.urls").Array() {
		short, long := address.Get("url").Str, address.Get("expanded_url").Str
		if short != "" && long != "" {
			text = strings.ReplaceAll(text, short, long)
		}
		if long == "" {
			long = short
		}
		links = append(links, long)
	}
	fields.PutNonEmpty("text", html.UnescapeString(text)).PutNonEmpty("links", links)
}

func addLikeFields(from jsonScope, fields ItemFields) {
	fields["url"] = xAddress + from.readText("tweetId")
	fields.PutNonEmpty("url", from.readText("expandedUrl")).PutNonEmpty("text", html.UnescapeString(from.readText("fullText")))
}

// maxAssignment bounds what stands before the array: window.YTD.tweets.part0 =
const maxAssignment = 1000

// streamElements reads the elements of the array that a file assigns.
func (document jsonDocumentRule) streamElements(ctx context.Context, _ ArchiveDocument, file io.Reader, emit emitItem) error {
	source := bufio.NewReader(decodeUTF16(file))
	for count := 0; ; count++ {
		next, err := source.ReadByte()
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("it holds no array")
		case err != nil:
			return err
		case count == maxAssignment:
			return errors.New("it holds no array where one is expected")
		}
		if next == '[' {
			break
		}
	}
	if err := source.UnreadByte(); err != nil {
		return err
	}
	return eachJSONElement(ctx, source, func(raw json.RawMessage) error { return document.emitItemsOfElement(gjson.ParseBytes(raw), "", emit) })
}
