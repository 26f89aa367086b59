package orientation

import (
	"strings"
	"unicode"
)

// isEnglish reports whether the English rules can be applied: the text is in Latin script
// and does not hold more words of another language than of English. A text without any
// tell-tale word ("Yoga studio") counts as English.
func isEnglish(t text) bool {
	english, other := languageEvidence(t)
	return other == 0 || english >= other
}

// languageEvidence counts the words that speak for English and for another language. A text
// mostly in another script has no English at all.
func languageEvidence(t text) (english, other int) {
	latin, foreign := 0, 0
	for _, r := range t.written {
		switch {
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			foreign++
		}
	}
	if foreign > latin {
		return 0, 1
	}
	for _, tok := range t.words() {
		switch w := tok.word; {
		case englishWords[w], creative.is(w, base|gerund) && !foreignWords[w]:
			english++
		case foreignWords[w] || isForeignShape(w):
			other++
		}
	}
	return english, other
}

// isForeignShape recognises words by their letters: accents outside the loan words of English,
// French elisions, and endings that English does not have.
func isForeignShape(w string) bool {
	if loanWords[w] {
		return false
	}
	for _, r := range w {
		if r > unicode.MaxASCII && unicode.IsLetter(r) {
			return true
		}
	}
	if before, after, ok := strings.Cut(w, "'"); ok && len(after) > 1 {
		switch before {
		case "l", "d", "j", "qu", "n", "s", "m", "c", "dell", "un":
			return true
		}
	}
	return len(w) > 6 && hasSuffix(w, "ieren", "keit", "heit", "schaft", "ierung", "lichen", "isch")
}

// englishWords are function words that the neighbouring languages do not share.
var englishWords = wordSet(`the of for and with by from my our your his her their this that these is are was were has have will would
	should i we they he she it to about into not every each at be who which where build create write`)

var loanWords = wordSet(`café cafés naïve résumé résumés fiancé fiancée façade jalapeño piñata señor cliché clichés décor crème soirée
	matinée protégé protégée sauté purée crêpe crêpes première exposé touché communiqué entrée rosé pâté über doppelgänger
	déjà vu voilà`)

// foreignWords are function words and common verbs of German, French, Spanish, Italian,
// Portuguese and Dutch. Words that English has too ("die", "on", "no", "plus") are left out.
var foreignWords = wordSet(
	// German
	`der dem des das ein eine einen einem einer eines ich wir mein meine meinen meinem meiner unser unsere unseren und
	oder mit für von zu zum zur bei im auf aus nach über ist sind habe haben wird werden nicht kein keine keinen bis sich
	uns mich mir als auch sehr um möchte möchten jede jeden jeder jedes schreiben bauen aufbauen anlegen lernen gründen
	eröffnen entwickeln veröffentlichen erstellen schaffen gestalten machen sprechen laufen kaufen spielen finden leben
	starten fließend neue neues neuen aufhören lösen beheben beseitigen eliminieren verhindern stoppen vermeiden
	reduzieren entfernen loswerden überwinden schwimmen malen komponieren`,
	// French
	`le la les un une du et ou avec sans dans sur mes notre nos je nous il elle est sont être avoir au que qui chaque
	très créer écrire apprendre construire ouvrir lancer publier devenir parler vivre jouer faire fonder développer obtenir
	réussir courir acheter voyager maîtriser terminer arrêter éliminer résoudre réduire supprimer éviter corriger`,
	// Spanish
	`el los las una unos unas del y con para por en mi mis nuestro nuestra nuestros yo es son ser estar tener cada sin más
	muy de crear escribir aprender construir abrir lanzar publicar hablar vivir tocar fundar desarrollar obtener
	lograr correr comprar viajar dominar enseñar terminar dejar eliminar resolver reducir evitar arreglar quiero`,
	// Italian and Portuguese
	`il gli di che è nel nella della mio mia nostro nostra creare scrivere imparare costruire aprire diventare um uma os
	dos das na com meu minha nosso nossa criar escrever aprender construir aprender tornar não`,
	// Dutch
	`het een van voor met mijn ik wij zijn naar onze bouwen schrijven leren maken openen worden`)

// The problem verbs of three neighbouring languages, without accents.
var (
	germanProblems = wordSet(`beheben losen loesen beseitigen eliminieren verhindern stoppen aufhoren aufhoeren aufzuhoren vermeiden
		reduzieren entfernen loswerden loszuwerden uberwinden ueberwinden bekampfen bekaempfen reparieren verringern senken abschaffen
		abbauen abzubauen minimieren abstellen behebe beseitige stoppe vermeide reduziere entferne repariere bekampfe verhindere`)
	frenchProblems = wordSet(`arreter eliminer resoudre reduire supprimer eviter corriger reparer empecher cesser combattre diminuer
		surmonter prevenir stopper debarrasser abolir eradiquer`)
	spanishProblems = wordSet(`eliminar resolver reducir evitar arreglar solucionar prevenir detener corregir reparar superar combatir
		quitar disminuir deshacerme deshacerse deshacernos librarme erradicar suprimir`)
	foreignPhrases = [][]string{
		{"dejar", "de"}, {"acabar", "con"}, {"parar", "de"}, {"en", "finir", "avec"}, {"mettre", "fin"}, {"lutter", "contre"}, {"ne", "plus"},
		{"hor", "auf"}, {"hore", "auf"}, {"nicht", "mehr"}, {"no", "mas"},
	}
	foreignLeads = wordSet(`ich wir mochte mochten will wollen werde werden je nous j veux voudrais voulons vais allons aimerais
		souhaite dois devons yo quiero queremos voy vamos a necesito deseo me m se nous gustaria zu de d il faut hay que bitte por
		favor endlich enfin`)
)

// foreignProblem finds a governing problem verb of German (the first word, or the
// infinitive that closes the clause), French or Spanish (the first verb). It is silent
// where English words prevail.
func foreignProblem(t text) *problem {
	if english, other := languageEvidence(t); english > 0 && english >= other || len(t.sentences) == 0 {
		return nil
	}
	s := t.sentences[0]
	plain := make([]string, len(s))
	for i := range s {
		plain[i] = unaccent.Replace(s.word(i))
		if before, after, ok := strings.Cut(plain[i], "'"); ok && len(before) < 3 {
			plain[i] = after
		}
	}
	i := 0
	for i < len(s)-1 && foreignLeads[plain[i]] {
		i++
	}
	if s.word(i) == "löse" || frenchProblems[plain[i]] || spanishProblems[plain[i]] || germanProblems[plain[i]] {
		return &problem{class: removing, sentence: s, from: i, to: i + 1, object: i + 1, quote: true}
	}
	for _, phrase := range foreignPhrases {
		if i+len(phrase) < len(s) && equalWords(plain[i:i+len(phrase)], phrase) {
			return &problem{class: removing, sentence: s, from: i, to: i + len(phrase), object: i + len(phrase), quote: true}
		}
	}
	for j := i; j < len(s); j++ {
		if plain[j] == "um" {
			return nil
		}
		closes := s.ends(j+1) || plain[j+1] == "und"
		if closes && germanProblems[plain[j]] {
			return &problem{class: removing, sentence: s, from: j, to: j + 1, object: i, quote: true}
		}
		if closes {
			return nil
		}
	}
	return nil
}

func equalWords(a, b []string) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
