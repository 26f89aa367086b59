package reader

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/xmltree"
)

// readDOCX reads a Word document: headers (where letterheads stand), body, what is noted
// to it, footers.
func readDOCX(ctx context.Context, data []byte, limits Limits, content *Content) error {
	opened, err := openArchive(ctx, data, limits)
	if err != nil {
		return err
	}
	if !opened.has(wordBody) {
		return errors.New("the archive is no Word document: word/document.xml is missing")
	}
	content.readCoreProperties(opened)
	text := boundedText{limit: limits.MaxText}
	composer := layout.Composer{}
	defer func() {
		content.Pages = composeSinglePage(&composer)
		content.setBoundedText(&text, limits)
	}()
	rows := newRowCollector(content, limits.MaxRows+1)
	for _, part := range documentParts(opened) {
		source, err := opened.openPart(part)
		if err != nil {
			return err
		}
		word := docxReader{content: content, limits: limits, text: &text, composer: &composer, rows: rows, paragraph: new(openParagraph)}
		err = word.readPart(xmltree.NewDecoder(source))
		word.closeOpenElements()
		_ = source.Close()
		var reached limitError
		switch {
		case err == nil:
		case part == wordBody || errors.As(err, &reached):
			return fmt.Errorf("the part %s is damaged: %w", part, err)
		default: // the document stands without its notes
			content.markTruncated(fmt.Sprintf("the part %s is damaged; what stands behind the damage was left out", part))
		}
		composer.AddEmptyLine()
	}
	return nil
}

const wordBody = "word/document.xml"

func documentParts(opened *archive) (parts []string) {
	names := slices.Sorted(maps.Keys(opened.members))
	for _, pattern := range []string{"word/header*.xml", wordBody, "word/footnotes.xml", "word/endnotes.xml", "word/comments.xml", "word/footer*.xml"} {
		for _, name := range names {
			if matches, _ := path.Match(pattern, name); matches {
				parts = append(parts, name)
			}
		}
	}
	return parts
}

// readCoreProperties keeps title, author and dates of an Office document.
func (content *Content) readCoreProperties(opened *archive) {
	var properties struct {
		Title    string `xml:"title"`
		Subject  string `xml:"subject"`
		Creator  string `xml:"creator"`
		Created  string `xml:"created"`
		Modified string `xml:"modified"`
	}
	if opened.decodeXMLPart("docProps/core.xml", &properties) != nil {
		return
	}
	content.setMetadata("title", properties.Title)
	content.setMetadata("subject", properties.Subject)
	content.setMetadata("author", properties.Creator)
	content.setMetadata("created_at", properties.Created)
	content.setMetadata("modified_at", properties.Modified)
}

// docxReader walks a part of a Word document. Tables within tables are read as text of
// the outer cell.
type docxReader struct {
	content   *Content
	limits    Limits
	text      *boundedText
	composer  *layout.Composer
	paragraph *openParagraph
	around    []*openParagraph // that the text boxes around the paragraph stand in
	tables    int              // depth of tables
	rows      *rowCollector    // of the outermost table
	row, cell []string         // cells of the current row, paragraphs of the current cell
}

// openParagraph is a paragraph as far as it was read.
type openParagraph struct {
	strings.Builder
	heading bool
}

func (word *docxReader) readPart(decoder *xml.Decoder) error {
	depth, skip := 0, 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth++; depth > word.limits.MaxDepth {
				return errDepth
			}
			// What stands a second time: for programs that do not know its newer form, or where it was
			// before somebody moved it.
			if skip > 0 || token.Name.Local == "Fallback" || token.Name.Local == "moveFrom" {
				skip++
				continue
			}
			if err := word.startElement(decoder, token, &depth); err != nil {
				return err
			}
		case xml.EndElement:
			depth--
			if skip > 0 {
				skip--
				continue
			}
			word.endElement(token.Name.Local)
		}
	}
}

func (word *docxReader) startElement(decoder *xml.Decoder, element xml.StartElement, depth *int) error {
	switch element.Name.Local {
	case "t":
		var text string
		if err := decoder.DecodeElement(&text, &element); err != nil {
			return err
		}
		*depth--
		word.paragraph.WriteString(text)
	case "tab":
		word.paragraph.WriteByte('\t')
	case "br", "cr":
		word.paragraph.WriteByte('\n')
	case "noBreakHyphen":
		word.paragraph.WriteByte('-')
	case "pStyle":
		for _, attribute := range element.Attr {
			style := strings.ToLower(attribute.Value)
			word.paragraph.heading = word.paragraph.heading || strings.HasPrefix(style, "heading") || style == "title"
		}
	case "txbxContent": // stands in a paragraph, whose text goes on behind it
		word.around = append(word.around, word.paragraph)
		word.paragraph = new(openParagraph)
	case "tbl":
		word.tables++
	case "tr":
		if word.tables == 1 {
			word.row = nil
		}
	case "tc":
		if word.tables == 1 {
			word.cell = nil
		}
	}
	return nil
}

func (word *docxReader) endElement(name string) {
	switch name {
	case "p":
		word.endParagraph()
	case "txbxContent":
		word.endTextBox()
	case "tc":
		if word.tables == 1 && len(word.row) <= maxColumns {
			word.row = append(word.row, strings.Join(word.cell, "\n"))
		}
	case "tr":
		if word.tables == 1 {
			word.text.WriteString(rowText(word.row))
			word.rows.addWithinLimits(word.row)
		}
	case "tbl":
		if word.tables--; word.tables == 0 {
			word.endTable()
		}
	}
}

func (word *docxReader) endParagraph() {
	text, heading := word.paragraph.String(), word.paragraph.heading
	word.paragraph = new(openParagraph)
	if strings.TrimSpace(text) == "" {
		return
	}
	if word.tables > 0 {
		word.cell = append(word.cell, strings.ReplaceAll(text, "\t", " "))
		return
	}
	if heading && word.content.title() == "" {
		word.content.setMetadata("title", strings.Join(strings.Fields(text), " "))
	}
	word.text.WriteString(text + "\n")
	word.composer.AddTypedText(text)
}

// endTextBox goes on with the paragraph that a text box stands in.
func (word *docxReader) endTextBox() {
	word.endParagraph()
	if last := len(word.around) - 1; last >= 0 {
		word.paragraph, word.around = word.around[last], word.around[:last]
	}
}

// closeOpenElements ends what a part left open that ends in its middle.
func (word *docxReader) closeOpenElements() {
	for len(word.around) > 0 {
		word.endTextBox()
	}
	word.endParagraph()
}

func (word *docxReader) endTable() {
	rows, _, total := word.rows.finishTable()
	if len(rows) == 0 {
		return
	}
	word.composer.AddTable(rows)
	if table := makeTable("", rows, total, false, word.limits); table.Width() > 1 {
		word.content.addTable(table, word.limits)
	}
}
