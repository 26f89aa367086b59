package tools

import (
	"cmp"
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store"
	"toolkit/store/kinds"
)

// SearchProvider is what a family lends to the search over everything: what it keeps
// that may answer a question. It works inside the caller's transaction.
type SearchProvider interface {
	// Kinds are the kinds of things it offers.
	Kinds() []string
	// Count counts its rows and those that hold the words of a question, so that
	// all families together tell how rare a word is.
	Count(tx *store.Tx, q *Question) (search.Statistics, error)
	// Offer returns what may answer a question, of each kind the best first.
	Search(ctx context.Context, tx *store.Tx, q *Question) ([]Candidate, error)
}

// Meaning is what is found of a question by its meaning.
type Meaning struct {
	Vector []float32 // of the question; nil: it is not looked for by its meaning
	// Nodes, Records and Passages are the likeness of the nearest nodes of the graph, records and
	// passages of files, by their rows. Dialogue, insights and episodes are compared where they are ranked.
	Nodes, Records, Passages map[int64]float64
	IsPersonal               bool   // the question concerns the person's own work and world
	AsksSession              bool   // it asks what was done in an earlier session, as a whole
	AsksOverview             bool   // it asks for all that is known of a matter or of the person
	Note                     string // why some could not be compared; mostly empty
}

// Candidate is something that may answer a question.
type Candidate struct {
	Kind, ID    string
	Text        string   // what it says, as a reader is shown it
	Facts       []string // of an entity: what its text says behind the name, each a fact of its own
	Terms       []string // index terms of the text, where they are at hand
	Day         []string // index terms of its day, where they are at hand
	Around      []string // index terms of what stands around it, such as the turns before and after
	Speaker     string
	Turns       []DialogueTurn // of dialogue: what the text consists of, a question with its answer
	Reply       bool           // of dialogue: it follows a question of somebody else
	Project     int64          // that it was said in; 0: in none
	Similarity  float64        // of its meaning to that of the question, up to 1; 0: not compared
	Ranked      bool           // the order of its kind as it is offered is worth more than relevance
	At          time.Time      // when it was said, or last changed; zero: nobody knows
	ImportedAt  time.Time      // when an import brought it, where nobody knows when it was said
	Place       Place
	Covers      []string       // refs of what is told in its place already
	DuplicateOf []string       // refs of what says the same, such as the dialogue an insight came from
	ReplacedBy  string         // what was said later in the place of it, or of a part
	Note        string         // such as that the user corrected it
	Tool        string         // that continues from here
	Arguments   map[string]any // its arguments
}

// DialogueTurn is one turn of dialogue.
type DialogueTurn struct {
	Number        int
	Speaker, Text string
}

// Ref names the candidate for a caller.
func (c Candidate) Ref() string { return c.Kind + ":" + c.ID }

// Place is where something stands.
type Place struct {
	Project  string `json:"project,omitempty"` // by its name
	Session  string `json:"session,omitempty"`
	Turn     int    `json:"turn,omitempty"`
	Chart    string `json:"chart,omitempty"`
	Step     string `json:"step,omitempty"`
	Document string `json:"document,omitempty"`
	Page     int    `json:"page,omitempty"`
	Line     int    `json:"line,omitempty"`
}

// DueItem is something that is due on a day.
type DueItem struct {
	Candidate
	Due time.Time
}

// DueLister lists what of a family is due as a question for it asks, the first due first.
type DueLister func(ctx context.Context, tx *store.Tx, q *Question, due language.DueQuestion) ([]DueItem, error)

// DescribeDueDay says on which day something is due, and whether that is over.
func DescribeDueDay(due, now time.Time) string {
	note := "due " + due.Format(time.DateOnly)
	if due.Format(time.DateOnly) < now.Format(time.DateOnly) {
		note += ", overdue"
	}
	return note
}

// Question is what is asked of everything, and what is found out on the way.
type Question struct {
	*search.Query
	Text            string
	Now             time.Time // when it is asked
	AskedByPerson   bool      // no assistant asks it to answer a prompt
	Session         string    // only what was said there
	ExcludedSession string    // a session that is left out, and what was learned in it
	Project         int64     // only what was said in its sessions, and learned in them
	CurrentProject  int64     // the project at hand: what was said in it comes first
	// Scorer knows how rare each word is among all rows, once they are counted.
	Scorer *search.Scorer
	// Meaning is empty where words alone are searched.
	Meaning Meaning

	// Depth is how many rows of a source are looked at, the best by words; 0: as many as serve a
	// search.
	Depth int
	// Kinds are those that are asked for; others need not be offered.
	Kinds []string
	// Counted is what a family found out while it counted, for its own use.
	Counted map[string]any

	words  []string // each term as an expression
	counts map[kinds.WordIndex][]int
	found  map[kinds.WordIndex][]int64
}

const (
	// matchBudget is about how many rows of a full-text index may have to be ranked.
	matchBudget = 1000
	// maxMatchedRows is how many of them are looked at.
	maxMatchedRows = 30
)

// NewQuestion analyses a question that is asked now.
func NewQuestion(text, session string, kindNames []string, now time.Time) *Question {
	return &Question{Query: search.AnalyseQueryAt(text, now), Text: text, Now: now, Session: session, Kinds: kindNames,
		Counted: map[string]any{}, counts: map[kinds.WordIndex][]int{}, found: map[kinds.WordIndex][]int64{}}
}

// IsLimitedToSessionOrProject says that only what belongs to sessions is asked for.
func (q *Question) IsLimitedToSessionOrProject() bool { return q.Session != "" || q.Project != 0 }

// CountWordMatches counts the rows of full-text indexes and those that hold each word.
func (q *Question) CountWordMatches(tx *store.Tx, indexes ...kinds.WordIndex) (search.Statistics, error) {
	s := search.Statistics{Body: map[string]int{}}
	for _, index := range indexes {
		all, rows, err := kinds.In(tx).CountMatchingRows(index, q.wordExpressions())
		if err != nil {
			return s, err
		}
		s.Rows += all
		q.counts[index] = rows
		for i, term := range q.Terms {
			s.Body[term.Forms[0]] += rows[i]
		}
	}
	return s, nil
}

// LimitToNewestMatches has MatchIndex return the newest rows that hold all words of the question, and
// returns statistics by which each word is in a row.
func (q *Question) LimitToNewestMatches(indexes ...kinds.WordIndex) search.Statistics {
	s := search.Statistics{Rows: 1, Body: map[string]int{}}
	for _, index := range indexes {
		q.counts[index] = slices.Repeat([]int{matchBudget + 1}, len(q.Terms))
	}
	for _, term := range q.Terms {
		s.Body[term.Forms[0]] = 1
	}
	return s
}

// RequireRarestWord has MatchIndex return only rows that hold the rarest of the counted words, if
// that is rare: what has all words of the question has it.
func (q *Question) RequireRarestWord() {
	total := make([]int, len(q.Terms))
	for _, rows := range q.counts {
		for i, n := range rows {
			total[i] += n
		}
	}
	if len(total) == 0 || slices.Min(total) == 0 || slices.Min(total) > matchBudget {
		return
	}
	rarest := slices.Index(total, slices.Min(total))
	for _, rows := range q.counts {
		for i := range rows {
			if i != rarest {
				rows[i] = 0
			}
		}
	}
}

// MatchIndex returns the rows of a full-text index that hold the rare words of the
// question, or several of the frequent ones, the best first.
func (q *Question) MatchIndex(tx *store.Tx, index kinds.WordIndex) ([]int64, error) {
	if rows, known := q.found[index]; known {
		return rows, nil
	}
	var words []search.WordQuery
	for i, rows := range q.counts[index] {
		words = append(words, search.WordQuery{Expression: q.wordExpressions()[i], Rows: rows})
	}
	for _, beginning := range q.PrefixExpressions() {
		words = append(words, search.WordQuery{Expression: beginning, Rows: 1})
	}
	rows, err := search.FindRowsByWords(words, matchBudget, maxMatchedRows, func(expression string, newest bool) ([]int64, error) {
		return kinds.In(tx).MatchWords(index, expression, newest, maxMatchedRows)
	})
	q.found[index] = rows
	return rows, err
}

// wordExpressions find each word, however it is written.
func (q *Question) wordExpressions() []string {
	if q.words != nil {
		return q.words
	}
	q.words = []string{}
	wordings := language.Wordings(q.Text)
	for _, term := range q.Terms {
		wording := language.Wording{term.Word}
		at := slices.IndexFunc(wordings, func(w language.Wording) bool { return slices.Contains(language.Words(w[0]), term.Word) })
		if first, _ := utf8.DecodeRuneInString(term.Word); at >= 0 && !language.IsUnspacedCharacter(string(first)) { // indexes hold the pairs that terms are
			wording = wordings[at]
		}
		q.words = append(q.words, store.MatchAnyWording(wording, ""))
	}
	return q.words
}

// minPrefixLength is the shortest beginning by which a word is looked for.
const minPrefixLength = 4

// PrefixExpressions are expressions for the beginnings of words that no row holds: they
// may be misspelt, or stand in another form. What is found by them is compared
// more closely afterwards.
func (q *Question) PrefixExpressions() (list []string) {
	for _, term := range q.Scorer.UnknownTerms() {
		if runes := []rune(cmp.Or(term.Forms[0], term.Word)); len(runes) > minPrefixLength {
			list = append(list, store.QuoteWord(string(runes[:min(len(runes), max(minPrefixLength, utf8.RuneCountInString(term.Word)*5/8))]))+"*")
		}
	}
	return list
}
