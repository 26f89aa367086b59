package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"toolkit/internal/testenv"
	"toolkit/tools"
)

// What a person types is not letter for letter what is kept.
func TestForgetFindsTextInOtherSpellings(t *testing.T) {
	say := func(text string) tools.SetupCall {
		return tools.SetupCall{Tool: "store_raw_dialogue", Params: map[string]any{"session_id": "s1", "speaker": "user", "content": text}}
	}
	for name, tc := range map[string]struct {
		call        tools.SetupCall
		text, going string
	}{
		"a line break in a turn": {say("I know Annaqq\nBellaqq well"), "annaqq bellaqq", "dialogue 1"},
		"letters with marks in an insight": {tools.SetupCall{Tool: "store_episode", Params: map[string]any{"query": "xÄöÜqqw", "reward": 0.5, "reflection": "y"}},
			"xäÖüqqw", "episode 1"},
		"a line break in an observation": {tools.SetupCall{Tool: "create_entities", Params: map[string]any{"entities": []any{map[string]any{"name": "E", "entityType": "t", "observations": []string{"lives in großeqqx\u00a0straße"}}}}},
			"GROSSEQQX STRASSE", "observation 1"},
		"a line break in a record": {tools.SetupCall{Tool: "store_record", Params: map[string]any{"type": "note", "properties": map[string]any{"content": "Annaqq\nBellaqq"}}},
			"Annaqq Bellaqq", "record 1, truth_entity 1"},
		"an amount in a record": {tools.SetupCall{Tool: "store_record", Params: map[string]any{"type": "note", "properties": map[string]any{"amount": 1234567.50}}},
			"1234567.50", "record 1, truth_entity 1"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newApp(t)
			callTool(t, a, tc.call.Tool, tc.call.Params.(map[string]any))
			if found := callForget(t, a, map[string]any{"text": tc.text}); found.going() != tc.going {
				t.Errorf("%s would go, not %s", found.going(), tc.going)
			}
		})
	}
}

func TestForgettingAWordListsWhatContainsItInsideAnother(t *testing.T) {
	a := newApp(t)
	for _, text := range []string{"Lena goes to school", "at Module._resolveFilename", "Lenas bike is red"} {
		callTool(t, a, "store_raw_dialogue", map[string]any{"session_id": "s1", "speaker": "user", "content": text})
	}
	preview := callForget(t, a, map[string]any{"text": "lena"})
	if preview.going() != "dialogue 1" || len(preview.Mentions) != 1 || preview.Mentions[0].Count != 2 {
		t.Errorf("%+v", preview)
	}
}

func TestForgettingFindsATextAtTheEndOfAFile(t *testing.T) {
	ending := strings.Repeat("An ordinary line about gardens.\n", 33_000) + canary + "\n" // beyond the first megabyte
	for name, tc := range map[string]struct {
		file, text string
		properties string // as JSON
	}{
		"a long text":                      {"long.txt", ending, ""},
		"a text that was kept unread":      {"unread.txt", "It says " + canary, `{"title":"Letter"}`},
		"an old text that was kept unread": {"old.txt", "Gr\xfc\xdfe von " + canary, `{"title":"Letter"}`},
	} {
		t.Run(name, func(t *testing.T) {
			folder, uploads := t.TempDir(), t.TempDir()
			a := appOn(t, filepath.Join(folder, "t.db"))
			path := filepath.Join(uploads, tc.file)
			testenv.Write(t, path, tc.text)
			in := map[string]any{"file_path": path}
			if tc.properties != "" {
				in["properties"] = tc.properties
			}
			callTool(t, a, "upload_file", in)
			if len(holding(t, folder)) == 0 {
				t.Fatal("nothing holds the canary before")
			}
			forgetWhat(t, a, map[string]any{"text": strings.ToUpper(canary)})
			if names := holding(t, folder); len(names) > 0 {
				t.Errorf("still in %v", names)
			}
		})
	}
}

// The bytes of a PDF do not show what it says.
func TestForgetNamesRecordsThatWereNotSearched(t *testing.T) {
	folder := t.TempDir()
	a := appOn(t, filepath.Join(folder, "t.db"))
	path := filepath.Join(t.TempDir(), "letter.pdf")
	testenv.Write(t, path, "%PDF-1.4\nnot much of one")
	stored := callTool(t, a, "upload_file", map[string]any{"file_path": path, "properties": `{"title":"Letter"}`})
	ref := "record:" + stored["record"].(map[string]any)["id"].(string)
	if found := callForget(t, a, map[string]any{"text": canary}); len(found.Going) > 0 || !strings.Contains(found.Message, "not searched to the end") || !strings.Contains(found.Message, ref) {
		t.Errorf("it says %+v", found)
	}
	forgetWhat(t, a, map[string]any{"items": []string{ref}})
	if found := callForget(t, a, map[string]any{"text": canary}); strings.Contains(found.Message, "not searched") {
		t.Errorf("it still says %+v", found)
	}
}

func TestForgettingNamesTheArchiveThatStillHoldsIt(t *testing.T) {
	folder := t.TempDir()
	a := appOn(t, filepath.Join(folder, "t.db"))
	archive := filepath.Join(folder, "imports", "gmail")
	if err := os.MkdirAll(archive, 0o700); err != nil {
		t.Fatal(err)
	}
	mail := "From anna@a.example Mon Mar  2 10:00:00 2026\nMessage-ID: <1@a.example>\nFrom: anna@a.example\nTo: b@b.example\nDate: Mon, 02 Mar 2026 10:00:00 +0000\nSubject: " + canary + "\n\nHello\n"
	testenv.Write(t, filepath.Join(archive, "mail.mbox"), mail)
	callTool(t, a, "sync_provider_imports", map[string]any{"provider": "gmail", "sync_type": "initial"})
	in := map[string]any{"text": canary}
	preview := callForget(t, a, in)
	in["confirm"] = preview.Confirm
	done := callForget(t, a, in)
	for _, message := range []string{preview.Message, done.Message} {
		if !strings.Contains(message, "imports/gmail/ of the data folder") || strings.Contains(message, folder) {
			t.Errorf("it says %q", message)
		}
	}
}

func TestForgettingAPocketTakesAllButSealedPredictions(t *testing.T) {
	a := newApp(t)
	for kind, record := range map[string]map[string]any{
		"outlet":     {"outlet_id": "7d444840-9dc0-41d1-b245-5ffdce74fad2", "name": "Tea", "category": "cafe"},
		"attention":  {"event": "accepted"},
		"atmosphere": {"stress": 0.1, "calm": 0.7, "social_energy": 0.4, "productive": 0.6, "primary_state": "calm"},
		"ledger":     {"purposeful_trips": 2},
		"prediction": {"prediction_payload": map[string]any{"calm": 0.5}},
	} {
		for _, pocket := range []string{"cluny", "dempsey"} {
			record["pocket_id"] = pocket
			if kind == "outlet" && pocket == "dempsey" {
				record["outlet_id"] = "8d444840-9dc0-41d1-b245-5ffdce74fad2"
			}
			callTool(t, a, "record_pocket_signal", map[string]any{"kind": kind, "records": []any{record}})
		}
	}
	const stays = "1 sealed prediction of it stays"
	in := map[string]any{"items": []string{"pocket:cluny"}}
	preview := callForget(t, a, in)
	if want := "pocket_outlet 1, pocket_reading 1, pocket_ledger 1, pocket_attention 1"; preview.going() != want || !strings.Contains(preview.Message, stays) {
		t.Errorf("the preview is %s, %s", preview.going(), preview.Message)
	}
	in["confirm"] = preview.Confirm
	if done := callForget(t, a, in); !strings.Contains(done.Message, "4 things are forgotten") || !strings.Contains(done.Message, stays) {
		t.Errorf("it says %s", done.Message)
	}
	if again := respond(t, a, "forget", map[string]any{"items": []string{"pocket:cluny"}}); !again.IsError || !strings.Contains(again.Text, "there is no pocket") {
		t.Errorf("forgotten twice: %s", again.Text)
	}
	if other := callForget(t, a, map[string]any{"items": []string{"pocket:dempsey"}}); !strings.Contains(other.Message, "4 things") {
		t.Errorf("of another pocket: %s", other.Message)
	}
}

func TestForgettingSaysThatSealedPredictionsStay(t *testing.T) {
	a := newApp(t)
	callTool(t, a, "record_pocket_signal", map[string]any{"kind": "prediction", "records": []any{map[string]any{"pocket_id": "cluny", "prediction_payload": map[string]any{"calm": 0.5, "note": canary}}}})
	if found := callForget(t, a, map[string]any{"text": canary}); len(found.Going) > 0 || !strings.Contains(found.Message, "1 sealed prediction contains the text") || strings.Contains(found.Message, "Nothing contains") {
		t.Errorf("it says %+v", found)
	}
}

// A payload that is still stored brings an entity back that was forgotten alone, and says so.
func TestAPayloadStoredAgainSaysWhatItBringsBack(t *testing.T) {
	payload := map[string]any{"capability_id": "neotoma:store_invoice:v1",
		"body":       map[string]any{"invoice_number": "NL-7001", "vendor_name": "Nordlicht GmbH", "customer_name": "Hansa AG", "date": "2026-03-01", "amount": 119},
		"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-03-02T00:00:00Z", "extractor_version": "test"}}
	for name, c := range map[string]struct {
		forget  []string
		created bool
		says    string
	}{
		"nothing was forgotten":        {nil, false, "nothing changed"},
		"a company was forgotten":      {[]string{"entity:Nordlicht GmbH"}, false, "was stored anew"},
		"both companies are forgotten": {[]string{"entity:Nordlicht GmbH", "entity:Hansa AG"}, false, "was stored anew"},
		"the invoice is forgotten":     {[]string{"entity:NL-7001"}, true, "Payload created"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newApp(t)
			callTool(t, a, "submit_payload", payload)
			if c.forget != nil {
				in := map[string]any{"items": c.forget}
				in["confirm"] = callForget(t, a, in).Confirm
				callForget(t, a, in)
			}
			again := callTool(t, a, "submit_payload", payload)
			if message := again["message"].(string); again["created"] != c.created || !strings.Contains(message, c.says) || c.says != "nothing changed" && strings.Contains(message, "nothing changed") {
				t.Errorf("created %v, it says %q", again["created"], message)
			}
		})
	}
}
