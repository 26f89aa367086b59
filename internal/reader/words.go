package reader

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"toolkit/fixtures"
	"toolkit/internal/reader/bank"
)

// The wordings of labels, columns and titles are data: fixtures/words/documents. They are
// read when the first document is.
var (
	lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("documents") })
	// wordSets are the same lists, to ask what stands in one.
	wordSets = sync.OnceValue(func() map[string]map[string]bool {
		sets := map[string]map[string]bool{}
		for name, words := range lists() {
			wordSet := make(map[string]bool, len(words))
			for _, word := range words {
				wordSet[word] = true
			}
			sets[name] = wordSet
		}
		return sets
	})
	// labelLexicon maps every wording to the kinds it may announce.
	labelLexicon = sync.OnceValue(func() map[string][]labelKind {
		labels := indexPhrases[labelKind](lists(), "label ")
		for name, kind := range map[string]labelKind{"opening": labelOpening, "closing": labelClosing} {
			for phrase := range indexPhrases[string](fixtures.WordLists("bank"), name) {
				if labels[phrase] == nil {
					labels[phrase] = []labelKind{kind}
				}
			}
		}
		return labels
	})
	columnLexicon = sync.OnceValue(func() map[string]string {
		columns := firstKindPerPhrase(indexPhrases[string](lists(), "column "))
		for phrase, roles := range indexPhrases[string](fixtures.WordLists("bank"), "column ") {
			for _, role := range roles {
				if kind := columnRoles[role]; kind != "" && columns[phrase] == "" {
					columns[phrase] = kind
				}
			}
		}
		return columns
	})
	titleLexicon = sync.OnceValue(func() map[string]string {
		titles := firstKindPerPhrase(indexPhrases[string](lists(), "title "))
		for _, credit := range lists()["words credit titles"] {
			titles[phraseKey(credit)] = KindInvoice
		}
		return titles
	})
)

// columnRoles are the roles of the columns that printed statements share with the lists that
// banks export, whose names stand in fixtures/words/bank.
var columnRoles = map[string]string{
	bank.Date: columnDate, bank.BookingDate: columnDate, bank.ValueDate: columnValueDay, "debit": columnDebit, "credit": columnCredit, bank.Balance: columnBalance, bank.Type: columnType,
}

// inList tells whether a word, or a wording of several, stands in a list.
func inList(name, word string) bool { return wordSets()[name][word] }

// indexPhrases maps the phrases of the lists whose names have a prefix to the rest of the
// names, by the form in which texts are looked up.
func indexPhrases[Kind ~string](lists map[string][]string, prefix string) map[string][]Kind {
	phrases := map[string][]Kind{}
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		kind, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		for phrase := range strings.SplitSeq(strings.Join(lists[name], " "), "|") {
			key := phraseKey(phrase)
			if known := phrases[key]; key != "" && !slices.Contains(known, Kind(kind)) {
				phrases[key] = append(known, Kind(kind))
			}
		}
	}
	return phrases
}

// firstKindPerPhrase is for lists in which a wording stands for one kind only.
func firstKindPerPhrase(phrases map[string][]string) map[string]string {
	kinds := map[string]string{}
	for phrase, of := range phrases {
		kinds[phrase] = of[0]
	}
	return kinds
}
