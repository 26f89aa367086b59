package soaktest

import (
	"context"
	"encoding/json"
	"fmt"
)

// livePapers is how many payloads a worker keeps; older ones are deleted.
const livePapers = 80

type paper struct {
	id, token, vendor string
}

func payloadsStep(ctx context.Context, w *Worker) error {
	if old, ok := oldest(&w.papers, livePapers); ok {
		return remove(ctx, w, old)
	}
	p, ok := pick(w, w.papers)
	switch {
	case !ok || w.chance(40):
		return submit(ctx, w)
	case w.chance(20):
		return update(ctx, w, p)
	case w.chance(20):
		value := w.token()
		return w.write(ctx, value, []string{"truth_observations"}, "correct-field", object{"entity_id": p.vendor, "field": "address", "value": "Harbour street " + value, "reason": "as on the letterhead"})
	case w.chance(50):
		return w.mention(ctx, p.token, "retrieve_records", object{"search": []string{p.token}, "search_mode": "keyword"})
	}
	return w.call(ctx, nil, "get_entity_snapshot", object{"entity_id": p.vendor})
}

// submit names one of few vendors, so that clients meet on the same entities.
func submit(ctx context.Context, w *Worker) error {
	number := w.token()
	var made struct {
		ID       string `json:"payload_id"`
		Entities []struct {
			ID   string `json:"entity_id"`
			Type string `json:"entity_type"`
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
			w.papers = append(w.papers, paper{made.ID, number, e.ID})
			return nil
		}
	}
	return fmt.Errorf("submit_payload names no vendor: %v", made)
}

func update(ctx context.Context, w *Worker, p paper) error {
	note := w.token()
	err := w.write(ctx, note, []string{"records"}, "update_record", object{"id": p.id, "properties": object{"note_" + note: json.Number("1")}})
	if err == nil {
		w.noteOf(p.id, note)
	}
	return err
}

func remove(ctx context.Context, w *Worker, p paper) error {
	gone := append(w.said[p.id], p.token)
	delete(w.said, p.id)
	return w.remove(ctx, gone, []string{"records", "payloads"}, "delete_record", object{"id": p.id})
}
