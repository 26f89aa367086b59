package reader

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
)

func TestLongTextsOfXMLAreCutAndLongTagsEndIt(t *testing.T) {
	long := strings.Repeat("ö", longestText/2)
	for name, test := range map[string]struct {
		xml, want string
		ends      bool
	}{
		"a text":                            {"<a>" + long + "ö and more</a><b>c</b>", "<a>" + long + "</a><b>c</b>", false},
		"a text cut between characters":     {"<a>x" + long + "</a>", "<a>x" + long[2:] + "</a>", false},
		"a section with tags in it":         {"<a><![CDATA[" + long + "<b>]]></a>", "<a><![CDATA[" + long[:longestText-10] + "]]></a>", false},
		"a comment":                         {"<a><!--" + long + "-->b</a>", "<a><!--" + long[:longestText-4] + "-->b</a>", false},
		"a text of just as much":            {"<a>" + long + "</a>", "<a>" + long + "</a>", false},
		"a tag":                             {"<a>b</a><c d='" + long + "'/>", "<a>b</a>", true},
		"a tag that does not end":           {"<a>b</a><c " + long, "<a>b</a>", true},
		"a text behind which nothing comes": {"<a>b</a>" + long + "more", "<a>b</a>" + long, false},
	} {
		got, err := truncateLongXMLTexts([]byte(test.xml))
		if string(got) != test.want || errors.Is(err, errTag) != test.ends {
			t.Errorf("%s: %d bytes, %v; wanted %d", name, len(got), err, len(test.want))
		}
	}
}

// What stands before a tag beyond the bound, and behind a file inside the XML, is read.
func TestXMLIsReadAroundWhatIsTooLong(t *testing.T) {
	long := strings.Repeat("abcd", longestText/4+5)
	for name, test := range map[string]struct{ xml, text, warning string }{
		"before a tag":  {"<a><b>c</b><d e='" + long + "'>f</d></a>", "b: c\n", string(errTag)},
		"behind a file": {"<a><b>c</b><File>" + long + "</File><d>e</d></a>", "b: c\nd: e\n", ""},
	} {
		content, err := Extract(context.Background(), bytes.NewReader([]byte(test.xml)), int64(len(test.xml)), XML, Limits{})
		if err != nil || content.Text != test.text || strings.Join(content.Warnings, "") != test.warning {
			t.Errorf("%s: %v, %v", name, content, err)
		}
	}
}
