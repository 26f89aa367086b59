package bench

import (
	"cmp"
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
	Group     string  `json:"group"` // all, a category or a conversation
	Questions int     `json:"questions"`
	Recall1   Measure `json:"recall_at_1"`
	Recall5   Measure `json:"recall_at_5"`
	Recall10  Measure `json:"recall_at_10"`
	MRR       Measure `json:"mrr"`
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
	Turns        int       `json:"turns"`
	Questions    int       `json:"questions"`
	Unanswerable int       `json:"left_out"` // adversarial, or without evidence that exists
	Settings     Settings  `json:"settings"`
	Summaries    []Summary `json:"summaries"`
}

// NewReport summarises outcomes by category and by conversation.
func NewReport(corpus *Corpus, model string, outcomes map[string][]Outcome) *Report {
	r := &Report{
		Corpus: corpus.Hash, Unanswerable: corpus.Unanswerable,
		Settings: Settings{model, retrieval.DefaultWeights, depth, retrieval.Keyword, retrieval.Meaning, resamples},
	}
	for _, c := range corpus.Conversations {
		r.Turns += len(c.Turns)
		r.Questions += len(c.Questions)
	}
	add := func(group string, keep func(Outcome) bool) {
		for _, channel := range Channels {
			kept := slices.DeleteFunc(slices.Clone(outcomes[channel.Name]), func(o Outcome) bool { return !keep(o) })
			if len(kept) > 0 {
				r.Summaries = append(r.Summaries, summarise(channel.Name, group, kept))
			}
		}
	}
	add("all", func(Outcome) bool { return true })
	for category := 1; category <= len(categories); category++ {
		add(fmt.Sprintf("%d %s", category, categories[category]), func(o Outcome) bool { return o.Category == category })
	}
	for _, c := range corpus.Conversations {
		add(c.Name, func(o Outcome) bool { return o.Conversation == c.Name })
	}
	return r
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
	fmt.Fprintf(w, "LoCoMo, turn level: %s, %s (%d left out: adversarial or without evidence), corpus sha256 %s\n",
		language.Count(r.Turns, "turn", "turns"), language.Count(r.Questions, "question", "questions"), r.Unanswerable, r.Corpus)
	fmt.Fprintf(w, "embedder %s, weights %g semantic + %g keyword, %d results a question, 95 %% intervals from %d resamples\n",
		r.Settings.Embedder, r.Settings.Weights.Semantic, r.Settings.Weights.Keyword, r.Settings.Results, r.Settings.Resamples)
	fmt.Fprintf(w, "keyword profile  %+v\nsemantic profile %+v\n\n", r.Settings.KeywordProfile, r.Settings.SemanticProfile)
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "group\tquestions\tchannel\trecall@1\trecall@5\trecall@10\tMRR")
	last := ""
	for _, s := range r.Summaries {
		group, questions := s.Group, fmt.Sprint(s.Questions)
		if group == last {
			group, questions = "", ""
		}
		last = s.Group
		fmt.Fprintln(table, strings.Join([]string{group, questions, s.Channel, s.Recall1.String(), s.Recall5.String(), s.Recall10.String(), s.MRR.String()}, "\t"))
	}
	return table.Flush()
}

func (m Measure) String() string { return fmt.Sprintf("%.3f [%.3f %.3f]", m.Mean, m.Low, m.High) }
