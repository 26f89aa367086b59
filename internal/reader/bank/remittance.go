package bank

import (
	"strings"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/value"
)

var (
	// numberedInformation is a field :86: in numbered parts, after a code in German and
	// Austrian files ("166?00SEPA-GUTSCHRIFT?20…") and without one in Polish ones (">20…").
	numberedInformation = lazyregexp.New(`^(\d{3})?([^0-9A-Za-z\s/.,:;+-])\d\d`)
	// slashInformation is one in named parts: "/TRTP/SEPA OVERBOEKING/IBAN/NL91…".
	slashInformation = lazyregexp.New(`^/[A-Z]{3,4}/`)
	slashCode        = lazyregexp.New(`/(TRTP|IBAN|BIC|NAME|REMI|EREF|CSID|MARF|ORDP|BENM|ACNO|CNTP|PURP|UCRD|ISDT|SVCL|ID|ADDR|PREF|RTRN)/`)
	// purposeCode opens a part of a SEPA payment's purpose.
	purposeCode = lazyregexp.New(`(EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWA|ABWE|IBAN|BIC|COAM|OAMT)\+`)
)

// readRemittance keeps what the field :86: says of a movement.
func (fields Fields) readRemittance(text string) {
	text = strings.TrimSpace(text)
	joined, spaced := strings.ReplaceAll(text, "\n", ""), strings.ReplaceAll(text, "\n", " ")
	numbered := numberedInformation().FindStringSubmatch(joined)
	switch {
	case numbered != nil && numbered[1] != "":
		fields.setIfAbsent("transaction_code", numbered[1])
		fields.setFromNumberedParts(joined[len(numbered[1]):], numbered[2])
	case numbered != nil: // its lines end where words do
		fields.setFromNumberedParts(spaced, numbered[2])
	case slashInformation().MatchString(joined):
		fields.readNamedParts(joined)
	default:
		if purposeCode().MatchString(spaced) {
			fields.setFieldsFromPurpose(joined)
			return
		}
		fields.setIfAbsent(Description, strings.Join(strings.Fields(spaced), " "))
	}
}

// wholeLine is the length of a part that is continued in the next without a space.
const wholeLine = 27

// setFromNumberedParts reads parts that a mark and a number open.
func (fields Fields) setFromNumberedParts(text, mark string) {
	var purpose, name strings.Builder
	add := func(to *strings.Builder, said string) {
		to.WriteString(said)
		if len([]rune(said)) < wholeLine {
			to.WriteByte(' ')
		}
	}
	for part := range strings.SplitSeq(text[len(mark):], mark) {
		if len(part) < 2 || strings.Trim(part[:2], "0123456789") != "" {
			if part != "" { // a mark inside a text
				purpose.WriteString(mark + part)
			}
			continue
		}
		key, said := part[:2], part[2:]
		switch {
		case key == "00":
			fields.replace(Type, said) // what a person calls it, before the code of :61:
		case key == "10":
			fields.setIfAbsent("batch_reference", said)
		case key >= "20" && key <= "29", key >= "60" && key <= "63":
			add(&purpose, said)
		case key == "30":
			fields.setCounterpartyBank(strings.TrimSpace(said))
		case key == "31":
			fields.setIBANOrAccountNumber(strings.TrimSpace(said), CounterpartyIBAN, CounterpartyAccount)
		case key == "32" || key == "33":
			add(&name, said)
		case key == "34":
			fields.setIfAbsent("text_key", said)
		}
	}
	fields.setIfAbsent(Counterparty, strings.Join(strings.Fields(name.String()), " "))
	fields.setFieldsFromPurpose(purpose.String())
}

// setCounterpartyBank keeps the bank of the other side.
func (fields Fields) setCounterpartyBank(code string) {
	fields.setBICOrBankNumber(code, CounterpartyBIC, "counterparty_bank_id")
}

// setBICOrBankNumber keeps a bank by its BIC or by a national code of digits.
func (fields Fields) setBICOrBankNumber(code, bic, national string) {
	if strings.Trim(code, "0123456789 ") == "" {
		bic = national
	}
	fields.setIfAbsent(bic, code)
}

// splitAtCodes are the parts of a text that codes open, in order: the codes and what follows them.
// Before stands in front of the first.
func splitAtCodes(text string, by lazyregexp.Pattern) (before string, parts [][2]string) {
	codes := by().FindAllStringSubmatchIndex(text, -1)
	for index, code := range codes {
		end := len(text)
		if index+1 < len(codes) {
			end = codes[index+1][0]
		}
		parts = append(parts, [2]string{text[code[2]:code[3]], strings.Join(strings.Fields(text[code[1]:end]), " ")})
	}
	if len(codes) > 0 {
		text = text[:codes[0][0]]
	}
	return text, parts
}

// setFieldsFromPurpose keeps a payment's purpose, and the references that stand in it.
func (fields Fields) setFieldsFromPurpose(text string) {
	description, parts := splitAtCodes(text, purposeCode)
	for _, part := range parts {
		if said := part[1]; part[0] == "SVWZ" {
			description = said
		} else {
			fields.setFieldByCode(part[0], said)
		}
	}
	fields.setIfAbsent(Description, strings.Join(strings.Fields(description), " "))
}

// readNamedParts reads the parts that Dutch and other banks name.
func (fields Fields) readNamedParts(text string) {
	_, parts := splitAtCodes(text, slashCode)
	for _, part := range parts {
		fields.setFieldByCode(part[0], strings.Trim(part[1], "/ "))
	}
	fields.setIfAbsent(Description, strings.Join(strings.Fields(text), " "))
}

// setFieldByCode keeps what a part says, whose code means the same in the files of all banks.
func (fields Fields) setFieldByCode(code, content string) {
	switch code {
	case "EREF":
		fields.replace(Reference, dropPlaceholderReference(content))
	case "KREF":
		fields.setIfAbsent(Reference, dropPlaceholderReference(content))
	case "MREF", "MARF":
		fields.setIfAbsent("mandate_reference", content)
	case "CRED", "CSID":
		fields.setIfAbsent("creditor_id", content)
	case "BIC":
		fields.setCounterpartyBank(content)
	case "ABWA", "ABWE":
		fields.setIfAbsent("ultimate_party", content)
	case "IBAN":
		if number, ok := value.ParseIBAN(content); ok {
			fields.setIfAbsent(CounterpartyIBAN, number)
		}
	case "ACNO":
		fields.setIBANOrAccountNumber(content, CounterpartyIBAN, CounterpartyAccount)
	case "TRTP":
		fields.replace(Type, content)
	case "NAME":
		fields.replace(Counterparty, content)
	case "ORDP", "BENM": // of the two parties the other is meant: who orders what comes in
		if amount, ok := fields[Amount].(float64); ok && amount < 0 == (code == "BENM") {
			fields.setIfAbsent(Counterparty, content)
		}
	case "CNTP": // account/BIC/name/city
		parts := strings.Split(content, "/")
		fields.setIBANOrAccountNumber(parts[0], CounterpartyIBAN, CounterpartyAccount)
		if len(parts) > 2 {
			fields.setIfAbsent(CounterpartyBIC, parts[1])
			fields.setIfAbsent(Counterparty, parts[2])
		}
	case "REMI":
		fields.setIfAbsent(Description, strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(content, "USTD//"), "USTD/"), "STRD/CUR/"))
	}
}
