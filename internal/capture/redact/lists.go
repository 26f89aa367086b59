package redact

import (
	"slices"
	"strings"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
)

const (
	// maxLabelWords is how many words say what a listed secret is for.
	maxLabelWords = 3
	// maxListed is how many secrets a list is read for.
	maxListed = 50
)

// listSeparator is what stands between the entries of a list, in one line or in several.
var listSeparator = lazyregexp.New(`^[,;]?[ \t]*(?:\r?\n[ \t]*)?(?:(?:[-*•]|&)[ \t]+)?`)

// findListedSecrets finds the secrets that stand behind labels where the value of a name would: "Passwords:
// grafana: …, sentry: …". What a label says must look like a secret by itself.
func (t *text) findListedSecrets(n secretName) (found []span) {
	at, how := t.findConnectedValue(n.start, n.end)
	if n.kind != "password" && n.kind != "pin" || how < connectIs && !strings.Contains(t.lower[n.end:max(n.end, at)], ":\n") {
		return nil
	}
	if from, to := scanValue(t.whole, at); from < to && t.whole[to-1] != ':' && t.isSecretValue(n.kind, how, n.start, from, to) {
		return nil // the value itself
	}
	for range maxListed {
		entry := t.readListEntry(n, at)
		if entry.next == 0 {
			break
		}
		if entry.isSecret {
			found = append(found, entry.value)
		}
		at = entry.next
	}
	return found
}

// listEntry is a value in a list, and where the next entry begins: 0 where there is no entry.
type listEntry struct {
	value    span
	isSecret bool
	next     int
}

// readListEntry reads the entry of a list that begins at a place. Each name in a list reads what follows it: what one
// of a password read is kept for the others.
func (t *text) readListEntry(n secretName, at int) listEntry {
	entry, known := t.listed[at]
	if known && n.kind == "password" {
		return entry
	}
	entry = listEntry{}
	label := at + len(listSeparator().FindString(t.whole[at:min(len(t.whole), at+maxNameGap)]))
	if from, to := t.findLabelledValue(label); to > 0 {
		entry = listEntry{value: span{start: from, end: to}, isSecret: t.isListedSecret(n, from, to), next: to}
		if !entry.isSecret {
			line := firstLine(t.whole[from:min(len(t.whole), from+maxReach)])
			if next := strings.IndexAny(line, ",;"); next >= 0 {
				line = line[:next]
			}
			entry.next = from + len(line)
		}
	}
	if n.kind == "password" {
		t.listed[at] = entry
	}
	return entry
}

// findLabelledValue finds what stands behind the label that begins at a place; it ends at 0 when there is none. Without
// a sign only what looks made up is a value, and only behind what nobody says of passwords.
func (t *text) findLabelledValue(at int) (start, end int) {
	isName := true
	for range maxLabelWords {
		word, after := t.readWord(at)
		if word == "" || strings.HasPrefix(t.lower[at:], PlaceholderPrefix) {
			return 0, 0
		}
		isName = isName && isLabelWord(word)
		if aside := t.skipParenthesis(after); aside > 0 && t.lower[t.skipBlanks(after)] == '(' {
			after = aside
		}
		if value, how := t.findValueAfterSign(after); how > connectLoose {
			return scanValue(t.whole, value)
		}
		if at = t.skipBlanks(after); at == after {
			return 0, 0
		}
		start, end = scanValue(t.whole, at)
		if isName && start < end && t.looksLikeApposedPassword(start, end) {
			return start, end
		}
	}
	return 0, 0
}

// isLabelWord reports whether a word says what a password is for: it names an account or a thing, or is one that no
// sentence about passwords has.
func isLabelWord(word string) bool {
	known := vocabulary()
	return known.accounts[word] || slices.Contains(words()["persons"], word) || slices.Contains(words()["things"], word) || containsAnyWord(word, known.nearKey) || containsAnyWord(word, known.nearCode) ||
		!isNonSecretWord(word) && language.TermFrequency(language.Stem(word), language.Unknown) == 0
}

// isListedSecret judges what stands behind the label of a listed secret.
func (t *text) isListedSecret(n secretName, start, end int) bool {
	written := t.whole[start:end]
	value := trimTrailingMarks(written)
	if n.kind != "password" {
		return t.isSecretValue(n.kind, connectIs, n.start, start, end)
	}
	if value == "" || algorithm().MatchString(value) || slices.Contains(words()["states"], strings.ToLower(value)) || !isPlausibleSecret(t.whole, start, end, false) {
		return false
	}
	return looksLikeChosenPassword(written) || looksLikeMadeUpPassword(written) || t.isRareLastWord(start, end)
}

// isLabel reports whether what stands where a secret would is the label of what follows in the line: the name of a
// secret, or a common word with a colon behind it.
func (t *text) isLabel(start, end int) bool {
	written := strings.TrimSuffix(t.lower[start:end], ":")
	rest := strings.TrimSpace(firstLine(t.whole[end:min(len(t.whole), end+maxReach)]))
	if len(written) == end-start || rest == "" {
		return false
	}
	if strings.HasPrefix(rest, PlaceholderPrefix) {
		return true
	}
	if slices.ContainsFunc(t.names, func(n secretName) bool { return start <= n.start && n.end == end-1 }) {
		return true
	}
	return !looksLikeChosenPassword(written) && language.TermFrequency(language.Stem(written), language.Unknown) > 0
}
