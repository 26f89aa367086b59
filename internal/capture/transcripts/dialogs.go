package transcripts

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

// What the user answers in a dialog of Claude Code stands in the result of the tool that opened it:
// which of the offered answers he chose, or why he rejected a call. These are his words, and all
// that is taken from results of tools. A result of another tool that only looks like one, such as a
// file that quotes it, is none.

// questionTool is the tool by which Claude Code asks the user.
const questionTool = "AskUserQuestion"

// toolCall is a call whose result was not read yet.
type toolCall struct {
	session, tool string
	start         int64 // of its line
}

// openCalls are such calls, by their ids.
type openCalls map[string]toolCall

// addCall notes a call that stands in a line.
func (c openCalls) addCall(b *claudeBlock, session string, start int64) {
	if b.Type == "tool_use" && b.ID != "" {
		c[b.ID] = toolCall{session, b.Name, start}
	}
}

// takeTool returns the tool of a call whose result is read; empty when the call was not read.
func (c openCalls) takeTool(id string) string {
	tool := c[id].tool
	delete(c, id)
	return tool
}

// deleteSession forgets the calls of a session: with a new prompt none of them gets an answer.
func (c openCalls) deleteSession(session string) {
	maps.DeleteFunc(c, func(_ string, call toolCall) bool { return call.session == session })
}

// resumeOffset is where to read on so that what is answered later is known as an answer.
func (c openCalls) resumeOffset(offset, end int64) int64 {
	for _, call := range c {
		if end-call.start <= maxPendingBytes {
			offset = min(offset, call.start)
		}
	}
	return offset
}

// findDialogWords returns what the user said in the result of a tool, whose name is empty when its
// call was not read; empty when he said nothing there.
func (l *claudeLine) findDialogWords(tool string, b *claudeBlock) string {
	if tool != "" && tool != questionTool && !b.Failed {
		return ""
	}
	result := joinTexts(b.Content)
	if b.Failed {
		return l.findRejectionWords(tool, result)
	}
	before := answeredQuestions().FindString(result)
	if tool == "" && before == "" {
		return ""
	}
	if answers := l.readAnswers(); len(answers) > 0 {
		return formatAnswers(answers)
	}
	if before == "" || tool == "" && len(l.ToolResult) > 0 {
		return ""
	}
	return formatAnswers(parseAnswers(result[len(before):]))
}

// answer is what the user answered to a question.
type answer struct{ question, text string }

// readAnswers reads the answers as Claude Code writes them beside the result, in the order of the
// questions.
func (l *claudeLine) readAnswers() (answers []answer) {
	var result struct {
		Questions []struct {
			Question string `json:"question"`
		} `json:"questions"`
		Answers map[string]json.RawMessage `json:"answers"`
		Notes   map[string]struct {
			Notes string `json:"notes"`
		} `json:"annotations"`
	}
	if len(l.ToolResult) == 0 || !decodeTolerantly(l.ToolResult, &result) {
		return nil
	}
	var questions []string
	for _, q := range result.Questions {
		questions = append(questions, q.Question)
	}
	for _, q := range slices.Sorted(maps.Keys(result.Answers)) {
		if !slices.Contains(questions, q) {
			questions = append(questions, q)
		}
	}
	for _, q := range questions {
		text := strings.Join(textParts(result.Answers[q]), ", ")
		if notes := result.Notes[q].Notes; notes != "" {
			text = strings.TrimSpace(text + "\n" + notes)
		}
		if text != "" {
			answers = append(answers, answer{q, text})
		}
	}
	return answers
}

// The words of Claude Code around answers: "Which database?"="Postgres", "Which port?"="5432".
var (
	answeredQuestions = lazyregexp.New(`^\s*(?:User has answered your questions|Your questions have been answered|The user answered)[:.]\s*`)
	answersEnd        = lazyregexp.New(`(?s)"\. You can now continue .*$`)
	answerExtras      = lazyregexp.New(`(?s)" (?:selected preview|notes|user notes):.*$`)
)

// parseAnswers reads the answers of a result without the form of readAnswers.
func parseAnswers(result string) (answers []answer) {
	result = strings.TrimPrefix(answersEnd().ReplaceAllString(strings.TrimSpace(result), `"`), `"`)
	for _, part := range strings.Split(result, `", "`) {
		question, text, found := strings.Cut(part, `"="`)
		switch {
		case found:
			answers = append(answers, answer{question, text})
		case len(answers) > 0: // an answer with quotes in it
			answers[len(answers)-1].text += `", "` + part
		}
	}
	for i := range answers {
		text := answerExtras().ReplaceAllString(answers[i].text, "")
		answers[i].text = strings.TrimSuffix(strings.TrimSuffix(text, "."), `"`)
	}
	return answers
}

// formatAnswers writes each question with its answer on a line: "Which database? Postgres".
func formatAnswers(answers []answer) string {
	var lines []string
	for _, a := range answers {
		question := oneLine(a.question)
		if last, _ := utf8.DecodeLastRuneInString(question); question != "" && !unicode.IsPunct(last) {
			question += ":"
		}
		lines = append(lines, strings.TrimSpace(question+" "+a.text))
	}
	return strings.Join(lines, "\n")
}

// The words of Claude Code around the reason of a rejection.
var (
	rejection     = lazyregexp.New(`^(?s:(?:The user doesn't want to proceed with this tool use|Permission for this tool use was denied)\..*?(?:[Tt]he user said:|The user provided the following reason for the rejection:)\s*)`)
	rejectionNote = lazyregexp.New(`(?s)\s*\n\s*Note: The user's next message may contain a correction or preference\..*$`)
	clarification = lazyregexp.New(`^The user (?:wants to clarify these questions|has indicated they have provided enough answers)`)
	clarified     = lazyregexp.New(`(?m)^\s*- "(.*)"\s*\n\s*Answer: (.*)$`)
)

// findRejectionWords returns why the user rejected a call. When he would rather talk about questions
// than answer them all, it is what he answered so far.
func (l *claudeLine) findRejectionWords(tool, result string) string {
	before := rejection().FindString(result)
	if before == "" || strings.HasPrefix(tool, "mcp__") && !l.isMarkedRejection() {
		return "" // a server may write into its error what it likes
	}
	words := rejectionNote().ReplaceAllString(result[len(before):], "")
	if !clarification().MatchString(words) {
		return words
	}
	var answers []answer
	for _, match := range clarified().FindAllStringSubmatch(words, -1) {
		answers = append(answers, answer{match[1], match[2]})
	}
	return formatAnswers(answers)
}

// isMarkedRejection reports whether Claude Code says beside the result that the user rejected it.
func (l *claudeLine) isMarkedRejection() bool {
	var result string
	return strings.HasPrefix(l.Denial, "user") || json.Unmarshal(l.ToolResult, &result) == nil && result == "User rejected tool use"
}
