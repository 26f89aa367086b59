package language

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"toolkit/fixtures"
)

// The languages, in the order in which a text of an unknown one is tried.
var calendarLanguages = []struct {
	language Language
	name     string
}{{English, "english"}, {German, "german"}, {Spanish, "spanish"}, {French, "french"}}

// Languages whose days are read in questions, where nothing else is found, and in plans, and only where one of
// their signs stands, if they have any: what was stored is not indexed again for them. Those of a script of
// their own need no sign.
var questionLanguages = []string{"italian", "dutch", "portuguese", "polish", "russian", "turkish", "arabic", "eastern"}

// dateVocabulary is what one language has to name days with.
type dateVocabulary struct {
	language Language
	phrases  *phraseNode
	names    map[string]map[string]int // of MONTH, WEEKDAY, …: words to their places, from 0 on
	capitals map[string]bool
	others   map[string]bool // names of months that are other words too, which never stand alone
	begin    map[string]bool // words that a phrase or a name may begin with
	signs    []string        // of a language of questions
}

// phraseNode is a place in the tree of phrases.
type phraseNode struct {
	words   map[string]*phraseNode
	classes []dateClass // words in capitals
	meaning string
}

type dateClass struct {
	name string
	*phraseNode
}

// dateVocabularies and questionVocabularies are made when the first text is read.
var (
	dateVocabularies = sync.OnceValue(func() []dateVocabulary {
		lists := fixtures.WordLists("calendar")
		all := make([]dateVocabulary, len(calendarLanguages))
		for i, l := range calendarLanguages {
			all[i] = makeDateVocabulary(lists, l.name, "")
			all[i].language = l.language
		}
		return all
	})
	questionVocabularies = sync.OnceValue(func() []dateVocabulary {
		lists := fixtures.WordLists("calendar")
		all := make([]dateVocabulary, len(questionLanguages))
		for i, name := range questionLanguages {
			all[i] = makeDateVocabulary(lists, name, "")
		}
		return all
	})
	// planVocabularies are all of them, with what only plans are read with.
	planVocabularies = sync.OnceValue(func() (all []dateVocabulary) {
		lists := fixtures.WordLists("calendar")
		for _, l := range calendarLanguages {
			v := makeDateVocabulary(lists, l.name, "", " of plans")
			v.language = l.language
			all = append(all, v)
		}
		return append(all, questionVocabularies()...)
	})
)

// namesFeast reports whether a text names a feast, whose days are in a month of their own.
func (r *dateReader) namesFeast() bool {
	feasts := readListWords("feasts")
	return slices.ContainsFunc(r.tokens, func(t dateToken) bool {
		return slices.ContainsFunc(feasts, func(feast string) bool { return strings.HasPrefix(t.word, feast) })
	})
}

// makeDateVocabulary reads the lists of a language whose names end so.
func makeDateVocabulary(lists map[string][]string, name string, endings ...string) dateVocabulary {
	v := dateVocabulary{phrases: &phraseNode{}, names: map[string]map[string]int{}, capitals: map[string]bool{}, others: map[string]bool{}, begin: map[string]bool{}}
	for _, word := range strings.Fields(strings.Join(lists[name+" capitals"], " ")) {
		v.capitals[word] = true
	}
	for _, item := range lists[name+" others"] {
		v.others[item] = true
	}
	for _, word := range strings.Fields(strings.Join(lists[name+" signs"], " ")) {
		v.signs = append(v.signs, Fold(word))
	}
	for class, list := range map[string]string{"MONTH": "months", "WEEKDAY": "weekdays", "SEASON": "seasons", "NUMBER": "numbers", "PLACE": "places"} {
		v.names[class] = map[string]int{}
		for _, ending := range endings {
			for place, line := range lists[name+" "+list+ending] {
				for word := range strings.FieldsSeq(line) {
					v.names[class][Fold(word)] = place
				}
			}
		}
	}
	for _, ending := range endings {
		for _, line := range lists[name+" phrases"+ending] {
			pattern, meaning, _ := strings.Cut(line, ": ")
			v.phrases.addPattern(strings.Fields(pattern), meaning)
		}
	}
	for word := range v.phrases.words {
		v.begin[word] = true
	}
	for _, words := range v.names {
		for word := range words {
			v.begin[word] = true
		}
	}
	return v
}

// addPattern lays a pattern into the tree, once for each of its alternatives.
func (n *phraseNode) addPattern(pattern []string, meaning string) {
	if len(pattern) == 0 {
		n.meaning = meaning
		return
	}
	word, optional := strings.CutSuffix(pattern[0], "?")
	if optional {
		n.addPattern(pattern[1:], meaning)
	}
	for alternative := range strings.SplitSeq(word, "|") {
		if !IsASCII(alternative) { // classes are in capitals
			alternative = Fold(alternative)
		}
		n.findOrAddChild(alternative).addPattern(pattern[1:], meaning)
	}
}

// findOrAddChild returns the place behind a word of a pattern.
func (n *phraseNode) findOrAddChild(word string) *phraseNode {
	if word[0] < 'A' || word[0] > 'Z' {
		if n.words == nil {
			n.words = map[string]*phraseNode{}
		}
		if n.words[word] == nil {
			n.words[word] = &phraseNode{}
		}
		return n.words[word]
	}
	for _, c := range n.classes {
		if c.name == word {
			return c.phraseNode
		}
	}
	n.classes = append(n.classes, dateClass{word, &phraseNode{}})
	return n.classes[len(n.classes)-1].phraseNode
}

// phraseMatch is a phrase in a text.
type phraseMatch struct {
	meaning string
	words   int            // its length
	values  map[string]int // what stands for the words in capitals; absent: none
	date    *DateRange     // the DATE
}

// matchAt finds the longest phrase that stands at a place.
func (r *dateReader) matchAt(at int) phraseMatch {
	w := phraseWalk{dateReader: r, at: at}
	w.walk(r.vocabulary.phrases, at, phraseMatch{})
	return w.longest
}

// phraseWalk compares the tokens from a place on with the tree of phrases.
type phraseWalk struct {
	*dateReader
	at      int
	longest phraseMatch
}

func (w *phraseWalk) walk(n *phraseNode, at int, m phraseMatch) {
	if n.meaning != "" && at-w.at > w.longest.words {
		w.longest = phraseMatch{n.meaning, at - w.at, maps.Clone(m.values), m.date}
	}
	if at >= len(w.tokens) {
		return
	}
	t := w.tokens[at]
	if next := n.words[t.word]; next != nil {
		w.walk(next, at+1, m)
	}
	for _, c := range n.classes {
		if c.name == "DATE" {
			if date, words := w.dateAt(at); words > 0 {
				w.walk(c.phraseNode, at+words, phraseMatch{values: m.values, date: &date})
			}
		} else if value, ok := w.valueOf(c.name, t); ok {
			values := maps.Clone(m.values)
			if values == nil {
				values = map[string]int{}
			}
			values[c.name] = value
			w.walk(c.phraseNode, at+1, phraseMatch{values: values, date: m.date})
		}
	}
}

// valueOf reads a token as one of a class.
func (r *dateReader) valueOf(class string, t dateToken) (value int, ok bool) {
	switch class {
	case "YEAR":
		return t.number, t.number >= firstYear && t.number <= lastYear && len(t.word) == 4
	case "DAY":
		return t.number, t.number >= 1 && t.number <= 31
	case "ORDINAL":
		return t.number, t.ordinal && t.number <= 31
	case "NUMBER":
		if t.number > 0 && !t.ordinal {
			return t.number, t.number <= maxUnits
		}
	}
	place, known := r.vocabulary.names[class][t.word]
	if class == "MONTH" && r.other && len(t.word) < minMonthLength {
		return 0, false // "our 3 mar students"
	}
	if class == "NUMBER" || class == "MONTH" {
		place++
	}
	return place, known
}

// maxUnits bounds the number of days, weeks, months or years that are counted.
const maxUnits = 400

// isUnambiguous reports whether the words of a match cannot be others: names of months that
// are words too need their capital letter beside a number.
func (r *dateReader) isUnambiguous(at int, m phraseMatch) bool {
	end := at + m.words
	if strings.HasPrefix(m.meaning, "span ") {
		return r.past
	}
	switch m.meaning {
	case "date":
		_, dated := m.values["YEAR"]
		lower := func(t dateToken) bool { return r.vocabulary.capitals[t.word] && !t.capital }
		return dated || !slices.ContainsFunc(r.tokens[at:end], lower) || slices.ContainsFunc(r.tokens[at:end], func(t dateToken) bool { return t.ordinal })
	case "day of month":
		return !(r.plan && r.namesFeast()) && (r.endsPhrase(end) || r.continuesSentence(end))
	case "day before", "week before", "month before", "year before", "day after", "week after":
		return r.endsPhrase(end)
	case "season":
		return end >= len(r.tokens) || !r.tokens[end].capital || !r.tokens[end-1].capital
	}
	return true
}

// endsPhrase reports whether no thing follows that the words before may belong to: "on
// the 5th floor", "the day before the wedding".
func (r *dateReader) endsPhrase(at int) bool {
	if at >= len(r.tokens) || r.tokens[at].mark {
		return true
	}
	return slices.Contains([]string{"and", "but", "und", "aber", "et", "mais", "y", "pero"}, r.tokens[at].word)
}

// continuesSentence reports whether the sentence goes on with a word of grammar, or in German
// with one that is no noun.
func (r *dateReader) continuesSentence(at int) bool {
	t := r.tokens[at]
	if r.vocabulary.language == German {
		return !t.capital
	}
	return t.word != "one" && t.word != "of" && r.vocabulary.language.IsStopWord(t.word)
}
