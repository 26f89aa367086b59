package redact

import (
	"cmp"
	"errors"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"toolkit/fixtures"
	"toolkit/internal/lazyregexp"
)

// rule is one of gitleaks or of ours: a pattern that is looked for where one of its keywords
// stands, and reasons why what it finds is no secret after all.
type rule struct {
	ID        string
	Regex     string
	Keywords  []string
	Entropy   float64      // of the secret, at least
	Group     int          `toml:"secretGroup"`
	Allow     []*allowlist `toml:"allowlists"`
	Path      string       // of files, of which a text is none
	NextLines int          // ours: how many lines after the one with the keyword the pattern takes in
	MinValue  int          // ours: look where a value of so many bytes stands, a keyword before it if there are any

	pattern func() *regexp.Regexp
}

// allowlist are reasons to leave something in.
type allowlist struct {
	Target    string   `toml:"regexTarget"`
	Condition string   // AND: all of its parts
	Paths     []string // never given here
	Regexes   []string
	Stopwords []string

	patterns func() []*regexp.Regexp
}

type ruleFile struct {
	Allow *allowlist `toml:"allowlist"`
	Rules []*rule    `toml:"rules"`
}

// lead is how patterns begin that take in the name a secret is given. Only the
// secret goes, and without it they are ten times as fast.
const lead = `[\w.-]{0,50}?`

// asTalkedOf makes patterns that are for programs find the same in a sentence, a link or a
// table: behind a secret stands whatever cannot be a part of it, and likewise before it.
var asTalkedOf = strings.NewReplacer(lead, "", end, endInTalk, `(?:$|[\\'"\x60\s<),])`, endInTalk, `(?:\s|\z)`, endInTalk, `(?:[^a-zA-Z0-9+/]|\z)`, endInTalk, `(?:\B|\s|\z)`, ``,
	`(?:^|[\\'"\x60\s>=:(,)])`, `(?:^|[^\w~.-])`, operator, operatorInTalk)

const (
	end       = `(?:[\x60'"\s;]|\\[nr]|$)`
	endInTalk = `(?:[^\w=+-]|$)`

	operator       = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,)`
	operatorInTalk = `(?:=|>|:{1,3}=|\|\||:|=>|\?=|,|(?:key|token|secret)[ \t]+(?:(?:is|was|ist|est|es)[ \t])?)`
)

// rules are read when the first text is looked at, and a pattern when one of its
// keywords is met.
var rules = sync.OnceValue(func() *ruleFile {
	f, more := &ruleFile{}, &ruleFile{}
	if err := errors.Join(toml.Unmarshal(fixtures.SecretRules, f), toml.Unmarshal(fixtures.OwnSecretRules, more)); err != nil {
		panic(err) // the files are compiled in
	}
	f.Rules = append(f.Rules, more.Rules...)
	f.Allow.preparePatternsAndStopwords()
	for _, r := range f.Rules {
		if r.ID == anyService {
			r.MinValue = minValueLength
		}
		r.pattern = sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(asTalkedOf.Replace(r.Regex))
		})
		for _, a := range r.Allow {
			a.preparePatternsAndStopwords()
		}
	}
	return f
})

func (p *allowlist) preparePatternsAndStopwords() {
	stopwords := make([]string, len(p.Stopwords))
	for i, stopword := range p.Stopwords {
		stopwords[i] = strings.ToLower(stopword)
	}
	p.Stopwords = stopwords
	p.patterns = sync.OnceValue(func() []*regexp.Regexp {
		regexps := make([]*regexp.Regexp, len(p.Regexes))
		for i, regexe := range p.Regexes {
			regexps[i] = regexp.MustCompile(regexe)
		}
		return regexps
	})
}

// What a rule looks at of a long line: this much around a keyword, in steps.
const (
	windowBefore = 256
	windowAfter  = 4096
	windowStep   = 2048
	// maxWindow bounds parts of a text that go on from one keyword to the next, so that
	// each takes some milliseconds.
	maxWindow = 8 << 10
)

// keywordTable are the keywords of all rules by their first two bytes.
type keywordTable struct {
	begins [1 << 16]bool // whether one begins with two bytes: most places of a text are done with by this
	words  map[uint16][]string
}

var keywords = sync.OnceValue(func() *keywordTable {
	table := &keywordTable{words: map[uint16][]string{}}
	for _, r := range slices.Concat(rules().Rules, []*rule{&loginLines}) {
		for _, k := range r.Keywords {
			begin := firstTwoBytes(k, 0)
			table.begins[begin] = true
			if !slices.Contains(table.words[begin], k) {
				table.words[begin] = append(table.words[begin], k)
			}
		}
	}
	return table
})

// firstTwoBytes are the two bytes at a place.
func firstTwoBytes(text string, at int) uint16 { return uint16(text[at])<<8 | uint16(text[at+1]) }

// findKeywords finds where the keywords stand in a text, each in order. They are sought once, all in
// one pass: to look for each in turn took most of the time.
func (t *text) findKeywords() map[string][]int {
	if t.keywords != nil {
		return t.keywords
	}
	table := keywords()
	t.keywords = map[string][]int{}
	for at := 0; at+1 < len(t.lower) && !t.isStoppedAfterSteps(); at++ {
		begin := firstTwoBytes(t.lower, at)
		if !table.begins[begin] {
			continue
		}
		for _, k := range table.words[begin] {
			if strings.HasPrefix(t.lower[at:], k) {
				t.keywords[k] = append(t.keywords[k], at)
			}
		}
	}
	return t.keywords
}

// findSecretsByRules finds what a rule of fixtures describes: keys and tokens of known services, recovery
// codes, numbers of passports, hashes of passwords.
func findSecretsByRules(t *text) []span {
	var found []span
	for _, r := range rules().Rules {
		if t.isStopped() {
			return nil
		}
		if r.Regex == "" || r.Path != "" || r.ID == "private-key" {
			continue
		}
		windows := r.findKeywordWindows
		if r.MinValue > 0 {
			windows = r.findValueWindows
		}
		for _, w := range windows(t) {
			if t.isStopped() {
				return nil
			}
			found = append(found, r.findMatches(t.whole[w.start:w.end], w.start)...)
		}
	}
	return append(found, t.findSecretsNearKnown(found)...)
}

// partner is a value long and mixed enough to be the secret that belongs to the number of a key.
var partner = lazyregexp.New(`[A-Za-z0-9/+_-]{32,128}`)

// findSecretsNearKnown finds what stands in one line with a known secret and looks made by chance too: a key
// often comes in two parts, of which only the first has a mark by which it is known.
func (t *text) findSecretsNearKnown(known []span) (found []span) {
	for _, k := range known {
		line := t.lineAround(k.start)
		line.start, line.end = max(line.start, k.start-maxReach), min(line.end, k.end+maxReach)
		for _, place := range partner().FindAllStringIndex(t.whole[line.start:line.end], -1) {
			s := span{line.start + place[0], line.start + place[1], k.kind}
			if apart := s.end <= k.start || s.start >= k.end; apart && looksRandom(t.whole[s.start:s.end]) && !strings.Contains(t.whole[s.start:s.end], "--") {
				found = append(found, s)
			}
		}
	}
	return found
}

// findKeywordWindows returns the lines in which a keyword stands, or parts of them, apart from
// each other but in what is too long for one.
func (r *rule) findKeywordWindows(t *text) (apart []span) {
	var all []span
	places := t.findKeywords()
	for _, keyword := range r.Keywords {
		at := 0
		for _, hit := range places[keyword] {
			if t.isStoppedAfterSteps() {
				break
			}
			if hit < at { // in the window before
				continue
			}
			w := span{start: max(hit-windowBefore, 0), end: min(len(t.whole), hit+windowAfter)}
			w.start += strings.LastIndexByte(t.whole[w.start:hit], '\n') + 1
			at = hit + windowStep
			if n := strings.IndexByte(t.whole[hit:w.end], '\n'); n >= 0 {
				at = hit + n
				w.end = r.windowEnd(t.whole[:w.end], at)
			}
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	for _, w := range all {
		apart = mergeOrAppendWindow(apart, w)
	}
	return apart
}

// mergeOrAppendWindow adds a window to those before it, or makes the last one longer.
func mergeOrAppendWindow(apart []span, w span) []span {
	if n := len(apart) - 1; n >= 0 && w.start <= apart[n].end && w.end-apart[n].start <= maxWindow {
		apart[n].end = max(apart[n].end, w.end)
		return apart
	}
	return append(apart, w)
}

// anyService is the rule for what is called a key, whatever it looks like: its names are
// so common that it looks at what may be a value instead, which its own exceptions say.
const (
	anyService     = "generic-api-key"
	minValueLength = 10 // bytes
	beforeValue    = 64 // how far in front of a value its name may stand
)

// findValueWindows returns the parts of a text in which one of the names and a value stand.
func (r *rule) findValueWindows(t *text) (apart []span) {
	first, telling := 0, false
	for at := 0; at <= len(t.lower) && !t.isStoppedAfterSteps(); at++ {
		if at < len(t.lower) && (isLetterOrDigitAt(t.lower, at) || strings.IndexByte("_.=+/-", t.lower[at]) >= 0) {
			telling = telling || t.lower[at] <= '9' && t.lower[at] != '.' && t.lower[at] != '-'
			continue
		}
		if at-first >= r.MinValue && telling {
			w := span{start: max(0, first-beforeValue), end: min(len(t.lower), at+utf8.UTFMax)}
			if len(r.Keywords) == 0 || slices.ContainsFunc(r.Keywords, func(k string) bool { return strings.Contains(t.lower[w.start:w.end], k) }) {
				apart = mergeOrAppendWindow(apart, w)
			}
		}
		first, telling = at+1, false
	}
	return apart
}

// windowEnd is where what a rule looks at ends: a line, or some after it.
func (r *rule) windowEnd(text string, line int) int {
	for range r.NextLines {
		next := strings.IndexByte(text[min(len(text), line+1):], '\n')
		if next < 0 {
			return len(text)
		}
		line += 1 + next
	}
	return line
}

func (r *rule) findMatches(line string, offset int) (found []span) {
	for _, m := range r.pattern().FindAllStringSubmatchIndex(line, -1) {
		from, to := r.secretGroup(m)
		if from < 0 || from == to || strings.HasPrefix(line[from:], PlaceholderPrefix) || strings.HasSuffix(line[:from], PlaceholderPrefix) || shannonEntropy(line[from:to]) < r.Entropy || r.isIdentifier(line[from:to]) || r.isAllowed(line, m, line[from:to]) {
			continue
		}
		found = append(found, span{offset + from, offset + to, r.ID})
	}
	return found
}

// isIdentifier reports whether what a rule without a form of its own finds is a name in a program,
// such as NewEncapsulationKey768.
func (r *rule) isIdentifier(secret string) bool {
	return (r.ID == anyService || r.ID == "vault-service-token") && identifier().MatchString(secret) && !looksRandom(secret)
}

var identifier = lazyregexp.New(`^(?:\w+\.)?[A-Za-z]+[0-9]{0,4}[A-Za-z]*$`)

// secretGroup is the part of a match that is secret: the group named, else the first
// one that took part, else all.
func (r *rule) secretGroup(m []int) (from, to int) {
	if r.Group > 0 {
		return m[2*r.Group], m[2*r.Group+1]
	}
	for g := 2; g < len(m); g += 2 {
		if m[g] >= 0 && m[g] < m[g+1] {
			return m[g], m[g+1]
		}
	}
	return m[0], m[1]
}

func (r *rule) isAllowed(line string, m []int, secret string) bool {
	general := *rules().Allow
	if r.ID != anyService {
		general.Stopwords = nil // a token by its form is one, though somebody typed the alphabet into it
	}
	if general.isMatchAllowed(line, line[m[0]:m[1]], secret) {
		return true
	}
	for _, a := range r.Allow {
		if a.isMatchAllowed(line, line[m[0]:m[1]], secret) {
			return true
		}
	}
	return false
}

func (p *allowlist) isMatchAllowed(line, match, secret string) bool {
	target := secret
	switch p.Target {
	case "match":
		target = match
	case "line":
		target = line
	}
	matched := slices.ContainsFunc(p.patterns(), func(pattern *regexp.Regexp) bool { return pattern.MatchString(target) })
	if matched && p.Condition != "AND" {
		return true
	}
	lower := strings.ToLower(secret)
	stopped := slices.ContainsFunc(p.Stopwords, func(word string) bool { return strings.Contains(lower, word) })
	if p.Condition == "AND" {
		return (len(p.Regexes) == 0 || matched) && (len(p.Stopwords) == 0 || stopped) && len(p.Paths) == 0
	}
	return matched || stopped
}

// shannonEntropy is Shannon's, in bits a character.
func shannonEntropy(text string) float64 {
	counts := map[rune]float64{}
	n := 0.0
	for _, c := range text {
		counts[c]++
		n++
	}
	sum := 0.0
	for _, k := range counts {
		sum -= k / n * math.Log2(k/n)
	}
	return sum
}
