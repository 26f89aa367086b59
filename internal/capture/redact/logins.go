package redact

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"toolkit/internal/language"
)

// loginLines finds the lines in which somebody may say how to log in.
var loginLines = rule{Keywords: []string{
	"log", "sign", "connect", "anmeld", "melde", "zugang", "sesión", "sesion", "entra", "acced", "accèd", "user", "account", "konto", "benutzer", "compte", "utilisateur", "usuario", "cuenta",
}}

const (
	accountName   = `["'\x60]?(\w[\w.@+-]{1,60})["'\x60]?`
	loginPassword = `["'\x60]?([^\s"'\x60<>{}()\[\]/,;]{4,64})`
)

// loginShape is a way to say the name of an account and its password; sure means that
// it is hardly said of anything else.
type loginShape struct {
	sure    bool
	pattern *regexp.Regexp
}

// loginShapes are the ways to say the name of an account and its password, parted by a
// slash or, behind "login:", by a comma.
var loginShapes = []loginShape{
	{true, regexp.MustCompile(`(?i)(?:^|[^\pL])(?:log(?:ged|ging)?[ -]?(?:in|into|on|onto)|sign(?:ed)?[ -]?in|connect(?:ed)?|authenticate|einloggen|eingeloggt|einlogge|anmelden|angemeldet|anmeldung|melde[ \t]+dich|logge?[ \t]+dich|(?:se[ \t]+)?connecte(?:r|z)?(?:-toi|-vous)?|connexion|inicia[r]?[ \t]+sesi[oó]n|entrar?|acc[eè]d[aeé][rz]?)[^\pL\n][^\n.;/]{0,40}?(?:with|as|using|mit|als|avec|comme|con|como)[ \t]+(?:(?:user|account|benutzer|konto|utilisateur|compte|usuario|cuenta)[ \t]+)?` + accountName + `[ \t]*/[ \t]*` + loginPassword)},
	{true, regexp.MustCompile(`(?i)(?:^|[^\pL])(?:login|account|user|zugang|konto|benutzer|compte|utilisateur|usuario|cuenta)(?:[ \t]*[:=]|[ \t]+(?:is|ist|est|es))[ \t]+` + accountName + `[ \t]*/[ \t]*` + loginPassword)},
	{false, regexp.MustCompile(`(?i)(?:^|[^\pL])(?:login|account|user|zugang|konto|benutzer|compte|utilisateur|usuario|cuenta)[ \t]+` + accountName + `[ \t]*/[ \t]*` + loginPassword)},
	{true, regexp.MustCompile(`(?i)(?:^|[^\pL])(?:login|anmeldung|zugang|identifiants?|credentials):[ \t]+` + accountName + `,[ \t]*` + loginPassword)},
	{true, regexp.MustCompile(`(?i)(?:^|[^\pL])(?:use|try|nimm|benutze|nutze|mit|utilise|usa)[ \t]+` + accountName + `[ \t]*/[ \t]*` + loginPassword + `[ \t]+(?:to[ \t]+(?:log|sign|connect)|(?:zum|pour|para|an|anmelden|einloggen)(?:[^\pL]|$))`)},
}

// besideName is what every shape has, to leave most lines soon.
var besideName = regexp.MustCompile(`[\w"'\x60][ \t]*/[ \t]*["'\x60]?[^\s"'\x60<>{}()\[\]/,;]{4}|: [^\n,]{2,64},`)

// knownAccount is a name that only an account has.
var knownAccount = regexp.MustCompile(`(?i)^(?:admin|administrator|root|sysadmin|superuser|postgres|mysql|sa|oracle|ubuntu|pi|demo|test|tester|guest|gast|[\w.+-]+@[\w-]+\.[\w.-]+)$`)

// technique is how people log in, and with which version of it.
var technique = regexp.MustCompile(`(?i)^(?:o?auth|saml|oidc|openid|ldap|kerberos|tls|ssl|sso|mfa|2fa|u2f|fido|webauthn|passkey|totp|jwt|ntlm|radius|i?pados|ios|macos|android|windows|ipv|https?|sha|uuid|webauthn|node|php|python|java|1password)[a-z]*[-_.]?[0-9.]*$|^[vx][0-9.]+$`)

// findLogins finds passwords behind the name of an account: "login with ann / …".
func findLogins(t *text) (found []span) {
	for _, w := range loginLines.windows(t) {
		if t.stopped() {
			return nil
		}
		line := t.whole[w.start:w.end]
		if !besideName.MatchString(line) {
			continue
		}
		for _, shape := range loginShapes {
			for _, m := range shape.pattern.FindAllStringSubmatchIndex(line, -1) {
				start := w.start + m[4]
				written := line[m[4]:m[5]]
				end := start + len(strings.TrimRight(trimMarks(written)+trailingMarks(written), "."))
				name := line[m[2]:m[3]]
				if (shape.sure || knownAccount.MatchString(name) || looksChosen(written)) && isLoginPassword(name, t.whole[start:end], t.whole[end:]) {
					found = append(found, span{start, end, "password"})
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b span) int { return a.start - b.start })
	return found
}

// isLoginPassword reports whether what stands beside the name of an account is a password:
// it has letters and a digit or a mark, or it is a rare word beside a name that only
// an account has.
func isLoginPassword(name, written, rest string) bool {
	value := trimMarks(written)
	if strings.HasPrefix(value, "[redacted") || open(value) || slices.Contains(words()["states"], strings.ToLower(value)) || knownAccount.MatchString(value) || technique.MatchString(value) || strings.ContainsAny(value, "@:\\") || strings.ContainsAny(value[:min(1, len(value))], "$%~.#") {
		return false
	}
	if strings.EqualFold(strings.TrimRight(name, digits+"."), strings.TrimRight(value, digits+".")) && !knownAccount.MatchString(name) { // two versions
		return false
	}
	letter := strings.ContainsFunc(value, unicode.IsLetter)
	if letter && strings.ContainsAny(written, digits+"!$%&*+?^~=§#") {
		return strings.ContainsAny(value, digits+"!$%&*+?^~=§#") || strings.HasSuffix(written, "!") && knownAccount.MatchString(name)
	}
	word := strings.ToLower(value)
	return knownAccount.MatchString(name) && len(word) >= 6 && isLatin(word) && !strings.ContainsFunc(word, func(c rune) bool { return !unicode.IsLetter(c) }) &&
		endsClause(rest) && language.TermFrequency(language.Stem(word), language.Unknown) == 0
}
