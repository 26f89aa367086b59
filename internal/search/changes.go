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
	InSession        bool    // of the session now running
	SaidElsewhere    bool    // in another project alone, though it holds in all
	InCurrentProject bool    // of the project at hand, or of none
	Project          string  // name of the project it belongs to, where that is another
	Vector           []float32

	readings *readings
}

// readings is what is read of a statement where it is first wanted.
type readings struct {
	words    map[string]bool
	compared *notice.ComparedStatement
}

// ShareReadings lets the copies of a statement that are made from now on share what is read of it.
func (s *Statement) ShareReadings() {
	if s.readings == nil {
		s.readings = &readings{}
	}
}

// SetText gives a statement another text, of which nothing has been read.
func (s *Statement) SetText(text string) {
	if s.Text != text {
		s.Text, s.readings = text, nil
	}
}

// CompareTrueFirst puts what is true first.
func CompareTrueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
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
	minChangeSimilarity, fullChangeSimilarity = 0.1, 0.3
	// unlikeWordsSimilarity is likewise that of two of which each has minUnlikeWords words and none of the other's:
	// they mostly speak of different things. A score below minWordsScore decides nothing in any case.
	unlikeWordsSimilarity, minUnlikeWords, minWordsScore = 0.5, 3, 0.1
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

// changeScore is how surely a later statement makes an earlier one untrue, or says it again, which
// are so much like each other.
func changeScore(earlier, later *Statement, like float64) float64 {
	sure := later.compare().ChangeScore(earlier.compare())
	score := sure * min(1, like/fullChangeSimilarity)
	if like >= unlikeWordsSimilarity || score < minWordsScore || min(len(earlier.contentWords()), len(later.contentWords())) < minUnlikeWords || earlier.SharesWord(later) {
		return score
	}
	return sure * like / unlikeWordsSimilarity
}

// compare prepares a statement's vector to be compared with others.
func (s *Statement) compare() *notice.ComparedStatement {
	s.ShareReadings()
	if s.readings.compared == nil {
		s.readings.compared = notice.NewComparedStatement(s.Vector)
	}
	return s.readings.compared
}

// MayReplace reports whether a later statement makes an earlier one untrue by a score. What is read of each
// alone is kept for the next pair.
func MayReplace(earlier, later *Statement, least float64) bool {
	like := vectorSimilarity(earlier, later)
	return mayBeChange(earlier, later, like, least) && changeScore(earlier, later, like) >= least
}

// mayBeChange reports whether two statements that are so much like each other are worth comparing for a change of a
// score. What was said in another project changes nothing that this one says for itself.
func mayBeChange(earlier, later *Statement, like, least float64) bool {
	return like >= max(minChangeSimilarity, least*fullChangeSimilarity) && later.At.After(earlier.At) && (earlier.SaidElsewhere || !later.SaidElsewhere)
}

// groupByChange puts each statement behind the one that made it untrue, by their places. The topics
// stand in the order of their newest statements, the newest first.
func groupByChange(list []Statement, madeUntrue map[int]int) []Topic {
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

// FindChanges finds of statements by which later one each was made untrue, by their places.
func FindChanges(list []Statement, least float64) map[int]int {
	changes, madeUntrue := NewChanges(list, least), map[int]int{}
	for earlier := range list {
		if later, found := changes.LaterOf(earlier); found {
			madeUntrue[earlier] = later
		}
	}
	return madeUntrue
}

// Changes decides of statements which later one made which earlier one untrue: of the changes that
// reach a score the surest between what is most like first. A statement is made untrue by at most
// one and makes at most one untrue, for what announces a change is taken for one of much that it does
// not concern. Only what is asked for is worked out. It is not for use by several goroutines.
type Changes struct {
	list       []Statement
	least      float64
	likenesses map[int][]float64  // of a statement and all others
	nearest    map[int][]int      // earlier statements that are most like one
	weights    map[[2]int]float64 // of the changes of an earlier by a later statement
	chosen     map[change]bool
}

// change is one statement's making another untrue, by their places.
type change struct {
	earlier, later int
	weight         float64 // how surely, and how like both are
}

// compare puts the heavier change first.
func (c change) compare(other change) int {
	return cmp.Or(cmp.Compare(other.weight, c.weight), cmp.Compare(c.later, other.later), cmp.Compare(c.earlier, other.earlier))
}

// NewChanges decides among statements, by changes that reach a score.
func NewChanges(list []Statement, least float64) *Changes {
	return &Changes{list, least, map[int][]float64{}, map[int][]int{}, map[[2]int]float64{}, map[change]bool{}}
}

// LaterOf returns the place of the statement that made another untrue.
func (c *Changes) LaterOf(earlier int) (later int, found bool) {
	for _, one := range c.listLaters(earlier, 0) {
		if c.isBestChange(one) {
			return one.later, true
		}
	}
	return 0, false
}

// EarlierOf returns the place of the statement that another made untrue.
func (c *Changes) EarlierOf(later int) (earlier int, found bool) {
	for _, one := range c.listEarliers(later, 0) {
		if c.isBestChange(one) {
			return one.earlier, true
		}
	}
	return 0, false
}

// isBestChange reports whether no heavier change was chosen that has the same earlier or the same later
// statement.
func (c *Changes) isBestChange(one change) bool {
	if chosen, known := c.chosen[one]; known {
		return chosen
	}
	excludes := func(rival change) bool { return rival.compare(one) < 0 && c.isBestChange(rival) }
	chosen := !slices.ContainsFunc(c.listLaters(one.earlier, one.weight), excludes) && !slices.ContainsFunc(c.listEarliers(one.later, one.weight), excludes)
	c.chosen[one] = chosen
	return chosen
}

// listLaters returns the changes that may have made a statement untrue, from a weight on, the heaviest
// first.
func (c *Changes) listLaters(earlier int, weight float64) (list []change) {
	for later, like := range c.likenessesOf(earlier) {
		list = c.appendChange(list, earlier, later, like, weight)
	}
	slices.SortFunc(list, change.compare)
	return list
}

// listEarliers returns the changes that a statement may have made, from a weight on, the heaviest first.
func (c *Changes) listEarliers(later int, weight float64) (list []change) {
	for _, earlier := range c.nearestOf(later) {
		list = c.appendChange(list, earlier, later, c.likenessesOf(later)[earlier], weight)
	}
	slices.SortFunc(list, change.compare)
	return list
}

// appendChange adds a change that reaches a weight, which is never more than the likeness.
func (c *Changes) appendChange(list []change, earlier, later int, like, weight float64) []change {
	if like < weight || !mayBeChange(&c.list[earlier], &c.list[later], like, c.least) {
		return list
	}
	pair := [2]int{earlier, later}
	found, known := c.weights[pair]
	if !known {
		if score := changeScore(&c.list[earlier], &c.list[later], like); score >= c.least && slices.Contains(c.nearestOf(later), earlier) {
			found = score * like
		}
		c.weights[pair] = found
	}
	if found == 0 || found < weight {
		return list
	}
	return append(list, change{earlier, later, found})
}

// nearestOf returns the places of the earlier statements that are most like a later one.
func (c *Changes) nearestOf(later int) []int {
	places, known := c.nearest[later]
	if known {
		return places
	}
	likenesses := c.likenessesOf(later)
	for i := range c.list {
		if c.list[i].At.Before(c.list[later].At) && likenesses[i] >= minChangeSimilarity {
			places = append(places, i)
		}
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(likenesses[b], likenesses[a]) })
	places = places[:min(len(places), maxCompared)]
	c.nearest[later] = places
	return places
}

// likenessesOf returns how like a statement is to each.
func (c *Changes) likenessesOf(place int) []float64 {
	list, known := c.likenesses[place]
	if !known {
		list = make([]float64, len(c.list))
		for i := range c.list {
			list[i] = vectorSimilarity(&c.list[place], &c.list[i])
		}
		c.likenesses[place] = list
	}
	return list
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
func IsRepetition(a, b *Statement) bool {
	return TopicSimilarityAtLeast(a, b, minRepetitionSimilarity) > 0
}

// TopicSimilarityAtLeast is how near two statements are in topic, the product of their vectors and the share of
// their words, where it reaches the least, and otherwise 0. Words are only compared where they may decide.
func TopicSimilarityAtLeast(a, b *Statement, least float64) float64 {
	like := vectorSimilarity(a, b)
	if like+sharedWordsBonus < least {
		return 0
	}
	if fewer := min(len(a.contentWords()), len(b.contentWords())); fewer > 0 {
		shared := 0
		for word := range a.contentWords() {
			if b.contentWords()[word] {
				shared++
			}
		}
		like += sharedWordsBonus * float64(shared) / float64(fewer)
	}
	if like < least {
		return 0
	}
	return like
}

// vectorSimilarity is the product of the vectors, 0 where one is missing.
func vectorSimilarity(a, b *Statement) float64 {
	if len(a.Vector) == 0 || len(a.Vector) != len(b.Vector) {
		return 0
	}
	return float64(embed.Dot(a.Vector, b.Vector))
}

func (s *Statement) contentWords() map[string]bool {
	s.ShareReadings()
	if s.readings.words == nil {
		s.readings.words = map[string]bool{}
		for _, term := range language.Terms(s.Text) {
			if len(term) >= minWordLength && !language.IsStopWord(term) && !language.IsEveryday(term) && !language.IsWork(term) {
				s.readings.words[term] = true
			}
		}
	}
	return s.readings.words
}
