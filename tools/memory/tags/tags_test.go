package tags

import (
	"fmt"
	"strings"
	"testing"
)

func TestATagIsFoundHoweverItIsWritten(t *testing.T) {
	f := Of("mark", "local-*")
	for text, want := range map[string]string{
		"<mark>": "mark", "< MARK >": "mark", "</mark>": "/mark", "< / mark >": "/mark", "<mark/>": "mark", `<mark why="x">`: "mark", "<mark\n>": "mark",
		"&lt;mark&gt;": "mark", "&amp;lt;/mark&amp;gt;": "/mark", "&#60;mark&#062;": "mark", "&#x3C;mark&#x3e;": "mark", `\u003cmark\u003e`: "mark", `\\u003C/mark\\u003E`: "/mark",
		`\x3cmark\x3e`: "mark", "＜mark＞": "mark", "<\u200bmark>": "mark", "<local-command-x>": "local-command-x",
		"<marks>": "", "<mark": "", "mark>": "", "a < mark": "", "<b mark>": "", "`<mark>`": "", "`</mark>`": "", "`<mark>x</mark>`": "mark /mark", "<mark>a</mark>": "mark /mark",
	} {
		var got []string
		for _, tag := range f.In("x " + text + " y") {
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
		for _, b := range Blocks(Of("m").In(text)) {
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

func BenchmarkIn(b *testing.B) {
	text := strings.Repeat("if a < b && c > d { return &x } // \\n <b> ", 1000)
	f := Of("mark")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f.In(text)
	}
}
