package redact

import (
	"fmt"
	"strings"
	"testing"

	"toolkit/internal/testenv"
)

func TestATagIsFoundHoweverItIsWritten(t *testing.T) {
	f := NewTagFinder("mark", "local-*")
	for text, want := range map[string]string{
		"<mark>": "mark", "< MARK >": "mark", "</mark>": "/mark", "< / mark >": "/mark", "<mark/>": "mark", `<mark why="x">`: "mark", "<mark\n>": "mark",
		"&lt;mark&gt;": "mark", "&amp;lt;/mark&amp;gt;": "/mark", "&#60;mark&#062;": "mark", "&#x3C;mark&#x3e;": "mark", `\u003cmark\u003e`: "mark", `\\u003C/mark\\u003E`: "/mark",
		`\x3cmark\x3e`: "mark", "＜mark＞": "mark", "<\u200bmark>": "mark", "<local-command-x>": "local-command-x", "<ma\u200brk>": "mark", "<marK a=b/>": "mark", `<mark a="&gt;`: "mark", "<mark\u200b>": "mark", "<mark/ >": "mark", "<marK>": "mark",
		`\x3cmark a\x3e`: "mark", "<LOCAL-\u200bX y>": "local-x", "<mark <b>>": "", "<mark&": "",
		"<marks>": "", "<mark": "", "mark>": "", "a < mark": "", "<b mark>": "", "`<mark>`": "", "`</mark>`": "", "`<mark>x</mark>`": "mark /mark", "<mark>a</mark>": "mark /mark",
	} {
		var got []string
		for _, tag := range f.FindTags("x " + text + " y") {
			got = append(got, map[bool]string{true: "/"}[tag.Closes]+tag.Name)
		}
		if want != strings.Join(got, " ") {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestBlocksAreWhatStandsBetweenTags(t *testing.T) {
	for text, want := range map[string]string{
		"a <m>b</m> c":           "[b]",
		"<m>a <m>b</m> c</m>":    "[b a <m>b</m> c]",
		"a <m>b</m> <m>c":        "[b c…]",
		"a</m> b":                "[…a]",
		"<m>a &lt;/m&gt; b</m>":  "[…<m>a  a &lt;/m&gt; b]",
		"&lt;m&gt;a&lt;/m&gt; b": "[a]",
	} {
		var got []string
		for _, b := range PairTags(NewTagFinder("m").FindTags(text)) {
			switch {
			case b.Open.End == 0:
				got = append(got, "…"+text[:b.Close.Start])
			case b.Close.End == 0:
				got = append(got, text[b.Open.End:]+"…")
			default:
				got = append(got, text[b.Open.End:b.Close.Start])
			}
		}
		if fmt.Sprint(got) != want {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
	}
}

// Each takes minutes where every place is tried with a pattern, and a moment where
// what cannot begin a tag is passed over.
func TestATextOfWhatMightBeginTagsIsReadInOneGo(t *testing.T) {
	size := testenv.Choose(1<<17, 1<<20)
	f := NewTagFinder("mark", "local-*", "toolkit-recall")
	for _, part := range []string{`\`, "<", "&", "&amp;", "&amp;amp;", "< ", "<\u200b", `\u003`, `\u003cmark `, "<mark ", "&#0", "<mark \\\\", "＜", "</", "<ma"} {
		text := strings.Repeat(part, size/len(part)) + "<mark>"
		if found := f.FindTags(text); len(found) != 1 {
			t.Errorf("of many %q %d tags are found", part, len(found))
		}
	}
	if found := f.FindTags(strings.Repeat(`\`, size) + "u003cmark>"); len(found) != 1 {
		t.Error("behind backslashes none is found")
	}
}
