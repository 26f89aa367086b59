package document

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"golang.org/x/net/html/charset"

	"toolkit/tools/engines/document/bank"
	"toolkit/tools/engines/document/einvoice"
	"toolkit/tools/engines/document/layout"
)

// newXMLDecoder reads XML without expanding entities of the document's own: the decoder
// knows the five predefined ones only, so that entity bombs are mere text.
func newXMLDecoder(source io.Reader) *xml.Decoder {
	decoder := xml.NewDecoder(source)
	decoder.Strict = false
	decoder.CharsetReader = func(label string, input io.Reader) (io.Reader, error) {
		found, _ := charset.Lookup(label)
		if found == nil {
			return input, nil
		}
		return found.NewDecoder().Reader(input), nil
	}
	return decoder
}

// readXML reads the text of every element; elements without children become lines
// "name: value" for the label reader.
func readXML(ctx context.Context, data []byte, limits Limits, content *Content) error {
	data, tooLong := boundedXML(inOctets(data))
	decoder := newXMLDecoder(steady{ctx, bytes.NewReader(data)})
	var path []string
	text, value := boundedText{limit: limits.MaxText}, boundedText{limit: limits.MaxText}
	composer := layout.Composer{}
	defer func() {
		content.Pages = onePage(&composer)
		content.setBounded(&text, limits)
	}()
	leaf, elements, root, invoice := false, 0, xml.Name{}, false
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) || err != nil && tooLong != nil {
			break
		}
		if err != nil {
			return fmt.Errorf("invalid XML: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if elements++; elements == 1 {
				root = token.Name
				content.note("root", root.Local)
			}
			invoice = invoice || einvoice.Known(token.Name) // an envelope may stand around it
			path = append(path, token.Name.Local)
			if len(path) > limits.MaxDepth {
				return errDepth
			}
			leaf = true
			value.Reset()
		case xml.CharData:
			value.WriteString(string(token))
		case xml.EndElement:
			written := strings.Join(strings.Fields(value.String()), " ")
			if carriesFile(written) {
				written = ""
			}
			if leaf && written != "" && len(path) > 0 {
				line := leafName(path) + ": " + written
				text.WriteString(line + "\n")
				composer.Paragraph(line)
			} else if written != "" {
				text.WriteString(written + "\n")
			}
			leaf = false
			value.Reset()
			if len(path) > 0 {
				path = path[:len(path)-1]
			}
		}
	}
	if tooLong != nil {
		return tooLong
	}
	if elements == 0 {
		return errors.New("invalid XML: there is no element")
	}
	if invoice && !bank.CamtRoot(root) {
		return content.readInvoice(ctx, data)
	}
	if bank.CamtRoot(root) {
		return content.readCamt(ctx, data, limits)
	}
	if _, message, payments := strings.Cut(root.Space, ":iso:20022:tech:xsd:"); payments {
		content.Warnings = append(content.Warnings, fmt.Sprintf("this is a message between banks (%.30s) and no statement of an account: it is kept as text", message))
	}
	return nil
}

// inOctets turns UTF-16, which the decoder does not read, into UTF-8. The declaration goes,
// since it names the encoding that was.
func inOctets(data []byte) []byte {
	if utf16Of(data) == nil {
		return data
	}
	text, _ := decodeText(data)
	if declaration, rest, is := strings.Cut(text, "?>"); is && strings.Contains(declaration, "<?xml") {
		text = rest
	}
	return []byte(text)
}

// carriesFile reports whether an element's text is a file inside the XML, in base64: the receipt or
// drawing that comes with an invoice. It is no text that anybody reads.
func carriesFile(text string) bool {
	return len(text) > 1000 && !strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("+/= ", c)
	}) && strings.Count(text, " ") < len(text)/40
}

// leafName is what an element without others below it is called. A name and a number are
// somebody's: whose, the element above says.
func leafName(path []string) string {
	name := spelled(path[len(path)-1])
	if above := len(path) - 2; above > 0 && (name == "name" || name == "id") {
		return spelled(path[above]) + " " + name
	}
	return name
}

// spelled turns an element's name into words: InvoiceNumber, invoice_number → invoice number.
func spelled(name string) string {
	var words strings.Builder
	previous := rune(0)
	for _, character := range name {
		switch {
		case character == '_' || character == '-' || character == '.':
			words.WriteByte(' ')
		case unicode.IsUpper(character) && unicode.IsLower(previous):
			words.WriteByte(' ')
			words.WriteRune(unicode.ToLower(character))
		default:
			words.WriteRune(unicode.ToLower(character))
		}
		previous = character
	}
	return words.String()
}
