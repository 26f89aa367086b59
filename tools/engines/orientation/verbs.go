package orientation

import (
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

// verbs are all forms of the verbs in a list, made when a rule first asks for them.
type verbs func() map[string]form

var (
	making   = conjugate("making")
	creative = conjugate("making", "attaining")
	stating  = conjugate("making", "attaining", "living")
	actions  = conjugate("making", "attaining", "living", "acting", "leading", "repairing", "stopping", "reducing", "removing", "preventing")
	problems = conjugate("repairing", "stopping", "reducing", "removing", "preventing")
	stopping = conjugate("stopping")
	leading  = conjugate("leading")
	desiring = conjugate("desiring")
	aspiring = conjugate("aspiring")
	lasting  = conjugate("lasting")
)

// is reports whether the word can be one of the forms of a verb in the list.
func (v verbs) is(word string, forms form) bool { return v()[word]&forms != 0 }

// conjugate reads lists of verbs. "ship+" doubles its last consonant (shipping),
// "write:wrote,written" has irregular past forms.
func conjugate(names ...string) verbs {
	return sync.OnceValue(func() map[string]form {
		all := map[string]form{}
		for _, name := range names {
			for entry := range strings.FieldsSeq(strings.Join(entries(name), " ")) {
				addForms(all, entry)
			}
		}
		return all
	})
}

func addForms(all map[string]form, entry string) {
	name, irregular, _ := strings.Cut(entry, ":")
	name, doubles := strings.CutSuffix(name, "+")
	stem := name
	if doubles {
		stem += name[len(name)-1:]
	}
	all[name] |= base
	all[inflect(name, "s")] |= third
	all[inflect(stem, "ing")] |= gerund
	if irregular == "" {
		irregular = inflect(stem, "ed")
	}
	for word := range strings.SplitSeq(irregular, ",") {
		all[word] |= past
	}
}

// inflect joins a verb and an ending: "carry" and "s" are "carries".
func inflect(name, ending string) string {
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
