package reader

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

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
	"toolkit/internal/reader/value"
	"toolkit/internal/reader/xmltree"
)

// maxSharedStrings bounds the table of strings a workbook keeps apart from its cells.
const maxSharedStrings = 2_000_000

// workbook reads the sheets of an Excel file. Dates, which Excel keeps as numbers, are
// recognised by their format and written as YYYY-MM-DD.
//
// Excelize 2.11 was tried instead: its rows do not tell dates from numbers unless a sheet is
// held as a whole, a sheet of 150 kB with cells in the last column cost 4.9 GB and 10 s (here
// 104 MB and 0.2 s), and the program grew by 1.2 MB.
type workbook struct {
	*archive
	strings []string
	dates   []bool // by cell style

	currencies []string // that numbers are shown in, by cell style
	epoch      time.Time
}

func readXLSX(ctx context.Context, data []byte, limits Limits, content *Content) error {
	opened, err := openArchive(ctx, data, limits)
	if err != nil {
		return err
	}
	book := &workbook{archive: opened, epoch: time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)}
	sheets, err := book.readSheetList()
	if err != nil {
		return err
	}
	if err := book.readStrings(); err != nil {
		return err
	}
	if err := book.readStyles(); err != nil {
		return err
	}
	content.readCoreProperties(opened)
	text := boundedText{limit: limits.MaxText}
	composer := layout.Composer{}
	var names []string
	defer func() {
		content.Metadata["sheets"] = names
		content.Pages = composeSinglePage(&composer)
		content.setBoundedText(&text, limits)
	}()
	collector := newRowCollector(content, limits.MaxRows+maxPreamble+1)
	for _, sheet := range sheets {
		if len(names) == limits.MaxTables {
			content.markTruncated("further sheets were left out")
			break
		}
		broken := book.readSheet(sheet.part, collector)
		names = append(names, sheet.name)
		if rows := collector.rows; len(rows) > 0 {
			content.addTableFromRows(sheet.name, collector, limits)
			text.WriteString(sheet.name + "\n")
			for _, row := range rows {
				text.WriteString(strings.TrimRight(strings.Join(row, "\t"), "\t") + "\n")
			}
			composer.AddTable(rows[:min(len(rows), 500)])
			composer.AddEmptyLine()
		}
		if broken != nil {
			return fmt.Errorf("the sheet %q is damaged: %w", sheet.name, broken)
		}
	}
	return nil
}

type sheetPart struct{ name, part string }

func (book *workbook) readSheetList() ([]sheetPart, error) {
	var index struct {
		Properties struct {
			Date1904 string `xml:"date1904,attr"`
		} `xml:"workbookPr"`
		Sheets []struct {
			Name string `xml:"name,attr"`
			ID   string `xml:"http://schemas.openxmlformats.org/officeDocument/2006/relationships id,attr"`
		} `xml:"sheets>sheet"`
	}
	if err := book.decodeXMLPart("xl/workbook.xml", &index); err != nil {
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
	if err := book.decodeXMLPart("xl/_rels/workbook.xml.rels", &relations); err != nil {
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
	listed := map[string]bool{} // each part is one sheet, however often the list names it
	for number, sheet := range index.Sheets {
		part := targets[sheet.ID]
		if part == "" {
			part = fmt.Sprintf("xl/worksheets/sheet%d.xml", number+1)
		}
		if book.has(part) && strings.Contains(part, "worksheets/") && !listed[part] {
			listed[part] = true
			sheets = append(sheets, sheetPart{sheet.Name, part})
		}
	}
	if len(sheets) == 0 {
		return nil, errors.New("the workbook has no sheet")
	}
	return sheets, nil
}

// richText is a text, plain or in runs; phonetic hints are no part of it.
type richText struct {
	Plain []string `xml:"t"`
	Runs  []string `xml:"r>t"`
}

func (text richText) String() string {
	return TruncateText(strings.Join(append(text.Plain, text.Runs...), ""), longestField)
}

func (book *workbook) readStrings() error {
	if !book.has("xl/sharedStrings.xml") {
		return nil
	}
	return book.visitElements("xl/sharedStrings.xml", func(decoder *xml.Decoder, element xml.StartElement) error {
		if element.Name.Local != "si" {
			return nil
		}
		var text richText
		if err := decoder.DecodeElement(&text, &element); err != nil {
			return err
		}
		if len(book.strings) >= maxSharedStrings {
			return errBomb
		}
		book.strings = append(book.strings, text.String())
		return nil
	})
}

// visitElements visits the beginnings of a part's elements; what a visit reads is passed over.
func (book *workbook) visitElements(part string, visit func(*xml.Decoder, xml.StartElement) error) error {
	source, err := book.openPart(part)
	if err != nil {
		return err
	}
	defer func() { _ = source.Close() }()
	decoder := xmltree.NewDecoder(source)
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if element, begins := token.(xml.StartElement); begins {
			err = visit(decoder, element)
		}
		if err != nil {
			return err
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
	if err := book.decodeXMLPart("xl/styles.xml", &styles); err != nil {
		return err
	}
	custom, currencies := map[int]bool{}, map[int]string{}
	for _, format := range styles.Formats {
		shown := strings.ToLower(unshown().ReplaceAllString(format.Code, ""))
		custom[format.ID], currencies[format.ID] = strings.ContainsAny(shown, "dy"), currencyOfNumberFormat(format.Code)
	}
	for _, cell := range styles.Cells {
		builtIn := (cell.Format >= 14 && cell.Format <= 17) || cell.Format == 22 || (cell.Format >= 27 && cell.Format <= 36)
		book.dates = append(book.dates, builtIn || custom[cell.Format])
		book.currencies = append(book.currencies, currencies[cell.Format])
	}
	return nil
}

// unshown are the parts of a number format that show no number: quotes, brackets, escapes.
var unshown = lazyregexp.New(`"[^"]*"?|\[[^\]]*\]?|[\\_].?`)

// formatText is a text that a number format shows: "€", [$€-407].
var formatText = lazyregexp.New(`"([^"]+)"|\[\$([^-\]]+)`)

// currencyOfNumberFormat is the currency that a number format shows behind or before the number, "" for none
// and for a sign of several.
func currencyOfNumberFormat(code string) string {
	for _, match := range formatText().FindAllStringSubmatch(code, -1) {
		if amount, ok := value.ParseAmount("1"+strings.TrimSpace(match[1]+match[2]), value.Point); ok && amount.StatedCurrency() != "" {
			return amount.StatedCurrency()
		}
	}
	return ""
}

// readSheet keeps the filled rows of a sheet. Cells are read one at a time: a row may have
// millions in a hostile file.
func (book *workbook) readSheet(part string, collector *rowCollector) error {
	var row sheetRow
	end := func() {
		if row.filled {
			collector.addWithinLimits(row.cells)
		}
		row = sheetRow{}
	}
	err := book.visitElements(part, func(decoder *xml.Decoder, element xml.StartElement) error {
		switch element.Name.Local {
		case "row":
			end()
		case "c":
			var cell sheetCell
			if err := decoder.DecodeElement(&cell, &element); err != nil {
				return err
			}
			column := cell.columnIndex(row.next)
			if column >= maxColumns {
				collector.content.markTruncated(columnsCut)
				return nil
			}
			row.setCell(column, book.formatCell(cell), collector.hasRoom())
		}
		return nil
	})
	end()
	return err
}

// sheetRow is the row at hand.
type sheetRow struct {
	cells  []string
	next   int // column of a cell that does not say its own
	filled bool
}

// setCell sets a cell; of a row that is only counted no cells are made.
func (row *sheetRow) setCell(column int, text string, wanted bool) {
	row.next = max(row.next, column+1)
	row.filled = row.filled || strings.TrimSpace(text) != ""
	if !wanted {
		return
	}
	if missing := column + 1 - len(row.cells); missing > 0 {
		row.cells = append(row.cells, make([]string, missing)...)
	}
	row.cells[column] = text
}

// sheetCell is a cell as the file has it.
type sheetCell struct {
	Reference string   `xml:"r,attr"`
	Kind      string   `xml:"t,attr"`
	Style     int      `xml:"s,attr"`
	Value     string   `xml:"v"`
	Inline    richText `xml:"is"`
}

// columnIndex is the index a reference like "AB12" names; without one, the next.
func (cell sheetCell) columnIndex(next int) int {
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

func (book *workbook) formatCell(cell sheetCell) string {
	switch cell.Kind {
	case "s":
		index, err := strconv.Atoi(strings.TrimSpace(cell.Value))
		if err != nil || index < 0 || index >= len(book.strings) {
			return ""
		}
		return book.strings[index]
	case "inlineStr":
		return cell.Inline.String()
	case "b", "e": // true or false; an error says nothing
		return map[string]string{"1": "true", "0": "false"}[cell.Value]
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
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(number, 'g', 15, 64), 64)
	text := strconv.FormatFloat(rounded, 'f', -1, 64)
	if cell.Style >= 0 && cell.Style < len(book.currencies) && book.currencies[cell.Style] != "" {
		return text + " " + book.currencies[cell.Style]
	}
	return text
}
