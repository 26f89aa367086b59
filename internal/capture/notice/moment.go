package notice

import (
	"strings"

	"toolkit/internal/lazyregexp"
)

// todayOnly is in a sentence that says of itself that it holds today and no longer.
var todayOnly = lazyregexp.New(`(?i)^(?:(?:ok|okay|so|and|but|please)[, ]+)*(?:just |only )?for today\b|\b(?:just|only) (?:for )?today\b|\btoday only\b|\b(?:for|until the end of) (?:today|the rest of the day)[.!]*$|` +
	`\b(?:nur|bloß|ausnahmsweise) (?:für )?heute\b|\bheute (?:nur|mal|ausnahmsweise)\b|^für heute\b|\bfür heute[.!]*$|` +
	`\b(?:juste|seulement) (?:pour )?aujourd'hui\b|^pour aujourd'hui\b|\bpour aujourd'hui[.!]*$|` +
	`\bs[oó]lo (?:por |para )?hoy\b|^por hoy\b|\bpor hoy[.!]*$|\bsolo (?:per )?oggi\b|^per oggi\b|\bper oggi[.!]*$|` +
	`\b(?:só|apenas) (?:por )?hoje\b|^por hoje\b|\bpor hoje[.!]*$|\balleen (?:voor )?vandaag\b|^voor vandaag\b|только сегодня|今日だけ|[仅只就]今天|오늘만`)

// aboutThisProject is in a sentence that holds in the project in which it is said.
var aboutThisProject = lazyregexp.New(`(?i)(?:^|[^\pL])(?:th(?:is|e) (?:project|repo(?:sitory)?|codebase)|(?:im|das|dem|fürs|beim|diese[sm]) (?:projekts?|repo(?:sitory)?)|(?:ce|le|du|au) (?:projet|dépôt)|` +
	`(?:este|el|del) (?:proyecto|repositorio)|(?:questo|il|nel|del) (?:progetto|repository)|(?:neste|deste|este|no|do) (?:projeto|repositório)|(?:dit|het) project|(?:tym|tego|ten) projek(?:t|cie|tu)|` +
	`(?:это[мт]|этого|данном) проект\pL*|bu proje\pL*|이 프로젝트\pL*)(?:[^\pL]|$)|[这本此该]个?项目|[這本此該]個?專案|[こ本]の?プロジェクト|โปรเจ\S*นี้|هذا المشروع`)

// IsAboutThisProject reports whether a sentence says that it holds in the project in which it is said.
func IsAboutThisProject(text string) bool { return aboutThisProject().MatchString(text) }

// announcement is a sentence that asks for something to be remembered and leaves open what.
var announcement = lazyregexp.New(`(?i)\b(?:remember|note(?: down)?|keep in mind|memori[sz]e|store|save|write down|jot down)(?: for me)? ` +
	`(?:(?:a|an|one|two|three|some|a few|a couple of|another|the following|these|this) )?(?:(?:more|new|little|small|quick|important|short) )*(?:something|things?|facts?|notes?|points?|details?|stuff|following)\b(?: (?:down|please|for (?:me|later|us)|now))*` +
	`(?: (?:about|on|regarding|concerning) [^:,;.]{1,60})?[.!:…]*$|` +
	`\b(?:merk(?:e)? dir|notier(?:e)? dir|denk an)(?: bitte| mal)* (?:etwas|was|eine sache|ein paar sachen|folgendes|das folgende)(?: (?:über|zu|für) [^:,;.]{1,60})?[.!:…]*$|` +
	`\b(?:retiens|note|souviens-toi de?)(?: bien| aussi)* (?:quelque chose|une chose|ceci|quelques points|ce qui suit)(?: (?:sur|pour|à propos de) [^:,;.]{1,60})?[.!:…]*$|` +
	`\b(?:recuerda|anota|apunta)(?: por favor)? (?:algo|una cosa|unas cosas|lo siguiente)(?: (?:sobre|de|para) [^:,;.]{1,60})?[.!:…]*$`)

// takenBack is where a sentence corrects itself and goes on with another.
var takenBack = lazyregexp.New(`(?i)[,;.–—-]\s*(?:no,? wait|wait,? no|no,? sorry|sorry,? no|scratch that|strike that|actually,? no|nein,? (?:warte|doch)|ach nein|quatsch|non,? (?:attends?|pardon)|no,? (?:espera|perd[oó]n))[,;:.–— -]+\s*`)

// clauseOpening opens words that state something by themselves, and of something that they name.
var clauseOpening = lazyregexp.New(`(?i)^(?:we|i|the|our|my|use|let's|wir|ich|der|die|unser|unsere|nous|je|le|la|les|notre|nosotros|el|los|usamos|nuestro)\b`)

// cutBeforeCorrection returns a sentence without what it takes back in its middle. Where what follows states
// nothing by itself, such as another weekday, or what "it" is, all of it stays: it is right as it
// was said.
func cutBeforeCorrection(text string) string {
	places := takenBack().FindAllStringIndex(text, -1)
	if len(places) == 0 {
		return text
	}
	rest := strings.TrimSpace(text[places[len(places)-1][1]:])
	if len(strings.Fields(rest)) < minClauseWords || !clauseOpening().MatchString(rest) {
		return text
	}
	return rest
}

// minClauseWords is how many words state something by themselves.
const minClauseWords = 4

// retraction opens a sentence that takes something back, and clauseBreak parts what it states instead.
var (
	retraction  = lazyregexp.New(`(?i)^(?:(?:please|ok|okay|so|and|but|bitte|por favor|s'il te plaît)[, ]+)*(?:forget|vergiss|oublie|oubliez|olvida|dimentica|esquece|vergeet)\b[, ]+(?P<not>not|nicht|pas|niet)?\b`)
	clauseBreak = lazyregexp.New(`[,;:–—]\s+(?:(?:and|but|und|aber|et|mais|y|pero)\s+)?`)
)

// cutRetraction returns what a sentence states that begins by taking something back: of "forget that I am vegetarian, I
// eat fish again" its end, and nothing where it only takes back. Other sentences stay as they are.
func cutRetraction(text string) string {
	found := retraction().FindStringSubmatch(text)
	if found == nil || found[1] != "" {
		return text
	}
	for _, place := range clauseBreak().FindAllStringIndex(text, -1) {
		if rest := text[place[1]:]; len(strings.Fields(rest)) >= minClauseWords && clauseOpening().MatchString(rest) {
			return rest
		}
	}
	return ""
}
