package document

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/tools/engines/document/pattern"
	"toolkit/tools/engines/document/value"
)

// contract reads parties, number and term: from labels where there are any, else from the
// sentences that contracts are made of.
func (result *extraction) contract() {
	read := result.form
	result.identifierField("contract_number", labelContractNumber)
	text := flowing(result.content.Text)
	result.parties(sentences(result.content.Text))
	result.dateField("start_date", labelStart)
	result.dateField("end_date", labelEnd)
	result.dateIn("start_date", text, startPhrase)
	result.dateIn("start_date", text, effectivePhrase)
	result.dateIn("end_date", text, endPhrase)
	if !result.has("start_date") {
		result.dateIn("start_date", text, madePhrase)
	}
	if !result.has("start_date") && !result.has("end_date") {
		result.periodField("start_date", "end_date")
	}
	if title := read.documentTitle(); title != "" {
		result.set("title", title, Source{Page: 1})
	}
}

const dateWords = `.{0,12}?`

var (
	startPhrase     = pattern.New(`(?i)(?:shall commence on|commences on|commencing on|commencing|shall begin on|begins on|beginning on|starting on|starts on|in force from|beginnt am|tritt am|ab dem|gilt ab(?: dem)?|mit wirkung (?:vom|zum)|prend effet le|prendra effet le|prende effetto (?:il|dal)|decorre dal|con decorrenza dal|avr[aà] inizio il|gaat in op|vangt aan op|met ingang van|con efectos (?:desde|a partir) (?:el|del)|a compter du|à compter du|entrar[aá] en vigor el|comenzar[aá] el)` + dateWords)
	effectivePhrase = pattern.New(`(?i)(?:effective as of|effective from|effective on|with effect from|effective date (?:of|is|shall be))` + dateWords)
	endPhrase       = pattern.New(`(?i)(?:shall end on|ends on|ending on|shall terminate on|terminates on|shall expire on|expires on|expiring on|until|through|up to and including|valid until|endet am|bis zum|befristet bis(?: zum)?|prend fin le|jusqu'au|hasta el|finalizar[aá] el|terminar[aá] el|prendra fin le|fino al|termina il|scade il|scadr[aà] il|eindigt op|tot en met|loopt tot)` + dateWords)
	madePhrase      = pattern.New(`(?i)(?:made (?:and entered into )?(?:on|as of|this)|entered into (?:on|as of)|dated(?: as of)?|is made on|entered into this|dated this|abgeschlossen am|geschlossen am|vom|conclu le|fait le|stipulato il|gesloten op|celebrado el|firmado el)` + dateWords)
)

var (
	// bareUntil says how long something lasts, not what: goods are delivered until a day too.
	bareUntil = pattern.New(`(?i)^(?:until|through|up to and including|bis zum|jusqu'au|hasta el|fino al|tot en met)`)
	termWords = pattern.New(`(?i)\b(?:term|agreement|contract|lease|tenancy|employment|effect|force|valid|remain|commenc|begin|start|vertrag|laufzeit|befristet|gilt|mietverhältnis|arbeitsverhältnis|contrat|durée|bail|contrato|vigor|vigencia|contratto|durata|overeenkomst|looptijd|duur)[\pL]*[^.;]{0,140}$`)
)

// dateIn sets the date that follows a phrase directly.
func (result *extraction) dateIn(key, text string, phrase pattern.Pattern) {
	if result.has(key) {
		return
	}
	for _, span := range phrase().FindAllStringIndex(text, -1) {
		if bareUntil().MatchString(text[span[0]:span[1]]) && !termWords().MatchString(text[max(span[0]-160, 0):span[0]]) {
			continue
		}
		// The lazy tail matches nothing; the date must start within its reach.
		rest := text[span[1]:min(len(text), span[1]+48)]
		dates := value.FindDates(rest, result.form.order)
		if len(dates) == 0 || dates[0].Start > 14 || strings.ContainsAny(rest[:dates[0].Start], ".;\n") {
			continue
		}
		result.set(key, dates[0].String(), result.locate(dates[0].Text))
		return
	}
}

// locate finds the line that holds a text, or at least its beginning.
func (result *extraction) locate(text string) Source {
	first := strings.Fields(text)
	if len(first) == 0 {
		return Source{}
	}
	for _, wanted := range []string{text, first[0]} {
		for at, line := range result.form.lines(every, every) {
			if strings.Contains(line.Text(), wanted) {
				return result.form.source(at)
			}
		}
	}
	return Source{}
}

// maxParties bounds the parties of a contract.
const maxParties = 8

// parties sets who concludes the contract: from labels of roles, from the sentence
// "between A and B", or both when they agree.
func (result *extraction) parties(text string) {
	read := result.form
	var names []string
	var source Source
	for _, item := range read.find(labelParty, func(next candidate) bool { return read.roleName(next) && partyName(next.text) != "" }) {
		name := partyName(read.nameText(item.candidate))
		if name != "" && !containsFold(names, name) && len(names) < maxParties {
			if len(names) == 0 {
				source = item.source()
			}
			names = append(names, name)
		}
	}
	if len(names) < 2 {
		if sentence := partiesOf(text); len(sentence) >= 2 {
			names = sentence
			source = result.locate(sentence[0])
		}
	}
	if len(names) > 0 {
		result.set("parties", names, source)
	}
}

func containsFold(names []string, name string) bool {
	return slices.ContainsFunc(names, func(known string) bool { return strings.EqualFold(known, name) })
}

var (
	betweenPhrase = pattern.New(`(?i)\b(?:by and between|between|by and among|zwischen|entre|tra|tussen)\b:?\s+(?:the (?:following )?(?:parties|undersigned)[,:]?\s+)?`)
	andWord       = pattern.New(`(?i)[\s,;)]+(?:and|und|et|y|e|ed|en)\s+`)
	partyEnd      = pattern.New(`(?i)\s*(?:\.?\s*\n|\(|,? ?having |,? ?a (?:corporation|company|limited|delaware|new|california|sole|[a-z]+ (?:corporation|limited|company|llc))|,? ?an? (?:individual|[a-z]+ (?:corporation|limited|company|llc))|,? ?with (?:its|an? )|,? ?located |, (?:of|based in|resident in) |,? ?(?:incorporated|organi[sz]ed|registered|established) |,? ?residing |,? ?of \d|,? ?whose |,? ?hereinafter|,? ?whereby |,? ?nachfolgend|,? ?vertreten|,? ?im folgenden|,? ?wohnhaft|,? ?geboren|,? ?mit sitz|,? ?demeurant|,? ?domicili|,? ?con domicilio|,? ?con sede|, [^,;(]{0,30}?\d|,? ?ci-après|,? ?en adelante|, (?:\d|[a-zäöü]+(?:str|straße|strasse|weg|platz))|;|\. )`)
	articles      = pattern.New(`(?i)^(?:the |der |die |dem |den |la |el |le |il |lo |de |firma |société |herrn? |frau |mr\.? |mrs\.? |ms\.? |dhr\.? |mevr\.? |mevrouw |sig\.? |sig\.ra |don |doña |d\. |dª |monsieur |madame |m\. |mme )+`)
)

// partiesOf reads the parties of the sentence that names them: "between A (…) and B (…)".
func partiesOf(text string) []string {
	for _, span := range betweenPhrase().FindAllStringIndex(text, 4) {
		rest := text[span[1]:min(len(text), span[1]+700)]
		var names []string
		for len(names) < maxParties {
			name, remaining := nextParty(rest, len(names) == 0)
			if name == "" {
				break
			}
			if !containsFold(names, name) {
				names = append(names, name)
			}
			rest = remaining
			if rest == "" {
				break
			}
		}
		if len(names) >= 2 {
			return names
		}
	}
	return nil
}

// nextParty takes the name at the start and what follows the next "and".
func nextParty(text string, first bool) (name, rest string) {
	end := len(text)
	if at := partyEnd().FindStringIndex(text); at != nil {
		end = at[0]
	}
	and := andWord().FindStringIndex(text)
	if and != nil && and[0] < end {
		// "Smith and Sons Ltd." is one name: a legal form follows, and another "and" after it.
		next, _, _ := strings.Cut(text[and[1]:min(len(text), and[1]+60)], "\n")
		if further := andWord().FindStringIndex(text[and[1]:]); further == nil || !hasCompanySuffix("x "+strings.SplitN(next, ",", 2)[0]) || end > and[1]+further[0] {
			end = and[0]
		}
	}
	name = partyName(text[:end])
	return name, behindAnd(text[end:], first)
}

// behindAnd is the text behind the "and" that joins the next party. After a description
// ("a company of England and Wales (…), and") it follows a comma, a bracket or a dash; only
// the second party may follow without.
func behindAnd(tail string, first bool) string {
	plain := -1
	for _, next := range andWord().FindAllStringIndex(tail, 6) {
		if next[0] > 400 {
			break
		}
		before := strings.TrimSpace(tail[:next[0]+1])
		if before == "" || strings.ContainsAny(before[len(before)-1:], ",;)-\"") || strings.HasSuffix(before, "–") || strings.HasSuffix(before, "—") || strings.HasSuffix(before, "”") || strings.HasSuffix(before, "genannt") {
			return tail[next[1]:]
		}
		if plain < 0 && !strings.HasPrefix(tail[next[1]:], "Wales") {
			plain = next[1]
		}
	}
	if first && plain >= 0 {
		return tail[plain:]
	}
	return ""
}

// partyName trims a party to its name; "" when it is none.
func partyName(text string) string {
	text = strings.Trim(strings.Join(strings.Fields(text), " "), ` ,;:"“”'`)
	if at := partyEnd().FindStringIndex(text); at != nil && at[0] > 0 {
		text = strings.Trim(text[:at[0]], ` ,;:"“”'`)
	}
	text = articles().ReplaceAllString(text, "")
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > longestName || isProse(words) || !startsUpper(words[0]) || holdsValue(words) {
		return ""
	}
	if _, length := matchLabel(wordTokens(words), 0); length == len(words) {
		return "" // "Landlord and Tenant" name roles
	}
	if strings.EqualFold(text, "parties") || strings.ContainsAny(text, "_[]{}<>") {
		return ""
	}
	return text
}

func startsUpper(word string) bool {
	first, _ := utf8.DecodeRuneInString(word)
	return unicode.ToLower(first) != first || first >= '0' && first <= '9'
}
