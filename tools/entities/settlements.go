package entities

import (
	"encoding/json"
	"fmt"
	"math/big"

	"toolkit/store/entities"
	"toolkit/tools"
)

// refuseAmounts refuses metadata that says how much of an invoice a payment settles and is no amount.
func refuseAmounts(metadata json.RawMessage) error {
	if len(metadata) == 0 {
		return nil
	}
	facts, err := decodeObject(metadata)
	if err != nil {
		return err
	}
	for _, name := range []string{"amount", "discount"} {
		if facts[name] == nil {
			continue
		}
		if amount := parseAmount(facts[name]); amount == nil || amount.Sign() < 0 {
			return tools.Invalid(tools.CodeInvalid, "metadata."+name, "an amount", "metadata.%s is no amount: give a number from 0 on, in the invoice's currency, such as 233.24", name)
		}
	}
	return nil
}

// refuseOverspending refuses that what a payment is said to settle comes to more than it holds.
func refuseOverspending(tx entities.Rows, payment entities.Entity) error {
	known, _, err := loadKnown(tx, payment)
	holds := parseAmount(known.values["amount"])
	if err != nil || holds == nil {
		return err
	}
	holds = new(big.Rat).Abs(holds)
	sum, open, err := sumSettled(tx, payment.Root)
	if err != nil {
		return err
	}
	if over := sum.Cmp(holds); over < 0 || over == 0 && open == 0 {
		return nil
	}
	currency, more := textOf(known.values, "currency"), ""
	if open > 0 {
		more = fmt.Sprintf(" and %d more of which it is not said how much", open)
	}
	return tools.Invalid(tools.CodeInvalid, "metadata.amount", "at most what the payment holds", "the payment holds %s, but with this it would settle %s%s: give in metadata.amount what is for this one, and in metadata.discount what was allowed off",
		describeMoney(holds, currency), describeMoney(sum, currency), more)
}

// settlingFacts are the metadata of a relationship that settles.
func settlingFacts(n entities.KnownEntity) (object, error) {
	if len(n.Metadata) == 0 {
		return object{}, nil
	}
	return decodeObject(n.Metadata)
}

// sumSettled is what a payment is said to settle, and of how many documents it is not said how much.
func sumSettled(tx entities.Rows, payment int64) (sum *big.Rat, open int, err error) {
	targets, err := tx.Neighbours(payment, entities.Outbound, settlesType, maxSettlingDocuments)
	sum = new(big.Rat)
	for _, n := range targets {
		facts, err := settlingFacts(n)
		if err != nil {
			return nil, 0, err
		}
		if part := parseAmount(facts["amount"]); part != nil {
			sum.Add(sum, part)
		} else {
			open++
		}
	}
	return sum, open, err
}

// describeSums says what is wrong with the sums of what settles an invoice; empty: nothing.
func describeSums(tx entities.Rows, e entities.Entity) (string, error) {
	invoice, _, err := loadKnown(tx, e)
	asked := amountToPay(invoice.values)
	if err != nil || invoice.Type != invoiceType || asked == nil {
		return "", err
	}
	left, touched, err := computeUnpaid(tx, invoice.Entity, invoice.values)
	switch {
	case err != nil:
		return "", err
	case left == nil:
		return "nobody can tell what is left of the invoice: nothing says how much of a payment is for it, or a currency differs", nil
	case left.Sign() >= 0 || !touched:
		return "", nil
	}
	over, currency := new(big.Rat).Neg(left), textOf(invoice.values, "currency")
	return fmt.Sprintf("the invoice asks for %s, and what settles it comes to %s: %s too much",
		describeMoney(asked, currency), describeMoney(new(big.Rat).Add(asked, over), currency), describeMoney(over, currency)), nil
}

// describeMoney is an amount with its currency, if that is known.
func describeMoney(amount *big.Rat, currency string) string {
	text := FormatMoney(formatAmount(amount))
	if currency != "" {
		text += " " + currency
	}
	return text
}
