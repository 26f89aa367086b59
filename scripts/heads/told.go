package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/internal/app"
	"toolkit/internal/capture"
	"toolkit/internal/capture/notice"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/store"
	"toolkit/store/sessions"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

// together is how many pairs or notes one person states in one project.
const together = 4

// plainNotes is how many notes stand beside prompts that need none.
const plainNotes = 40

// promptPair is two statements and a prompt a week later that needs what holds now.
type promptPair struct {
	Old, New, Relation, Prompt string
}

// What becomes of a pair whose newer statement replaces the older.
const (
	toldRight   = "right: the newer alone, or before the older marked as earlier"
	toldBoth    = "both, the older not marked or first"
	toldOld     = "the older alone"
	toldNeither = "neither"
)

// promptResults is what a program tells of pairs and notes that were said to it.
type promptResults struct {
	changed         map[string]int // of pairs that replace
	adding, stands  int            // pairs that add, and those of which the newer or both are told
	outdated        int            // those whose older is told as outdated
	notes, needed   int            // prompts that need a note, and those that are told it
	others, silent  int            // prompts that need none, and those that are told nothing
	plain, needless int            // prompts of ordinary work, and those that are told something
	known, answered int            // prompts that need one of plainNotes notes, and those that are told it
	lines, earlier  int            // that these are told, and those of them that are told as outdated: of such notes none is
	unknown, empty  int            // prompts that need a note which nobody stated, and those that are told nothing
}

// evaluatePrompts says what the program tells beside the prompts of a folder.
func evaluatePrompts(ctx context.Context, folder string, verbose bool) error {
	t, err := runAllPrompts(ctx, folder, verbose)
	if err != nil {
		return err
	}
	fmt.Fprintf(os.Stdout, "changed facts: %v\npairs that both stand: %d of %d told, the older as outdated of %d\nprompts that need a note: %d of %d told it\nprompts that need none: %d of %d in silence\nprompts of ordinary work: %d of %d told something\namong forty notes: %d of %d prompts told theirs in %d lines, %d of them as outdated, %d of %d that nothing answers in silence\n", t.changed, t.stands, t.adding, t.outdated, t.needed, t.notes, t.silent, t.others, t.needless, t.plain, t.answered, t.known, t.lines, t.earlier, t.empty, t.unknown)
	return nil
}

// runAllPrompts says the pairs of asked.jsonl and the notes of triples.jsonl to the program,
// as hooks do, and asks their prompts.
func runAllPrompts(ctx context.Context, folder string, verbose bool) (*promptResults, error) {
	t := &promptResults{changed: map[string]int{}}
	var pairs []promptPair
	err := readJSONLines(filepath.Join(folder, "asked.jsonl"), func(a promptPair) { pairs = append(pairs, a) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var triples []triple
	err = readJSONLines(filepath.Join(folder, "triples.jsonl"), func(a triple) { triples = append(triples, a) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for start := 0; start < len(pairs); start += together {
		if err := t.runPairPrompts(ctx, pairs[start:min(start+together, len(pairs))], verbose); err != nil {
			return nil, err
		}
	}
	for start := 0; start < len(triples); start += together {
		if err := t.runNotePrompts(ctx, triples[start:min(start+together, len(triples))], verbose); err != nil {
			return nil, err
		}
	}
	return t, t.runPlainPrompts(ctx, folder, triples, verbose)
}

// runPlainPrompts asks the prompts of plain.jsonl of somebody who stated plainNotes notes.
func (t *promptResults) runPlainPrompts(ctx context.Context, folder string, triples []triple, verbose bool) error {
	var prompts []personalPrompt
	err := readJSONLines(filepath.Join(folder, "plain.jsonl"), func(p personalPrompt) { prompts = append(prompts, p) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	p, err := newPersonWithDatabase(ctx)
	if err != nil {
		return err
	}
	defer p.close()
	for _, a := range triples[:min(plainNotes, len(triples))] {
		if err := p.captureTurn(ctx, a.Note, 10); err != nil {
			return err
		}
	}
	p.search.EmbedAll(ctx, nil)
	for _, prompt := range prompts {
		text, err := p.askPrompt(ctx, prompt.Text)
		if err != nil {
			return err
		}
		t.plain++
		if text != "" {
			t.needless++
		}
		if verbose && text != "" {
			fmt.Fprintf(os.Stdout, "needless\n  prompt (%.2f): %s\n    %s\n", personalScoreOf(ctx, prompt.Text), prompt.Text, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	for i, a := range triples {
		text, err := p.askPrompt(ctx, a.Prompt)
		switch {
		case err != nil:
			return err
		case i < plainNotes:
			t.known++
			t.lines, t.earlier = t.lines+strings.Count(text, "\n"), t.earlier+strings.Count(text, "\nearlier, ")
			if findLine(text, a.Note) >= 0 {
				t.answered++
			}
		default:
			t.unknown++
			if text == "" {
				t.empty++
			}
		}
		if verbose && text != "" && i >= plainNotes {
			fmt.Fprintf(os.Stdout, "told what nobody stated\n  prompt (%.2f): %s\n    %s\n", personalScoreOf(ctx, a.Prompt), a.Prompt, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	return nil
}

func (t *promptResults) runPairPrompts(ctx context.Context, pairs []promptPair, verbose bool) error {
	p, err := newPersonWithDatabase(ctx)
	if err != nil {
		return err
	}
	defer p.close()
	for _, a := range pairs {
		if err := p.captureTurn(ctx, a.Old, 10); err != nil {
			return err
		}
	}
	for _, a := range pairs {
		if err := p.captureTurn(ctx, a.New, 7); err != nil {
			return err
		}
	}
	p.search.EmbedAll(ctx, nil)
	for _, a := range pairs {
		text, err := p.askPrompt(ctx, a.Prompt)
		if err != nil {
			return err
		}
		newer, older := findLine(text, a.New), findLine(text, a.Old)
		outcome, isEarlier := toldNeither, older >= 0 && strings.HasPrefix(strings.Split(text, "\n")[older], "earlier")
		switch {
		case newer >= 0 && (older < 0 || older > newer && isEarlier):
			outcome = toldRight
		case newer >= 0:
			outcome = toldBoth
		case older >= 0:
			outcome = toldOld
		}
		if a.Relation == "replaces" {
			t.changed[outcome]++
		} else {
			t.adding++
			if isEarlier {
				t.outdated++
			}
			if newer >= 0 {
				t.stands++
			}
		}
		if verbose && outcome != toldRight {
			fmt.Fprintf(os.Stdout, "%s, %s\n  old (%.2f): %s\n  new (%.2f): %s\n  prompt (%.2f): %s\n    %s\n", a.Relation, outcome, maxSentenceScore(ctx, a.Old), a.Old, maxSentenceScore(ctx, a.New), a.New, personalScoreOf(ctx, a.Prompt), a.Prompt, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	return nil
}

func (t *promptResults) runNotePrompts(ctx context.Context, triples []triple, verbose bool) error {
	p, err := newPersonWithDatabase(ctx)
	if err != nil {
		return err
	}
	defer p.close()
	for _, a := range triples {
		if err := p.captureTurn(ctx, a.Note, 10); err != nil {
			return err
		}
	}
	p.search.EmbedAll(ctx, nil)
	for _, a := range triples {
		text, err := p.askPrompt(ctx, a.Prompt)
		if err != nil {
			return err
		}
		t.notes++
		if findLine(text, a.Note) >= 0 {
			t.needed++
		} else if verbose {
			fmt.Fprintf(os.Stdout, "missing\n  note: %s\n  prompt: %s\n    %s\n", a.Note, a.Prompt, strings.ReplaceAll(text, "\n", "\n    "))
		}
		if text, err = p.askPrompt(ctx, a.General); err != nil {
			return err
		}
		t.others++
		if text == "" {
			t.silent++
		} else if verbose {
			fmt.Fprintf(os.Stdout, "not silent\n  prompt: %s\n    %s\n", a.General, strings.ReplaceAll(text, "\n", "\n    "))
		}
	}
	return nil
}

// maxSentenceScore is how surely a turn states something.
func maxSentenceScore(ctx context.Context, text string) (most float64) {
	parts, _ := notice.ScoreSentences(ctx, text) // only for people to look at
	for _, p := range parts {
		most = max(most, p.Score)
	}
	return most
}

func personalScoreOf(ctx context.Context, prompt string) float64 {
	read, _ := notice.AnalyzePrompt(ctx, prompt, time.Now()) // only for people to look at
	return read.PersonalScore
}

// evaluateStoredInsights says all lines of a folder to the program, in one project, and counts what
// became an insight.
func evaluateStoredInsights(ctx context.Context, folder string) error {
	p, err := newPersonWithDatabase(ctx)
	if err != nil {
		return err
	}
	defer p.close()
	right, wrong, worth, before := 0, 0, 0, 0
	err = readJSONLines(filepath.Join(folder, "utterances.jsonl"), func(u utterance) {
		if u.Keep {
			worth++
		}
		sayErr := p.captureTurn(ctx, u.Text, 5)
		count, countErr := p.countInsights(ctx)
		if sayErr != nil || countErr != nil {
			fmt.Fprintln(os.Stderr, sayErr, countErr)
		}
		if count > before && u.Keep {
			right++
		} else if count > before {
			wrong++
		}
		before = count
	})
	fmt.Fprintf(os.Stdout, "kept %d of %d worth it, and %d others: precision %.2f\n", right, worth, wrong, float64(right)/float64(max(1, right+wrong)))
	return err
}

func (p *person) countInsights(ctx context.Context) (int, error) {
	const all = 10000
	return store.ReadValue(ctx, p.store, func(tx *store.Tx) (int, error) {
		found, err := sessions.In(tx).ProjectByKey(p.project.Keys()...)
		if err != nil {
			return 0, err
		}
		learned, err := sessions.In(tx).ListInsightsOfProject(found.ID, "", notice.Style, all)
		return len(learned), err
	})
}

// findLine returns the first line that tells a statement or a sentence of it; -1: none does.
func findLine(text, statement string) int {
	parts := []string{normalizeWords(statement)}
	for _, s := range language.Sentences(statement) {
		if words := normalizeWords(s); strings.Count(words, " ") >= 2 {
			parts = append(parts, words)
		}
	}
	for i, line := range strings.Split(text, "\n") {
		line = normalizeWords(line)
		for _, part := range parts {
			if strings.Contains(line, part) {
				return i
			}
		}
	}
	return -1
}

func normalizeWords(text string) string {
	return strings.Join(language.Words(strings.ToLower(text)), " ")
}

// person is somebody who says things in one project, to a new database.
type person struct {
	folder  string
	store   *store.DB
	search  *memory.Search
	capture *capture.Capture
	project transcripts.Project
	turns   int
}

func newPersonWithDatabase(ctx context.Context) (*person, error) {
	folder, err := os.MkdirTemp("", "told")
	if err != nil {
		return nil, err
	}
	p := &person{folder: folder}
	if p.store, err = store.Open(ctx, store.Options{Path: filepath.Join(folder, "toolkit.db")}); err != nil {
		return nil, err
	}
	p.search = memory.NewSearch(p.store, embed.BuiltIn())
	p.capture = &capture.Capture{Store: p.store, Search: p.search, Home: folder}
	p.project, _ = transcripts.FindProject(filepath.Join(folder, "shop"), folder)
	return p, os.MkdirAll(filepath.Join(folder, "shop"), 0o700)
}

func (p *person) close() {
	p.search.Close()       //nolint:errcheck // it only waits
	p.store.Close()        //nolint:errcheck // the folder goes
	os.RemoveAll(p.folder) //nolint:errcheck // in the folder of temporary files
}

// captureTurn tells something as many days ago.
func (p *person) captureTurn(ctx context.Context, text string, daysAgo int) error {
	p.turns++
	at := time.Now().AddDate(0, 0, -daysAgo).Add(time.Duration(p.turns) * time.Minute)
	return p.capture.StoreHookTurn(ctx, capture.HookTurn{
		Client: transcripts.ClaudeCode, Session: fmt.Sprintf("day-%d", daysAgo), Folder: filepath.Join(p.folder, "shop"),
		Speaker: transcripts.User, Text: text, At: at,
	})
}

// askPrompt returns what is told beside a prompt of a new session.
func (p *person) askPrompt(ctx context.Context, prompt string) (string, error) {
	p.turns++
	found, err := recall.FindNotesForPrompt(ctx, p.store, app.SearchProviders(), recall.PromptRequest{Prompt: prompt, Session: capture.DialogueSessionID(transcripts.ClaudeCode, fmt.Sprint("today-", p.turns)), Project: p.project.Keys()})
	return found.Text, err
}
