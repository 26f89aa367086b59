package hooks

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"toolkit/internal/capture/transcripts"
)

// eventKind is what an event means, whatever its client calls it.
type eventKind int

const (
	unknownEvent eventKind = iota
	sessionStart
	promptSubmit
	answerEnd
	preCompact
	postCompact
	sessionEnd
	backgroundRun // of our own: what a hook leaves to a process behind it
)

// BackgroundEvent is the event of the process that a hook leaves its longer work to.
const BackgroundEvent = "capture"

var eventKinds = map[string]eventKind{
	"sessionstart":     sessionStart,
	"userpromptsubmit": promptSubmit, "beforeagent": promptSubmit,
	"stop": answerEnd, "afteragent": answerEnd,
	"precompact": preCompact, "precompress": preCompact,
	"postcompact":   postCompact,
	"sessionend":    sessionEnd,
	BackgroundEvent: backgroundRun,
}

// parseEventKind also knows the names as people write them: session-start, session_start.
func parseEventKind(event string) eventKind {
	return eventKinds[strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(event))]
}

// Event is what a client tells a hook. Clients leave out what they do not know.
type Event struct {
	Name       string `json:"hook_event_name"`
	Session    string `json:"session_id"`
	Transcript string `json:"transcript_path"`
	Folder     string `json:"cwd"`
	Agent      string `json:"agent_id"` // of a subagent in whose work the hook fires; empty: the session itself
	Source     string `json:"source"`   // of a start: startup, resume, clear, compact
	Prompt     string `json:"prompt"`
	PromptID   string `json:"prompt_id"`              // Claude Code's
	TurnID     string `json:"turn_id"`                // Codex's
	Answer     string `json:"last_assistant_message"` // of Claude Code and Codex
	Response   string `json:"prompt_response"`        // of Gemini CLI
}

// maxSessionLength is how much of the id of a session counts, in bytes. Clients give a few dozen.
const maxSessionLength = 200

// maxInputBytes bounds what is read of an event: prompts with pasted logs, answers.
const maxInputBytes = 8 << 20

var (
	errInput        = errors.New("the client's input is no JSON object")
	errLarge        = errors.New("the client's input is too large")
	errInputTimeout = errors.New("the client's input did not come in time")
)

// readEvent reads one object and no further, since some clients leave their end
// open. A field of another type than expected stays empty.
func readEvent(ctx context.Context, in io.Reader) (e Event, err error) {
	type outcome struct {
		Event
		error
	}
	read := make(chan outcome, 1)
	go func() {
		bounded := &io.LimitedReader{R: in, N: maxInputBytes}
		var raw json.RawMessage
		var o outcome
		err := json.NewDecoder(skipByteOrderMark(bounded)).Decode(&raw)
		var other *json.UnmarshalTypeError
		switch {
		case bounded.N == 0:
			o.error = errLarge
			io.Copy(io.Discard, in) //nolint:errcheck // so that the client does not fail in writing
		case err != nil || len(raw) == 0 || raw[0] != '{':
			o.error = errInput
		default:
			if err := json.Unmarshal(raw, &o.Event); err != nil && !errors.As(err, &other) {
				o.error = errInput
			}
			o.Session = strings.ToValidUTF8(o.Session[:min(len(o.Session), maxSessionLength)], "")
		}
		read <- o
	}()
	select {
	case o := <-read:
		return o.Event, o.error
	case <-ctx.Done():
		return e, errInputTimeout
	}
}

// skipByteOrderMark leaves out the mark that programs on Windows put before a text.
func skipByteOrderMark(in io.Reader) io.Reader {
	text := bufio.NewReader(in)
	if first, _, err := text.ReadRune(); err == nil && first != '\uFEFF' {
		text.UnreadRune() //nolint:errcheck // it was just read
	}
	return text
}

// detectClient tells by what an event holds who sent it.
func (e Event) detectClient() transcripts.Client {
	file := filepath.Base(filepath.FromSlash(strings.ReplaceAll(e.Transcript, `\`, "/")))
	switch strings.ToLower(e.Name) {
	case "beforeagent", "afteragent", "precompress":
		return transcripts.Gemini
	}
	switch {
	case e.PromptID != "":
		return transcripts.ClaudeCode
	case e.TurnID != "", strings.HasPrefix(file, "rollout-"):
		return transcripts.Codex
	case strings.HasPrefix(file, "session-"):
		return transcripts.Gemini
	}
	return transcripts.ClaudeCode
}

// isCommand reports whether a prompt is one for the client itself, such as /compact.
func (e Event) isCommand() bool {
	first, _, _ := strings.Cut(strings.TrimSpace(e.Prompt), " ")
	return strings.HasPrefix(first, "/") && !strings.Contains(first[1:], "/")
}

// output is what a client reads of a hook that has something to say.
type output struct {
	Specific specific `json:"hookSpecificOutput"`
}

type specific struct {
	Event   string `json:"hookEventName"`
	Context string `json:"additionalContext"`
}

// eventNameFor is how the client spells the event of a moment.
func eventNameFor(m eventKind, client transcripts.Client) string {
	switch {
	case m == sessionStart:
		return "SessionStart"
	case client == transcripts.Gemini:
		return "BeforeAgent"
	}
	return "UserPromptSubmit"
}
