package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/internal/capture/transcripts"
	"toolkit/store"
	memoryrows "toolkit/store/memory"
	"toolkit/store/sessions"
	"toolkit/tools/memory"
)

// hookSize says how much is stored and asked.
type hookSize struct {
	Turns    int // captured, of one project
	Insights int // half of them noticed in turns, half written for the project
	Prompts  int
}

// publishedHookSize is the size of the figures in docs/benchmarks.md.
var publishedHookSize = hookSize{Turns: 60_000, Insights: 1000, Prompts: 200}

const (
	longEvery  = 20        // one prompt in so many is long
	longPrompt = 100 << 10 // bytes
	inSession  = 40        // turns
	perWrite   = 1000      // rows in a transaction of the preparation
)

// hookTimes is what the runs took.
type hookTimes struct {
	Wall, CPU []time.Duration // of each run, sorted; CPU is user and system time
	Told      int             // prompts beside which something was shown
	GaveUp    int             // runs that recorded a failure
}

// timeHookRuns fills a database in folder, unless it holds one, and sends the prompts to the hook of
// a binary. Progress hears what is being done. $TOOLKIT_PATIENCE multiplies the time after
// which a hook gives up, so that a busy machine shows what the whole work takes.
func timeHookRuns(ctx context.Context, binary, folder string, size hookSize, progress io.Writer) (hookTimes, error) {
	var o hookTimes
	home, work := filepath.Join(folder, "home"), filepath.Join(folder, "work")
	for _, path := range []string{home, work} {
		if err := os.MkdirAll(path, 0o700); err != nil {
			return o, err
		}
	}
	database := filepath.Join(folder, "toolkit.db")
	if _, err := os.Stat(database); err != nil {
		fmt.Fprintf(progress, "storing %d turns and %d insights\n", size.Turns, size.Insights)
		if err := fillDatabase(ctx, database, home, work, size); err != nil {
			return o, fmt.Errorf("fill the database: %w", err)
		}
	}
	fmt.Fprintf(progress, "sending %d prompts\n", size.Prompts)
	w := newWriter(2)
	for i := range size.Prompts {
		prompt := w.randomPrompt()
		if i%longEvery == longEvery-1 {
			prompt += "\n" + w.randomLog(longPrompt)
		}
		wall, cpu, printed, err := runPromptHook(ctx, binary, database, home, work, fmt.Sprintf("%d-%d", time.Now().Unix(), i/10), prompt)
		if err != nil {
			return o, err
		}
		o.Wall, o.CPU = append(o.Wall, wall), append(o.CPU, cpu)
		if printed > 0 {
			o.Told++
		}
	}
	slices.Sort(o.Wall)
	slices.Sort(o.CPU)
	var err error
	o.GaveUp, err = countFailedHookRuns(ctx, database, size.Prompts)
	return o, err
}

// quantileOf is the value below which a share of sorted durations lies.
func quantileOf(sorted []time.Duration, share float64) time.Duration {
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// runPromptHook runs the hook on a prompt, as Claude Code does.
func runPromptHook(ctx context.Context, binary, database, home, work, session, prompt string) (wall, cpu time.Duration, printed int, err error) {
	event, err := json.Marshal(map[string]string{
		"hook_event_name": "UserPromptSubmit", "session_id": session, "cwd": work, "prompt": prompt, "prompt_id": strconv.FormatInt(time.Now().UnixNano(), 36),
	})
	if err != nil {
		return 0, 0, 0, err
	}
	cmd := exec.CommandContext(ctx, binary, "hook", "user-prompt-submit", "--client", string(transcripts.ClaudeCode), "--db", database)
	cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TOOLKIT_PATIENCE=" + os.Getenv("TOOLKIT_PATIENCE")}
	cmd.Stdin = bytes.NewReader(event)
	var out bytes.Buffer
	cmd.Stdout = &out
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return 0, 0, 0, fmt.Errorf("run the hook: %w", err)
	}
	return time.Since(began), cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), out.Len(), nil
}

// countFailedHookRuns counts the latest runs that recorded one.
func countFailedHookRuns(ctx context.Context, database string, runs int) (failed int, err error) {
	db, err := store.Open(ctx, store.Options{Path: database})
	if err != nil {
		return 0, err
	}
	defer db.Close() //nolint:errcheck // it was only read
	err = db.Read(ctx, func(tx *store.Tx) error {
		list, err := sessions.In(tx).ListHookRuns(runs)
		for _, r := range list {
			if r.Error != "" {
				failed++
			}
		}
		return err
	})
	return failed, err
}

// fillDatabase stores turns and insights past the tools, as capture does, with their vectors. Those
// of turns are random, for to make them takes minutes and to read them does not depend on
// what they are.
func fillDatabase(ctx context.Context, database, home, work string, size hookSize) error {
	db, err := store.Open(ctx, store.Options{Path: database})
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // what was committed is on disk
	search := memory.NewSearch(db, embed.Off())
	defer search.Close() //nolint:errcheck // it only waits
	f := filler{writer: newWriter(1), db: db, search: search}
	if err := f.storeProject(ctx, home, work); err != nil {
		return err
	}
	if err := f.writeInBatches(ctx, size.Turns, f.storeRandomTurn); err != nil {
		return err
	}
	if err := f.writeInBatches(ctx, size.Insights, func(tx *store.Tx, i int) error { return f.storeRandomInsight(tx, i, size) }); err != nil {
		return err
	}
	if err := db.Write(ctx, func(tx *store.Tx) error { return memoryrows.In(tx).MergeWordIndexes() }); err != nil {
		return err
	}
	withVectors := memory.NewSearch(db, embed.BuiltIn())
	defer withVectors.Close() //nolint:errcheck // it only waits
	_, err = withVectors.EmbedAll(ctx, nil)
	return err
}

// filler stores what the hook will find.
type filler struct {
	*writer
	db       *store.DB
	search   *memory.Search
	project  int64
	key      string
	turns    []memoryrows.Dialogue
	embedded int64 // up to which row all have a vector
}

func (f *filler) writeInBatches(ctx context.Context, count int, write func(tx *store.Tx, i int) error) error {
	for start := 0; start < count; start += perWrite {
		err := f.db.Write(ctx, func(tx *store.Tx) error {
			for i := start; i < min(count, start+perWrite); i++ {
				if err := write(tx, i); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (f *filler) storeProject(ctx context.Context, home, work string) error {
	p, ok := transcripts.FindProject(work, home)
	if !ok {
		return fmt.Errorf("%s is no project", work)
	}
	f.key = p.Key
	return f.db.Write(ctx, func(tx *store.Tx) (err error) {
		f.project, err = sessions.In(tx).EnsureProject(sessions.Project{Key: p.Key, Name: p.Name, Root: p.Root, Remote: p.Remote}, p.Others...)
		return err
	})
}

// storeRandomTurn stores the i-th turn with a random vector.
func (f *filler) storeRandomTurn(tx *store.Tx, i int) error {
	at := time.Now().Add(-200 * 24 * time.Hour).Add(time.Duration(i) * time.Minute)
	d := memoryrows.Dialogue{SessionID: fmt.Sprintf("claude-code/old-%d", i/inSession), Speaker: transcripts.User, Content: f.randomParagraph(), At: at}
	if i%2 == 1 {
		d.Speaker = transcripts.Assistant
	}
	rows := memoryrows.In(tx)
	if i%inSession == 0 {
		session := sessions.Session{ID: d.SessionID, Client: string(transcripts.ClaudeCode), Project: f.project, Started: at, Ended: at.Add(inSession * time.Minute)}
		if err := sessions.In(tx).SaveSession(session); err != nil {
			return err
		}
	}
	var err error
	if d.ID, err = rows.InsertDialogue(d); err != nil {
		return err
	}
	if _, err := f.search.IndexRow(tx, d.Row()); err != nil {
		return err
	}
	if err := sessions.In(tx).SaveTurnProject(d.ID, d.SessionID, f.project); err != nil {
		return err
	}
	f.turns = append(f.turns, d)
	waiting, last, err := rows.ListUnembedded(embed.BuiltInModel, f.embedded, 1)
	if err != nil {
		return err
	}
	f.embedded = last
	packed, err := embed.Pack(f.randomVector())
	if err != nil {
		return err
	}
	return rows.InsertVectors(embed.BuiltInModel, []store.Vector{{ID: waiting[0].ID, Vector: packed}})
}

// storeRandomInsight stores the i-th insight: one that was noticed in a turn, or one that was
// written for the project.
func (f *filler) storeRandomInsight(tx *store.Tx, i int, size hookSize) error {
	if i%2 == 0 && size.Turns > 0 {
		turn := f.turns[f.random.IntN(len(f.turns))]
		_, err := memory.StoreExtracted(tx, f.search, memory.Extracted{Text: f.randomStatement(), Kind: "decision", Score: 0.8 + 0.2*f.random.Float64(), Source: turn.ID, At: turn.At})
		return err
	}
	metadata, err := json.Marshal(map[string]string{"project": f.key})
	if err != nil {
		return err
	}
	in, err := memoryrows.In(tx).InsertInsight(memoryrows.NewInsight{Content: f.randomStatement(), Fidelity: 0.8, Metadata: metadata})
	if err != nil {
		return err
	}
	_, err = f.search.IndexRow(tx, in.Row())
	return err
}

// writer makes texts of developers' work, the same ones in each run.
type writer struct {
	random *rand.Rand
	zipf   *rand.Zipf
}

func newWriter(seed uint64) *writer {
	random := rand.New(rand.NewPCG(seed, seed))
	return &writer{random: random, zipf: rand.NewZipf(random, 1.1, 4, 4000)}
}

var (
	parts   = strings.Fields("parser scheduler importer exporter gateway cache index queue worker dashboard installer archive tokenizer renderer ledger mailer planner crawler backup proxy")
	things  = strings.Fields("timeout retry format schema password licence colour port folder branch release deadline owner budget region driver font limit encoding protocol")
	values  = strings.Fields("thirty seconds PostgreSQL Redis Monday Hetzner blue YAML JSON Anna Basel 8443 nightly weekly UTF-8 gRPC Debian MIT Lisbon Kafka March")
	asking  = []string{"What did we decide about the %s of the %s?", "Which %s does our %s use?", "Why did we change the %s of the %s last month?", "Please set the %s of the %s as we agreed.", "Who takes care of the %s in the %s?", "Fix the failing test for the %s of the %s.", "Write a function that checks the %s of a %s."}
	stating = []string{"We decided that the %s of the %s is %s.", "The %s of our %s has been %s since spring.", "Always keep the %s of the %s at %s, Anna insists on it.", "From now on the %s for the %s will be %s.", "I prefer the %s of the %s to be %s."}
)

func (w *writer) pickRandom(list []string) string { return list[w.random.IntN(len(list))] }

// randomName is a rare word, like the many names in code.
func (w *writer) randomName() string {
	var word []byte
	for n := w.zipf.Uint64() + 7; n > 0; n /= 60 {
		word = append(word, "bdfgklmnprst"[n%12], "aeiou"[n/12%5])
	}
	return string(word)
}

func (w *writer) randomStatement() string {
	return fmt.Sprintf(w.pickRandom(stating), w.pickRandom(things), w.pickRandom(parts)+" "+w.randomName(), w.pickRandom(values))
}

func (w *writer) randomPrompt() string {
	return fmt.Sprintf(w.pickRandom(asking), w.pickRandom(things), w.pickRandom(parts)+" "+w.randomName())
}

// randomParagraph has one to four sentences.
func (w *writer) randomParagraph() string {
	list := []string{w.randomPrompt()}
	for range w.random.IntN(4) {
		list = append(list, fmt.Sprintf("In %s the %s calls %s with the %s of %s.", w.randomName(), w.pickRandom(parts), w.randomName(), w.pickRandom(things), w.randomName()))
	}
	return strings.Join(list, " ")
}

// randomLog is a pasted log of some length.
func (w *writer) randomLog(length int) string {
	var b strings.Builder
	for b.Len() < length {
		fmt.Fprintf(&b, "2026-03-%02d 10:%02d ERROR %s: %s of %s failed with code %d\n", 1+w.random.IntN(28), w.random.IntN(60), w.pickRandom(parts), w.pickRandom(things), w.randomName(), w.random.IntN(999))
	}
	return b.String()
}

func (w *writer) randomVector() []float32 {
	v := make([]float32, embed.BuiltIn().Dimension())
	for i := range v {
		v[i] = float32(w.random.NormFloat64())
	}
	embed.Normalize(v)
	return v
}
