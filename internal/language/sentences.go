package language

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// IsQuestion reports whether a sentence is a question.
func IsQuestion(sentence string) bool {
	words := skipLeadIn(sentence)
	if strings.ContainsAny(sentence, "?？؟") || len(words) == 0 {
		return len(words) > 0
	}
	if len(words) > 1 && opensWithVerbAndSubject(words) || invertedFrench().MatchString(sentence) || endsLikeQuestion(sentence) {
		return true
	}
	return OpensWithAskingWord(sentence) && !strings.ContainsRune(sentence, ',') && !isPassive(words) // "when it rains, …"
}

// AsksOnly reports whether a text has sentences and all of them ask.
func AsksOnly(text string) bool {
	sentences := Sentences(text)
	return len(sentences) > 0 && !slices.ContainsFunc(sentences, func(s string) bool { return !IsQuestion(s) })
}

// invertedFrench finds a verb and behind its hyphen the subject: "peut-on payer", "est-ce que".
var invertedFrench = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^\P{L}*\p{L}+-(?:t-)?(?:je|tu|ils?|elles?|on|ce)\b`)
})

// opensWithVerbAndSubject reports whether words ask by their order: "do we", "is the shop open", "darf Lena Nüsse
// essen". What is left out before a verb is a subject, where no noun follows it: "is done", "has a dog".
func opensWithVerbAndSubject(words []string) bool {
	if isListed("auxiliary words", words[0]) && (isListed("subject words", words[1]) || isListed("own words", words[1])) {
		return true
	}
	return isListed("opening verbs", words[0]) && len(words) > 2 && !IsStopWord(words[1])
}

// isPassive reports whether words are the English was and a verb, which is no asking word: "was fixed".
func isPassive(words []string) bool {
	return words[0] == "was" && len(words) > 1 && strings.HasSuffix(words[1], "ed")
}

// endsLikeQuestion reports whether a sentence ends with a particle that asks or with an asking word beside a form
// of be, or has the Russian particle.
func endsLikeQuestion(sentence string) bool {
	sentence = strings.TrimRight(sentence, " .。!！")
	for ending := range wordsOfList("asking endings") {
		if strings.HasSuffix(sentence, ending) {
			return true
		}
	}
	words := Words(sentence)
	if last := len(words) - 1; last > 1 {
		one, other := words[last-1], words[last]
		if isListed("forms of be", one) && isListed("asking words", other) || isListed("asking words", one) && isListed("forms of be", other) {
			return true
		}
	}
	return slices.Contains(words, "ли")
}

// OpensWithAskingWord reports whether a sentence begins like "who is", with or without a question
// mark at its end.
func OpensWithAskingWord(sentence string) bool {
	words := skipLeadIn(sentence)
	return len(words) > 0 && isListed("asking words", words[0])
}

// AsksWithoutMark reports whether a sentence is a question that nothing marks as one: "who does our taxes". What
// opens so and goes on in a second clause states something: "what we need is a server", "who comes late, pays".
func AsksWithoutMark(sentence string) bool {
	words, written := skipLeadIn(sentence), SurfaceWords(sentence)
	if endsLikeQuestion(sentence) {
		return true
	}
	if len(words) < 3 || strings.ContainsAny(sentence, ",:;–—") || strings.Contains(sentence, " - ") {
		return false
	}
	behind := words[1:2]                                                      // a subject here makes a clause of it
	accented := strings.ToLower(written[len(written)-len(words)]) != words[0] // in Spanish only a word that asks is
	verbs := words[2:]                                                        // the first verb stands behind the pronoun
	switch {
	case isListed("asking determiners", words[0]):
		behind, verbs = words[1:3], words[min(4, len(words)):]
	case !isListed("asking pronouns", words[0]) && !(accented && isListed("asking words", words[0])):
		return false
	}
	isSubject := func(word string) bool {
		return isListed("subject words", word) || isListed("own words", word) || isListed("object words", word)
	}
	if slices.ContainsFunc(behind, isSubject) {
		return false
	}
	if isListed("auxiliary words", words[1]) {
		return true
	}
	return !slices.ContainsFunc(verbs, func(word string) bool { return isListed("verbs of statements", word) || isConditional(word) })
}

// isConditional reports whether a word ends like a Turkish verb of a condition: "kim geç kalırsa o öder".
func isConditional(word string) bool {
	return strings.HasSuffix(word, "rsa") || strings.HasSuffix(word, "rse")
}

// AsksAboutPast reports whether a question asks what was said, decided or arranged
// before, and returns what follows the first word of its own people: of "which
// port do we use" the use. How to do something is no such question.
func AsksAboutPast(question string) (after []string, back bool) {
	words := skipLeadIn(question)
	own := slices.IndexFunc(words, func(word string) bool { return isListed("own words", word) })
	if own < 0 || !IsQuestion(question) {
		return nil, false
	}
	before := words[:own]
	looksBack := slices.ContainsFunc(before, func(word string) bool { return isListed("past words", word) })
	helps := len(before) == 2 && before[0] == "how" || slices.ContainsFunc(before, func(word string) bool { return isListed("asking for help", word) })
	return words[own+1:], looksBack || !helps
}

// IsInstruction reports whether a sentence orders something to be made, and states
// nothing beside that.
func IsInstruction(sentence string) bool {
	words := skipLeadIn(sentence)
	if len(words) == 0 || !isListed("ordering words", words[0]) || opensWithSubject(sentence) {
		return false
	}
	_, more, _ := strings.Cut(sentence, ",")
	more, _, _ = strings.Cut(more, ":")
	return !hasListedWord(more, "stating words")
}

// opensWithSubject reports whether the first words of a sentence are a noun of several words with its verb: "push
// notifications go out at 8". What an order is done to has an article or a sentence of its own before a verb.
func opensWithSubject(sentence string) bool {
	var words []string
	for _, part := range strings.FieldsFunc(sentence, func(c rune) bool { return strings.ContainsRune(",:;(", c) }) {
		if words = skipLeadIn(part); len(words) > 0 {
			break
		}
	}
	for i := 1; i < len(words); i++ {
		word, before := words[i], words[i-1]
		switch {
		case i > 1 && isListed("verbs of statements", word):
			return true
		case isListed("asking words", word), isListed("own words", word), before == "and" && isListed("ordering words", word):
			return false
		case isListed("object words", word) && (i == 1 || !IsStopWord(before)):
			return false
		}
	}
	return false
}

// AnnouncesChange reports whether a text puts something in the place of what was said before.
func AnnouncesChange(text string) bool {
	return hasListedWord(text, "changing words")
}

// IsUncertain reports whether a sentence leaves open what it says.
func IsUncertain(sentence string) bool {
	return hasListedWord(sentence, "doubting words")
}

// denyingOpenings begin sentences that only say that somebody does not know, as Words reads
// them.
var denyingOpenings = []string{
	"i do not know ", "i don't know ", "i dont know ", "i do not have ", "i don't have ", "i have no ", "i am not sure ", "i'm not sure ", "i do not remember ", "i don't remember ",
	"i cannot find ", "i can't find ", "i could not find ", "i couldn't find ", "there is no information ", "no idea ",
	"ich weiß nicht ", "ich weiß es nicht ", "das weiß ich nicht ", "ich habe keine ", "keine ahnung ", "je ne sais pas ", "je n'ai pas ", "je n'ai aucune ",
	"no lo sé ", "no sé ", "no tengo información ", "non lo so ", "non so ", "não sei ", "não tenho ", "ik weet het niet ", "ik weet niet ", "nie wiem ", "не знаю ", "я не знаю ",
}

var deniesKnowing = sync.OnceValue(func() (openings []string) {
	for _, opening := range denyingOpenings {
		openings = append(openings, strings.Join(Words(opening), " ")+" ")
	}
	return openings
})

// DeniesKnowing reports whether a sentence only says that its speaker does not know, behind a
// word that leads it in or apologises.
func DeniesKnowing(sentence string) bool {
	words := Words(sentence)
	for skipped := 0; skipped < min(2, len(words)); skipped++ {
		rest := strings.Join(words[skipped:], " ") + " "
		if slices.ContainsFunc(deniesKnowing(), func(opening string) bool { return strings.HasPrefix(rest, opening) }) {
			return true
		}
	}
	return false
}

// IsDecisionWord reports whether a word is one of deciding or preferring.
func IsDecisionWord(word string) bool { return isListed("settling words", word) }

// skipLeadIn returns the words of a sentence behind those that lead it in.
func skipLeadIn(sentence string) []string {
	words := Words(sentence)
	for len(words) > 0 && isListed("leading words", words[0]) {
		words = words[1:]
	}
	return words
}

// IsAcknowledgement reports whether a text says no more than that another was heard.
func IsAcknowledgement(text string) bool {
	return !slices.ContainsFunc(Words(text), func(word string) bool { return !isListed("acknowledging words", word) })
}

// IsInformative reports whether a sentence says anything that is not said in every
// conversation.
func IsInformative(sentence string) bool {
	return slices.ContainsFunc(Words(sentence), func(word string) bool {
		return !IsPicture(word) && !IsStopWord(word) && !IsEveryday(Stem(word)) && !IsWork(Stem(word)) && !isListed("leading words", word) && !isListed("acknowledging words", word)
	})
}
