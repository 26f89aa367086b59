package app

import (
	"strings"
	"testing"
)

func TestRecallNamesTheToolThatShowsAnAccount(t *testing.T) {
	a := newApp(t)
	callTool(t, a, "submit_payload", map[string]any{"capability_id": "neotoma:store_invoice:v1",
		"body":       map[string]any{"invoice_number": "NL-7001", "vendor_name": "Nordlicht GmbH", "date": "2026-03-01", "amount": 119, "iban": "DE89370400440532013000"},
		"provenance": map[string]any{"source_refs": []string{}, "extracted_at": "2026-03-02T00:00:00Z", "extractor_version": "test"}})
	out, text := recallOf(t, a, map[string]any{"query": "iban of Nordlicht", "kinds": []string{"truth_entity"}})
	if len(out.Found) == 0 || strings.Contains(text, "DE89370400440532013000") || !strings.Contains(out.Found[0].Note, "its bank account is shown by get_entity_snapshot") {
		t.Errorf("it says %s", text)
	}
}
