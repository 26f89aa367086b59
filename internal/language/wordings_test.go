package language

import (
	"slices"
	"strings"
	"testing"
)

func TestLettersAreFoldedInOneWay(t *testing.T) {
	for text, want := range map[string]string{
		"Straße STRAẞE": "strasse strasse", "Ёлка": "елка", "ＡＢＣ１２": "abc12", "Łódź": "lodz", "Søren": "soren", "Ægir œuvre": "aegir oeuvre", "Đorđe": "dorde",
		"ışık İzmir": "isik izmir", "e\u0301 é": "e e", "ﬁne ½": "fine 1⁄2", "ΟΔΟΣ οδος": "οδοσ οδοσ", "김치": "김치", "がく": "かく", "a-b_c": "a-b_c", "": "",
	} {
		if got := FoldText(text); got != want {
			t.Errorf("%q is folded to %q, want %q", text, got, want)
		}
		if again := FoldText(want); again != want {
			t.Errorf("%q is folded again to %q", want, again)
		}
	}
}

func TestKoreanNounsHaveFormsWithAndWithoutParticles(t *testing.T) {
	for _, c := range []struct {
		word      string
		has, lack string
	}{
		{"김치", "김치 김치는 김치를 김치가 김치와 김치로 김치에서 김치의 김치도", "김치은 김치을 김치이 김치과 김치으로 김"},
		{"서울에서", "서울 서울은 서울로 서울에", "서울으로 서울는"},
		{"책", "책 책은 책을 책이 책에서", "책의 책과 책도 책는"},
		{"책을", "책 책은", "책의"},
		{"회의", "회의 회의는 회의를", "회 회를"},
		{"나이", "나이 나이는", "나 나는"},
		{"결과", "결과 결과는", "결 결을"},
		{"학교에서는", "학교 학교에", "학"},
	} {
		forms := koreanForms(Fold(c.word))
		for form := range strings.FieldsSeq(c.has) {
			if !slices.Contains(forms, form) {
				t.Errorf("%s has no form %s", c.word, form)
			}
		}
		for form := range strings.FieldsSeq(c.lack) {
			if slices.Contains(forms, form) {
				t.Errorf("%s has the form %s", c.word, form)
			}
		}
	}
	if forms := koreanForms("tea"); forms != nil {
		t.Errorf("an English word has the forms %q", forms)
	}
}

func TestQuestionWordsOfChineseAndJapaneseAreLeftOut(t *testing.T) {
	for text, want := range map[string]string{
		"为什么火车晚点": "火车晚点", "谁喜欢绿茶？": "喜欢绿茶？", "会议在哪里": "会议", "怎么去上海": "去上海", "鍵はどこですか": "鍵", "誰が来ますか": "来", "いつ会いますか": "会",
		"なぜ雨ですか": "雨", "会議はどうやって開く": "会議 開く", "ぶどうとどうぶつ": "ぶどうとどうぶつ", "そんなに高い": "そんなに高い", "什么": "", "What is it?": "What is it?",
	} {
		if got := strings.Join(strings.Fields(WithoutQuestionWords(text)), " "); got != want {
			t.Errorf("%q without question words is %q, want %q", text, got, want)
		}
	}
}

func TestNumbersAreReadInAllTheirWritings(t *testing.T) {
	for text, want := range map[string]string{
		"v2.4.1": "v2 4 1|2 4 1", "2.4.1": "2 4 1|v2 4 1", "1234.50": "1234 50|1234 5|1 234 5|1 234 50", "1,234.50": "1 234 50|1234 5|1234 50|1 234 5",
		"1.234,50": "1 234 50|1234 5|1234 50|1 234 5", "1'234.50": "1 234 50|1234 5|1234 50|1 234 5", "1.234.50": "1 234 50|v1 234 50", "1000": "1000|1 000", "1,000": "1 000|1000",
		"$4.50": "4 50|v4 50|4 5", "49,90": "49 90|49 9", "x1000": "", "1000x": "", "2,5,7": "2 5 7", "12": "",
	} {
		var got []string
		for _, n := range FindNumbers(text, 9) {
			for _, parts := range n.Writings {
				got = append(got, strings.Join(parts, " "))
			}
		}
		all := strings.Split(want, "|")
		if want == "" {
			all = nil
		}
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(all))) {
			t.Errorf("%s is written %q, want %q", text, got, all)
		}
	}
}

func TestAnIndexHoldsPairsOfScriptsWithoutSpaces(t *testing.T) {
	for text, want := range map[string]string{"喜欢茶，Tea茶": "喜欢 欢茶 茶 ,tea 茶", "Café": "cafe", "茶": "茶", "東京Tower": "東京 京 tower"} {
		if got := strings.Join(strings.Fields(PrepareIndexText(text)), " "); got != want {
			t.Errorf("%q is indexed as %q, want %q", text, got, want)
		}
	}
	for text, want := range map[string][]Wording{
		"Straße": {{"straße", "strasse"}}, "tea tea": {{"tea"}}, "喜欢茶": {{"喜欢茶", "喜欢 欢茶"}}, "茶": {{"茶"}}, "1,000 seats": {{"1,000", "1000"}, {"seats"}}, "": nil,
	} {
		if got := Wordings(text); !slices.EqualFunc(got, want, func(a, b Wording) bool { return slices.Equal(a, b) }) {
			t.Errorf("%q has the wordings %q, want %q", text, got, want)
		}
	}
}
