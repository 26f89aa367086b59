package document

import (
	"math"
	"slices"
	"strings"
	"time"

	"toolkit/tools/engines/document/value"
)

// Labels of payslips; their wordings are in fixtures/words/documents/pay.txt.
const (
	labelEmployer   labelKind = "employer_name"
	labelEmployee   labelKind = "employee_name"
	labelGrossPay   labelKind = "gross_pay"
	labelNetPay     labelKind = "net_pay"
	labelPayOut     labelKind = "pay_out"
	labelIncomeTax  labelKind = "income_tax"
	labelSocial     labelKind = "social_security"
	labelDeductions labelKind = "deductions"
)

// wages votes for a payslip and for a paper of taxes by what stands at the head and by
// amounts that only such papers have. A title alone does not make a payslip: a bookkeeper's
// invoice lists payslips as its goods.
func (votes *ballot) wages(read *form, seen map[labelKind]bool) {
	if seen[labelInvoiceNumber] || seen[labelReceiptNumber] || len(read.pages) == 0 || len(read.pages) > 6 {
		return
	}
	if title, _, ok := read.titled(taxTitles()); ok {
		votes.vote(KindTaxForm, 4.5, "name of a tax paper %q", title.text)
	}
	title, _, titled := read.titled(payTitles())
	paper := read.as(payLexicon())
	said := func(kind labelKind) bool {
		for found := range paper.labelled(kind) {
			if len(paper.figures(found, false)) > 0 {
				return true
			}
		}
		return false
	}
	gross, net := said(labelGrossPay), said(labelNetPay) || said(labelPayOut)
	kept := said(labelIncomeTax) || said(labelSocial) || said(labelDeductions)
	named := len(paper.find(labelEmployee, paper.roleName)) > 0
	if !titled && !(gross && net && kept && named) || !gross && !net {
		return
	}
	if titled {
		votes.vote(KindPayslip, 4, "title %q", title.text)
	}
	for _, entry := range []struct {
		said  bool
		worth float64
		text  string
	}{{gross, 2, "gross pay"}, {net, 2, "net pay"}, {kept, 1.5, "tax or insurance"}, {named, 1, "an employee"}} {
		if entry.said {
			votes.vote(KindPayslip, entry.worth, "%s", entry.text)
		}
	}
}

// payslip reads who pays whom for which time, and the amounts that go together.
func (result *extraction) payslip() {
	read := result.form
	result.nameField("employer_name", labelEmployer)
	result.employee()
	result.letterhead("employer_name")
	if name, _ := result.values["employer_name"].(string); result.has("employee_name") && strings.EqualFold(name, result.values["employee_name"].(string)) {
		result.drop("employer_name", "employee_name")
	}
	result.addressee("employee_name", "employer_name")
	result.dateField("date", labelDate)
	result.payPeriod()
	slip := read.pay()
	for key, item := range map[string]figure{"gross_pay": slip.gross, "net_pay": slip.net, "income_tax": slip.tax, "social_security": slip.social, "deductions": slip.deductions} {
		if item.Value > 0 {
			result.set(key, item.Value, read.figureSource(item))
		}
	}
	if result.currencyField(money{found: found{label: slip.net.label}, amount: slip.net.Amount}, false); !result.has("currency") && slip.net.label.currency != "" {
		result.set("currency", slip.net.label.currency, read.figureSource(slip.net))
	}
}

// employee is who a label names, else the one person who is addressed with a title.
func (result *extraction) employee() {
	if result.nameField("employee_name", labelEmployee); result.has("employee_name") {
		return
	}
	result.addressed("employee_name")
}

// addressed sets the one person who is spoken to: "Frau Ines Götz", or the title alone with
// the name below it.
func (result *extraction) addressed(key string) {
	read := result.form
	names := map[string]Source{}
	for at := range read.cells(1, every) {
		next := read.candidateOf(at, read.tokens[at])
		words := strings.Fields(next.text)
		if len(words) == 0 || !isSalutation(words[0]) || read.isLabel(at) {
			continue
		}
		if isSalutation(next.text) {
			below, ok := read.inColumn(at, at.line+1)
			if !ok || read.isLabel(below) {
				continue
			}
			next = read.candidateOf(below, read.tokens[below])
		} else if len(words) > 6 || len(words) < 3 || !slices.ContainsFunc(words[1:], startsUpper) {
			continue
		}
		if name := read.nameText(next); name != "" && wordDigits(name) == 0 && len(strings.Fields(name)) > 1 && !hasCompanySuffix(name) {
			names[name] = read.source(next.at)
		}
	}
	result.only(key, names)
}

// payPeriod is the pair of days of a label, else the month that a label or the title names.
func (result *extraction) payPeriod() {
	read := result.form
	if result.periodField("period_start", "period_end") {
		return
	}
	month := func(next candidate) bool { _, _, ok := monthOf(next.text); return ok }
	for _, item := range read.find(labelPeriod, month) {
		result.month(item.candidate)
		return
	}
	if _, rest, ok := read.titled(payTitles()); ok && month(rest) {
		result.month(rest)
	}
}

func (result *extraction) month(of candidate) {
	first, last, _ := monthOf(of.text)
	result.setPeriod(first, last, Source{Page: of.page, Line: of.line})
}

// monthOf reads a month and its year, in words or in figures, as its first and last day.
func monthOf(text string) (first, last string, ok bool) {
	text = strings.Trim(text, " –—-:·|,()")
	date, ok := value.ParseDate("1 "+text, value.DayFirst)
	if !ok && !strings.ContainsAny(text, " ") {
		date, ok = value.ParseDate("01/"+strings.ReplaceAll(text, ".", "/"), value.DayFirst)
	}
	start, err := time.Parse(time.DateOnly, date.ISO)
	if !ok || err != nil || start.Day() != 1 {
		return "", "", false
	}
	return date.ISO, start.AddDate(0, 1, -1).Format(time.DateOnly), true
}

// pay are the amounts of a payslip; those that are not certain are zero.
type pay struct{ gross, net, tax, social, deductions figure }

// pay finds the gross and the net sum and what lies between them. Sums that what was kept
// proves are taken before others; where nothing proves them, labels that agree are believed
// as long as no more was paid than earned.
func (read *form) pay() (slip pay) {
	later := read.laterColumns()
	gross := read.rowsOf(labelGrossPay, later)
	var net []figure
	if net = read.rowsOf(labelPayOut, later); len(net) == 0 {
		net = read.rowsOf(labelNetPay, later)
	}
	deductions := read.rowsOf(labelDeductions, later)
	proven := false
	for _, whole := range gross {
		for _, left := range net {
			if read.proves(whole, left, deductions, later) && !proven {
				slip.gross, slip.net, proven = whole, left, true
			}
		}
	}
	if !proven {
		slip.gross, _ = distinct(gross)
		slip.net, _ = distinct(net)
		if slip.gross.Value > 0 && slip.net.Value > slip.gross.Value {
			return pay{}
		}
	}
	slip.tax = read.part(labelIncomeTax, slip, later)
	slip.social = read.part(labelSocial, slip, later)
	if whole, ok := distinct(deductions); ok && near(slip.gross.Value-math.Abs(whole.Value), slip.net.Value) {
		whole.Value = math.Abs(whole.Value)
		slip.deductions = whole
	}
	if slip.gross.Value > 0 && slip.net.Value > 0 && slip.tax.Value+slip.social.Value > slip.gross.Value-slip.net.Value+0.015 {
		slip.tax, slip.social = figure{}, figure{}
	}
	return slip
}

// proves tells whether what was kept is what lies between two sums: as one sum, or as the
// rows between them.
func (read *form) proves(gross, net figure, deductions, later []figure) bool {
	kept := gross.Value - net.Value
	if kept < 0 || net.Value <= 0 {
		return false
	}
	for _, item := range deductions {
		if near(math.Abs(item.Value), kept) {
			return true
		}
	}
	if gross.at.page != net.at.page || gross.at.line >= net.at.line {
		return false
	}
	sum := 0.0
	for index := gross.at.line + 1; index < net.at.line; index++ {
		sum += read.keptAt(gross.at.page, index, later)
	}
	return near(sum, kept)
}

// keptAt is what a row takes off, 0 for rows of other things.
func (read *form) keptAt(page, line int, later []figure) float64 {
	at := place{page, line, 0}
	row := label{at: at, kinds: []labelKind{labelOther}, right: read.cell(at).Right}
	for _, found := range read.labeled[at] {
		if found.is(labelOther) || found.is(labelNetPay) || found.is(labelDeductions) || found.is(labelGrossPay) {
			return 0
		}
	}
	item, _ := read.current(read.figures(row, false), later)
	return math.Abs(item.Value)
}

// part is the one amount of a kind that is no more than was kept.
func (read *form) part(kind labelKind, slip pay, later []figure) figure {
	var items []figure
	most := math.Inf(1)
	if slip.gross.Value > 0 && slip.net.Value > 0 {
		most = slip.gross.Value - slip.net.Value + 0.015
	}
	for found := range read.labelled(kind) {
		row := read.figures(found, false)
		item, ok := read.current(row, later)
		if !ok {
			item, ok = product(row)
		}
		if ok {
			items = append(items, item)
		}
	}
	item, ok := distinct(items)
	item.Value = math.Abs(item.Value)
	if !ok || item.Value > most || slip.gross.Value == 0 && slip.net.Value == 0 {
		return figure{}
	}
	return item
}

// product is the amount of a row that two numbers before it make: a base and a rate.
func product(row []figure) (figure, bool) {
	if len(row) != 3 || math.Abs(row[0].Value*row[1].Value/100-math.Abs(row[2].Value)) > 0.02 {
		return figure{}, false
	}
	return row[2], true
}
