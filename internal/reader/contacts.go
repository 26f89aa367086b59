package reader

import (
	"context"
	"errors"
	"io"
	"mime/quotedprintable"
	"strings"

	"toolkit/internal/reader/layout"
)

// readContacts reads the cards of a vCard file, versions 2.1 to 4.
func readContacts(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text := content.decodeToUTF8(data)
	reader := propertyReader{ctx: ctx, content: content, rest: joinQuotedPrintable(text)}
	broken := 0
	for line, ok := reader.next(); ok && ctx.Err() == nil; line, ok = reader.next() {
		if line.name != "BEGIN" || !strings.EqualFold(strings.TrimSpace(line.value), "VCARD") {
			broken++
			continue
		}
		card, whole := reader.readComponent()
		if fields := contactFields(card); !whole {
			broken++
		} else if len(content.Records) >= limits.MaxRecords {
			content.markTruncated("contacts beyond the limit were left out")
		} else if len(fields) > 0 {
			content.Records = append(content.Records, Record{Kind: "contact", Fields: fields})
		}
	}
	switch {
	case len(content.Records) == 0 && broken > 0:
		return errors.New("invalid contact: the file has no whole one")
	case len(content.Records) == 0 && ctx.Err() == nil:
		return errors.New("the file holds no contact")
	case broken > 0:
		content.Warnings = append(content.Warnings, "damaged contacts were left out")
	}
	content.Metadata["contacts"] = len(content.Records)
	content.Pages = []layout.Page{{Number: 1}}
	content.setTextFromRecords([]string{"name", "organization", "title", "emails", "phones", "addresses", "note"}, limits)
	return ctx.Err()
}

// joinQuotedPrintable joins the soft line breaks of version 2.1, whose second line does
// not start with a space.
func joinQuotedPrintable(text string) string {
	var joined strings.Builder
	soft := false
	for line := range strings.Lines(strings.ReplaceAll(text, "\r\n", "\n")) {
		body := strings.TrimRight(line, "\n")
		quoted := soft || strings.Contains(strings.ToUpper(body), "QUOTED-PRINTABLE")
		soft = quoted && strings.HasSuffix(body, "=")
		joined.WriteString(strings.TrimSuffix(body, map[bool]string{true: "=", false: ""}[soft]))
		if !soft {
			joined.WriteByte('\n')
		}
	}
	return joined.String()
}

func contactFields(card map[string][]property) map[string]any {
	fields := map[string]any{}
	put := func(key, value string) {
		if value = strings.Trim(strings.TrimSpace(value), ";, "); value != "" && fields[key] == nil {
			fields[key] = value
		}
	}
	for _, found := range card["FN"] {
		put("name", decodeContactText(found))
	}
	for _, found := range card["N"] {
		put("name", fullName(decodeContactText(found)))
	}
	for _, found := range card["ORG"] {
		put("organization", strings.ReplaceAll(decodeContactText(found), ";", ", "))
	}
	for name, key := range map[string]string{"TITLE": "title", "BDAY": "birthday", "URL": "url", "NOTE": "note", "UID": "uid"} {
		for _, found := range card[name] {
			put(key, decodeContactText(found))
		}
	}
	for name, key := range map[string]string{"EMAIL": "emails", "TEL": "phones", "ADR": "addresses"} {
		var values []string
		for _, found := range card[name] {
			value := strings.TrimPrefix(strings.TrimSpace(decodeContactText(found)), "tel:")
			if name == "ADR" {
				value = strings.Join(dropBlankCells(strings.Split(value, ";")), ", ")
			}
			values = append(values, value)
		}
		if values = dropBlankCells(values); len(values) > 0 {
			fields[key] = values
		}
	}
	return fields
}

// fullName puts the parts of a name, family name first, into the order in which it is said.
func fullName(parts string) string {
	names := append(strings.Split(parts, ";"), "", "", "", "", "")
	return strings.Join(dropBlankCells([]string{names[3], names[1], names[2], names[0], names[4]}), " ")
}

// decodeContactText decodes the encodings of version 2.1.
func decodeContactText(found property) string {
	_, quoted := found.parameters["QUOTED-PRINTABLE"]
	if !quoted && !strings.EqualFold(found.parameters["ENCODING"], "QUOTED-PRINTABLE") {
		return found.text()
	}
	decoded, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(found.value)))
	if err != nil {
		return found.text()
	}
	return decodeDeclared(decoded, found.parameters["CHARSET"])
}
