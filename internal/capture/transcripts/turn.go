// Package transcripts reads what assistants write of their sessions: Claude Code,
// Codex and Gemini CLI on this machine, and the exports of ChatGPT and Claude.
// Whatever the client, a reader hands on turns: what the user and the assistant
// said, with time, session and folder, and which files were changed and commands
// run before it. Tool results but for the user's answers in dialogs, thinking,
// reminders, commands of the client and what this program injected itself are left out.
//
// Formats grow. What is unknown or broken is counted and named in the Report, and
// never ends a reading. Files are streamed: no line or conversation longer than
// maxLineBytes is held, longer ones are skipped.
package transcripts

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"toolkit/internal/language"
)

// Client names who wrote a transcript.
type Client string

// Clients.
const (
	ClaudeCode Client = "claude-code"
	Codex      Client = "codex"
	Gemini     Client = "gemini-cli"
	ChatGPT    Client = "chatgpt" // its export
	Claude     Client = "claude"  // its export
)

// Clients are all of them.
var Clients = []Client{ClaudeCode, Codex, Gemini, ChatGPT, Claude}

// Speakers of turns.
const (
	User      = "user"
	Assistant = "assistant"
)

// Turn is something said.
type Turn struct {
	Client    Client
	Session   string   // the client's; a side chain has one of its own
	ID        string   // unique at the client: its own, else made of session, second, speaker and text
	Parent    string   // ID of the turn it answers, as far as the client says
	Queued    []string // IDs under which parts of it may have been handed on while it waited for the assistant
	Fork      string   // session whose turns this one begins by repeating
	Title     string   // of the session
	At        time.Time
	Speaker   string // of a side chain always Assistant
	Text      string
	Folder    string // working directory
	Branch    string // of git
	SideChain bool   // of a subagent
	Summary   bool   // what a compaction left of the turns before
	Facts

	// End is where to read on in the file once this turn is stored; 0 where a file
	// is always read as a whole.
	End int64
}

// Facts are what an assistant did before it spoke.
type Facts struct {
	Files    []string // changed
	Commands []string // run
}

const (
	maxFacts     = 20      // of a kind in a turn
	maxFactRunes = 200     // of one, when it is clean
	maxFactBytes = 4 << 10 // before
)

func (f *Facts) isEmpty() bool { return len(f.Files)+len(f.Commands) == 0 }

func (f *Facts) addFile(file string)       { f.Files = appendFact(f.Files, file) }
func (f *Facts) addCommand(command string) { f.Commands = appendFact(f.Commands, command) }
func (f *Facts) merge(more Facts) {
	for _, file := range more.Files {
		f.addFile(file)
	}
	for _, command := range more.Commands {
		f.addCommand(command)
	}
}

func appendFact(list []string, fact string) []string {
	fact = strings.Join(strings.Fields(fact), " ")
	if fact == "" || len(list) == maxFacts || slices.Contains(list, fact) {
		return list
	}
	if len(fact) > maxFactBytes { // between words, so that no half of a secret remains
		fact = fact[:max(strings.LastIndexByte(fact[:maxFactBytes], ' '), 0)] + "…"
	}
	return append(list, fact)
}

// Clean takes out of facts what must not be stored, and shortens them only then:
// of a secret that was cut off nobody could tell what it is.
func (f *Facts) Clean(clean func(string) string) {
	for _, list := range [][]string{f.Files, f.Commands} {
		for i, fact := range list {
			list[i] = language.Shorten(clean(fact), maxFactRunes)
		}
	}
}

// Report tells of one reading.
type Report struct {
	Turns    int
	Bad      int            // lines or conversations that could not be read
	Skipped  map[string]int // what was left out, by its name
	Problems []Problem      // the first of those that are bad
	Offset   int64          // where to read on
}

// Problem is something that could not be read.
type Problem struct {
	At      int64  `json:"at"` // byte of the file, or of the part of an archive
	Message string `json:"message"`
}

const (
	maxProblems     = 20
	maxProblemNames = 60
)

func (r *Report) countSkipped(what string) {
	if r.Skipped == nil {
		r.Skipped = map[string]int{}
	}
	if _, known := r.Skipped[what]; !known && len(r.Skipped) >= maxProblemNames {
		what = "of other kinds"
	}
	r.Skipped[what]++
}

// countUnknown counts a type that is not known, under its name.
func (r *Report) countUnknown(kind, name string) {
	name = strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-_.", c) {
			return c
		}
		return -1
	}, name)
	r.countSkipped(strings.TrimSpace(kind + " " + language.Shorten(name, 40)))
}

func (r *Report) addProblem(at int64, message string) {
	r.Bad++
	if len(r.Problems) < maxProblems {
		r.Problems = append(r.Problems, Problem{At: at, Message: message})
	}
}

// contentID stands for a turn to which its client gives no id. The second keeps
// the same words apart when they are said again.
func (t *Turn) contentID() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{t.Session, strconv.FormatInt(t.At.Unix(), 10), t.Speaker, t.Text}, "\x00")))
	return hex.EncodeToString(sum[:16])
}

// parseTime reads a time of a transcript; zero when it is none.
func parseTime(text string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
