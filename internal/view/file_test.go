package view

import (
	"bytes"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"codeberg.org/go-pdf/fpdf"

	"toolkit/internal/reader"
	"toolkit/internal/reader/layout"
	"toolkit/internal/testenv"
)

func (b *bench) upload(name string, content []byte) map[string]any {
	b.t.Helper()
	path := filepath.Join(b.folder, name)
	testenv.Write(b.t, path, content)
	return b.remember("upload_file", arguments{"file_path": path})
}

// printed is an invoice whose number stands 200 points from the left on the baseline 100.
func printed(t *testing.T) []byte {
	t.Helper()
	w := fpdf.New("P", "pt", "A4", "")
	w.AddPage()
	w.SetFont("Helvetica", "", 10)
	w.Text(50, 60, "INVOICE")
	for i, row := range [][2]string{{"Invoice Number:", "INV-2041"}, {"Invoice Date:", "2025-01-15"}, {"Vendor:", "Contoso Mills Ltd"}, {"Total:", "EUR 1,270.98"}, {"Remark:", "<img src=x onerror=alert(1)>"}} {
		w.Text(50, 100+20*float64(i), row[0])
		w.Text(200, 100+20*float64(i), row[1])
	}
	w.AddPage()
	w.Text(50, 60, "Thank you.")
	var out bytes.Buffer
	if err := w.Output(&out); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

type pageReply struct {
	File string
	reader.View
}

func TestAFieldIsFollowedToItsPlaceInTheDocument(t *testing.T) {
	const text = "INVOICE\n\nInvoice number: T-17\nInvoice date: 2025-03-02\nVendor: Northwind Mill GmbH\n\nRemark: <script>alert(1)</script>\nTotal: 119.00 EUR\n"
	b := newBench(t)
	r := b.reader()
	for _, c := range []struct {
		name, field, line string
		content           []byte
		box               bool
	}{
		{"an invoice <1>.pdf", "invoice_number", "INV-2041", printed(t), true},
		{"mill.txt", "amount", "Total: 119.00 EUR", []byte(text), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := b.upload(c.name, c.content)
			id := out["entities"].([]any)[0].(map[string]any)["entity_id"].(string)
			from := ask[struct {
				File       string
				Provenance struct {
					Source_record   struct{ ID string } //nolint:revive // as it travels
					Source_location struct {            //nolint:revive // as it travels
						Page, Line int
						Box        *layout.Place
					}
				}
			}](r, "entity/provenance?id="+id+"&field="+c.field)
			at := from.Provenance.Source_location
			if from.File != c.name || at.Page != 1 || at.Line == 0 || (at.Box != nil) != c.box {
				t.Fatalf("%q at %+v", from.File, at)
			}
			page := ask[pageReply](r, "file/page?page=1&id="+from.Provenance.Source_record.ID)
			if page.File != c.name || !strings.Contains(page.Lines[at.Line-1].Text, c.line) || page.Lines[at.Line-1].Number != at.Line {
				t.Errorf("line %d of %q is %+v", at.Line, page.File, page.Lines)
			}
			if !c.box {
				if len(page.Words) > 0 || page.Width != 0 {
					t.Errorf("a text has places: %+v", page)
				}
				return
			}
			if page.Pages != 2 || page.Width < 595 || page.Width > 596 {
				t.Errorf("%d pages, %f wide", page.Pages, page.Width)
			}
			for _, word := range page.Words {
				if word.Text == c.line && word.Place != *at.Box {
					t.Errorf("the word stands at %+v, the field at %+v", word.Place, *at.Box)
				}
			}
			if second := ask[pageReply](r, "file/page?page=2&id="+from.Provenance.Source_record.ID); len(second.Lines) != 1 || second.Lines[0].Text != "Thank you." {
				t.Errorf("the second page: %+v", second.Lines)
			}
			r.refused("file/page?page=3&id="+from.Provenance.Source_record.ID, http.StatusNotFound)
		})
	}
}

func TestAPageThatCannotBeShownSaysWhy(t *testing.T) {
	b := newBench(t)
	output := b.remember("store_record", arguments{"type": "note", "properties": arguments{"title": "said"}})
	file := b.upload("mill.txt", []byte("INVOICE\nInvoice number: T-17\nTotal: 119.00 EUR\n"))
	path := filepath.Join(b.folder, "large.txt")
	testenv.Write(t, path, bytes.Repeat([]byte("a line of a large text\n"), 1<<20))
	large := b.remember("upload_file", arguments{"file_path": path, "properties": `{"title":"kept unread"}`})
	r := b.reader()
	id := func(out map[string]any) string {
		record, ok := out["record"].(map[string]any)
		if !ok {
			record = out
		}
		return url.QueryEscape(record["id"].(string))
	}
	for name, c := range map[string]struct {
		path, says string
		status     int
	}{
		"a record that was no file":   {"file/page?id=" + id(output), "no file", http.StatusNotFound},
		"a file too large to be read": {"file/page?id=" + id(large), "at most 20971520", http.StatusNotFound},
		"a record that is gone":       {"file/page?id=nobody", "deleted", http.StatusNotFound},
		"no record":                   {"file/page", "missing", http.StatusBadRequest},
		"a page before the first":     {"file/page?page=0&id=" + id(file), "from 1", http.StatusBadRequest},
	} {
		if said := r.refused(c.path, c.status); !strings.Contains(said, c.says) {
			t.Errorf("%s: %s", name, said)
		}
	}
	if err := os.RemoveAll(filepath.Join(filepath.Dir(b.store.Path()), "files")); err != nil {
		t.Fatal(err)
	}
	if said := r.refused("file/page?id="+id(file), http.StatusNotFound); !strings.Contains(said, "missing on this machine") {
		t.Errorf("without its bytes: %s", said)
	}
}
