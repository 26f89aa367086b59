package document

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// wordMarks number the foot- and endnotes and the comments of a Word document in the
// order in which the text refers to them, as Word shows them: [1], [endnote 1],
// [comment 1]. The key is the kind and the id that the file gives a note.
type wordMarks struct {
	known  map[string]string
	counts map[string]int // by kind
}

func newWordMarks() wordMarks { return wordMarks{map[string]string{}, map[string]int{}} }

// of is the mark of the note that an element is, or refers to.
func (marks wordMarks) of(element xml.StartElement, kind string) string {
	key := kind + " " + attributeOf(element, "id")
	if marks.known[key] == "" {
		marks.counts[kind]++
		marks.known[key] = fmt.Sprintf("[%s %d]", kind, marks.counts[kind])
		if kind == "footnote" {
			marks.known[key] = fmt.Sprintf("[%d]", marks.counts[kind])
		}
	}
	return marks.known[key]
}

// wordMark is a mark and where it stands in its paragraph.
type wordMark struct {
	at   int
	mark string
}

// proseWords is more than a field or a label has. In these a mark would become a part of
// the value.
const proseWords = 8

// markedText is a paragraph with the marks of its notes, if it is prose.
func markedText(text string, marks []wordMark) string {
	if len(marks) == 0 || len(strings.Fields(text)) <= proseWords {
		return text
	}
	var marked strings.Builder
	last := 0
	for _, mark := range marks {
		marked.WriteString(text[last:mark.at])
		marked.WriteString(mark.mark)
		last = mark.at
	}
	return marked.String() + text[last:]
}

// isRule reports whether an element is the line that parts notes from the text, which
// stands among the notes.
func isRule(element xml.StartElement) bool {
	kind := attributeOf(element, "type")
	return (element.Name.Local == "footnote" || element.Name.Local == "endnote") && kind != "" && kind != "normal"
}

func attributeOf(element xml.StartElement, name string) string {
	for _, attribute := range element.Attr {
		if attribute.Name.Local == name {
			return attribute.Value
		}
	}
	return ""
}
