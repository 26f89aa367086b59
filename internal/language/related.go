package language

import (
	"slices"
	"strings"
	"sync"

	"toolkit/fixtures"
)

// Everyday words that mean nearly the same or name the same field of life, one
// field a line. A query word also finds, at a fraction of its weight, the other
// words of its line; words that have several senses stand only where one sense
// clearly prevails. The German words join the English ones, so that a question
// in one language can find a note in the other.
const relatedWords = `
	job work career profession occupation employment employer position role beruf arbeit job stelle karriere
	boss supervisor chef vorgesetzter
	colleague coworker teammate kollege kollegin mitarbeiter
	fire layoff unemployed dismiss redundant kundigen entlassen arbeitslos
	hire recruit interview applicant einstellen bewerbung
	salary wage income paycheck earnings gehalt lohn einkommen
	business company firm startup enterprise shop store firma unternehmen geschaft laden
	customer client buyer kunde kundin
	money cash fund finance budget dollar euro geld finanzen
	price cost expense fee preis kosten gebuhr
	buy purchase acquire shopping kaufen einkaufen erwerben
	sell sale verkaufen verkauf
	donate donation charity fundraiser fundraising nonprofit spende spenden
	volunteer volunteering ehrenamt freiwillig helfer
	promote promotion advertise advertisement marketing campaign werbung kampagne
	education school college university degree study academic student schule universitat studium studieren bildung
	teacher professor instructor tutor lecturer lehrer lehrerin dozent
	class course lesson workshop training seminar kurs unterricht seminar schulung
	exam test quiz prufung klausur
	learn practice train lernen uben
	graduate graduation diploma abschluss
	research investigate study explore forschung forschen untersuchen
	child kid son daughter toddler baby kind kinder sohn tochter
	parent mother father mom dad mum mama papa eltern mutter vater
	sibling brother sister geschwister bruder schwester
	grandparent grandmother grandfather grandma grandpa granny oma opa grossmutter grossvater
	husband wife spouse partner married marriage ehemann ehefrau verheiratet ehe
	girlfriend boyfriend dating date freundin freund
	relative family cousin aunt uncle nephew niece familie verwandte onkel tante
	friend buddy pal friendship freund freundin freundschaft
	wedding marry engaged engagement bride groom hochzeit heiraten verlobt
	divorce breakup separated scheidung trennung
	pregnant pregnancy birth newborn schwanger geburt
	adopt adoption foster adoptieren
	pet dog puppy cat kitten kitty hund katze haustier welpe
	animal wildlife creature species tier tiere
	bird parrot owl eagle vogel
	horse pony riding pferd reiten
	car vehicle auto automobile truck drive auto wagen fahrzeug fahren
	bike bicycle cycling fahrrad radfahren
	train railway subway bahn zug
	plane flight fly airport airline flugzeug flug flughafen
	trip travel journey vacation holiday tour getaway reise reisen urlaub ferien
	hotel hostel resort airbnb lodging unterkunft hotel
	country nation abroad foreign overseas land ausland
	city town village stadt dorf
	move relocate relocation moving umziehen umzug
	home house apartment flat residence wohnung haus zuhause
	room kitchen bedroom bathroom zimmer kuche bad
	furniture couch sofa chair table mobel stuhl tisch
	repair fix renovate renovation remodel reparieren renovieren
	beach ocean sea coast shore strand meer kuste
	lake river pond stream see fluss
	mountain hill peak summit berg gipfel
	hike hiking trail trek walk wandern wanderung spaziergang
	camp camping tent campfire zelt zelten
	forest wood tree nature outdoors wald baum natur
	garden plant flower gardening garten pflanze blume
	weather rain snow storm sunny wetter regen schnee sturm
	sunset sunrise sky dawn dusk sonnenuntergang sonnenaufgang himmel
	environment climate sustainability pollution recycling umwelt klima nachhaltigkeit
	food meal dish cuisine essen gericht mahlzeit
	cook cooking bake baking recipe chef kochen backen rezept
	breakfast lunch dinner supper brunch fruhstuck mittagessen abendessen
	restaurant cafe diner bistro restaurant lokal
	dessert cake cookie pie sweet chocolate pastry nachtisch kuchen schokolade
	fruit apple banana berry obst apfel
	vegetable salad vegetarian vegan gemuse salat
	drink beverage coffee tea juice trinken getrank kaffee tee
	alcohol beer wine cocktail whiskey bier wein
	health healthy wellness medical gesundheit gesund
	doctor physician clinic hospital nurse surgeon arzt krankenhaus klinik
	sick ill illness disease flu fever krank krankheit grippe fieber
	injury hurt injured wound broken sprain verletzung verletzt
	pain ache headache sore schmerz schmerzen kopfschmerzen
	medicine medication pill drug prescription medikament tablette
	allergy allergic asthma allergie
	surgery operation operation
	therapy therapist counseling counselor psychologist psychology therapie therapeut beratung
	mental stress stressed anxiety anxious depression depressed burnout stress angst depression
	relax relaxing destress unwind rest calm peaceful entspannen erholen ruhe
	meditation yoga mindfulness meditate
	exercise workout gym fitness sport trainieren fitness sport
	run jog running marathon race laufen joggen
	swim swimming pool schwimmen
	soccer football basketball baseball tennis hockey team game match fussball spiel mannschaft
	boxing kickboxing karate taekwondo judo kampfsport
	dance dancing dancer ballet choreography tanz tanzen tanzer
	win award prize trophy medal victory champion gewinnen preis auszeichnung sieg
	contest competition tournament compete championship wettbewerb turnier
	music song band singer album concert melody musik lied konzert
	instrument guitar piano violin drum clarinet flute gitarre klavier geige
	sing singing choir vocal singen chor
	movie film cinema series show documentary kino serie
	actor actress director acting schauspieler regisseur
	theater play stage performance musical theater buhne auftritt
	book novel story literature read reading author buch roman geschichte lesen autor
	write writing writer essay poem poetry blog journal schreiben gedicht
	paint painting draw drawing art artist artwork sketch canvas malen gemalde zeichnen kunst kunstler
	craft pottery ceramic clay sculpture sewing knitting handwerk topfern stricken
	photo picture photograph photography image camera foto bild kamera fotografie
	museum gallery exhibit exhibition ausstellung galerie
	game videogame console gaming gamer spielen
	toy doll lego puzzle spielzeug
	hobby pastime interest leisure freizeit interesse
	party celebration celebrate festival event gathering feier feiern fest veranstaltung
	birthday anniversary geburtstag jahrestag
	christmas thanksgiving easter halloween weihnachten ostern
	gift present surprise geschenk
	church religion faith religious spiritual god prayer kirche religion glaube gebet
	community neighborhood neighbor local gemeinde nachbarschaft nachbar
	support help assist encourage assistance unterstutzung helfen hilfe unterstutzen
	mentor advise advice guidance coach rat raten
	identity gender transgender lgbtq lgbt gay lesbian queer pride identitat
	politics political election vote mayor government politik wahl regierung
	law legal lawyer attorney court gesetz recht anwalt gericht
	military army soldier veteran war militar soldat krieg
	police crime theft robbery polizei verbrechen diebstahl
	accident crash collision unfall
	emergency fire flood earthquake disaster notfall feuer hochwasser
	death die dead funeral pass grief mourn tod sterben trauer
	happy joy glad delighted cheerful excited glucklich froh freude
	sad upset unhappy cry traurig weinen
	angry mad furious annoyed wutend argerlich
	afraid fear scared scary frightened worried angst furcht sorge
	love adore affection liebe lieben
	proud pride accomplishment achievement stolz leistung
	goal dream aspiration ambition ziel traum
	plan intend intention schedule planen vorhaben plan
	decide decision choose choice pick entscheiden entscheidung wahlen
	start begin launch open beginnen anfangen starten
	finish end complete stop quit beenden aufhoren fertig
	change transform transition switch andern anderung wechsel
	problem issue trouble difficulty challenge problem schwierigkeit
	mistake error bug fault failure fehler
	solve solution resolve losung losen
	idea concept thought idee
	opinion view belief meinung ansicht
	reason cause motivation inspire inspiration grund ursache
	favorite prefer preference favourite best liebling bevorzugen
	important significant crucial essential wichtig wesentlich
	big large huge enormous gross riesig
	small little tiny klein winzig
	old ancient vintage antique alt
	new recent modern latest neu
	fast quick rapid speed schnell
	expensive costly pricey teuer
	cheap inexpensive affordable billig gunstig
	clothes clothing dress shirt outfit fashion wear kleidung kleid mode
	shoe sneaker boot schuh
	jewelry necklace ring bracelet schmuck kette
	phone smartphone mobile call telefon handy anruf
	computer laptop pc notebook rechner
	email mail message letter nachricht brief
	internet website online web
	meeting appointment call conference besprechung termin treffen
	deadline due frist
	team group crew gruppe
	speech talk presentation lecture rede vortrag prasentation
	newspaper magazine article news zeitung artikel nachrichten
	language speak english spanish german french sprache sprechen deutsch
	software program application app programm anwendung
	code source programming developer engineer entwickler programmieren
	function method procedure routine funktion methode
	crash failure outage panic absturz ausfall
	delete remove erase loschen entfernen
	add insert append create hinzufugen einfugen
	update modify edit change aktualisieren bearbeiten
	search find query lookup suche suchen finden
	store save persist storage speichern ablegen
	database sql table schema datenbank tabelle
	server host backend
	password credential login authentication auth passwort anmeldung
	config configuration setting option einstellung konfiguration
	deploy deployment release rollout ship ausliefern veroffentlichen
	latency slow performance speed leistung geschwindigkeit langsam
	memory ram storage speicher
	document documentation manual readme dokument dokumentation handbuch`

// related maps an index term to the others of its fields; like timeTerms it is
// made at the first search.
var related = sync.OnceValue(func() map[string][]string { return relatedTable(relatedWords) })

func relatedTable(lines string) map[string][]string {
	table := make(map[string][]string)
	for line := range strings.Lines(lines) {
		var field []string
		for word := range strings.FieldsSeq(line) {
			for _, form := range []string{Stem(word), germanStem(word)} {
				if !slices.Contains(field, form) {
					field = append(field, form)
				}
			}
		}
		for _, term := range field {
			for _, other := range field {
				if other != term && !slices.Contains(table[term], other) {
					table[term] = append(table[term], other)
				}
			}
		}
	}
	return table
}

// Related gives the terms related to any of the forms of a word, without
// the forms themselves.
func Related(forms []string) []string {
	var terms []string
	table := related()
	for _, form := range forms {
		for _, term := range table[form] {
			if !slices.Contains(forms, term) && !slices.Contains(terms, term) {
				terms = append(terms, term)
			}
		}
	}
	return terms
}

// IsEveryday reports whether an index term says little, whatever it stands in.
func IsEveryday(term string) bool { return everyday()[term] }

// everyday are the index terms of the everyday words, made at the first search.
var everyday = sync.OnceValue(func() map[string]bool {
	terms := map[string]bool{}
	for line := range strings.Lines(fixtures.EverydayWords) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for _, word := range strings.Fields(line) {
			terms[Stem(word)], terms[germanStem(word)] = true, true
		}
	}
	return terms
})
