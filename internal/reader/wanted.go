package reader

// fieldStep reads one thing that a kind of document may say. Of several steps for one field the first
// that finds a value sets it.
type fieldStep func(*extraction)

// fieldStepsForKind are the fields of a kind of document, in the order in which they are read: later ones
// may rest on those before.
func fieldStepsForKind(kind string) []fieldStep {
	switch kind {
	case KindInvoice:
		return append(invoiceFieldSteps(), (*extraction).warnOfMissingVendor)
	case KindCreditNote:
		return append(invoiceFieldSteps(), newFieldStep("credited_invoice", (*labeledPages).identifierText, labelCredited), (*extraction).dropAmbiguousCreditSums, (*extraction).negateCreditAmounts)
	case KindReceipt:
		return []fieldStep{
			(*extraction).setDateOrderByCurrency,
			newFieldStep("receipt_number", (*labeledPages).identifierText, labelReceiptNumber, labelTransactionID, labelInvoiceNumber, labelOrderNumber),
			func(result *extraction) { result.setNumberNearTitle("receipt_number", KindReceipt) },
			newFieldStep("date", (*labeledPages).dateText, labelDate, labelPurchaseDate, labelInvoiceDate),
			(*extraction).setDateOfPayment,
			(*extraction).setSoleDate,
			newFieldStep("order_number", (*labeledPages).identifierText, labelOrderNumber),
			func(result *extraction) { result.slip = result.form.readTillSlip() },
			(*extraction).setSums,
			(*extraction).setLineItems,
			(*extraction).setPaymentMethod,
			newPartiesStep(partyFields{roleShop, "vendor_name", "customer_name", labelVendor, labelCustomer}),
			(*extraction).setTaxNumbers,
			(*extraction).setSlipFields,
		}
	case KindStatement:
		return []fieldStep{
			newFieldStep("account_number", (*labeledPages).identifierText, labelAccountNumber),
			newPartiesStep(partyFields{roleBank, "institution", "account_holder", labelInstitution, labelHolder}),
			func(result *extraction) { result.setIBAN(1, headLines) },
			(*extraction).setStatementPeriod,
			newFieldStep("date", (*labeledPages).dateText, labelDate, labelAsOf),
			(*extraction).setBalancesAndTransactions,
		}
	case KindContract, KindTaxForm, KindPayslip, KindHolding:
		return []fieldStep{func(result *extraction) { result.content.warn(unreadFields) }}
	}
	return []fieldStep{(*extraction).setNoteFields, newFieldStep("date", (*labeledPages).dateText, labelDate, labelPurchaseDate), (*extraction).setUnbookedFields}
}

// setUnbookedFields sets of a reminder, an offer or another paper with the sums of an invoice all that books nothing:
// who sends it to whom, and the numbers by which it is known.
func (result *extraction) setUnbookedFields() {
	if result.form.findNonInvoiceTitle() == "" {
		return
	}
	for _, step := range []fieldStep{
		newFieldStep("invoice_number", (*labeledPages).identifierText, labelInvoiceNumber),
		newFieldStep("customer_number", (*labeledPages).identifierText, labelCustomerNumber),
		newPartiesStep(partyFields{roleSender, "vendor_name", "customer_name", labelVendor, labelCustomer}),
		(*extraction).setTaxNumbers,
		func(result *extraction) { result.setIBAN(every, every) },
	} {
		step(result)
	}
}

func invoiceFieldSteps() []fieldStep {
	return []fieldStep{
		newFieldStep("invoice_number", (*labeledPages).identifierText, labelInvoiceNumber),
		newFieldStep("date", (*labeledPages).dateText, labelInvoiceDate, labelTaxPoint),
		(*extraction).setDateAfterInvoiceNumber,
		newFieldStep("date", (*labeledPages).dateText, labelDate),
		(*extraction).setDateNearTitle,
		func(result *extraction) { result.setNumberNearTitle("invoice_number", KindInvoice) },
		newFieldStep("due_date", (*labeledPages).dateText, labelDueDate),
		(*extraction).setDueDateFromSentence,
		(*extraction).setDueDateFromTerm,
		newFieldStep("delivery_date", (*labeledPages).dateText, labelDelivery),
		(*extraction).setPeriodFromLabels,
		newFieldStep("order_number", (*labeledPages).identifierText, labelOrderNumber),
		newFieldStep("customer_number", (*labeledPages).identifierText, labelCustomerNumber),
		(*extraction).setSums,
		(*extraction).setLineItems,
		newPartiesStep(partyFields{roleSender, "vendor_name", "customer_name", labelVendor, labelCustomer}),
		(*extraction).setTaxNumbers,
		func(result *extraction) { result.setIBAN(every, every) },
	}
}

func newFieldStep(key string, textOf valueText, kinds ...labelKind) fieldStep {
	return func(result *extraction) { result.setTextField(key, textOf, kinds...) }
}

func newPartiesStep(fields partyFields) fieldStep {
	return func(result *extraction) { result.setSenderAndRecipient(fields) }
}
