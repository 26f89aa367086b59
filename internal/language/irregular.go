package language

import "strings"

// Irregular English forms, one word a line: the base form, then the forms that
// no stemmer reaches. Forms that are more often another word stay out (found of
// find is in, ground of grind is not; saw, left, felt, lay, bore are too common
// as what they are to be left out, so they follow their verb).
const irregularForms = `
	arise arose arisen
	awake awoke awoken
	bad worse worst
	beat beaten
	become became
	begin began begun
	bend bent
	bite bit bitten
	bleed bled
	blow blew blown
	break broke broken
	breed bred
	bring brought
	build built
	burn burnt
	buy bought
	catch caught
	child children
	choose chose chosen
	cling clung
	come came
	creep crept
	deal dealt
	die dying
	dig dug
	draw drew drawn
	dream dreamt
	drink drank drunk
	drive drove driven
	eat ate eaten
	fall fell fallen
	feed fed
	feel felt
	fight fought
	find found
	flee fled
	fly flew flown
	foot feet
	forbid forbade forbidden
	forget forgot forgotten
	forgive forgave forgiven
	freeze froze frozen
	goose geese
	grow grew grown
	half halves
	hang hung
	hear heard
	hide hid hidden
	hold held
	keep kept
	knife knives
	know knew known
	lead led
	leaf leaves
	learn learnt
	leave left
	lend lent
	lie lying
	life lives
	light lit
	lose lost
	make made
	man men
	mean meant
	meet met
	mouse mice
	pay paid
	person people
	ride rode ridden
	ring rang rung
	rise rose risen
	run ran
	say said
	see saw seen
	seek sought
	sell sold
	send sent
	shake shook shaken
	shelf shelves
	shine shone
	shoot shot
	show shown
	shrink shrank shrunk
	sing sang sung
	sink sank sunk
	sit sat
	sleep slept
	slide slid
	speak spoke spoken
	spend spent
	spin spun
	stand stood
	steal stole stolen
	stick stuck
	sting stung
	strike struck
	strive strove
	swear swore sworn
	sweep swept
	swim swam swum
	swing swung
	take took taken
	teach taught
	tear tore torn
	tell told
	think thought
	throw threw thrown
	tie tying
	tooth teeth
	understand understood
	wake woke woken
	wear wore worn
	weave wove woven
	weep wept
	wife wives
	win won
	wolf wolves
	woman women
	write wrote written`

// Irregular German forms, likewise.
const irregularGermanForms = `
	beginnen begann begonnen
	bleiben blieb geblieben
	brechen brach gebrochen
	bringen brachte gebracht
	denken dachte gedacht
	entscheiden entschied entschieden
	essen ass gegessen
	fahren fuhr gefahren
	fallen fiel gefallen
	fangen fing gefangen
	finden fand gefunden
	fliegen flog geflogen
	geben gegeben
	gehen ging gegangen
	gewinnen gewann gewonnen
	halten hielt gehalten
	helfen half geholfen
	kennen kannte gekannt
	kommen kam gekommen
	laufen lief gelaufen
	lesen las gelesen
	liegen lag gelegen
	nehmen nahm genommen
	rufen rief gerufen
	schlafen schlief geschlafen
	schliessen schloss geschlossen
	schreiben schrieb geschrieben
	sehen sah gesehen
	sprechen sprach gesprochen
	stehen stand gestanden
	steigen stieg gestiegen
	tragen trug getragen
	treffen traf getroffen
	trinken trank getrunken
	vergessen vergass
	verlieren verlor verloren
	verstehen verstand verstanden
	wachsen wuchs gewachsen
	werfen warf geworfen
	wissen wusste gewusst
	ziehen zog gezogen`

var (
	baseForms       = formTable(irregularForms)
	germanBaseForms = formTable(irregularGermanForms)
)

func formTable(lines string) map[string]string {
	table := make(map[string]string)
	for line := range strings.Lines(lines) {
		forms := strings.Fields(line)
		for i := 1; i < len(forms); i++ {
			table[forms[i]] = forms[0]
		}
	}
	return table
}
