package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"toolkit/internal/app"
	"toolkit/internal/capture/redact"
	"toolkit/internal/capture/transcripts"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
	memoryrows "toolkit/store/memory"
	"toolkit/tools"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

// rememberResult is what remember tells, and prints with --json.
type rememberResult struct {
	ID       int64          `json:"id"`                // of the insight
	Content  string         `json:"content"`           // as it is stored
	Already  bool           `json:"already"`           // it was there; nothing was stored
	Replaces int64          `json:"replaces"`          // the insight whose place it took; 0: none
	Project  string         `json:"project,omitempty"` // in which it holds, by name; empty: everywhere
	Redacted map[string]int `json:"redacted"`          // what was left out of it
	Similar  []recall.Hit   `json:"similar"`           // insights that it makes outdated, else those that say most of the same

	heading string // of these
	key     string // of the project
	kind    string // what it is, such as a decision
}

func newRemember(o *settings) *cobra.Command {
	var replaces int64
	var of, kind string
	var everywhere, asJSON bool
	cmd := newCommand("remember", requireArgumentCount(1, 1000, "a TEXT"), func(cmd *cobra.Command, args []string) error {
		r := rememberResult{Replaces: replaces, kind: kind, Similar: []recall.Hit{}}
		text := strings.Join(args, " ")
		if text == "-" {
			read, err := io.ReadAll(io.LimitReader(o.streams.In, maxRememberedLength+1))
			if err != nil {
				return fmt.Errorf("standard input: %w", err)
			}
			if len(read) > maxRememberedLength {
				return usagef("the text on standard input is longer than %d KB; import it as a document with 'toolkit import'", maxRememberedLength>>10)
			}
			text = string(read)
		}
		if r.Content, r.Redacted = redact.Text(cmd.Context(), strings.TrimSpace(text)); r.Content == "" {
			return usagef("there is nothing to remember in it")
		}
		switch {
		case everywhere && of != "":
			return usagef("--everywhere and --project both say where it holds; use one")
		case replaces != 0 && (everywhere || of != "" || kind != ""):
			return usagef("what takes the place of an insight is of its kind and holds where that one did; leave out --everywhere, --project and --kind")
		}
		if o.db != "" { // a misspelt path must not make a database
			if err := o.requireDatabase(); err != nil {
				return err
			}
		}
		err := o.withDatabase(cmd.Context(), func(a *app.App) error {
			if replaces != 0 {
				return r.replaceInsight(cmd.Context(), a)
			}
			if everywhere {
				return r.storeInsightUnlessKnown(memory.WithAllProjects(cmd.Context()), a)
			}
			if err := r.findOrAddProject(cmd.Context(), a, of); err != nil {
				return err
			}
			return r.storeInsightUnlessKnown(memory.WithProject(cmd.Context(), r.key), a)
		})
		switch {
		case err != nil:
			return err
		case asJSON:
			return o.printJSON(r)
		}
		return o.printf("%s", r.formatText())
	})
	addWholeNumber(cmd.Flags(), &replaces, "replaces", 1, math.MaxInt64, "the id of an insight whose place it takes")
	cmd.Flags().StringVar(&kind, "kind", "", "what it is: decision, preference, fact, person, plan or lesson")
	cmd.Flags().StringVar(&of, "project", "", "it holds in this project: its name, or a folder such as .")
	cmd.Flags().BoolVar(&everywhere, "everywhere", false, "it holds in every project")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was stored as JSON")
	return cmd
}

// maxRememberedLength bounds what is remembered from standard input, in bytes.
const maxRememberedLength = 64 << 10

// findOrAddProject finds the project in which the text holds: the one that is named, else
// that of the working folder, if this is a repository or sessions of it were captured.
func (r *rememberResult) findOrAddProject(ctx context.Context, a *app.App, named string) error {
	return a.Store.Write(ctx, func(tx *store.Tx) error {
		place := named
		if place == "" {
			place = "."
		}
		p, err := findProject(tx, tools.FindProject, place)
		if err != nil {
			return err
		}
		if folder, ok := findProjectOfFolder(place); p.ID == 0 && ok && (named != "" && pathExists(named) || isRepository(folder)) {
			if p, err = tools.EnsureProject(tx, folder); err != nil {
				return err
			}
		}
		if p.ID == 0 && named != "" {
			return newUnknownProjectError(named)
		}
		r.key, r.Project = p.Key, p.Name
		return nil
	})
}

func isRepository(p transcripts.Project) bool { return p.Key != transcripts.InFolder+p.Root }

func pathExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// replaceInsight puts the text in the place of an insight.
func (r *rememberResult) replaceInsight(ctx context.Context, a *app.App) error {
	old, err := store.ReadValue(ctx, a.Store, func(tx *store.Tx) (*memoryrows.Insight, error) { return memoryrows.In(tx).InsightAt(r.Replaces) })
	switch {
	case err != nil:
		return err
	case old == nil:
		return fmt.Errorf("no insight has the id %d; 'toolkit recall QUESTION --kinds insight' shows the ids of those that fit", r.Replaces)
	case !old.Deleted.IsZero():
		return fmt.Errorf("insight %d was deleted; leave --replaces out to store the text as a new one", r.Replaces)
	}
	var stored struct{ ID int64 }
	_, err = callToolInto(ctx, a, "update_insight", map[string]any{"id": r.Replaces, "content": r.Content, "reason": "the user said so"}, &stored)
	r.ID = stored.ID
	return err
}

// maxQuestionLength is how much of a text recall takes for a question.
const maxQuestionLength = 2000

// storeInsightUnlessKnown keeps the text as an insight, unless one that holds here says just that.
func (r *rememberResult) storeInsightUnlessKnown(ctx context.Context, a *app.App) error {
	var known recall.Output
	if _, err := callToolInto(ctx, a, recall.Name, recall.Input{Query: string([]rune(r.Content)[:min(maxQuestionLength, len([]rune(r.Content)))]), Kinds: []string{kinds.Insight}, MaxTokens: maxQuestionLength}, &known); err != nil {
		return err
	}
	var near []recall.Hit
	for _, h := range known.Found {
		id, of, err := projectOfHit(ctx, a, h)
		switch {
		case err != nil:
			return err
		case of != "" && of != r.key: // it holds elsewhere
		case strings.EqualFold(language.QuoteLine(h.Text), language.QuoteLine(r.Content)): // a hit is told so
			r.Already, r.ID = true, id
			if of == "" {
				r.Project = ""
			}
			return nil
		case h.Relevance >= minNearRelevance && !h.ParseNote().Near && len(near) < maxNear && sharesPlainWord(r.Content, h.Text):
			near = append(near, h)
		}
	}
	var stored recall.RememberOutput
	_, err := callToolInto(ctx, a, recall.RememberName, recall.RememberInput{Text: r.Content, Kind: r.kind}, &stored)
	r.ID, r.Already, r.Content, r.Project = stored.ID, stored.Already, cmp.Or(stored.Text, r.Content), stored.Project
	if err != nil || r.Already {
		return err
	}
	if err := r.findReplacedInsight(ctx, a); err != nil || len(r.Similar) > 0 {
		return err
	}
	r.Similar, r.heading = append(r.Similar, near...), "Says most of the same"
	return nil
}

// minNearRelevance is how much of a new text an insight says that is shown beside it, and maxNear how many are shown.
const minNearRelevance, maxNear = 0.6, 3

// sharesPlainWord reports whether two texts share a word that is neither a name nor in every text: two that only name
// the same person do not say the same.
func sharesPlainWord(a, b string) bool {
	words := language.Words(b)
	return slices.ContainsFunc(language.SurfaceWords(a), func(word string) bool {
		folded := language.Fold(word)
		return word == strings.ToLower(word) && !language.IsStopWord(folded) && slices.Contains(words, folded)
	})
}

// findReplacedInsight finds what the new text makes untrue of what is remembered, if that is sure.
func (r *rememberResult) findReplacedInsight(ctx context.Context, a *app.App) error {
	return a.Store.Read(ctx, func(tx *store.Tx) error {
		earlier, err := search.FindStatementMadeUntrue(ctx, tx, r.ID, a.Store.Now())
		if err == nil && earlier != nil {
			r.heading = "May be outdated by this"
			r.Similar = append(r.Similar, recall.Hit{Kind: kinds.Insight, ID: strconv.FormatInt(earlier.ID, 10), Text: earlier.Text, At: earlier.At.Format(time.RFC3339)})
		}
		return err
	})
}

// projectOfHit is the id of an insight that was found, and the key of the project in which it
// holds; empty: in all.
func projectOfHit(ctx context.Context, a *app.App, h recall.Hit) (id int64, of string, err error) {
	if id, err = strconv.ParseInt(h.ID, 10, 64); err != nil {
		return 0, "", err
	}
	i, err := store.ReadValue(ctx, a.Store, func(tx *store.Tx) (*memoryrows.Insight, error) { return memoryrows.In(tx).InsightAt(id) })
	if err != nil || i == nil {
		return id, "", cmp.Or(err, fmt.Errorf("insight %d is gone; run the command again", id))
	}
	return id, memory.ProjectKeyOf(i), nil
}

func (r *rememberResult) formatText() string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Content)
	switch {
	case r.Already && r.Project != "":
		fmt.Fprintf(&b, "  insight %d, remembered before in the project %s; nothing was stored (--everywhere: in all)\n", r.ID, r.Project)
	case r.Already:
		fmt.Fprintf(&b, "  insight %d, remembered before; nothing was stored\n", r.ID)
	case r.Replaces != 0:
		fmt.Fprintf(&b, "  insight %d, in the place of insight %d, which stays in its history\n", r.ID, r.Replaces)
	case r.Project != "":
		fmt.Fprintf(&b, "  insight %d, in the project %s (--everywhere: in all)\n", r.ID, r.Project)
	default:
		fmt.Fprintf(&b, "  insight %d, in every project\n", r.ID)
	}
	if len(r.Redacted) > 0 {
		fmt.Fprintf(&b, "  left out: %s\n", strings.Join(slices.Sorted(maps.Keys(r.Redacted)), ", "))
	}
	if len(r.Similar) > 0 {
		fmt.Fprintf(&b, "%s (--replaces %s puts the new text in its place):\n", r.heading, r.Similar[0].ID)
		for _, h := range r.Similar {
			fmt.Fprintf(&b, "%s\n  %s %s, %s\n", FormatLine(h.Text), h.Kind, h.ID, h.At[:len("2006-01-02")])
		}
	}
	return b.String()
}
