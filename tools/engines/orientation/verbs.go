package orientation

import (
	"slices"
	"strings"
	"sync"
)

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
	classes  = verbs{"repairing", "stopping", "reducing", "removing", "preventing"} // of problem verbs
	creative = verbs{"making", "attaining"}
	stating  = verbs{"making", "attaining", "living"}
	actions  = append(verbs{"making", "attaining", "living", "acting", "leading"}, classes...)
)

// is reports whether the word can be one of the forms of a verb in the lists.
func (v verbs) is(word string, forms form) bool {
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

func addForms(all map[string]form, entry string) {
	name, irregular, _ := strings.Cut(entry, ":")
	name, doubles := strings.CutSuffix(name, "+")
	stem := name
	if doubles {
		stem += name[len(name)-1:]
	}
	all[name] |= base
	all[join(name, "s")] |= third
	all[join(stem, "ing")] |= gerund
	if irregular == "" {
		irregular = join(stem, "ed")
	}
	for word := range strings.SplitSeq(irregular, ",") {
		all[word] |= past
	}
}

// join joins a verb and an ending: "carry" and "s" are "carries".
func join(name, ending string) string {
	n := len(name)
	last := name[n-1]
	switch {
	case last == 'y' && ending != "ing" && n > 1 && !strings.ContainsRune("aeiou", rune(name[n-2])):
		return name[:n-1] + "ie" + ending[len(ending)-1:]
	case ending == "s" && (strings.ContainsRune("sxzo", rune(last)) || strings.HasSuffix(name, "ch") || strings.HasSuffix(name, "sh")):
		return name + "es"
	case ending == "ed" && last == 'e':
		return name + "d"
	case ending == "ing" && last == 'e' && n > 2 && !strings.ContainsRune("eoy", rune(name[n-2])):
		return name[:n-1] + ending
	}
	return name + ending
}
