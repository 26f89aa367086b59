package reader

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/xmltree"
)

// KindTransaction is the kind of the records that are movements of an account.
const KindTransaction = "transaction"

// ofxCharset is the encoding that the head of an OFX file declares.
var ofxCharset = lazyregexp.New(`(?:^|\n)CHARSET:([\w-]+)`)

// readBankFile reads the formats of text that banks write for machines.
func readBankFile(ctx context.Context, data []byte, limits Limits, content *Content) error {
	if declared := ofxCharset().FindSubmatch(data[:min(len(data), 1024)]); declared != nil && content.Type == OFX && !utf8.Valid(data) {
		data = []byte(decodeDeclared(data, strings.Replace(string(declared[1]), "125", "windows-125", 1)))
	}
	if err := readText(ctx, data, limits, content); err != nil {
		return err
	}
	text, _ := decodeText(data)
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	read := map[Type]func(context.Context, string, int) (bank.File, error){MT940: bank.ReadMT940, OFX: bank.ReadOFX}[content.Type]
	file, err := read(ctx, text, limits.MaxRecords)
	content.addAccountRecords(file)
	return err
}

// readQIF stores a file of Quicken as text.
func readQIF(ctx context.Context, data []byte, limits Limits, content *Content) error {
	content.warn("the movements of a QIF file are not read, its text is stored; banks and programs that write QIF write OFX, camt, MT940 or CSV as well")
	return readText(ctx, data, limits, content)
}

// readCamt reads what a statement of ISO 20022 says, after its text was read like that of
// any XML.
func (content *Content) readCamt(ctx context.Context, data []byte, limits Limits) error {
	file, err := bank.ReadCamt(ctx, xmltree.NewDecoder(contextReader{ctx, bytes.NewReader(data)}), limits.MaxRecords)
	content.addAccountRecords(file)
	return err
}

// addAccountRecords makes records of the movements of a file's accounts.
func (content *Content) addAccountRecords(file bank.File) {
	if len(file.Statements) == 0 {
		return
	}
	if content.accounts == nil {
		content.accounts = &bank.File{}
	}
	content.accounts.Statements = append(content.accounts.Statements, file.Statements...)
	content.Warnings = append(content.Warnings, file.Warnings...)
	for _, statement := range file.Statements {
		for _, warning := range statement.Warnings {
			content.warn(warning)
		}
		for _, movement := range statement.Movements {
			content.Records = append(content.Records, Record{Kind: KindTransaction, Fields: movement.Fields, Source: sourceOfPlace(movement.Place)})
		}
	}
	content.Metadata["transactions"] = len(content.Records)
	if file.Truncated {
		content.markTruncated("movements beyond the limit were left out")
	}
}

// addMovementsOfTable reads the rows of a table that lists the movements of an account. One that
// cannot be told to be one is left as it is, with a warning where much speaks for it.
func (content *Content) addMovementsOfTable(table *Table, above [][]string, lines []int) {
	delimiter, _ := content.Metadata["delimiter"].(string)
	statement, why, ok := bank.ReadMovements(bank.Table{Names: table.names(), Header: table.Header, Rows: table.Rows, Lines: lines, Above: above, Whole: !table.Truncated, Delimiter: delimiter})
	if why != "" && content.Type != HTML { // which may be read as a printed one
		content.Warnings = append(content.Warnings, fmt.Sprintf("the table looks like a list of an account's movements, but %s: it is kept as rows", why))
	}
	if !ok {
		return
	}
	table.Movements = true
	content.addAccountRecords(bank.File{Statements: []bank.Statement{statement}})
	if len(statement.Other) > 0 {
		content.Metadata["other_lines"] = statement.Other
	}
}

// setAccountFields sets what a file of a bank says of its account, or of each of several.
func (result *extraction) setAccountFields() {
	for name, item := range result.content.accounts.Summary() {
		result.setField(name, item, sourceOfPlace(result.content.accounts.PlaceOf(name)))
	}
}

func sourceOfPlace(place bank.Place) Source {
	if place.Line > 0 {
		return Source{Page: 1, Line: place.Line}
	}
	return Source{Element: place.Element}
}
