package orientation

import (
	"slices"
	"strings"
	"sync"

	"toolkit/fixtures"
)

// lists holds the words that the rules know, from fixtures/words/orientation, where every
// list has its reason. They are read when a rule first asks: most starts judge nothing.
var lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("orientation") })

// phrases holds, by list, the words of every line.
var phrases = sync.OnceValue(func() map[string][][]string {
	all := map[string][][]string{}
	for list, lines := range lists() {
		for _, line := range lines {
			all[list] = append(all[list], strings.Fields(line))
		}
	}
	return all
})

// values holds, by list, every word with what follows the colon of its line, or "".
var values = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for list, lines := range lists() {
		all[list] = map[string]string{}
		for _, line := range lines {
			words, value, _ := strings.Cut(line, ": ")
			for word := range strings.FieldsSeq(words) {
				all[list][word] = value
			}
		}
	}
	return all
})

// isInList reports whether a word stands in a list.
func isInList(list, word string) bool {
	_, ok := values()[list][word]
	return ok
}

// isAdverb recognises adverbs of manner, and leaves "family" and "fly" alone.
func isAdverb(word string) bool {
	return isInList("adverbs", word) || strings.HasSuffix(word, "ly") && len(word) > 4 && !isInList("not adverbs", word)
}

// isGerund reports whether a word looks like a verb in -ing.
func isGerund(word string) bool {
	return len(word) > 4 && strings.HasSuffix(word, "ing") && !isInList("not gerunds", word)
}

// isResultWord recognises what ends a named result: "published", "written", "live". It leaves
// out what only looks like a participle or names damage instead of a result.
func isResultWord(word string) bool {
	return isInList("arrived", word) || !isInList("not results", word) && (len(word) > 4 && strings.HasSuffix(word, "ed") || isInList("participles", word))
}

// isEmptyWord reports whether a word names nothing that is wished for.
func isEmptyWord(word string) bool {
	return isInList("vague words", word) || isInList("comparatives", word) || isInList("words of being", word) || isInList("determiners", word) || isInList("prepositions", word) || isAdverb(word)
}

// endsPhrase reports whether nothing that a participle could describe follows at i.
func endsPhrase(s sentence, i int) bool {
	return s.endsPhraseBefore(i) || isInList("prepositions", s.wordAt(i)) || isAdverb(s.wordAt(i))
}

// form is a set of inflections. One spelling can be several: "found" is the past
// of find and the base of founding.
type form uint8

const (
	base form = 1 << iota
	third
	gerund
	past
)

// verbs are lists of verbs that are asked together.
type verbs []string

var (
	problems = verbs{"repairing", "stopping", "reducing", "removing", "preventing"}
	creative = verbs{"making", "attaining"}
	stating  = verbs{"making", "attaining", "living"}
	actions  = append(verbs{"making", "attaining", "living", "acting", "leading"}, problems...)
)

// hasForm reports whether the word can be one of the forms of a verb in the lists.
func (v verbs) hasForm(word string, forms form) bool {
	return slices.ContainsFunc(v, func(list string) bool { return isForm(list, word, forms) })
}

// isForm reports whether the word can be one of the forms of a verb in a list.
func isForm(list, word string, forms form) bool { return inflect(list)[word]&forms != 0 }

var inflected sync.Map // list → map[string]form

// inflect returns every form of the verbs in a list. "ship+" doubles its last consonant
// (shipping), "write:wrote,written" has irregular past forms.
func inflect(list string) map[string]form {
	if forms, ok := inflected.Load(list); ok {
		return forms.(map[string]form)
	}
	all := map[string]form{}
	for entry := range values()[list] {
		addForms(all, entry)
	}
	inflected.Store(list, all)
	return all
}

// addForms adds every spelling that a form can have; one that does not exist harms nothing.
func addForms(all map[string]form, entry string) {
	name, irregular, _ := strings.Cut(entry, ":")
	name, doubles := strings.CutSuffix(name, "+")
	stem, beforeY := strings.TrimSuffix(name, "e"), strings.TrimSuffix(name, "y")
	if doubles {
		stem += name[len(name)-1:]
	} else {
		all[name+"ing"] |= gerund
	}
	all[name] |= base
	all[stem+"ing"] |= gerund
	for _, word := range []string{name + "s", name + "es", beforeY + "ies"} {
		all[word] |= third
	}
	if irregular == "" {
		irregular = stem + "ed," + beforeY + "ied"
	}
	for word := range strings.SplitSeq(irregular, ",") {
		all[word] |= past
	}
}
