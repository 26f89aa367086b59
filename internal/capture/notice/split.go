package notice

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"toolkit/internal/language"
	"toolkit/internal/lazyregexp"
)

const (
	// maxSentences is how many sentences of a turn are judged. Longer turns are
	// mostly pasted; of these the first and the last sentences are judged.
	maxSentences = 40
	// minSentenceLength and maxSentenceLength bound a sentence in bytes: shorter ones
	// state nothing, longer ones are no sentences.
	minSentenceLength = 6
	maxSentenceLength = 600
)

// A Part is a sentence of a turn as it is judged.
type Part struct {
	Text     string
	Before   string  // the sentence before it in its paragraph; empty: none
	Announce bool    // a line that ends with a colon stands before it: it may be pasted
	Alone    bool    // the only sentence of the turn
	Asks     bool    // some sentence of the turn is a question
	Quoted   float32 // share of it that stands between quotation marks
}

// privatePart is what was marked as private. It begins with a mark that has no other case, by which it is found fast.
var privatePart = lazyregexp.New(`<(?is:private>.*?</private>)`)

// privateMark stands in its place where it was left out.
const privateMark = "[redacted: private]"

// SplitSentences returns the sentences of a turn that its author may have said: code, quoted
// lines and lines of logs are left out.
func SplitSentences(text string) []Part {
	var parts []Part
	announced, asks := false, false
	text = strings.ReplaceAll(privatePart().ReplaceAllString(text, " "), privateMark, " ") // what stands around it is judged as if it were not there
	for _, paragraph := range splitParagraphsOutsideCode(text) {
		before := ""
		quoted := quotedBytes(paragraph)
		for _, span := range language.SentenceSpans(paragraph) {
			s := strings.TrimSpace(paragraph[span.Start:span.End])
			if isPasted(s) {
				before = ""
				continue
			}
			asks = asks || endsWithQuestionMark(s)
			announced = announced || earlyColon().MatchString(s)
			parts = append(parts, Part{Text: s, Before: before, Announce: announced, Quoted: trueShare(quoted[span.Start:span.End])})
			announced = announced || strings.HasSuffix(s, ":")
			before = s
		}
	}
	alone := len(parts) == 1
	for i := range parts {
		parts[i].Alone, parts[i].Asks = alone, asks
	}
	if len(parts) > maxSentences {
		parts = append(parts[:maxSentences/2:maxSentences/2], parts[len(parts)-maxSentences/2:]...)
	}
	kept := parts[:0]
	for _, p := range parts {
		if len(p.Text) >= minSentenceLength && len(p.Text) <= maxSentenceLength {
			kept = append(kept, p)
		}
	}
	return kept
}

// earlyColon opens a sentence with a few words and a colon: what follows is mostly to be
// worked on.
var earlyColon = lazyregexp.New(`^[\pL'-]+(?: [\pL'-]+){0,4}: `)

// quotedBytes marks the bytes of a paragraph that stand between quotation marks.
func quotedBytes(paragraph string) []bool {
	marks := make([]bool, len(paragraph))
	open := false
	for i, r := range paragraph {
		switch r {
		case '"':
			open = !open
		case '“', '«', '„', '「':
			open = true
		case '”', '»', '」':
			open = false
		case '\'':
			open = opensQuotation(paragraph, i) || open && !closesQuotation(paragraph, i)
		}
		marks[i] = open
	}
	for i := 1; i < len(marks); i++ { // the other bytes of a character
		marks[i] = marks[i] || marks[i-1] && paragraph[i]&0xC0 == 0x80
	}
	return marks
}

// opensQuotation reports whether the apostrophe at a place opens a quotation: it stands
// before a letter and behind a space, a bracket or nothing.
func opensQuotation(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at+1:])
	return (at == 0 || unicode.IsSpace(before) || before == '(') && (unicode.IsLetter(after) || after == '¿' || after == '¡')
}

// closesQuotation reports whether the apostrophe at a place closes a quotation: no letter
// follows it, as one does in "don't".
func closesQuotation(text string, at int) bool {
	after, _ := utf8.DecodeRuneInString(text[at+1:])
	return !unicode.IsLetter(after)
}

func trueShare(marks []bool) float32 {
	count := 0
	for _, m := range marks {
		if m {
			count++
		}
	}
	return float32(count) / float32(max(len(marks), 1))
}

// splitParagraphsOutsideCode returns the parts of a text between code blocks and empty lines.
func splitParagraphsOutsideCode(text string) []string {
	var list []string
	var open strings.Builder
	closeParagraph := func() {
		if strings.TrimSpace(open.String()) != "" {
			list = append(list, open.String())
		}
		open.Reset()
	}
	inCode := false
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if strings.HasPrefix(bare, "```") || strings.HasPrefix(bare, "~~~") {
			inCode = !inCode
			closeParagraph()
			continue
		}
		if inCode {
			continue
		}
		if bare == "" {
			closeParagraph()
			continue
		}
		open.WriteString(line)
	}
	closeParagraph()
	return list
}

// logLine is a line that a program wrote: it opens with a time, a level, a prompt of
// a shell, a place in a file or a frame of a stack.
var logLine = lazyregexp.New(`^(\[?\d{4}-\d\d-\d\d[T ]\d\d:|\[?\d\d:\d\d:\d\d|(ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE|Traceback|Exception|Caused by)\b[: ]|\$ |# ?[a-z-]+ |> |>>> |at [\w.$<>]+\(|File "|[\w./-]+\.\w{1,5}:\d+|[+-]{3} |@@ |\d+ \| )`)

// isPasted reports whether a sentence is a line of code, of a log or of a quotation.
func isPasted(s string) bool {
	return logLine().MatchString(s) || codeShare(s) > 0.16
}

// codeShare is the share of characters that code is full of and sentences are not.
func codeShare(s string) float32 {
	count := 0
	for i := range len(s) {
		if strings.IndexByte("{}[]()<>=;|\\_$#*&^", s[i]) >= 0 {
			count++
		}
	}
	return float32(count) / float32(max(len(s), 1))
}

const questionMarks = "?？؟"

// endsWithQuestionMark reports whether a sentence ends with a question mark.
func endsWithQuestionMark(s string) bool {
	s = strings.TrimRight(s, "\"'”’»)!. ")
	return s != "" && strings.ContainsAny(s[len(s)-min(3, len(s)):], questionMarks)
}
