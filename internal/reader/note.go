package reader

import (
	"strings"
	"unicode/utf8"

	"toolkit/internal/lazyregexp"
	"toolkit/internal/reader/layout"
)

var (
	heading  = lazyregexp.New(`^#{1,6}\s+(.+?)\s*#*$`)
	checkbox = lazyregexp.New(`(?m)^[ \t\f]*(?:[-*+•]|\d+[.)])?[ \t]*(\[[ xX✓✔]?\]|[☐☑☒✅])[ \t]+(.+)$`)
)

// setNoteFields reads what the capability store_note takes; documents of no special kind are read
// the same way.
func (result *extraction) setNoteFields() {
	text := strings.TrimSpace(result.content.Text)
	if title, source := result.noteTitle(text); title != "" {
		result.setField("title", title, source)
	}
	if text != "" {
		result.setField("content", text, Source{Page: 1, Line: 1})
	}
	result.setTasksFromCheckboxes(text)
}

// longestTitle is the number of characters of a title at most.
const longestTitle = 120

// noteTitle is what the file states, its first heading, its greatest letters, or its first
// line when that reads like a title.
func (result *extraction) noteTitle(text string) (string, Source) {
	if result.content.Type == MD {
		text = frontMatter().ReplaceAllString(text, "")
		if match := frontTitle().FindStringSubmatch(result.content.Text); match != nil && strings.HasPrefix(result.content.Text, "---") {
			return strings.Trim(strings.TrimSpace(match[1]), `"'`), Source{Page: 1}
		}
		for line := range strings.Lines(text) {
			if match := heading().FindStringSubmatch(strings.TrimSpace(line)); match != nil {
				return match[1], result.locateText(match[1])
			}
		}
	}
	if title := result.content.title(); title != "" && result.content.Type != PDF {
		return title, Source{}
	}
	if title := result.form.documentTitle(); title != "" {
		return title, result.locateText(title)
	}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			if utf8.RuneCountInString(line) <= longestTitle && !checkbox().MatchString(line) && !strings.HasSuffix(line, ",") {
				return strings.TrimLeft(line, "#*- "), result.locateText(line)
			}
			break
		}
	}
	return "", Source{}
}

var (
	frontMatter = lazyregexp.New(`(?s)\A---\n.*?\n---\n`)
	frontTitle  = lazyregexp.New(`(?m)^title:\s*(.+)$`)
)

// documentTitle is the line of the greatest letters at the top of the first page, when
// they are greater than the text's.
func (read *labeledPages) documentTitle() string {
	if len(read.pages) == 0 {
		return ""
	}
	page := read.pages[0]
	body := bodyTextSize(page)
	best, bestSize := "", 1.15*body
	for index, line := range page.Lines {
		if index > 12 || line.Aside {
			break
		}
		if len(line.Cells) != 1 {
			continue
		}
		text := strings.TrimSpace(line.Cells[0].Text)
		if text == "" || utf8.RuneCountInString(text) > longestTitle || len(line.Cells[0].Words) == 0 {
			continue
		}
		if size := line.Cells[0].Size; size > bestSize+0.1 && countLetters(text) > 2 {
			best, bestSize = text, size
		}
	}
	return best
}

func countLetters(text string) int {
	count := 0
	for _, character := range text {
		if isWordRune(character) && (character < '0' || character > '9') {
			count++
		}
	}
	return count
}

// setTasksFromCheckboxes sets the checkboxes of a text, as objects with a title and whether it is done.
func (result *extraction) setTasksFromCheckboxes(text string) {
	var tasks itemList
	for _, match := range checkbox().FindAllStringSubmatch(text, -1) {
		title, source := strings.TrimSpace(match[2]), Source{}
		if len(tasks.items) == 0 { // looked for once: a list may be long
			source = result.locateText(title)
		}
		done := strings.ContainsAny(match[1], "xX✓✔☑☒✅")
		tasks.addItem(map[string]any{"title": title, "completed": done}, source)
	}
	result.setList("tasks", tasks)
}

// setRecordFields sets the items of a file of messages, events or contacts: the fields of one, or
// a list of several.
func (result *extraction) setRecordFields(kind string) {
	records := result.content.Records
	if len(records) == 1 {
		for key, item := range records[0].Fields {
			result.setField(key, item, Source{})
		}
		return
	}
	items := make([]map[string]any, 0, len(records))
	for _, record := range records {
		items = append(items, record.Fields)
	}
	if len(items) > 0 {
		result.setField(kind+"s", items, Source{})
	}
	if title := result.content.title(); title != "" {
		result.setField("title", title, Source{})
	}
}

// setDatasetFields sets what a table is: its columns and the number of its rows.
func (result *extraction) setDatasetFields() {
	data := result.content.FirstDataset(1)
	names := make([]string, 0, len(data.Columns))
	for _, column := range data.Columns {
		names = append(names, column.Name)
	}
	result.setField("columns", names, Source{})
	result.setField("row_count", data.Total, Source{})
	if data.Name != "" {
		result.setField("title", data.Name, Source{})
	}
	if len(result.content.Tables) > 1 {
		tables := make([]string, 0, len(result.content.Tables))
		for _, table := range result.content.Tables {
			tables = append(tables, table.Name)
		}
		result.setField("tables", tables, Source{})
	}
}

// isDocumentTitle tells whether a line is the title of a kind of document rather than a name.
func isDocumentTitle(text string) bool {
	_, titled := matchKindTitle(text)
	return titled || isInvoiceWord(phraseKey(text))
}

// listPossibleTitles returns the cells that may be titles: short, at the top of a page.
func listPossibleTitles(pages []layout.Page) []string {
	var titles []string
	for index, page := range pages[:min(len(pages), 2)] {
		for number, line := range page.Lines {
			if number > 30 || line.Aside || (index > 0 && number > 5) {
				break
			}
			for position, cell := range line.Cells {
				if len(cell.Words) <= 12 {
					titles = append(titles, cell.Text)
				}
				if wide := joinTwoWordTitle(line.Cells, position); wide != "" {
					titles = append(titles, wide)
				}
			}
		}
	}
	return titles
}

// joinTwoWordTitle is what the words of two cells beside each other say together: "CREDIT     MEMO".
func joinTwoWordTitle(cells []layout.Cell, at int) string {
	if at+1 < len(cells) && len(cells[at].Words) == 1 && len(cells[at+1].Words) == 1 {
		return cells[at].Text + " " + cells[at+1].Text
	}
	return ""
}

// setMailFields sets of a message that is a paper what its head says, but for the day on which it was sent.
func (result *extraction) setMailFields() {
	for _, key := range []string{"from", "to", "subject", "message_id"} {
		if item, known := result.content.Records[0].Fields[key]; known {
			result.setField(key, item, Source{})
		}
	}
}
