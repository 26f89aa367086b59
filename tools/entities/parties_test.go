package entities

import (
	"testing"
)

func TestPartiesAreOfTheTypeThatTheirNamesSay(t *testing.T) {
	for name, want := range map[string]string{
		"Anna Schmidt":      "party",
		"Schmidt, Anna":     "party",
		"Frau Petra Klein":  "contact",
		"Anna Schmidt GmbH": "company",
		"Stadtwerke Mainz":  "company",
		"Acme":              "company",
	} {
		for kind, fields := range map[string]args{
			"transaction": {"transaction_id": "T1", "counterparty": name},
			"receipt":     {"receipt_number": "R1", "vendor_name": name},
			"invoice":     {"invoice_number": "I1", "customer_name": name},
		} {
			b := newBench(t)
			fields["amount"] = 12
			b.Call(submitName, submit(kind, "2025-01-01", fields))
			found := b.Call(findName, args{"name": name, "type": want})["entities"].([]any)
			if len(found) != 1 {
				t.Errorf("%s of a %s: %d entities of the type %s", name, kind, len(found), want)
			}
			others := b.Call(findName, args{"name": name})["entities"].([]any)
			for _, e := range others {
				if got := e.(args)["entity_type"]; got != want && got != kind {
					t.Errorf("%s of a %s is a %s", name, kind, got)
				}
			}
		}
	}
}
