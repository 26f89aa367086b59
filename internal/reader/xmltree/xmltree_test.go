package xmltree

import (
	"errors"
	"strings"
	"testing"
)

func read(t *testing.T, text string, depth int, ended func(*Element) (bool, error)) (*Element, error) {
	t.Helper()
	return Read(t.Context(), NewDecoder(strings.NewReader(text)), depth, map[string]string{"Altbau": "House"}, ended)
}

func keepAll(*Element) (bool, error) { return true, nil }

func TestPathsLeadToElementsAndAttributes(t *testing.T) {
	root, err := read(t, `<Town><House no="1"><Use>shop</Use></House><Altbau no="2"><Use> flats </Use><Roof/></Altbau></Town>`, 3, keepAll)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"House/Use":             "shop Town/House/Use; flats Town/Altbau/Use",
		"House[@no=2]/Use":      "flats Town/Altbau/Use",
		"House[Use=shop]/@no":   "1 Town/House/@no",
		"House[Use=a,flats]/@x": "",
		"Altbau":                "",
	} {
		var got []string
		for _, one := range root.FindAll(ParseSteps(path)) {
			got = append(got, one.Value+" "+one.Path())
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s leads to %q, want %q", path, text, want)
		}
	}
	if said := root.FirstText("House/Roof", "House/Use"); said != "shop" || root.FindFirst("Tree").Name != "" || root.CountDescendants() != 5 {
		t.Errorf("said %q, %d elements below", said, root.CountDescendants())
	}
}

func TestWhatDoesNotStayIsNotInTheTree(t *testing.T) {
	var told []string
	root, err := read(t, "<a><b>1</b><c><b>2</b></c></a>", 3, func(e *Element) (bool, error) {
		told = append(told, e.Name+e.Text)
		return e.Name != "b", nil
	})
	if err != nil || root.CountDescendants() != 1 || strings.Join(told, " ") != "b1 b2 c a" {
		t.Errorf("%d elements below, told of %q, %v", root.CountDescendants(), told, err)
	}
}

func TestAFileThatEndsEarlyOrIsTooDeepIsAnError(t *testing.T) {
	for text, want := range map[string]error{"<a><b><c/></b></a>": nil, "<a><b><c><d/></c></b></a>": ErrDepth} {
		if _, err := read(t, text, 3, keepAll); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
	if root, err := read(t, "<a><b>", 3, keepAll); err == nil || root != nil {
		t.Errorf("a file that is cut off is read as %v", root)
	}
	if root, err := read(t, "", 3, keepAll); err != nil || root != nil {
		t.Errorf("an empty file is %v, %v", root, err)
	}
}
