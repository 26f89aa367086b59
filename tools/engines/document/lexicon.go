package document

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// labelKind is what a label announces.
type labelKind string

// Kinds of labels. labelOther is a label whose value no field wants: it ends the reach of
// its neighbours and is never taken for a value.
const (
	labelInvoiceNumber  labelKind = "invoice_number"
	labelReceiptNumber  labelKind = "receipt_number"
	labelContractNumber labelKind = "contract_number"
	labelAccountNumber  labelKind = "account_number"
	labelOrderNumber    labelKind = "order_number"
	labelCustomerNumber labelKind = "customer_number"
	labelTransactionID  labelKind = "transaction_id"
	labelInvoiceDate    labelKind = "invoice_date"
	labelDate           labelKind = "date"
	labelDueDate        labelKind = "due_date"
	labelStart          labelKind = "start_date"
	labelEnd            labelKind = "end_date"
	labelPeriod         labelKind = "period"
	labelAsOf           labelKind = "as_of"
	labelVendor         labelKind = "vendor_name"
	labelCustomer       labelKind = "customer_name"
	labelParty          labelKind = "party"
	labelHolder         labelKind = "account_holder"
	labelInstitution    labelKind = "institution"
	labelGrandTotal     labelKind = "grand_total"
	labelTotal          labelKind = "total"
	labelAmountDue      labelKind = "amount_due"
	labelSubtotal       labelKind = "subtotal"
	labelTax            labelKind = "tax"
	labelDiscount       labelKind = "discount"
	labelShipping       labelKind = "shipping"
	labelPaid           labelKind = "amount_paid"
	labelOpening        labelKind = "opening_balance"
	labelClosing        labelKind = "closing_balance"
	labelTotalValue     labelKind = "total_value"
	labelCurrency       labelKind = "currency"
	labelPayment        labelKind = "payment_method"
	labelTaxYear        labelKind = "tax_year"
	labelPayer          labelKind = "payer_name"
	labelRecipient      labelKind = "recipient_name"
	labelTitle          labelKind = "title"
	labelOther          labelKind = "other"
)

// labelPhrases holds the wordings of each kind, in English, German, French, Spanish,
// Italian and Dutch, parted by semicolons. Longer wordings win over shorter ones they begin with.
var labelPhrases = map[labelKind]string{
	labelInvoiceNumber: `invoice no; invoice #; invoice number; invoice num; inv no; inv #; inv number; invoice id; tax invoice no; tax invoice number; bill no; bill number; invoice reference; invoice ref; invoice;
		document no; document number; rechnungsnummer; rechnungs-nr; rechnung nr; rechnungsnr; rechnung no; re-nr; rg-nr; rechnung; belegnummer; beleg-nr; facture no; no de facture; no facture; numero de facture; facture; numero de factura; no de factura; no factura; factura no; factura; credit note no; credit note number; gutschrift nr; vat invoice; vat invoice no; vat invoice number; sales invoice no; sales invoice number; service invoice no; commercial invoice no; commercial invoice number; proforma invoice no; pro forma invoice no; final invoice no; fattura no; numero fattura; fattura; no fattura; fattura numero; documento no; numero documento; nota di credito no; factuurnummer; factuurnr; factuur-nr; factuur nr; factuur; creditnota no; creditnotanummer; faktura nr; fakturanummer; fakturanr; fatura no; numero da fatura; no da fatura; credit memo no; credit memo number; rechnungskennung`,
	labelReceiptNumber:  `receipt no; receipt #; receipt number; receipt id; receipt; bon-nr; bonnummer; bon nr; quittungsnummer; quittung nr; kassenbon nr; beleg; no de recu; recu no; recibo no; no de recibo; numero de recibo; ticket no; ticket number; check no; sale no; sales receipt no; sales receipt #; ricevuta no; numero ricevuta; scontrino no; documento commerciale no; bonnr; kassabonnr; kassabonnummer; kwitantienummer; receipt numero; kassenbon-nr; bon`,
	labelContractNumber: `contract no; contract #; contract number; contract id; agreement no; agreement number; agreement id; vertragsnummer; vertrag nr; vertrags-nr; vertragsnr; contrat no; no de contrat; numero de contrato; contrato no; policy number; policy no; lease number; contratto no; numero contratto; contractnummer; overeenkomstnummer; contratnummer`,
	labelAccountNumber:  `account no; account #; account number; acct no; acct #; acct number; account; a/c no; kontonummer; konto-nr; konto nr; kontonr; konto; depotnummer; depot-nr; no de compte; numero de compte; compte no; numero de cuenta; no de cuenta; iban; primary account; your account number; numero conto; conto no; no conto; conto corrente no; rekeningnummer; rekening; rekeningnr; depositonummer; portfolio number; portfolio no`,
	labelOrderNumber:    `order no; order #; order number; order id; po no; po #; po number; p.o. no; p.o. number; p.o. #; purchase order; purchase order no; purchase order number; po; p.o; bestellnummer; bestell-nr; bestellung nr; auftragsnummer; auftrags-nr; auftrag nr; no de commande; numero de commande; numero de pedido; sales order; sales order no; ordine no; numero ordine; no ordine; ordernummer; ordernr; bestelnummer; bestelnr; inkoopordernummer; your order no; your order number; ihre bestellnummer; votre commande no; su pedido no; no pedido; pedido no`,
	labelCustomerNumber: `customer no; customer #; customer number; customer id; client no; client number; client id; kundennummer; kunden-nr; kundennr; kunden nr; no client; no de client; numero de client; numero de cliente; member id; membership number; codice cliente; cod cliente; numero cliente; klantnummer; klantnr; relatienummer; debiteurnummer; debiteurennummer; debitor-nr; debitorennummer; code client; codigo cliente; codigo de cliente; no cliente; kundnummer; mitgliedsnummer`,
	labelTransactionID:  `transaction id; transaction no; transaction number; transaction #; trans #; trans no; trans id; trn; confirmation number; confirmation no; transaktionsnummer; ta-nr; ta-nummer; reference number; reference no; reference; ref no; ref; referenz; referenznummer`,
	labelInvoiceDate:    `invoice date; date of invoice; date of issue; issue date; issued on; issued; date issued; invoice issued; bill date; billing date; tax point; rechnungsdatum; rechnung vom; ausstellungsdatum; belegdatum; date de facture; date de facturation; date d'emission; date facture; fecha de factura; fecha de emision; fecha factura; dated; data fattura; data di emissione; data emissione; data documento; factuurdatum; fakturadatum; fakturadato; data da fatura; credit note date; credit memo date; gutschriftsdatum; date d'etablissement; etablie le; emise le`,
	labelDate:           `date; order placed; ordered on; datum; fecha; date/time; date & time; date and time; date of purchase; purchase date; transaction date; sale date; date paid; payment date; paid on; kaufdatum; receipt date; date of sale; order date; bestelldatum; document date; meeting date; statement date; auszugsdatum; date of statement; data; data operazione; datum en tijd; aankoopdatum; data acquisto; dato; statement closing date; closing date; notice date; letter date; receipt date; date du ticket; date de vente; fecha de compra; fecha de venta; fecha y hora; data e ora`,
	labelDueDate:        `due date; date due; payment due; payment due date; due on; due by; pay by; please pay by; due; payment due by; payment date due; fallig am; falligkeitsdatum; falligkeit; zahlbar bis; zahlungsziel; zahlungsfrist; zu zahlen bis; date d'echeance; echeance; a payer avant le; fecha de vencimiento; vencimiento; fecha limite de pago; payment deadline; deadline for payment; scadenza; data scadenza; data di scadenza; scadenza pagamento; pagamento entro; vervaldatum; vervaldag; uiterste betaaldatum; betalen voor; te betalen voor; betaaltermijn; betaaldatum; forfallodatum; forfallsdato; forfaldsdato; data de vencimento; vencimento; fecha de pago; date limite de paiement; a regler avant le; payable le; payable avant le; zu zahlen bis zum; zahlbar bis zum; falligkeitstag; falligkeitstermin`,
	labelStart:          `start date; effective date; commencement date; date of commencement; commencement; begin date; beginning date; starting date; start of contract; contract start; contract start date; lease start; lease start date; term start; effective; vertragsbeginn; beginn; mietbeginn; startdatum; laufzeitbeginn; gultig ab; date d'effet; date de debut; fecha de inicio; fecha de comienzo; valid from; inception date; data inizio; data di inizio; decorrenza; data di decorrenza; inizio; ingangsdatum; begindatum; aanvangsdatum; fecha inicio; date de prise d'effet; prise d'effet; entree en vigueur`,
	labelEnd:            `end date; expiry date; expiration date; expiration; expires; expires on; termination date; contract end; contract end date; lease end; lease end date; ending date; term end; completion date; vertragsende; ende; mietende; enddatum; laufzeitende; gultig bis; befristet bis; date de fin; date d'expiration; fecha de fin; fecha de finalizacion; fecha de termino; valid until; valid to; data fine; data di fine; fine; einddatum; fecha fin; fecha final; date d'echeance du contrat; date de terme`,
	labelPeriod:         `statement period; period; billing period; for the period; period covered; reporting period; statement dates; account period; statement for; abrechnungszeitraum; zeitraum; auszugszeitraum; leistungszeitraum; periode; periode du releve; periodo; service period; periodo di riferimento; periodo fatturazione; abrechnungsperiode; periode van; factuurperiode; abonnementsperiode; statement period from; periode de facturation; periodo de facturacion`,
	labelAsOf:           `as of; as at; as of date; valuation date; stand; stichtag; per; au; a fecha; position date; holdings as of; portfolio as of; alla data del; al giorno; per datum; peildatum; waarderingsdatum; data valutazione; date de valorisation; fecha de valoracion; bewertungsstichtag; bewertungsdatum; stichtagsdatum`,
	labelVendor:         `vendor; vendor name; seller; seller name; supplier; supplier name; sold by; bill from; billed by; invoice from; issued by; from; merchant; merchant name; store; store name; remit to; make checks payable to; make cheques payable to; please make checks payable to; please make cheques payable to; payable to; payee; service provider; company name; verkaufer; lieferant; rechnungssteller; rechnungsaussteller; leistungserbringer; handler; absender; fournisseur; vendeur; emetteur; vendedor; proveedor; emisor; account name; beneficiary; beneficiary name; kontoinhaber; zahlungsempfanger; fornitore; venditore; mittente; cedente/prestatore; cedente; prestatore; leverancier; verkoper; afzender; received by; emetteur de la facture; prestataire; remit payment to; seller details; supplier details; vendor details; from address`,
	labelCustomer:       `bill to; billed to; billing to; bill to party; invoice to; invoiced to; invoice for; customer; customer name; client; client name; sold to; buyer; buyer name; purchaser; prepared for; billing address; kunde; kundin; kundenname; rechnungsempfanger; rechnung an; rechnungsadresse; rechnungsanschrift; kaufer; auftraggeber; empfanger; facture a; adresse de facturation; client facture; destinataire; acheteur; facturar a; facturado a; cliente; comprador; destinatario; received from; paid by; guest; guest name; patient; patient name; recipient; to; bill to address; adresse a; facture adressee a; client facture; spett.le; spettabile; destinatario fattura; cessionario/committente; cessionario; committente; acquirente; intestatario fattura; fatturare a; klant; klantnaam; factuuradres; factuur aan; facturatieadres; ontvanger; afnemer; koper; gefactureerd aan; customer details; buyer details; client details; billed to party; received with thanks from`,
	labelParty:          `party a; party b; party 1; party 2; party one; party two; first party; second party; landlord; tenant; lessor; lessee; employer; employee; contractor; consultant; licensor; licensee; lender; borrower; provider; vermieter; vermieterin; mieter; mieterin; arbeitgeber; arbeitnehmer; auftragnehmer; auftragnehmerin; vertragspartner; bailleur; locataire; arrendador; arrendatario; disclosing party; receiving party; franchisor; franchisee; insurer; insured; policyholder; party; locatore; conduttore; datore di lavoro; lavoratore; committente; appaltatore; verhuurder; huurder; werkgever; werknemer; opdrachtgever; opdrachtnemer; licentiegever; licentienemer; auftraggeberin; darlehensgeber; darlehensnehmer; lizenzgeber; lizenznehmer; employeur; salarie; prestataire; empleador; trabajador; arrendataria; arrendadora; seller; buyer; vendor; purchaser; client; customer; supplier; service provider; guarantor`,
	labelHolder:         `account holder; account owner; account name; name of account holder; primary account holder; kontoinhaber; kontoinhaberin; depotinhaber; titulaire; titulaire du compte; titular; titular de la cuenta; prepared for; statement prepared for; customer name; name; intestatario; intestatario conto; intestato a; intestatario del conto; rekeninghouder; naam rekeninghouder; titulaires; account holders; account owners; account in the name of; depotkunde; client name; titular del contrato`,
	labelInstitution:    `bank; bank name; name of bank; financial institution; kreditinstitut; custodian; broker; banque; banco; istituto; banca; bank naam; depotbank; etablissement; entidad`,
	labelGrandTotal:     `grand total; invoice total; total invoice amount; total amount; total amount due; total due; total payable; total price; order total; amount payable; total to pay; total incl vat; total including vat; total inc vat; total inc tax; total incl tax; total including tax; total incl gst; total inc gst; total (inc. vat); total with tax; total gross; gross total; gross amount; total charges; total cost; sum total; net payable; gesamtbetrag; gesamtsumme; rechnungsbetrag; rechnungssumme; endbetrag; zahlbetrag; bruttobetrag; gesamt brutto; brutto; gesamtbetrag brutto; summe brutto; gesamtpreis; endsumme; total ttc; montant total; montant ttc; net a payer; total a payer; importe total; total a pagar; total factura; total general; invoice amount; amount total; charged amount; amount charged; zu zahlen; zu zahlender betrag; to pay; total to be paid; total credit note; total credit amount; total inclusive of vat; total inc gst; total including gst; balance payable; total aud; total for this order; order grand total; invoice total due; gesamttotal; totalbetrag; rechnungstotal; total rechnung; zu bezahlen; zu bezahlender betrag; zahlbetrag; summe inkl mwst; gesamtbetrag inkl mwst; total inkl mwst; totale; totale fattura; totale documento; totale da pagare; totale dovuto; importo totale; totale complessivo; totale ivato; netto a pagare; importo da pagare; totale euro; totaal te betalen; te betalen; te voldoen; totaalbedrag; factuurbedrag; factuurtotaal; totaal incl btw; totaal inclusief btw; totaal incl; eindtotaal; eindbedrag; totale bedrag; att betala; a betale; total geral; valor total; montant du; total general a pagar; importe total a pagar; total con iva; montant total ttc; total general ttc; somme a payer`,
	labelTotal:          `total; totals; summe; gesamt; betrag; montant; importe; amount; total sale; sum; totaal; som; importo; bedrag; total general a; somma`,
	labelAmountDue:      `amount due; balance due; balance; amount owing; outstanding balance; remaining balance; total outstanding; balance outstanding; pay this amount; offener betrag; restbetrag; noch zu zahlen; solde du; reste a payer; saldo pendiente; new balance due; saldo dovuto; openstaand bedrag; openstaand saldo; nog te betalen; restant du; montant restant du; restant a payer; importe pendiente; saldo a pagar; total balance due; balance to pay; noch offen; offener rechnungsbetrag`,
	labelSubtotal:       `subtotal; sub total; sub-total; net total; total net; net amount; net; total before tax; total excl vat; total ex vat; total excluding vat; total excl tax; total excluding tax; amount before tax; taxable amount; zwischensumme; nettobetrag; netto; summe netto; gesamt netto; nettosumme; gesamtbetrag netto; warenwert; sous-total; sous total; total ht; montant ht; total hors taxe; base imponible; subtotal sin iva; merchandise subtotal; items subtotal; item subtotal; taxable value; total taxable value; net subtotal; subtotal excl vat; subtotal ex vat; subtotal excl tax; net value; total net amount; net amount excl vat; item(s) subtotal; zwischentotal; summe positionen; summe der positionen; gesamtsumme netto; gesamtnetto; rechnungsbetrag netto; total netto; nettowert; imponibile; totale imponibile; totale netto; totale merce; subtotale; netto imponibile; subtotaal; totaal excl btw; totaal exclusief btw; totaal excl; bedrag excl btw; nettobedrag; total net ht; montant net ht; total bruto; base; importe neto; total base imponible; total neto; delsumma; netto belopp; subtotaal excl btw`,
	labelTax:            `tax; sales tax; vat; vat amount; gst; hst; pst; gst/hst; tax amount; total tax; total vat; value added tax; state tax; local tax; mwst; mwst-betrag; mehrwertsteuer; umsatzsteuer; ust; steuer; zzgl mwst; zzgl ust; zzgl umsatzsteuer; enthaltene mwst; inkl mwst; mwst gesamt; steuerbetrag; tva; montant tva; total tva; iva; igic; importe iva; cuota iva; estimated tax; tax total; total gst; total hst; total gst/hst; total sales tax; total mwst; total ust; total tva; total btw; total iva; consumption tax; igst; cgst; sgst; utgst; total igst; qst; gst/qst; goods and services tax; mwst betrag; ust-betrag; umsatzsteuerbetrag; mehrwertsteuerbetrag; total mehrwertsteuer; importo iva; totale iva; totale imposta; imposta; btw; btw-bedrag; btw bedrag; totaal btw; moms; momsbelopp; montant de la tva; montant tva; taxe; taxes; tps; tvq; impuestos; impuesto; cuota`,
	labelDiscount:       `discount; less discount; rabatt; nachlass; skonto; remise; descuento; promotion; coupon; savings; total discount; sconto; korting; discount applied; promotion applied; order discount; coupon discount; your discount; abzuglich rabatt; abzgl rabatt; preisnachlass; rabat; ristourne; dto`,
	labelShipping:       `shipping; shipping & handling; shipping and handling; shipping cost; freight; delivery; delivery charge; delivery fee; postage; versand; versandkosten; porto; lieferkosten; frais de port; livraison; gastos de envio; envio; handling; tip; gratuity; trinkgeld; service charge; service fee; pourboire; propina; spese di spedizione; spese spedizione; spedizione; trasporto; verzendkosten; verzending; bezorgkosten; porto und verpackung; porto & verpackung; versandkostenpauschale; frais de livraison; frais d'envoi; transport; portes; postage & packing; p&p; delivery charges; shipping charges; shipping fee; shipping charge; servizio; coperto; fooi; bediening; mancia`,
	labelPaid:           `amount paid; paid; total paid; payment received; payments; payment; less payments; deposit; amount received; amount tendered; tendered; cash; cash tendered; change; change due; bezahlt; gezahlt; bereits gezahlt; anzahlung; gegeben; bar; ruckgeld; gegeben bar; montant paye; acompte; importe pagado; anticipo; visa; mastercard; amex; debit card; credit card; ec-karte; kartenzahlung; girocard; kreditkarte; contactless; pagato; gia pagato; acconto; contanti; contante; resto; carta di credito; bancomat; pagamento elettronico; betaald; reeds betaald; aanbetaling; voldaan; contant; pin; pinpas; wisselgeld; terug; acompte verse; deja paye; deja regle; regle; especes; carte bancaire; rendu; efectivo; tarjeta; cambio; entregado; maestro; ec karte; amount paid to date; payments made; paid to date; credit applied; credits applied; bereits bezahlt; anzahlung erhalten; erhaltene anzahlung`,
	labelOpening:        `opening balance; beginning balance; starting balance; previous balance; balance brought forward; brought forward; balance forward; balance b/f; anfangssaldo; anfangsbestand; alter saldo; alter kontostand; saldo alt; saldovortrag; kontostand alt; solde initial; ancien solde; solde precedent; saldo inicial; saldo anterior; opening balance on; saldo iniziale; saldo precedente; saldo di apertura; saldo contabile iniziale; beginsaldo; vorig saldo; vorige saldo; openingssaldo; opening ledger balance; opening cash balance; balance at start; balance at start of period; balance at beginning of period; starting account value; saldo al inicio; solde anterieur; ancien solde crediteur; solde au debut; previous statement balance; alter kontostand vom`,
	labelClosing:        `closing balance; ending balance; final balance; new balance; balance carried forward; carried forward; balance c/f; statement balance; current balance; endsaldo; schlusssaldo; neuer saldo; neuer kontostand; saldo neu; endbestand; kontostand neu; kontostand; solde final; nouveau solde; saldo final; saldo nuevo; closing balance on; saldo finale; saldo di chiusura; saldo contabile finale; saldo attuale; nuovo saldo; eindsaldo; nieuw saldo; huidig saldo; slotsaldo; closing ledger balance; balance at end; balance at end of period; balance at close; nouveau solde crediteur; solde a la fin; saldo al final; your new balance; new statement balance`,
	labelTotalValue:     `total value; total market value; portfolio value; total portfolio value; account value; total account value; total holdings; total assets; net asset value; gesamtwert; depotwert; depotbestand; kurswert gesamt; valeur totale; valor total; total portfolio; ending account value; ending value; valore totale; controvalore totale; totale portafoglio; valore del portafoglio; valore portafoglio; totale waarde; totale waarde portefeuille; waarde portefeuille; portefeuillewaarde; totaal portefeuille; gesamtkurswert; depotgesamtwert; gesamtdepotwert; summe kurswert; valorisation totale; valeur du portefeuille; total portefeuille; valor total de la cartera; valor de la cartera; value of portfolio; total investments; total securities; total account`,
	labelCurrency:       `currency; wahrung; devise; moneda; currency code; account currency; valuta; divisa; munt; valuta conto; devise du compte; kontowahrung; moeda; currency of account; base currency; reference currency`,
	labelPayment:        `payment method; method of payment; paid with; paid via; payment type; paid using; zahlungsart; zahlart; zahlungsmethode; mode de paiement; forma de pago; metodo de pago; tender; card type; metodo di pagamento; modalita di pagamento; modalita pagamento; tipo pagamento; betaalmethode; betaalwijze; betaalmiddel; betalingswijze; moyen de paiement; reglement; mode de reglement; payment by; paid in; medio de pago; bezahlt mit; bezahlt per; zahlung mit; zahlungsmittel`,
	labelTaxYear:        `tax year; taxable year; for calendar year; calendar year; for the year; steuerjahr; veranlagungszeitraum; veranlagungsjahr; kalenderjahr; annee fiscale; ejercicio; for tax year; year; anno; anno fiscale; anno d'imposta; belastingjaar; jaar; annee des revenus; bescheinigungsjahr; jahr`,
	labelPayer:          `payer's name; payer name; employer's name; employer name; employer's name address and zip code; payer; c employer's name address and zip code; payer's name street address city or town state or province country zip or foreign postal code and telephone no; payer's name street address; trustee's/payer's name; filer's name; recipient's/lender's name; sostituto d'imposta; arbeitgeber; employer; name of employer; employer's full name; payor; payor's name; inhoudingsplichtige; employeur`,
	labelRecipient:      `recipient's name; recipient name; employee's name; employee name; employee's first name and initial; e employee's first name and initial; taxpayer name; name of taxpayer; name shown on return; your name; student's name; payer's/borrower's name; your first name and middle initial; arbeitnehmer; employee; name of employee; employee name; arbeitnehmerin; steuerpflichtiger; contribuable; contribuyente; percipiente; werknemer; employee's full name; beneficiary's name; borrower's name`,
	labelTitle:          `title; subject; re; betreff; objet; asunto; topic; thema; oggetto; onderwerp; tema; sujet`,
	labelOther: `ship to; shipped to; shipping address; deliver to; delivery address; ship from; ship via; ship date; shipping date; delivery date; date of delivery; date of birth; date of supply; date shipped; lieferdatum; lieferadresse; lieferanschrift; leistungsdatum; geburtsdatum; livrer a; adresse de livraison; enviar a; fecha de entrega; fecha de nacimiento; date de livraison; date de naissance;
		phone; telephone; tel; tel no; mobile; fax; fax no; e-mail; email; web; website; url; www; telefon; telefax; internet; telefono; address; adresse; anschrift; direccion; attn; c/o; zip code; city; state; country; contact; contact person; contact name; ansprechpartner; ansprechpartnerin; sachbearbeiter; sales person; salesperson; sales rep; account manager;
		vat no; vat number; vat id; vat reg no; vat registration no; vat registration number; tax id; tax no; tax number; tax id no; tax reg no; ein; federal tax id; abn; gstin; gst no; gst number; ust-idnr; ust-id; ust-id-nr; ust-idno; ustid; steuernummer; steuer-nr; st-nr; steuer-id; siret; siren; rcs; tva intracommunautaire; no tva; no de tva; nif; cif; nif/cif; company no; company number; company registration no; registration no; registration number; handelsregister; hrb; amtsgericht; geschaftsfuhrer; geschaftsfuhrung; registergericht; sitz der gesellschaft; license no; dl no;
		bic; swift; swift code; bic/swift; swift/bic; sort code; routing no; routing number; aba; blz; bankleitzahl; bankverbindung; bank details; payment details; payment information; payment instructions; zahlungsinformationen; mandatsreferenz; glaubiger-id; verwendungszweck; coordonnees bancaires; domiciliation; datos bancarios;
		terms; payment terms; terms of payment; net terms; terms & conditions; terms and conditions; zahlungsbedingungen; zahlungskonditionen; conditions de paiement; condiciones de pago; notes; note; comments; remarks; message; memo; bemerkung; bemerkungen; hinweis; anmerkung; notas; remarques; thank you; page; seite; pagina; copy; original;
		original invoice; original invoice no; original invoice number; previous invoice; previous invoice no; last invoice; related invoice; credit for invoice; reference invoice; ref invoice; invoice period; invoice currency; invoice status; invoice details; invoice summary; invoice type; invoice items; rechnungskorrektur zu; ursprungliche rechnung; stornorechnung zu; status;
		description; item; items; item description; item no; item number; product; article; artikel; artikel-nr; artikelnummer; beschreibung; bezeichnung; leistung; designation; descripcion; concepto; concept; qty; quantity; menge; anzahl; quantite; cantidad; unit; units; einheit; unit price; unit cost; price; rate; preis; einzelpreis; stuckpreis; e-preis; ep; gp; prix; prix unitaire; precio; precio unitario; hours; hrs; stunden; line total; extended price; pos; position; sku; code; tax rate; vat rate; vat %; tax %; mwst %; ust %; taux; activity; service; services; project; projekt; projektnummer; proyecto; projet;
		debit; credit; debits; credits; withdrawals; deposits; money in; money out; paid in; paid out; soll; haben; valuta; wert; buchungstag; buchungstext; buchung; umsatz; transaction; transactions; details; particulars; wertstellung; total debits; total credits; total deposits; total withdrawals; deposits and additions; withdrawals and subtractions; minimum payment; minimum payment due; minimum amount due; credit limit; available credit; interest; interest paid; interest charged; fees; new charges; purchases; payments and credits; last payment; previous payment; total deposits and credits; total withdrawals and debits; average balance; interest rate; annual percentage yield;
		cashier; clerk; register; till; terminal; store #; store no; table; server; kasse; kassierer; kassierin; bediener; filiale; card; card no; card number; karte; kartennummer; aid; trace no; items sold; number of items; barcode; member; points; you saved; total savings; tse; tse-signatur; uhrzeit; time; hora; heure; zeit; tisch; caja; cajero; caissier; caisse; transaktion; loyalty;
		signature; signed; signed by; by; name and title; date signed; unterschrift; ort, datum; ort; place; place of performance; governing law; term; laufzeit; duration; notice period; kundigungsfrist; salary; compensation; rent; monthly rent; miete; kaltmiete; warmmiete; nebenkosten; kaution; security deposit; scope; scope of work; subject matter; gegenstand; object; version; revision;
		symbol; ticker; isin; wkn; cusip; security; shares; market value; cost basis; gain/loss; unrealized gain/loss; stuck; kurs; kurswert; cash balance; asset class; allocation; sector; yield; attendees; participants; agenda; location; teilnehmer; tagesordnung; action items; decisions; from account; to account; total tax withheld; social security number; ssn; tin; payer's tin; recipient's tin; employer identification number; control number; omb no; account closed; void; corrected; cost center; kostenstelle; your reference; our reference; ihr zeichen; unser zeichen; ihre bestellung; your order; ihre nachricht; customer reference; kundenreferenz; reference of the customer; order reference; amount in words; in words; say; qr-code; statement no; statement number; auszug nr; auszug; blatt; kontoauszug nr; quote no; quote number; quotation no; estimate no; angebot nr; angebotsnummer; lieferschein nr; lieferscheinnummer; delivery note; delivery note no; packing slip; tracking no; tracking number; work order; job no; job number; case no; claim number; invoice to date; total hours; total qty; total quantity; total items; total number of items; total weight; total discount amount; total shares; customer service; customer support; customer care; client services; tax invoice; tax exempt; from date; to date; date range; due upon receipt; due on receipt; payment due upon receipt; total amount paid; bill to account; amount enclosed; amount in; amount applied; balance sheet; account type; account summary; account details; account activity; account manager; account services; account information; store hours; store manager; store location; provider number; employee id; employee no; employee number; personalnummer; arbeitsbeginn; arbeitsort; last name; first name; suff; middle initial; nachname; vorname; zip or foreign postal code; dependent care benefits;
		attention; auth code; authorization code; approval code; terminal-id; terminal id; trace-nr; genehmigungs-nr; batch no; batch number; mode of payment; mode/terms of payment; dispatch document no; eway bill no; e-way bill no; place of supply; amount chargeable; amount chargeable in words; taxable amount in words; account name for payment; amount including tax in words;
		telefono cellulare; cellulare; sito web; pec; partita iva; p.iva; p iva; codice fiscale; cod fiscale; c.f; codice sdi; codice destinatario; rea; indirizzo; indirizzo di spedizione; indirizzo di consegna; spedire a; luogo di consegna; data consegna; data di consegna; data di nascita; coordinate bancarie; dati bancari; iban beneficiario; causale; note aggiuntive; condizioni di pagamento; termini di pagamento; pagina no; descrizione; quantita; prezzo; prezzo unitario; aliquota; aliquota iva; unita di misura; u.m; articolo; codice articolo; riferimento; vostro riferimento; nostro riferimento; vs rif; ns rif; ddt; ddt no; firma; luogo e data; luogo; data valuta; dare; avere; entrate; uscite; valore; titolo; controvalore; sede legale; capitale sociale;
		telefoon; tel nr; adres; afleveradres; bezorgadres; verzendadres; leveringsadres; leverdatum; leveringsdatum; geboortedatum; btw-nummer; btw-nr; btw nummer; btw nr; btw-id; btw id; kvk; kvk-nummer; kvk nummer; kvk-nr; kvk nr; handelsregister; bankgegevens; betalingsvoorwaarden; betaalkenmerk; betalingskenmerk; betreft; uw referentie; onze referentie; uw kenmerk; ons kenmerk; kenmerk; referentie; omschrijving; aantal; prijs; stukprijs; eenheidsprijs; artikelnummer nr; eenheid; btw-tarief; btw tarief; btw %; opmerkingen; opmerking; handtekening; plaats; plaats en datum; bij; af; koers; waarde; stuks; contactpersoon; t.a.v; ter attentie van; pagina nr; locatie; aanwezig; afwezig; agendapunten; actiepunten;
		retencion; retencion irpf; irpf; recargo de equivalencia; rundung; rounding; rounding adjustment; rundungsdifferenz; ecotax; mandat; loi applicable; zahlungsbedingungen und hinweise; erlauterung; lieferschein; lieferschein nr; ihre bestellung/datum; belegnummer/datum; material; unsere referenz; ihre referenz; identifikationsnummer; sozialversicherungsnummer; steuerklasse; geburtsdatum des arbeitnehmers; bescheinigungszeitraum; finanzamt; anschrift des arbeitgebers; payer's federal identification number; federal id; state id no; state tax id; employer's state id number; locality name; statutory employee; retirement plan; third-party sick pay; number of transactions; number of withdrawals; number of deposits; electronic withdrawals; electronic deposits; checks paid; atm withdrawals; atm & debit card withdrawals; other withdrawals; service charges; overdraft fees; reward points; points earned; rewards balance; cash advances; balance transfers; past due amount; past due; credit line; days in billing cycle; available for cash; cost price; estimated annual income; trade date; settlement date; accrued interest; cash and equivalents; equities; fixed income; bonds; etfs; mutual funds; fees charged; interest charges; last 4 digits; last digits; condition; tracking; gift card; gift card amount; total for this shipment; premises; property; property address; rent amount; late fee; late fees; pets; utilities; guests allowed; notice; notices; counterparts; severability; confidentiality; indemnification; purpose; services to be provided; deliverables; milestones; fee; work location; job title; working hours; probation; probation period; holiday entitlement`,
}

// lexicon maps every wording to the kinds it may announce.
var lexicon = sync.OnceValue(func() map[string][]labelKind {
	phrases := map[string][]labelKind{}
	for _, kind := range slices.Sorted(maps.Keys(labelPhrases)) {
		list := labelPhrases[kind]
		for phrase := range strings.SplitSeq(list, ";") {
			if key := phraseKey(phrase); key != "" {
				phrases[key] = append(phrases[key], kind)
			}
		}
	}
	return phrases
})

// FieldsCalled are the fields that a label announces, "amount" for every kind of
// total; none for words that are no label.
func FieldsCalled(words string) []string {
	var fields []string
	for _, kind := range lexicon()[phraseKey(words)] {
		switch kind {
		case labelGrandTotal, labelTotal, labelAmountDue:
			fields = append(fields, "amount")
		case labelInvoiceDate:
			fields = append(fields, "date")
		default:
			fields = append(fields, string(kind))
		}
	}
	return fields
}

// longestPhrase is the number of words looked at when a label is matched.
const longestPhrase = 9

// matchLabel finds the longest label that starts at the position; length is its number of
// tokens. A colon ends a label: words after one are not part of it.
func matchLabel(tokens []token, at int) (kinds []labelKind, length int) {
	var phrase strings.Builder
	for end := at; end < len(tokens) && end-at < longestPhrase; end++ {
		if end > at {
			phrase.WriteByte(' ')
		}
		if tokens[end].norm == "" {
			break
		}
		phrase.WriteString(tokens[end].norm)
		if found := lexicon()[phrase.String()]; found != nil {
			kinds, length = found, end-at+1
		}
		if tokens[end].colon {
			break
		}
	}
	if length == 0 && at < len(tokens) && isCompound(tokens[at].norm) {
		return []labelKind{labelOther}, 1
	}
	return kinds, length
}

// isCompound recognises words that are labels by their last part, in the languages that
// write them as one: "Vorgangsnummer", "Zustelldatum", "polisnummer".
func isCompound(word string) bool {
	for _, part := range []string{"nummer", "datum", "adresse", "zeichen", "betrag", "bedrag", "kennung", "kenmerk"} {
		if len(word) > len(part)+2 && strings.HasSuffix(word, part) {
			return true
		}
	}
	return false
}
