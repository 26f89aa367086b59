package search

import (
	"cmp"
	"slices"
	"time"

	"toolkit/embed"
	"toolkit/internal/capture/notice"
	"toolkit/internal/language"
)

// A Statement is something that somebody said or wrote once.
type Statement struct {
	ID               int64 // of its insight; 0: it is none
	Ref              string
	Text             string
	Speaker          string // of a turn; else empty
	At               time.Time
	Due              string  // day of a plan, or empty
	Score            float64 // how surely it holds, 0 to 1
	Noticed          string  // its kind, where it was found in what was said and confirmed by nobody; else empty
	IsAsked          bool    // somebody asked for it to be remembered
	IsRepeated       bool    // said more than once
	InCurrentProject bool    // of the project at hand, or of none
	Project          string  // name of the project it belongs to, where that is another
	Vector           []float32

	words map[string]bool
	later *notice.Later
}

// A Topic is a statement that holds, and behind it what was said before of the same and holds no
// more, the newest first.
type Topic []Statement

const (
	// MinChangeScore is how surely a statement must make an earlier one untrue for the earlier to
	// be called so.
	MinChangeScore = 0.68
	// minChangeSimilarity is the likeness below which two statements are not compared, and
	// fullChangeSimilarity that up to which a change is the less sure the less like they are: what is
	// hardly like the earlier one mostly changes something else.
	minChangeSimilarity, fullChangeSimilarity = 0.1, 0.2
	// maxCompared is with how many earlier statements, those most like it, a later one is compared.
	maxCompared = 16
	// sharedWordsBonus is what it adds when all words of the shorter statement stand in the
	// other one too.
	sharedWordsBonus = 0.3
	// minRepetitionSimilarity is the likeness from which one says again what another says.
	minRepetitionSimilarity = 0.75
	// minWordLength keeps words of little meaning out.
	minWordLength = 3
)

// ChangeScore is how surely a later statement makes an earlier one untrue, or says it again; 0
// where it is not later, where both have nothing in common, or one has no vector.
func ChangeScore(earlier, later *Statement) float64 {
	return changeScoreFrom(earlier, later, minChangeSimilarity/fullChangeSimilarity)
}

// changeScoreFrom is ChangeScore where it may reach the least, and otherwise 0: most pairs are too
// little like for that.
func changeScoreFrom(earlier, later *Statement, least float64) float64 {
	if !later.At.After(earlier.At) {
		return 0
	}
	like := vectorSimilarity(earlier, later)
	if like < max(minChangeSimilarity, least*fullChangeSimilarity) {
		return 0
	}
	if later.later == nil {
		later.later = notice.NewLater(later.Vector)
	}
	return later.later.ChangeScore(earlier.Vector) * min(1, like/fullChangeSimilarity)
}

// GroupByTopic puts behind each statement that holds what it made untrue: of what was said before,
// what it makes untrue the most surely, if nothing else does more surely, and what that made
// untrue before. The topics stand in the order of their newest statements, the newest first.
func GroupByTopic(list []Statement) []Topic {
	return groupChanges(list, FindChanges(list, MinChangeScore))
}

// groupChanges puts each statement behind the one that made it untrue, by their places.
func groupChanges(list []Statement, madeUntrue map[int]int) []Topic {
	places := make([]int, len(list))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return list[b].At.Compare(list[a].At) })
	var topics []Topic
	topicOf := make([]int, len(list))
	for _, i := range places {
		if later, found := madeUntrue[i]; found {
			topicOf[i] = topicOf[later]
			topics[topicOf[i]] = append(topics[topicOf[i]], list[i])
			continue
		}
		topicOf[i] = len(topics)
		topics = append(topics, Topic{list[i]})
	}
	return topics
}

// FindChanges finds of statements by which later one each was made untrue, by their places: of the
// changes that reach a score the surest between what is most like first. One statement makes at
// most one untrue, for what announces a change is taken for one of much that it does not concern.
func FindChanges(list []Statement, least float64) map[int]int {
	type change struct {
		earlier, later int
		weight         float64
	}
	var changes []change
	for later := range list {
		for _, earlier := range findNearestEarlier(list, later) {
			if score := changeScoreFrom(&list[earlier], &list[later], least); score >= least {
				changes = append(changes, change{earlier, later, score * vectorSimilarity(&list[earlier], &list[later])})
			}
		}
	}
	slices.SortStableFunc(changes, func(a, b change) int { return cmp.Compare(b.weight, a.weight) })
	madeUntrue, changing := map[int]int{}, map[int]bool{}
	for _, c := range changes {
		if _, known := madeUntrue[c.earlier]; !known && !changing[c.later] {
			madeUntrue[c.earlier], changing[c.later] = c.later, true
		}
	}
	return madeUntrue
}

// findNearestEarlier finds the places of the earlier statements that are most like a later one.
func findNearestEarlier(list []Statement, later int) []int {
	type place struct {
		at   int
		like float64
	}
	var places []place
	for i := range list {
		if list[i].At.Before(list[later].At) {
			places = append(places, place{i, vectorSimilarity(&list[i], &list[later])})
		}
	}
	slices.SortStableFunc(places, func(a, b place) int { return cmp.Compare(b.like, a.like) })
	var most []int
	for _, p := range places[:min(len(places), maxCompared)] {
		most = append(most, p.at)
	}
	return most
}

// SharesWord reports whether two statements have a word in common that is no everyday one.
func (s *Statement) SharesWord(other *Statement) bool {
	for word := range s.contentWords() {
		if other.contentWords()[word] {
			return true
		}
	}
	return false
}

// IsRepetition reports whether two statements say the same in other words.
func IsRepetition(a, b *Statement) bool { return TopicSimilarity(a, b) >= minRepetitionSimilarity }

// TopicSimilarityFrom is their similarity where it reaches the least, and otherwise 0. Words are
// only compared where they may decide.
func TopicSimilarityFrom(a, b *Statement, least float64) float64 {
	if vectorSimilarity(a, b)+sharedWordsBonus < least {
		return 0
	}
	if like := TopicSimilarity(a, b); like >= least {
		return like
	}
	return 0
}

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
