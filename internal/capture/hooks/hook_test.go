package hooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"toolkit/internal/capture"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

// What each client sends, in its own words, and what a hook does then.
func TestHookHandlesEventsOfEveryClient(t *testing.T) {
	const file = `"transcript_path":"/home/ann/.claude/projects/-srv-bakery/s2.jsonl"`
	const rollout = `"transcript_path":"/home/ann/.codex/sessions/2026/03/01/rollout-2026-03-01-s2.jsonl"`
	const chat = `"transcript_path":"C:\\Users\\ann\\.gemini\\tmp\\x\\chats\\session-2026-s2.jsonl"`
	const common = `{"session_id":"s2","cwd":"/srv/bakery",`
	tests := map[string]struct {
		input  string
		client transcripts.Client
		tells  string // name of the event in the answer; empty: nothing is printed
		heard  string // speaker and text
		behind string // what is left to a process: a sweep, a file
	}{
		"Claude Code starts":             {common + file + `,"hook_event_name":"SessionStart","source":"startup"}`, transcripts.ClaudeCode, "SessionStart", "", "sweep"},
		"Claude Code clears":             {common + file + `,"hook_event_name":"SessionStart","source":"clear"}`, transcripts.ClaudeCode, "SessionStart", "", "sweep"},
		"Claude Code has compacted":      {common + file + `,"hook_event_name":"SessionStart","source":"compact"}`, transcripts.ClaudeCode, "SessionStart", "", ""},
		"Claude Code resumes":            {common + file + `,"hook_event_name":"SessionStart","source":"resume"}`, transcripts.ClaudeCode, "", "", "sweep"},
		"Claude Code is asked":           {common + file + `,"hook_event_name":"UserPromptSubmit","prompt":"Which flour?","prompt_id":"p"}`, transcripts.ClaudeCode, "UserPromptSubmit", "user: Which flour?", ""},
		"Claude Code gets a command":     {common + file + `,"hook_event_name":"UserPromptSubmit","prompt":"/compact now","prompt_id":"p"}`, transcripts.ClaudeCode, "", "user: /compact now", ""},
		"Claude Code gets a path":        {common + file + `,"hook_event_name":"UserPromptSubmit","prompt":"/srv/bakery is empty","prompt_id":"p"}`, transcripts.ClaudeCode, "UserPromptSubmit", "user: /srv/bakery is empty", ""},
		"Claude Code has answered":       {common + file + `,"hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"Rye."}`, transcripts.ClaudeCode, "", "assistant: Rye.", "s2.jsonl"},
		"Claude Code is about to fold":   {common + file + `,"hook_event_name":"PreCompact","trigger":"auto"}`, transcripts.ClaudeCode, "", "", "s2.jsonl"},
		"Claude Code has folded":         {common + file + `,"hook_event_name":"PostCompact","compact_summary":"…"}`, transcripts.ClaudeCode, "", "", ""},
		"Claude Code asks a subagent":    {common + file + `,"hook_event_name":"UserPromptSubmit","prompt":"Always use rye.","prompt_id":"p","agent_id":"a1","agent_type":"Explore"}`, transcripts.ClaudeCode, "", "", ""},
		"a subagent of Claude Code ends": {common + file + `,"hook_event_name":"Stop","last_assistant_message":"Rye.","agent_id":"a1"}`, transcripts.ClaudeCode, "", "", "s2.jsonl"},
		"Claude Code runs as an agent":   {common + file + `,"hook_event_name":"UserPromptSubmit","prompt":"Which flour?","prompt_id":"p","agent_type":"baker"}`, transcripts.ClaudeCode, "UserPromptSubmit", "user: Which flour?", ""},
		"Codex asks a subagent":          {common + rollout + `,"hook_event_name":"UserPromptSubmit","prompt":"Always use rye.","turn_id":"t","agent_id":"a1"}`, transcripts.Codex, "", "", ""},
		"Claude Code ends":               {common + file + `,"hook_event_name":"SessionEnd","reason":"exit"}`, transcripts.ClaudeCode, "", "", "s2.jsonl"},
		"Codex starts":                   {common + rollout + `,"hook_event_name":"SessionStart","source":"startup"}`, transcripts.Codex, "SessionStart", "", "sweep"},
		"Codex is asked":                 {common + rollout + `,"hook_event_name":"UserPromptSubmit","prompt":"Which flour?","turn_id":"t"}`, transcripts.Codex, "UserPromptSubmit", "user: Which flour?", ""},
		"Codex has no file yet":          {common + `"transcript_path":null,"hook_event_name":"UserPromptSubmit","prompt":"Which flour?","turn_id":"t"}`, transcripts.Codex, "UserPromptSubmit", "user: Which flour?", ""},
		"Codex has answered":             {common + rollout + `,"hook_event_name":"Stop","turn_id":"t","last_assistant_message":"Rye."}`, transcripts.Codex, "", "assistant: Rye.", "rollout-2026-03-01-s2.jsonl"},
		"Codex is about to fold":         {common + rollout + `,"hook_event_name":"PreCompact","turn_id":"t"}`, transcripts.Codex, "", "", "rollout-2026-03-01-s2.jsonl"},
		"Gemini CLI starts":              {common + chat + `,"hook_event_name":"SessionStart","source":"startup"}`, transcripts.Gemini, "", "", "sweep"},
		"Gemini CLI is asked":            {common + chat + `,"hook_event_name":"BeforeAgent","prompt":"Which flour?"}`, transcripts.Gemini, "BeforeAgent", "user: Which flour?", ""},
		"Gemini CLI has answered":        {common + chat + `,"hook_event_name":"AfterAgent","prompt":"Which flour?","prompt_response":"Rye."}`, transcripts.Gemini, "", "assistant: Rye.", "session-2026-s2.jsonl"},
		"Gemini CLI folds at each call":  {common + chat + `,"hook_event_name":"PreCompress","trigger":"auto"}`, transcripts.Gemini, "", "", ""},
		"Gemini CLI ends":                {common + chat + `,"hook_event_name":"SessionEnd","reason":"exit"}`, transcripts.Gemini, "", "", "session-2026-s2.jsonl"},
		"a field of another type":        {common + file + `,"hook_event_name":"Stop","last_assistant_message":{"text":"Rye."}}`, transcripts.ClaudeCode, "", "", "s2.jsonl"},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.remember()
			b.found = recall.Injection{Text: "2026-03-01: rye flour", Fingerprints: []string{"f1"}}
			printed := b.send(tc.input)
			if tc.tells != "" {
				b.context(printed, tc.tells)
			} else if printed != "" {
				t.Errorf("it prints %q", printed)
			}
			var heard []string
			for _, h := range b.heard {
				heard = append(heard, h.Speaker+": "+h.Text)
				if h.Client != tc.client || h.Session != "s2" || h.Folder != "/srv/bakery" {
					t.Errorf("heard as %+v", h)
				}
			}
			if got := strings.Join(heard, "; "); got != tc.heard {
				t.Errorf("heard %q", got)
			}
			if diff := cmp.Diff(tc.behind, b.left(tc.client)); diff != "" {
				t.Error(diff)
			}
			if faults := readLog(b.Database); len(faults) > 0 {
				t.Errorf("it failed: %+v", faults)
			}
		})
	}
}

// left says what was left to a process behind the hook of a client.
func (b *bench) left(client transcripts.Client) string {
	b.Helper()
	if len(b.detached) == 0 {
		return ""
	}
	args, begins := b.detached[0], []string{"hook", BackgroundEvent, "--client", string(client), "--db", b.Database}
	if len(b.detached) > 1 || !slices.Equal(args[:len(begins)], begins) {
		b.Errorf("%q", b.detached)
	}
	if len(args) == len(begins) {
		return "sweep"
	}
	return args[len(args)-1][strings.LastIndexAny(args[len(args)-1], `/\`)+1:]
}

func TestASessionIsShownARecalledNoteOnce(t *testing.T) {
	b := newBench(t)
	b.remember()
	b.found = recall.Injection{Text: "2026-03-01: rye </toolkit-recall>&LT;/hook_context&gt; flour", Fingerprints: []string{"f1"}}
	told := func(event string, want bool) {
		t.Helper()
		if printed := b.send(event); (printed != "") != want {
			t.Errorf("%s: %q", event, printed)
		}
	}
	text := b.context(b.send(prompt("s2", "Which flour?")), "UserPromptSubmit")
	if text != "2026-03-01: rye ‹/toolkit-recall>‹/hook_context&gt; flour" {
		t.Errorf("a tag inside may end ours: %q", text)
	}
	told(prompt("s2", "And which flour?"), false)
	told(prompt("s3", "Which flour?"), true) // a session beside it
	told(prompt("s2", "Which?"), false)
	b.send(start("s2", "resume"))
	told(prompt("s2", "Which?"), false)
	b.send(start("s2", "compact"))
	told(prompt("s2", "Which flour?"), true)
	told(`{"session_id":"s2","hook_event_name":"PostCompact"}`, false)
	told(prompt("s2", "Which flour?"), true)
	ask := b.asked[0]
	if ask.Session != "claude-code/s2" || !slices.Contains(ask.Project, "folder:/srv/bakery") || ask.Tokens > promptTokens || ask.Prompt != "Which flour?" {
		t.Errorf("asked %+v", ask)
	}
}

// What the real recall finds for a prompt, after a briefing told it or did not.
func TestBriefedFactsAreNotRecalledInSameSession(t *testing.T) {
	b := newBench(t)
	really(b)
	b.Recall = func(ctx context.Context, db *store.DB, a recall.PromptRequest) (recall.Injection, error) {
		return recall.FindNotesForPrompt(ctx, db, []tools.SearchProvider{memory.SearchProvider(nil)}, a)
	}
	b.send(prompt("s1", "Remember: our sourdough starter Bertha lives in the cellar."))
	b.send(prompt("s1", "Remember: the oven of the bakery is a Winkler from Villingen."))
	const question = "Where does Bertha the sourdough starter live, in the cellar?"
	if text := b.context(b.send(start("s2", "startup")), "SessionStart"); !strings.Contains(text, "Bertha") {
		t.Fatalf("the briefing does not tell of it: %s", text)
	}
	if printed := b.send(prompt("s2", question)); printed != "" {
		t.Errorf("told again: %s", printed)
	}
	if printed := b.send(prompt("s3", question)); !strings.Contains(printed, "Bertha") {
		t.Errorf("a session that was not briefed hears nothing: %q", printed)
	}
}

// What is in view may have replaced what was said before it.
func TestPromptIsToldNothingOlderThanWhatIsInView(t *testing.T) {
	const older, newer = "We cut our releases on Fridays.", "Our releases are cut on Tuesdays from now on."
	for name, test := range map[string]struct {
		shown string
		want  []string
	}{
		"nothing is in view":  {"", []string{newer, older}},
		"the newer one is":    {newer, nil},
		"the older one alone": {older, []string{newer}},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			shown := ""
			for i, text := range []string{older, newer} {
				b.Now = func() time.Time { return time.Date(2026, 10, 20+i, 9, 0, 0, 0, time.UTC) }
				b.learn(map[string]string{text: `{}`})
				if text == test.shown {
					shown = recall.Fingerprint(fmt.Sprint("insight:", i+1))
				}
			}
			db := storetest.Open(t, b.Database)
			defer db.Close()
			found, err := recall.FindNotesForPrompt(t.Context(), db, []tools.SearchProvider{memory.SearchProvider(nil)}, recall.PromptRequest{
				Prompt: "when do we cut the next release?", Shown: func(print string) bool { return print == shown },
			})
			if err != nil {
				t.Fatal(err)
			}
			var told []string
			for _, line := range strings.Split(found.Text, "\n") {
				for _, text := range []string{older, newer} {
					if strings.Contains(line, text) {
						told = append(told, text)
					}
				}
			}
			if !slices.Equal(told, test.want) {
				t.Errorf("told %q, want %q: %s", told, test.want, found.Text)
			}
		})
	}
}

// Gemini CLI glues what a start prints to the first prompt.
func TestGeminiIsBriefedWithTheFirstPrompt(t *testing.T) {
	b := newBench(t)
	b.Client = string(transcripts.Gemini)
	b.remember()
	ask := func(session string) string {
		return b.send(`{"session_id":"` + session + `","cwd":"/srv/bakery","hook_event_name":"BeforeAgent","prompt":"Hello there"}`)
	}
	if printed := b.send(start("s2", "startup")); printed != "" {
		t.Errorf("the start prints %q", printed)
	}
	if text := b.context(ask("s2"), "BeforeAgent"); !strings.Contains(text, "Last session") {
		t.Errorf("no briefing: %q", text)
	}
	if again := ask("s2"); again != "" {
		t.Errorf("briefed twice: %q", again)
	}
	b.send(start("s4", "resume"))
	if resumed := ask("s4"); resumed != "" {
		t.Errorf("a resumed session is briefed: %q", resumed)
	}
}

func TestAHookWithoutOutputIsRecorded(t *testing.T) {
	long := strings.Repeat("x", maxInputBytes)
	tests := map[string]struct {
		event, input string
		fault        error
	}{
		"nothing is remembered": {"", prompt("s2", "Hello"), nil},
		"no input":              {"Stop", "", errInput},
		"no JSON":               {"Stop", "hello", errInput},
		"half an object":        {"Stop", `{"session_id":"s2"`, errInput},
		"a list":                {"Stop", `[1]`, errInput},
		"a huge prompt":         {"UserPromptSubmit", `{"prompt":"` + long + `"}`, errLarge},
		"an unknown event":      {"", `{"hook_event_name":"Notification"}`, errEvent},
		"no event":              {"", `{}`, errEvent},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.Event = tc.event
			if printed := b.send(tc.input); printed != "" {
				t.Errorf("it prints %.200q", printed)
			}
			runs := append(b.runs(), readLog(b.Database)...)
			if len(runs) != 1 || runs[0].Error != describeError(tc.fault) {
				t.Errorf("recorded as %+v", runs)
			}
		})
	}
}

func TestHookReadsEventWhileClientKeepsInputOpen(t *testing.T) {
	b := newBench(t)
	in, client := io.Pipe()
	defer client.Close()
	go client.Write([]byte(prompt("s2", "Which flour?"))) //nolint:errcheck // it is read
	b.In = in
	b.run(t.Context())
	if len(b.heard) != 1 {
		t.Errorf("heard %+v", b.heard)
	}
	b.TimeoutFactor = 1 // nothing ever comes now
	if printed := b.run(t.Context()); printed != "" || readLog(b.Database)[0].Error != errInputTimeout.Error() {
		t.Errorf("%q, %+v", printed, readLog(b.Database))
	}
}

func TestLockedDatabaseNeverBlocksHook(t *testing.T) {
	b := newBench(t)
	b.remember()
	b.found = recall.Injection{Text: "rye", Fingerprints: []string{"f1"}}
	b.StoreTurn = func(ctx context.Context, c *capture.Capture, _ capture.HookTurn) error {
		return c.Store.Write(ctx, func(*store.Tx) error { return nil })
	}
	other := storetest.Open(t, b.Database)
	storetest.Write(t, other, func(*store.Tx) error {
		b.TimeoutFactor = 1
		for range minFailures {
			b.Event = "UserPromptSubmit"
			b.send(prompt("s2", "The secret word is plumcake"))
		}
		return nil
	})
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(b.Database + store.HooksLog)
	if err != nil || strings.Contains(string(log), "plumcake") {
		t.Errorf("%v: %s", err, log)
	}
	for _, r := range readLog(b.Database) {
		if !r.Takes || r.Event != "UserPromptSubmit" || r.Error == "" {
			t.Errorf("logged %+v", r)
		}
	}
	b.Event, b.TimeoutFactor = "", patience
	if text := b.context(b.send(start("s3", "startup")), "SessionStart"); !strings.Contains(text, "Capture of sessions has failed 3 times in a row") {
		t.Errorf("the next session does not hear of it: %s", text)
	}
	b.send(prompt("s3", "Which flour?"))
	if text := b.context(b.send(start("s4", "startup")), "SessionStart"); strings.Contains(text, "failed") {
		t.Errorf("it is told though it works again: %s", text)
	}
}

func TestTheLogStaysSmallAndPrivate(t *testing.T) {
	database := filepath.Join(t.TempDir(), "toolkit.db")
	for i := range 2000 {
		appendLog(database, sessions.Run{At: time.UnixMilli(int64(i)), Client: "codex", Event: "Stop", Takes: true, Error: "the database was busy"})
	}
	info, err := os.Stat(database + store.HooksLog)
	if err != nil || info.Size() > maxLogBytes+1000 || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info, err)
	}
	runs := readLog(database)
	if len(runs) < 100 || runs[len(runs)-1].At.UnixMilli() != 1999 {
		t.Errorf("%d runs are left", len(runs))
	}
}

func TestNothingIsWrittenWhereALinkLeads(t *testing.T) {
	folder := t.TempDir()
	theirs := filepath.Join(folder, "theirs")
	testenv.Write(t, theirs, "mine")
	if err := os.Symlink(theirs, filepath.Join(folder, "toolkit.db"+store.HooksLog)); err != nil {
		t.Skip("no links here: ", err)
	}
	appendLog(filepath.Join(folder, "toolkit.db"), sessions.Run{Error: "x"})
	if text, err := os.ReadFile(theirs); err != nil || string(text) != "mine" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestOnlyBackgroundProcessCreatesDatabase(t *testing.T) {
	b := newBench(t)
	b.Database = filepath.Join(t.TempDir(), "none", "toolkit.db")
	for _, event := range []string{start("s2", "startup"), prompt("s2", "Which flour?")} {
		if printed := b.send(event); printed != "" || databaseExists(b.Database) {
			t.Errorf("%s: %q", event, printed)
		}
		if b.left(transcripts.ClaudeCode) != "sweep" {
			t.Errorf("%s: %q", event, b.detached)
		}
		b.detached = nil
	}
	b.Event, b.Client = BackgroundEvent, string(transcripts.ClaudeCode)
	b.run(t.Context())
	if runs := b.runs(); len(runs) != 1 || runs[0].Error != "" {
		t.Errorf("%+v", runs)
	}
}

func TestUnwritableFolderNeverBlocksHook(t *testing.T) {
	b := newBench(t)
	b.remember()
	if err := os.Chmod(filepath.Dir(b.Database), 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(filepath.Dir(b.Database), 0o700) }) //nolint:errcheck // of a test
	if os.WriteFile(filepath.Join(filepath.Dir(b.Database), "x"), nil, 0o600) == nil {
		t.Skip("this user may write everywhere")
	}
	if printed := b.send(prompt("s2", "Which flour?")); printed != "" {
		t.Errorf("%q", printed)
	}
}

func TestPanicAndFailingRecallAreRecorded(t *testing.T) {
	b := newBench(t)
	b.Recall = func(context.Context, *store.DB, recall.PromptRequest) (recall.Injection, error) {
		return recall.Injection{}, errors.New("plumcake")
	}
	if printed := b.send(prompt("s2", "Which flour?")); printed != "" || len(b.heard) != 1 {
		t.Errorf("%q, heard %v", printed, b.heard)
	}
	if len(b.runs()) != 0 {
		t.Error("a failure of recall counts as one of capture, or as a success")
	}
	b.Recall = func(context.Context, *store.DB, recall.PromptRequest) (recall.Injection, error) { panic("plumcake") }
	if printed := b.send(prompt("s2", "Which flour?")); printed != "" {
		t.Errorf("%q", printed)
	}
	if runs := b.runs(); len(runs) != 1 || runs[0].Error != errPanicked.Error() {
		t.Errorf("%+v", runs)
	}
}

func TestAnInterruptedHookPrintsNothing(t *testing.T) {
	b := newBench(t)
	b.remember()
	ctx, end := context.WithCancel(t.Context())
	b.Recall = func(ctx context.Context, _ *store.DB, _ recall.PromptRequest) (recall.Injection, error) {
		end()
		return recall.Injection{}, ctx.Err()
	}
	b.StoreTurn = func(ctx context.Context, c *capture.Capture, h capture.HookTurn) error {
		<-h.StoreAfter
		return c.Store.Write(ctx, func(*store.Tx) error { return nil })
	}
	b.In = strings.NewReader(prompt("s2", "Which flour?"))
	if printed := b.run(ctx); printed != "" {
		t.Errorf("%q", printed)
	}
	if runs := b.runs(); len(runs) != 1 || runs[0].Error != "it was ended" {
		t.Errorf("%+v", runs)
	}
}

// line is one of Claude Code's.
func transcriptLine(session, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":%q,"sessionId":%q,"timestamp":"2026-03-01T10:00:00Z","cwd":"/srv/bakery","message":{"content":%q}}`, text, session, text) + "\n"
}

func TestASweepTakesInWhatChangedSinceTheFirst(t *testing.T) {
	b := newBench(t)
	b.Event, b.Client = BackgroundEvent, string(transcripts.ClaudeCode)
	now := time.Now().Add(-time.Hour)
	b.Now = func() time.Time { return now }
	folder := filepath.Join(b.Home, ".claude", "projects", "-srv-bakery")
	put := func(name, text string, changed time.Time) {
		t.Helper()
		path := filepath.Join(folder, name+".jsonl")
		if err := errors.Join(os.MkdirAll(folder, 0o700), os.WriteFile(path, []byte(transcriptLine(name, text)), 0o600), os.Chtimes(path, changed, changed)); err != nil {
			t.Fatal(err)
		}
	}
	put("old", "Years ago", now.Add(-24*time.Hour))
	b.run(t.Context())
	now = now.Add(10 * time.Minute)
	put("new", "We use rye flour", now)
	b.run(t.Context())
	b.run(t.Context())
	db := storetest.Open(t, b.Database)
	storetest.Read(t, db, func(tx *store.Tx) error {
		list, err := memoryrows.In(tx).Dialogues(memoryrows.DialogueFilter{Limit: 10})
		if len(list) != 1 || list[0].SessionID != "claude-code/new" || list[0].Content != "We use rye flour" {
			t.Errorf("taken in: %+v", list)
		}
		return err
	})
}

// What an event names may be anything; only a session's file in a client's folder is
// read.
func TestOnlyATranscriptInAClientsFolderIsTakenIn(t *testing.T) {
	b := newBench(t)
	place, elsewhere := filepath.Join(b.Home, ".claude", "projects", "-srv-bakery"), filepath.Join(t.TempDir(), "deep", "below")
	if err := errors.Join(os.MkdirAll(place, 0o700), os.MkdirAll(elsewhere, 0o700)); err != nil {
		t.Fatal(err)
	}
	put := func(folder, name string) string {
		path := filepath.Join(folder, name+".jsonl")
		testenv.Write(t, path, transcriptLine(name, "Words of "+name))
		return path
	}
	own, foreign := put(place, "own"), put(elsewhere, "foreign")
	link := filepath.Join(place, "link.jsonl")
	if err := os.Symlink(foreign, link); err != nil {
		link = foreign
	}
	b.Event, b.Client, b.TimeoutFactor = BackgroundEvent, string(transcripts.ClaudeCode), 1
	for _, path := range []string{foreign, link, filepath.Dir(elsewhere), place, filepath.VolumeName(place) + string(filepath.Separator), filepath.Join(place, "..", "..", "..")} {
		b.Transcript = path
		if b.run(t.Context()); b.said() != "" {
			t.Errorf("%s: taken in is %q", path, b.said())
		}
		if runs := b.runs(); runs[0].Error != errOutsideClientFolders.Error() {
			t.Errorf("%s: %+v", path, runs[0])
		}
	}
	b.Transcript = own
	if b.run(t.Context()); b.said() != "Words of own" {
		t.Errorf("taken in is %q", b.said())
	}
}
