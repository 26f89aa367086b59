package search

import (
	"slices"
	"strings"
	"time"

	"toolkit/embed"
	"toolkit/internal/language"
)

// A Statement is something that somebody said or wrote once.
type Statement struct {
	ID               int64 // of its insight; 0: it is none
	Ref              string
	Text             string
	At               time.Time
	Due              string  // day of a plan, or empty
	Score            float64 // how surely it holds, 0 to 1
	Noticed          string  // its kind, where it was found in what was said and confirmed by nobody; else empty
	IsRepeated       bool    // said more than once
	InCurrentProject bool    // of the project at hand, or of none
	Project          string  // name of the project it belongs to, where that is another
	Vector           []float32

	words map[string]bool
}

// A Topic is what was said of one thing, the newest statement first.
type Topic []Statement

const (
	// minTopicSimilarity is the likeness from which two statements are on one topic. A likeness
	// tells topics apart and not what holds: statements of one form on two matters are
	// joined at times, so that a group may only be ordered in time.
	minTopicSimilarity = 0.36
	// minMutualSimilarity is the likeness from which two statements are on one topic that are
	// nearer to each other than to any other.
	minMutualSimilarity = 0.20
	// sharedWordsBonus is what it adds when all words of the shorter statement stand in the
	// other one too.
	sharedWordsBonus = 0.3
	// minRepetitionSimilarity is the likeness from which one says again what another says.
	minRepetitionSimilarity = 0.75
	// minWordLength keeps words of little meaning out.
	minWordLength = 3
)

// GroupByTopic puts statements into topics. Each joins the topic whose newest statement is
// most like it, if they are like enough, or nearer to each other than to anything else.
// The topics stand in the order of their newest statements, the newest first.
func GroupByTopic(list []Statement) []Topic {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b Statement) int { return b.At.Compare(a.At) })
	like := similarities(list)
	nearest := make([]int, len(list))
	for i := range list {
		nearest[i] = -1
		for j := range list {
			if j != i && (nearest[i] < 0 || like[i][j] > like[i][nearest[i]]) {
				nearest[i] = j
			}
		}
	}
	var groups []Topic
	var heads []int // the newest statement of each group
	for i := range list {
		best, at := 0.0, -1
		for g, head := range heads {
			isNear := like[i][head] >= minTopicSimilarity || like[i][head] >= minMutualSimilarity && nearest[i] == head && nearest[head] == i
			if isNear && like[i][head] > best {
				best, at = like[i][head], g
			}
		}
		if at < 0 {
			groups, heads = append(groups, Topic{list[i]}), append(heads, i)
		} else {
			groups[at] = append(groups[at], list[i])
		}
	}
	return groups
}

func similarities(list []Statement) [][]float64 {
	like := make([][]float64, len(list))
	for i := range list {
		like[i] = make([]float64, len(list))
		for j := range i {
			like[i][j] = TopicSimilarity(&list[i], &list[j])
			like[j][i] = like[i][j]
		}
	}
	return like
}

// IsSameTopic reports whether two statements are on one topic.
func IsSameTopic(a, b *Statement) bool { return TopicSimilarityFrom(a, b, minTopicSimilarity) > 0 }

// TopicSimilarityFrom is their similarity where it reaches the least, which is above 0, and
// otherwise 0. Words are only compared where they may decide.
func TopicSimilarityFrom(a, b *Statement, least float64) float64 {
	if vectorSimilarity(a, b)+sharedWordsBonus < least {
		return 0
	}
	if like := TopicSimilarity(a, b); like >= least {
		return like
	}
	return 0
}

// NamesOther reports whether a statement names what a question names, and another one something
// else in its place, which does not say that it changed: what was said later of the rolls
// replaces no price of the bread.
func (q *Query) NamesOther(a, b *Statement) bool {
	isMissing, isOther := false, false
	for word := range a.contentWords() {
		isMissing = isMissing || isName(word) && len(q.places[word]) > 0 && !b.contentWords()[word]
	}
	for word := range b.contentWords() {
		isOther = isOther || isName(word) && !a.contentWords()[word] && len(q.places[word]) == 0
	}
	return isMissing && isOther && !language.AnnouncesChange(b.Text)
}

// isName reports whether a word is rare everywhere, and no number: another price is of the
// same thing.
func isName(word string) bool {
	return language.TermFrequency(word, language.Unknown) == 0 && !strings.ContainsAny(word, "0123456789")
}

// IsRepetition reports whether two statements say the same in other words.
func IsRepetition(a, b *Statement) bool { return TopicSimilarity(a, b) >= minRepetitionSimilarity }

// TopicSimilarity is how near two statements are in topic: the product of their vectors, and
// the share of their words.
func TopicSimilarity(a, b *Statement) float64 {
	like := vectorSimilarity(a, b)
	wordsA, wordsB := a.contentWords(), b.contentWords()
	fewer := min(len(wordsA), len(wordsB))
	if fewer == 0 {
		return like
	}
	shared := 0
	for word := range wordsA {
		if wordsB[word] {
			shared++
		}
	}
	return like + sharedWordsBonus*float64(shared)/float64(fewer)
}

// vectorSimilarity is the product of the vectors, 0 where one is missing.
func vectorSimilarity(a, b *Statement) float64 {
	if len(a.Vector) == 0 || len(a.Vector) != len(b.Vector) {
		return 0
	}
	return float64(embed.Dot(a.Vector, b.Vector))
}

func (s *Statement) contentWords() map[string]bool {
	if s.words == nil {
		s.words = map[string]bool{}
		for _, term := range language.Terms(s.Text) {
			if len(term) >= minWordLength && !language.IsStopWord(term) && !language.IsEveryday(term) && !language.IsWork(term) {
				s.words[term] = true
			}
		}
	}
	return s.words
}
