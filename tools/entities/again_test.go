package entities

import (
	"strings"
	"testing"
)

// A file that was downloaded or saved again has other bytes and says the same.
func TestAPaperStoredFromAnotherFileIsTheSameOrDoubted(t *testing.T) {
	const slip = "METRO VANNES\nZI du Prat 56000 VANNES\n\n18/11/2026 07:42\n\nSUCRE   11,90\nLEVURE   8,70\nSACS   24,99\n\nTOTAL EUR   45,59\nCB   45,59\n"
	const mail = "From: Ann Bell <ann@example.com>\nTo: bob@example.com\nSubject: The oven\nDate: Mon, 6 Jan 2025 10:00:00 +0100\nMessage-ID: <1@example.com>\n\nIt comes on Friday.\n"
	const noID = "From: Ann Bell <ann@example.com>\nTo: bob@example.com\nSubject: The oven\nDate: Mon, 6 Jan 2025 10:00:00 +0100\n\nIt comes on Friday.\n"
	for name, c := range map[string]struct {
		file, first, second string
		entities            int
		doubted             bool
	}{
		"a receipt with the time of day":          {"a.txt", slip, slip + "\n", 1, false},
		"a receipt with its number":               {"a.txt", strings.Replace(slip, "07:42", "07:42 Ticket 00871", 1), strings.Replace(slip, "07:42", "07:42 Ticket 00871", 1) + "\n", 1, false},
		"a number that a till gives again":        {"a.txt", strings.Replace(slip, "07:42", "07:42 Ticket 00871", 1), strings.Replace(slip, "18/11/2026 07:42", "19/11/2026 07:42 Ticket 00871", 1), 2, false},
		"the same goods an hour later":            {"a.txt", slip, strings.Replace(slip, "07:42", "08:42", 1), 2, false},
		"a receipt of which nothing else is read": {"a.txt", slip, strings.Replace(slip, "18/11/2026 07:42", "18/11/2026", 1), 2, true},
		"a mail":               {"a.eml", mail, mail + "\n", 1, false},
		"a mail without an id": {"a.eml", noID, noID + "\n", 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			first, second := b.upload("1"+c.file, c.first), b.upload("2"+c.file, c.second)
			same(t, "the second was stored", second["created"], true)
			found := map[string]bool{self(first): true, self(second): true}
			same(t, "entities", len(found), c.entities)
			same(t, "a warning", strings.Contains(text(second["warnings"]), "same day and amount"), c.doubted)
			b.rebuild()
		})
	}
}

func TestUploadNamesTheInvoiceAttachedToAMail(t *testing.T) {
	const mail = "From: Ann Bell <ann@example.com>\nTo: bob@example.com\nSubject: Your invoice\nDate: Mon, 6 Jan 2025 10:00:00 +0100\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nPlease find it attached.\n--b\nContent-Type: text/plain\nContent-Disposition: attachment; filename=invoice.txt\n\n" + Sample + "\n--b--\n"
	b := newBench(t)
	out := b.upload("a.eml", mail)
	named := out["entities"].([]any)
	same(t, "what is named last", named[len(named)-1], args{"entity_id": sampleInvoice, "entity_type": "invoice", "canonical_name": "INV-2041", "role": "item"})
	same(t, "when the same bytes come again", b.upload("b.eml", mail)["entities"], out["entities"])
}
