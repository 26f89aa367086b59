package language

import (
	"slices"
	"strings"
	"sync"
)

// fieldsOf maps an index term to the fields of life that it belongs to, each a list
// of terms; like timeTerms it is made at the first search.
var fieldsOf = sync.OnceValue(func() map[string][][]string { return fieldTable(linesOf("related")) })

func fieldTable(lines []string) map[string][][]string {
	table := make(map[string][][]string)
	for _, line := range lines {
		var field []string
		for word := range strings.FieldsSeq(line) {
			for _, form := range []string{Stem(word), germanStem(word)} {
				if !slices.Contains(field, form) {
					field = append(field, form)
				}
			}
		}
		for _, term := range field {
			table[term] = append(table[term], field)
		}
	}
	return table
}

// Related gives the terms related to any of the forms of a word, without
// the forms themselves.
func Related(forms []string) []string {
	var terms []string
	for _, form := range forms {
		for _, field := range fieldsOf()[form] {
			for _, term := range field {
				if !slices.Contains(forms, term) && !slices.Contains(terms, term) {
					terms = append(terms, term)
				}
			}
		}
	}
	return terms
}

// IsEveryday reports whether an index term says little, whatever it stands in.
func IsEveryday(term string) bool { return everyday()[term] }

// IsWork reports whether an index term is one that prompts are made of, whatever
// the work is about.
func IsWork(term string) bool { return work()[term] }

var work = sync.OnceValue(func() map[string]bool { return stemsOf("work") })

// everyday are the index terms of the everyday words, made at the first search.
var everyday = sync.OnceValue(func() map[string]bool { return stemsOf("everyday") })

func stemsOf(list string) map[string]bool {
	var terms []string
	for _, word := range wordsOf(list) {
		terms = append(terms, Stem(word), germanStem(word))
	}
	return setOf(terms)
}
