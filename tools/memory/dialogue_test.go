package memory

import (
	"encoding/json"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"toolkit/internal/toolstest"
)

func TestDialogueIsStoredWordForWord(t *testing.T) {
	b := newBench(t)
	texts := []string{"", " ", "Grüße, \"Anna\"\n\ttabs; 'quotes' \\ 🙂", strings.Repeat("long ", 20000)}
	for _, text := range texts {
		out := b.Call(dialogueName, args{"session_id": "s 1", "speaker": "Anna", "content": text})
		if out["timestamp"] != "2026-01-15T12:00:00Z" || out["session_id"] != "s 1" || out["status"] != "success" {
			t.Fatalf("result is %v", out)
		}
	}
	for i, entry := range b.contents(dialogueURI + "?order=asc") {
		if entry["content"] != texts[i] || entry["id"] != float64(i+1) || entry["speaker"] != "Anna" {
			t.Errorf("%d: stored is %.60v", i, entry)
		}
	}
}

func TestMetadataRoundTrips(t *testing.T) {
	tests := map[string]struct{ given, want string }{
		"an object":                         {`{"context":"philosophy","n":1}`, `{"context":"philosophy","n":1}`},
		"nulls inside stay":                 {`{"a":null,"b":{"c":null,"d":[null,1]}}`, `{"a":null,"b":{"c":null,"d":[null,1]}}`},
		"an empty object stays one":         {`{}`, `{}`},
		"null stays null":                   {`null`, `null`},
		"absent is null":                    {``, `null`},
		"whole numbers stay exact":          {`{"n":9007199254740993,"x":5.0}`, `{"n":9007199254740993,"x":5.0}`},
		"unicode and markup stay":           {`{"t":"<b>Grüße & 🙂</b>"}`, `{"t":"<b>Grüße & 🙂</b>"}`},
		"dates and tags stay as they were":  {`{"date":"2023-05-08","tags":["a","b"]}`, `{"date":"2023-05-08","tags":["a","b"]}`},
		"keys of another form are accepted": {`{"date":17,"tags":{"a":1}}`, `{"date":17,"tags":{"a":1}}`},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			arguments := `{"session_id":"s","speaker":"u","content":"x"}`
			if tc.given != "" {
				arguments = strings.TrimSuffix(arguments, "}") + `,"metadata":` + tc.given + `}`
			}
			b.CallAccepted(dialogueName, json.RawMessage(arguments))
			text, err := b.family.Resources[3].Read(t.Context(), parse(t, dialogueURI))
			if err != nil {
				t.Fatal(err)
			}
			var object struct {
				Contents []struct{ Metadata json.RawMessage }
			}
			toolstest.Decode(t, []byte(text), &object)
			if got := string(object.Contents[0].Metadata); got != tc.want {
				t.Errorf("metadata is %s, want %s", got, tc.want)
			}
		})
	}
}

// Design: metadata.date (ISO) is the event date, else now.
func TestMetadataDateIsWhenItWasSaid(t *testing.T) {
	tests := map[string]struct {
		date any
		want string
		warn bool
	}{
		"a date":                         {"2023-05-08", "2023-05-08T00:00:00Z", false},
		"a date and time in UTC":         {"2023-05-08T13:56:00Z", "2023-05-08T13:56:00Z", false},
		"an offset":                      {"2023-05-08T13:56:00+02:00", "2023-05-08T11:56:00Z", false},
		"no offset means UTC":            {"2023-05-08T13:56", "2023-05-08T13:56:00Z", false},
		"a space for the T":              {"2023-05-08 13:56:07", "2023-05-08T13:56:07Z", false},
		"a date before 1970":             {"1923-05-08", "1923-05-08T00:00:00Z", false},
		"an impossible date":             {"2023-02-30", "2026-01-15T12:00:00Z", true},
		"words":                          {"yesterday", "2026-01-15T12:00:00Z", true},
		"a number is no date":            {1683547000, "2026-01-15T12:00:00Z", true},
		"days and months in any order":   {"03/04/2025", "2026-01-15T12:00:00Z", true},
		"null":                           {nil, "2026-01-15T12:00:00Z", false},
		"an empty text says nothing":     {"", "2026-01-15T12:00:00Z", false},
		"fractions of a second are cut ": {"2023-05-08T13:56:00.25Z", "2023-05-08T13:56:00Z", false},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			in := args{"session_id": "s", "speaker": "u", "content": "x", "metadata": args{"date": tc.date}}
			r := b.CallAllowingRefusal(dialogueName, in)
			var out struct{ Timestamp string }
			toolstest.Decode(t, r.Data, &out)
			if out.Timestamp != tc.want || b.contents(dialogueURI)[0]["timestamp"] != tc.want {
				t.Errorf("timestamp is %s, want %s", out.Timestamp, tc.want)
			}
			if warned := len(r.Hints.Warnings) > 0; warned != tc.warn {
				t.Errorf("warnings are %v", r.Hints.Warnings)
			}
		})
	}
}

func TestTagsAreReadFromMetadata(t *testing.T) {
	tests := map[string][]string{
		`{"tags":["work"," home ",""]}`: {"work", "home"},
		`{"tags":"work"}`:               {"work"},
		`{"tags":[1,null,"x"]}`:         {"x"},
		`{"tags":{"a":1}}`:              nil,
		`{}`:                            nil,
		``:                              nil,
	}
	for metadata, want := range tests {
		if got := parseMetadataFacts(json.RawMessage(metadata)).tags; !reflect.DeepEqual(got, want) {
			t.Errorf("%s has tags %q, want %q", metadata, got, want)
		}
	}
}

func TestMetadataThatLooksAsIfItCountedIsWarnedAbout(t *testing.T) {
	tests := map[string]string{ // metadata to a part of its one warning; empty: none
		`{"timestamp":"2023-05-08T13:56:00Z"}`:                 "metadata.timestamp does not say when it was said",
		`{"created_at":"2023-05-08","date":null}`:              "metadata.created_at does not say",
		`{"timestamp":"2023-05-08","date":"2023-05-08"}`:       "",
		`{"time":"after lunch","timestamp":17,"mood":"sunny"}`: "",
		`{"Date":"2023-05-08"}`:                                "",
		`{"date":["2023-05-08"]}`:                              "metadata.date is not an ISO 8601 date",
		`{"tags":[1,2,"x"]}`:                                   "metadata.tags holds something that is no text",
		`{"tags":{"a":1}}`:                                     "metadata.tags holds something that is no text",
		`{"tags":null}`:                                        "",
		`{"tags":""}`:                                          "",
	}
	for metadata, want := range tests {
		f := parseMetadataFacts(json.RawMessage(metadata))
		if (want == "") != (len(f.ignored) == 0) || len(f.ignored) > 1 || want != "" && !strings.Contains(f.ignored[0], want) {
			t.Errorf("%s warns %q, want %q", metadata, f.ignored, want)
		}
	}
}

func TestATurnOfTheFutureCountsAsSaidNow(t *testing.T) {
	b := newBench(t)
	for day, taken := range map[time.Duration]bool{-48 * time.Hour: true, 12 * time.Hour: true, 400 * 24 * time.Hour: false} {
		at := b.deps.Store.Now().Add(day).UTC().Format(time.RFC3339)
		out := b.Call(dialogueName, args{"session_id": "s", "speaker": "user", "content": "the ferret eats", "metadata": args{"date": at}})
		if got := out["timestamp"] == at; got != taken {
			t.Errorf("%s: stored as said %v", at, out["timestamp"])
		}
	}
}

func parse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestBlankArgumentsAreRefused(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct {
		tool    string
		in      args
		details string
	}{
		{dialogueName, args{"session_id": " ", "speaker": "u", "content": "x"}, "session_id must not be blank"},
		{dialogueName, args{"session_id": "s", "speaker": "", "content": "x"}, "speaker must not be blank"},
		{episodeName, args{"query": " ", "reward": 0, "reflection": "r"}, "query must not be blank"},
		{episodeName, args{"query": "q", "reward": 0, "reflection": "\n"}, "reflection must not be blank"},
		{episodeName, args{"query": " ", "reward": 2, "reflection": " "}, "reward must be at most 1"}, // the schema comes first
		{workingName, args{"content": " "}, "content must not be blank"},
	} {
		b.refuse(c.tool, c.in, invalid, c.details)
	}
	if n := len(b.contents(dialogueURI)); n != 0 {
		t.Errorf("refused calls left %d rows", n)
	}
}
