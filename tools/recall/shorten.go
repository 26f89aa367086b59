package recall

import (
	"cmp"
	"slices"
	"strings"

	"toolkit/internal/capture/redact"
	"toolkit/internal/language"
	"toolkit/internal/search"
	"toolkit/tools"
)

// sentence is a part of a text with what it is worth to a question.
type sentence struct {
	text  string
	worth float64
}

const (
	// questionWeight is what a sentence that asks is worth beside one that states.
	questionWeight = 0.3
	// minShareOfBestSentence is what share of the worth of the best sentence another must have to stand
	// in a short note.
	minShareOfBestSentence = 0.3
	// substanceWeight is what each word of content is worth where words of the question
	// do not decide, up to so many.
	substanceWeight, maxSubstanceWords = 0.02, 12
	// shortNote is the length in bytes below which a note has room for the best
	// sentences alone.
	shortNote = 200
)

// shortenToAnswer keeps the sentences of a text that answer a question, in their order, up
// to limit bytes. Greetings and the like go first.
func shortenToAnswer(q *tools.Question, text string, limit int) string {
	items := language.Sentences(relevantPassage(q, text, maxCandidateLength))
	list := make([]sentence, len(items))
	for i, s := range items {
		list[i] = sentence{s, scoreSentence(q, s)}
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(list[b].worth, list[a].worth) })
	keep, size := make([]bool, len(list)), 0
	for n, i := range order {
		if n > 0 && (list[i].worth == 0 || limit < shortNote && list[i].worth < minShareOfBestSentence*list[order[0]].worth || size+len(list[i].text)+1 > limit) {
			continue
		}
		keep[i], size = true, size+len(list[i].text)+1
	}
	var kept []string
	for i, s := range list {
		if keep[i] {
			kept = append(kept, s.text)
		}
	}
	return search.Snippet(q.Query, strings.Join(kept, " "), limit)
}

// moreFacts stands for the facts that are left out.
const moreFacts = "…"

// shortenFacts is the text of an entity with those of its facts that answer a question, whole and in
// their order, up to limit bytes, and a sign where others are left out. Of a fact that is longer
// it keeps a passage.
func shortenFacts(q *tools.Question, text string, facts []string, limit int) string {
	if len(text) <= limit {
		return text
	}
	head := strings.TrimSuffix(text, strings.Join(facts, "; "))
	worth, order := make([]float64, len(facts)), make([]int, len(facts))
	for i, fact := range facts {
		worth[i], order[i] = scoreSentence(q, fact), i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(worth[b], worth[a]) })
	keep, size := map[int]bool{}, len(head)
	for _, i := range order {
		if length := len(facts[i]) + len("; "); facts[i] != moreFacts && size+length <= limit {
			keep[i], size = true, size+length
		}
	}
	var kept []string
	for i, fact := range facts {
		if keep[i] {
			kept = append(kept, fact)
		}
	}
	if len(kept) == 0 {
		kept = []string{search.Snippet(q.Query, relevantPassage(q, facts[order[0]], maxCandidateLength), max(limit-len(head), minFactLength))}
	}
	if len(kept) < len(facts) {
		kept = append(kept, moreFacts)
	}
	return head + strings.Join(kept, "; ")
}

// minFactLength is how much of a long fact is told at least, beside a long name.
const minFactLength = 100

// relevantPassage is the part of a long text that is read of it, at most length bytes. It begins within no
// private key.
func relevantPassage(q *tools.Question, text string, length int) string {
	if len(text) <= length {
		return text
	}
	return search.Snippet(q.Query, redact.RedactPrivateKeys(text), length)
}

// scoreSentence is what a sentence is worth to a question, 0 when it says nothing.
func scoreSentence(q *tools.Question, text string) float64 {
	terms := language.Terms(text)
	words := 0
	for _, word := range language.Words(text) {
		if !language.IsStopWord(word) && !language.IsEveryday(language.Stem(word)) {
			words++
		}
	}
	if words == 0 {
		return 0
	}
	var w search.Window
	w[search.Neighbours] = q.Scorer.CountEvidence(terms, nil)
	worth := q.Scorer.Relevance(w, "") + substanceWeight*float64(min(words, maxSubstanceWords))
	if language.IsQuestion(text) {
		worth *= questionWeight
	}
	return worth
}
