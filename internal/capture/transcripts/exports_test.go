package transcripts

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// chatNodeText is a node of ChatGPT; one that is said at no time has none.
func chatNodeText(id, parent, role, text string, at int) string {
	when := "null"
	if at > 0 {
		when = fmt.Sprint(1772000000 + at)
	}
	return fmt.Sprintf(`%q:{"parent":%q,"message":{"id":%q,"author":{"role":%q},"create_time":%s,"recipient":"all","content":{"content_type":"text","parts":[%q]}}}`, id, parent, id, role, when, text)
}

func chat(head string, nodes ...string) string {
	return `{` + head + `"mapping":{"r":{"parent":null,"message":null},` + strings.Join(nodes, ",") + `}}`
}

func claudeMessage(id, parent, sender, text string) string {
	return fmt.Sprintf(`{"uuid":%q,"parent_message_uuid":%q,"sender":%q,"created_at":"2026-03-04T07:00:00Z","text":%q}`, id, parent, sender, text)
}

func TestAnExportLosesNoConversation(t *testing.T) {
	ask, answer := chatNodeText("a", "r", "user", "Ask", 1), chatNodeText("b", "a", "assistant", "Answer", 2)
	good := chat(`"id":"k","current_node":"b",`, ask, answer)
	both := []string{"user: Ask", "assistant: Answer"}
	for name, tc := range map[string]struct {
		export string
		want   []string
		skips  map[string]int
		bad    int
	}{
		"without a current node":           {"[" + chat(`"id":"k",`, ask, answer) + "]", both, nil, 0},
		"its current node is null":         {"[" + chat(`"id":"k","current_node":null,`, ask, answer) + "]", both, nil, 0},
		"its current node is missing":      {"[" + chat(`"id":"k","current_node":"zz",`, ask, answer) + "]", both, nil, 0},
		"the newest branch, if none":       {"[" + chat(`"id":"k",`, ask, answer, chatNodeText("x", "a", "assistant", "Better", 3)) + "]", []string{"user: Ask", "assistant: Better"}, map[string]int{"messages of other branches": 1}, 0},
		"a parent is missing":              {"[" + chat(`"id":"k","current_node":"c",`, ask, answer, chatNodeText("c", "gone", "user", "More", 3)) + "]", append(both, "user: More"), nil, 0},
		"a parent is missing, no times":    {"[" + chat(`"id":"k","current_node":"c",`, chatNodeText("a", "r", "user", "Ask", 0), chatNodeText("b", "a", "assistant", "Answer", 0), chatNodeText("c", "gone", "user", "More", 0)) + "]", append(both, "user: More"), nil, 0},
		"its nodes go round":               {"[" + chat(`"id":"k","current_node":"b",`, chatNodeText("a", "b", "user", "Ask", 1), answer) + "]", both, nil, 0},
		"a part is null":                   {"[" + strings.Replace(good, `["Ask"]`, `["Ask",null,{"content_type":"image"},null]`, 1) + "]", both, nil, 0},
		"a message without text":           {"[" + strings.Replace(good, `["Ask"]`, `[{"content_type":"image"}]`, 1) + "]", both[1:], map[string]int{"messages without text": 1}, 0},
		"a list in an object":              {`{"conversations": [` + good + "]}", both, nil, 0},
		"one conversation":                 {"\uFEFF" + good, both, nil, 0},
		"brackets before it are too many":  {"[}{" + good + "]", both, nil, 1},
		"a bracket before it is missing":   {`[{"title":"x","mapping":{"a":[},` + good + "," + good + "]", append(both, both...), nil, 1},
		"an object before it has no end":   {`[{"title":"x","mapping":{"a":1},` + good + "]", both, nil, 1},
		"a list before it goes very deep":  {"[" + strings.Repeat("[", 30_000) + strings.Repeat("]", 30_000) + "," + good + "]", both, nil, 1},
		"of Claude, the kept branch":       {`[{"uuid":"k","current_leaf_message_uuid":"c","chat_messages":[` + claudeMessage("a", noMessage, "human", "Ask") + "," + claudeMessage("b", "a", "assistant", "Rejected") + "," + claudeMessage("c", "a", "assistant", "Answer") + "]}]", both, map[string]int{"messages of other branches": 1}, 0},
		"of Claude, the last branch":       {`[{"uuid":"k","chat_messages":[` + claudeMessage("a", noMessage, "human", "Ask") + "," + claudeMessage("b", "a", "assistant", "Rejected") + "," + strings.Replace(claudeMessage("c", "a", "assistant", "Answer"), "07:00:00", "07:00:01", 1) + "]}]", both, map[string]int{"messages of other branches": 1}, 0},
		"of Claude, without parents":       {`[{"uuid":"k","chat_messages":[` + claudeMessage("a", "", "human", "Ask") + "," + claudeMessage("", "", "assistant", "Answer") + "," + claudeMessage("c", "", "user", "More") + "]}]", append(both, "user: More"), nil, 0},
		"of Claude, only with attachments": {`[{"uuid":"k","chat_messages":[` + strings.Replace(claudeMessage("a", "", "human", ""), `"text":""`, `"text":"","attachments":[{"extracted_content":"x"}]`, 1) + "]}]", nil, map[string]int{"attachments": 1, "messages without text": 1}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			turns, report := readAll(t, write(t, "conversations.json", []byte(tc.export)), 0)
			var got []string
			for _, turn := range turns {
				got = append(got, turn.Speaker+": "+turn.Text)
			}
			if diff := cmp.Diff(append([]string{}, tc.want...), append([]string{}, got...)); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.skips, report.Skipped); diff != "" || report.Bad != tc.bad {
				t.Errorf("%d are bad, %v: %s", report.Bad, report.Problems, diff)
			}
		})
	}
}

func TestConversationsWithoutNamesStayApartAndHaveTheirOwnTime(t *testing.T) {
	turns, _ := readAll(t, write(t, "conversations.json", []byte("["+chat(`"create_time":1772000000,"current_node":"a1",`, chatNodeText("a1", "r", "user", "One", 0))+","+chat(`"current_node":"b2",`, chatNodeText("b1", "r", "user", "Two", 60), chatNodeText("b2", "b1", "assistant", "Three", 0))+"]")), 0)
	var got []string
	for _, turn := range turns {
		got = append(got, turn.Session+" "+turn.At.Format("15:04:05")+" "+turn.Text)
	}
	if diff := cmp.Diff([]string{"a1 06:13:20 One", "b1 06:14:20 Two", "b1 06:14:20 Three"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestOfAnArchiveEveryPartIsReadThatCanBe(t *testing.T) {
	good := "[" + chat(`"id":"k","current_node":"a",`, chatNodeText("a", "r", "user", "Ask", 1)) + "]"
	pack := func(parts ...string) string {
		var file bytes.Buffer
		archive := zip.NewWriter(&file)
		for i, part := range parts {
			w, err := archive.Create(fmt.Sprintf("conversations-%d.json", i))
			if err != nil {
				t.Fatal(err)
			}
			w.Write([]byte(part)) //nolint:errcheck // into memory
		}
		if err := archive.Close(); err != nil {
			t.Fatal(err)
		}
		return write(t, "export.zip", file.Bytes())
	}
	turns, report := readAll(t, pack("junk", good, "more junk"), 0)
	if len(turns) != 1 || report.Bad != 2 || !strings.Contains(report.Problems[0].Message, "conversations-0.json") {
		t.Errorf("%+v, %+v", turns, report)
	}
	f, err := RecognizeFile(pack("junk"))
	if err != nil {
		t.Fatal(err)
	}
	file, id, err := f.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := f.ReadTurns(t.Context(), file, 0, id.Size, func(Turn) error { return nil }); err == nil {
		t.Error("an archive of junk is read without a fault")
	}
}
