package kept_test

import (
	"slices"
	"strings"
	"testing"

	"toolkit/store"
	"toolkit/store/kept"
	"toolkit/store/records"
	"toolkit/store/storetest"
)

func TestFilesOfWhichNotAllIsKeptAreNamed(t *testing.T) {
	db := storetest.Open(t)
	const pdf = "application/pdf"
	for id, file := range map[string]struct{ mime, text, properties string }{
		"unread":    {pdf, "", `{}`},
		"truncated": {pdf, "its beginning", `{"truncated":true}`},
		"long":      {pdf, strings.Repeat("ä", kept.MostBlobText/2), `{}`},
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
			if err := rows.KeepBlob(staged, file.mime, id, file.text); err != nil {
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
		rows, err := kept.In(tx).FilesReadInPart()
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
