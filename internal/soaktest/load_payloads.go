package soaktest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// paper is a payload that a worker submitted.
type paper struct{ token, vendor string }

func payloadsStep(ctx context.Context, w *Worker) error {
	p, ok := pick(w, w.papers)
	token := w.token()
	switch {
	case w.Data != "" && w.chance(20):
		return upload(ctx, w, token)
	case !ok || w.chance(40):
		return submit(ctx, w, token)
	case w.chance(30):
		return w.write(ctx, token, []string{"truth_observations"}, "correct-field", object{"entity_id": p.vendor, "field": "address", "value": "Harbour street " + token, "reason": "as on the letterhead"})
	case w.chance(50):
		return w.mention(ctx, p.token, "retrieve_records", object{"search": []string{p.token}, "search_mode": "keyword"})
	}
	return w.call(ctx, nil, "get_entity_snapshot", object{"entity_id": p.vendor})
}

// submit names one of few vendors, so that clients meet on the same entities.
func submit(ctx context.Context, w *Worker, number string) error {
	var made struct {
		Entities []struct {
			ID   string `json:"entity_id"`
			Role string `json:"role"`
		}
	}
	err := w.call(ctx, &made, "submit_payload", object{"capability_id": "neotoma:store_invoice:v1",
		"body": object{"invoice_number": number, "amount": w.Rand.IntN(100000), "vendor_name": fmt.Sprintf("Vendor %d", w.Rand.IntN(20)),
			"customer_name": "Test Customer", "date": fmt.Sprintf("2026-%02d-%02d", 1+w.Rand.IntN(12), 1+w.Rand.IntN(28))},
		"provenance": object{"source_refs": []string{}, "extracted_at": "2026-01-15T10:30:00Z", "extractor_version": "soak:v1"}})
	if err != nil {
		return err
	}
	w.Journal.Stored(number, "payloads")
	for _, e := range made.Entities {
		if e.Role != "self" {
			w.papers = append(w.papers, paper{number, e.ID})
			return nil
		}
	}
	return fmt.Errorf("submit_payload names no vendor: %v", made)
}

func upload(ctx context.Context, w *Worker, token string) error {
	path := filepath.Join(w.Data, token+".txt")
	if err := os.WriteFile(path, []byte("A note about "+token+"\n"), 0o600); err != nil {
		return err
	}
	defer os.Remove(path) //nolint:errcheck // at worst a temporary file stays
	return w.write(ctx, token, []string{"records"}, "upload_file", object{"file_path": path, "properties": fmt.Sprintf(`{"note":%q}`, token)})
}
