package transcripts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// claudeCall is a line in which the assistant calls a tool.
func claudeCall(second int, id, tool, input string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"m%d","sessionId":"s","timestamp":"2026-03-01T10:00:%02d.000Z","cwd":"/srv/shop","gitBranch":"main","message":{"role":"assistant","model":"m","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}}`, second, second, id, tool, input) + "\n"
}

// claudeResult is a line with the result of a call; more is what stands in it besides.
func claudeResult(second int, id, content, inBlock, more string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"m%d","sessionId":"s","timestamp":"2026-03-01T10:00:%02d.000Z","cwd":"/srv/shop","gitBranch":"main","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":%q%s}]}%s}`, second, second, id, content, inBlock, more) + "\n"
}

const (
	isError  = `,"is_error":true`
	answered = `User has answered your questions: "Which database?"="Postgres". You can now continue with the user's answers in mind.`
	rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). "
	reason   = rejected + "To tell you how to proceed, the user said:\nnever force push to main, Tomasz works there too"
	note     = "\n\nNote: The user's next message may contain a correction or preference. Pay close attention — if they explain what went wrong or how they'd prefer you to work, consider saving that to memory for future sessions."
	clarify  = rejected + "To tell you how to proceed, the user said:\nThe user wants to clarify these questions.\n    This means they may have additional information, context or questions for you.\n" +
		"    Take their response into account and then reformulate the questions if appropriate.\n    Start by asking them what they would like to clarify.\n\n    Questions asked:\n"
)

func TestWhatTheUserDecidesInDialogsIsRead(t *testing.T) {
	ask, push := claudeCall(2, "q", "AskUserQuestion", `{"questions":[{"question":"Which database?"}]}`), claudeCall(2, "q", "Bash", `{"command":"git push -f"}`)
	plan := claudeCall(2, "q", "ExitPlanMode", `{"plan":"# Plan"}`)
	const structured = `,"toolUseResult":{"questions":[{"question":"Which port?","header":"Port"},{"question":"Which database?","header":"Store"},{"question":"Where to?"}],` +
		`"answers":{"Which database?":"Postgres","Which port?":["5432","5433"],"Where to?":""},"annotations":{"Which database?":{"preview":"CREATE","notes":"but only for billing"}}}`
	for name, tc := range map[string]struct {
		lines string
		want  []string
	}{
		"an answer":                         {ask + claudeResult(3, "q", answered, "", ""), []string{"Which database? Postgres"}},
		"an answer in the client's form":    {ask + claudeResult(3, "q", "Your questions have been answered.", "", structured), []string{"Which port? 5432, 5433\nWhich database? Postgres\nbut only for billing"}},
		"answers without their questions":   {ask + claudeResult(3, "q", answered, "", `,"toolUseResult":{"answers":{"Which database?":"Postgres, as ever"}}`), []string{"Which database? Postgres, as ever"}},
		"the later words of the client":     {ask + claudeResult(3, "q", `Your questions have been answered: "Which database?"="Postgres". You can now continue with these answers in mind.`, "", ""), []string{"Which database? Postgres"}},
		"other words of the client":         {ask + claudeResult(3, "q", `The user answered: "Choose a store"="Postgres"`, "", ""), []string{"Choose a store: Postgres"}},
		"several answers":                   {ask + claudeResult(3, "q", `User has answered your questions: "Which database?"="Postgres", "Which ports?"="5432, 5433", "Why?"="the "old" one, "big", is slow". You can now continue with the user's answers in mind.`, "", ""), []string{"Which database? Postgres\nWhich ports? 5432, 5433\nWhy? the \"old\" one, \"big\", is slow"}},
		"an answer and what was shown":      {ask + claudeResult(3, "q", `User has answered your questions: "Which database?"="Postgres" selected preview:\nCREATE TABLE. You can now continue with the user's answers in mind.`, "", ""), []string{"Which database? Postgres"}},
		"an answer whose call is not there": {claudeResult(3, "q", answered, "", structured), []string{"Which port? 5432, 5433\nWhich database? Postgres\nbut only for billing"}},
		"a rejected command":                {push + claudeResult(3, "q", reason, isError, `,"toolUseResult":"User rejected tool use"`), []string{"never force push to main, Tomasz works there too"}},
		"a rejection with a note":           {push + claudeResult(3, "q", reason+note, isError, `,"toolUseResult":"Error: `+rejected+`"`), []string{"never force push to main, Tomasz works there too"}},
		"a rejection in earlier words":      {push + claudeResult(3, "q", rejected+"The user provided the following reason for the rejection:  no force", isError, ""), []string{"no force"}},
		"a rejected plan":                   {plan + claudeResult(3, "q", rejected+"To tell you how to proceed, the user said:\nadd tests first\nthen the docs", isError, ""), []string{"add tests first\nthen the docs"}},
		"an approved plan with a message": {plan + strings.Replace(claudeResult(3, "q", "User has approved your plan. You can now start coding.\n\n## Approved Plan:\n# Plan", "", ""), `}]}}`, `},{"type":"text","text":"but keep the old API"}]}}`, 1),
			[]string{"but keep the old API"}},
		"questions to be talked about": {ask + claudeResult(3, "q", clarify+"- \"Which database?\"\n  Answer: Postgres (Recommended)\n- \"Which port?\"\n  (No answer provided)"+note, isError, ""), []string{"Which database? Postgres (Recommended)"}},
		"a rejected call of a server":  {strings.Replace(push, `"Bash"`, `"mcp__db__drop"`, 1) + claudeResult(3, "q", reason, isError, `,"toolDenialKind":"user-rejected"`), []string{"never force push to main, Tomasz works there too"}},
		"asked by a subagent":          {strings.ReplaceAll(push+claudeResult(3, "q", reason, isError, ""), `"sessionId"`, `"isSidechain":true,"agentId":"a","sessionId"`), []string{"never force push to main, Tomasz works there too"}},
		"parts of text":                {ask + strings.Replace(claudeResult(3, "q", "ANSWER", "", ""), `"ANSWER"`, fmt.Sprintf(`[{"type":"text","text":%q}]`, answered), 1), []string{"Which database? Postgres"}},
		"and an interruption":          {push + claudeResult(3, "q", reason, isError, "") + claudeSaid(4, User, "[Request interrupted by user for tool use]"), []string{"never force push to main, Tomasz works there too"}},
	} {
		t.Run(name, func(t *testing.T) {
			content := claudeSaid(1, User, "Bake bread") + tc.lines + claudeSaid(9, Assistant, "Baked.")
			turns, _ := readAll(t, write(t, "s.jsonl", []byte(content)), 0)
			var got []string
			for _, turn := range turns[1:] {
				got = append(got, turn.Session+" "+turn.Speaker+": "+turn.Text)
			}
			var want []string
			for _, text := range tc.want {
				want = append(want, "s user: "+text)
			}
			if diff := cmp.Diff(append(want, "s assistant: Baked."), got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestOrdinaryToolResultsAreNotRead(t *testing.T) {
	call := func(tool string) string { return claudeCall(2, "q", tool, `{}`) }
	for name, lines := range map[string]string{
		"a command":                             call("Bash") + claudeResult(3, "q", "ok shop 0.1s", "", `,"toolUseResult":{"stdout":"ok","stderr":""}`),
		"a command that fails":                  call("Bash") + claudeResult(3, "q", "Exit code 1\n"+reason, isError, `,"toolUseResult":"Error: Exit code 1"`),
		"a file that quotes an answer":          call("Read") + claudeResult(3, "q", answered, "", `,"toolUseResult":{"type":"text","file":{"content":"x"}}`),
		"a file that quotes a rejection":        call("Read") + claudeResult(3, "q", reason, "", ""),
		"a command whose call is not there":     claudeResult(3, "q", answered, "", `,"toolUseResult":{"stdout":"User has answered"}`),
		"a server that returns answers":         call("mcp__x__ask") + claudeResult(3, "q", answered, "", `,"toolUseResult":{"questions":[{"question":"Which database?"}],"answers":{"Which database?":"Postgres"}}`),
		"a server that fails like a rejection":  call("mcp__x__ask") + claudeResult(3, "q", reason, isError, `,"toolUseResult":"Error: `+rejected+`"`),
		"a rejection without a reason":          call("Bash") + claudeResult(3, "q", rejected+"STOP what you are doing and wait for the user to tell you how to proceed."+note, isError, `,"toolUseResult":"User rejected tool use"`),
		"an approved plan":                      call("ExitPlanMode") + claudeResult(3, "q", "User has approved your plan. You can now start coding.\n\n## Approved Plan:\n# Plan", "", `,"toolUseResult":{"plan":"# Plan","isAgent":false}`),
		"questions that nobody answered":        call("AskUserQuestion") + claudeResult(3, "q", clarify+"- \"Which database?\"\n  (No answer provided)", isError, ""),
		"a denial of the client":                call("Bash") + claudeResult(3, "q", "Permission for this action was denied by the Claude Code auto mode classifier. Reason: [Git Destructive].", isError, `,"toolDenialKind":"automode-blocked"`),
		"a question that was broken off":        call("AskUserQuestion") + claudeResult(3, "q", "[Request interrupted by user for tool use]", isError, ""),
		"an answer that the assistant only has": call("AskUserQuestion"),
	} {
		t.Run(name, func(t *testing.T) {
			turns, report := readAll(t, write(t, "s.jsonl", []byte(claudeSaid(1, User, "Bake bread")+lines+claudeSaid(9, Assistant, "Baked."))), 0)
			if len(turns) != 2 || turns[1].Text != "Baked." || strings.Contains(lines, "tool_result") && report.Skipped["tool results"] != 1 {
				t.Errorf("%+v, %+v", turns, report)
			}
		})
	}
}

// What was done before a question belongs to what the assistant says next, as without it.
func TestAnAnswerInADialogLeavesWhatWasDoneToTheAssistant(t *testing.T) {
	content := claudeSaid(1, User, "Bake bread") + claudeCall(2, "e", "Edit", `{"file_path":"/srv/shop/a.go"}`) + claudeResult(3, "e", "ok", "", "") +
		claudeCall(4, "q", "AskUserQuestion", `{}`) + claudeResult(5, "q", answered, "", "") + claudeSaid(6, Assistant, "Baked.")
	turns, _ := readAll(t, write(t, "s.jsonl", []byte(content)), 0)
	if len(turns) != 3 || turns[1].Speaker != User || !turns[1].isEmpty() || cmp.Diff([]string{"/srv/shop/a.go"}, turns[2].Files) != "" {
		t.Errorf("%+v", turns)
	}
}

// A session is read while its user still thinks about a question.
func TestAnAnswerIsReadWhoseQuestionWasReadBefore(t *testing.T) {
	for name, lines := range map[string][]string{
		"an answer":                  {claudeCall(2, "q", "AskUserQuestion", `{}`), claudeResult(3, "q", answered, "", `,"toolUseResult":[]`)},
		"a file that looks like one": {claudeCall(2, "q", "Read", `{}`), claudeResult(3, "q", answered, "", "")},
	} {
		t.Run(name, func(t *testing.T) {
			content, offset := "", int64(0)
			said := map[string]string{}
			for _, next := range append([]string{claudeSaid(1, User, "Bake bread")}, append(lines, claudeSaid(4, Assistant, "Baked."))...) {
				content += next
				turns, report := readAll(t, write(t, "s.jsonl", []byte(content)), offset)
				for _, turn := range turns {
					said[turn.ID] = turn.Text
				}
				offset = report.Offset
			}
			want := map[string]string{"m1": "Bake bread", "m4": "Baked."}
			if name == "an answer" {
				want["m3"] = "Which database? Postgres"
			}
			if diff := cmp.Diff(want, said); diff != "" || offset != int64(len(content)) {
				t.Errorf("%s, read to %d of %d", diff, offset, len(content))
			}
		})
	}
}
