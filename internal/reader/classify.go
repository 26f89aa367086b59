package reader

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
)

// Kinds of documents, the results of Classify.
const (
	KindInvoice    = "invoice"
	KindCreditNote = "credit_note" // its amounts are negative: it takes back what an invoice asked for
	KindReceipt    = "receipt"
	KindStatement  = "statement"
	KindContract   = "contract"
	KindTaxForm    = "tax_form"
	KindPayslip    = "payslip"
	KindHolding    = "holding"
	KindNote       = "note"
	KindMessage    = "message"
	KindEvent      = "event"
	KindContact    = "contact"
	KindDataset    = "dataset"
	KindDocument   = "document"
)

// Kinds are all of them.
var Kinds = []string{KindInvoice, KindCreditNote, KindReceipt, KindStatement, KindContract, KindTaxForm, KindPayslip, KindHolding, KindNote, KindMessage, KindEvent, KindContact, KindDataset, KindDocument}

// Names of papers of taxes, and a year.
var (
	taxFormName = lazyregexp.New(`\b(?:Form|FORM|Formulaire|Schedule|SCHEDULE)\s+(W-?2[A-Z]?|W-?[489](?:BEN)?|1099-?[A-Z]{0,4}|1098-?[A-Z]{0,2}|1095-?[A-C]|1040-?[A-Z]{0,3}|1041|1065|1120-?S?|94[01]|990|K-1|T4A?|P60|P45)\b`)
	taxPaper    = lazyregexp.New(`(?i)(elektronische lohnsteuerbescheinigung|ausdruck der elektronischen lohnsteuerbescheinigung|lohnsteuerbescheinigung|einkommensteuerbescheid|bescheid für \d{4} über einkommensteuer|steuerbescheid|einkommensteuererklärung|umsatzsteuer-voranmeldung|\bP60\b|avis d.impôt|declaración de la renta)`)
	yearAlone   = lazyregexp.New(`^(?:19|20)\d{2}$`)
)

// weight is what a label found with a value says about a kind.
type weight struct {
	kind  string
	label labelKind
	worth float64
}

var labelWeights = []weight{
	{KindInvoice, labelInvoiceNumber, 3}, {KindInvoice, labelDueDate, 1.5}, {KindInvoice, labelCustomer, 1}, {KindInvoice, labelInvoiceDate, 1}, {KindInvoice, labelSubtotal, 0.75}, {KindInvoice, labelTax, 0.75}, {KindInvoice, labelGrandTotal, 0.75}, {KindInvoice, labelTotal, 0.5}, {KindInvoice, labelAmountDue, 1}, {KindInvoice, labelVendor, 0.5},
	{KindReceipt, labelReceiptNumber, 3}, {KindReceipt, labelPaid, 1.5}, {KindReceipt, labelPayment, 1.5}, {KindReceipt, labelTotal, 0.5}, {KindReceipt, labelGrandTotal, 0.5}, {KindReceipt, labelTax, 0.5}, {KindReceipt, labelSubtotal, 0.5}, {KindReceipt, labelTransactionID, 0.75},
	{KindStatement, labelOpening, 2.5}, {KindStatement, labelClosing, 2.5}, {KindStatement, labelPeriod, 1.5}, {KindStatement, labelAccountNumber, 1},
	{KindContract, labelContractNumber, 3}, {KindContract, labelParty, 1.5}, {KindContract, labelStart, 1}, {KindContract, labelEnd, 1},
	{KindTaxForm, labelTaxYear, 1.5}, {KindTaxForm, labelPayer, 2}, {KindTaxForm, labelRecipient, 1.5},
	{KindHolding, labelTotalValue, 2}, {KindHolding, labelAsOf, 0.5}, {KindHolding, labelAccountNumber, 0.5},
}

// phrases are wordings in running text that are typical of a kind and rare elsewhere. Each
// counts once.
var phrases = []struct {
	kind    string
	worth   float64
	pattern lazyregexp.Pattern
}{
	{KindReceipt, 2, lazyregexp.New(`(?i)thank(?:s| you) for (?:your (?:purchase|visit|payment|order)|shopping|visiting|riding|dining|staying|travelling|traveling|choosing)|dank für ihren (?:einkauf|besuch)|merci (?:de|pour) votre (?:visite|achat)|gracias por su (?:compra|visita)|obrigado p|tack för (?:besöket|ditt köp)|tak for (?:besøget|handlen)|takk for handelen|dziękujemy za zakupy|grazie (?:e arrivederci|per il vostro acquisto|per la visita)|bedankt voor uw (?:aankoop|bezoek)`)},
	{KindReceipt, 1.5, lazyregexp.New(`(?i)\b(?:visa|mastercard|amex|maestro|girocard|debit|card)\b.{0,20}(?:[*•·]{2,}|x{4,}|ending(?: in)?|last (?:4 )?digits:?) ?\d{4}|auth(?:orization)? code|approval code|(?m:^\s*approved\b)`)},
	{KindReceipt, 1, lazyregexp.New(`(?i)\bcashier\b|\bregister\b ?#|change due|rückgeld|\btendered\b|tse-signatur|paid in full|payment received`)},
	{KindContract, 2.5, lazyregexp.New(`(?i)\b(?:by and between|entered into (?:by|as of|on|this)|is made (?:and entered|as of|on|between|by)|zwischen\s.{2,300}\s(?:wird|nachfolgend|-|–)|il a été convenu|entre les soussign|entre los suscritos|por una parte|de una parte|tra le parti|tra i sottoscritti|stipulano|de ondergetekenden|komen overeen|zijn overeengekomen)`)},
	{KindContract, 1.5, lazyregexp.New(`(?i)in witness whereof|hereinafter (?:referred|called)|nachfolgend .{0,40} genannt|the parties (?:hereby )?agree|die parteien vereinbaren|now,? therefore|las partes acuerdan|les parties conviennent|le parti convengono|si conviene|ci-après (?:dénommée?|désignée?|le|la)|hierna te noemen|di seguito denominat`)},
	{KindContract, 1, lazyregexp.New(`(?i)governing law|entire agreement|salvatorische klausel|schriftform|kündigungsfrist|terminat(?:e|ion) (?:of )?this agreement|loi applicable|droit applicable|ley aplicable|legge applicabile|foro competente|toepasselijk recht|nederlands recht|préavis|opzegtermijn|preavviso`)},
	{KindContract, 0.75, lazyregexp.New(`(?m)^\s*(?:§\s?\d+|Article \d+|ARTICLE [IVX\d]+|Section \d+|\d+\.\s+(?:Term|Scope|Services|Payment|Compensation|Confidentiality|Termination)\b)`)},
	{KindTaxForm, 4, taxFormName},
	{KindTaxForm, 5, taxPaper},
	{KindTaxForm, 2, lazyregexp.New(`(?i)internal revenue service|department of the treasury|finanzamt|hm revenue|direction générale des finances|agencia tributaria`)},
	{KindTaxForm, 1.5, lazyregexp.New(`(?i)omb no\.? ?\d{4}-\d{4}`)},
	{KindTaxForm, 1, lazyregexp.New(`(?i)federal income tax withheld|wages, tips|nonemployee compensation|adjusted gross income|bruttoarbeitslohn|einbehaltene lohnsteuer`)},
	{KindStatement, 1, lazyregexp.New(`(?i)total (?:deposits|withdrawals|debits|credits)|deposits and (?:additions|credits)|minimum payment due|annual percentage yield`)},
	{KindHolding, 1.5, lazyregexp.New(`\b[A-Z]{2}[A-Z0-9]{9}\d\b|(?i:\bisin\b|\bcusip\b|\bwkn\b)`)},
	{KindHolding, 1, lazyregexp.New(`(?i)unrealized (?:gain|loss)|market value|cost basis|kurswert|asset allocation`)},
	{KindInvoice, 1, lazyregexp.New(`(?i)payment terms|net \d{1,3} days|\bnet \d{2}\b|zahlbar (?:innerhalb|bis|ohne)|please (?:pay|remit)|umsatzsteuer-?id|ust-?id|bank(?: )?(?:details|verbindung)|conditions de paiement|partita iva|p\.? ?iva|btw-(?:nr|nummer|id)|tva intracommunautaire|condizioni di pagamento|betalingstermijn|\bgstin\b`)},
	{KindNote, 2, lazyregexp.New(`(?im)^\s*(?:attendees|participants|teilnehmer|action items|next steps|agenda|decisions|tagesordnung|asistentes|présents|presenti|aanwezig|ordine del giorno|actiepunten|aufgaben)\s*:?\s*`)},
}

// Classify names the kind of a document by its titles, labels that have values, tables and turns
// of phrase. No single word decides. Confidence is between 0 and 1.
func Classify(content *Content) (kind string, confidence float64) {
	defer func() {
		if failure := recover(); failure != nil {
			kind, confidence = KindDocument, 0
		}
	}()
	if kind := content.kindFromData(); kind != "" {
		return kind, 1
	}
	votes := collectKindVotes(content)
	kind, confidence = votes.chooseKind()
	switch {
	case votes.unbooked != "" && (kind == KindInvoice || kind == KindReceipt):
		content.warn(fmt.Sprintf("the paper calls itself %.60q: it is taken for no invoice, and its sums are not booked", strings.Join(strings.Fields(votes.unbooked), " ")))
		return KindDocument, confidence
	case kind == KindInvoice && votes.credit == selfBilled:
		content.warn("the paper calls itself a Gutschrift and seems to be an invoice that the customer writes: it is taken for neither an invoice nor a credit note, and its sums are not booked")
		return KindDocument, confidence
	case kind == KindInvoice && votes.credit != noCredit:
		kind = KindCreditNote
	}
	return kind, confidence
}

// kindFromData is the kind that a file is whatever it says: by what it holds as data, or by its type;
// "" where its pages tell.
func (content *Content) kindFromData() string {
	switch {
	case content.invoice != nil:
		return kindOf(content.invoice)
	case content.hasInvoiceRecords():
		return KindInvoice
	case content.accounts != nil:
		return KindStatement
	}
	switch content.Type {
	case EML, MBOX:
		if content.mailedPaper != "" {
			return content.mailedPaper
		}
		return KindMessage
	case ICS:
		return KindEvent
	case VCF:
		return KindContact
	case CSV, TSV, NDJSON:
		return KindDataset
	case PNG, JPG, GIF, WEBP:
		if strings.TrimSpace(content.Text) == "" {
			return KindDocument
		}
	}
	return ""
}

type classifier struct {
	content  *Content
	scores   map[string]float64
	credit   creditKind // whether an invoice takes back what another asked for
	unbooked string     // title of what is none: an offer, a reminder
}

func collectKindVotes(content *Content) *classifier {
	votes := &classifier{content: content, scores: map[string]float64{}}
	read := newLabeledPages(content)
	titled := map[string]bool{}
	for _, text := range listPossibleTitles(read.pages) {
		if kind, ok := matchKindTitle(text); ok && !titled[kind] {
			titled[kind] = true
			votes.scores[kind] += 3.5
		}
	}
	answeredKinds := map[labelKind]bool{}
	for _, label := range read.labels {
		read.proceed()
		for _, kind := range label.kinds {
			answeredKinds[kind] = answeredKinds[kind] || read.hasLabelValue(label, kind)
		}
	}
	for _, entry := range labelWeights {
		if answeredKinds[entry.label] {
			votes.scores[entry.kind] += entry.worth
		}
	}
	if answeredKinds[labelInvoiceNumber] && !answeredKinds[labelReceiptNumber] && !titled[KindReceipt] {
		votes.scores[KindInvoice] += 2 // also where it was paid at once, as in a hotel
	}
	votes.voteByTables(read)
	votes.voteForTillReceipt(read, answeredKinds)
	votes.voteForWageAndTaxPapers(read, answeredKinds)
	votes.credit, votes.unbooked = read.detectCreditNote(content), read.findNonInvoiceTitle()
	text := content.Text[:min(len(content.Text), 300_000)]
	for _, entry := range phrases {
		if entry.pattern().MatchString(text) {
			votes.scores[entry.kind] += entry.worth
		}
	}
	votes.voteByFileType(read, text)
	return votes
}

// matchKindTitle recognises a title, alone or before a number: "Invoice", "INVOICE No. 12". Its letters
// may be parted by spaces: "F A C T U R A".
func matchKindTitle(text string) (string, bool) {
	words := strings.Fields(phraseKey(text))
	if joined := strings.Join(words, ""); len(words) > 2 && utf8.RuneCountInString(joined) == len(words) {
		words = []string{joined}
	}
	if last := len(words) - 1; last > 0 && last < 7 && inList("words of your bill", words[0]) && titleLexicon()[words[last]] == KindInvoice {
		return KindInvoice, true // "Your water and wastewater bill"
	}
	for length := len(words); length > 0; length-- {
		kind, ok := titleLexicon()[strings.Join(words[:length], " ")]
		if !ok {
			continue
		}
		rest := words[length:]
		if canFollowTitle(rest) || matchCreditTitle(words) != noCredit {
			return kind, true
		}
	}
	return "", false
}

// canFollowTitle tells whether the words behind a title leave it one: none, a number, which letters of
// its series may precede, or a day.
func canFollowTitle(rest []string) bool {
	switch {
	case len(rest) == 2 && inList("words of series", rest[0]) && countDigits(rest[1]) > 0:
		return true
	case len(rest) == 0, rest[0] == "no", countDigits(rest[0]) > 0:
		return true
	}
	return len(rest) > 1 && inList("words of the day", rest[0]) && countDigits(rest[1]) > 0
}

// hasLabelValue tells whether a label has a value of its kind: an unanswered label is a mere word.
func (read *labeledPages) hasLabelValue(found label, kind labelKind) bool {
	accepts := read.isAmount
	switch kind {
	case labelInvoiceNumber, labelReceiptNumber, labelContractNumber, labelAccountNumber, labelTransactionID:
		accepts = read.isIdentifier
	case labelDate, labelInvoiceDate, labelPurchaseDate, labelTaxPoint, labelDueDate, labelStart, labelEnd, labelAsOf:
		accepts = read.isDate
	case labelPeriod:
		accepts = read.isPeriod
	case labelVendor, labelCustomer, labelParty, labelPayer, labelRecipient, labelHolder, labelInstitution:
		accepts = read.isRoleName
	case labelPayment:
		accepts = func(next candidate) bool { return len(next.tokens) < 6 }
	case labelTaxYear:
		accepts = func(next candidate) bool { return yearAlone().MatchString(next.text) }
	}
	_, ok := read.findLabelValue(found, accepts)
	return ok
}

// voteForWageAndTaxPapers votes for a payslip and for a paper of taxes by the title at its head, so
// that its sums are not taken for those of an invoice. A bookkeeper's invoice lists payslips
// as its goods.
func (votes *classifier) voteForWageAndTaxPapers(read *labeledPages, answeredKinds map[labelKind]bool) {
	if answeredKinds[labelInvoiceNumber] || answeredKinds[labelReceiptNumber] || len(read.pages) == 0 || len(read.pages) > 6 {
		return
	}
	if read.hasTitle(taxTitles()) {
		votes.scores[KindTaxForm] += 4.5
	}
	if read.hasTitle(payTitles()) {
		votes.scores[KindPayslip] += 6
	}
}

func (votes *classifier) voteByTables(read *labeledPages) {
	counted := map[string]bool{}
	for _, grid := range read.grids {
		kind, worth := "", 0.0
		switch {
		case grid.has(columnDate) && grid.has(columnBalance) && grid.has(columnDebit) && grid.has(columnCredit):
			kind, worth = KindStatement, 6
		case grid.has(columnDate) && (grid.has(columnBalance) || grid.has(columnDebit) || grid.has(columnCredit)):
			kind, worth = KindStatement, 4
		case grid.has(columnDate) && grid.has(columnAmount) && !grid.has(columnQuantity) && len(grid.rows) > 2:
			kind, worth = KindStatement, 1.5
		case grid.has(columnQuantity) && (grid.has(columnPrice) || grid.has(columnAmount)):
			kind, worth = KindInvoice, 1.5
		}
		if kind != "" && !counted[kind] {
			counted[kind] = true
			votes.scores[kind] += worth
		}
	}
}

// voteByFileType adds what the file's type says: Markdown is a note, a sheet or a list of objects
// a dataset, unless its labels say otherwise.
func (votes *classifier) voteByFileType(read *labeledPages, text string) {
	switch votes.content.Type {
	case MD:
		votes.scores[KindNote] += 3.2
	case Text:
		votes.scores[KindNote] += 2
	case XLSX:
		if len(votes.content.Tables) > 0 {
			votes.scores[KindDataset] += 4.5
		}
	case JSON:
		if len(votes.content.Tables) > 0 && len(read.labels) == 0 {
			votes.scores[KindDataset] += 4.5
		}
	}
}

// Evidence below enough is none; a plain text needs less to be a note.
const enough = 3.9

func (votes *classifier) chooseKind() (kind string, confidence float64) {
	kinds := slices.Sorted(maps.Keys(votes.scores))
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(votes.scores[b], votes.scores[a]) })
	if len(kinds) == 0 {
		return KindDocument, 0.3
	}
	best := kinds[0]
	score, second := votes.scores[best], 0.0
	if len(kinds) > 1 {
		second = votes.scores[kinds[1]]
	}
	plain := votes.content.Type == MD || votes.content.Type == Text
	if score < enough && !(best == KindNote && plain) {
		if plain {
			best, score, second = KindNote, votes.scores[KindNote], score
		} else {
			return KindDocument, 0.4
		}
	}
	confidence = score / (score + 2) * (0.5 + 0.5*(score-second)/score)
	return best, math.Round(math.Max(confidence, 0.05)*100) / 100
}
