package reader

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
)

// Source tells where a field was found. Line counts the lines of text on the page; both
// count from 1 and are 0 for fields that do not come from a page. Element is the path of the
// element of a structured file that says it, such as "Invoice/LegalMonetaryTotal/PayableAmount".
// Box is where the value stands on the page of a PDF. OCR tells that the page was read from
// a picture.
type Source struct {
	Page    int    `json:"page,omitempty"`
	Line    int    `json:"line,omitempty"`
	Label   string `json:"label,omitempty"` // the kind of label that announced the value
	Element string `json:"element,omitempty"`

	Box layout.Place `json:"box,omitzero"`
	OCR bool         `json:"ocr,omitempty"`
}

// ExtractFields reads the named values of a document of the given kind (a result of Classify).
// Amounts are numbers, dates YYYY-MM-DD (the text as written where day and month cannot
// be told apart), names as written. A field that is not found for certain is absent.
// Sources has an entry for every field.
func ExtractFields(content *Content, kind string) (values map[string]any, sources map[string]Source) {
	result := extraction{content: content, values: map[string]any{}, sources: map[string]Source{}, tells: true}
	defer func() {
		if failure := recover(); failure != nil { // hostile text must cost fields, not the process
			values, sources = map[string]any{}, map[string]Source{}
		}
	}()
	result.readFields(kind)
	if content.mailedPaper != "" {
		result.setMailFields()
	}
	content.addSourceBoxes(result.values, result.sources)
	return result.values, result.sources
}

// extraction collects the fields of one document.
type extraction struct {
	content *Content
	form    *labeledPages
	slip    *tillSlip // of a receipt
	values  map[string]any
	sources map[string]Source
	tells   bool // what it is in doubt of becomes a warning

	balanceDays []string // of the opening and the closing balance, where their lines say them
}

func (result *extraction) readFields(kind string) {
	switch kind {
	case KindMessage, KindEvent, KindContact:
		result.setRecordFields(kind)
		return
	case KindDataset:
		result.setDatasetFields()
		return
	case KindStatement:
		if result.content.accounts != nil {
			result.setAccountFields()
			return
		}
	}
	switch {
	case result.content.invoice != nil && kind == kindOf(result.content.invoice):
		result.setInvoiceDataFields()
		return
	case kind == KindInvoice && result.content.hasInvoiceRecords():
		result.setRecordFields(kind)
		return
	}
	result.readPageFields(kind)
}

// readPageFields reads what the pages say, whatever the file says as data.
func (result *extraction) readPageFields(kind string) {
	result.form = newLabeledPages(result.content)
	for _, step := range fieldStepsForKind(kind) {
		step(result)
	}
}

// unreadFields is what is said of kinds of papers whose fields nobody reads here.
const unreadFields = "the fields of this paper are not read, but its whole text can be found; submit_payload takes what it says"

func (result *extraction) setField(key string, item any, source Source) {
	if text, ok := item.(string); ok && (strings.TrimSpace(text) == "" || hasUnreadMark(text)) {
		return
	}
	result.values[key] = item
	result.sources[key] = source
}

// locateText finds the line that holds a text, or at least its beginning.
func (result *extraction) locateText(text string) Source {
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

// hasUnreadMark reports whether a part of a text could not be read.
func hasUnreadMark(text string) bool { return strings.ContainsRune(text, utf8.RuneError) }

// itemList are the items of a field that has several, and where the first was found.
type itemList struct {
	items  []map[string]any
	source Source
}

func (list *itemList) addItem(item map[string]any, source Source) {
	if len(list.items) == 0 {
		list.source = source
	}
	for key, part := range item {
		if text, ok := part.(string); ok && hasUnreadMark(text) {
			delete(item, key)
		}
	}
	list.items = append(list.items, item)
}

func (result *extraction) setList(key string, list itemList) {
	if len(list.items) > 0 {
		result.setField(key, list.items, list.source)
	}
}

func (result *extraction) hasField(key string) bool { _, ok := result.values[key]; return ok }

// labelValue is a value read beside a label.
type labelValue struct {
	candidate
	label label
	text  string // the value as read by its kind
}

func (item labelValue) source() Source {
	return Source{Page: item.page, Line: item.line, Label: string(item.label.kinds[0])}
}

// findValues returns the values beside the labels of a kind, in order of the document.
func (read *labeledPages) findValues(kind labelKind, accepts acceptFunc) []labelValue {
	var items []labelValue
	for label := range read.labelsOfKind(kind) {
		if read.isDayOfAnotherPaper(label) {
			continue
		}
		if value, ok := read.findLabelValue(label, accepts); ok {
			label.kinds = []labelKind{kind} // of several the one that was asked for
			items = append(items, labelValue{candidate: value, label: label, text: value.text})
		}
	}
	return items
}

// isDayOfAnotherPaper tells a mere "Dated" behind the label of the number of an order, or of another paper.
func (read *labeledPages) isDayOfAnotherPaper(found label) bool {
	if found.at.cell == 0 || found.words() > 1 || !found.hasKind(labelInvoiceDate) {
		return false
	}
	before := read.labeled[place{found.at.page, found.at.line, found.at.cell - 1}]
	return len(before) > 0 && before[0].whole && (before[0].hasKind(labelOrderNumber) || before[0].hasKind(labelOther))
}

// valueText is the value that a candidate is, of one type of value; "" when it is none.
type valueText func(*labeledPages, candidate) string

// setTextField sets the text of the values that labels have, of the first kind that has any which
// agree. What is set stays.
func (result *extraction) setTextField(key string, textOf valueText, kinds ...labelKind) {
	read := result.form
	for _, kind := range kinds {
		if result.hasField(key) {
			return
		}
		items := read.findValues(kind, func(next candidate) bool { return textOf(read, next) != "" })
		for index := range items {
			items[index].text = textOf(read, items[index].candidate)
		}
		if item, ok := chooseAgreedValue(items); ok {
			result.setField(key, item.text, item.source())
		}
	}
}

// chooseAgreedValue picks the value of several mentions. Different ones under labels of equal weight are a
// contradiction: the one named most often wins, then the first page's; else there is none.
// Longer wordings of a label say more than shorter ones ("Invoice no." more than "Invoice").
func chooseAgreedValue(items []labelValue) (labelValue, bool) {
	if len(items) == 0 {
		return labelValue{}, false
	}
	if named := slices.DeleteFunc(slices.Clone(items), func(item labelValue) bool { return titleLexicon()[item.label.first] == "" }); len(named) > 0 {
		items = named // "Receipt number" says more than "Confirmation code"
	}
	counts := map[string]int{}
	for _, item := range items {
		counts[strings.ToLower(item.text)]++
	}
	strong := slices.Clone(items)
	sort.SliceStable(strong, func(a, b int) bool {
		return counts[strings.ToLower(strong[a].text)] > counts[strings.ToLower(strong[b].text)]
	})
	first := strong[0]
	for _, other := range strong[1:] {
		if !strings.EqualFold(other.text, first.text) && counts[strings.ToLower(other.text)] == counts[strings.ToLower(first.text)] && other.page == first.page {
			return labelValue{}, false
		}
	}
	return first, true
}

// money is an amount beside a label.
type money struct {
	labelValue
	amount value.Amount
}

func (result *extraction) findAmounts(kind labelKind) []money {
	var amounts []money
	for _, item := range result.form.findValues(kind, result.form.isAmount) {
		amount, _ := value.ParseAmount(amountText(item.candidate), result.form.numbers)
		if amount.Currency == "" && amount.Sign == "" {
			amount.Currency = item.label.currency
		}
		amounts = append(amounts, money{item, amount})
	}
	return amounts
}

// setAmountField sets the last amount of a kind of label: sums stand at a document's end.
func (result *extraction) setAmountField(key string, kind labelKind) {
	if amounts := result.findAmounts(kind); len(amounts) > 0 {
		last := amounts[len(amounts)-1]
		result.setField(key, last.amount.Value, last.source())
	}
}

// setCurrencyField sets the currency: of the amount itself, of its label, else of the document.
func (result *extraction) setCurrencyField(of money, known bool) {
	for _, item := range result.form.findValues(labelCurrency, func(next candidate) bool { return currencyCode(next.text) != "" }) {
		result.setField("currency", currencyCode(item.candidate.text), item.source())
		return
	}
	// A dollar, yen or krone sign alone is the document's dollar, yen or krone.
	code := cmp.Or(of.amount.StatedCurrency(), result.form.money)
	if of.amount.Sign == "$" {
		code = cmp.Or(code, result.form.dollar)
	} else {
		code = cmp.Or(code, of.amount.Currency)
	}
	switch {
	case code != "" && known:
		result.setField("currency", code, of.source())
	case code != "":
		result.setField("currency", code, Source{})
	case of.amount.Sign == "$":
		result.content.warn("nothing tells which country's dollar or peso the sign $ stands for: the currency was left out")
	}
}

func currencyCode(text string) string {
	for _, word := range strings.Fields(text) {
		if word = strings.Trim(word, "()[],."); value.IsCurrencyCode(word) {
			return word
		}
	}
	return ""
}

// isRoleName accepts names; behind a one-word label in the same cell only after a colon,
// since "Customer satisfaction" and "From our house" name nobody.
func (read *labeledPages) isRoleName(next candidate) bool {
	if next.inline && next.label != nil && !next.label.colon && next.label.words() < 2 {
		return false
	}
	return read.isName(next)
}

func roundToCents(number float64) float64 { return math.Round(number*100) / 100 }

func near(a, b float64) bool { return math.Abs(a-b) < 0.015 }

func abs(number float64) float64 { return max(number, -number) }
