package document

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"toolkit/internal/document/layout"
)

// maxSharedStrings bounds the table of strings a workbook keeps apart from its cells.
const maxSharedStrings = 2_000_000

// workbook reads the sheets of an Excel file. Dates, which Excel keeps as numbers, are
// recognised by their format and written as YYYY-MM-DD.
type workbook struct {
	*archive
	strings []string
	dates   []bool // by cell style
	epoch   time.Time
}

func readXLSX(ctx context.Context, data []byte, limits Limits, content *Content) error {
	opened, err := openArchive(ctx, data, limits)
	if err != nil {
		return err
	}
	book := &workbook{archive: opened, epoch: time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)}
	sheets, err := book.sheets()
	if err != nil {
		return err
	}
	if err := book.readStrings(); err != nil {
		return err
	}
	if err := book.readStyles(); err != nil {
		return err
	}
	content.coreProperties(opened)
	var text strings.Builder
	composer := layout.Composer{}
	var names []string
	for _, sheet := range sheets {
		rows, total, err := book.readSheet(sheet.part, limits.MaxRows+maxPreamble+1)
		if err != nil {
			return fmt.Errorf("the sheet %q is damaged: %w", sheet.name, err)
		}
		names = append(names, sheet.name)
		if len(rows) == 0 {
			continue
		}
		content.addTable(sheetTable(sheet.name, rows, total, limits), limits)
		text.WriteString(sheet.name + "\n")
		for _, row := range rows {
			text.WriteString(strings.TrimRight(strings.Join(row, "\t"), "\t") + "\n")
		}
		composer.Rows(rows[:min(len(rows), 500)])
		composer.Gap()
	}
	content.Metadata["sheets"] = names
	content.Pages = []layout.Page{composer.Page(1)}
	content.setText(text.String(), limits)
	return nil
}

func sheetTable(name string, rows [][]string, total int, limits Limits) Table {
	skip := preambleLength(rows)
	return tableOf(name, rows[skip:], total-skip, limits)
}

type sheetPart struct{ name, part string }

// decode reads a whole small part into a structure.
func (book *workbook) decode(part string, into any) error {
	source, err := book.open(part)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	if err := newXMLDecoder(source).Decode(into); err != nil {
		return fmt.Errorf("the part %s is damaged: %w", part, err)
	}
	return nil
}

func (book *workbook) sheets() ([]sheetPart, error) {
	var index struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := book.decode("xl/workbook.xml", &index); err != nil {
		return nil, err
	}
	if index.Properties.Date1904 == "1" || index.Properties.Date1904 == "true" {
		book.epoch = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
	}
	var relations struct {
		Relationships []struct {
			ID     string `xml:"Id,attr"`
			Target string `xml:"Target,attr"`
		} `xml:"Relationship"`
	}
	if err := book.decode("xl/_rels/workbook.xml.rels", &relations); err != nil {
		return nil, err
	}
	targets := map[string]string{}
	for _, relation := range relations.Relationships {
		target := path.Join("xl", relation.Target)
		if strings.HasPrefix(relation.Target, "/") {
			target = strings.TrimPrefix(path.Clean(relation.Target), "/")
		}
		targets[relation.ID] = target
	}
	var sheets []sheetPart
	for number, sheet := range index.Sheets {
		part := targets[sheet.ID]
		if part == "" {
			part = fmt.Sprintf("xl/worksheets/sheet%d.xml", number+1)
		}
		if book.has(part) && strings.Contains(part, "worksheets/") {
			sheets = append(sheets, sheetPart{sheet.Name, part})
		}
	}
	if len(sheets) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	return sheets, nil
}

// richText is a text in runs, of which phonetic hints are no part.
type richText struct {
	Text string `xml:"t"`
	Runs []struct {
		Text string `xml:"t"`
	} `xml:"r"`
}

func (rich richText) String() string {
	text := rich.Text
	for _, run := range rich.Runs {
		text += run.Text
	}
	return text
}

func (book *workbook) readStrings() error {
	if !book.has("xl/sharedStrings.xml") {
		return nil
	}
	return book.each("xl/sharedStrings.xml", "si", func(decoder *xml.Decoder, element xml.StartElement) error {
		var item richText
		if err := decoder.DecodeElement(&item, &element); err != nil {
			return err
		}
		if len(book.strings) >= maxSharedStrings {
			return errBomb
		}
		book.strings = append(book.strings, item.String())
		return nil
	})
}

// each streams the elements of one name out of a part.
func (book *workbook) each(part, name string, visit func(*xml.Decoder, xml.StartElement) error) error {
	source, err := book.open(part)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	decoder := newXMLDecoder(source)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if element, ok := token.(xml.StartElement); ok && element.Name.Local == name {
			if err := visit(decoder, element); err != nil {
				return err
			}
		}
	}
}

func (book *workbook) readStyles() error {
	if !book.has("xl/styles.xml") {
		return nil
	}
	var styles struct {
		Formats []struct {
			ID   int    `xml:"numFmtId,attr"`
			Code string `xml:"formatCode,attr"`
		} `xml:"numFmts>numFmt"`
		Cells []struct {
			Format int `xml:"numFmtId,attr"`
		} `xml:"cellXfs>xf"`
	}
	if err := book.decode("xl/styles.xml", &styles); err != nil {
		return err
	}
	custom := map[int]bool{}
	for _, format := range styles.Formats {
		custom[format.ID] = isDateFormat(format.Code)
	}
	for _, cell := range styles.Cells {
		builtIn := (cell.Format >= 14 && cell.Format <= 17) || cell.Format == 22 || (cell.Format >= 27 && cell.Format <= 36)
		book.dates = append(book.dates, builtIn || custom[cell.Format])
	}
	return nil
}

// isDateFormat tells whether a number format shows a day: letters of dates outside of
// quotes, brackets and escapes.
func isDateFormat(code string) bool {
	quoted, bracket, escaped := false, false, false
	days := false
	for _, character := range strings.ToLower(code) {
		switch {
		case escaped:
			escaped = false
		case character == '\\' || character == '_':
			escaped = true
		case character == '"':
			quoted = !quoted
		case character == '[':
			bracket = true
		case character == ']':
			bracket = false
		case !quoted && !bracket && (character == 'd' || character == 'y'):
			days = true
		}
	}
	return days
}

// readSheet returns up to limit filled rows and the number of all.
func (book *workbook) readSheet(part string, limit int) (rows [][]string, total int, err error) {
	err = book.each(part, "row", func(decoder *xml.Decoder, element xml.StartElement) error {
		var row struct {
			Cells []sheetCell `xml:"c"`
		}
		if err := decoder.DecodeElement(&row, &element); err != nil {
			return err
		}
		var cells []string
		for _, cell := range row.Cells {
			column := cell.column(len(cells))
			if column >= maxColumns {
				continue
			}
			for len(cells) <= column {
				cells = append(cells, "")
			}
			cells[column] = book.text(cell)
		}
		if len(nonBlank(cells)) == 0 {
			return nil
		}
		if total++; total <= limit {
			rows = append(rows, cells)
		}
		return nil
	})
	return rows, total, err
}

// maxColumns is Excel's own bound.
const maxColumns = 16_384

type sheetCell struct {
	Reference string   `xml:"r,attr"`
	Kind      string   `xml:"t,attr"`
	Style     int      `xml:"s,attr"`
	Value     string   `xml:"v"`
	Inline    richText `xml:"is"`
}

// column is the index a reference like "AB12" names; without one, the next.
func (cell sheetCell) column(next int) int {
	column := 0
	for _, character := range cell.Reference {
		if character < 'A' || character > 'Z' {
			break
		}
		if column = column*26 + int(character-'A') + 1; column > maxColumns {
			return maxColumns
		}
	}
	if column == 0 {
		return next
	}
	return column - 1
}

func (book *workbook) text(cell sheetCell) string {
	switch cell.Kind {
	case "s":
		index, err := strconv.Atoi(strings.TrimSpace(cell.Value))
		if err != nil || index < 0 || index >= len(book.strings) {
			return ""
		}
		return book.strings[index]
	case "inlineStr":
		return cell.Inline.String()
	case "b":
		return map[string]string{"1": "true", "0": "false"}[cell.Value]
	case "e":
		return ""
	case "str", "d":
		return cell.Value
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(cell.Value), 64)
	if err != nil {
		return cell.Value
	}
	if cell.Style >= 0 && cell.Style < len(book.dates) && book.dates[cell.Style] && number >= 1 && number < 2_958_466 {
		moment := book.epoch.Add(time.Duration(math.Round(number*86_400)) * time.Second)
		if moment.Hour()+moment.Minute()+moment.Second() == 0 {
			return moment.Format(time.DateOnly)
		}
		return moment.Format("2006-01-02T15:04:05")
	}
	// Excel shows 15 significant digits and means them: 0.30000000000000004 is 0.3.
	rounded, err := strconv.ParseFloat(strconv.FormatFloat(number, 'g', 15, 64), 64)
	if err != nil {
		return cell.Value
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64)
}
