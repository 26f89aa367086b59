package einvoice

import (
	"context"
	"encoding/xml"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"toolkit/fixtures"
	"toolkit/internal/reader/xmltree"
)

type (
	element = xmltree.Element
	found   = xmltree.Found
)

// Invoice is what a file says.
type Invoice struct {
	Syntax   string            // CII, UBL or FatturaPA
	Profile  string            // as the file names it, "" for none
	Element  string            // path of the element that is the invoice
	Credit   bool              // it takes back what an invoice asked for; its amounts are negative
	Fields   map[string]any    // texts, numbers, dates as YYYY-MM-DD, lists of objects
	Elements map[string]string // path of the element that says a field
	Warnings []string          // sums that do not add up, what was left out
}

// syntax is one of the formats, by the root element of its files.
type syntax struct{ name, lists string }

func syntaxOf(root xml.Name) syntax {
	for _, line := range lists()["roots"] {
		words := strings.Fields(line)
		if words[0] == root.Local && (len(words) == 2 || strings.HasPrefix(root.Space, words[2])) {
			return syntax{words[1], strings.ToLower(words[1])}
		}
	}
	return syntax{}
}

// IsInvoiceRoot reports whether files with such a root element are read.
func IsInvoiceRoot(root xml.Name) bool { return syntaxOf(root).name != "" }

// IsInvoiceFileName reports whether a file attached to a PDF has a name that is laid down for the invoice.
func IsInvoiceFileName(file string) bool {
	return slices.Contains(lists()["names"], strings.ToLower(file))
}

var lists = sync.OnceValue(func() map[string][]string { return fixtures.WordLists("einvoices") })

// coded are the lines of a list of codes with their meanings.
var coded = sync.OnceValue(func() map[string]map[string]string {
	tables := map[string]map[string]string{}
	for _, name := range []string{"units", "means", "terms", "cii names"} {
		tables[name] = map[string]string{}
		for _, line := range lists()[name] {
			code, meaning, _ := strings.Cut(line, " ")
			tables[name][code] = meaning
		}
	}
	return tables
})

func appendInvoice(ctx context.Context, of syntax, root *element, before []*Invoice) ([]*Invoice, error) {
	r := &invoiceReader{of: of, root: root, invoice: &Invoice{Syntax: of.name, Element: root.Path(), Fields: map[string]any{}, Elements: map[string]string{}}}
	r.currency = r.fieldText("currency")
	r.readFields()
	if r.told == 0 && r.invoice.Fields["invoice_number"] == nil && r.invoice.Fields["amount"] == nil && r.invoice.Fields["amount_due"] == nil {
		return before, nil
	}
	if r.readLists(ctx); ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.warnOfMismatchedSums()
	r.interpretAndCleanFields()
	return append(before, r.invoice), nil
}

// invoiceReader turns the elements of a file into fields.
type invoiceReader struct {
	of       syntax
	root     *element
	currency string
	invoice  *Invoice
	cut      bool            // items were left out: what they add up to is not known
	told     int             // values that are not what they have to be
	abroad   map[string]bool // sums that are stated in another currency alone
}

// rule is a line of a table: a field, how it is read, and where.
type rule struct {
	field, kind string
	paths       [][][]xmltree.Step // stand in for each other; one that joins has several
}

var rules = sync.OnceValue(func() map[string][]rule {
	all := map[string][]rule{}
	for name, lines := range lists() {
		places := map[string]string{}
		of, _, _ := strings.Cut(name, " ")
		for _, line := range lists()[of+" places"] {
			place, path, _ := strings.Cut(line, " ")
			places[place] = expandPlaceInPath(path, places)
		}
		for _, line := range lines {
			all[name] = append(all[name], parseRule(line, places, strings.HasSuffix(name, " lists")))
		}
	}
	return all
})

func parseRule(line string, places map[string]string, table bool) rule {
	words := strings.Fields(line)
	r := rule{field: words[0], kind: "list"}
	words = words[1:]
	if !table && len(words) > 0 {
		r.kind, words = words[0], words[1:]
	}
	paths := [][]xmltree.Step{}
	for _, word := range words {
		if word == "|" {
			r.paths, paths = append(r.paths, paths), [][]xmltree.Step{}
			continue
		}
		paths = append(paths, xmltree.ParseSteps(expandPlaceInPath(word, places)))
	}
	r.paths = append(r.paths, paths)
	return r
}

func expandPlaceInPath(path string, places map[string]string) string {
	if name, is := strings.CutPrefix(path, "$"); is {
		name, rest, _ := strings.Cut(name, "/")
		if rest == "" {
			return places[name]
		}
		return places[name] + "/" + rest
	}
	return path
}

// fieldText is the text of a field, whatever else it has to be.
func (r *invoiceReader) fieldText(field string) string {
	for _, rule := range rules()[r.of.lists] {
		if rule.field == field {
			value, _ := r.readValue(r.root, rule)
			text, _ := value.(string)
			return text
		}
	}
	return ""
}

func (r *invoiceReader) readFields() {
	for _, rule := range rules()[r.of.lists] {
		if r.invoice.Fields[rule.field] != nil {
			continue
		}
		if value, by := r.readValue(r.root, rule); value != nil {
			r.invoice.Fields[rule.field], r.invoice.Elements[rule.field] = value, by.Path()
		}
	}
}

func (r *invoiceReader) readLists(ctx context.Context) {
	for _, rule := range rules()[r.of.lists+" lists"] {
		var items []map[string]any
		for _, one := range r.findFirstMatches(r.root, rule) {
			if ctx.Err() != nil {
				return
			}
			if len(items) == mostItems {
				r.cut = true
				r.warn("only the first %d of the %s were read", mostItems, strings.ReplaceAll(rule.field, "_", " "))
				break
			}
			if item := r.readListItem(one.Element, rule.field); len(item) > 0 {
				items = append(items, item)
				if len(items) == 1 {
					r.invoice.Elements[rule.field] = one.Path()
				}
			}
		}
		if len(items) > 0 {
			r.invoice.Fields[rule.field] = items
		}
	}
}

func (r *invoiceReader) readListItem(of *element, list string) map[string]any {
	item := map[string]any{}
	for _, rule := range rules()[r.of.lists+" "+list] {
		if value, _ := r.readValue(of, rule); value != nil {
			item[rule.field] = value
		}
	}
	if list == "line_items" {
		state, _ := item["state"].(string)
		if slices.Contains(lists()["uncounted"], state) || item["description"] == nil && item["amount"] == nil {
			return nil // a heading or a remark between lines
		}
		delete(item, "state")
	}
	if list == "tax_breakdown" && item["base"] == nil && item["tax"] == nil {
		return nil // stated in another currency
	}
	return item
}

// findFirstMatches returns the elements of the first of a rule's paths that leads to any with a value.
func (r *invoiceReader) findFirstMatches(from *element, of rule) []found {
	for _, paths := range of.paths {
		list := from.FindAll(paths[0])
		if of.kind != "list" && of.kind != "address" {
			list = slices.DeleteFunc(list, func(one found) bool { return one.Value == "" })
		}
		if len(list) > 0 {
			return list
		}
	}
	return nil
}

// readValue reads a field, and returns the element that says it. It is nil where none does, or
// where several do and do not agree.
func (r *invoiceReader) readValue(from *element, of rule) (value any, by found) {
	if of.kind == "joined" || of.kind == "words" {
		return r.joinTexts(from, of)
	}
	list := r.findFirstMatches(from, of)
	if len(list) == 0 {
		return nil, found{}
	}
	if of.kind == "amount" || of.kind == "sum" {
		stated := list[0]
		list = slices.DeleteFunc(slices.Clone(list), func(one found) bool {
			return r.currency != "" && one.Attribute("currencyID") != "" && one.Attribute("currencyID") != r.currency
		})
		if len(list) == 0 {
			if from == r.root {
				r.warnForeignCurrency(of.field, stated)
			}
			return nil, found{}
		}
	}
	var values []any
	for _, one := range list {
		if v := r.convert(one, of.kind); v != nil {
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return nil, found{}
	}
	by = list[0]
	switch of.kind {
	case "sum":
		total := 0.0
		for _, v := range values {
			total += v.(float64)
		}
		return roundToCents(total), by
	case "lines":
		texts := make([]string, len(values))
		for i, v := range values {
			texts[i] = v.(string)
		}
		return strings.Join(slices.Compact(texts), "; "), by
	case "first", "taxnumber":
		return values[0], by
	}
	if slices.ContainsFunc(values, func(v any) bool { return v != values[0] }) {
		return nil, found{}
	}
	return values[0], by
}

// joinTexts puts the texts of several elements together.
func (r *invoiceReader) joinTexts(from *element, of rule) (any, found) {
	var texts []string
	var by found
	for _, steps := range of.paths[0] {
		for _, one := range from.FindAll(steps) {
			if one.Value != "" {
				texts, by = append(texts, collapseSpaces(one.Value)), one
				break
			}
		}
	}
	if len(texts) < len(of.paths[0]) {
		return nil, found{}
	}
	if of.kind == "words" {
		return strings.Join(texts, " "), by
	}
	return strings.Join(texts, ""), by
}

func (r *invoiceReader) convert(one found, kind string) any {
	switch kind {
	case "date":
		day := parseDate(one.Value)
		if day == nil {
			r.warnUnreadable(one, "date")
		}
		return day
	case "amount", "number", "sum":
		if !decimal.MatchString(one.Value) {
			r.warnUnreadable(one, "number")
			return nil
		}
		number, _ := strconv.ParseFloat(one.Value, 64)
		return number
	case "taxnumber":
		if !strings.ContainsAny(one.Value, "0123456789") {
			return nil // "not registered", or what a country's law wants to be said there
		}
	case "unit":
		if word := coded()["units"][one.Value]; word != "" {
			return word
		}
		return one.Value
	case "address":
		return r.formatAddress(one.Element)
	}
	if entity.MatchString(one.Value) {
		r.warnUnreadable(one, "text: entities of a file's own are not expanded")
		return nil
	}
	return r.truncateText(collapseSpaces(one.Value))
}

// entity is a reference that was left as it stands.
var entity = regexp.MustCompile(`&[A-Za-z_][A-Za-z0-9_.-]*;`)

// mostUnread is how many values that are none are told of one invoice.
const mostUnread = 10

// warnUnreadable tells of a value that is not what its element has to be.
func (r *invoiceReader) warnUnreadable(one found, what string) {
	if one.Value == "" {
		return
	}
	if r.told++; r.told > mostUnread {
		return
	}
	warning := fmt.Sprintf("%s says %.60q, which is no %s, and was left out", one.Path(), one.Value, what)
	if !slices.Contains(r.invoice.Warnings, warning) {
		r.warn("%s", warning)
	}
}

// warnForeignCurrency tells of a sum that is stated in another currency alone.
func (r *invoiceReader) warnForeignCurrency(field string, stated found) {
	if r.abroad == nil {
		r.abroad = map[string]bool{}
	}
	if slices.Contains(Sums, field) && !r.abroad[field] {
		r.abroad[field] = true
		r.warn("%s is in %s, and the invoice in %s: %s was left out", stated.Path(), stated.Attribute("currencyID"), r.currency, strings.ReplaceAll(field, "_", " "))
	}
}

func (r *invoiceReader) truncateText(text string) string {
	if len(text) <= mostText {
		return text
	}
	if cut := fmt.Sprintf("a text of more than %d bytes was cut", mostText); !slices.Contains(r.invoice.Warnings, cut) {
		r.warn("%s", cut)
	}
	return strings.ToValidUTF8(text[:mostText], "")
}

// decimal is a number as XML has it, of a size that sums are exact at.
var decimal = regexp.MustCompile(`^[+-]?([0-9]{1,14}(\.[0-9]*)?|\.[0-9]+)$`)

// parseDate reads 20180605, 2018-06-05 and what follows it; nil for what is no day.
func parseDate(text string) any {
	if len(text) == len("20060102") {
		text = text[:4] + "-" + text[4:6] + "-" + text[6:]
	}
	if len(text) > len(time.DateOnly) && strings.ContainsAny(text[len(time.DateOnly):len(time.DateOnly)+1], "T+-Z") {
		text = text[:len(time.DateOnly)]
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil && day.Year() > 1 {
		return text
	}
	return nil
}

// formatAddress writes an address as one line.
func (r *invoiceReader) formatAddress(of *element) any {
	var parts []string
	for _, line := range lists()[r.of.lists+" address"] {
		var words []string
		for _, name := range strings.Fields(line) {
			for _, one := range of.FindAll(xmltree.ParseSteps(name)) {
				if one.Value != "" {
					words = append(words, collapseSpaces(one.Value))
				}
			}
		}
		if len(words) > 0 {
			parts = append(parts, strings.Join(words, " "))
		}
	}
	if len(parts) == 0 {
		return nil
	}
	return strings.Join(parts, ", ")
}

func collapseSpaces(text string) string { return strings.Join(strings.Fields(text), " ") }

func roundToCents(number float64) float64 { return math.Round(number*100) / 100 }

func (r *invoiceReader) warn(format string, arguments ...any) {
	r.invoice.Warnings = append(r.invoice.Warnings, fmt.Sprintf(format, arguments...))
}
