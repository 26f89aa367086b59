package tools

import (
	"encoding/json"
	"testing"
)

func TestShortenListsKeepsTheBeginningOfEachList(t *testing.T) {
	type result struct {
		Items, Few []string
		Raw        json.RawMessage
		Count      int
	}
	whole := result{make([]string, maxCheckedItems+1), make([]string, 3), make(json.RawMessage, maxCheckedItems+1), 7}
	short := shortenLists(whole)
	if len(short.Items) != maxCheckedItems || len(short.Few) != 3 || len(short.Raw) != maxCheckedItems+1 || short.Count != 7 {
		t.Errorf("%d items, %d few, %d raw, count %d", len(short.Items), len(short.Few), len(short.Raw), short.Count)
	}
	if len(whole.Items) != maxCheckedItems+1 {
		t.Error("the result itself lost items")
	}
	if text := shortenLists("text"); text != "text" {
		t.Errorf("a text became %q", text)
	}
}
