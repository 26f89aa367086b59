package recall

import (
	"slices"
	"strings"

	"toolkit/internal/capture/notice"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/store/kinds"
	"toolkit/tools"
)

// The floor of what words alone find. Something has a word in common with every prompt,
// so one common word is not enough: it takes two, or a rare one.
const (
	minMatchedWords = 1.5 // informative words of a prompt, where one that is only nearly there is half
	maxRareRows     = 2   // in how many rows a word stands at most that is enough alone
	minMatchedShare = 0.2 // of all that the prompt informs of
	// minOtherProjectRelevance is what must be answered by what was said in another project.
	minOtherProjectRelevance = 0.7
)

// isOtherProject reports whether a candidate belongs to another project than that at hand,
// of which there may be none.
func isOtherProject(q *tools.Question, r ranked) bool {
	return r.Project != 0 && r.Project != q.CurrentProject
}

// canShowUnasked reports whether a candidate may be told without being asked for.
func (r ranked) canShowUnasked() bool { return r.intent < intentFiller && r.ReplacedBy == "" }

// fitsOtherProjects reports whether what belongs to another project may be told in this one: it
// answers nearly all.
func (r ranked) fitsOtherProjects() bool { return r.relevance >= minOtherProjectRelevance }

// isRelevant reports whether a candidate reaches the floor. Words of work count beside
// another one: "what did Ann say of running" is about running.
func isRelevant(q *tools.Question, back pastQuestion, r ranked) bool {
	if !r.canShowUnasked() || !back.matchesSubject(r) {
		return false
	}
	asked, answered, words, named, rare := 0.0, 0.0, 0.0, false, false
	rareEnough := q.Scorer.InformationOfRows(maxRareRows)
	for i, t := range q.Terms {
		if isCommonWord(t) && !isWorkWord(t) {
			continue
		}
		informs, credit := q.Scorer.TermInformation(i), 0.0
		if slices.Contains(r.matched, t.Word) {
			credit = 1
		} else if slices.Contains(r.matched, "~"+t.Word) {
			credit = 0.5
		}
		words += credit
		if isSpecific(t) || back.asksAboutPast && isWorkWord(t) {
			asked, answered = asked+informs, answered+credit*informs
			named, rare = named || credit == 1, rare || credit == 1 && informs >= rareEnough
		}
	}
	if back.isDecision(r) || named && back.asksAboutPast && slices.ContainsFunc(r.matched, func(word string) bool { return slices.Contains(back.subjectWords, word) }) && answered >= minMatchedShare*asked {
		return true
	}
	return named && (words >= minMatchedWords || rare) && answered >= minMatchedShare*asked
}

func isSpecific(t search.Term) bool { return !isCommonWord(t) && !isWorkWord(t) }

func isCommonWord(t search.Term) bool {
	return language.IsStopWord(t.Word) || !t.IsName() && slices.ContainsFunc(t.Forms, language.IsEveryday) || isNumber(t.Word) && len(t.Word) <= 2
}

// isWorkWord reports whether a word is one that prompts are made of. What another language would
// leave of less than half a name tells nothing: "sam", of Samira.
func isWorkWord(t search.Term) bool {
	return slices.ContainsFunc(t.Forms, func(form string) bool { return 2*len(form) > len(t.Word) && language.IsWork(form) })
}

// What is longer than minPastedLength and says less than minSaidShare of it in sentences of
// its own was mostly pasted: a log, a trace, code. It has words of many prompts.
const (
	minPastedLength = 300
	minSaidShare    = 0.5
)

func isMostlyPasted(text string) bool {
	if len(text) < minPastedLength {
		return false
	}
	said := 0
	for _, part := range notice.SplitSentences(text) {
		said += len(part.Text)
	}
	return float64(said) < minSaidShare*float64(len(text))
}

// isOnlyPasted reports whether a candidate is a turn of mostly pasted text in which the
// prompt names nothing.
func (r ranked) isOnlyPasted() bool {
	return r.Turns != nil && isMostlyPasted(r.Text) && !r.matchesIdentifier()
}

// matchesIdentifier reports whether a candidate has a word of the prompt that names one
// thing: an error, a version, a file.
func (r ranked) matchesIdentifier() bool {
	return slices.ContainsFunc(r.matched, func(word string) bool {
		return len(word) >= minIdentifierLength && strings.ContainsAny(word, "0123456789_./")
	})
}

const minIdentifierLength = 3

// matchesOnlyLabels reports whether all that a document or a thing has of a prompt are names of its
// fields: a letter to "the customer" is about none of the papers that have a customer.
func (r ranked) matchesOnlyLabels() bool {
	if !slices.Contains([]string{kinds.TruthEntity, kinds.Record, kinds.Document}, r.Kind) {
		return false
	}
	var values []string
	for i, line := range strings.Split(r.Text, "\n") {
		if _, value, labelled := strings.Cut(line, ": "); labelled && i > 0 {
			line = value
		}
		values = append(values, language.Terms(line)...)
	}
	return !slices.ContainsFunc(r.matched, func(word string) bool {
		word = strings.TrimPrefix(word, "~")
		return slices.Contains(values, word) || slices.Contains(values, language.Stem(word))
	})
}
