package orientation

import "strings"

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

// verbs maps every inflection of a list of verbs to its verb.
type verbs map[string]verb

// conjugate reads a list of verbs separated by white space. "ship+" doubles its last
// consonant (shipping), "write:wrote,written" has irregular past forms.
func conjugate(lists ...string) verbs {
	all := verbs{}
	for _, entry := range strings.Fields(strings.Join(lists, " ")) {
		name, irregular, _ := strings.Cut(entry, ":")
		name, doubles := strings.CutSuffix(name, "+")
		stem := name
		if doubles {
			stem += name[len(name)-1:]
		}
		pasts := []string{pastOf(stem)}
		if irregular != "" {
			pasts = strings.Split(irregular, ",")
		}
		v := verb{base: name, participle: pasts[len(pasts)-1]}
		all.add(name, v, base)
		all.add(thirdPerson(name), v, third)
		all.add(gerundOf(stem), v, gerund)
		for _, word := range pasts {
			all.add(word, v, past)
		}
	}
	return all
}

// add notes a spelling. The verb whose base it is wins the name.
func (v verbs) add(word string, of verb, f form) {
	known, ok := v[word]
	if !ok || f == base {
		known.base, known.participle = of.base, of.participle
	}
	known.forms |= f
	v[word] = known
}

// is reports whether the word can be one of the forms of a verb in the list.
func (v verbs) is(word string, forms form) bool { return v[word].forms&forms != 0 }

// stemIs is is, also through the prefixes co-, re-, self- and hand-: "co-found", "relaunch".
func (v verbs) stemIs(word string, forms form) bool {
	if v.is(word, forms) {
		return true
	}
	for _, prefix := range []string{"co-", "co", "re-", "re", "self-", "hand-"} {
		if stem, ok := strings.CutPrefix(word, prefix); ok && len(stem) >= 4 && v.is(stem, forms) {
			return true
		}
	}
	return false
}

// joined returns a list that holds the entries of all lists.
func joined(lists ...verbs) verbs {
	all := verbs{}
	for _, list := range lists {
		for word, v := range list {
			known, ok := all[word]
			if !ok {
				known.base, known.participle = v.base, v.participle
			}
			known.forms |= v.forms
			all[word] = known
		}
	}
	return all
}

func thirdPerson(name string) string {
	switch {
	case endsInConsonantY(name):
		return name[:len(name)-1] + "ies"
	case hasSuffix(name, "s", "x", "z", "ch", "sh", "o"):
		return name + "es"
	}
	return name + "s"
}

func gerundOf(stem string) string {
	switch {
	case strings.HasSuffix(stem, "ie"):
		return stem[:len(stem)-2] + "ying"
	case strings.HasSuffix(stem, "e") && !hasSuffix(stem, "ee", "oe", "ye") && len(stem) > 2:
		return stem[:len(stem)-1] + "ing"
	}
	return stem + "ing"
}

func pastOf(stem string) string {
	switch {
	case strings.HasSuffix(stem, "e"):
		return stem + "d"
	case endsInConsonantY(stem):
		return stem[:len(stem)-1] + "ied"
	}
	return stem + "ed"
}

func endsInConsonantY(word string) bool {
	n := len(word)
	return n > 1 && word[n-1] == 'y' && !strings.ContainsRune("aeiou", rune(word[n-2]))
}

func hasSuffix(word string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(word, suffix) {
			return true
		}
	}
	return false
}

// wordSet makes a set of words separated by white space.
func wordSet(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(strings.Join(lists, " ")) {
		set[word] = true
	}
	return set
}

// making brings something into being that was not there. Strict accepts only these.
var making = conjugate(`
	create build:built rebuild:rebuilt manifest establish develop design craft compose construct produce generate form
	found make:made write:wrote,written launch grow:grew,grown cultivate shape author originate
	fashion forge assemble code program program+ prototype publish paint draw:drew,drawn sculpt
	film choreograph sew:sewed,sewn knit+ weave:wove,woven carve plant invent devise engineer
	start open institute bring:brought birth materialize materialise actualize actualise`)

// attaining reaches, learns, performs, lives or improves what is wanted.
var attaining = conjugate(`
	achieve attain reach earn gain win+:won acquire obtain complete finish deliver ship+ release record
	perform present exhibit host organise organize run+:ran,run lead:led teach:taught mentor coach train
	learn:learned,learnt master study understand:understood discover explore become:became,become
	live enjoy own buy:bought speak:spoke,spoken play sing:sang,sung dance cook bake brew
	raise expand increase improve strengthen deepen enhance transform enable empower give:gave,given
	share serve offer provide connect gather unite celebrate marry adopt travel travel+ visit move
	save invest secure ensure sell:sold land get+:gotten,got find:found graduate qualify certify
	renovate restore furnish decorate implement integrate deploy install begin+:began,begun
	welcome embody realise realize fulfil+ fulfill accomplish sustain maintain preserve protect
	nurture foster inspire heal balance double triple climb sail swim+:swam,swum hike walk cycle ride:rode,ridden
	read:read weigh pass score rank translate illustrate photograph direct stage curate arrange
	tune restore revive renew refresh modernise modernize upgrade migrate automate simplify
	streamline scale hire recruit sign incorporate fund donate join compete represent
	retire relocate settle feel:felt love flourish thrive express pioneer innovate evolve help support
	see:saw,seen spend:spent meet:met take:took,taken exceed excel+ print frame harvest breed:bred
	turn convert conduct refactor hold:held stay contribute trek position optimise optimize collect combine commission
	coordinate crochet customise customize digitise digitize document elevate embrace embroider extend facilitate fill guide honour
	honor initiate introduce kayak landscape leave:left licence license mix mobilise mobilize negotiate open-source orchestrate
	patent pilot place polish promote reconnect reinvent remodel reconcile row seed shoot:shot showcase ski skate spark standardise standardize
	structure submit supply surf tame tend throw:threw,thrown tour unify unlock unveil upcycle bloom equip+ adapt
	accompany champion crowdfund demonstrate dive freelance immerse outperform pursue reclaim regain rejuvenate
	rewire sketch swap+ tattoo upholster volunteer whittle widen witness
	put+:put break:broke,broken treat kick-start carry experience communicate care bike
	sleep:slept wake:woke,woken eat:ate,eaten fly:flew,flown drive:drove,driven laugh practise practice stitch quilt solder weld mould mold illuminate voice narrate animate edit set+:set`)

// creative is the wide list of the standard level.
var creative = joined(making, attaining)

// living verbs state how things are: "the garden feeds us", "our sales double".
var living = conjugate(`
	work recover bloom reign feed:fed look sound smell taste shine:shone glow trust know:knew,known respond
	convert pay:paid cover keep:kept stay hold:held show:showed,shown fit+ return come:came,come arrive turn
	use employ recommend choose:chose,chosen order talk listen agree collaborate operate
	stock stand:stood flow load sit+:sat wear:wore,worn drink:drank,drunk rise:rose,risen
	send:sent call cooperate contribute benefit belong depend handle process treat respect value
	communicate report attract export lift rest relax breathe
	converse beat:beaten last cost:cost remember appreciate appear charge compile fall:fell,fallen heat
	cool power light:lit attend match extend include contain`)

// stating verbs make a clause of a subject and what is said of it.
var stating = joined(creative, living)

// copulas are the finite forms of be and have.
var copulas = wordSet("is are am has have was were had")
