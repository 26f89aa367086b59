package entities

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"toolkit/fixtures"
	"toolkit/internal/language"
	documents "toolkit/internal/reader"
	"toolkit/internal/reader/value"
	"toolkit/store/entities"
	"toolkit/store/records"
	"toolkit/tools"
)

// listBodyWarnings returns what a caller should know of the fields it gave, so that nothing is
// passed over in silence: all is kept as it was written, but what a field does not
// say plainly is not found, dated or connected. They name fields, never values.
func listBodyWarnings(c fixtures.Capability, body object) (list []string) {
	if len(c.Hashed) > 0 && len(body) > 0 && !slices.ContainsFunc(c.Hashed, func(name string) bool { return body[name] != nil }) {
		list = append(list, fmt.Sprintf("the body has no field that is known of a document of type %s: %s; it is told from others by its whole body", c.EntityType, strings.Join(c.Hashed, ", ")))
	}
	list = append(list, listPeriodWarnings(body, "")...)
	return append(list, listPresentFieldWarnings(c, body, findFieldWarning)...)
}

// periods are the fields in which something begins and ends.
var periods = [][2]string{{"start", "end"}, {"start_date", "end_date"}, {"period_start", "period_end"}, {"date", "due_date"}}

// listPeriodWarnings says what ends before it begins; field limits it to those of one field.
func listPeriodWarnings(values object, field string) (list []string) {
	for _, p := range periods {
		if field != "" && field != p[0] && field != p[1] {
			continue
		}
		begins, known := tools.ParseTime(firstText(values, p[0]))
		ends, both := tools.ParseTime(firstText(values, p[1]))
		if known && both && ends < begins {
			list = append(list, p[1]+" is before "+p[0])
		}
	}
	return list
}

// isStandardField reports whether documents of a kind have a field of this name.
func isStandardField(c fixtures.Capability, name string) bool {
	return slices.Contains(c.Hashed, name) || slices.Contains(documents.FieldsForLabel(strings.ReplaceAll(name, "_", " ")), name)
}

// listReadFieldWarnings returns the doubts of fields that a reader found or a provider named: of
// their values only.
func listReadFieldWarnings(c fixtures.Capability, facts object) []string {
	return listPresentFieldWarnings(c, facts, findValueWarning)
}

func listPresentFieldWarnings(c fixtures.Capability, body object, check func(c fixtures.Capability, body object, name string) string) (list []string) {
	for _, name := range slices.Sorted(maps.Keys(body)) {
		if fieldWarning := check(c, body, name); fieldWarning != "" {
			list = append(list, name+fieldWarning)
		}
		list = append(list, listNestedItemWarnings(c, body, name)...)
	}
	return list
}

// listNestedItemWarnings returns those of the items of a list, such as the bookings of a statement.
func listNestedItemWarnings(c fixtures.Capability, body object, name string) []string {
	list, _ := body[name].([]any)
	var given []object
	for _, item := range list {
		if o, ok := item.(object); ok {
			given = append(given, o)
		}
	}
	fieldWarnings := listItemWarnings(fixtures.Capability{EntityType: c.EntityType}, given)
	for i := range fieldWarnings {
		fieldWarnings[i] = name + ": " + fieldWarnings[i]
	}
	return fieldWarnings
}

// listItemWarnings returns the doubts of items that have the same fields, such as the rows of a
// table: each once, with how many it is of. An empty cell says nothing.
func listItemWarnings(c fixtures.Capability, given []object) (list []string) {
	type doubt struct{ name, says string }
	counts := map[doubt]int{}
	for _, item := range given {
		for name, value := range item {
			if text, isText := value.(string); value == nil || isText && strings.TrimSpace(text) == "" {
				continue
			}
			if says := findValueWarning(c, item, name); says != "" {
				counts[doubt{name, says}]++
			}
		}
	}
	for d, n := range counts {
		list = append(list, fmt.Sprintf("%s (in %d of %d)%s", d.name, n, len(given), d.says))
	}
	slices.Sort(list)
	return list[:min(len(list), maxWarningsShown)]
}

// warnNullFields says that nulls of an update are left out: they may have been meant
// to clear a field.
func warnNullFields(given object) []string {
	nulls := slices.DeleteFunc(slices.Sorted(maps.Keys(given)), func(name string) bool { return given[name] != nil })
	if len(nulls) == 0 {
		return nil
	}
	return []string{"null says nothing; unchanged: " + strings.Join(nulls, ", ") + "; an empty value clears a field"}
}

// findFieldWarning returns what may be wrong with a field, to be read after its name.
func findFieldWarning(c fixtures.Capability, body object, name string) string {
	if meant := findIntendedField(c, body, name); meant != "" {
		return " is kept, but is no field that is known of a document of type " + c.EntityType + "; " + meant + " is"
	}
	return findValueWarning(c, body, name)
}

// findValueWarning returns what a value of a known field does not say plainly.
func findValueWarning(c fixtures.Capability, body object, name string) string {
	if at := slices.IndexFunc(c.Extract, func(e fixtures.Extraction) bool { return e.Field == name }); at >= 0 {
		for _, item := range toList(body[name]) {
			if _, named := extractEntityStatement(c.Extract[at], item); !named {
				return " has no name in it, so no " + c.Extract[at].EntityType + " was made of it"
			}
		}
	}
	text, isText := body[name].(string)
	switch {
	case isDateField(name) && !isText:
		return " is no text such as 2024-03-31, so it is in no timeline"
	case isDateField(name), isAmbiguousDate(name, text):
		return findDateWarning(text)
	case isAmountField(name):
		return findAmountWarning(body[name])
	case name == "currency" && !value.IsCurrencyCode(strings.ToUpper(strings.TrimSpace(text))):
		return " is no currency code of ISO 4217, such as EUR"
	case name == subtypeField && !slices.Contains(listRecordTypes(), resolveTypeAlias(text)) && !slices.Contains(documents.Kinds, resolveTypeAlias(text)):
		return " is no type that is known, such as " + strings.Join(listRecordTypes(), ", ")
	}
	return ""
}

// isAmbiguousDate reports whether a field of any name holds nothing but a date that can be
// read in two ways. Numbers of documents are written like that too.
func isAmbiguousDate(name, text string) bool {
	date, ok := value.ParseDate(text, value.UnknownOrder)
	return ok && date.Ambiguous && !strings.HasSuffix(name, "_number") && !strings.HasSuffix(name, "_id")
}

func findDateWarning(text string) string {
	if _, ok := tools.ParseTime(text); ok {
		return ""
	}
	date, ok := value.ParseDate(text, value.UnknownOrder)
	switch {
	case ok && date.Ambiguous:
		return " can be read with the day or the month first; it is kept as written and is in no timeline: give it as YYYY-MM-DD"
	case ok:
		return " is kept as written and is in no timeline: give it as YYYY-MM-DD"
	}
	return " is no date that can be read; it is kept as written and is in no timeline: give it as YYYY-MM-DD"
}

// isAmountField reports whether a field is meant to hold an amount of money.
func isAmountField(name string) bool {
	switch name {
	case "amount", "total", "subtotal", "tax", "price", "balance":
		return true
	}
	return strings.HasSuffix(name, "_amount") || strings.HasSuffix(name, "_balance") || strings.HasSuffix(name, "_total") || strings.HasSuffix(name, "_price")
}

func findAmountWarning(given any) string {
	switch given := given.(type) {
	case json.Number:
		return ""
	case string:
		if _, ok := value.ParseAmount(given, value.Unknown); ok {
			return " is kept as text; give it as a number, and the currency on its own, to have it compared and found as one"
		}
	}
	return " is no amount that can be read; it is kept as it is: give it as a number"
}

// findIntendedField returns the known field that one of another name stands for: by a wording
// of documents, or by its letters. One that is there already was not meant.
func findIntendedField(c fixtures.Capability, body object, name string) string {
	if slices.Contains(c.Hashed, name) {
		return ""
	}
	called := documents.FieldsForLabel(strings.ReplaceAll(normalizeType(name), "_", " "))
	for _, known := range c.Hashed {
		if body[known] != nil {
			continue
		}
		near := len(known) >= 5 && language.EditDistance(normalizeType(name), known) <= 1+len(known)/8
		if near || slices.Contains(called, known) {
			return known
		}
	}
	return ""
}

// listRecordTypes are the types that documents have.
func listRecordTypes() []string {
	types := make([]string, len(fixtures.Payloads().RecordTypes))
	for i, t := range fixtures.Payloads().RecordTypes {
		types[i] = t.Type
	}
	return types
}

// addFieldWarnings puts doubts into hints.
func addFieldWarnings(h *tools.Hints, list []string) {
	for _, fieldWarning := range list {
		h.Warn("validation", tools.PriorityLow, fieldWarning, "give the field in a form that is understood, or leave it so")
	}
}

// listOverruledFieldWarnings tells in which fields of a claim the state holds on to another value of more
// weight, in a line for each weight. What the claim says is kept as an observation.
func (a *entityState) listOverruledFieldWarnings(c claim) (lines []string) {
	fields := map[int][]string{} // by the priority of what stands
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		top := a.state.currentClaim(name)
		if top == nil || top.Winner.Priority <= c.Priority || c.Fields[name] == nil {
			continue
		}
		var stated fieldClaim
		stated.addValue(c.Fields[name], rank{Priority: c.Priority, Sequence: math.MaxInt64}, a.policies.strategyFor(name))
		if _, against := stated.conflictWith(name, *top); against {
			fields[top.Winner.Priority] = append(fields[top.Winner.Priority], name)
		}
	}
	for priority, names := range fields {
		stands := "stand"
		if len(names) == 1 {
			stands = "stands"
		}
		lines = append(lines, fmt.Sprintf("%s of the %s %s %s as %s; what this source says instead is kept, see conflicts in %s",
			strings.Join(names, ", "), a.Type, a.ID, stands, describePriority(priority), snapshotName))
	}
	return lines
}

// distinctLines are lines in order, each once.
func distinctLines(lines []string) []string {
	slices.Sort(lines)
	return slices.Compact(lines)
}

// describePriority says whose word has a priority.
func describePriority(priority int) string {
	if priority >= correctionPriority {
		return "the user corrected it"
	}
	return "it was explicitly updated"
}

// addConflictWarnings puts overruled fields into hints.
func addConflictWarnings(h *tools.Hints, lines []string) {
	for _, line := range lines {
		h.Warn("conflict", tools.PriorityMedium, line, "if the source is right, use "+withdrawName+" or "+correctName)
	}
}

// maxCorrectedWarnings bounds how many records are named whose entities were corrected.
const maxCorrectedWarnings = 10

// warnCorrectedRecords say which of the records that are shown hold another value than
// the user's correction: a record is what its document said.
func warnCorrectedRecords(tx entities.Rows, shown []records.Record) (lines []string, err error) {
	rows := make([]int64, len(shown))
	for i, r := range shown {
		rows[i] = r.Seq
	}
	corrected, err := tx.FilterCorrectedRecords(rows)
	if err != nil {
		return nil, err
	}
	for _, row := range corrected {
		if len(lines) == maxCorrectedWarnings {
			return append(lines, "further records may hold corrected fields: "+snapshotName+" of their entities gives the values in force"), nil
		}
		r := shown[slices.Index(rows, row)]
		properties, err := decodeObject(r.Properties)
		if err != nil {
			return nil, err
		}
		a, names, err := applyCorrections(tx, r, properties)
		if err != nil {
			return nil, err
		}
		if len(names) > 0 {
			lines = append(lines, fmt.Sprintf("%s of record %s: the user corrected it, and the record shows what its document said; %s of %s gives the value in force",
				strings.Join(names, ", "), r.ID, snapshotName, a.ID))
		}
	}
	return lines, nil
}

// applyCorrections puts the user's corrections of an entity into what its record says, and
// returns the entity and the fields that held other values.
func applyCorrections(tx entities.Rows, r records.Record, properties object) (a *entityState, names []string, err error) {
	e, err := tx.ByRow(r.Entity)
	if err != nil {
		return nil, nil, err
	}
	if a, err = loadEntityState(tx, e); err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		top := a.state.currentClaim(name)
		if top == nil || top.Winner.Priority < correctionPriority {
			continue
		}
		if inForce := decodeValue(top.encodeValue()); string(encodeCanonicalJSON(inForce, exact)) != string(encodeCanonicalJSON(properties[name], exact)) {
			properties[name], names = inForce, append(names, name)
		}
	}
	return a, names, nil
}
