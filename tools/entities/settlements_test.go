package entities

import (
	"strings"
	"testing"
)

func TestAPaymentSettlesNoMoreThanItHolds(t *testing.T) {
	b := newBench(t)
	one := b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	two := b.submit("invoice", "2025-01-01", invoiceBody("RE-1002", "Acme Corp", "2025-01-02", nil))
	payment := b.submit("transaction", "2025-01-11", paymentBody("T", -150, nil))
	settle := func(invoice string, metadata args) args {
		return args{"relationship_type": "SETTLES", "source_entity_id": payment, "target_entity_id": invoice, "metadata": metadata}
	}
	b.Call(relateName, settle(one, args{"amount": 100, "discount": 19}))
	e := b.refuse(relateName, settle(two, args{"amount": 119}), "VALIDATION_ERROR", "metadata.amount")
	contains(t, "the sums", e.Error.Message, "the payment holds 150 EUR, but with this it would settle 219 EUR")
	same(t, "nothing is written", b.unpaid(two), "open 119")
	b.Call(relateName, settle(two, args{"amount": 50}))
	same(t, "the rest", []string{b.unpaid(one), b.unpaid(two)}, []string{"paid 0", "part 69"})
}

func TestAnInvoiceThatIsPaidTooMuchSaysSo(t *testing.T) {
	b := newBench(t)
	invoice := b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	warned := func(id string, amount float64, metadata args) string {
		payment := b.submit("transaction", "2025-01-11", paymentBody(id, amount, nil))
		return string(text(b.Accepted(relateName, args{"relationship_type": "SETTLES", "source_entity_id": payment, "target_entity_id": invoice, "metadata": metadata}).Hints.Warnings))
	}
	if w := warned("T", -100, args{}); strings.Contains(w, "too much") {
		t.Error(w)
	}
	contains(t, "two payments", warned("U", -50, args{}), "the invoice asks for 119 EUR, and what settles it comes to 150 EUR: 31 EUR too much")
}

func TestWhatIsNotSaidOfAPaymentIsTheRestOfIt(t *testing.T) {
	b := newBench(t)
	one := b.submit("invoice", "2025-01-01", invoiceBody("RE-1001", "Acme Corp", "2025-01-01", nil))
	two := b.submit("invoice", "2025-01-01", invoiceBody("RE-1002", "Acme Corp", "2025-01-02", nil))
	payment := b.submit("transaction", "2025-01-11", paymentBody("T", -150, nil))
	settle := func(invoice string, metadata args) args {
		return args{"relationship_type": "SETTLES", "source_entity_id": payment, "target_entity_id": invoice, "metadata": metadata}
	}
	b.Call(relateName, settle(one, args{"note": "as agreed"}))
	b.Call(relateName, settle(two, args{"amount": 50}))
	same(t, "the rest", []string{b.unpaid(one), b.unpaid(two)}, []string{"part 19", "part 69"})
	b.refuse(relateName, settle(two, args{"amount": 150}), "VALIDATION_ERROR", "metadata.amount")
	three := b.submit("invoice", "2025-01-01", invoiceBody("RE-1003", "Acme Corp", "2025-01-03", nil))
	contains(t, "a third", string(text(b.Accepted(relateName, settle(three, args{})).Hints.Warnings)), "nobody can tell what is left of the invoice")
}
