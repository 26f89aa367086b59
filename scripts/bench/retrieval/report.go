package retrieval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"toolkit/internal/language"
	"toolkit/tools/engines/retrieval"
)

const (
	// everything is the group of all questions.
	everything = "all"
	// mostNamed is how many collections are shown one by one.
	mostNamed = 10
	// resamples is how often the questions are drawn again for an interval.
	resamples = 2000
	// seed makes intervals repeatable.
	seed = 1
)

// Measure is one figure with the interval that holds it in 95 % of resamples of
// the questions.
type Measure struct {
	Mean float64 `json:"mean"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Summary is how a group of questions went in one channel.
type Summary struct {
	Channel   string  `json:"channel"`
	Group     string  `json:"group"` // all, a category or a collection
	Questions int     `json:"questions"`
	Recall1   Measure `json:"recall_at_1"`
	Recall5   Measure `json:"recall_at_5"`
	Recall10  Measure `json:"recall_at_10"`
	MRR       Measure `json:"mrr"`
	Millis    float64 `json:"median_ms"`
}

// Settings are what a result depends on.
type Settings struct {
	Embedder        string            `json:"embedder"`
	Weights         retrieval.Weights `json:"weights"`
	Results         int               `json:"results"`
	KeywordProfile  retrieval.Profile `json:"keyword_profile"`
	SemanticProfile retrieval.Profile `json:"semantic_profile"`
	Resamples       int               `json:"bootstrap_resamples"`
}

// Report is the outcome of a run.
type Report struct {
	Corpus       string    `json:"corpus_sha256"`
	Collections  int       `json:"collections"`
	Turns        int       `json:"turns"`
	Notes        int       `json:"notes"`
	Questions    int       `json:"questions"`
	Unanswerable int       `json:"left_out"`         // the format's reader leaves them out, or none of their evidence exists
	Unknown      int       `json:"unknown_evidence"` // pieces that name nothing
	Settings     Settings  `json:"settings"`
	Summaries    []Summary `json:"summaries"`
	Differences  []Summary `json:"differences,omitempty"` // to an earlier run, question by question
	Outcomes     []Outcome `json:"outcomes"`
}

// NewReport summarises outcomes by category and by collection.
func NewReport(corpus *Corpus, model string, outcomes []Outcome) *Report {
	r := &Report{
		Corpus: corpus.Hash, Collections: len(corpus.Collections), Unanswerable: corpus.Unanswerable, Unknown: corpus.Unknown,
		Settings:  Settings{model, retrieval.DefaultWeights, depth, retrieval.Keyword, retrieval.Meaning, resamples},
		Summaries: summaries(outcomes), Outcomes: outcomes,
	}
	for _, c := range corpus.Collections {
		r.Turns += len(c.Turns)
		r.Notes += len(c.Notes)
		r.Questions += len(c.Questions)
	}
	return r
}

// Against compares a run with an earlier one over the same questions: the differences
// are taken question by question, so that their intervals do not hold how much
// questions differ from each other.
func (r *Report) Against(earlier io.Reader) error {
	var before Report
	if err := json.NewDecoder(earlier).Decode(&before); err != nil {
		return fmt.Errorf("this is not what --json printed: %w", err)
	}
	then := map[[3]string]Outcome{}
	for _, o := range before.Outcomes {
		then[o.question()] = o
	}
	var differences []Outcome
	for _, o := range r.Outcomes {
		if b, both := then[o.question()]; both {
			o.Recall1, o.Recall5, o.Recall10 = o.Recall1-b.Recall1, o.Recall5-b.Recall5, o.Recall10-b.Recall10
			o.Reciprocal, o.Millis = o.Reciprocal-b.Reciprocal, o.Millis-b.Millis
			differences = append(differences, o)
		}
	}
	if len(differences) == 0 {
		return errors.New("the earlier run asked none of these questions")
	}
	r.Differences = summaries(differences)
	return nil
}

func (o Outcome) question() [3]string { return [3]string{o.Channel, o.Collection, o.Question} }

// summaries sum up all questions, those of each category and those of each
// collection.
func summaries(outcomes []Outcome) (list []Summary) {
	var names, kinds []string
	for _, o := range outcomes {
		if !slices.Contains(names, o.Collection) {
			names = append(names, o.Collection)
		}
		if !slices.Contains(kinds, o.Category) {
			kinds = append(kinds, o.Category)
		}
	}
	slices.Sort(kinds)
	add := func(group string, keep func(Outcome) bool) {
		for _, channel := range Channels {
			kept := slices.DeleteFunc(slices.Clone(outcomes), func(o Outcome) bool { return o.Channel != channel.Name || !keep(o) })
			if len(kept) > 0 {
				list = append(list, summarise(channel.Name, group, kept))
			}
		}
	}
	add(everything, func(Outcome) bool { return true })
	if len(kinds) > 1 {
		for _, kind := range kinds {
			add(kind, func(o Outcome) bool { return o.Category == kind })
		}
	}
	if 1 < len(names) && len(names) <= mostNamed {
		for _, name := range names {
			add(name, func(o Outcome) bool { return o.Collection == name })
		}
	}
	return list
}

func summarise(channel, group string, list []Outcome) Summary {
	s := Summary{Channel: channel, Group: group, Questions: len(list)}
	for _, m := range []struct {
		into *Measure
		of   func(Outcome) float64
	}{
		{&s.Recall1, func(o Outcome) float64 { return o.Recall1 }},
		{&s.Recall5, func(o Outcome) float64 { return o.Recall5 }},
		{&s.Recall10, func(o Outcome) float64 { return o.Recall10 }},
		{&s.MRR, func(o Outcome) float64 { return o.Reciprocal }},
	} {
		values := make([]float64, len(list))
		for i, o := range list {
			values[i] = m.of(o)
		}
		*m.into = measured(values)
	}
	slices.SortFunc(list, func(a, b Outcome) int { return cmp.Compare(a.Millis, b.Millis) })
	s.Millis = list[len(list)/2].Millis
	return s
}

// measured gives the mean and its bootstrap interval.
func measured(values []float64) Measure {
	n := len(values)
	m := Measure{}
	for _, v := range values {
		m.Mean += v / float64(n)
	}
	random := rand.New(rand.NewPCG(seed, uint64(n)))
	means := make([]float64, resamples)
	for i := range means {
		sum := 0.0
		for range n {
			sum += values[random.IntN(n)]
		}
		means[i] = sum / float64(n)
	}
	slices.SortFunc(means, cmp.Compare[float64])
	m.Low, m.High = means[resamples/40], means[resamples-1-resamples/40]
	return m
}

// Write prints the report as text.
func (r *Report) Write(w io.Writer) error {
	fmt.Fprintf(w, "%s: %s, %s, %s (%d left out; evidence that names nothing: %d), corpus sha256 %s\n",
		language.Count(r.Collections, "collection", "collections"), language.Count(r.Turns, "turn", "turns"), language.Count(r.Notes, "note", "notes"),
		language.Count(r.Questions, "question", "questions"), r.Unanswerable, r.Unknown, r.Corpus)
	fmt.Fprintf(w, "embedder %s, weights %g semantic + %g keyword, %d results a question, 95 %% intervals from %d resamples\n",
		r.Settings.Embedder, r.Settings.Weights.Semantic, r.Settings.Weights.Keyword, r.Settings.Results, r.Settings.Resamples)
	fmt.Fprintf(w, "keyword profile  %+v\nsemantic profile %+v\n\n", r.Settings.KeywordProfile, r.Settings.SemanticProfile)
	if err := writeSummaries(w, r.Summaries); err != nil || len(r.Differences) == 0 {
		return err
	}
	fmt.Fprint(w, "\nDifferences to the earlier run, question by question\n\n")
	return writeSummaries(w, r.Differences)
}

func writeSummaries(w io.Writer, list []Summary) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "group\tquestions\tchannel\trecall@1\trecall@5\trecall@10\tMRR\tmedian ms")
	last := ""
	for _, s := range list {
		group, questions := s.Group, fmt.Sprint(s.Questions)
		if group == last {
			group, questions = "", ""
		}
		last = s.Group
		fmt.Fprintln(table, strings.Join([]string{group, questions, s.Channel, s.Recall1.String(), s.Recall5.String(), s.Recall10.String(), s.MRR.String(), fmt.Sprintf("%.1f", s.Millis)}, "\t"))
	}
	return table.Flush()
}

func (m Measure) String() string { return fmt.Sprintf("%.3f [%.3f %.3f]", m.Mean, m.Low, m.High) }
