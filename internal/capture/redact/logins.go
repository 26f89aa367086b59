package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
)

// loginLines finds the lines in which somebody may say how to log in.
var loginLines = rule{Keywords: []string{
	"log", "sign", "connect", "anmeld", "melde", "zugang", "sesión", "sesion", "entra", "acced", "accèd", "access", "user", "account", "konto", "benutzer", "compte", "utilisateur", "usuario", "cuenta",
	"cred", "identif", "inicia", "u/p", "id/pw", "usr/", "it's ", "it’s ", "acces", "acess", "utente", "usuário", "gebruik", "dane ", "use ", "using", "try ", "nimm", "nutze", "utilise", "usa ", "логин", "вход", "доступ", "учетн", "учётн", "账号", "账户", "登录", "アカウント", "ログイン",
}}

// loginPair are the name of an account and its password, parted by a slash; spokenPair those behind
// one of withAccount, parted by a word. They are tried only where one may begin: to look for them
// everywhere takes a hundred times as long.
var (
	loginPair  = lazyregexp.New(`^(\w[\w.@+-]{1,60})["'\x60]?[ \t]*/[ \t]*` + pairedPassword)
	spokenPair = lazyregexp.New(`^[ \t]+["'\x60]?(\w[\w.@+-]{1,60})["'\x60]?(?:,|[ \t]+(?:with|and|mit|und|avec|et|con|y|com|e|met|en|z|i|с|и|med|och|og|cu|dan))[ \t]+` + pairedPassword)
)

// withAccount are the ends of words that the name of an account follows.
var withAccount = []string{"as", "als", "comme", "como", "come", "jako", "som", "ca", "with", "mit", "avec", "con", "com", "met", "z", "с"}

const pairedPassword = `["'\x60]?([^\s"'\x60<>{}()\[\]/,;]{4,64})`

// knownAccount is a name that only an account has.
var knownAccount = lazyregexp.New(`(?i)^(?:admin|administrator|root|sysadmin|superuser|postgres|mysql|sa|oracle|ubuntu|pi|demo|test|tester|guest|gast|[\w.+-]+@[\w-]+\.[\w.-]+)$`)

// release is the name of a program with its version.
var release = lazyregexp.New(`^[A-Za-z]+-?[0-9.]+$`)

// findLoginPasswords finds passwords behind the name of an account: "login with ann / …".
func findLoginPasswords(t *text) (found []span) {
	for _, w := range loginLines.findKeywordWindows(t) {
		if t.isStopped() {
			return nil
		}
		inLine, last := false, 0 // whether there was one before
		for _, pair := range t.findSlashPairs(w) {
			start, end := pair.password.start, pair.password.end
			inLine = inLine && !strings.Contains(t.whole[last:start], "\n")
			name, written := t.whole[pair.name.start:pair.name.end], t.whole[start:end]
			end = start + len(strings.TrimRight(trimTrailingMarks(written)+passwordEndMarks(written), "."))
			if !isLoginPassword(name, t.whole[start:end], t.whole[end:]) {
				continue
			}
			chosen := knownAccount().MatchString(name) || looksLikeChosenPassword(written) && !(release().MatchString(name) && release().MatchString(written))
			sure, likely := t.introducesLogin(pair.name.start, end)
			if sure || inLine || likely && chosen {
				found = append(found, span{start, end, "password"})
				inLine, last = true, end
			}
		}
		for _, pair := range t.findSpokenPairs(w) {
			written := t.whole[pair.password.start:pair.password.end]
			sure, _ := t.introducesLogin(pair.name.start, pair.password.end)
			if value := trimTrailingMarks(written); sure && looksLikeMadeUpPassword(written) && isLoginPassword(t.whole[pair.name.start:pair.name.end], value, "") {
				found = append(found, span{pair.password.start, pair.password.start + len(value+passwordEndMarks(written)), "password"})
			}
		}
	}
	return found
}

// accountPair is where the name of an account and its password stand.
type accountPair struct{ name, password span }

// matchAccountPair matches a pattern where it may begin.
func (t *text) matchAccountPair(pattern *regexp.Regexp, at, end int) (pair accountPair, ok bool) {
	m := pattern.FindStringSubmatchIndex(t.whole[at:min(end, at+maxPair)])
	if m == nil {
		return pair, false
	}
	return accountPair{span{start: at + m[2], end: at + m[3]}, span{start: at + m[4], end: at + m[5]}}, true
}

// maxPair bounds the length of a pair in bytes.
const maxPair = 1000

// findSlashPairs returns the pairs with a slash in a part of the text: before each slash stands a name, with a
// blank, a quote, a bracket or a colon in front of it, or nothing.
func (t *text) findSlashPairs(w span) (pairs []accountPair) {
	last := w.start
	for slash := indexFrom(t.whole[:w.end], w.start, "/"); slash >= 0; slash = indexFrom(t.whole[:w.end], slash+1, "/") {
		before := strings.TrimRight(t.whole[last:slash], " \t")
		if before != "" && strings.IndexByte("\"'`", before[len(before)-1]) >= 0 {
			before = before[:len(before)-1]
		}
		start := last + len(before)
		for start > last && (isLetterOrDigitAt(t.whole, start-1) || strings.IndexByte("_.@+-", t.whole[start-1]) >= 0) {
			start--
		}
		if lead, _ := utf8.DecodeLastRuneInString(t.whole[last:start]); start > w.start && (start == last || !strings.ContainsRune(" \t\n\f\r\"'`(„“«:", lead)) {
			continue
		}
		if pair, ok := t.matchAccountPair(loginPair(), start, w.end); ok {
			pairs, last = append(pairs, pair), pair.password.end
			slash = last - 1
		}
	}
	return pairs
}

// findSpokenPairs returns the pairs with a word in a part of the text.
func (t *text) findSpokenPairs(w span) (pairs []accountPair) {
	last := w.start
	for at := w.start + 1; at < w.end; at++ {
		if c := t.whole[at]; c != ' ' && c != '\t' || !slices.ContainsFunc(withAccount, func(word string) bool { return strings.HasSuffix(t.whole[last:at], word) }) {
			continue
		}
		if pair, ok := t.matchAccountPair(spokenPair(), at, w.end); ok {
			pairs, last = append(pairs, pair), pair.password.end
			at = last
		}
	}
	return pairs
}

// introducesLogin tells what the words around a pair say: surely that it is an account with
// its password, or only likely.
func (t *text) introducesLogin(start, end int) (sure, likely bool) {
	before := t.lower[max(0, start-maxReach):start]
	before = before[strings.LastIndexAny(before, ".;\n")+1:]
	around := before + firstLine(t.lower[end:min(len(t.lower), end+maxReach/4)])
	fields := strings.Fields(strings.TrimRight(before, "\"'`(„“« "))
	if len(fields) == 0 {
		return false, false
	}
	last := fields[len(fields)-1]
	named := containsAnyWord(last, words()["logins"]) || containsAnyWord(last, words()["credentials"])
	with := slices.Contains(words()["with"], last) || slices.Contains(words()["it is"], last)
	leads := with || strings.HasSuffix(last, ":") || last == "=" || vocabulary().is[last]
	return containsAnyWord(before, words()["credentials"]) || leads && containsAnyWord(around, words()["logins"]), with || named || slices.Contains(words()["persons"], strings.TrimRight(last, ":"))
}

// isLoginPassword reports whether what stands beside the name of an account is a password:
// it has letters and a digit or a mark, or it is a rare word beside a name that only
// an account has.
func isLoginPassword(name, written, rest string) bool {
	value := trimTrailingMarks(written)
	if strings.HasPrefix(value, "[redacted") || isNonSecretWord(value) || slices.Contains(words()["states"], strings.ToLower(value)) || knownAccount().MatchString(value) || algorithm().MatchString(value) || strings.ContainsAny(value, "@:\\=") || strings.ContainsAny(value[:min(1, len(value))], "$%~.#?") {
		return false
	}
	if strings.EqualFold(strings.TrimRight(name, digits+"."), strings.TrimRight(value, digits+".")) && !knownAccount().MatchString(name) { // two versions
		return false
	}
	if strings.ContainsFunc(value, unicode.IsLetter) && strings.ContainsAny(written, digits+"!$%&*+?^~=§#") {
		return strings.ContainsAny(value, digits+"!$%&*+?^~=§#") || strings.HasSuffix(written, "!") && knownAccount().MatchString(name)
	}
	word := strings.ToLower(value)
	return knownAccount().MatchString(name) && len(word) >= 6 && isLatin(word) && !strings.ContainsFunc(word, func(c rune) bool { return !unicode.IsLetter(c) }) &&
		endsClause(rest) && language.TermFrequency(language.Stem(word), language.Unknown) == 0
}
