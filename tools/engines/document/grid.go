package document

import (
	"math"
	"strings"
	"sync"

	"toolkit/tools/engines/document/layout"
	"toolkit/tools/engines/document/value"
)

// grid is a table found by its head: columns known by their wording.
type grid struct {
	page    int // index
	head    int // index of the head's first line
	columns []gridColumn
	rows    []gridRow
}

type gridColumn struct {
	kind        string
	left, right float64
}

type gridRow struct {
	line  int // index
	page  int
	cells map[string]string // by column kind
}

// Kinds of columns.
const (
	columnText     = "description"
	columnCode     = "code"
	columnQuantity = "quantity"
	columnUnit     = "unit"
	columnPrice    = "unit_price"
	columnAmount   = "amount"
	columnTax      = "tax"
	columnRate     = "tax_rate"
	columnDiscount = "discount"
	columnDate     = "date"
	columnValueDay = "value_date"
	columnDebit    = "debit"
	columnCredit   = "credit"
	columnBalance  = "balance"
	columnSymbol   = "symbol"
	columnValue    = "value"
	columnCost     = "cost"
	columnGain     = "gain"
	columnPosition = "position"
	columnType     = "type" // how a movement was made; no field wants it
)

var columnPhrases = map[string]string{
	columnText: `description; item; items; items ordered; item description; product; product name; service; services; details; particulars; activity; work; task; name; security; security name; investment; holding; fund; article; transaction; transaction details; transaction description; memo; payee; product / service; product/service; description of goods; description of services; services rendered; item & description; item and description; item name;
		beschreibung; bezeichnung; artikel; artikelbezeichnung; leistung; leistungen; produkt; position bezeichnung; text; buchungstext; verwendungszweck; vorgang; buchung; wertpapier; gattung; gattungsbezeichnung; designation; libelle; descripcion; concepto; producto; servicio; detalle; desc; goods; narrative; descrizione; articolo; prodotto; servizio; causale; operazione; descrizione operazione; titolo; strumento; omschrijving; dienst; mededeling; naam; product of dienst; effect; fonds; erlauterung; buchungsinformation; vorgang/buchungsinformation; buchungsdetails; beschreibung der leistung; leistungsbeschreibung; nature de l'operation; nature; operation; operations; intitule; produit; prestation; prestations; valeur mobiliere; titre; description of work; product description; description/service; service description; descripcion del producto; operacion; movimiento; titulo; merchant; merchant name; transaction detail; fund name; investment name; holding name; company; company name; asset; position description; wertpapierbezeichnung; wertpapiername; titel; instrument name`,
	columnCode:     `item no; item #; item code; product code; code; sku; part no; art-nr; artikel-nr; artikelnummer; art nr; art.-nr; ref; reference; referencia; check no; check #; check number; hsn; hsn/sac; hsn code; isin; wkn; cusip; article no; article number; codice; codice articolo; cod; artikelnr; artikelcode; code article; codigo; cod articulo; item number; part number; part #; product no; product #; stock code; catalog no; material no; materialnummer; chk no; cheque no; cheque number; hsn/sac code; sac; kenn-nr; wertpapierkennnummer; sedol`,
	columnQuantity: `qty; quantity; quantity/hours; hours; hrs; hours/qty; qty/hrs; units; shares; no of shares; shares/units; number of shares; menge; anzahl; stunden; std; stuck; stuckzahl; stuck/nominal; nominal; bestand; quantite; qte; cantidad; cant; count; days; tage; quantita; qta; q.ta; ore; aantal; stuks; hoeveelheid; uren; pieces; pcs; no of units; units held; quantity held; bestand/nominal; stk; stucke; anz; heures; nombre; jours; unidades; horas; uds; titulos; participaciones; std.; volume; aantallen`,
	columnUnit:     `unit; uom; einheit; einh; me; unite; unidad; u/m; u.m; um; unita; eh; unidad de medida; mengeneinheit; unit of measure`,
	columnPrice:    `unit price; price; price each; price/unit; unit cost; rate; cost; each; price per unit; hourly rate; rate/hr; unit rate; einzelpreis; preis; stuckpreis; e-preis; ep; einzel; einzelpreis netto; preis/einheit; prix unitaire; prix; pu; p.u; pu ht; prix unitaire ht; precio unitario; precio; p. unitario; precio unit; market price; last price; current price; share price; closing price; unit price usd; kurs; cours; stundensatz; p/u; prezzo; prezzo unitario; prezzo unit; prezzo netto; prezzo di mercato; corso; quotazione; prijs; stukprijs; prijs per stuk; prijs per eenheid; eenheidsprijs; tarief; uurtarief; koers; einheitspreis; nettopreis; preis netto; preis pro einheit; preis/stk; listenpreis; net unit price; unit net price; unit price (net); net price; price (each); precio unit; precio/unidad; p.u; p.u. ht; prix unit; prix u; prix u. ht; tarif; tarif horaire; cours de cloture; cotizacion; ultimo precio; nav; nav price; price per share; market price per share; unit value; satz; preissatz; kurs in eur; aktueller kurs`,
	columnAmount:   `amount; total; line total; total price; ext price; extended price; extended; net amount; line amount; net; subtotal; sub total; sum; amount usd; amount eur; amount gbp; total amount; betrag; gesamt; gesamtpreis; summe; gp; g-preis; netto; gesamtpreis netto; gesamtbetrag; umsatz; montant; total ht; montant ht; importe; total eur; price total; total usd; item total; taxable value; net value; importo; totale; prezzo totale; importo netto; importo totale; bedrag; totaal; totaalbedrag; regeltotaal; totaalprijs; total net; total amount net; gross; gross amount; gross value; total incl vat; total ex vat; total excl vat; amount excl vat; amount ex vat; amount net; positionsbetrag; gesamtbetrag netto; nettobetrag; netto gesamt; betrag netto; gesamt netto; summe netto; prix total; montant total; montant net; importe total; importe neto; total linea; value net; belopp; total chf; total aud; total cad; amount chf; line total excl vat; totalpreis; fee; fees; total fee; honorar; gebuhr; honoraires; honorarios; onorario; compenso; kosten; betrag netto eur`,
	columnTax:      `tax; vat; gst; mwst; ust; tva; iva; tax amount; vat amount; sales tax; btw; btw-bedrag; importo iva; imposta; igst; cgst; sgst; moms; hst; tax amt`,
	columnRate:     `tax rate; vat rate; vat %; tax %; gst %; mwst %; ust %; mwst-satz; taux tva; taux; % iva; iva %; tva %; steuersatz; steuer %; aliquota; aliquota iva; % iva; btw %; btw-tarief; btw tarief; gst rate; mwst satz; ust-satz; ust satz; tipo iva; taux de tva; tva taux`,
	columnDiscount: `discount; disc; disc %; discount %; rabatt; rabatt %; remise; descuento; dto; sconto; sconto %; sc %; korting; korting %; descuento %; rem; remise %; nachlass`,
	columnDate:     `date; datum; fecha; post date; posting date; transaction date; trans date; date posted; buchungstag; buchungsdatum; bu-tag; tag; booking date; trade date; purchase date; trans. date; posted; data; data operazione; data contabile; data mov; boekdatum; transactiedatum; boekingsdatum; date operation; date d'operation; date comptable; fecha operacion; f operacion; fecha contable; fecha oper; buchungsdatum/valuta; buchung/valuta; buch.-tag; date of transaction; process date; entry date; dag; date debit`,
	columnValueDay: `value date; valuta; wert; wertstellung; effective date; val date; date valeur; fecha valor; data valuta; valutadatum; rentedatum; date de valeur; f valor; val; datum valuta`,
	columnDebit:    `debit; debits; withdrawal; withdrawals; money out; paid out; payments out; debit amount; charges; soll; belastung; ausgang; debit (-); cargo; cargos; debe; withdrawals/debits; withdrawals & debits; out; debit usd; payments; lastschrift; sortie; dare; uscite; addebiti; addebito; af; afschrijving; afschrijvingen; debet; debiteur; withdrawn; paid out (£); money out (£); subtractions; debit eur; debits (-); belastungen; belastung eur; debito; egreso; salidas; retiros; debits/withdrawals; checks/debits; zu ihren lasten; payments and withdrawals; paid; spent`,
	columnCredit:   `credit; credits; deposit; deposits; money in; paid in; payments in; credit amount; haben; gutschrift; eingang; credit (+); abono; abonos; haber; deposits/credits; deposits & credits; in; credit usd; entree; avere; entrate; accrediti; accredito; bij; bijschrijving; bijschrijvingen; paid in (£); money in (£); additions; credit eur; credits (+); gutschriften; gutschrift eur; credito; ingreso; ingresos; depositos; credits/deposits; deposits/credits; zu ihren gunsten; received; payments and deposits`,
	columnBalance:  `balance; running balance; saldo; kontostand; solde; ending daily balance; available balance; ending balance; saldo contabile; saldo progressivo; saldo na transactie; saldo nach buchung; kontosaldo; solde progressif; solde apres operation; balance eur; account balance; ledger balance; balance (£); daily balance; saldo disponible`,
	columnSymbol:   `symbol; ticker; ticker symbol; symbole; symbol/cusip; simbolo; instrument; sigla; tickersymbol; code valeur; mnemo; stock symbol; trading symbol`,
	columnValue:    `market value; value; current value; total value; mkt value; kurswert; marktwert; valeur; valorisation; valor; valor de mercado; fair value; gegenwert; wert eur; kurswert eur; controvalore; valore; valore di mercato; valore attuale; controvalore eur; waarde; marktwaarde; huidige waarde; actuele waarde; waarde eur; marktwert eur; bewertung; depotwert; gesamtwert; valeur totale; valeur de marche; valeur actuelle; montant valorise; evaluation; valor actual; valor efectivo; importe efectivo; value (usd); value usd; value eur; value gbp; ending value; ending market value; total market value; market val`,
	columnCost:     `cost basis; total cost; book value; book cost; purchase price; avg cost; average cost; einstandswert; einstandskurs; kaufkurs; cost/share; purchase value; unit cost basis; prezzo di carico; prezzo medio di carico; valore di carico; costo; aankoopkoers; gemiddelde aankoopkoers; aankoopwaarde; einstandspreis; kaufwert; einstand; prix de revient; pru; prix d'achat; coste; precio medio; average price; avg price; avg. cost; average unit cost; adjusted cost; total cost basis; original cost; unit cost price; purchase cost`,
	columnGain:     `gain/loss; unrealized gain/loss; gain; unrealized gain; gain (loss); g/l; profit/loss; p/l; p&l; gewinn/verlust; change; % of portfolio; % of account; weight; allocation; est. annual income; est. yield; yield; plus/minus; utile/perdita; var %; rendement; winst/verlies; resultaat; +/- value; plus-value; +/- values; performance; perf; plusvalia; ganancia/perdida; g/v; guv; g/v %; unrealised gain/loss; unrealised p/l; unrealized p&l; unrealised gain; gain/loss %; % gain/loss; day change; weight %; anteil; anteil %; % of total; % of assets; portfolio %; yield %; peso; peso %; poids; poids %; gewichtung; est. income; annual income; accrued int; accrued interest`,
	columnType:     `type; trans type; transaction type; payment type; tipo; art; umsatzart; buchungsart; code type; mutatiesoort`,
	columnPosition: `pos; position; no; #; line; s.no; sl no; sr no; lfd nr; s no; sn; ln; pos no; pos-nr; pos nr; posten; riga; regel; ligne; linea; item line; sl; sl.no; nr; row`,
}

var columnLexicon = sync.OnceValue(func() map[string]string {
	phrases := map[string]string{}
	for kind, list := range columnPhrases {
		for phrase := range strings.SplitSeq(list, ";") {
			if key := phraseKey(phrase); key != "" {
				phrases[key] = kind
			}
		}
	}
	return phrases
})

// findGrids looks for heads of tables and reads the rows below them. Lines of tables are
// closed to the label reader.
func (read *form) findGrids() {
	for pageIndex, page := range read.pages {
		for lineIndex := 0; lineIndex < len(page.Lines); lineIndex++ {
			read.proceed()
			columns, height := read.head(pageIndex, lineIndex)
			if height == 0 {
				continue
			}
			found := grid{page: pageIndex, head: lineIndex, columns: columns}
			last := read.body(&found, pageIndex, lineIndex+height)
			if len(found.rows) == 0 {
				continue
			}
			if last == len(page.Lines) && pageIndex+1 < len(read.pages) {
				read.overleaf(&found, pageIndex+1)
			}
			for blocked := lineIndex; blocked < lineIndex+height; blocked++ {
				read.blocked[[2]int{pageIndex, blocked}] = true
			}
			for _, row := range found.rows {
				read.blocked[[2]int{row.page, row.line}] = true
			}
			read.grids = append(read.grids, found)
			lineIndex = max(last-1, lineIndex)
		}
	}
}

// head recognises the columns of a table's head, which may take one line or two.
func (read *form) head(pageIndex, lineIndex int) ([]gridColumn, int) {
	line := read.pages[pageIndex].Lines[lineIndex]
	if line.Aside || read.blocked[[2]int{pageIndex, lineIndex}] {
		return nil, 0
	}
	columns, unknown := read.headColumns(pageIndex, lineIndex)
	height := 1
	if lineIndex+1 < len(read.pages[pageIndex].Lines) {
		next := read.pages[pageIndex].Lines[lineIndex+1]
		if !next.Aside && next.Base-line.Base < 1.7*max(line.Size, next.Size) && wordDigits(next.Text()) == 0 && wordDigits(line.Text()) == 0 &&
			(len(columns) > 0 || !read.wholeHead(pageIndex, lineIndex+1)) {
			if merged, left := read.mergedHead(pageIndex, lineIndex); len(merged) >= len(columns) && len(merged) >= 3 && left <= unknown {
				if len(merged) > len(columns) || left < unknown || read.onlyColumns(pageIndex, lineIndex+1) {
					columns, unknown, height = merged, left, 2
				}
			}
		}
	}
	if !isHead(columns, unknown) {
		return nil, 0
	}
	return settled(columns), height
}

// settled tells columns of one name apart: of two dates the first is that of the movement,
// of two amounts beside a quantity, without a price, the first is the price.
func settled(columns []gridColumn) []gridColumn {
	counts, first := map[string]int{}, map[string]int{}
	for index, column := range columns {
		if counts[column.kind]++; counts[column.kind] == 1 {
			first[column.kind] = index
		} else if column.kind == columnDate {
			columns[index].kind = columnValueDay
		}
	}
	if at := first[columnAmount]; counts[columnQuantity] == 1 && counts[columnPrice] == 0 && counts[columnAmount] > 1 && at == first[columnQuantity]+1 {
		columns[at].kind = columnPrice
	}
	return columns
}

func (read *form) onlyColumns(pageIndex, lineIndex int) bool {
	_, unknown := read.headColumns(pageIndex, lineIndex)
	return unknown == 0
}

// wholeHead reports whether a line is a table's head by itself. A line above it that names
// no column is text that stands close to the table, such as a party of the document.
func (read *form) wholeHead(pageIndex, lineIndex int) bool {
	columns, unknown := read.headColumns(pageIndex, lineIndex)
	return unknown == 0 && isHead(columns, unknown)
}

// isHead demands columns that make a table of the kinds read here, and few unknown ones.
func isHead(columns []gridColumn, unknown int) bool {
	has := map[string]bool{}
	for _, column := range columns {
		has[column.kind] = true
	}
	money := has[columnAmount] || has[columnPrice] || has[columnDebit] || has[columnCredit] || has[columnBalance] || has[columnValue]
	named := has[columnText] || has[columnDate] || has[columnSymbol] || has[columnQuantity] || has[columnCode]
	return money && named && len(columns) >= 2 && unknown <= len(columns)/2
}

// headColumns reads the columns named in a line; unknown counts the cells that name none.
func (read *form) headColumns(pageIndex, lineIndex int) (columns []gridColumn, unknown int) {
	for cellIndex := range read.pages[pageIndex].Lines[lineIndex].Cells {
		tokens := read.tokens[place{pageIndex, lineIndex, cellIndex}]
		found, left := columnsOf(tokens)
		columns = append(columns, found...)
		if left > 0 {
			unknown++
		}
	}
	return columns, unknown
}

// columnsOf reads a run of column names; left counts the words that are none. Names of
// currencies and remarks in brackets are parts of a name.
func columnsOf(tokens []token) (columns []gridColumn, left int) {
	for at := 0; at < len(tokens); {
		kind, length := "", 0
		phrase := ""
		for end := at; end < len(tokens) && end-at < 5; end++ {
			phrase = strings.TrimSpace(phrase + " " + tokens[end].norm)
			if found, ok := columnLexicon()[phrase]; ok {
				kind, length = found, end-at+1
			}
		}
		if length == 0 {
			if kind = compoundColumn(tokens[at].norm); kind != "" {
				length = 1
			}
		}
		switch {
		case length > 0:
			columns = append(columns, gridColumn{kind: kind, left: tokens[at].left, right: tokens[at+length-1].right})
			at += length
		case len(columns) > 0 && (strings.HasPrefix(tokens[at].raw, "(") || strings.HasSuffix(tokens[at].raw, ")") || isCurrencyWord(tokens[at].raw) || tokens[at].norm == "" || tokens[at].norm == "in"):
			columns[len(columns)-1].right = tokens[at].right
			at++
		case tokens[at].norm == "":
			at++
		default:
			left++
			at++
		}
	}
	return columns, left
}

// compoundColumn names a column by the last part of a word written as one.
func compoundColumn(word string) string {
	if first, _, ok := strings.Cut(word, "/"); ok && columnLexicon()[first] == columnPrice {
		return columnPrice // "Preis/kg"
	}
	for _, compound := range [...]struct{ part, kind string }{
		{"gesamtpreis", columnAmount}, {"preis", columnPrice}, {"prijs", columnPrice}, {"betrag", columnAmount}, {"bedrag", columnAmount},
		{"summe", columnAmount}, {"menge", columnQuantity}, {"bezeichnung", columnText}, {"beschreibung", columnText}, {"omschrijving", columnText},
		{"kurswert", columnValue}, {"saldo", columnBalance},
	} {
		if len(word) > len(compound.part)+2 && strings.HasSuffix(word, compound.part) {
			return compound.kind
		}
	}
	return ""
}

// mergedHead reads a head of two lines: what stands below each other is one name.
func (read *form) mergedHead(pageIndex, lineIndex int) (columns []gridColumn, unknown int) {
	var cells []layout.Cell
	cells = append(cells, read.pages[pageIndex].Lines[lineIndex].Cells...)
	for _, lower := range read.pages[pageIndex].Lines[lineIndex+1].Cells {
		joined := false
		for index, upper := range cells {
			if min(upper.Right, lower.Right)-max(upper.Left, lower.Left) > 0.3*min(upper.Right-upper.Left, lower.Right-lower.Left) {
				cells[index].Words = append(append([]layout.Word{}, upper.Words...), lower.Words...)
				cells[index].Left, cells[index].Right = min(upper.Left, lower.Left), max(upper.Right, lower.Right)
				joined = true
				break
			}
		}
		if !joined {
			cells = append(cells, lower)
		}
	}
	for _, cell := range cells {
		found, left := columnsOf(tokensOf(cell))
		if left > 0 || len(found) == 0 {
			unknown++
		}
		for _, column := range found {
			if len(found) == 1 {
				column.left, column.right = cell.Left, cell.Right
			}
			columns = append(columns, column)
		}
	}
	sortColumns(columns)
	return columns, unknown
}

func sortColumns(columns []gridColumn) {
	for index := 1; index < len(columns); index++ {
		for back := index; back > 0 && columns[back].left < columns[back-1].left; back-- {
			columns[back], columns[back-1] = columns[back-1], columns[back]
		}
	}
}

// numeric tells the columns whose cells are numbers.
func numeric(kind string) bool {
	switch kind {
	case columnQuantity, columnPrice, columnAmount, columnTax, columnRate, columnDiscount, columnDebit, columnCredit, columnBalance, columnValue, columnCost, columnGain:
		return true
	}
	return false
}

func (read *form) isNumber(text string) bool {
	if text == "" {
		return false
	}
	if _, ok := value.ParsePercent(text); ok {
		return true
	}
	_, ok := value.ParseAmount(text, read.numbers)
	return ok || text == "-" || text == "–"
}

// distance is how badly a cell fits a column: by alignment, and much worse when a column
// of numbers is given words.
func (read *form) distance(cell layout.Cell, column gridColumn) float64 {
	away := min(misalignment(column.left, column.right, cell), math.Abs(column.left-cell.Left))
	if overlap := min(column.right, cell.Right) - max(column.left, cell.Left); overlap > 0 {
		away = min(away, 2)
	}
	number := read.isNumber(cell.Text) || quantityWithUnit().MatchString(cell.Text)
	switch {
	case numeric(column.kind) && !number:
		away += 400
	case !numeric(column.kind) && number && column.kind != columnPosition && column.kind != columnCode:
		away += 20
	}
	return away
}
