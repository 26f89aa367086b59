package entities

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"toolkit/internal/storetest"
	"toolkit/internal/testenv"
)

// file writes a file to upload and returns its path.
func (b *bench) file(name, content string) string {
	b.T.Helper()
	path := filepath.Join(b.folder, name)
	testenv.Write(b.T, path, content)
	return path
}

func (b *bench) upload(name, content string) args {
	b.T.Helper()
	return b.Call(uploadName, args{"file_path": b.file(name, content)})
}

func record(out args) args { return out["record"].(args) }

func properties(out args) args { return record(out)["properties"].(args) }

// blobs lists the names of the stored files on the disk.
func (b *bench) blobs() []string {
	storetest.SkipUnlessSQLite(b.T, "files beside it")
	b.T.Helper()
	names := []string{}
	root := filepath.Join(filepath.Dir(b.Store.Path()), "files")
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && filepath.Base(filepath.Dir(path)) != "databases" {
			names = append(names, e.Name())
		}
		return err
	})
	if err != nil && !os.IsNotExist(err) {
		b.T.Fatal(err)
	}
	return names
}

func hashOf(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

// invoicePDF is an invoice as a PDF file.
func invoicePDF(t testing.TB, number, total string) string {
	t.Helper()
	w := fpdf.New("P", "pt", "A4", "")
	w.SetCreationDate(noon)
	w.SetModificationDate(noon)
	w.AddPage()
	for _, line := range []struct {
		x, y, size float64
		text       string
	}{
		{56, 60, 22, "INVOICE"}, {56, 100, 11, "Invoice number: " + number}, {56, 116, 11, "Invoice date: 2025-03-04"}, {56, 132, 11, "Due date: 2025-04-03"},
		{56, 164, 11, "Vendor: Nordlicht Werkstatt GmbH"}, {56, 180, 11, "Customer: Harbour Books Ltd"}, {56, 240, 11, "Total: EUR " + total},
	} {
		w.SetFont("Helvetica", "", line.size)
		w.Text(line.x, line.y, line.text)
	}
	var out strings.Builder
	if err := w.Output(&out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestAnUploadedPDFInvoiceBecomesAnInvoiceAndItsCompanies(t *testing.T) {
	b := newBench(t)
	pdf := invoicePDF(t, "NW-7781", "1,250.40")
	out := b.upload("scan 1.pdf", pdf)
	r := record(out)
	same(t, "type", r["type"], "FinancialRecord")
	p := properties(out)
	same(t, "fields", []any{p["document_type"], p["invoice_number"], p["amount"], p["currency"], p["date"], p["vendor_name"], p["customer_name"], p["file_name"]},
		[]any{"invoice", "NW-7781", 1250.4, "EUR", "2025-03-04", "Nordlicht Werkstatt GmbH", "Harbour Books Ltd", "scan 1.pdf"})
	same(t, "file", []any{out["file_size"], out["content_type"], out["file_url"], out["created"]}, []any{len(pdf), "application/pdf", "toolkit://files/sha256/" + hashOf(pdf)[:2] + "/" + hashOf(pdf), true})
	same(t, "urls", r["file_urls"], []any{out["file_url"]})
	var roles []string
	for _, e := range out["entities"].([]any) {
		roles = append(roles, fmt.Sprint(e.(args)["role"], " ", e.(args)["entity_type"], " ", e.(args)["canonical_name"]))
	}
	same(t, "entities", roles, []string{"self invoice NW-7781", "vendor_name company Nordlicht Werkstatt GmbH", "customer_name company Harbour Books Ltd"})
	same(t, "snapshot", b.snapshot(self(out))["snapshot"].(args)["amount"], 1250.4)

	same(t, "found by a word of the text", ids(b.Call(retrieveName, args{"search": []string{"nordlicht"}, "search_mode": "keyword", "type": "bill"})), []string{r["id"].(string)})
	for _, c := range []struct{ entity, field string }{{self(out), "amount"}, {company("Harbour Books Ltd"), "name"}} {
		from := b.Call(provenanceName, args{"entity_id": c.entity, "field": c.field})
		same(t, "provenance", []any{from["source_record"].(args)["id"], from["source_record"].(args)["file_urls"]}, []any{r["id"], []any{out["file_url"]}})
		place, _ := from["source_location"].(args)
		if line, _ := place["line"].(float64); place["page"] != 1.0 || line < 2 {
			t.Errorf("%s was found at %v", c.field, place)
		}
		box, _ := place["box"].(args)
		if left, _ := box["left"].(float64); left <= 56 || left > 160 {
			t.Errorf("%s stands at %v", c.field, box)
		}
		if quoted := fmt.Sprint(place["text"]); !strings.Contains(quoted, map[string]string{"amount": "Total: EUR 1,250.40", "name": "Customer: Harbour Books Ltd"}[c.field]) {
			t.Errorf("%s is quoted as %q", c.field, quoted)
		}
	}
	same(t, "entities of the same bytes", text(b.upload("copy.pdf", pdf)["entities"]), text(out["entities"]))
	// The same facts by another way meet the same entity.
	same(t, "submitted", b.submit("invoice", "2025-03-05", args{"invoice_number": "NW-7781", "vendor_name": "Nordlicht Werkstatt GmbH", "status": "paid"}), self(out))
	same(t, "both in one", text(b.snapshot(self(out))["snapshot"].(args)["status"]), `"paid"`)
	b.rebuild()
}

func TestAnUploadedCreditNoteTakesBackAndNamesItsCompanies(t *testing.T) {
	b := newBench(t)
	invoice := b.submit("invoice", "2026-03-05", args{"invoice_number": "B-71", "vendor_name": "Kvarnen i Lund AB", "amount": 500, "currency": "SEK"})
	data := testenv.Read(t, "../../internal/reader/einvoice/testdata/ubl-credit.xml")
	out := b.upload("credit.xml", string(data))
	p := properties(out)
	same(t, "record", []any{record(out)["type"], p["document_type"], p["invoice_number"], p["amount"], p["credited_invoice"]}, []any{"FinancialRecord", "credit_note", "CN-3", -125.0, "B-71"})
	var roles []string
	for _, e := range out["entities"].([]any) {
		roles = append(roles, fmt.Sprint(e.(args)["role"], " ", e.(args)["entity_type"], " ", e.(args)["canonical_name"]))
	}
	same(t, "entities", roles, []string{"self credit_note CN-3", "vendor_name company Kvarnen i Lund AB", "customer_name company Bageriet"})
	same(t, "corrected", len(b.related(invoice)), 2) // its vendor, and the credit note
	from := b.Call(provenanceName, args{"entity_id": self(out), "field": "amount"})
	place, _ := from["source_location"].(args)
	same(t, "where it stands", place["element"], "CreditNote/LegalMonetaryTotal/TaxInclusiveAmount")
	b.rebuild()
}

func TestALongTextIsShownInPartAndFoundAsAWhole(t *testing.T) {
	b := newBench(t)
	out := b.upload("long.md", "# Log\n\n"+strings.Repeat("nothing happened today\n", 2000)+"a walrus appeared\n")
	p := properties(out)
	same(t, "shown", []any{len(p["content"].(string)), p["content_truncated"]}, []any{maxFileContent, true})
	find := args{"search": []string{"walrus"}, "search_mode": "keyword"}
	same(t, "found", b.Call(retrieveName, find)["total"], 1)
	b.Call(updateName, args{"id": record(out)["id"], "properties": args{"status": "read"}})
	same(t, "found after an update", b.Call(retrieveName, find)["total"], 1)
	b.Call(deleteName, args{"id": record(out)["id"]})
	same(t, "gone", b.Call(retrieveName, find)["total"], 0)
}

func TestAnImageIsKeptUnderItsName(t *testing.T) {
	b := newBench(t)
	out := b.upload("dot.gif", "GIF89a\x01\x00\x01\x00\x80\x00\x00\x00\x00\x00\xff\xff\xff!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;")
	same(t, "type", []any{record(out)["type"], out["content_type"]}, []any{"document", "image/gif"})
	same(t, "name", out["entities"].([]any)[0].(args)["canonical_name"], "dot.gif")
}

func TestTheSameBytesHaveTheSameRecord(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	b := newBench(t)
	first := b.upload("a.md", "# Garden\n\n- [ ] Water the roses\n")
	again := b.upload("other name.md", "# Garden\n\n- [ ] Water the roses\n")
	same(t, "record", record(again), record(first))
	same(t, "created", []any{first["created"], again["created"]}, []any{true, false})
	same(t, "entities", again["entities"].([]any)[0], first["entities"].([]any)[0])
	same(t, "files", b.blobs(), []string{hashOf("# Garden\n\n- [ ] Water the roses\n")})
	same(t, "observations", b.snapshot(self(first))["observation_count"], 1)
	other := b.Call(uploadName, args{"file_path": filepath.Join(b.folder, "a.md"), "bucket": "notes", "properties": `{"status":"done"}`})
	same(t, "another bucket and properties", []any{record(other)["id"], properties(other)["status"], len(record(other)["file_urls"].([]any))}, []any{record(first)["id"], "done", 2})
	same(t, "in the entity", b.snapshot(self(first))["snapshot"].(args)["status"], "done")
	same(t, "records", b.Call(retrieveName, args{})["total"], 1)
	b.rebuild()
}

func TestUploadWithPropertiesSkipsAnalysis(t *testing.T) {
	b := newBench(t)
	path := b.file("photo.txt", "nothing of interest")
	out := b.Call(uploadName, args{"file_path": path, "properties": `{"document_type":"receipt","receipt_number":"R-1","vendor_name":"Café Ümlaut","amount":9007199254740993}`})
	same(t, "type", record(out)["type"], "FinancialRecord")
	contains(t, "properties", text(properties(out)), `"receipt_number":"R-1"`)
	same(t, "entity", b.snapshot(company("Café Ümlaut"))["snapshot"].(args)["name"], "Café Ümlaut")
	raw := b.CallAllowingRefusal(retrieveName, args{"type": "receipt"})
	contains(t, "numbers stay exact", raw.Text, "9007199254740993")
	plain := b.Call(uploadName, args{"file_path": b.file("x.txt", "something else"), "properties": `{"name":"A drawing"}`})
	same(t, "type", record(plain)["type"], "document")
	b.rebuild()
}

func TestAFileIsAttachedToARecord(t *testing.T) {
	b := newBench(t)
	sent := b.Call(submitName, submit("invoice", "2025-01-01", args{"invoice_number": "1", "vendor_name": "Acme"}))
	id := sent["payload_id"].(string)
	path := b.file("proof.txt", "a proof of payment about a zebra")
	out := b.Call(uploadName, args{"file_path": path, "record_id": id, "properties": `{"status":"paid"}`})
	same(t, "no new record", []any{out["record"], out["created"]}, []any{nil, false})
	again := b.Call(uploadName, args{"file_path": path, "record_id": id})
	same(t, "attached once", again["file_url"], out["file_url"])
	found := b.Call(retrieveName, args{})["records"].([]any)
	same(t, "records", []any{len(found), found[0].(args)["file_urls"], found[0].(args)["properties"].(args)["status"]}, []any{1, []any{out["file_url"]}, "paid"})
	from := b.Call(provenanceName, args{"entity_id": self(sent), "field": "invoice_number"})
	same(t, "provenance leads to the file", from["source_record"].(args)["file_urls"], []any{out["file_url"]})
	b.Call(fileURLName, args{"file_path": out["file_url"]})
	b.refuse(uploadName, args{"file_path": path, "record_id": "550e8400-e29b-41d4-a716-446655440000"}, "RECORD_NOT_FOUND", "record_id")
	b.rebuild()
}

func TestRowsOfATableBecomeRecordsUpToALimit(t *testing.T) {
	if testing.Short() {
		t.Skip("much work; the run without the race detector does it")
	}
	b := newBench(t)
	var csv strings.Builder
	csv.WriteString("id;name;city;price;;code\n")
	for i := 1; i <= 2500; i++ {
		fmt.Fprintf(&csv, "%d;Person %d;Köln;%d,50;extra;00%d\n", i, i, i, i)
	}
	start := time.Now()
	out := b.upload("people.csv", csv.String())
	t.Logf("2500 rows took %s", time.Since(start))
	p := properties(out)
	same(t, "dataset", []any{record(out)["type"], p["row_count"], p["rows_stored"], p["truncated"], out["item_count"]}, []any{"dataset", 2500, 2000, true, 2000})
	same(t, "columns", p["columns"], []any{"id", "name", "city", "price", "column_5", "code"})
	contains(t, "said", text(out["warnings"]), "2000 of 2500 rows")
	same(t, "records", b.Call(retrieveName, args{"type": "row", "limit": 1})["total"], 2000)
	row := b.Call(retrieveName, args{"properties": args{"price": 1999.5}})["records"].([]any)[0].(args)
	same(t, "a row with every column", text(row["properties"]), `{"city":"Köln","code":"001999","column_5":"extra","id":1999,"name":"Person 1999","price":1999.5}`)
	same(t, "its file", row["file_urls"], []any{out["file_url"]})
	found := b.Call(findName, args{"name": "Person 7", "type": "row"})["entities"].([]any)
	same(t, "an entity of a row", found[0].(args)["canonical_name"], "Person 7")
	from := b.Call(provenanceName, args{"entity_id": found[0].(args)["entity_id"], "field": "name"})
	same(t, "provenance of a row", from["source_record"].(args)["file_urls"], []any{out["file_url"]})
	start = time.Now()
	b.Call(deleteName, args{"id": record(out)["id"]})
	t.Logf("deleting them took %s", time.Since(start))
	same(t, "all gone", []any{b.Call(retrieveName, args{})["total"], b.Call(findName, args{})["total"], len(b.blobs())}, []any{0, 0, 0})
	b.rebuild()
}

func TestItemsOfAFileBecomeRecordsOfTheirKind(t *testing.T) {
	b := newBench(t)
	var vcf strings.Builder
	for _, name := range []string{"Anna Berg", "Ben Sund", "Cleo Rask"} {
		fmt.Fprintf(&vcf, "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:%s\r\nEMAIL:%s@example.org\r\nEND:VCARD\r\n", name, strings.ToLower(name[:3]))
	}
	out := b.upload("friends.vcf", vcf.String())
	same(t, "the file", []any{record(out)["type"], properties(out)["item_type"], out["item_count"]}, []any{"dataset", "contact", 3})
	same(t, "contacts", b.Call(retrieveName, args{"type": "person"})["total"], 3)
	same(t, "an entity", b.Call(findName, args{"name": "Ben Sund"})["total"], 1)
	var mbox strings.Builder
	for i := range 3 {
		fmt.Fprintf(&mbox, "From a@b Mon Jan  1 00:00:00 2025\nFrom: Anna <a@example.org>\nTo: b@example.org\nSubject: Mail %d\nMessage-ID: <%d@x>\n\n%s\n", i, i, strings.Repeat("many words\n", 1500*i))
	}
	mails := b.upload("mails.mbox", mbox.String())
	same(t, "mails", []any{mails["item_count"], properties(mails)["row_count"]}, []any{3, 3})
	longest := b.Call(retrieveName, args{"type": "message", "properties": args{"subject": "Mail 2"}})["records"].([]any)[0].(args)["properties"].(args)
	same(t, "a long mail is cut, and says so", []any{len(longest["body"].(string)), longest["content_truncated"]}, []any{maxFileContent, true})
	one := b.upload("one.vcf", "BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Dora Lind\r\nEND:VCARD\r\n")
	same(t, "a single contact", []any{record(one)["type"], one["item_count"]}, []any{"contact", nil})
	b.upload("mail.eml", "From: Anna <a@example.org>\r\nTo: b@example.org\r\nSubject: Thursday, then?\r\n\r\nAt six.\r\n")
	letter := b.Call(findName, args{"name": "Thursday, then?"})["entities"].([]any)[0].(args)
	same(t, "a mail is called by its subject", letter["canonical_name"], "Thursday, then?")
	said := b.Call(snapshotName, args{"entity_id": letter["entity_id"]})["snapshot"].(args)
	same(t, "a title that nobody gave it", said["title"], nil)
	b.rebuild()
}

func TestFilesLiveAsLongAsARecordHoldsThem(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	b := newBench(t)
	content := "# A note\n\nabout otters"
	path := b.file("n.md", content)
	first := b.Call(uploadName, args{"file_path": path})
	url := first["file_url"].(string)
	other := b.keep("contact", args{"name": "Anna"})
	b.Call(uploadName, args{"file_path": path, "record_id": other})
	third := b.Call(storeName, args{"type": "contact", "properties": args{"name": "Ben"}, "file_urls": []string{url, "https://example.org/x"}})["id"].(string)
	b.Call(deleteName, args{"id": record(first)["id"]})
	same(t, "two hold it", len(b.blobs()), 1)
	b.Call(updateName, args{"id": other, "file_urls": []string{}})
	b.Call(deleteName, args{"id": third})
	same(t, "the one that was updated still holds it", len(b.blobs()), 1)
	b.Call(fileURLName, args{"file_path": url})
	b.Call(deleteName, args{"id": other})
	same(t, "nobody holds it", len(b.blobs()), 0)
	b.refuse(fileURLName, args{"file_path": url}, "FILE_NOT_FOUND", "file_path")
	again := b.Call(uploadName, args{"file_path": path})
	same(t, "uploaded again", []any{again["created"], record(again)["id"], len(b.blobs())}, []any{true, record(first)["id"], 1})
	b.Call(fileURLName, args{"file_path": url})
	b.rebuild()
}

func TestAFileThatCannotBeReadIsKept(t *testing.T) {
	storetest.SkipUnlessSQLite(t, "files beside it")
	b := newBench(t)
	broken := "%PDF-1.7\nthis is no document\n%%EOF"
	path := b.file("broken.pdf", broken)
	e := b.refuse(uploadName, args{"file_path": path}, "ANALYSIS_FAILED", "")
	d := e.Error.Details
	same(t, "details", []any{d["http_status"], d["content_type"], d["file_size"], b.blobs()}, []any{500, "application/pdf", len(broken), []string{hashOf(broken)}})
	b.Call(fileURLName, args{"file_path": d["file_url"]})
	again := b.refuse(uploadName, args{"file_path": path}, "ANALYSIS_FAILED", "")
	same(t, "the same record", again.Error.Details["record_id"], d["record_id"])
	same(t, "records", b.Call(retrieveName, args{})["total"], 1)
	told := b.Call(uploadName, args{"file_path": path, "properties": `{"document_type":"invoice","invoice_number":"X1"}`})
	same(t, "told what it says", []any{record(told)["id"], record(told)["type"], told["created"], properties(told)["analysis_error"]}, []any{d["record_id"], "FinancialRecord", true, nil})
	b.Call(deleteName, args{"id": d["record_id"]})
	same(t, "gone", len(b.blobs()), 0)
	b.rebuild()
}

// TestTruncatedFileIsMarkedInItsRecord uploads a mail that nests its parts without
// end, behind one that can be read.
func TestTruncatedFileIsMarkedInItsRecord(t *testing.T) {
	b := newBench(t)
	var mail strings.Builder
	mail.WriteString("From: a@b.c\nTo: d@e.f\nSubject: Offer\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nWe meet on Monday.\n--b\n")
	for n := range 5000 {
		fmt.Fprintf(&mail, "Content-Type: multipart/mixed; boundary=b%[1]d\n\n--b%[1]d\n", n)
	}
	out := b.upload("offer.eml", mail.String())
	p := properties(out)
	same(t, "what was read", []any{p["subject"], p["body"], p["truncated"]}, []any{"Offer", "We meet on Monday.", true})
	same(t, "what is missing", out["warnings"], []any{"parts nested deeper than 20 were left out"})
	b.rebuild()
}

// What becomes searchable of a file is bounded, because storing it holds the lock
// that every other process writes with.
func TestFileOfManyValuesIsTruncated(t *testing.T) {
	b := newBench(t)
	columns := make([]string, 3000)
	for i := range columns {
		columns[i] = fmt.Sprint("c", i)
	}
	row := strings.Repeat("7,", len(columns)-1) + "7\n"
	for name, text := range map[string]string{
		"wide.csv":   strings.Join(columns, ",") + "\n" + strings.Repeat(row, 20),
		"phones.vcf": "BEGIN:VCARD\nVERSION:4.0\nFN:Ada\n" + strings.Repeat("TEL:1\n", maxFileValues+1000) + "END:VCARD\n",
	} {
		out := b.upload(name, text)
		if properties(out)["truncated"] != true || len(out["warnings"].([]any)) == 0 {
			t.Errorf("%s: %v, %v", name, properties(out)["truncated"], out["warnings"])
		}
	}
}

func TestLimitValuesKeepsWholeRows(t *testing.T) {
	r := reading{properties: object{"a": 1, "list": make([]any, maxFileValues-12)}}
	for range 5 {
		r.parts = append(r.parts, part{recordType: rowType, properties: object{"x": 1, "y": []any{1, 2, 3}}})
	}
	r.dropValuesBeyondLimit()
	if len(r.parts) != 2 || len(r.parts[1].properties["y"].([]any)) != 3 || !r.cut {
		t.Errorf("%d rows are left, the last %v", len(r.parts), r.parts[len(r.parts)-1])
	}
	one := reading{parts: []part{{recordType: rowType, properties: object{"x": make([]any, maxFileValues+5), "y": 1}}}}
	one.dropValuesBeyondLimit()
	if len(one.parts) != 1 || len(one.parts[0].properties["x"].([]any)) != maxFileValues || one.parts[0].properties["y"] != nil {
		t.Errorf("of a single item %d values are left", len(one.parts[0].properties["x"].([]any)))
	}
	all := reading{properties: object{"a": make([]any, maxFileValues)}}
	if all.dropValuesBeyondLimit(); all.cut || len(all.warnings) > 0 {
		t.Error("what fits is called cut")
	}
}

// fetch gets a URL and returns status and body.
func fetch(t *testing.T, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(body)
}

func TestASignedURLLeadsToTheBytesUntilItEnds(t *testing.T) {
	b := newBench(t)
	content := "<html><script>alert(1)</script><h1>Hello</h1></html>"
	out := b.upload("a \"b\" ü;\n\U0001F980.html", content)
	for _, form := range []string{out["file_url"].(string), strings.TrimPrefix(out["file_url"].(string), "toolkit://")} {
		signed := b.Call(fileURLName, args{"file_path": form, "expires_in": 60})
		same(t, "end", signed["expires_at"], b.Clock.Now().Add(time.Minute).Format(time.RFC3339))
		status, body := fetch(t, signed["signed_url"].(string))
		same(t, "fetched", []any{status, body}, []any{200, content})
	}
	usual := b.Call(fileURLName, args{"file_path": out["file_url"]})
	same(t, "usual end", usual["expires_at"], b.Clock.Now().Add(time.Hour).Format(time.RFC3339))
	b.Clock.Advance(time.Hour - time.Second)
	status, _ := fetch(t, usual["signed_url"].(string))
	same(t, "just before the end", status, 200)
	b.Clock.Advance(time.Second)
	status, _ = fetch(t, usual["signed_url"].(string))
	same(t, "at the end", status, 403)
	fresh := b.Call(fileURLName, args{"file_path": out["file_url"]})
	b.Call(deleteName, args{"id": record(out)["id"]})
	status, _ = fetch(t, fresh["signed_url"].(string))
	same(t, "deleted", status, 404)
}

func TestAFileOfSeveralInvoicesBecomesEachOfThem(t *testing.T) {
	b := newBench(t)
	data := testenv.Read(t, "../../internal/reader/einvoice/testdata/fatturapa.xml")
	file := string(data)
	start, end := strings.Index(file, "<FatturaElettronicaBody>"), strings.Index(file, "</p:FatturaElettronica>")
	second := strings.NewReplacer("12/A", "13/A", "TD01", "TD04").Replace(file[start:end])
	out := b.upload("lotto.xml", file[:end]+second+file[end:])
	same(t, "record", []any{record(out)["type"], properties(out)["item_type"], properties(out)["row_count"]}, []any{"dataset", "invoice", 2.0})
	var found []string
	for _, c := range []struct{ is, number string }{{"invoice", "12/A"}, {"credit_note", "13/A"}} {
		entityList := b.Call(findName, args{"type": c.is, "fields": args{"invoice_number": c.number}})["entities"].([]any)
		if len(entityList) != 1 {
			t.Fatalf("%d entities of %s %s", len(entityList), c.is, c.number)
		}
		id := entityList[0].(args)["entity_id"].(string)
		place, _ := b.Call(provenanceName, args{"entity_id": id, "field": "amount"})["source_location"].(args)
		found = append(found, fmt.Sprint(b.snapshot(id)["snapshot"].(args)["amount"], " ", place["element"], " ", len(b.related(id))))
	}
	same(t, "each", found, []string{"146.4 FatturaElettronica/FatturaElettronicaBody[1] 2", "-146.4 FatturaElettronica/FatturaElettronicaBody[2] 2"})
	b.rebuild()
}

func TestSecretsOfFilesAreNotKept(t *testing.T) {
	const secret = "Tr0ub4dor-Zx91"
	for name, c := range map[string]struct {
		file, text string
		count      int
		stays      string // what is found afterwards
	}{
		"a text":     {"notes.txt", "Handover\n\nThe router stands in the cellar.\nThe admin password is " + secret + "\nThe heating is set to 20.\nMy IBAN is DE89370400440532013000.\n", 1, "DE89370400440532013000"},
		"a note":     {"notes.md", "# Handover\n\n- [ ] water the plants\n\nPasswort: " + secret + "\n", 1, "plants"},
		"a table":    {"logins.csv", "site,user,password\nshop.example,ann,correct" + secret + "\nbank.example,bob,other" + secret + "\n", 2, "shop.example"},
		"a mail":     {"mail.eml", "From: a@example.org\nTo: b@example.org\nSubject: Access\nDate: Mon, 2 Mar 2026 10:00:00 +0000\nContent-Type: text/plain\n\nHello,\nthe password: " + secret + "\nBye\n", 1, "Hello"},
		"an invoice": {"invoice.txt", Sample + "\nIBAN: DE89 3704 0044 0532 0130 00\nPortal password: " + secret + "\n", 1, "INV-2041"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			testenv.Write(t, filepath.Join(b.folder, c.file), c.text)
			out := b.Call(uploadName, args{"file_path": c.file})
			contains(t, "it says how many", fmt.Sprint(out["warnings"]), fmt.Sprintf("%d secret(s)", c.count))
			for _, search := range []string{secret, "correct" + secret} {
				same(t, "found by the secret", b.Call(findName, args{"text": search})["total"], 0)
			}
			same(t, "found by the rest", len(b.Call(retrieveName, args{"search": []string{c.stays}, "limit": 5})["records"].([]any)) > 0, true)
			if kept := string(text(b.everything())); strings.Contains(kept, secret) || !strings.Contains(kept, c.stays) {
				t.Errorf("kept is %s", kept)
			}
			again := b.Call(uploadName, args{"file_path": c.file})
			same(t, "the same file again", again["created"], false)
		})
	}
}
