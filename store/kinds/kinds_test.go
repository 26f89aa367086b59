package kinds_test

import (
	"slices"
	"strings"
	"testing"

	"toolkit/internal/storetest"
	"toolkit/store"
	"toolkit/store/kinds"
	"toolkit/store/memory"
	"toolkit/store/records"
)

func TestPartlySearchedFilesAreListed(t *testing.T) {
	db := storetest.Open(t)
	const pdf = "application/pdf"
	for id, file := range map[string]struct{ mime, text, properties string }{
		"unread":    {pdf, "", `{}`},
		"truncated": {pdf, "its beginning", `{"truncated":true}`},
		"long":      {pdf, strings.Repeat("ä", kinds.MaxBlobTextBytes/2), `{}`},
		"read":      {pdf, "all of it", `{"truncated":false}`},
		"a word":    {pdf, "all of it", `{"truncated":"of no meaning"}`},
		"a text":    {"text/plain", "", `{}`},
	} {
		staged, err := db.StageBlob(t.Context(), strings.NewReader(id), 100)
		if err != nil {
			t.Fatal(err)
		}
		storetest.Write(t, db, func(tx *store.Tx) error {
			rows := records.In(tx)
			if err := rows.StoreBlob(staged, file.mime, id, file.text); err != nil {
				return err
			}
			seq, err := rows.Insert(records.Record{ID: id, Type: "note", Properties: []byte(file.properties)}, records.Index{})
			if err != nil {
				return err
			}
			return rows.HoldBlobs(seq, []string{staged.SHA256})
		})
		staged.Discard()
	}
	storetest.Write(t, db, func(tx *store.Tx) error {
		var ids []string
		rows, err := kinds.In(tx).FindPartlySearchedRecords()
		for _, r := range rows {
			ids = append(ids, r.ID)
		}
		slices.Sort(ids)
		if want := []string{"long", "truncated", "unread"}; !slices.Equal(ids, want) {
			t.Errorf("read in part are %q, not %q", ids, want)
		}
		return err
	})
}

func TestATextIsFoundInARecordThatHoldsANUL(t *testing.T) {
	db := storetest.Open(t)
	storetest.Write(t, db, func(tx *store.Tx) error {
		for id, properties := range map[string]string{"a": `{"title":"tea\u0000pot","note":"canary"}`, "b": `{"title":"true","note":"canary"}`, "c": `{"title":true,"note":"a backslash: \\u0000"}`} {
			r := records.Record{ID: id, Type: "note", Properties: []byte(properties), FileURLs: []string{"x\x00y"}}
			if _, err := records.In(tx).Insert(r, records.Index{Types: []string{"note"}}); err != nil {
				return err
			}
		}
		return nil
	})
	storetest.Write(t, db, func(tx *store.Tx) error {
		rows, err := kinds.In(tx).FindContaining(kinds.Record, []string{"canary"}, 10)
		if err != nil || len(rows) != 2 {
			t.Fatalf("found are %+v, %v", rows, err)
		}
		for _, r := range rows {
			if want := map[string]string{"a": "note tea", "b": "note true"}[r.ID]; !strings.HasPrefix(r.Text, want) {
				t.Errorf("the text of %s is %q instead of %q", r.ID, r.Text, want)
			}
		}
		list, _, err := records.In(tx).Find(records.Filter{}, 10)
		if err != nil || len(list) != 3 {
			t.Fatalf("records are %+v, %v", list, err)
		}
		for _, r := range list {
			if len(r.FileURLs) != 1 || r.FileURLs[0] != "x\x00y" {
				t.Errorf("the files of %s are %q", r.ID, r.FileURLs)
			}
		}
		return nil
	})
}

func TestARecordIsShownWithTheNameOfItsFile(t *testing.T) {
	for properties, want := range map[string]string{
		`{"title":"Meeting notes","file_name":"monday.txt"}`: "note monday.txt: Meeting notes",
		`{"amount":7,"file_name":"monday.txt"}`:              `note monday.txt: {"amount":7,"file_name":"monday.txt"}`,
		`{"title":"Meeting notes"}`:                          "note Meeting notes",
		`{"title":"Meeting notes","file_name":""}`:           "note Meeting notes",
	} {
		db := storetest.Open(t)
		storetest.Write(t, db, func(tx *store.Tx) error {
			if _, err := records.In(tx).Insert(records.Record{ID: "r", Type: "note", Properties: []byte(properties)}, records.Index{}); err != nil {
				return err
			}
			found, err := kinds.In(tx).Find(kinds.Record, "r")
			if err == nil && (len(found) != 1 || found[0].Text != want) {
				t.Errorf("%s is shown as %+v, want %q", properties, found, want)
			}
			return err
		})
	}
}

// What is to be forgotten is shown to whoever decides, all of it.
func TestATextIsShownBeyondAZeroCharacterAndWholeAtItsEnd(t *testing.T) {
	db := storetest.Open(t)
	storetest.Write(t, db, func(tx *store.Tx) error {
		for _, text := range []string{"a\x00canary", "canary " + strings.Repeat("ä€", 2000)} {
			if _, err := memory.In(tx).InsertInsight(memory.NewInsight{Content: text, Metadata: []byte(`{}`)}); err != nil {
				return err
			}
		}
		found, err := kinds.In(tx).FindContaining(kinds.Insight, []string{"canary"}, 10)
		if err != nil {
			return err
		}
		if len(found) != 2 || found[0].Text != "a\x00canary" || !strings.HasSuffix(found[1].Text, "€") && !strings.HasSuffix(found[1].Text, "ä") {
			t.Errorf("%+v", found)
		}
		return nil
	})
}
