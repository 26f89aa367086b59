package reader

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/reader/bank"
	"toolkit/internal/reader/einvoice"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/xmltree"
)

// readXML reads the text of every element; elements without children become lines
// "name: value" for the label reader.
func readXML(ctx context.Context, data []byte, limits Limits, content *Content) error {
	data, tooLong := truncateLongXMLTexts(convertUTF16XML(data))
	decoder := xmltree.NewDecoder(contextReader{ctx, bytes.NewReader(data)})
	read := xmlText{text: boundedText{limit: limits.MaxText}, value: boundedText{limit: limits.MaxText}}
	defer func() {
		content.Pages = composeSinglePage(&read.composer)
		content.setBoundedText(&read.text, limits)
	}()
	elements, root, invoice := 0, xml.Name{}, false
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
				content.setMetadata("root", root.Local)
			}
			invoice = invoice || einvoice.IsInvoiceRoot(token.Name) // an envelope may stand around it
			if len(read.path) == limits.MaxDepth {
				return errDepth
			}
			read.startElement(token.Name.Local)
		case xml.CharData:
			read.value.WriteString(string(token))
		case xml.EndElement:
			read.endElement()
		}
	}
	if tooLong != nil {
		return tooLong
	}
	if elements == 0 {
		return errors.New("invalid XML: there is no element")
	}
	if invoice && !bank.IsCamtRoot(root) {
		return content.readInvoice(ctx, data)
	}
	if bank.IsCamtRoot(root) {
		return content.readCamt(ctx, data, limits)
	}
	if _, message, payments := strings.Cut(root.Space, ":iso:20022:tech:xsd:"); payments {
		content.Warnings = append(content.Warnings, fmt.Sprintf("this is a message between banks (%.30s) and no statement of an account: it is kept as text", message))
	}
	return nil
}

// xmlText collects the text of XML, a line for each piece of it between two tags.
type xmlText struct {
	text, value boundedText // value: since the last tag
	composer    layout.Composer
	path        []string // names of the open elements
	leaf        bool     // no element stands in the innermost
}

func (read *xmlText) startElement(name string) {
	read.endTextLine("")
	read.path = append(read.path, name)
	read.leaf = true
}

func (read *xmlText) endElement() {
	label := ""
	if read.leaf && len(read.path) > 0 {
		label = leafName(read.path) + ": "
	}
	read.endTextLine(label)
	read.leaf = false
	read.path = read.path[:max(len(read.path)-1, 0)]
}

// endTextLine ends a piece of text: a line of its own with a label, unless it says nothing.
func (read *xmlText) endTextLine(label string) {
	written := strings.Join(strings.Fields(read.value.String()), " ")
	if written != "" && !isEmbeddedFile(written) {
		read.text.cut += read.value.cut
		read.text.WriteString(label + written + "\n")
		read.composer.AddParagraph(label + written)
	}
	read.value.Reset()
	read.value.cut = 0
}

// convertUTF16XML turns UTF-16, which the decoder does not read, into UTF-8. The declaration goes,
// since it names the encoding that was.
func convertUTF16XML(data []byte) []byte {
	if detectUTF16(data) == nil {
		return data
	}
	text, _ := decodeText(data)
	if declaration, rest, is := strings.Cut(text, "?>"); is && strings.Contains(declaration, "<?xml") {
		text = rest
	}
	return []byte(text)
}

// isEmbeddedFile reports whether an element's text is a file inside the XML, in base64: the receipt or
// drawing that comes with an invoice. It is no text that anybody reads.
func isEmbeddedFile(text string) bool {
	return len(text) > 1000 && !strings.ContainsFunc(text, func(c rune) bool {
		return (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("+/= ", c)
	}) && strings.Count(text, " ") < len(text)/40
}

// leafName is what an element without others below it is called. A name and a number are
// somebody's: whose, the element above says.
func leafName(path []string) string {
	name := splitNameIntoWords(path[len(path)-1])
	if above := len(path) - 2; above > 0 && (name == "name" || name == "id") {
		return splitNameIntoWords(path[above]) + " " + name
	}
	return name
}

// splitNameIntoWords turns an element's name into words: InvoiceNumber, invoice_number → invoice number.
func splitNameIntoWords(name string) string {
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

// Bounds of XML, whose decoder takes many times the memory of a tag and several times that of a
// text. Each is beyond what programs write.
const (
	longestTag  = 4 << 20
	longestText = 8 << 20 // of one text, comment or CDATA section; as much as is kept of a file
)

const errTag limitError = "an element of the document has more attributes than are read; it was not read further"

// truncateLongXMLTexts is XML whose texts are cut where they are longer than is kept of them: one that
// carries a file is read up to its end. A tag beyond its bound ends the file.
func truncateLongXMLTexts(data []byte) (_ []byte, err error) {
	if len(data) <= longestTag {
		return data, nil
	}
	var kept []byte // of the data before from; nil while nothing was cut
	from, at := 0, 0
	for at < len(data) && err == nil {
		end, text := findMarkupEnd(data[at:])
		if !text && end > longestTag {
			err = errTag
			data = data[:at]
			break
		}
		if text && end > longestText {
			cut := at + longestText
			for cut > at && !utf8.RuneStart(data[cut]) {
				cut--
			}
			kept = append(kept, data[from:cut]...)
			from = at + end
		}
		at += end
	}
	if kept == nil {
		return data, err
	}
	return append(kept, data[from:]...), err
}

// findMarkupEnd returns where the piece of XML ends with which data begins, and whether that is text: a
// tag, or what stands up to the next one. The end of a comment or CDATA section is its mark,
// which stays when what is before it is cut.
func findMarkupEnd(data []byte) (length int, text bool) {
	end, text := "<", true
	switch {
	case bytes.HasPrefix(data, []byte("<!--")):
		end = "-->"
	case bytes.HasPrefix(data, []byte("<![CDATA[")):
		end = "]]>"
	case data[0] == '<':
		end, text = ">", false
	}
	length = bytes.Index(data, []byte(end))
	switch {
	case length < 0:
		return len(data), text
	case !text:
		length++
	}
	return length, text
}
