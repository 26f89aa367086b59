package reader

import (
	"slices"
	"strings"

	"toolkit/internal/reader/layout"
)

// View is a page of a file as its lines are counted, for a person to look at.
type View struct {
	Number int        `json:"page"`
	Pages  int        `json:"pages"`
	Width  float64    `json:"width"` // in points; 0: only the lines are known
	Height float64    `json:"height"`
	Lines  []ViewLine `json:"lines"`
	Words  []ViewWord `json:"words,omitempty"`
	Lacks  bool       `json:"lacks"` // lines or words beyond the limits are not among these
}

// ViewLine is a line of a View.
type ViewLine struct {
	Number int    `json:"line"`
	Text   string `json:"text"`
}

// ViewWord is a word where it stands on the page, turned clockwise by quarters.
type ViewWord struct {
	layout.Place
	Turn int    `json:"turn,omitempty"`
	Text string `json:"text"`
}

// Limits of a View. The lines shown are those around the one that is asked for.
const (
	mostViewLines = 400
	mostViewWords = 4000
	longestViewed = 2000 // bytes of a line or a word
)

// PageView returns a page, with the lines around one of them, and false when there is no such
// page.
func (content *Content) PageView(number, line int) (View, bool) {
	pages := content.sourcePages()
	at := slices.IndexFunc(pages, func(page layout.Page) bool { return page.Number == number })
	if at < 0 {
		return View{}, false
	}
	view := View{Number: number, Pages: len(pages)}
	view.Width, view.Height = pages[at].Sheet.Size()
	view.addLines(pages[at], line)
	view.addWords(pages[at])
	return view, true
}

// sourcePages are the pages whose lines the sources count. What banks export is counted in the
// lines of the file, and so is what has no pages.
func (content *Content) sourcePages() []layout.Page {
	for _, page := range content.Pages {
		if content.accounts == nil && len(page.Lines) > 0 {
			return content.Pages
		}
	}
	return composeTextPages(content.Text)
}

func (view *View) addLines(page layout.Page, around int) {
	from := max(1, around-mostViewLines/2)
	next := from
	for _, line := range page.Lines {
		if line.Number < next {
			continue
		}
		if line.Number >= from+mostViewLines {
			view.Lacks = true
			break
		}
		for ; next < line.Number; next++ { // blank ones
			view.Lines = append(view.Lines, ViewLine{Number: next})
		}
		view.Lines = append(view.Lines, ViewLine{next, truncateViewText(line.Text())})
		next++
	}
	view.Lacks = view.Lacks || from > 1
}

func (view *View) addWords(page layout.Page) {
	for _, line := range page.Lines {
		for _, word := range line.Words() {
			place, ok := page.PlaceOfWords([]layout.Word{word})
			if !ok {
				continue
			}
			if len(view.Words) == mostViewWords {
				view.Lacks = true
				return
			}
			view.Words = append(view.Words, ViewWord{Place: place, Turn: (page.Sheet.Turn - word.Turn + 4) % 4, Text: truncateViewText(word.Text)})
		}
	}
}

func truncateViewText(text string) string {
	return TruncateText(strings.ToValidUTF8(text, ""), longestViewed)
}
