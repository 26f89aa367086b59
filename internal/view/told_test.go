package view

import "testing"

// What is known of a step, of an invoice and of a session is told where they are shown.
func TestThePageTellsProgressPaymentAndNamesOfSessions(t *testing.T) {
	b := twoProjects(t)
	b.remember("create_structural_tension_chart", arguments{"desiredOutcome": "The organ stands", "currentReality": "Nothing is there", "dueDate": "2027-01-01T00:00:00Z", "actionSteps": []string{"Reeds voiced"}})
	b.remember("update_action_progress", arguments{"actionStepName": "Reeds voiced", "progressObservation": "Ten of forty sound"})
	b.remember("submit_payload", arguments{"capability_id": "neotoma:store_invoice:v1",
		"body":       arguments{"invoice_number": "INV-1", "amount": 10, "amount_due": 0, "vendor_name": "Acme", "customer_name": "Ann", "date": "2026-01-15"},
		"provenance": arguments{"source_refs": []string{}, "extracted_at": "2026-01-15T10:30:00Z", "extractor_version": "v1"}})
	r := b.reader()
	steps := ask[struct {
		Charts []struct{ Steps []struct{ Notes []string } }
	}](r, "charts").Charts[0].Steps
	if len(steps) != 1 || len(steps[0].Notes) != 1 || steps[0].Notes[0] != "Ten of forty sound" {
		t.Errorf("the steps are %+v", steps)
	}
	found := ask[struct {
		Found struct {
			Entities []struct {
				EntityID string `json:"entity_id"`
			}
		}
	}](r, "entities?type=invoice").Found.Entities
	if len(found) != 1 {
		t.Fatalf("%d invoices", len(found))
	}
	if paid := ask[struct{ Payment struct{ Status string } }](r, "entity?id="+found[0].EntityID).Payment.Status; paid != "paid" {
		t.Errorf("the invoice is %q", paid)
	}
	for _, i := range ask[struct {
		Insights []struct {
			Session string
			Title   string `json:"session_title"`
		}
	}](r, "memory/insights").Insights {
		if (i.Session == "") != (i.Title == "") {
			t.Errorf("session %q is called %q", i.Session, i.Title)
		}
	}
}
