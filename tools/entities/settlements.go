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
	values, known, err := loadValues(tx, payment)
	holds := parseAmount(values["amount"])
	if err != nil || !known || holds == nil {
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
	currency, more := textOf(values, "currency"), ""
	if open > 0 {
		more = fmt.Sprintf(" and %d more of which it is not said how much", open)
	}
	return tools.Invalid(tools.CodeInvalid, "metadata.amount", "at most what the payment holds", "the payment holds %s, but with this it would settle %s%s: give in metadata.amount what is for this one, and in metadata.discount what was allowed off",
		describeMoney(holds, currency), describeMoney(sum, currency), more)
}

// settlingFacts are the metadata of a relationship that settles.
func settlingFacts(n entities.Neighbour) (object, error) {
	if len(n.Metadata) == 0 {
		return object{}, nil
	}
	return decodeObject(json.RawMessage(n.Metadata))
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

// describeSums says what is wrong with the sums after a payment was related to what it settles; empty: nothing.
func describeSums(tx entities.Rows, in relateInput) (string, error) {
	shares, err := describeShares(tx, string(in.SourceEntityID))
	if err != nil || shares != "" {
		return shares, err
	}
	return describeOverpayment(tx, string(in.TargetEntityID))
}

// describeShares warns where nobody can tell how much of a payment is for which document; empty: it is plain.
func describeShares(tx entities.Rows, id string) (string, error) {
	e, known, err := tx.ByID(id)
	if err != nil || !known || e.Type != transactionType {
		return "", err
	}
	_, open, err := sumSettled(tx, e.Root)
	if err != nil || open < 2 {
		return "", err
	}
	return fmt.Sprintf("the payment settles %d documents of which nothing says how much of it is for which, so nobody can tell what is left of them", open), nil
}

// describeOverpayment says by how much what settles an invoice is more than it asked for; empty: it
// is not, or nobody can tell.
func describeOverpayment(tx entities.Rows, id string) (string, error) {
	e, known, err := tx.ByID(id)
	if err != nil || !known {
		return "", err
	}
	if e, err = tx.ByRow(e.Root); err != nil || e.Type != invoiceType {
		return "", err
	}
	values, _, err := loadValues(tx, e)
	if err != nil {
		return "", err
	}
	left, touched, err := computeUnpaid(tx, e, values)
	if err != nil || left == nil || !touched || left.Sign() >= 0 {
		return "", err
	}
	asked, over, currency := amountToPay(values), new(big.Rat).Neg(left), textOf(values, "currency")
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
