package redact

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"toolkit/fixtures"
	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
)

// words are the lists by which passwords are found.
var words = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("redaction") })

// maxPasswordLength bounds the length of a password, in bytes.
const maxPasswordLength = 256

// findNamedSecrets finds what stands behind the name of a password, a pin or a token: a
// password however short and in whatever letters, a token if it looks made by chance.
func findNamedSecrets(t *text) (found []span) {
	last := 0
	for _, name := range t.findSecretNames() {
		if name.start < last || strings.HasSuffix(t.lower[:name.start], PlaceholderPrefix) { // in the one before
			continue
		}
		if t.isStoppedAfterSteps() {
			break
		}
		for _, secret := range t.findSecretValues(name) {
			secret.kind = name.kind
			found = append(found, secret)
			last = secret.end
		}
	}
	return found
}

// findSecretValues finds the value of a name and those that follow it in the line, or those that are listed behind it.
func (t *text) findSecretValues(n secretName) []span {
	found := t.findListedSecrets(n)
	if len(found) > 0 {
		return found
	}
	for secret := t.findSecretValue(n.kind, n.start, n.end); secret.end > 0; secret = t.findSecondSecret(n.kind, secret) {
		found = append(found, secret)
	}
	if len(found) == 0 && n.kind == "password" {
		if secret := t.findStrongPassword(n.end); secret.end > 0 {
			found = append(found, secret)
		}
	}
	return found
}

// maxStrongGap is how many words stand between the name of a password and a value that is one by its looks, and
// minStrongLength how long such a value is, in bytes.
const maxStrongGap, minStrongLength = 10, 8

// findStrongPassword finds behind a name, in its line, a value that looks like nothing but a password, whatever the
// words between say in whatever language; it ends at 0 when there is none.
func (t *text) findStrongPassword(at int) span {
	for range maxStrongGap {
		at = t.skipBlanks(at)
		if at == len(t.whole) || t.whole[at] == '\n' || t.whole[at] == '\r' {
			break
		}
		from, to := scanValue(t.whole, at)
		if looksLikeStrongPassword(t.whole[from:to]) {
			return span{start: from, end: to}
		}
		for at < len(t.whole) && !unicode.IsSpace(rune(t.whole[at])) {
			at++
		}
	}
	return span{}
}

// looksLikeStrongPassword reports whether a value has letters, digits and within them a mark that joins no words.
func looksLikeStrongPassword(written string) bool {
	value := trimTrailingMarks(written)
	mark := strings.IndexAny(value, "!$%&*+?@^~§") // issue#12 is none
	if mark <= 0 || len(value) < minStrongLength || strings.ContainsAny(value, ":;,") || !looksLikeMadeUpPassword(written) {
		return false
	}
	_, host, _ := strings.Cut(value, "@")
	return strings.ContainsAny(value, digits) && !strings.Contains(host, ".")
}

// findSecretValue finds the value of a name; it ends at 0 when there is none.
func (t *text) findSecretValue(kind string, start, end int) span {
	if from, to := t.findDeclaredValue(start, end); t.isDeclaredSecret(kind, from, to) {
		return span{start: from, end: to}
	}
	at, how := t.findConnectedValue(start, end)
	if how == connectNone {
		return span{}
	}
	if start > 0 && strings.IndexByte(",;\t", t.lower[start-1]) >= 0 && strings.Contains(t.lower[end:at], "\n") { // the head of a table
		return span{}
	}
	from, to := scanValue(t.whole, at)
	if t.isLabel(from, to) {
		return span{}
	}
	if from < to && (t.isSecretValue(kind, how, start, from, to) || kind == "password" && how == connectIs && t.isReplacedPassword(from, to)) {
		return span{start: from, end: to}
	}
	if kind == "password" && (how == connectIs || how == connectAdjacent) || (kind == "pin" || kind == keyKind) && how >= connectIs {
		return t.findSecondSecret(kind, span{start: at, end: at})
	}
	return span{}
}

// isSecretValue judges what stands behind a name by how it is connected to that.
func (t *text) isSecretValue(kind string, how connection, name, start, end int) bool {
	written := t.whole[start:end]
	value := trimTrailingMarks(written)
	switch kind {
	case "pin":
		n := len(value)
		return (how >= connectIs && 3 <= n || 4 <= n && t.isAtClauseEnd(start+n)) && n <= 8 && strings.Trim(value, digits) == ""
	case keyKind:
		return t.isAccessCode(how, name, start, end)
	case "token":
		return looksRandom(value) && !algorithm().MatchString(value) || how == connectAssigned && len(value) >= minTokenLength && looksLikeChosenPassword(written)
	}
	switch {
	case strings.HasPrefix(t.lower[name:], "pwd") && strings.HasPrefix(written, "/"), // the folder
		t.isShortSecretName(name) && strings.Trim(value, digits) == "", // a width
		strings.Contains(t.whole[name:start], "     ") && columnConstant().MatchString(value):
		return false
	case t.isShortSecretName(name) && strings.HasPrefix(t.lower[name:], "pass"): // which is a verb, too
		ofVariable := how == connectAssigned && name > 0 && t.lower[name-1] == '_' && strings.ContainsAny(written, digits) && isPlausibleSecret(t.whole, start, end, false)
		return ofVariable || how > connectAdjacent && t.whole[name:name+4] != "PASS" && (looksLikeChosenPassword(written) || looksLikeMadeUpPassword(written))
	case how >= connectIs:
		return isPlausibleSecret(t.whole, start, end, how == connectIs) || how == connectIs && t.isRareLastWord(start, end)
	case how == connectLoose:
		return looksLikeChosenPassword(written) || looksLikeMadeUpPassword(written)
	case doorCode().MatchString(value) && t.isAccessCode(how, name, start, end):
		return true
	}
	return t.isShortSecretName(name) && looksLikeChosenPassword(written) || t.looksLikeApposedPassword(start, end) || t.isLatinValueOfForeignName(name, value) || t.isPasswordInList(name, start, end) || looksLikeMadeUpPassword(written) && t.isPasswordEntered(name) || t.isPasswordNote(name, start, end)
}

// isReplacedPassword reports whether a value is one from which a password is changed "to" another.
func (t *text) isReplacedPassword(start, end int) bool {
	word, after := t.readWord(t.skipBlanks(end))
	from, to := scanValue(t.whole, t.skipBlanks(after))
	value := trimTrailingMarks(t.whole[start:end])
	return vocabulary().tos[word] && looksLikeMadeUpPassword(t.whole[from:to]) && len(value) >= 4 && !isNonSecretWord(value) && !slices.Contains(words()["states"], strings.ToLower(value))
}

// columnConstant is what stands behind a name in a column of settings and is no secret.
var columnConstant = lazyregexp.New(`(?i)^(?:0x[0-9a-f]+|[0-9.,]+|.*passw.*|[/.].*|iota|files|compat|systemd)$`)

// isPasswordInList reports whether a value with a digit follows a name in a list, behind an account or a network.
func (t *text) isPasswordInList(name, start, end int) bool {
	value, before := trimTrailingMarks(t.whole[start:end]), t.lower[t.lineAround(name).start:name]
	likely := len(value) >= 6 && strings.ContainsAny(value, digits) && !algorithm().MatchString(value) && isPlausibleSecret(t.whole, start, end, false)
	return likely && strings.HasSuffix(before, ", ") && !strings.HasSuffix(t.lower[:start], ", ") && (containsAnyWord(before, words()["persons"]) || containsAnyWord(before, vocabulary().nearKey))
}

// isRareLastWord reports whether the last word of a sentence is none that is said of passwords.
func (t *text) isRareLastWord(start, end int) bool {
	word := strings.ToLower(trimTrailingMarks(t.whole[start:end]))
	if len(word) < 6 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyzäöüßéèáíóúñç") != "" || !endsClause(t.whole[end:]) || isNonSecretWord(word) || language.TermFrequency(language.Stem(word), language.Unknown) > 0 {
		return false
	}
	return !slices.ContainsFunc(words()["endings"], func(ending string) bool { return strings.HasSuffix(word, ending) })
}

// isShortSecretName reports whether a name is one that is a word of its own.
func (t *text) isShortSecretName(name int) bool {
	return slices.ContainsFunc(words()["short"], func(w string) bool {
		return strings.HasPrefix(t.lower[name:], w) && !isLetterOrDigitAt(t.lower, name+len(w))
	})
}

func isNonSecretWord(value string) bool {
	return slices.Contains(words()["open"], strings.ToLower(value))
}

// scanValue returns what stands at a place: up to the closing quote, else up to a blank.
func scanValue(text string, at int) (start, end int) {
	rest := text[at:min(len(text), at+maxPasswordLength)]
	if quoted, triple := strings.CutPrefix(rest, `"""`); triple {
		at, rest = at+3, quoted
		if n := strings.Index(quoted, `"""`); n >= 0 {
			return at, at + n
		}
	}
	for _, q := range []string{`\"`, `\'`, `"`, `'`, "`", "„", "“", "«", "「"} {
		if !strings.HasPrefix(rest, q) {
			continue
		}
		if strings.HasPrefix(rest[len(q):], " ") { // it closes what stands before
			return at, at
		}
		closing := cmp.Or(map[string]string{"„": "“", "“": "”", "«": "»", "「": "」"}[q], q)
		if n := strings.Index(rest[len(q):], closing); n >= 0 && !strings.Contains(rest[len(q):len(q)+n], "\n") {
			return at + len(q), at + len(q) + n
		}
		at, rest = at+len(q), rest[len(q):]
	}
	n, ascii := 0, true
	for n < len(rest) && (rest[n] > ' ' && rest[n] < utf8.RuneSelf || !isValueEnd(rest[n:], ascii && n > 0)) {
		ascii = ascii && rest[n] < utf8.RuneSelf
		n++
	}
	return at, at + len(trimTrailingMarks(rest[:n])) + len(passwordEndMarks(rest[:n]))
}

// isValueEnd reports whether a blank, or a mark that is none of ASCII, stands at a place, or where
// a value of ASCII ends, a sentence of Chinese or Japanese goes on.
func isValueEnd(text string, ascii bool) bool {
	c, _ := utf8.DecodeRuneInString(text)
	return unicode.IsSpace(c) || strings.ContainsRune("，。、；）」", c) || ascii && unicode.In(c, unicode.Han, unicode.Hiragana)
}

// trimTrailingMarks returns a value without the marks behind it.
func trimTrailingMarks(value string) string { return strings.TrimRight(value, ",;.!?)]}\"'`") }

// passwordEndMarks is what of the marks behind a value may be part of it: a password may end in one. A
// comma goes with the sentence, a quote or a bracket with the one that opened it elsewhere.
func passwordEndMarks(value string) string {
	marks := value[len(trimTrailingMarks(value)):]
	for i, c := range marks {
		opening := map[rune]string{')': "(", ']': "[", '}': "{"}[c]
		if strings.ContainsRune("\"'`", c) || opening != "" && !strings.Contains(value, opening) {
			marks = marks[:i]
			break
		}
	}
	return strings.TrimRight(marks, ",;")
}

// looksLikeChosenPassword reports whether a value looks like a password that somebody made up, and not
// like a word, a version, a date, a size or an identifier.
func looksLikeChosenPassword(written string) bool {
	value := trimTrailingMarks(written)
	if n := utf8.RuneCountInString(value); n < 6 || n > 64 || strings.ContainsAny(value[:1], "$<{%/~[(.@") || strings.ContainsAny(value, "/\\()<>{}") || isCodeExpression(value) || commonValue().MatchString(value) || isNonSecretWord(value) {
		return false
	}
	letter, digit := strings.ContainsFunc(value, unicode.IsLetter), strings.ContainsAny(value, digits)
	return letter && (digit || strings.ContainsAny(value, "!$%&*+?@^~=§#"))
}

// commonValue are dates, versions, sizes, and names with a number.
var commonValue = lazyregexp.New(`(?i)^(?:v?[0-9]+(?:[.:x-][0-9a-z]+)*|[0-9]+[-]?[a-z]+|[a-z]{1,6}[-_]?[0-9]{1,5}|(?:[a-z]+[-_.:@])+[a-z]*[0-9]{0,4}|(?:[0-9a-z]+[-_.:])*[a-z]{1,12}[-_.:][0-9.]+|[a-z]{1,5}[0-9]{1,3}[a-z]{1,2}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9]{1,3}%)$`)

// looksLikeMadeUpPassword reports whether a value that no sign connects to the name of a password looks like one:
// it is chosen, or a name with a number, and nothing technical.
func looksLikeMadeUpPassword(written string) bool {
	value := trimTrailingMarks(written)
	if algorithm().MatchString(value) || strings.ContainsAny(value, "=*:|") || strings.HasPrefix(value, "-") || strings.Trim(value, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_-."+digits) == "" || !strings.ContainsAny(value, digits) && !nameWithNumber().MatchString(value) {
		return false
	}
	return looksLikeChosenPassword(written) || len(value) >= 8 && nameWithNumber().MatchString(value) && strings.ContainsFunc(value, unicode.IsUpper)
}

// algorithm is the name of one, of a product, of a version or of a part of a form, with its number.
var algorithm = lazyregexp.New(`(?i)^(?:o?auth|saml|oidc|openid|tls|ssl|ldap|kerberos|sso|mfa|radius|webauthn|uuid|u2f|fido|jwt|ntlm(?:v|hash)?|ios|i?pados|macos|android|windows|win|usb|ipv|https?|ssha|sha|md|aes|rsa|ed|des|wpa|wep|secp|pbkdf|argon|bcrypt|scrypt|base|utf|hmac|mysql|postgres(?:ql)?|office|debian|ubuntu|keepass|1password|yubikey|python|node|php|java|cve|rfc|iso|part|page|step|version|user|account|field|form|test|example|option|line|column|room|zimmer)[-_. ]?[0-9][0-9.]*[a-z]*[0-9]?(?:[-_]\w+)*$|^[vx][0-9.]+(?:alpha|beta|rc)?[0-9]*$|^[0-9]+(?:-[a-z]+|ms|s|h|min|px|st|nd|th|[kmgt]b?)$`)

// nameWithNumber is a name that ends with a number, or two words that a mark joins which no text has there.
var nameWithNumber = lazyregexp.New(`^(?:(?:\p{Lu}\pL{3,}|\pL{4,}[-_]\pL+)(?:[-_.]\pL+)*[-_.]?[0-9]{1,6}|\pL{3,}[!$%^~§]\pL{3,})$`)

// Bounds of a token: nobody calls words of a sentence, names, dates and versions one.
const (
	minTokenLength      = 8  // characters
	minRandomPartLength = 8  // characters of a part that looks random
	minClassChanges     = 3  // between letters and digits in it
	minMixedCaseLetters = 16 // of a part without digits, in which the case changes at every third at least
)

var inGroups = lazyregexp.New(`^[A-Z0-9]{4,8}(-[A-Z0-9]{4,8}){2,}$`)

// looksRandom reports whether a value looks made by chance, as a token does.
func looksRandom(value string) bool {
	if len(value) < minTokenLength || strings.ContainsAny(value[:1], "$<{%/~[") || strings.Contains(value, "://") {
		return false
	}
	if len(value) < 80 && inGroups().MatchString(value) && strings.ContainsAny(value, digits) {
		return true
	}
	return strings.ContainsFunc(value, func(c rune) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' }) && slices.ContainsFunc(strings.FieldsFunc(value, func(c rune) bool { return !isLetterOrDigitAt(string(c), 0) }), func(part string) bool {
		digits, cases := 0, 0 // changes between letters and digits, and between large and small
		for i := 1; i < len(part); i++ {
			if (part[i] <= '9') != (part[i-1] <= '9') {
				digits++
			} else if (part[i] >= 'a') != (part[i-1] >= 'a') {
				cases++
			}
		}
		return len(part) >= minRandomPartLength && digits >= minClassChanges || len(part) >= minMixedCaseLetters && 3*cases >= len(part)
	})
}

const digits = "0123456789"

// isPlausibleSecret reports whether a value may be a password and no word of the sentence,
// type, variable or placeholder.
func isPlausibleSecret(text string, start, end int, afterIs bool) bool {
	value := trimTrailingMarks(text[start:end])
	if value == "" || value == "{" || strings.HasPrefix(value, "value=") { // where its value is declared
		return false
	}
	quoted := start > 0 && strings.ContainsAny(text[start-1:start], "\"'`") || strings.HasPrefix(text[end:], "“") || strings.HasPrefix(text[end:], "”") || strings.HasPrefix(text[end:], "»") || strings.HasPrefix(text[end:], "」")
	switch {
	case isNonSecretWord(value), strings.HasPrefix(value, "[redacted"), strings.Trim(value, "*•.xX-_") == "":
		return false
	case strings.HasPrefix(value, "$("), strings.HasPrefix(value, "${"), strings.ContainsAny(value[:1], "$<{%") && len(value) > 1 && (value[0] != '$' || isVariableName(value[1:])), strings.HasPrefix(value, "//"):
		return false
	}
	mixed := strings.ContainsFunc(value, func(c rune) bool {
		return unicode.IsDigit(c) || unicode.IsSymbol(c) || unicode.IsPunct(c) && c != '.' && c != '\'' && c != '-' && c != '(' && c != '_'
	})
	switch {
	case quoted:
		return !strings.Contains(value, " ") || mixed || !afterIs || isPassphrase(value)
	case isCodeExpression(value) && !nameWithNumber().MatchString(value) && !(afterIs && strings.ContainsAny(value, digits) && !strings.Contains(value, "://")):
		return false
	case afterIs && len(value) < 4 && strings.Trim(value, digits) == "": // "12 characters long"
		return endsClause(text[end:])
	case mixed:
		return true
	case afterIs: // the next word of a sentence
		return !isLatin(value) && utf8.RuneCountInString(value) >= 4 && strings.TrimSpace(firstLine(text[end:])) == ""
	}
	return endsClause(text[end:])
}

// isPassphrase reports whether words in quotes are the secret, and not what a program says of one.
func isPassphrase(value string) bool {
	parts := strings.Fields(value)
	return len(parts) >= 4 && unicode.IsLower([]rune(value)[0]) && !strings.ContainsAny(value, ".,:!?") && !slices.ContainsFunc(parts, func(word string) bool {
		word = strings.ToLower(word)
		return len(word) > 3 && isNonSecretWord(word) || word == "not" || slices.Contains(words()["states"], word)
	})
}

// isVariableName reports whether a text is a name, as behind a $.
func isVariableName(name string) bool {
	name = strings.TrimSuffix(strings.TrimPrefix(name, "{"), "}")
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_") == ""
}

var code = lazyregexp.New(`^[A-Za-z_][\w.]*[(\[]|^[A-Za-z_]\w*(\.[A-Za-z_]\w*)+$|^[a-z]+([A-Z][a-z]+)+$|^[a-z]+(_[a-z]+)+$|^https?:|^&|^\*[A-Za-z]|^[\w:-]+=["'{]|^\w+:[x*!]:[0-9]`)

// isCodeExpression reports whether a value is code that computes one.
func isCodeExpression(value string) bool { return code().MatchString(value) }

func isLatin(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c) })
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// nextSetting is how what follows a value begins where values have names.
var nextSetting = lazyregexp.New(`^[ \t]+\w{2,20}=`)

// endsClause reports whether nothing that reads as a sentence follows in the line.
func endsClause(rest string) bool {
	rest = strings.TrimLeft(firstLine(rest[:min(len(rest), maxNameGap)]), "\"'`")
	return nextSetting().MatchString(rest) || strings.TrimSpace(rest) == "" || strings.IndexAny(rest[:min(len(rest), 3)], ",;.!?)]}&，。、；）」』") == 0
}
