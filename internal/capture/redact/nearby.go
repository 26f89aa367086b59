package redact

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

// maxReach is how far behind a secret or its name, in bytes, another is looked for in the line.
const maxReach = 120

// maxArticle is how long a word is at most, in bytes, that stands between what introduces a secret and it:
// "for us", "para el".
const maxArticle = 3

// findSecondSecret finds a second secret that the line tells behind the first: "the old password was … and
// the new one is …". Where the first is empty it was only told of, and comes behind a comma.
func (t *text) findSecondSecret(kind string, first span) span {
	line := firstLine(t.lower[first.end:min(len(t.lower), first.end+maxReach)])
	known, before := vocabulary(), t.whole[first.start:first.end]
	introduced, paused := false, false
	for at := 0; at < len(line) && (before != "" || !strings.HasPrefix(line[at:], ". ")); {
		word, end := t.readWord(first.end + at)
		if word == "" {
			introduced = introduced || line[at] == ':' || line[at] == '=' || strings.HasPrefix(line[at:], "'s ")
			paused = line[at] == ',' && kind == "password" || paused && line[at] == ' '
			at++
			continue
		}
		from, to := scanValue(t.whole, first.end+at)
		told := paused && (t.looksLikeApposedPassword(from, to) || kind != "password" && isSecondSecret(kind, true, "0000", t.whole[from:to]))
		if before == "" && told || before != "" && isSecondSecret(kind, introduced, before, t.whole[from:to]) {
			return span{start: from, end: to}
		}
		_, last := scanValue(t.whole, t.skipBlanks(end))
		also := strings.TrimSpace(line[:at]) == "" && known.or[word] && t.isAtClauseEnd(last) // right behind the first
		is := known.is[word] || slices.ContainsFunc(known.joined, func(is string) bool { return strings.HasSuffix(word, is) })
		introduced = introduced && (kind != "password" || len(word) <= maxArticle) || also || is || known.tos[word] || known.now[word] || known.whatFor[word] || kind != "password" && containsAnyWord(word, known.nearCode)
		at, paused = end-first.end, known.tos[word] && t.isSetOrChanged(first.start, from) || slices.Contains(words()["enters"], word) || kind != "password" && containsAnyWord(word, known.nearCode)
	}
	return span{}
}

// isSecondSecret judges what stands behind a secret: a word or a sign may introduce it, or it is much like
// the first one.
func isSecondSecret(kind string, introduced bool, first, written string) bool {
	value := trimTrailingMarks(written)
	if kind == "pin" || kind == keyKind && doorCode().MatchString(first) {
		return introduced && len(value) >= 4 && doorCode().MatchString(value)
	}
	alike := len(value) > 4 && len(first) > 4 && (strings.EqualFold(value[:4], first[:4]) || introduced && len(value) > 5 && letterDigitShape(value) == letterDigitShape(first)) && strings.ContainsAny(value, digits)
	return kind != "token" && (alike || introduced && looksLikeMadeUpPassword(written))
}

// letterDigitShape is how a value is made of letters and digits: Alpha77 and Beta88 are alike.
func letterDigitShape(value string) string {
	return digitRun().ReplaceAllString(letterRun().ReplaceAllString(value, "a"), "0")
}

var digitRun = lazyregexp.New(`[0-9]+`)

// isPasswordEntered reports whether the words before a name tell that somebody enters it: "use the password …".
func (t *text) isPasswordEntered(name int) bool {
	said := strings.Fields(t.lower[max(0, name-30):name])
	return slices.ContainsFunc(said[max(0, len(said)-2):], func(word string) bool {
		return slices.Contains(words()["enters"], word) || slices.Contains(words()["with"], word)
	})
}

// wordWithNumber is a word that ends with a number, as many people choose passwords.
var wordWithNumber = lazyregexp.New(`^\pL{4,}[0-9]{1,6}$`)

// notedBefore is what may stand before the name of a password in a note: nothing, an article, or what it opens.
var notedBefore = lazyregexp.New(`(?:^|[\n.:;!?,])[ \t]*(?:[-*][ \t]*)?(?:(?:the|my|our|his|her|das|mein|unser|dein|le|mon|la|mi|el|il|o)[ \t]+)?(?:[\pL0-9-]+[ \t]+)?$`)

// isPasswordNote reports whether a clause is nothing but a password behind its name, and what it is for:
// "wifi password hunter2", "password hunter2 for the router".
func (t *text) isPasswordNote(name, start, end int) bool {
	value := trimTrailingMarks(t.whole[start:end])
	if !wordWithNumber().MatchString(value) || algorithm().MatchString(value) || !notedBefore().MatchString(t.lower[max(0, name-maxReach):name]) {
		return false
	}
	word, _ := t.readWord(t.skipBlanks(start + len(value)))
	return vocabulary().whatFor[word] || endsClause(t.whole[start+len(value):])
}

// looksLikeApposedPassword reports whether a value that no sign connects to the name of a password looks made up, and
// ends a part of the sentence, stands in brackets or has marks that no word has.
func (t *text) looksLikeApposedPassword(start, end int) bool {
	written := t.whole[start:end]
	value := trimTrailingMarks(written)
	strong := strings.ContainsAny(written, "!$%&+?@^~§#") && strings.ContainsFunc(value, unicode.IsUpper) || strings.ContainsAny(value, "-_.") && nameWithNumber().MatchString(value)
	return looksLikeMadeUpPassword(written) && (strong || start > 0 && t.whole[start-1] == '(' || t.isAtClauseEnd(start+len(value)))
}

// isAtClauseEnd reports whether a clause ends at a place, or "and" follows.
func (t *text) isAtClauseEnd(at int) bool {
	word, _ := t.readWord(t.skipBlanks(at))
	return endsClause(t.whole[at:]) || slices.Contains(words()["and"], word)
}

// isAccessCode judges what stands behind a word for a key or a code: it opens a door or a network that is
// named nearby, and is no error code or the like.
func (t *text) isAccessCode(how connection, name, start, end int) bool {
	value := trimTrailingMarks(t.whole[start:end])
	line := t.lineAround(name)
	first := max(line.start, name-maxReach)
	before, around := strings.TrimRight(t.lower[first:name], " -_"), t.lower[first:min(line.end, start+maxReach)]
	if doorCode().MatchString(value) && (len(value) > 3 || how >= connectIs && t.isAtClauseEnd(end)) && containsAnyWord(around, vocabulary().nearCode) {
		return !slices.ContainsFunc(words()["other codes"], func(word string) bool { return strings.HasSuffix(before, word) })
	}
	chosen := (how >= connectIs || strings.ContainsFunc(value, unicode.IsLetter) && strings.ContainsAny(value, digits)) && len(value) >= 6 && !algorithm().MatchString(value) && strings.ContainsAny(value, digits+"!#$%&*+?@^§") && isPlausibleSecret(t.whole, start, end, false)
	return (chosen || looksLikeMadeUpPassword(value) || t.isLatinValueOfForeignName(name, value)) && containsAnyWord(around, vocabulary().nearKey)
}

// doorCode is what may open a door: digits, with a letter or two among them, or in groups.
var doorCode = lazyregexp.New(`^[#*]?(?:[0-9]{3,8}|[0-9]{2,3}(?:-[0-9]{2,3}){1,3}|[0-9](?:-[0-9]){2,5}|[0-9]{3,6}\p{Lu}{1,2}|[0-9]{1,6}\p{Lu}{1,2}[0-9]{2,6}|\p{Lu}{1,2}[0-9]{3,6}|[0-9]{1,6}[#*][0-9]{2,6})[#*]?$`)

// isLatinValueOfForeignName reports whether a value with a digit is of Latin letters and its name is not.
func (t *text) isLatinValueOfForeignName(name int, value string) bool {
	return t.isForeignName(name) && len(value) >= 6 && value[0] < utf8.RuneSelf && strings.ContainsAny(value, digits) && strings.ContainsFunc(value, unicode.IsLetter) && !algorithm().MatchString(value)
}

func (t *text) isForeignName(name int) bool {
	c, _ := utf8.DecodeRuneInString(t.lower[name:])
	return c >= utf8.RuneSelf && !unicode.Is(unicode.Latin, c)
}

// containsAnyWord reports whether a text has a word of a list; a long one may be a part of a compound.
func containsAnyWord(text string, list []string) bool {
	return slices.ContainsFunc(list, func(word string) bool {
		for at := indexFrom(text, 0, word); at >= 0; at = indexFrom(text, at+1, word) {
			begins, ends := at == 0 || !isLetterOrDigitAt(text, at-1), !isLetterOrDigitAt(text, at+len(word))
			if begins && ends || len(word) > 4 && (begins || ends) {
				return true
			}
		}
		return false
	})
}
