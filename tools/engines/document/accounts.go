package document

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"toolkit/tools/engines/document/bank"
)

// KindTransaction is the kind of the records that are movements of an account.
const KindTransaction = "transaction"

// readAccount reads the formats of text that banks write for machines.
func readAccount(ctx context.Context, data []byte, limits Limits, content *Content) error {
	if err := readText(ctx, data, limits, content); err != nil {
		return err
	}
	text, _ := decodeText(data)
	text = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
	read := map[Type]func(context.Context, string, int) (bank.File, error){MT940: bank.Swift, OFX: bank.OFX, QIF: bank.QIF}[content.Type]
	file, err := read(ctx, text, limits.MaxRecords)
	content.keepAccounts(file)
	return err
}

// readCamt reads what a statement of ISO 20022 says, after its text was read like that of
// any XML.
func (content *Content) readCamt(ctx context.Context, data []byte, limits Limits) error {
	file, err := bank.Camt(ctx, newXMLDecoder(steady{ctx, bytes.NewReader(data)}), limits.MaxRecords)
	content.keepAccounts(file)
	return err
}

// keepAccounts makes records of the movements of a file's accounts.
func (content *Content) keepAccounts(file bank.File) {
	if len(file.Statements) == 0 {
		return
	}
	content.accounts = &file
	content.Warnings = append(content.Warnings, file.Warnings...)
	for _, statement := range file.Statements {
		for _, warning := range statement.Warnings {
			if !slices.Contains(content.Warnings, warning) {
				content.Warnings = append(content.Warnings, warning)
			}
		}
		for _, movement := range statement.Movements {
			place := Source{Element: movement.Element}
			if movement.Line > 0 {
				place = Source{Page: 1, Line: movement.Line}
			}
			content.Records = append(content.Records, Record{Kind: KindTransaction, Fields: movement.Fields, Source: place})
		}
	}
	content.Metadata["transactions"] = len(content.Records)
	if file.Truncated {
		content.cut("movements beyond the limit were left out")
	}
}

// accounts sets what a file of a bank says of its account, or of each of several.
func (result *extraction) accounts() {
	for name, item := range result.content.accounts.Summary() {
		result.set(name, item, Source{})
	}
}
