package integrations

import (
	"cmp"
	"context"
	"testing"
)

// Exports name their entries in the language of the account.
func TestCommentsAndSavedPostsAreReadInEveryLanguage(t *testing.T) {
	read := func(name, raw string) (items []ArchiveItem, err error) {
		for entry, failure := range instagramFiles.findReader(name)(context.Background(), NewArchiveDocument(name, []byte("["+raw+"]")), 0) {
			if err = cmp.Or(failure, entry.Broken); err == nil {
				items = append(items, entry.Item)
			}
		}
		return items, err
	}
	for name, raw := range map[string]string{
		"English":                 `{"string_map_data":{"Comment":{"value":"nice"},"Media Owner":{"value":"anna"},"Time":{"timestamp":1609459600}}}`,
		"German":                  `{"string_map_data":{"Kommentar":{"value":"nice"},"Medieninhaber":{"value":"anna"},"Zeit":{"timestamp":1609459600}}}`,
		"English, in other order": `{"string_map_data":{"Time":{"timestamp":1609459600},"Media Owner":{"value":"anna"},"Comment":{"value":"nice"}}}`,
	} {
		items, err := read("post_comments_1.json", raw)
		if err != nil || len(items) != 1 || items[0].Fields["text"] != "nice" || items[0].Fields["author"] != "anna" || items[0].Fields["date"] == nil {
			t.Errorf("%s: %+v, %v", name, items, err)
		}
	}
	for name, raw := range map[string]string{
		"English": `{"title":"bert","string_map_data":{"Saved on":{"href":"https://www.instagram.com/p/B/","timestamp":1609459700}}}`,
		"German":  `{"title":"bert","string_map_data":{"Gespeichert am":{"href":"https://www.instagram.com/p/B/","timestamp":1609459700}}}`,
	} {
		items, err := read("saved_posts.json", raw)
		if err != nil || len(items) != 1 || items[0].Fields["url"] != "https://www.instagram.com/p/B/" || items[0].Fields["date"] == nil {
			t.Errorf("%s: %+v, %v", name, items, err)
		}
	}
	for _, raw := range []string{`{"string_map_data":{}}`, `{"string_map_data":[]}`, `{"string_map_data":{"a":1}}`, `{}`} {
		if items, err := read("post_comments_1.json", raw); err == nil {
			t.Errorf("%s gave %+v", raw, items)
		}
	}
}
