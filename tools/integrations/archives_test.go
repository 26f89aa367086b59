package integrations_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/text/encoding/unicode"
)

func TestAnArchiveOfXBecomesPostsAndLikes(t *testing.T) {
	b := newBench(t)
	tweets := `window.YTD.tweets.part0 = [
  {"tweet": {"id_str": "101", "full_text": "Käse &amp; Brot in the boathouse https://t.co/a", "created_at": "Wed Oct 10 20:19:24 +0000 2018", "favorite_count": "7", "retweet_count": "2", "lang": "de",
    "entities": {"hashtags": [{"text": "lunch"}], "user_mentions": [{"screen_name": "anna"}], "urls": [{"url": "https://t.co/a", "expanded_url": "https://example.org/bread"}]},
    "extended_entities": {"media": [{"type": "photo", "media_url_https": "https://pbs.example/1.jpg"}]}}},
  {"tweet": {"full_text": "without an id"}},
  {"id_str": "102", "text": "an unwrapped old one", "created_at": "Thu Jan 01 00:00:00 +0000 2009", "in_reply_to_status_id_str": "99"}
]`
	likes := `window.YTD.like.part0 = [ {"like": {"tweetId": "201", "fullText": "someone's wisdom", "expandedUrl": "https://twitter.com/i/web/status/201"}} ]`
	deleted := `window.YTD.deleted_tweets.part0 = [ {"tweet": {"id_str": "103", "full_text": "regretted"}} ]`
	b.put("x/twitter.zip", zipped(t, member{name: "data/tweets.js", contents: tweets}, member{name: "data/like.js", contents: likes}, member{name: "data/deleted-tweets.js", contents: deleted}))
	got, _ := b.sync(args{"provider": "x"})
	same(t, "the outcome", got, "3 0 0 1")
	p := b.one("boathouse")
	same(t, "the text", p["text"], "Käse & Brot in the boathouse https://example.org/bread")
	same(t, "the post", fmt.Sprint(p["type"], p["date"], p["likes"], p["hashtags"], p["mentions"], p["media"], p["provider"]), "post2018-10-10T20:19:24Z7 [lunch] [anna] [https://pbs.example/1.jpg]x")
	same(t, "the reply", b.one("unwrapped")["in_reply_to"], "99")
	same(t, "the like", b.one("wisdom")["url"], "https://twitter.com/i/web/status/201")
	same(t, "deleted posts", len(b.find(args{"search": []string{"regretted"}})), 0)
	// A second export of the same account, unpacked and with one more post.
	b.put("x/twitter-2/data/tweet.js", strings.Replace(tweets, "window.YTD.tweets", "window.YTD.tweet", 1))
	b.put("x/twitter-2/data/tweets-part1.js", `window.YTD.tweets.part1 = [{"tweet":{"id_str":"104","full_text":"brand new"}}]`)
	got, _ = b.sync(args{"provider": "x"})
	same(t, "the second outcome", got, "1 0 2 1")
}

// spoilt is a text as Instagram exports it.
func spoilt(text string) string {
	var b strings.Builder
	for _, c := range []byte(text) {
		if c < 0x80 && c != '"' && c != '\\' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	return b.String()
}

func TestAnInstagramExportIsRepairedAndRead(t *testing.T) {
	b := newBench(t)
	b.put("instagram/export.zip", zipped(t,
		member{name: "your_instagram_activity/media/posts_1.json", contents: `[{"media":[{"uri":"media/posts/1.jpg","creation_timestamp":1609459200,"title":"` + spoilt("Café am Zürichsee 🚣") + `"}]},
			{"title":"two pictures","creation_timestamp":1609459300,"media":[{"uri":"media/posts/2.jpg","creation_timestamp":1},{"uri":"media/posts/3.jpg","creation_timestamp":2}]}, {"media": 5}]`},
		member{name: "your_instagram_activity/media/stories.json", contents: `{"ig_stories":[{"uri":"media/stories/4.jpg","creation_timestamp":1609459400,"title":"plain Ã title"}]}`},
		member{name: "your_instagram_activity/likes/liked_posts.json", contents: `{"likes_media_likes":[{"title":"anna","string_list_data":[{"href":"https://www.instagram.com/p/A/","value":"x","timestamp":1609459500}]}]}`},
		member{name: "your_instagram_activity/comments/post_comments_1.json", contents: `[{"media_list_data":[{"value":""}],"string_map_data":{"Comment":{"value":"` + spoilt("schön!") + `"},"Media Owner":{"value":"anna"},"Time":{"timestamp":1609459600}}}]`},
		member{name: "your_instagram_activity/saved/saved_posts.json", contents: `{"saved_saved_media":[{"title":"bert","string_map_data":{"Saved on":{"href":"https://www.instagram.com/p/B/","timestamp":1609459700}}}]}`},
		member{name: "your_instagram_activity/messages/inbox/anna_1/message_1.json", contents: `{"participants":[{"name":"` + spoilt("Zoë") + `"},{"name":"me"}],"messages":[{"sender_name":"` + spoilt("Zoë") + `","timestamp_ms":1609459800123,"content":"the jug is blue"},{"content":"no time"}],"title":"` + spoilt("Zoë") + `","thread_path":"inbox/anna_1"}`},
	))
	got, _ := b.sync(args{"provider": "instagram"})
	same(t, "the outcome", got, "7 0 0 2")
	same(t, "the caption", b.one("zürichsee")["text"], "Café am Zürichsee 🚣")
	same(t, "a text that was not spoilt", b.one("plain title")["text"], "plain Ã title")
	m := b.one("jug")
	same(t, "the message", fmt.Sprint(m["from"], m["chat"], m["members"], m["date"]), "ZoëZoë[Zoë me]2021-01-01T00:10:00Z")
	same(t, "the pictures", b.one("two pictures")["media"], "[media/posts/2.jpg media/posts/3.jpg]")
	same(t, "the comment", b.one("schön")["author"], "anna")
}

// mailbox has messages in every encoding that mail knows.
func mailbox() string {
	body := base64.StdEncoding.EncodeToString([]byte("Grüße aus dem Bootshaus"))
	return "From 1@xxx Mon Jan 01 10:00:00 +0000 2024\r\n" +
		"From: =?utf-8?B?" + base64.StdEncoding.EncodeToString([]byte("Zoë Müller")) + "?= <zoe@example.org>\r\nTo: me@example.org, Bert <bert@example.org>\r\nSubject: =?iso-8859-1?Q?Caf=E9_am_See?=\r\n" +
		"Date: Mon, 1 Jan 2024 11:00:00 +0100\r\nMessage-ID: <m1@example.org>\r\nX-GM-THRID: 42\r\nX-Gmail-Labels: =?UTF-8?Q?Posteingang,Wichtig?=\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n" + body + "\r\n\r\n" +
		"From 2@xxx Mon Jan 01 11:00:00 +0000 2024\n" +
		"From: bert@example.org\nSubject: quoted\nMessage-ID: <m2@example.org>\nDate: Mon, 1 Jan 2024 12:00:00 +0000\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n" +
		"Stra=DFe\n\n>From here on it is quoted\n>>From twice\n\nFrom me to you, no separator\n\n" +
		"From 3@xxx Mon Jan 01 12:00:00 +0000 2024\n" +
		"this is not a message at all\x00\xff\n\n" +
		"From 4@xxx Mon Jan 01 13:00:00 +0000 2024\n" +
		"From: shop@example.org\nSubject: =?utf-8?Q?Rechnung?=\nMessage-ID: <m4@example.org>\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=\"b\"\n\n" +
		"--b\nContent-Type: multipart/alternative; boundary=\"c\"\n\n--c\nContent-Type: text/plain; charset=windows-1252\n\nplain \x80 99\n--c\nContent-Type: text/html\n\n<p>rich</p>\n--c--\n" +
		"--b\nContent-Type: application/pdf; name=\"bill.pdf\"\nContent-Disposition: attachment; filename=\"bill.pdf\"\nContent-Transfer-Encoding: base64\n\nJVBERg==\n--b--\n\n" +
		"From 5@xxx Mon Jan 01 14:00:00 +0000 2024\n" +
		"From: letter@example.org\nSubject: only html\nMessage-ID: <m5@example.org>\nContent-Type: text/html; charset=utf-8\n\n<html><style>p{}</style><body><h1>Newsletter</h1><p>all about <b>jugs</b></p><script>alert(1)</script></body></html>\n"
}

func TestAMailboxIsReadInEveryEncoding(t *testing.T) {
	b := newBench(t)
	b.put("gmail/All mail.mbox", mailbox())
	got, _ := b.sync(args{"provider": "gmail"})
	same(t, "the outcome", got, "4 0 0 1")
	m := b.one("bootshaus")
	same(t, "the message", fmt.Sprint(m["subject"], "|", m["from"], "|", m["to"], "|", m["body"], "|", m["date"], "|", m["labels"], "|", m["thread_id"], "|", m["type"]),
		"Café am See|Zoë Müller <zoe@example.org>|[me@example.org Bert <bert@example.org>]|Grüße aus dem Bootshaus|2024-01-01T11:00:00+01:00|[Posteingang Wichtig]|42|email")
	q := b.one("straße")
	same(t, "the quoted body", q["body"], "Straße\n\nFrom here on it is quoted\n>From twice\n\nFrom me to you, no separator")
	bill := b.one("rechnung")
	same(t, "the plain part", bill["body"], "plain € 99")
	same(t, "the attachment", bill["attachments"], "[map[content_type:application/pdf filename:bill.pdf size:4]]")
	same(t, "the rich text", b.one("jugs")["body"], "Newsletter\nall about jugs")
	same(t, "scripts", len(b.find(args{"search": []string{"alert"}})), 0)
	same(t, "mail by its alias", len(b.find(args{"type": "mail"})), 4)
	// The mailbox grew: what is known costs nothing.
	b.put("gmail/All mail.mbox", mailbox()+"\nFrom 6@xxx Mon Jan 01 15:00:00 +0000 2024\nFrom: a@b.org\nSubject: later\nMessage-ID: <m6@b.org>\n\nlater\n")
	got, _ = b.sync(args{"provider": "gmail"})
	same(t, "the outcome of the longer mailbox", got, "1 0 4 1")
}

func TestCalendarsAreReadEventByEvent(t *testing.T) {
	b := newBench(t)
	ics := "BEGIN:VCALENDAR\nVERSION:2.0\nX-WR-CALNAME:Privé\n" +
		"BEGIN:VEVENT\nUID:1@x\nDTSTART;TZID=Europe/Zurich:20240701T090000\nDTEND;TZID=Europe/Zurich:20240701T100000\nSUMMARY:Row over the lake\\, with a\n  jug\nLOCATION:Boathouse\nORGANIZER;CN=Zoë:mailto:zoe@example.org\nATTENDEE;CN=Bert:mailto:bert@example.org\nRRULE:FREQ=WEEKLY\nEND:VEVENT\n" +
		"BEGIN:VEVENT\nUID:1@x\nRECURRENCE-ID:20240708T070000Z\nDTSTART:20240708T080000Z\nSUMMARY:Row an hour later\nEND:VEVENT\n" +
		"BEGIN:VEVENT\nthis line has no colon\nEND:VEVENT\n" +
		"BEGIN:VEVENT\nUID:2@x\nDTSTART;VALUE=DATE:20240801\nSUMMARY:National day\nBEGIN:VALARM\nACTION:DISPLAY\nDESCRIPTION:alarm\nTRIGGER:-PT15M\nEND:VALARM\nEND:VEVENT\n" +
		"BEGIN:VTODO\nUID:3@x\nSUMMARY:Mend the oar\nDUE:20240901T120000Z\nEND:VTODO\nEND:VCALENDAR\n"
	b.put("google_calendar/private.ics", ics)
	wide, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:4@x\r\nDTSTART:20240901T120000Z\r\nSUMMARY:Überfahrt\r\nEND:VEVENT\r\nEND:VCALENDAR")
	if err != nil {
		t.Fatal(err)
	}
	b.put("google_calendar/wide.ics", wide)
	got, _ := b.sync(args{"provider": "google_calendar"})
	same(t, "the outcome", got, "5 0 0 1")
	e := b.one("lake")
	same(t, "the event", fmt.Sprint(e["title"], "|", e["start"], "|", e["organizer"], "|", e["attendees"], "|", e["calendar"], "|", e["recurrence"]),
		"Row over the lake, with a jug|2024-07-01T09:00:00+02:00|Zoë <zoe@example.org>|[Bert <bert@example.org>]|Privé|FREQ=WEEKLY")
	same(t, "the whole day", b.one("national")["all_day"], true)
	same(t, "the task", b.one("oar")["type"], "task")
	same(t, "the wide event", b.one("überfahrt")["start"], "2024-09-01T12:00:00Z")
	// One event moved: its record is brought up to date.
	b.put("google_calendar/private.ics", strings.Replace(ics, "20240801", "20240802", 1))
	got, _ = b.sync(args{"provider": "google_calendar"})
	same(t, "the outcome after a move", got, "0 1 3 1")
	same(t, "the moved day", b.one("national")["start"], "2024-08-02")
}
