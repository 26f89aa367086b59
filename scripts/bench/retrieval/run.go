package retrieval

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/store"
	"toolkit/store/kept"
	"toolkit/store/memories"
	"toolkit/tools"
	"toolkit/tools/engines/retrieval"
	"toolkit/tools/memory"
	"toolkit/tools/recall"
)

const (
	// depth is how many results are asked for, as a user would: recall is taken at
	// 1, 5 and 10, the reciprocal rank within ten.
	depth = 10
	// mixedDepth is how many are where some of them are folded.
	mixedDepth = 3 * depth
	// recallTokens leaves room for ten hits of any length.
	recallTokens = 20000
)

// Channel is a way of searching that is measured beside the others.
type Channel struct {
	Name   string
	notes  bool // it needs notes
	turns  bool // it needs dialogue
	search func(context.Context, *filled, string) ([]place, error)
}

// Channels are measured by every run, as far as a collection has what they search.
// The fusion is what hybrid_search does.
var Channels = []Channel{
	{"BM25", false, true, plainly(func(f *filled) *plain { return f.turnsPlain }, false)},
	{"keyword", false, true, hybrid(depth, retrieval.Weights{Keyword: 1}, memories.SourceDialogue)},
	{"semantic", false, true, hybrid(depth, retrieval.Weights{Semantic: 1}, memories.SourceDialogue)},
	{"fusion", false, true, hybrid(depth, retrieval.DefaultWeights, memories.SourceDialogue)},
	{"BM25 of insights", true, false, plainly(func(f *filled) *plain { return f.notesPlain }, true)},
	{"insights", true, false, hybrid(depth, retrieval.DefaultWeights, memories.SourceInsight)},
	{"mixed", true, true, hybrid(mixedDepth, retrieval.DefaultWeights, memories.SourceDialogue, memories.SourceInsight)},
	{"recall", false, false, recalled},
}

// Outcome is how one question went in one channel.
type Outcome struct {
	Channel    string   `json:"channel"`
	Collection string   `json:"collection"`
	Question   string   `json:"question"`
	Category   string   `json:"category"`
	Evidence   []string `json:"evidence"`
	Recall1    float64  `json:"recall_at_1"`
	Recall5    float64  `json:"recall_at_5"`
	Recall10   float64  `json:"recall_at_10"`
	Reciprocal float64  `json:"reciprocal_rank"`
	Millis     float64  `json:"ms"`
	Found      []string `json:"found"` // best first; a note by the turns it comes from
}

// Run stores each collection in a database of its own, in a temporary folder, and
// asks its questions in the channels named, or all.
func Run(ctx context.Context, corpus *Corpus, embedder embed.Embedder, channels []string, report func(done, all int)) ([]Outcome, error) {
	all, done := 0, 0
	for _, c := range corpus.Collections {
		all += len(c.Questions)
	}
	var outcomes []Outcome
	for _, c := range corpus.Collections {
		if len(c.Questions) == 0 {
			continue
		}
		err := inDatabase(ctx, embedder, c, func(f *filled) error {
			if err := f.note(ctx); err != nil {
				return err
			}
			for _, q := range c.Questions {
				for _, channel := range Channels {
					if !channel.asked(channels) || channel.notes && len(c.Notes) == 0 || channel.turns && len(c.Turns) == 0 {
						continue
					}
					o, err := f.ask(ctx, channel, q)
					if err != nil {
						return fmt.Errorf("question %q: %w", q.Text, err)
					}
					outcomes = append(outcomes, o)
				}
				if done++; report != nil {
					report(done, all)
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	if len(outcomes) == 0 {
		return nil, errors.New("nothing could be asked: there is no question with evidence, or nothing that the channels search")
	}
	return outcomes, nil
}

func (c Channel) asked(names []string) bool { return len(names) == 0 || slices.Contains(names, c.Name) }

// place is where a result stands among the turns or the notes of a collection.
type place struct {
	note bool
	at   int
	with bool // it is told with the result before it
}

// filled is a database that holds a collection.
type filled struct {
	Collection
	db     *store.DB
	search *memory.Search
	recall *tools.Definition

	turnRows, noteRows     []int64 // in the order of the collection
	turnsPlain, notesPlain *plain
}

// inDatabase runs f over a database that exists for its duration, with the turns of a
// collection in it as store_raw_dialogue stores them.
func inDatabase(ctx context.Context, embedder embed.Embedder, c Collection, f func(*filled) error) error {
	dir, err := os.MkdirTemp("", "toolkit-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a leftover temporary folder harms nobody
	db, err := store.Open(ctx, store.Options{Path: filepath.Join(dir, "bench.db")})
	if err != nil {
		return err
	}
	defer db.Close() //nolint:errcheck // nothing to keep
	search := memory.NewSearch(db, embedder)
	defer search.Close() //nolint:errcheck // it has nothing to report
	in := &filled{Collection: c, db: db, search: search}
	in.recall = recall.New(recall.Deps{Store: db, Recallers: []tools.Recaller{memory.Recaller()}}).Tools[0]
	if err := in.say(ctx); err != nil {
		return err
	}
	return f(in)
}

// say stores the turns.
func (f *filled) say(ctx context.Context) error {
	var texts []string
	err := f.db.Write(ctx, func(tx *store.Tx) error {
		for _, t := range f.Turns {
			d := memories.Dialogue{SessionID: fmt.Sprintf("claude-code/%08d-0000-4000-8000-000000000000", t.Session), Speaker: t.Speaker, Content: t.Text, At: t.At.Time, Metadata: t.Metadata}
			var err error
			if d.ID, err = memories.In(tx).InsertDialogue(d); err != nil {
				return err
			}
			if _, err := f.search.Index(tx, d.Row()); err != nil {
				return err
			}
			f.turnRows, texts = append(f.turnRows, d.ID), append(texts, t.Text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.turnsPlain = newPlain(spokenIn(f.Collection), texts)
	_, err = f.search.Refresh(ctx, nil) // remote models answer after the commit
	return err
}

// note stores the notes as compress_to_l2_insight stores insights.
func (f *filled) note(ctx context.Context) error {
	rows := map[string]int64{}
	for i, t := range f.Turns {
		rows[t.ID] = f.turnRows[i]
	}
	var texts []string
	err := f.db.Write(ctx, func(tx *store.Tx) error {
		for _, n := range f.Notes {
			insight := memories.NewInsight{Content: n.Text, Metadata: json.RawMessage("{}"), At: n.At.Time}
			for _, id := range n.Sources {
				insight.SourceIDs = append(insight.SourceIDs, rows[id])
			}
			stored, err := memories.In(tx).InsertInsight(insight)
			if err != nil {
				return err
			}
			if _, err := f.search.Index(tx, stored.Row()); err != nil {
				return err
			}
			f.noteRows, texts = append(f.noteRows, stored.ID), append(texts, n.Text)
		}
		return nil
	})
	if err != nil {
		return err
	}
	f.notesPlain = newPlain(spokenIn(f.Collection), texts)
	_, err = f.search.Refresh(ctx, nil)
	return err
}

// place finds where a row stands.
func (f *filled) place(note bool, id int64) place {
	if note {
		return place{note: note, at: slices.Index(f.noteRows, id)}
	}
	return place{note: note, at: slices.Index(f.turnRows, id)}
}

// answers are the ids that a result counts for.
func (f *filled) answers(p place) []string {
	switch {
	case !p.note:
		return []string{f.Turns[p.at].ID}
	case len(f.Notes[p.at].Sources) == 0:
		return []string{f.Notes[p.at].ID}
	}
	return slices.Clone(f.Notes[p.at].Sources)
}

func plainly(index func(*filled) *plain, notes bool) func(context.Context, *filled, string) ([]place, error) {
	return func(_ context.Context, f *filled, text string) (found []place, _ error) {
		for _, at := range index(f).best(text, depth) {
			found = append(found, place{note: notes, at: at})
		}
		return found, nil
	}
}

// hybrid searches as hybrid_search does.
func hybrid(most int, weights retrieval.Weights, sources ...memories.Source) func(context.Context, *filled, string) ([]place, error) {
	return func(ctx context.Context, f *filled, text string) (places []place, err error) {
		found, err := f.search.Search(ctx, memory.Query{Text: text, TopK: most, Weights: weights, Sources: sources})
		for _, hit := range found.Hits {
			places = append(places, f.place(hit.Row.Source == memories.SourceInsight, hit.Row.ID))
		}
		return places, err
	}
}

// recalled asks the tool recall. A hit counts for what it names under also, which is
// told in it: the answer to a question, the source of an insight, the same words.
func recalled(ctx context.Context, f *filled, text string) ([]place, error) {
	out, err := f.recallOf(ctx, text)
	if err != nil {
		return nil, err
	}
	return f.placesOf(out)
}

// placesOf are the hits of an answer, each with what it names beside itself.
func (f *filled) placesOf(out recall.Output) (places []place, err error) {
	for _, hit := range out.Found {
		for i, ref := range append([]string{hit.Kind + ":" + hit.ID}, hit.Also...) {
			kind, number, _ := strings.Cut(ref, ":")
			id, err := strconv.ParseInt(number, 10, 64)
			if err != nil {
				return nil, err
			}
			p := f.place(kind == kept.Insight, id)
			p.with = i > 0
			places = append(places, p)
		}
	}
	return places, nil
}

// recallOf asks the tool recall, with room for what is measured.
func (f *filled) recallOf(ctx context.Context, text string) (out recall.Output, err error) {
	input, err := json.Marshal(recall.Input{Query: text, MaxTokens: recallTokens, Limit: depth})
	if err != nil {
		return out, err
	}
	result, err := f.recall.Handle(ctx, input)
	if err != nil {
		return out, err
	}
	return out, json.Unmarshal(result.Data, &out)
}

func (f *filled) ask(ctx context.Context, channel Channel, q Question) (Outcome, error) {
	o := Outcome{Channel: channel.Name, Collection: f.Name, Question: q.Text, Category: q.Category, Evidence: q.Evidence, Found: []string{}}
	began := time.Now()
	places, err := channel.search(ctx, f, q.Text)
	if err != nil {
		return o, err
	}
	o.Millis = float64(time.Since(began).Microseconds()) / 1000
	told := map[string]bool{}
	for _, p := range places {
		answers := f.answers(p)
		if p.with {
			o.Found[len(o.Found)-1] += " " + strings.Join(answers, " ")
		} else if len(o.Found) == depth {
			break
		} else {
			o.Found = append(o.Found, strings.Join(answers, " "))
		}
		answers = slices.DeleteFunc(answers, func(id string) bool { return told[id] })
		if len(answers) == 0 && channel.turns && channel.notes {
			o.Found = o.Found[:len(o.Found)-1] // it is folded with what says the same
		}
		for _, id := range answers {
			if told[id] = true; slices.Contains(q.Evidence, id) {
				o.count(len(o.Found), 1/float64(len(q.Evidence)))
			}
		}
	}
	return o, nil
}

// count adds a share of the evidence that was found at a rank.
func (o *Outcome) count(rank int, share float64) {
	if o.Reciprocal == 0 {
		o.Reciprocal = 1 / float64(rank)
	}
	if rank <= 1 {
		o.Recall1 += share
	}
	if rank <= 5 {
		o.Recall5 += share
	}
	o.Recall10 += share
}

// ChannelNames are what can be asked, in the order in which it is told.
func ChannelNames() (names []string) {
	for _, c := range Channels {
		names = append(names, c.Name)
	}
	return names
}

// CheckChannels refuses names that no channel has.
func CheckChannels(names []string) error {
	for _, name := range names {
		if known := ChannelNames(); !slices.Contains(known, name) {
			return fmt.Errorf("%q is no channel; there are %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}
