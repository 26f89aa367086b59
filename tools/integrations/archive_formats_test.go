package integrations_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"toolkit/tools/integrations"
)

// read goes through a document from a position.
func read(t testing.TB, f integrations.ArchiveFormat, name, contents string, from int64) ([]integrations.ArchiveEntry, error) {
	t.Helper()
	reader := f.Reader(name)
	if reader == nil {
		t.Fatalf("%s is not read", name)
	}
	var all []integrations.ArchiveEntry
	for entry, err := range reader(context.Background(), integrations.NewArchiveDocument(name, []byte(contents)), from) {
		if err != nil {
			return all, err
		}
		all = append(all, entry)
	}
	return all, nil
}

// checkResuming sees that reading can be broken off after every entry and goes
// on with the next: nothing is lost and nothing comes twice.
func checkResuming(t testing.TB, f integrations.ArchiveFormat, name, contents string) {
	t.Helper()
	all, failure := read(t, f, name, contents, 0)
	last := int64(0)
	for i, entry := range all {
		if entry.Next <= last {
			t.Fatalf("entry %d ends at %d, not after %d", i, entry.Next, last)
		}
		last = entry.Next
		if entry.Broken == nil && (entry.Item.ID == "" || entry.Item.Type == "" || entry.Item.Fields == nil) {
			t.Fatalf("entry %d has no id, type or fields: %+v", i, entry.Item)
		}
		if i > 20 { // enough of a long document
			continue
		}
		rest, again := read(t, f, name, contents, entry.Next)
		if (failure == nil) != (again == nil) {
			t.Fatalf("from %d the document ends with %v, else with %v", entry.Next, again, failure)
		}
		if len(rest) != len(all)-i-1 {
			t.Fatalf("after entry %d come %d entries, want %d", i, len(rest), len(all)-i-1)
		}
		for j := range rest {
			if rest[j].Next != all[i+1+j].Next || !reflect.DeepEqual(rest[j].Item, all[i+1+j].Item) {
				t.Fatalf("after entry %d another one comes", i)
			}
		}
	}
}

const (
	mails          = "From 1@x Mon Jan 01 10:00:00 +0000 2024\nFrom: a@b.org\nSubject: one\n\nbody\n>From quoted\n\nFrom 2@x Mon Jan 01 10:00:00 +0000 2024\nSubject: two\n\n\n\nFrom 3@x Mon Jan 01 10:00:00 +0000 2024\nbroken\x00\n\nFrom 4@x Mon Jan 01 10:00:00 2024\n"
	ics            = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20240101T000000Z\r\nSUMMARY:a\r\n b\r\nEND:VEVENT\r\nBEGIN:VTODO\r\nSUMMARY:c\r\nEND:VTODO\r\nBEGIN:VEVENT\r\nbroken\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
	posts          = `window.YTD.tweets.part0 = [{"tweet":{"id_str":"1","full_text":"a","entities":{"urls":[{"url":"x","expanded_url":"y"}]}}},{"tweet":{}},{"id":"2","text":"b"}]`
	instagramLikes = `window.YTD.like.part0 = [{"like":{"tweetId":"1","fullText":"a"}},{"like":5}]`
	instagramMedia = `[{"media":[{"uri":"a/1.jpg","creation_timestamp":1,"title":"\u00c3\u00a9"}]},{"media":5},{"title":"b","creation_timestamp":2,"media":[{"uri":"a/2.jpg"}]}]`
	inbox          = `{"participants":[{"name":"a"}],"messages":[{"sender_name":"a","timestamp_ms":1000,"content":"b"},{"content":"c"},{"sender_name":"a","timestamp_ms":2000}],"title":"t"}`
)

func TestReadingGoesOnAfterEveryEntry(t *testing.T) {
	for name, c := range map[string]struct {
		format   integrations.ArchiveFormat
		file     string
		contents string
		entries  int
	}{
		"a mailbox":                 {integrations.ArchiveFormats["mailbox"], "a.mbox", mails, 3},
		"a mailbox with CRLF":       {integrations.ArchiveFormats["mailbox"], "a.mbox", strings.ReplaceAll(mails, "\n", "\r\n"), 3},
		"an empty mailbox":          {integrations.ArchiveFormats["mailbox"], "a.mbox", "", 0},
		"a folder's mailbox":        {integrations.ArchiveFormats["mailbox_folder"], "Inbox.mbox/mbox", mails, 3},
		"a calendar":                {integrations.ArchiveFormats["calendar"], "a.ics", ics, 3},
		"posts":                     {integrations.ArchiveFormats["x"], "data/tweets.js", posts, 3},
		"likes":                     {integrations.ArchiveFormats["x"], "data/like.js", instagramLikes, 2},
		"posts of Instagram":        {integrations.ArchiveFormats["instagram"], "media/posts_1.json", instagramMedia, 3},
		"a conversation there":      {integrations.ArchiveFormats["instagram"], "inbox/a/message_1.json", inbox, 3},
		"a document without values": {integrations.ArchiveFormats["x"], "tweets.js", "window.YTD.tweets.part0 = [ ]", 0},
	} {
		t.Run(name, func(t *testing.T) {
			all, err := read(t, c.format, c.file, c.contents, 0)
			if err != nil || len(all) != c.entries {
				t.Fatalf("%d entries, %v; want %d", len(all), err, c.entries)
			}
			checkResuming(t, c.format, c.file, c.contents)
		})
	}
}

func TestOnlyDocumentsOfTheExportAreRead(t *testing.T) {
	for _, c := range []struct {
		format integrations.ArchiveFormat
		no     []string
	}{
		{integrations.ArchiveFormats["mailbox"], []string{"mbox", "a.txt", "a.mbox.bak"}},
		{integrations.ArchiveFormats["calendar"], []string{"a.ical.txt"}},
		{integrations.ArchiveFormats["x"], []string{"data/deleted-tweets.js", "tweets.json", "retweets.js", "like.js.bak", "tweet-headers.js"}},
		{integrations.ArchiveFormats["instagram"], []string{"archived_posts_1.json", "message_requests.json", "posts_1.html"}},
	} {
		for _, name := range c.no {
			if c.format.Reader(name) != nil {
				t.Errorf("%T reads %s", c.format, name)
			}
		}
		if c.format.Expects == "" {
			t.Errorf("%T does not say what it expects", c.format)
		}
	}
}

func TestReadingStopsWithItsCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for name, c := range map[string]struct {
		format   integrations.ArchiveFormat
		contents string
	}{
		"a.mbox": {integrations.ArchiveFormats["mailbox"], mails}, "a.ics": {integrations.ArchiveFormats["calendar"], ics}, "tweets.js": {integrations.ArchiveFormats["x"], posts},
		"posts_1.json": {integrations.ArchiveFormats["instagram"], instagramMedia}, "a/message_1.json": {integrations.ArchiveFormats["instagram"], inbox},
	} {
		var last error
		for entry, err := range c.format.Reader(name)(ctx, integrations.NewArchiveDocument(name, []byte(c.contents)), 0) {
			if last = err; err == nil {
				t.Errorf("%s: an entry came: %v", name, entry)
			}
		}
		if !errors.Is(last, context.Canceled) {
			t.Errorf("%s ended with %v", name, last)
		}
	}
}

func TestLongTextsAreCutAndMarked(t *testing.T) {
	f := integrations.ItemFields{}
	f.PutNonEmpty("text", strings.Repeat("ä", 200_000)).PutNonEmpty("bad", "a\xffb\x00c").PutNonEmpty("blank", "  ")
	if n := len(f["text"].(string)); n > 200_000 || f["text_truncated"] != true {
		t.Errorf("the text has %d bytes, marked %v", n, f["text_truncated"])
	}
	if f["bad"] != "a\ufffdbc" || f["blank"] != nil {
		t.Errorf("the fields are %q", f)
	}
}

func fuzz(f *testing.F, name, format string, seeds ...string) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, contents []byte) {
		checkResuming(t, integrations.ArchiveFormats[format], name, string(contents))
	})
}

func FuzzMailbox(f *testing.F) {
	fuzz(f, "a.mbox", "mailbox", mails, strings.ReplaceAll(mails, "\n", "\r\n"), "From ", "\n\nFrom a 10:00\n")
}

func FuzzCalendar(f *testing.F) {
	fuzz(f, "a.ics", "calendar", ics, "BEGIN:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nEND:VCALENDAR")
}

func FuzzX(f *testing.F) {
	fuzz(f, "tweets.js", "x", posts, "= [null]")
}

func FuzzXLikes(f *testing.F) {
	fuzz(f, "like.js", "x", instagramLikes)
}

func FuzzInstagramPosts(f *testing.F) {
	fuzz(f, "posts_1.json", "instagram", instagramMedia)
}

func FuzzInstagramMessages(f *testing.F) {
	fuzz(f, "a/message_1.json", "instagram", inbox)
}
