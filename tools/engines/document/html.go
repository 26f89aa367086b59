package document

import (
	"context"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"

	"toolkit/tools/engines/document/layout"
)

// readHTML reads a web page as a reader sees it: blocks as lines, tables as tables.
func readHTML(ctx context.Context, data []byte, limits Limits, content *Content) error {
	text, encoding := decodeText(data)
	if found, name, certain := charset.DetermineEncoding(data[:min(len(data), 1024)], ""); certain && name != "utf-8" {
		if decoded, err := found.NewDecoder().Bytes(data); err == nil {
			text, encoding = string(decoded), name
		}
	}
	content.note("encoding", encoding)
	page, err := renderHTML(ctx, text, limits)
	content.note("title", page.title)
	for _, table := range page.tables {
		content.addTable(table, limits)
	}
	content.Pages = onePage(&page.composer)
	content.setBounded(&page.text, limits)
	return err
}

// webPage collects what a page shows.
type webPage struct {
	ctx      context.Context
	limits   Limits
	title    string
	tables   []Table
	text     boundedText
	composer layout.Composer
	line     strings.Builder
	pre      int

	holdsTable map[*html.Node]bool
}

func renderHTML(ctx context.Context, text string, limits Limits) (*webPage, error) {
	page := &webPage{ctx: ctx, limits: limits, text: boundedText{limit: limits.MaxText}}
	tree, err := parseHTML(ctx, text, limits.MaxDepth)
	page.holdsTable = tree.holdsTable
	if ended := page.walk(tree.root); err == nil {
		err = ended
	}
	page.flush()
	return page, err
}

func (page *webPage) flush() {
	line := strings.Join(strings.Fields(page.line.String()), " ")
	page.line.Reset()
	if line == "" {
		return
	}
	page.text.WriteString(line + "\n")
	page.composer.Paragraph(line)
}

func (page *webPage) walk(node *html.Node) error {
	if page.ctx.Err() != nil {
		return page.ctx.Err()
	}
	switch node.Type {
	case html.TextNode:
		page.write(node.Data)
		return nil
	case html.ElementNode:
		switch node.DataAtom {
		case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Svg, atom.Iframe:
			return nil
		case atom.Title:
			if page.title == "" && node.FirstChild != nil {
				page.title = strings.Join(strings.Fields(node.FirstChild.Data), " ")
			}
			return nil
		case atom.Br:
			page.flush()
			return nil
		case atom.Input:
			page.input(node)
			return nil
		case atom.Table:
			if !page.holdsTable[node] {
				page.flush()
				page.table(node)
				return nil
			}
		}
	}
	block := node.Type == html.ElementNode && isBlock(node.DataAtom)
	if block {
		page.flush()
	}
	if node.DataAtom == atom.Pre {
		page.pre++
		defer func() { page.pre-- }()
	}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		if err := page.walk(child); err != nil {
			return err
		}
	}
	if block {
		page.flush()
	}
	return nil
}

func (page *webPage) write(text string) {
	if page.pre == 0 {
		page.line.WriteString(text)
		return
	}
	for line := range strings.Lines(text) {
		page.line.WriteString(line)
		if strings.HasSuffix(line, "\n") {
			page.flush()
		}
	}
}

// input shows a form's values and a task list's boxes.
func (page *webPage) input(node *html.Node) {
	attributes := map[string]string{}
	for _, attribute := range node.Attr {
		attributes[attribute.Key] = attribute.Val
	}
	switch attributes["type"] {
	case "checkbox", "radio":
		if _, checked := attributes["checked"]; checked {
			page.line.WriteString(" [x] ")
		} else {
			page.line.WriteString(" [ ] ")
		}
	case "", "text", "number", "date", "email":
		page.line.WriteString(" " + attributes["value"] + " ")
	}
}

func isBlock(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.Abbr, atom.B, atom.Bdi, atom.Cite, atom.Code, atom.Em, atom.Font, atom.I, atom.Img, atom.Label, atom.Mark, atom.Q, atom.S,
		atom.Small, atom.Span, atom.Strong, atom.Sub, atom.Sup, atom.Time, atom.U, atom.Var, atom.Wbr, atom.Kbd, atom.Samp, atom.Ins, atom.Del, 0:
		return false
	}
	return true
}

// table reads an innermost table. One that only arranges (a single column) becomes lines.
func (page *webPage) table(node *html.Node) {
	rows, headed := page.rows(node)
	width := 0
	for _, row := range rows {
		width = max(width, len(row))
	}
	if width == 0 {
		return
	}
	page.composer.Rows(rows)
	for _, row := range rows {
		page.text.WriteString(rowText(row))
	}
	if width < 2 {
		return
	}
	page.tables = append(page.tables, tableOf("", rows, len(rows), headed, page.limits))
}

func (page *webPage) rows(node *html.Node) (rows [][]string, headed bool) {
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		switch child.DataAtom {
		case atom.Tr:
			var row []string
			heads := 0
			for cell := child.FirstChild; cell != nil; cell = cell.NextSibling {
				if cell.DataAtom == atom.Td || cell.DataAtom == atom.Th {
					row = append(row, page.cell(cell))
					if cell.DataAtom == atom.Th {
						heads++
					}
				}
			}
			if len(nonBlank(row)) > 0 {
				headed = headed || (len(rows) == 0 && heads > 1 && heads == len(row))
				rows = append(rows, row)
			}
		case atom.Thead, atom.Tbody, atom.Tfoot:
			inner, innerHeaded := page.rows(child)
			headed = headed || (len(rows) == 0 && innerHeaded)
			rows = append(rows, inner...)
		case atom.Caption:
			page.text.WriteString(page.cell(child) + "\n")
		}
	}
	return rows, headed
}

// cell is the text of a table cell, its blocks on lines of their own.
func (page *webPage) cell(node *html.Node) string {
	inner := &webPage{ctx: page.ctx, limits: page.limits, text: boundedText{limit: longestField}}
	for child := node.FirstChild; child != nil; child = child.NextSibling {
		if inner.walk(child) != nil {
			break
		}
	}
	inner.flush()
	return strings.TrimSpace(inner.text.String())
}
