package integrations

import "regexp"

// Where the names of members are in the language of the account, they are told by what they have.
const (
	commentText   = `string_map_data.Comment.value; string_map_data.@values.#(timestamp==~false)#|#(value!="").value`
	commentAuthor = `string_map_data.Media Owner.value; string_map_data.@values.#(timestamp==~false)#|#(value!="")#|1.value`
	commentTime   = `string_map_data.Time.timestamp; string_map_data.@values.#(timestamp>0).timestamp`
	savedAddress  = `string_map_data.Saved on.href; string_map_data.@values.#(href!="").href`
)

// instagramFiles reads the JSON export of Instagram: posts, stories, reels, likes, comments, saved
// posts and messages.
var instagramFiles = jsonTable{
	instagramMedia("post", `(^|/)posts_\d+\.json$`),
	instagramMedia("story", `(^|/)stories\.json$`, "ig_stories"),
	instagramMedia("reel", `(^|/)reels\.json$`, "ig_reels_media"),
	instagramLikes("like", `(^|/)liked_posts\.json$`, "likes_media_likes"),
	instagramLikes("comment_like", `(^|/)liked_comments\.json$`, "likes_comment_likes"),
	{
		spoilt: true, name: regexp.MustCompile(`(^|/)(post_comments(_\d+)?|reels_comments)\.json$`), kind: "comment", lists: []string{"comments_reels_comments", "comments_media_comments"},
		fields: []jsonField{
			{"text", "text", commentText},
			{"author", "text", commentAuthor},
			{"date", "seconds", commentTime},
		},
		needs: []string{"text"}, lacks: "a comment has no text",
		id: []string{commentAuthor, commentText, commentTime + "; =0"},
	},
	{
		spoilt: true, name: regexp.MustCompile(`(^|/)saved_posts\.json$`), kind: "saved_post", lists: []string{"saved_saved_media"},
		fields: []jsonField{
			{"author", "text", "title"},
			{"url", "text", savedAddress},
			{"date", "seconds", "string_map_data.Saved on.timestamp; string_map_data.@values.#(href!=\"\").timestamp"},
		},
		needs: []string{"url"}, lacks: "a saved post has no address",
		id: []string{savedAddress, "=0"},
	},
	{
		spoilt: true, name: regexp.MustCompile(`(^|/)message_\d+\.json$`), kind: "message", whole: true, each: "messages",
		fields: []jsonField{
			{"text", "text", "content; share.share_text"}, {"from", "text", "sender_name"}, {"date", "milliseconds", "timestamp_ms"},
			{"chat", "text", "^title"}, {"members", "list", "^participants.#.name"}, {"link", "text", "share.link"}, {"media", "list", "photos.#.uri"},
		},
		needs: []string{"date"}, lacks: "a message has no time, or another form",
		id: []string{"$folder", "sender_name", "content", "timestamp_ms"},
	},
}

// instagramMedia are posts, stories and reels. A caption stands at the post, or at its only picture.
func instagramMedia(kind, name string, lists ...string) jsonDocumentRule {
	return jsonDocumentRule{
		spoilt: true, name: regexp.MustCompile(name), kind: kind, lists: lists,
		fields: []jsonField{
			{"text", "text", "title; media.0.title"}, {"date", "seconds", "creation_timestamp; media.0.creation_timestamp"}, {"media", "list", "media.#.uri; uri"},
		},
		needs: []string{"media", "date"}, lacks: "an entry has neither picture nor time",
		id: []string{"media.0.uri/base; uri/base; =.", "creation_timestamp; media.0.creation_timestamp; =0"},
	}
}

// instagramLikes are those of posts and comments, of which one entry may hold several.
func instagramLikes(kind, name, list string) jsonDocumentRule {
	return jsonDocumentRule{
		spoilt: true, name: regexp.MustCompile(name), kind: kind, lists: []string{list}, each: "string_list_data",
		fields: []jsonField{{"author", "text", "^title"}, {"url", "text", "href"}, {"date", "seconds", "timestamp"}},
		needs:  []string{"url", "date", "author"}, lacks: "a like names no post",
		id: []string{"href", "timestamp; =0"},
	}
}
