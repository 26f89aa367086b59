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

// verb is what one spelling may be.
type verb struct {
	base       string
	participle string
	forms      form
}

// inflections maps every form of a list of verbs to its verb.
type inflections map[string]verb

// verbs are inflections that are made when a rule first asks for them.
type verbs func() inflections

var (
	making   = conjugate("making")
	creative = conjugate("making", "attaining")
	stating  = conjugate("making", "attaining", "living")
	leading  = conjugate("leading")
	desiring = conjugate("desiring")
	problems = conjugate("repairing", "stopping", "reducing", "removing", "preventing")
)

// conjugate reads lists of verbs. "ship+" doubles its last consonant (shipping),
// "write:wrote,written" has irregular past forms.
func conjugate(names ...string) verbs {
	return sync.OnceValue(func() inflections {
		all := inflections{}
		for _, name := range names {
			for entry := range strings.FieldsSeq(strings.Join(entries(name), " ")) {
				all.conjugate(entry)
			}
		}
		return all
	})
}

func (v inflections) conjugate(entry string) {
	name, irregular, _ := strings.Cut(entry, ":")
	name, doubles := strings.CutSuffix(name, "+")
	stem := name
	if doubles {
		stem += name[len(name)-1:]
	}
	pasts := []string{inflect(stem, "ed")}
	if irregular != "" {
		pasts = strings.Split(irregular, ",")
	}
	of := verb{base: name, participle: pasts[len(pasts)-1]}
	v.add(name, of, base)
	v.add(inflect(name, "s"), of, third)
	v.add(inflect(stem, "ing"), of, gerund)
	for _, word := range pasts {
		v.add(word, of, past)
	}
}

// add notes a spelling. The verb whose base it is wins the name.
func (v inflections) add(word string, of verb, f form) {
	known, ok := v[word]
	if !ok || f == base {
		known.base, known.participle = of.base, of.participle
	}
	known.forms |= f
	v[word] = known
}

// is reports whether the word can be one of the forms of a verb in the list, also
// through a prefix: "co-found", "relaunch".
func (v verbs) is(word string, forms form) bool {
	all := v()
	for _, prefix := range []string{"", "co-", "re-", "re", "self-", "hand-"} {
		stem, ok := strings.CutPrefix(word, prefix)
		if ok && (prefix == "" || len(stem) >= 4) && all[stem].forms&forms != 0 {
			return true
		}
	}
	return false
}

// inflect joins a verb and an ending: "carry" and "s" are "carries".
func inflect(name, ending string) string {
	n := len(name)
	switch {
	case n > 1 && name[n-1] == 'y' && ending != "ing" && !strings.ContainsRune("aeiou", rune(name[n-2])):
		return name[:n-1] + "ie" + ending[len(ending)-1:]
	case ending == "s" && hasSuffix(name, "s", "x", "z", "ch", "sh", "o"):
		return name + "es"
	case ending == "ed" && name[n-1] == 'e':
		return name + "d"
	case ending == "ing" && name[n-1] == 'e' && n > 2 && !hasSuffix(name, "ee", "oe", "ye"):
		return name[:n-1] + ending
	}
	return name + ending
}
