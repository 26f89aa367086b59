package language

import "strings"

// English and German function words, folded. Words that are a name or a content
// word in either language stay out (may, art, man, rat), as does anything that
// narrows a search (not, no, kein).
const (
	englishFunctionWords = `
		a about above after again against ago ah all also although am an and any anybody anyone anything are aren as at
		be because been before being below between both but by
		can cannot could couldn
		did didn do does doesn doing don down during
		each either else even ever every everybody everyone everything
		few for from further
		get gets getting give given gives go goes going gonna got gotten
		had hadn has hasn have haven having he hello her here hers herself hey hi him himself his how however
		i if in instead into is isn it its itself
		just kind kinda let like ll lot lots
		many maybe me might mine more most much must my myself
		nor now of off oh ok okay on once one only or other others our ours ourselves out over own
		perhaps please quite rather re really
		same shall she should shouldn since so some somebody somehow someone something sometimes somewhere sort such
		tell than that the their theirs them themselves then there therefore these they thing things this those though through to too toward towards
		under until up upon us ve very via
		wanna was wasn we were weren what whatever when whenever where wherever whether which whichever while who whoever whom whose why will with within without would wouldn wow
		yeah yes yet you your yours yourself yourselves`

	germanFunctionWords = `
		aber alle allem allen aller alles als also am an andere anderem anderen anderer anderes ans auch auf aufs aus
		bei beim bin bis bist da dabei dadurch dafur dagegen daher damit danach daran darauf daraus darin darum daruber das dass davon davor dazu
		dein deine deinem deinen deiner deines dem den denen denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch dort du durch
		eben ein eine einem einen einer eines einige einigen einiger einiges er es etwas euch euer eure eurem euren eurer eures
		fur gab gegen gewesen gibt
		habe haben habt hat hatte hatten hattest hattet hier hin hinter
		ich ihm ihn ihnen ihr ihre ihrem ihren ihrer ihres im indem ins ist
		ja jede jedem jeden jeder jedes jene jenem jenen jener jenes jetzt
		kann kannst konnen konnt konnte konnten
		mal mehr mein meine meinem meinen meiner meines mich mir mit muss musst musste mussten
		nach nachdem noch nun nur
		ob obwohl oder ohne
		schon sehr sein seine seinem seinen seiner seines seit selbst sich sie sind so sobald solche solchem solchen solcher solches soll sollen sollte sollten sondern sonst soviel sowie
		um und uns unser unsere unserem unseren unserer unter
		viel viele vom von vor
		wann war waren warst warum was weil welche welchem welchen welcher welches wem wen wenn wer werde werden werdet weshalb wessen weswegen wie wieder wieso will wir wird wirst wo wobei wodurch wofur woher wohin womit worauf woraus worden woruber wovon wozu wurde wurden wurdest
		zu zum zur zwar zwischen uber`
)

// undecidedWords are German function words that are content words, names or short
// forms in English: they say nothing about the language of a text.
const undecidedWords = `bin den die fur gab hat ja mal mit nun um war`

var (
	englishStopWords = wordSet(englishFunctionWords)
	germanStopWords  = wordSet(germanFunctionWords)
	undecided        = wordSet(undecidedWords)
)

// Language is what a text is written in.
type Language int

// Languages.
const (
	Unknown Language = iota
	English
	German
)

// Of counts the function words that only one of the languages has.
func Of(words []string) Language {
	votes := 0
	for _, word := range words {
		english, german := englishStopWords[word], germanStopWords[word]
		switch {
		case english && !german:
			votes++
		case german && !english && !undecided[word]:
			votes--
		}
	}
	switch {
	case votes > 0:
		return English
	case votes < 0:
		return German
	}
	return Unknown
}

// IsStopWord reports whether a folded word carries grammar rather than content in
// a text of the language, an unknown one taken as English.
func (l Language) IsStopWord(word string) bool {
	if l == German {
		return germanStopWords[word]
	}
	return englishStopWords[word]
}

// IsStopWord reports whether a folded word carries grammar rather than content,
// in English or in German.
func IsStopWord(word string) bool {
	return englishStopWords[word] || germanStopWords[word]
}

func wordSet(words string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(words) {
		set[word] = true
	}
	return set
}
