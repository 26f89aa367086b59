package document

import (
	"context"
	"errors"
	"io"
	"mime/quotedprintable"
	"strings"

	"github.com/emersion/go-vcard"

	"toolkit/tools/engines/document/layout"
)

// readContacts reads the cards of a vCard file, versions 2.1 to 4.
func readContacts(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text, encoding := decodeText(data)
	content.note("encoding", encoding)
	cards := componentReader{ctx: ctx, content: content, rest: joinQuotedPrintable(text)}
	broken := 0
	for line, ok := cards.next(); ok && ctx.Err() == nil; line, ok = cards.next() {
		if name, value, _ := strings.Cut(line, ":"); !strings.EqualFold(name, "BEGIN") || !strings.EqualFold(strings.TrimSpace(value), "VCARD") {
			broken++
			continue
		}
		body, whole := cards.component(line)
		card, err := vcard.NewDecoder(strings.NewReader(body)).Decode()
		if fields := contactFields(card); err != nil || !whole {
			broken++
		} else if len(content.Records) >= limits.MaxRecords {
			content.cut("contacts beyond the limit were left out")
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
	content.setRecords([]string{"name", "organization", "title", "emails", "phones", "addresses", "note"}, limits)
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

func contactFields(card vcard.Card) map[string]any {
	fields := map[string]any{}
	put := func(key, value string) {
		if value = strings.Trim(strings.TrimSpace(value), ";, "); value != "" {
			fields[key] = value
		}
	}
	put("name", plainValue(card.Get(vcard.FieldFormattedName)))
	if fields["name"] == nil {
		if name := card.Name(); name != nil {
			put("name", strings.Join(nonBlank([]string{name.HonorificPrefix, name.GivenName, name.AdditionalName, name.FamilyName, name.HonorificSuffix}), " "))
		}
	}
	put("organization", strings.ReplaceAll(plainValue(card.Get(vcard.FieldOrganization)), ";", ", "))
	for property, key := range map[string]string{vcard.FieldTitle: "title", vcard.FieldBirthday: "birthday", vcard.FieldURL: "url", vcard.FieldNote: "note", vcard.FieldUID: "uid"} {
		put(key, plainValue(card.Get(property)))
	}
	for property, key := range map[string]string{vcard.FieldEmail: "emails", vcard.FieldTelephone: "phones", vcard.FieldAddress: "addresses"} {
		var values []string
		for _, field := range card[property] {
			value := strings.TrimPrefix(strings.TrimSpace(plainValue(field)), "tel:")
			if property == vcard.FieldAddress {
				value = strings.Join(nonBlank(strings.Split(value, ";")), ", ")
			}
			values = append(values, value)
		}
		if values = nonBlank(values); len(values) > 0 {
			fields[key] = values
		}
	}
	return fields
}

// plainValue decodes the encodings of version 2.1.
func plainValue(field *vcard.Field) string {
	if field == nil {
		return ""
	}
	value := field.Value
	if strings.EqualFold(field.Params.Get("ENCODING"), "QUOTED-PRINTABLE") || field.Params["QUOTED-PRINTABLE"] != nil {
		if decoded, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(value))); err == nil {
			value = decodeDeclared(decoded, field.Params.Get("CHARSET"))
		}
	}
	return strings.ReplaceAll(value, "\\n", "\n")
}
