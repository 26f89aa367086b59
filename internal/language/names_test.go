package language

import (
	"strings"
	"testing"
)

func TestATextNamesSomebodyOrMayDoSo(t *testing.T) {
	for _, c := range []struct {
		name   string
		person bool
		text   string
		want   Naming
	}{
		{"Anna Weber", true, "Yesterday anna weber's letter came.", Named},
		{"Anna Weber", true, "Anna Weberling wrote.", NotNamed},
		{"Anna Weber", true, "Hannanna weber", NotNamed},
		{"Anna Weber", true, "Anna called.", FirstNamed},
		{"Anna Weber", true, "Anna Schmidt called.", NotNamed},
		{"Anna Weber", false, "Anna called.", NotNamed},
		{"Anna Weber", true, "Anna-Lena called.", NotNamed},
		{"Anna", true, "anna@example.org", NotNamed},
		{"Anna", true, "Anna Weber called.", LongerNamed},
		{"Anna", true, "We saw Anna.", Named},
		{"Jürgen Müller", true, "Juergen Mueller called", Respelt},
		{"Juergen Mueller", true, "Jürgen Müller called", Respelt},
		{"Renée", true, "Renee called", Respelt},
		{"Jürgen Müller", true, "Jurgen Muller called", Respelt},
		{"Søren Łukasz", true, "Soren Lukasz called", Respelt},
		{"Samuel Bauer", true, "Samul Bar called", NotNamed},
		{"Brightline Software GmbH", false, "We pay Brightline Software on Friday.", FormNamed},
		{"Brightline Software GmbH", false, "We pay Brightline Software Ltd on Friday.", NotNamed},
		{"Brightline Software GmbH", false, "BRIGHTLINE SOFTWARE GMBH", Named},
		{"Brightline", false, "Brightline GmbH", FormNamed},
		{"Ольга Иванова", true, "Звонила ольга иванова.", Named},
		{"محمد علي", true, "قال محمد علي اليوم", Named},
		{"田中", true, "昨日、田中さんが来ました", Named},
		{"田中", true, "山田中央銀行", InsideNamed},
		{"O'Brien", true, "Mrs O’Brien called", Named},
		{"INV-2041", false, "Pay INV-2041 today", Named},
		{"INV-2041", false, "Pay INV-20411 today", NotNamed},
		{"—", false, "— and —", NotNamed},
		{"Anna", true, "", NotNamed},
	} {
		if got := ParseName(c.name, c.person).MatchText(c.text); got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.name, c.text, got, c.want)
		}
	}
}

func TestTwoNamesMeanTheSameOrMayDoSo(t *testing.T) {
	for _, c := range []struct {
		name   string
		person bool
		other  string
		want   Naming
	}{
		{"Anna Weber", true, "anna  weber", Named},
		{"Anna Weber", true, "Anna", FirstNamed},
		{"Anna", true, "Anna Weber", FirstNamed},
		{"Anna Weber", true, "Anna Schmidt", NotNamed},
		{"Jürgen Müller", true, "Juergen Mueller", Respelt},
		{"Contoso Mills Ltd", false, "Contoso Mills", FormNamed},
		{"Contoso Mills", false, "Contoso Mills Ltd", FormNamed},
		{"Contoso Mills GmbH", false, "Contoso Mills Ltd", NotNamed},
		{"Contoso", false, "", NotNamed},
		{"!", false, "!", NotNamed},
	} {
		if got := ParseName(c.name, c.person).MatchName(c.other); got != c.want {
			t.Errorf("%q and %q: %d, want %d", c.name, c.other, got, c.want)
		}
	}
}

func TestATextIsNoNameToLookFor(t *testing.T) {
	text := strings.Repeat("müller ", maxNameWords+1)
	if n := ParseName(text, true); !n.IsBlank() || n.MatchText(text) != NotNamed || len(n.SearchTexts()) != 0 {
		t.Errorf("a text is looked for by %q", n.SearchTexts())
	}
}
